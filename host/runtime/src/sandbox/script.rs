//! Plugins that are one file of source. The file is a plugin like any other, known by its own digest; only the compiler makes
//! something else of it first: a component, of the script and an engine that was linked when hookbox was built.

#[cfg(feature = "scripts")]
mod engine;
#[cfg(feature = "scripts")]
mod excerpt;
#[cfg(feature = "scripts")]
mod make;
#[cfg(feature = "scripts")]
mod said;
#[cfg(feature = "scripts")]
mod types;

use std::path::Path;

#[cfg(feature = "scripts")]
pub use self::make::component;

/// Returns an error: this library was built without the script engine.
///
/// # Errors
///
/// Always.
#[cfg(all(feature = "compiler", not(feature = "scripts")))]
pub fn component(_: Language, _: &str, _: &[u8]) -> Result<Vec<u8>, String> {
    Err("this program was built without the script engine".to_owned())
}

/// Longest script, bytes.
pub const MAX_SCRIPT_BYTES: u64 = 1 << 20;

/// The word that has the compiler's program make a component of a script first; its language and its file's name come after it.
pub const SCRIPT: &str = "--script";

/// What scripts are made components with: SHA-256, or nothing in a library that was built without.
const ENGINE: &str = env!("HOOKBOX_ENGINE");

/// What a script is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `.js`, `.mjs`
    JavaScript,
    /// `.ts`, `.mts`
    TypeScript,
}

impl Language {
    /// Of the script at this path; `None` of what is no script.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "js" | "mjs" => Some(Self::JavaScript),
            "ts" | "mts" => Some(Self::TypeScript),
            _ => None,
        }
    }

    /// By its word.
    pub fn named(word: &str) -> Option<Self> {
        [Self::JavaScript, Self::TypeScript].into_iter().find(|language| language.word() == word)
    }

    /// For the compiler's program.
    pub fn word(self) -> &'static str {
        match self {
            Self::JavaScript => "javascript",
            Self::TypeScript => "typescript",
        }
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::JavaScript => "JavaScript",
            Self::TypeScript => "TypeScript",
        }
    }

    /// Names what native code of a script is made of beside the script.
    pub(super) fn made_with(self) -> String {
        format!("{} {ENGINE}", self.word())
    }
}

/// Of a file that is no component, why it is no script either, where its author may have meant one.
pub(super) fn unlike(path: &Path) -> Option<&'static str> {
    Some(match path.extension()?.to_str()? {
        "py" => PYTHON,
        "cjs" => "is a CommonJS module; write it as an ES module (`import`, `export`) and call it `.js`",
        "jsx" | "tsx" => "has JSX in it by its name; a hook shows nothing: call it `.js` or `.ts`",
        _ => return None,
    })
}

/// What a component is made of a file in Python with.
const PYTHON: &str = "is in Python, which is made a component of by other people's tools, and never for an event: write `hookbox \
                      plugin build FILE.py` and name the .wasm file, or `hookbox plugin add FILE.py`";

/// Why these bytes are no script, if they are none.
pub(super) fn problem(source: &[u8]) -> Option<String> {
    let Ok(text) = str::from_utf8(source) else {
        return Some("is not UTF-8 text".to_owned());
    };
    if text.trim().is_empty() {
        return Some("is empty".to_owned());
    }
    let line = |at: usize| text.get(..at).map_or(1, |before| before.matches('\n').count() + 1);
    text.find('\0').map(|at| format!("is not text: there is a NUL character in line {}", line(at)))
}
