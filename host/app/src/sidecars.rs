//! Sidecar files of a plugin: a statement, and signatures over it. The signers are not verified here. A revoked key vouches for
//! nothing, whatever file names it.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use hookbox_platform::file::{self, FileKind, FileStatus, is_there};
use hookbox_trust::{
    Refusal,
    sshsig::{Envelope, MAX_SIGNATURE_BYTES},
    statement::{MAX_STATEMENT_BYTES, Release},
};
use thiserror::Error;

/// Suffix of a statement's file name.
pub(crate) const STATEMENT: &str = ".statement.json";
/// Maximum number of signatures that are read.
const MAX_SIGNATURES: usize = 16;

/// Reason why a plugin has no usable statement: the rest of a sentence that begins with its subject.
#[derive(Debug, Error)]
pub enum StatementError {
    /// The file is missing or cannot be read.
    #[error("a plugin's statement {0}")]
    File(#[source] PlainFileError),
    /// The statement is invalid.
    #[error(transparent)]
    Invalid(Refusal),
}

/// Reason why the content of a plain file is not known: the rest of a sentence that begins with the file.
#[derive(Debug, Error)]
pub enum PlainFileError {
    /// The file is missing or cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// The file is a folder, a link, a device or a pipe.
    #[error("is not a plain file")]
    NotPlain,
    /// The file has more bytes than this.
    #[error("is longer than {0} bytes")]
    TooLong(u64),
}

/// Returns the path of the plugin's sidecar file with this suffix.
pub(crate) fn build_sidecar_path(plugin: &Path, end: &str) -> PathBuf {
    let mut file = plugin.to_owned().into_os_string();
    file.push(end);
    file.into()
}

/// Reads the statement next to a plugin's file.
///
/// # Errors
///
/// The statement is missing, longer than [`MAX_STATEMENT_BYTES`], or invalid.
pub fn read_statement(plugin: &Path) -> Result<Release, StatementError> {
    let bytes = read_plain_file(&build_sidecar_path(plugin, STATEMENT), MAX_STATEMENT_BYTES as u64);
    Release::parse(&bytes.map_err(StatementError::File)?).map_err(StatementError::Invalid)
}

/// Returns the fingerprints of the keys named by the signatures next to a plugin's file.
pub(crate) fn read_signing_keys(plugin: &Path) -> impl Iterator<Item = String> {
    let files =
        (0..MAX_SIGNATURES).map(move |number| build_sidecar_path(plugin, &format_signature_suffix(number)));
    // Signatures are numbered without gaps, so the first missing file is the end.
    files.take_while(|file| is_there(file)).filter_map(|file| {
        let bytes = read_plain_file(&file, MAX_SIGNATURE_BYTES as u64).ok()?;
        Some(Envelope::parse(&String::from_utf8(bytes).ok()?).ok()?.key().fingerprint())
    })
}

fn format_signature_suffix(number: usize) -> String {
    let end = if number == 0 { String::new() } else { format!(".{number}") };
    format!("{STATEMENT}.sig{end}")
}

/// Reads a whole plain file of at most `most` bytes.
pub(crate) fn read_plain_file(path: &Path, most: u64) -> Result<Vec<u8>, PlainFileError> {
    let file = file::open(path).map_err(PlainFileError::Unreadable)?;
    let status = FileStatus::of_file(&file).map_err(PlainFileError::Unreadable)?;
    if status.kind != FileKind::Plain {
        return Err(PlainFileError::NotPlain);
    }
    let mut bytes = Vec::new();
    File::take(file, most + 1).read_to_end(&mut bytes).map_err(PlainFileError::Unreadable)?;
    if bytes.len() as u64 > most {
        return Err(PlainFileError::TooLong(most));
    }
    Ok(bytes)
}
