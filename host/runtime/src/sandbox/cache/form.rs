//! Form in which the cache returns native code: loaded in this process, or as bytes for a worker process.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use hookbox_model::Failure;
use wasmtime::Engine;

use super::native_code::{Code, from_bytes, from_file};

/// Receiver of native code.
pub(in crate::sandbox) trait Form: Sync {
    type Code: Send;

    /// Creates the code from a file that was checked; `None` if it is unusable, so that the plugin is compiled again.
    fn of_file(&self, file: &File) -> Option<Self::Code>;

    /// Creates the code from the compiler's output; `path` is the plugin's, for messages.
    fn of_bytes(&self, path: &Path, code: Vec<u8>) -> Result<Self::Code, Failure>;
}

/// Loads the code, to run it in this process.
impl Form for Engine {
    type Code = Code;

    fn of_file(&self, file: &File) -> Option<Code> {
        from_file(self, file)
    }

    fn of_bytes(&self, path: &Path, code: Vec<u8>) -> Result<Code, Failure> {
        from_bytes(self, path, &code)
    }
}

/// Form of the bytes, for another process. They are not examined here.
pub(in crate::sandbox) struct Raw {
    /// True if the cached code may be used; otherwise the plugin is compiled again.
    pub(in crate::sandbox) kept: bool,
}

impl Form for Raw {
    type Code = Vec<u8>;

    fn of_file(&self, file: &File) -> Option<Vec<u8>> {
        self.kept.then(|| read_content(file)).flatten()
    }

    fn of_bytes(&self, _: &Path, code: Vec<u8>) -> Result<Vec<u8>, Failure> {
        Ok(code)
    }
}

pub(super) fn read_content(mut file: &File) -> Option<Vec<u8>> {
    let mut code = Vec::new();
    // The check may have read the file through a clone of this descriptor, which shares its position.
    file.seek(SeekFrom::Start(0)).ok()?;
    file.read_to_end(&mut code).ok()?;
    Some(code)
}
