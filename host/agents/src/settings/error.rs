//! Reasons why a settings file is not edited.

use std::fmt;

#[cfg(feature = "settings")]
use jsonc_parser::errors::ParseError;

use super::MAX_SETTINGS_BYTES;

/// Reason why a settings file cannot be edited; the file is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsError {
    /// The agent could not parse the file.
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// Description of the problem.
        problem: String,
    },
    /// The file is longer than [`MAX_SETTINGS_BYTES`].
    TooLong,
    /// A value is of another kind than the agent wants.
    Kind {
        /// The value: `hooks.PreToolUse`.
        place: String,
        /// Required kind of value.
        wanted: &'static str,
    },
    /// A key occurs twice, so it is undefined which one the agent reads.
    Twice(String),
    /// hookbox's YAML parser rejects the file; Python's may accept it.
    Unread {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// Description of the problem.
        problem: String,
        /// Callback to add.
        callback: &'static str,
    },
    /// The file has several YAML documents.
    Documents,
    /// Lists and mappings are nested too deeply.
    Deep,
    /// Other parts of the file refer to the place where this callback would be added.
    Shared(String),
    /// This callback cannot be added without other changes.
    ByHand(String),
    /// This callback cannot be removed without other changes.
    Stuck(String),
    /// The file is foreign.
    Foreign,
    /// The agent discards the file as a whole.
    Discarded {
        /// The agent.
        agent: &'static str,
        /// The line of the value at fault, from 1; 0 if it has none.
        line: usize,
        /// The value and the requirement that it misses.
        fault: String,
    },
    /// The file declares another format version than the known one.
    Version(String),
    /// A path of the entry is one that this agent would not read literally.
    Unfit {
        /// The path.
        path: String,
        /// The problem, and its solution.
        problem: &'static str,
    },
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { line, column, problem } => write!(f, "line {line}, column {column}: {problem}"),
            Self::TooLong => write!(f, "it is longer than {MAX_SETTINGS_BYTES} bytes"),
            Self::Kind { place, wanted } => write!(f, "{place} is not {wanted}"),
            Self::Twice(key) => write!(f, "the key {key} is there twice, and at most one of them counts: put both into one"),
            Self::Unfit { path, problem } => write!(f, "{path} cannot be used in an entry: {problem}"),
            Self::Unread { line, column, problem, callback } => write!(
                f,
                "line {line}, column {column}: {problem}; if the proxy reads it, write `{callback}` into `litellm_settings.callbacks` \
                 by hand"
            ),
            Self::Documents => f.write_str("it holds several YAML documents, and the proxy reads one"),
            Self::Deep => f.write_str("too many lists and mappings stand within one another"),
            Self::Shared(callback) => write!(
                f,
                "an alias or `<<` shares what is said where `{callback}` is to go, and other parts would change with it: write it into \
                 `litellm_settings.callbacks` by hand"
            ),
            Self::ByHand(callback) => write!(
                f,
                "`{callback}` cannot be put in without changing something else: write it into `litellm_settings.callbacks` by hand"
            ),
            Self::Stuck(callback) => write!(
                f,
                "`{callback}` cannot be taken out without changing something else: take it out of `litellm_settings.callbacks` by hand"
            ),
            Self::Foreign => f.write_str(
                "it is a file of somebody else's, and hookbox's plugin has that name: rename it, then install again",
            ),
            Self::Discarded { agent, line, fault } => {
                let at = if *line == 0 { String::new() } else { format!("line {line}: ") };
                write!(
                    f,
                    "{at}{fault}, and {agent} loads no hook of such a file, hookbox's entries included: correct it or take it out"
                )
            }
            Self::Version(version) => write!(f, "it has version {version}; only version 1 is known"),
        }
    }
}

impl std::error::Error for SettingsError {}

#[cfg(feature = "settings")]
impl From<ParseError> for SettingsError {
    fn from(error: ParseError) -> Self {
        let (line, column) = (error.line_display(), error.column_display());
        Self::Syntax { line, column, problem: error.kind().to_string() }
    }
}
