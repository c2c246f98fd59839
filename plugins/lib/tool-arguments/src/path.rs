//! Files among arguments.

/// Endings of argument names for files and folders.
const ENDINGS: &[&str] = &[
    "dest",
    "destination",
    "dir",
    "directories",
    "directory",
    "document",
    "documents",
    "downloadto",
    "dst",
    "exportto",
    "file",
    "filename",
    "filenames",
    "filepath",
    "files",
    "folder",
    "folders",
    "glob",
    "globs",
    "include",
    "into",
    "location",
    "moveto",
    "notebook",
    "output",
    "path",
    "paths",
    "root",
    "roots",
    "saveas",
    "saveto",
    "source",
    "sources",
    "src",
    "target",
    "targets",
    "uri",
    "uris",
    "url",
    "urls",
    "writeto",
];
/// Names for files that only count as a whole: `timeout` ends like one of them.
const WHOLE: &[&str] = &["as", "out", "to"];
/// Argument names for texts, which may mention files but do nothing with them.
const TEXTS: &[&str] = &[
    "body",
    "code",
    "command",
    "comment",
    "content",
    "contents",
    "description",
    "expression",
    "filetext",
    "filter",
    "jq",
    "jqfilter",
    "message",
    "newstr",
    "newstring",
    "newtext",
    "oldstr",
    "oldstring",
    "pattern",
    "prompt",
    "query",
    "question",
    "reason",
    "regex",
    "script",
    "search",
    "selector",
    "text",
    "title",
    "value",
];
/// Longer than what a system opens.
pub(crate) const MAX_PATH: usize = 4096;

/// More steps up than any folder is deep.
const MAX_DEPTH: usize = 512;

/// The file that a text may be.
pub(crate) fn of_text(key: &str, text: &str) -> Option<String> {
    if text.is_empty() || text.len() > MAX_PATH || text.contains(['\n', '\r']) {
        return None;
    }
    if text.contains("://") || scheme_of_files(text).is_some() {
        return of_url(text);
    }
    (is_named(key) || (!is_text(key) && looks_like_one(text))).then(|| text.to_owned())
}

/// A text that is too long for a path, without what leads nowhere (`./`, `x/../`, `//`), if that is a path: a tool may take it out, too.
pub(crate) fn shortened(key: &str, text: &str) -> Option<String> {
    if text.len() <= MAX_PATH || is_text(key) || text.contains(['\n', '\r']) {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for name in text.split('/') {
        match (name, names.last()) {
            ("" | ".", Some(_)) | ("..", Some(&"")) => {}
            ("..", Some(last)) if !matches!(*last, "." | ".." | "~") => {
                names.pop();
            }
            // No folder is deeper: more of them lead to the root, too.
            ("..", _) if names.len() > MAX_DEPTH => {}
            (name, _) => names.push(name),
        }
    }
    Some(names.join("/")).filter(|short| short.len() <= MAX_PATH)
}

/// Returns true if an argument of this name is a file or a folder.
pub(crate) fn is_named(key: &str) -> bool {
    WHOLE.contains(&key) || ENDINGS.iter().any(|ending| key.ends_with(ending))
}

/// Returns true if an argument is a text that mentions files and does nothing with them.
pub(crate) fn is_text(key: &str) -> bool {
    TEXTS.contains(&key)
}

/// The file that the name of a member is: `{"files": {"src/main.rs": "…"}}`.
pub(crate) fn of_member(key: &str, name: &str) -> Option<String> {
    let is_file = name.contains(['/', '\\', '.']) && is_named(key);
    (name.len() <= MAX_PATH && !is_text(key) && (is_file || looks_like_one(name)))
        .then(|| of_url(name).unwrap_or_else(|| name.to_owned()))
}

/// Returns the path on this machine that a URL names; `None` if the text is not a URL or names another machine.
pub(crate) fn of_url(text: &str) -> Option<String> {
    match text.split_once("://") {
        Some((scheme, rest)) => of_address(scheme, rest),
        None => scheme_of_files(text).map(decoded),
    }
}

/// Returns true if a text is the address of something on another machine.
pub(crate) fn is_address(text: &str) -> bool {
    // A longer text is not an address, and a search in it would cost every call.
    text.len() <= MAX_PATH
        && text.split_once("://").is_some_and(|(scheme, rest)| of_address(scheme, rest).is_none())
}

/// `file:/path`
fn scheme_of_files(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once(':')?;
    (scheme.eq_ignore_ascii_case("file") && !rest.is_empty()).then_some(rest)
}

/// Returns the path on this machine that an address names: a server may have its own scheme.
fn of_address(scheme: &str, rest: &str) -> Option<String> {
    let scheme = scheme.to_lowercase();
    if matches!(scheme.as_str(), "http" | "https" | "ws" | "wss" | "git" | "ssh" | "ftp") {
        return None;
    }
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    // `file://localhost/path`
    let path =
        if scheme == "file" { rest.find('/').and_then(|at| rest.get(at..)).unwrap_or(rest) } else { rest };
    Some(decoded(path))
}

/// `/p/.env`, `./x`, `~/x`, `.env`, `C:\x`
fn looks_like_one(text: &str) -> bool {
    let mut chars = text.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('/' | '\\'), ..)
        | (Some('~' | '.'), Some('/' | '\\'), _)
        | (Some('.'), Some('.'), Some('/' | '\\')) => true,
        (Some('.'), Some(next), _) => next.is_alphanumeric() && !text.contains(char::is_whitespace),
        (Some(drive), Some(':'), Some('/' | '\\')) => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Without `%2E` and its like.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|code| std::str::from_utf8(code).ok());
        let byte = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
