//! Lines of the input.

use std::io::{self, BufRead, Read};

use serde::Deserialize;

/// The longest line, in bytes: a command line of the longest length that is judged, escaped as JSON.
const MAX_LINE: u64 = 1 << 20;

/// A command line, and where it runs.
#[derive(Debug, Deserialize)]
pub(crate) struct Line {
    #[serde(alias = "c")]
    pub(crate) command: String,
    #[serde(default)]
    pub(crate) cwd: Option<String>,
}

impl Line {
    /// Parses text, or an object: no command begins with `{"`.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if !text.trim_start().starts_with("{\"") {
            return Ok(Self { command: text.to_owned(), cwd: None });
        }
        let example = r#"write {"command": "rm -rf build", "cwd": "/code/project"}"#;
        serde_json::from_str(text).map_err(|error| format!("no command in this JSON: {error}; {example}"))
    }
}

/// Returns the next line without its end; `None` at the end of the input.
pub(crate) fn next(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 > MAX_LINE {
        return Err(io::Error::other(format!("it is longer than {MAX_LINE} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))?;
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
}
