//! The text of a file with hooks, and where it came from.

use std::path::{Path, PathBuf};

use hookbox_model::{Layer, TrustLevel};

use super::{Lines, PlacedProblem, Problem, Severity};
use crate::shipped::ShippedPlugins;

/// Largest text of a file, bytes.
pub const MAX_FILE_BYTES: usize = 2 << 20;

// Each event pays for reading such a file before the user has looked at it.
/// Largest text of an untrusted file, bytes.
pub const MAX_UNTRUSTED_FILE_BYTES: usize = 64 << 10;

/// One layer's configuration.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its layer.
    pub layer: Layer,
    /// Its trust level.
    pub trust_level: TrustLevel,
    /// The file, absolute; relative paths in it are resolved in its folder.
    pub file: Option<PathBuf>,
    /// The project's folder, absolute. Paths of an untrusted file must stay inside; without one, inside the file's own folder.
    /// Without a file, relative paths are resolved here.
    pub root: Option<PathBuf>,
    /// The plugins that the text may call by name.
    pub plugins: ShippedPlugins,
    /// Its text.
    pub text: String,
}

impl Source {
    /// Sets the text from the bytes of its file. An error if they are too many or not UTF-8.
    pub fn with_bytes(mut self, bytes: Vec<u8>) -> Result<Self, Box<Problem>> {
        if let Some(problem) = self.too_large(bytes.len()) {
            return Err(Box::new(problem));
        }
        match String::from_utf8(bytes) {
            Ok(text) => self.text = text,
            Err(error) => return Err(Box::new(self.not_utf8(&error))),
        }
        Ok(self)
    }

    /// Creates a problem of the file as a whole: it cannot be read, it is a folder, …
    pub fn make_problem(
        &self,
        severity: Severity,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Problem {
        Problem {
            severity,
            layer: self.layer,
            file: self.file.clone(),
            line: 0,
            column: 0,
            length: 0,
            excerpt: None,
            message: message.into(),
            help,
        }
    }

    /// Returns the folder in which relative paths are resolved.
    pub fn folder(&self) -> Option<&Path> {
        self.file.as_deref().and_then(Path::parent).or(self.root.as_deref())
    }

    /// Returns the folder that paths of an untrusted file may not leave.
    pub fn boundary(&self) -> Option<&Path> {
        self.root.as_deref().or_else(|| self.folder())
    }

    /// Returns the problem if a file of this size is too large for its trust level.
    pub fn too_large(&self, size: usize) -> Option<Problem> {
        let most =
            if self.trust_level == TrustLevel::Untrusted { MAX_UNTRUSTED_FILE_BYTES } else { MAX_FILE_BYTES };
        let message = format!("the configuration has {size} bytes, but may have {most}");
        (size > most).then(|| self.make_problem(Severity::Error, message, None))
    }

    fn not_utf8(&self, error: &std::string::FromUtf8Error) -> Problem {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let wrong = bytes.get(at).copied().unwrap_or_default();
        // Replacements have another length than the bytes in their place, but offsets before the first one
        // are equal.
        let text = String::from_utf8_lossy(bytes);
        PlacedProblem::error(at..at + 1, format!("the byte 0x{wrong:02x} is not UTF-8"))
            .help("save the file as UTF-8")
            .into_problem(self, &Lines::from_text(&text), &[])
    }
}
