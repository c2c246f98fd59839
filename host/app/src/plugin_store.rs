//! The user's store: plugins by their digests, so that another release never replaces one that is called.

use std::{
    io::{self, Read},
    path::{Path, PathBuf},
};

use hookbox::{
    Sha256Digest,
    atomic_file::{Access, Draft},
    sandbox::component_file::MAX_COMPONENT_BYTES,
};
use hookbox_platform::{
    access::other_writer,
    file::{FileKind, make_private_folders},
    folder::Folder,
};

/// Maximum number of entries of the folder that are read.
const MAX_ENTRIES: usize = 10_000;
const END: &str = ".wasm";
/// Suffix of the statement of a signed file.
const STATEMENT: &str = ".statement.json";
/// Maximum number of signatures over a statement.
const MAX_SIGNATURES: usize = 16;

/// The folder, `…/hookbox/store/sha256`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginStore(PathBuf);

impl PluginStore {
    /// Returns the store in this folder, which may not exist.
    pub fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// Returns the path of the file with this digest.
    pub fn file_path(&self, sha256: &str) -> PathBuf {
        self.0.join(format!("{sha256}{END}"))
    }

    /// Writes a file, unless it exists with the right content. The file is read back before it counts.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or reads back differently; or others may write to the folder.
    pub fn put_file(&self, bytes: &[u8]) -> io::Result<PathBuf> {
        let digest = Sha256Digest::of_content(bytes);
        make_private_folders(&self.0)?;
        let real = self.0.canonicalize()?;
        if let Some(who) = real.ancestors().find_map(other_writer) {
            return Err(io::Error::other(format!("the files in {} are trusted, and {who}", real.display())));
        }
        let (folder, name) = (Folder::open(&self.0)?, format!("{}{END}", digest.as_str()));
        let is_whole =
            || read_content(&folder, &name).is_ok_and(|there| Sha256Digest::of_content(&there) == digest);
        if !is_whole() {
            Draft::write_temporary(&folder, Access::PRIVATE, bytes)?.replace_file(&name)?;
            if !is_whole() {
                let _ = folder.remove_file(&name);
                return Err(io::Error::other("the stored file differs from the written one"));
            }
        }
        Ok(self.file_path(digest.as_str()))
    }

    /// Writes the publisher's statements next to a file, each with its suffix, so that the plugin can be redistributed with
    /// them. Former ones are removed.
    ///
    /// # Errors
    ///
    /// A file cannot be written.
    pub fn put_sidecars(&self, sha256: &str, sidecars: &[(String, Vec<u8>)]) -> io::Result<()> {
        let folder = Folder::open(&self.0)?;
        remove_sidecars(&folder, sha256)?;
        sidecars.iter().try_for_each(|(end, bytes)| {
            Draft::write_temporary(&folder, Access::PRIVATE, bytes)?
                .replace_file(&format!("{sha256}{END}{end}"))
        })
    }

    /// Returns the digests of all stored plugins.
    ///
    /// # Errors
    ///
    /// The folder exists and cannot be read.
    pub fn digests(&self) -> io::Result<Vec<Sha256Digest>> {
        let Some(folder) = self.open()? else { return Ok(Vec::new()) };
        let mut digests = Vec::new();
        folder.for_each_name(MAX_ENTRIES, |name| {
            digests.extend(name.strip_suffix(END).and_then(Sha256Digest::parse));
        })?;
        digests.sort_by(|one, other| one.as_str().cmp(other.as_str()));
        Ok(digests)
    }

    /// Removes a plugin.
    ///
    /// # Errors
    ///
    /// The file exists and cannot be removed, or the whole store does not exist: a caller that has just seen it there needs to
    /// know.
    pub fn remove_file(&self, sha256: &str) -> io::Result<()> {
        let folder = Folder::open(&self.0)?;
        remove_sidecars(&folder, sha256)?;
        ignore_missing(folder.remove_file(&format!("{sha256}{END}")))
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    fn open(&self) -> io::Result<Option<Folder>> {
        match Folder::open(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => opened.map(Some),
        }
    }
}

fn ignore_missing(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// Removes the files next to a plugin: its statement, and the signatures over it.
fn remove_sidecars(folder: &Folder, sha256: &str) -> io::Result<()> {
    let signature = |number: usize| if number == 0 { ".sig".to_owned() } else { format!(".sig.{number}") };
    let ends = (0..MAX_SIGNATURES).map(signature).chain([String::new()]);
    ends.into_iter()
        .try_for_each(|end| ignore_missing(folder.remove_file(&format!("{sha256}{END}{STATEMENT}{end}"))))
}

fn read_content(folder: &Folder, name: &str) -> io::Result<Vec<u8>> {
    let status = folder.status_of(name)?;
    if status.kind != FileKind::Plain || !status.is_own() {
        return Err(io::Error::other("it is not a plain file of this user"));
    }
    let mut bytes = Vec::new();
    // One byte more, so that a longer file does not have the digest of its beginning.
    folder.open_file(name)?.take(MAX_COMPONENT_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_there_by_its_digest_and_what_is_damaged_is_written_anew() {
        let home = tempfile::tempdir().unwrap();
        let store = PluginStore::new(home.path().join("store/sha256"));
        assert_eq!(store.digests().unwrap(), []);
        let file = store.put_file(b"one").unwrap();
        let digest = Sha256Digest::of_content(b"one");
        assert_eq!(file, store.file_path(digest.as_str()));
        assert_eq!(store.put_file(b"one").unwrap(), file);
        fs::write(&file, "two").unwrap();
        store.put_file(b"one").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"one");
        fs::write(store.folder().join("mine"), "").unwrap();
        assert_eq!(store.digests().unwrap(), std::slice::from_ref(&digest));
        let make_sidecar = |text: &str| {
            vec![(".statement.json".to_owned(), text.into()), (".statement.json.sig".to_owned(), vec![])]
        };
        store.put_sidecars(digest.as_str(), &make_sidecar("one")).unwrap();
        store.put_sidecars(digest.as_str(), &make_sidecar("two")[..1]).unwrap();
        let sidecar_path =
            |end: &str| store.folder().join(format!("{}.wasm.statement.json{end}", digest.as_str()));
        assert_eq!(fs::read(sidecar_path("")).unwrap(), b"two");
        assert!(!sidecar_path(".sig").exists());
        store.remove_file(digest.as_str()).unwrap();
        store.remove_file(digest.as_str()).unwrap();
        assert!(!sidecar_path("").exists());
        assert_eq!(store.digests().unwrap(), []);
        fs::remove_dir_all(store.folder()).unwrap();
        assert_eq!(store.remove_file(digest.as_str()).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn no_link_leads_what_is_written_elsewhere() {
        let home = tempfile::tempdir().unwrap();
        let store = PluginStore::new(home.path().join("sha256"));
        let (elsewhere, digest) = (home.path().join("elsewhere"), Sha256Digest::of_content(b"one"));
        fs::create_dir(store.folder()).unwrap();
        fs::write(&elsewhere, "mine").unwrap();
        std::os::unix::fs::symlink(&elsewhere, store.file_path(digest.as_str())).unwrap();
        let file = store.put_file(b"one").unwrap();
        assert!(!file.is_symlink() && fs::read(&file).unwrap() == b"one");
        assert_eq!(fs::read(&elsewhere).unwrap(), b"mine");
    }
}
