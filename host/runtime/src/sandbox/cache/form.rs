//! What native code is made of that the cache has found: code in this process, or the bytes, for a process that runs it.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use hookbox_model::Failure;
use wasmtime::Engine;

use super::{Code, from_bytes, from_file};

/// Who wants native code.
pub(in crate::sandbox) trait Form: Sync {
    /// What it is made.
    type Code: Send;

    /// Of a file that was checked; `None` if it is of no use, so that the plugin is compiled again.
    fn of_file(&self, file: &File) -> Option<Self::Code>;

    /// Of what the compiler wrote; `path` is the plugin's, for messages.
    fn of_bytes(&self, path: &Path, code: Vec<u8>) -> Result<Self::Code, Failure>;
}

/// To run it here.
impl Form for Engine {
    type Code = Code;

    fn of_file(&self, file: &File) -> Option<Code> {
        from_file(self, file)
    }

    fn of_bytes(&self, path: &Path, code: Vec<u8>) -> Result<Code, Failure> {
        from_bytes(self, path, &code)
    }
}

/// To hand it on. Nothing looks at it here.
pub(in crate::sandbox) struct Raw {
    /// Is what the cache holds of use? Else it is compiled again.
    pub(in crate::sandbox) kept: bool,
}

impl Form for Raw {
    type Code = Vec<u8>;

    fn of_file(&self, file: &File) -> Option<Vec<u8>> {
        self.kept.then(|| copy(file)).flatten()
    }

    fn of_bytes(&self, _: &Path, code: Vec<u8>) -> Result<Vec<u8>, Failure> {
        Ok(code)
    }
}

/// All that is in the file.
pub(super) fn copy(mut file: &File) -> Option<Vec<u8>> {
    let mut code = Vec::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.read_to_end(&mut code).ok()?;
    Some(code)
}
