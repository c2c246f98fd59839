//! Problems of hook files: place, cause and help.

use std::{fmt, path::PathBuf};

use hookbox_model::Layer;

use super::excerpt::{Excerpt, to_printable};

/// Severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The affected item was left out or differs from the text.
    Error,
    /// Probably a mistake, or not allowed in files of this origin.
    Warning,
}

impl Severity {
    /// The word for it in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A problem of a file. `Display` is the whole message in plain text, several lines long, without a newline at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its severity.
    pub severity: Severity,
    /// The layer of the file.
    pub layer: Layer,
    /// The file, if there is one.
    pub file: Option<PathBuf>,
    /// The line, from 1; 0 if it is about the file as a whole.
    pub line: usize,
    /// The column, from 1, in characters; 0 if it is about a line or file as a whole.
    pub column: usize,
    /// Length of the place in characters of the line.
    pub length: usize,
    /// The text of the line.
    pub excerpt: Option<Excerpt>,
    /// The problem.
    pub message: String,
    /// The allowed values, or the probable intention.
    pub help: Option<String>,
}

impl Problem {
    /// Returns the file and the place in it: `hooks.toml:3:6`.
    pub fn place(&self) -> String {
        let file = match &self.file {
            // The name of a file can have any character, line breaks included.
            Some(file) => file.to_string_lossy().chars().map(to_printable).collect(),
            None => format!("<{}>", self.layer),
        };
        match (self.line, self.column) {
            (0, _) => file,
            (line, 0) => format!("{file}:{line}"),
            (line, column) => format!("{file}:{line}:{column}"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.place(), self.severity.as_str(), self.message)?;
        if let Some(Excerpt { text, start, length }) = &self.excerpt {
            let gutter = self.line.to_string();
            // Tabs stay tabs, so that the marks are below the text whatever the width of a tab.
            let pad: String = text.chars().take(*start).map(|c| if c == '\t' { c } else { ' ' }).collect();
            write!(f, "\n  {gutter} | {text}")?;
            write!(f, "\n  {:width$} | {pad}{}", "", "^".repeat(*length), width = gutter.len())?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}
