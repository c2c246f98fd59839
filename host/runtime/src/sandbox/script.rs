//! Plugins that are one source file. The file is handled as any other plugin, identified by its digest; only the
//! compiler first converts it to a component, from the script and an engine that was linked when hookbox was built.

#[cfg(feature = "scripts")]
mod engine;
#[cfg(feature = "compiler")]
mod error;
#[cfg(feature = "scripts")]
mod excerpt;
#[cfg(feature = "scripts")]
mod make;
#[cfg(feature = "scripts")]
mod script_messages;
#[cfg(feature = "scripts")]
mod types;

use std::path::Path;

#[cfg(feature = "compiler")]
pub use self::error::ScriptBuildError;
#[cfg(feature = "scripts")]
pub use self::make::build_component;

/// Returns an error: this library was built without the script engine.
///
/// # Errors
///
/// Always.
#[cfg(all(feature = "compiler", not(feature = "scripts")))]
pub fn build_component(_: Language, _: &str, _: &[u8]) -> Result<Vec<u8>, ScriptBuildError> {
    Err(ScriptBuildError::NoEngine)
}

/// Longest script, bytes.
pub const MAX_SCRIPT_BYTES: u64 = 1 << 20;

/// Argument of the compiler's program for a script; its language and its file's name follow.
pub const SCRIPT: &str = "--script";

/// SHA-256 of the script engine; empty in a library that was built without it.
const ENGINE: &str = env!("HOOKBOX_ENGINE");

/// Language of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `.js`, `.mjs`
    JavaScript,
    /// `.ts`, `.mts`
    TypeScript,
}

impl Language {
    /// Returns the language of the script at this path; `None` if it is not a script.
    pub fn from_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "js" | "mjs" => Some(Self::JavaScript),
            "ts" | "mts" => Some(Self::TypeScript),
            _ => None,
        }
    }

    /// Returns the language of this argument.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::JavaScript, Self::TypeScript].into_iter().find(|language| language.word() == word)
    }

    /// Returns the argument for the compiler's program.
    pub fn word(self) -> &'static str {
        match self {
            Self::JavaScript => "javascript",
            Self::TypeScript => "typescript",
        }
    }

    /// Returns the name for the user.
    pub fn name(self) -> &'static str {
        match self {
            Self::JavaScript => "JavaScript",
            Self::TypeScript => "TypeScript",
        }
    }

    /// Returns the inputs of a script's native code other than the script.
    pub(super) fn made_with(self) -> String {
        format!("{} {ENGINE}", self.word())
    }
}

/// Returns the reason why a file that is not a component is not a script either, if its author may have meant one.
pub(super) fn explain_extension(path: &Path) -> Option<&'static str> {
    Some(match path.extension()?.to_str()? {
        "py" => PYTHON,
        "cjs" => "is a CommonJS module; write it as an ES module (`import`, `export`) and call it `.js`",
        "jsx" | "tsx" => "has JSX in it by its name; a hook shows nothing: call it `.js` or `.ts`",
        _ => return None,
    })
}

/// Advice for a file in Python.
const PYTHON: &str = "is in Python, which is made a component of by other people's tools, and never for an event: write `hookbox \
                      plugin build FILE.py` and name the .wasm file, or `hookbox plugin add FILE.py`";

/// Returns the reason why these bytes are not a script.
pub(super) fn find_problem(source: &[u8]) -> Option<String> {
    let Ok(text) = str::from_utf8(source) else {
        return Some("is not UTF-8 text".to_owned());
    };
    if text.trim().is_empty() {
        return Some("is empty".to_owned());
    }
    let line = |at: usize| text.get(..at).map_or(1, |before| before.matches('\n').count() + 1);
    text.find('\0').map(|at| format!("is not text: there is a NUL character in line {}", line(at)))
}
