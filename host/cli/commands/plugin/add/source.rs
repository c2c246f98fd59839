//! The file that is to be added: read once, so that the inspected bytes are the copied ones.

mod python;

use std::{
    ffi::OsStr,
    io::{self, Read},
    path::{Path, PathBuf},
};

use hookbox::{Sha256Digest, config::quote_word, sandbox::component_file::MAX_COMPONENT_BYTES};
use hookbox_app::places::Places;
use hookbox_platform::file::{self, FileKind, FileStatus, is_there};
use tempfile::TempDir;

use super::super::{
    added_plugins::format_path,
    fetch::{self, Fetched},
};
use crate::environment;

/// Extension of a component whose file's name has none that fits.
const WASM: &str = "wasm";
const MAX_EXTENSION: usize = 8;
/// Beginning of a wasm file.
const MAGIC: &[u8] = b"\0asm";

pub(in super::super) struct Source {
    /// Absolute path.
    pub(in super::super) path: PathBuf,
    pub(in super::super) bytes: Vec<u8>,
    pub(in super::super) sha256: Sha256Digest,
    /// The name for display.
    pub(in super::super) shown: PathBuf,
    /// The fetched release with its signatures, if it was fetched.
    pub(in super::super) fetched: Option<Fetched>,
    /// Folder of a built plugin, which exists until this is dropped.
    _built: Option<TempDir>,
    /// Extension of its copy, which identifies the type of a file that is not wasm.
    pub(in super::super) extension: String,
}

impl Source {
    pub(in super::super) fn of(source: &Path, places: &Places) -> Result<Self, String> {
        if !fetch::is_fetched(source) {
            return if python::is_one(source) { Self::from_script(source) } else { Self::from_file(source) };
        }
        let text = source.to_str().ok_or("the name of a fetched source must be UTF-8")?;
        Self::from_fetched(Fetched::new(text, places)?)
    }

    pub(in super::super) fn from_fetched(fetched: Fetched) -> Result<Self, String> {
        let source = Self::from_file(&fetched.file())?;
        // The signatures are about the digest; the file may have been replaced since it was fetched.
        if source.sha256 != fetched.component {
            return Err("the fetched file has changed".to_owned());
        }
        Ok(Self { shown: PathBuf::from(&fetched.source), fetched: Some(fetched), ..source })
    }

    /// Builds and reads a plugin from a single Python file.
    fn from_script(script: &Path) -> Result<Self, String> {
        let python::Built { folder, file } = python::build_plugin(script)?;
        let shown = std::path::absolute(script).unwrap_or_else(|_| script.to_owned());
        Ok(Self { shown, _built: Some(folder), ..Self::from_file(&file)? })
    }

    pub(in super::super) fn from_file(path: &Path) -> Result<Self, String> {
        if let Some(ours) = reject_shipped(path) {
            return Err(ours);
        }
        let bytes =
            read_bytes(path).map_err(|error| format!("cannot read {}: {error}", format_path(path)))?;
        if bytes.len() as u64 > MAX_COMPONENT_BYTES {
            return Err(format!(
                "{} is longer than {MAX_COMPONENT_BYTES} bytes, the maximum",
                format_path(path)
            ));
        }
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let (extension, sha256) = (choose_extension(&path, &bytes), Sha256Digest::of_content(&bytes));
        Ok(Self { shown: path.clone(), fetched: None, _built: None, extension, sha256, bytes, path })
    }

    /// Returns its name without the extension.
    pub(in super::super) fn stem(&self) -> String {
        self.shown.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns its source, for the lock file.
    pub(in super::super) fn origin(&self) -> String {
        if let Some(fetched) = &self.fetched {
            return fetched.source.clone();
        }
        format!("file:{}", self.shown.file_name().unwrap_or_default().to_string_lossy())
    }
}

/// Returns an error for a shipped plugin, which need not be added.
fn reject_shipped(path: &Path) -> Option<String> {
    let name = path.to_str().filter(|_| !is_there(path))?;
    environment::shipped_plugins().find(name)?;
    let quoted = quote_word(name);
    Some(format!(
        "{quoted} comes with hookbox, and is not added; a hook calls it by its name: wasm = {{ plugin = \"{name}\" }}"
    ))
}

/// Reads the file up to one byte more than the maximum, which reveals that it is too long.
fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let file = file::open(path)?;
    match FileStatus::of_file(&file)?.kind {
        FileKind::Plain => {}
        FileKind::Folder => return Err(io::Error::other("it is a folder; name the plugin's file in it")),
        FileKind::Other => return Err(io::Error::other("it is not a plain file")),
    }
    let mut bytes = Vec::new();
    file.take(MAX_COMPONENT_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn choose_extension(path: &Path, bytes: &[u8]) -> String {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    // The extension becomes a part of the copy's path.
    let is_word = (1..=MAX_EXTENSION).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if bytes.starts_with(MAGIC) || !is_word { WASM.to_owned() } else { extension }
}
