//! Files with std only, where nothing more is implemented. Operations on private files are refused.

use std::{fs::File, io, path::Path};

use crate::Unsupported;

const PRIVATE: Unsupported =
    Unsupported { what: "keep a file for one user alone", needs: "owners and modes of files" };
const UNLINKED: Unsupported =
    Unsupported { what: "open a file without following links", needs: "handles of folders" };

/// Opens a plain file for reading. Refuses other files: reading could block.
pub fn open(path: &Path) -> io::Result<File> {
    if path.metadata()?.is_file() {
        return File::open(path);
    }
    Err(Unsupported { what: "open what is not a plain file", needs: "a way not to be held up" }.into())
}

/// Reports that links are always followed.
pub fn open_unlinked(_: &Path) -> io::Result<File> {
    Err(UNLINKED.into())
}

/// Returns false: no error is specific to links.
pub fn is_link(_: &io::Error) -> bool {
    false
}

/// Reports that there are no private files.
pub fn append_private(_: &Path) -> io::Result<File> {
    Err(PRIVATE.into())
}

/// Reports that there are no private files.
pub fn open_lock(_: &Path) -> io::Result<File> {
    Err(PRIVATE.into())
}

/// Reports that there are no private folders.
pub fn make_private_folders(_: &Path) -> io::Result<()> {
    Err(PRIVATE.into())
}

/// Reports that there are no modes.
pub fn set_mode(_: &File, _: u32) -> io::Result<()> {
    Err(PRIVATE.into())
}

/// Reports that there are no private files.
pub fn make_runnable(_: &Path) -> io::Result<()> {
    Err(PRIVATE.into())
}

/// Returns false, since modes are unknown.
pub fn is_run_by_owner(_: &Path) -> bool {
    false
}

/// Accepts every file: the start of the program shows whether it may be run.
pub fn check_runnable(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;
    use crate::{
        file::{FileStatus, Mount, is_of_the_kernel, path_of_open},
        folder::Folder,
    };

    #[test]
    fn unsupported_file_queries_return_an_error_or_none() {
        let bed = tempfile::tempdir().unwrap();
        let path = bed.path().join("file");
        std::fs::write(&path, "text").unwrap();
        let file = open(&path).unwrap();
        let errors = [
            FileStatus::of_file(&file).err(),
            FileStatus::of_path(&path).err(),
            Folder::open(bed.path()).err(),
            Folder::open_itself(bed.path()).err(),
            open(bed.path()).err(),
            open_unlinked(&path).err(),
            append_private(&path).err(),
            open_lock(&path).err(),
            make_private_folders(bed.path()).err(),
            set_mode(&file, 0o600).err(),
            is_of_the_kernel(bed.path()).err().map(std::io::Error::from),
        ];
        for (index, error) in errors.into_iter().enumerate() {
            assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::Unsupported), "{index}");
        }
        assert_eq!((Mount::of_path(&path), path_of_open(&file)), (None, None));
    }
}
