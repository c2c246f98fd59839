//! No handles of folders: opening one is an error.

use std::{
    convert::Infallible,
    ffi::OsStr,
    fs::{File, TryLockError},
    io,
    path::Path,
};

use crate::{Unsupported, file::FileStatus};

const NO_HANDLES: Unsupported = Unsupported {
    what: "hold on to a folder while its name may lead elsewhere",
    needs: "handles of folders",
};

/// An open folder, which does not exist here.
#[derive(Debug)]
pub struct Folder(Infallible);

/// Only the first two functions are ever called.
#[expect(missing_docs, reason = "as on Unix")]
impl Folder {
    pub fn open(_: &Path) -> io::Result<Self> {
        Err(NO_HANDLES.into())
    }

    pub fn open_itself(_: &Path) -> io::Result<Self> {
        Err(NO_HANDLES.into())
    }

    pub fn open_folder(&self, _: &OsStr) -> io::Result<Self> {
        match self.0 {}
    }

    pub fn make_folder(&self, _: &OsStr, _: u32) -> io::Result<()> {
        match self.0 {}
    }

    pub fn status(&self) -> io::Result<FileStatus> {
        match self.0 {}
    }

    pub fn status_of(&self, _: &str) -> io::Result<FileStatus> {
        match self.0 {}
    }

    pub fn for_each_name(&self, _: usize, _: impl FnMut(&str)) -> io::Result<()> {
        match self.0 {}
    }

    pub fn open_file(&self, _: &str) -> io::Result<File> {
        match self.0 {}
    }

    pub fn create_file(&self, _: &str, _: u32) -> io::Result<File> {
        match self.0 {}
    }

    pub fn open_lock(&self, _: &str) -> io::Result<File> {
        match self.0 {}
    }

    pub fn rename_file(&self, _: &str, _: &str) -> io::Result<()> {
        match self.0 {}
    }

    pub fn rename_new(&self, _: &str, _: &str) -> io::Result<()> {
        match self.0 {}
    }

    pub fn exchange_files(&self, _: &str, _: &str) -> io::Result<()> {
        match self.0 {}
    }

    pub fn link_file(&self, _: &str, _: &str) -> io::Result<()> {
        match self.0 {}
    }

    pub fn remove_file(&self, _: &str) -> io::Result<()> {
        match self.0 {}
    }

    pub fn synchronise(&self) -> io::Result<()> {
        match self.0 {}
    }

    pub fn try_lock(&self) -> Result<(), TryLockError> {
        match self.0 {}
    }
}
