//! What stands beside a plugin's file: a statement, and signatures over it. Who made them is not checked here: a key that is revoked is
//! nobody's any more, whoever names it.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use hookbox_platform::file::{self, FileKind, FileStatus, is_there};
use hookbox_trust::{
    sshsig::{Envelope, MAX_SIGNATURE_BYTES},
    statement::{MAX_STATEMENT_BYTES, Release},
};

/// How the name of a statement ends.
pub(crate) const STATEMENT: &str = ".statement.json";
/// Most signatures that are looked at.
const MAX_SIGNATURES: usize = 16;

/// The file with this end.
pub(crate) fn named(plugin: &Path, end: &str) -> PathBuf {
    let mut file = plugin.to_owned().into_os_string();
    file.push(end);
    file.into()
}

/// What the statement beside a plugin's file says.
///
/// # Errors
///
/// None is there, it is longer than [`MAX_STATEMENT_BYTES`], or it is no statement: the rest of a sentence that begins with what it is of.
pub fn statement(plugin: &Path) -> Result<Release, String> {
    let bytes = read(&named(plugin, STATEMENT), MAX_STATEMENT_BYTES as u64);
    let bytes = bytes.map_err(|why| format!("a plugin's statement {why}"))?;
    Release::parse(&bytes).map_err(|why| why.to_string())
}

/// The fingerprints of the keys that signatures beside a plugin's file name.
pub(crate) fn keys(plugin: &Path) -> impl Iterator<Item = String> {
    let files = (0..MAX_SIGNATURES).map(move |number| named(plugin, &signature(number)));
    files.take_while(|file| is_there(file)).filter_map(|file| {
        let bytes = read(&file, MAX_SIGNATURE_BYTES as u64).ok()?;
        Some(Envelope::parse(&String::from_utf8(bytes).ok()?).ok()?.key().fingerprint())
    })
}

fn signature(number: usize) -> String {
    let end = if number == 0 { String::new() } else { format!(".{number}") };
    format!("{STATEMENT}.sig{end}")
}

/// A file that is there whole, and is so long at most.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| format!("cannot be read: {error}");
    let file = file::open(path).map_err(unreadable)?;
    let status = FileStatus::of(&file).map_err(unreadable)?;
    if status.kind != FileKind::Plain {
        return Err("is not a plain file".to_owned());
    }
    let mut bytes = Vec::new();
    File::take(file, most + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > most {
        return Err(format!("is longer than {most} bytes"));
    }
    Ok(bytes)
}
