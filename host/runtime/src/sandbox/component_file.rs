//! The file of a plugin, before its content is known.

use std::{
    io::{self, Read},
    path::Path,
};

use hookbox_model::{Failure, FailureCode};
use hookbox_platform::file::{self, FileKind, FileStatus};

use super::{
    identity::Identity,
    script::{self, Language, MAX_SCRIPT_BYTES},
};
use crate::digest::hash_parts;

/// Largest component file, bytes.
pub const MAX_COMPONENT_BYTES: u64 = 64 << 20;

/// Returns the largest file size at this path, bytes.
fn max_size(path: &Path) -> u64 {
    Language::from_path(path).map_or(MAX_COMPONENT_BYTES, |_| MAX_SCRIPT_BYTES)
}

/// An open component or script, known to be a plain file within the size limit.
pub(super) struct ComponentFile<'a> {
    path: &'a Path,
    file: std::fs::File,
    pub(super) identity: Identity,
    pub(super) size: u64,
}

pub(super) struct Content {
    pub(super) bytes: Vec<u8>,
    /// SHA-256, in hexadecimal.
    pub(super) digest: String,
    pub(super) identity: Identity,
}

impl<'a> ComponentFile<'a> {
    pub(super) fn open(path: &'a Path) -> Result<Self, Failure> {
        let shown = path.display();
        let missing = |error: io::Error| {
            Failure::new(FailureCode::Missing, &format!("cannot read the plugin {shown}: {error}"))
        };
        // A FIFO without a writer does not block this call; it is refused by its kind below.
        let file = file::open(path).map_err(missing)?;
        let status = FileStatus::of_file(&file).map_err(missing)?;
        let size = status.size;
        let problem = match status.kind {
            FileKind::Plain if size > max_size(path) => {
                format!("is {size} bytes long; the most is {}", max_size(path))
            }
            FileKind::Plain => {
                return Ok(Self { path, file, identity: Identity::from_status(&status), size });
            }
            FileKind::Folder => "is a directory; name the .wasm file in it".to_owned(),
            FileKind::Other => "is not a plain file".to_owned(),
        };
        Err(Failure::new(FailureCode::BadComponent, &format!("the plugin {shown} {problem}")))
    }

    pub(super) fn read(self) -> Result<Content, Failure> {
        let mut bytes = Vec::with_capacity(usize::try_from(self.size).unwrap_or_default());
        // The file may have grown since its size was checked.
        self.file.take(max_size(self.path)).read_to_end(&mut bytes).map_err(|error| {
            let path = self.path.display();
            Failure::new(FailureCode::Missing, &format!("cannot read the plugin {path}: {error}"))
        })?;
        check_header(self.path, &bytes)?;
        Ok(Content { digest: hash_parts(&[&bytes]), bytes, identity: self.identity })
    }
}

/// Rejects files that are easily mistaken for a component, before the compiler runs.
fn check_header(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let problem = match bytes {
        _ if Language::from_path(path).is_some() => match script::find_problem(bytes) {
            Some(problem) => problem,
            None => return Ok(()),
        },
        [] => "is empty".to_owned(),
        // A component has version 13 and layer 1, a core module version 1 and layer 0.
        [0, b'a', b's', b'm', 0x0d | 1, 0, 0 | 1, 0, ..] => return Ok(()),
        _ => script::explain_extension(path).unwrap_or("is not a wasm component").to_owned(),
    };
    let path = path.display();
    Err(Failure::new(FailureCode::BadComponent, &format!("the plugin {path} {problem}")))
}
