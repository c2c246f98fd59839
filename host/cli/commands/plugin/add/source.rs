//! The file that is to be added: read once, so that what was looked at is what is copied.

mod python;

use std::{
    ffi::OsStr,
    io::{self, Read},
    path::{Path, PathBuf},
};

use hookbox::{Sha256Digest, config::quoted, sandbox::component_file::MAX_COMPONENT_BYTES};
use hookbox_files::places::Places;
use hookbox_platform::file::{self, FileKind, FileStatus, is_there};
use tempfile::TempDir;

use super::super::{
    added::shown,
    fetch::{self, Fetched},
};
use crate::environment;

/// What a component is called if its file's name does not say what it is.
const WASM: &str = "wasm";
const MAX_EXTENSION: usize = 8;
/// How a file of wasm begins.
const MAGIC: &[u8] = b"\0asm";

/// A file that was read.
pub(in super::super) struct Source {
    /// Absolute.
    pub(in super::super) path: PathBuf,
    pub(in super::super) bytes: Vec<u8>,
    pub(in super::super) sha256: Sha256Digest,
    /// What a person calls it.
    pub(in super::super) shown: PathBuf,
    /// Who signed it, if it was fetched.
    pub(in super::super) fetched: Option<Fetched>,
    /// What was built of what they call so is there, until this is dropped.
    _built: Option<TempDir>,
    /// What its copy ends with: hookbox knows by it what a file is that is no wasm.
    pub(in super::super) extension: String,
}

impl Source {
    /// What this is the source of, wherever it is.
    pub(in super::super) fn of(source: &Path, places: &Places) -> Result<Self, String> {
        if !fetch::is_fetched(source) {
            return if python::is_one(source) { Self::built(source) } else { Self::read(source) };
        }
        let text = source.to_str().ok_or("what is fetched has a name in UTF-8")?;
        Self::fetched(Fetched::new(text, places)?)
    }

    /// What was fetched.
    pub(in super::super) fn fetched(fetched: Fetched) -> Result<Self, String> {
        let source = Self::read(&fetched.file())?;
        if source.sha256 != fetched.component {
            return Err("what was fetched is another file by now".to_owned());
        }
        Ok(Self { shown: PathBuf::from(&fetched.source), fetched: Some(fetched), ..source })
    }

    /// What is built of one file in Python.
    fn built(script: &Path) -> Result<Self, String> {
        let python::Built { folder, file } = python::build(script)?;
        let shown = std::path::absolute(script).unwrap_or_else(|_| script.to_owned());
        Ok(Self { shown, _built: Some(folder), ..Self::read(&file)? })
    }

    pub(in super::super) fn read(path: &Path) -> Result<Self, String> {
        if let Some(ours) = shipped(path) {
            return Err(ours);
        }
        let bytes = bytes(path).map_err(|error| format!("cannot read {}: {error}", shown(path)))?;
        if bytes.len() as u64 > MAX_COMPONENT_BYTES {
            return Err(format!(
                "{} is longer than {MAX_COMPONENT_BYTES} bytes, which is the most",
                shown(path)
            ));
        }
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let (extension, sha256) = (extension(&path, &bytes), Sha256Digest::of(&bytes));
        Ok(Self { shown: path.clone(), fetched: None, _built: None, extension, sha256, bytes, path })
    }

    /// Its name without the end.
    pub(in super::super) fn stem(&self) -> String {
        self.shown.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Where it came from, for the lock file.
    pub(in super::super) fn origin(&self) -> String {
        if let Some(fetched) = &self.fetched {
            return fetched.source.clone();
        }
        format!("file:{}", self.shown.file_name().unwrap_or_default().to_string_lossy())
    }
}

/// One that comes with hookbox need not be added.
fn shipped(path: &Path) -> Option<String> {
    let name = path.to_str().filter(|_| !is_there(path))?;
    environment::shipped_plugins().find(name)?;
    let quoted = quoted(name);
    Some(format!(
        "{quoted} comes with hookbox, and is not added; a hook calls it by its name: wasm = {{ plugin = \"{name}\" }}"
    ))
}

/// As much of the file as tells that it is too long.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let file = file::open(path)?;
    match FileStatus::of(&file)?.kind {
        FileKind::Plain => {}
        FileKind::Folder => return Err(io::Error::other("it is a folder; name the plugin's file in it")),
        FileKind::Other => return Err(io::Error::other("it is not a plain file")),
    }
    let mut bytes = Vec::new();
    file.take(MAX_COMPONENT_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn extension(path: &Path, bytes: &[u8]) -> String {
    let said = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    let is_word =
        (1..=MAX_EXTENSION).contains(&said.len()) && said.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if bytes.starts_with(MAGIC) || !is_word { WASM.to_owned() } else { said }
}
