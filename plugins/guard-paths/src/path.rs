//! A path, normalised and folded so that two spellings of one file compare equal.

use shell_commands::{is_pattern, may_be_name};

/// The components of an absolute path, folded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FilePath {
    parts: Vec<String>,
}

impl FilePath {
    /// Reads a path as a tool was given it. A relative one starts in the working folder.
    pub(crate) fn new(path: &str, cwd: &str) -> Self {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let mut parts = Vec::new();
        if path == "~" || path.starts_with("~/") {
            // The home folder is not known here; any user's will do.
            parts.extend(["home".to_owned(), "~".to_owned()]);
            push_all(&mut parts, path.get(1..).unwrap_or_default());
        } else {
            if !is_absolute(path) {
                push_all(&mut parts, cwd);
            }
            push_all(&mut parts, path);
        }
        Self { parts }
    }

    /// Returns true if a component is a pattern, which only the running command resolves.
    pub(crate) fn is_pattern(&self) -> bool {
        self.parts.iter().any(|part| is_pattern(part))
    }

    /// The components.
    pub(crate) fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The last component; empty for `/`.
    pub(crate) fn name(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }

    /// The whole path, as globs see it.
    pub(crate) fn text(&self) -> String {
        format!("/{}", self.parts.join("/"))
    }

    /// Returns true if these components occur in the path, one after the other.
    pub(crate) fn has(&self, wanted: &[&str]) -> bool {
        self.parts
            .windows(wanted.len())
            .any(|parts| parts.iter().zip(wanted).all(|(part, wanted)| is(part, wanted)))
    }

    /// Returns true if the path is exactly these components below a home folder.
    pub(crate) fn is_in_home(&self, wanted: &[&str]) -> bool {
        let parts: Vec<&str> = self.parts.iter().map(String::as_str).collect();
        let start = parts.len().saturating_sub(wanted.len());
        let (home, below) = parts.split_at(start);
        let is_below =
            below.len() == wanted.len() && below.iter().zip(wanted).all(|(part, wanted)| is(part, wanted));
        is_below && is_home(home)
    }
}

/// Returns true if a component is this name, or a shell pattern that is meant for it: `*.json` names no file in
/// particular.
pub(crate) fn is(part: &str, name: &str) -> bool {
    part == name || (is_pattern(part) && may_be_name(part, name))
}

/// Returns true if the components are a home folder.
pub(crate) fn is_home(parts: &[&str]) -> bool {
    protected_places::may_be_home(parts, &|part, name| part == name)
}

fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':');
    path.starts_with(['/', '\\']) || drive
}

fn push_all(parts: &mut Vec<String>, path: &str) {
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(fold(part)),
        }
    }
}

/// A text without case, and without what some file system ignores: invisible characters, dots and
/// blanks at the end, the name of an alternate stream.
pub(crate) fn fold(text: &str) -> String {
    let visible = text.chars().filter(|c| !is_ignorable(*c));
    let folded: String = visible.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    let name = match folded.split_once(':') {
        Some((name, _)) if name.len() > 1 => name,
        _ => &folded,
    };
    let name = name.trim_end_matches([' ', '.']);
    if name.is_empty() { folded } else { name.to_owned() }
}

/// Characters that HFS+ leaves out of comparisons.
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{200C}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}')
}
