//! A plugin's file, with a statement about it and signatures over that: `guard.wasm`, `guard.wasm.statement.json`,
//! `guard.wasm.statement.json.sig`, `.sig.1` and so on.

use std::{
    ffi::OsStr,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use hookbox::{
    Sha256Digest,
    atomic_file::{self, Access},
    model::Manifest,
    sandbox::{component_file::MAX_COMPONENT_BYTES, manifest::of_plugin},
};
use hookbox_manifest::section;
use hookbox_platform::{
    file::{self, FileKind, FileStatus},
    folder::Folder,
};
use hookbox_trust::{
    sshsig::MAX_SIGNATURE_BYTES,
    statement::{Component, MAX_STATEMENT_BYTES},
    verify::MAX_SIGNATURES,
};

use crate::{exit::Fault, printer::to_plain_line};

pub(crate) struct Plugin {
    pub(crate) digest: Sha256Digest,
    pub(crate) size: usize,
    pub(crate) manifest: Manifest,
    manifest_bytes: Vec<u8>,
}

impl Plugin {
    /// Reads the file, and the manifest in it.
    pub(crate) fn read_file(path: &Path) -> Result<Self, Fault> {
        let most = usize::try_from(MAX_COMPONENT_BYTES).unwrap_or(usize::MAX);
        let bytes =
            read_plain_file(path, most).map_err(|error| Fault::Usage(describe_read_error(path, &error)))?;
        Self::from_bytes(path, &bytes)
    }

    /// Returns the plugin with these bytes, which are the content of the file at `path`.
    pub(crate) fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, Fault> {
        let manifest = of_plugin(path, bytes).map_err(|failure| Fault::Failed(failure.message))?;
        let found = section::find_sections(bytes).unwrap_or_default();
        let (Some(manifest), Some((_, encoded))) = (manifest, found.first()) else {
            let file = display_path(path);
            return Err(Fault::Failed(format!(
                "{file} has no manifest; add it with `hookbox plugin manifest {file} plugin.toml`"
            )));
        };
        let manifest_bytes = encoded.to_vec();
        Ok(Self { digest: Sha256Digest::of_content(bytes), size: bytes.len(), manifest, manifest_bytes })
    }

    /// Returns the subject of a statement.
    pub(crate) fn component(&self) -> Component<'_> {
        let Self { digest, manifest, manifest_bytes, .. } = self;
        Component { digest, manifest, manifest_bytes }
    }

    /// Describes the plugin in a line: `acme/guard 1.2.0, release 12`.
    pub(crate) fn called(&self) -> String {
        format!("{} {}, release {}", self.manifest.name, self.manifest.version, self.manifest.seq)
    }
}

#[derive(Default)]
pub(crate) struct Sidecars {
    pub(crate) statement: Option<Vec<u8>>,
    /// The signatures, with the paths of their files.
    pub(crate) signatures: Vec<(PathBuf, String)>,
}

impl Sidecars {
    /// Reads the files. Missing files are left out; unreadable ones are an error.
    pub(crate) fn read_files(plugin: &Path) -> Result<Self, Fault> {
        let path = statement_file(plugin);
        let Some(statement) = if_there(&path, MAX_STATEMENT_BYTES)? else { return Ok(Self::default()) };
        let mut signatures = Vec::new();
        for number in 0..MAX_SIGNATURES {
            let path = signature_file(plugin, number);
            // Signatures are numbered without a gap.
            let Some(bytes) = if_there(&path, MAX_SIGNATURE_BYTES)? else { break };
            // A file that is not text fails as a signature later, with a reason.
            signatures.push((path, String::from_utf8_lossy(&bytes).into_owned()));
        }
        Ok(Self { statement: Some(statement), signatures })
    }
}

pub(crate) fn statement_file(plugin: &Path) -> PathBuf {
    with_suffix(plugin, ".statement.json")
}

pub(crate) fn signature_file(plugin: &Path, number: usize) -> PathBuf {
    let end = if number == 0 { String::new() } else { format!(".{number}") };
    with_suffix(plugin, &format!(".statement.json.sig{end}"))
}

fn with_suffix(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Writes a file, whole or not at all.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let unwritten =
        |error: io::Error| Fault::Failed(format!("{} cannot be written: {error}", display_path(path)));
    let name = path
        .file_name()
        .and_then(OsStr::to_str)
        .ok_or_else(|| unwritten(io::ErrorKind::InvalidFilename.into()))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let written = Folder::open(folder)
        .and_then(|folder| atomic_file::replace_or_create(&folder, name, Access::New(0o666), bytes));
    written.map_err(unwritten)
}

/// Removes an outdated statement or signature, if it exists.
pub(crate) fn remove_outdated(path: &Path) -> Result<(), Fault> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Fault::Failed(format!("{} cannot be removed: {error}", display_path(path))))
        }
        _ => Ok(()),
    }
}

/// Reads a plain file of at most `most` bytes.
pub(crate) fn read_plain_file(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let file = file::open(path)?;
    // A pipe would block, and a device may never end.
    if FileStatus::of_file(&file)?.kind != FileKind::Plain {
        return Err(io::Error::other("it is not a plain file"));
    }
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(io::Error::other(format!("it is longer than {most} bytes")));
    }
    Ok(bytes)
}

/// Reads a plain file of at most `most` bytes; `None` if it does not exist.
pub(crate) fn if_there(path: &Path, most: usize) -> Result<Option<Vec<u8>>, Fault> {
    match read_plain_file(path, most) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Fault::Failed(describe_read_error(path, &error))),
    }
}

pub(crate) fn describe_read_error(path: &Path, error: &io::Error) -> String {
    format!("cannot read {}: {error}", display_path(path))
}

pub(crate) fn display_path(path: &Path) -> String {
    to_plain_line(&path.display().to_string())
}
