//! Reasons why a script does not become a component.

use std::io;

use thiserror::Error;

use super::MAX_SCRIPT_BYTES;

/// Reason why a script does not become a component. The text names the script where the script is at fault.
#[derive(Debug, Error)]
pub enum ScriptBuildError {
    /// The file is too long.
    #[error("{name} is {bytes} bytes long; the most is {MAX_SCRIPT_BYTES}")]
    TooLong {
        /// The script's name.
        name: String,
        /// The length of the file, bytes.
        bytes: usize,
    },
    /// The file is not text, or is empty.
    #[error("{name} {problem}")]
    NotScript {
        /// The script's name.
        name: String,
        /// The rest of the sentence.
        problem: String,
    },
    /// The script is not valid in its language, or its top level throws: the error, with its place.
    #[error("{0}")]
    Invalid(String),
    /// The top level of the script does something forbidden, or the engine failed.
    #[error("{name}: {problem}")]
    Stopped {
        /// The script's name.
        name: String,
        /// The error.
        problem: String,
    },
    /// The parser panicked on the script of this name.
    #[error("{0} cannot be read: the reader failed")]
    ParserPanicked(String),
    /// The system does not start a thread.
    #[error("this machine gives no thread to make a component with: {0}")]
    NoThread(#[source] io::Error),
    /// This library was built without the script engine.
    #[error("this program was built without the script engine")]
    NoEngine,
}
