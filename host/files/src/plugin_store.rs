//! The user's store: plugins by what is in them, so that another release never takes the place of one that is called.

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

/// Most entries of the folder that are looked at.
const MAX_ENTRIES: usize = 10_000;
const END: &str = ".wasm";
/// What stands beside a file that is signed.
const STATEMENT: &str = ".statement.json";
/// Most signatures over it.
const MAX_SIGNATURES: usize = 16;

/// The folder, `…/hookbox/store/sha256`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginStore(PathBuf);

impl PluginStore {
    /// In this folder, there or not.
    pub fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// The file with this content.
    pub fn file(&self, sha256: &str) -> PathBuf {
        self.0.join(format!("{sha256}{END}"))
    }

    /// Puts a file there, unless it is there already and is what it is to be. It is read again before it counts.
    ///
    /// # Errors
    ///
    /// It cannot be written, or what can be read is something else; or others may write there.
    pub fn put(&self, bytes: &[u8]) -> io::Result<PathBuf> {
        let digest = Sha256Digest::of(bytes);
        make_private_folders(&self.0)?;
        let real = self.0.canonicalize()?;
        if let Some(who) = real.ancestors().find_map(other_writer) {
            return Err(io::Error::other(format!("what is in {} is trusted, and {who}", real.display())));
        }
        let (folder, name) = (Folder::open(&self.0)?, format!("{}{END}", digest.as_str()));
        let is_whole = || content(&folder, &name).is_ok_and(|there| Sha256Digest::of(&there) == digest);
        if !is_whole() {
            Draft::write(&folder, Access::PRIVATE, bytes)?.replace(&name)?;
            if !is_whole() {
                let _ = folder.remove(&name);
                return Err(io::Error::other("what was written is not what is read again"));
            }
        }
        Ok(self.file(digest.as_str()))
    }

    /// Puts what its publisher says of a file beside it, each by the end of its name, so that the plugin can be handed on as it came.
    /// What was said before goes.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn put_beside(&self, sha256: &str, said: &[(String, Vec<u8>)]) -> io::Result<()> {
        let folder = Folder::open(&self.0)?;
        remove_beside(&folder, sha256)?;
        said.iter().try_for_each(|(end, bytes)| {
            Draft::write(&folder, Access::PRIVATE, bytes)?.replace(&format!("{sha256}{END}{end}"))
        })
    }

    /// The digests of all that is there.
    ///
    /// # Errors
    ///
    /// The folder is there and cannot be read.
    pub fn digests(&self) -> io::Result<Vec<Sha256Digest>> {
        let Some(folder) = self.open()? else { return Ok(Vec::new()) };
        let mut digests = Vec::new();
        folder.for_each_name(MAX_ENTRIES, |name| {
            digests.extend(name.strip_suffix(END).and_then(Sha256Digest::parse));
        })?;
        digests.sort_by(|one, other| one.as_str().cmp(other.as_str()));
        Ok(digests)
    }

    /// Takes one away.
    ///
    /// # Errors
    ///
    /// It is there and cannot be taken away, or the whole store is not there: whoever saw it there a moment ago is to be told.
    pub fn remove(&self, sha256: &str) -> io::Result<()> {
        let folder = Folder::open(&self.0)?;
        remove_beside(&folder, sha256)?;
        removed(folder.remove(&format!("{sha256}{END}")))
    }

    /// The folder.
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

fn removed(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// Takes away what stands beside a file: its statement, and the signatures over it.
fn remove_beside(folder: &Folder, sha256: &str) -> io::Result<()> {
    let signature = |number: usize| if number == 0 { ".sig".to_owned() } else { format!(".sig.{number}") };
    let ends = (0..MAX_SIGNATURES).map(signature).chain([String::new()]);
    ends.into_iter().try_for_each(|end| removed(folder.remove(&format!("{sha256}{END}{STATEMENT}{end}"))))
}

fn content(folder: &Folder, name: &str) -> io::Result<Vec<u8>> {
    let status = folder.status_of(name)?;
    if status.kind != FileKind::Plain || !status.is_own() {
        return Err(io::Error::other("it is not a plain file of this user's"));
    }
    let mut bytes = Vec::new();
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
        let file = store.put(b"one").unwrap();
        let digest = Sha256Digest::of(b"one");
        assert_eq!(file, store.file(digest.as_str()));
        assert_eq!(store.put(b"one").unwrap(), file);
        fs::write(&file, "two").unwrap();
        store.put(b"one").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"one");
        fs::write(store.folder().join("mine"), "").unwrap();
        assert_eq!(store.digests().unwrap(), std::slice::from_ref(&digest));
        let said = |text: &str| {
            vec![(".statement.json".to_owned(), text.into()), (".statement.json.sig".to_owned(), vec![])]
        };
        store.put_beside(digest.as_str(), &said("one")).unwrap();
        store.put_beside(digest.as_str(), &said("two")[..1]).unwrap();
        let beside = |end: &str| store.folder().join(format!("{}.wasm.statement.json{end}", digest.as_str()));
        assert_eq!(fs::read(beside("")).unwrap(), b"two");
        assert!(!beside(".sig").exists());
        store.remove(digest.as_str()).unwrap();
        store.remove(digest.as_str()).unwrap();
        assert!(!beside("").exists());
        assert_eq!(store.digests().unwrap(), []);
        fs::remove_dir_all(store.folder()).unwrap();
        assert_eq!(store.remove(digest.as_str()).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn no_link_leads_what_is_written_elsewhere() {
        let home = tempfile::tempdir().unwrap();
        let store = PluginStore::new(home.path().join("sha256"));
        let (elsewhere, digest) = (home.path().join("elsewhere"), Sha256Digest::of(b"one"));
        fs::create_dir(store.folder()).unwrap();
        fs::write(&elsewhere, "mine").unwrap();
        std::os::unix::fs::symlink(&elsewhere, store.file(digest.as_str())).unwrap();
        let file = store.put(b"one").unwrap();
        assert!(!file.is_symlink() && fs::read(&file).unwrap() == b"one");
        assert_eq!(fs::read(&elsewhere).unwrap(), b"mine");
    }
}
