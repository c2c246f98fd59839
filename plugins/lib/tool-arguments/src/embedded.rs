//! Files that a text names as outputs: the value of an option, a file in a statement of SQL, a file in code.
//!
//! A tool that only reads by its name may hand such a text on (`git diff --output=FILE`, `COPY … TO 'FILE'`).

use crate::path;

/// Most files of one text.
const MAX_OF_TEXT: usize = 256;
/// Most files of all texts of a call.
pub(crate) const MAX_FILES: usize = 1 << 14;
/// Longest text that is looked at, bytes; a longer one is not handed to a program as an option or a statement.
const MAX_TEXT: usize = 1 << 20;

/// Names of texts that a program may run.
const CODE: &[&str] =
    &["code", "command", "expression", "filter", "jq", "jqfilter", "query", "script", "value"];

/// Names of statements of a database.
const STATEMENTS: &[&str] = &["sql", "sqlquery", "statement", "statements"];

/// First words of statements, and of commands of database clients, that name a file without quotes: `spool FILE`, `COPY t TO FILE`.
const FILE_STATEMENTS: &[&str] = &["attach", "backup", "copy", "export", "spool", "unload", "vacuum"];

/// Returns the paths that begin at the root or in the home folder and that stand within an option, a statement or code.
pub(crate) fn files(key: &str, text: &str) -> Vec<String> {
    let is_prose = path::is_text(key) && !CODE.contains(&key);
    if is_prose
        || text.len() > MAX_TEXT
        || !(text.starts_with('-')
            || text.contains(['\'', '"', '`', '(', '>', ';', '='])
            || STATEMENTS.contains(&key)
            || (CODE.contains(&key) && begins_file_statement(text)))
    {
        return Vec::new();
    }
    let parts = text.split(|c: char| c.is_whitespace() || "'\"`()[]{}<>;,=|&".contains(c));
    let paths = parts.filter_map(|part| match part.strip_prefix('-') {
        // `-o/path`
        Some(option) => option.find(['/', '~']).and_then(|at| option.get(at..)),
        None => Some(part),
    });
    let is_path = |path: &&str| *path != text && path.len() > 1 && path.starts_with(['/', '~']);
    paths.filter(is_path).take(MAX_OF_TEXT).map(str::to_owned).collect()
}

/// Returns true if a text begins like a statement that names a file, or like a command of a client: `.output`, `\o`.
fn begins_file_statement(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.len() > 1 && first.starts_with(['.', '\\'])
        || FILE_STATEMENTS.iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// Returns true if an address opens its file for writing: `file:///path?mode=rwc`.
pub(crate) fn opens_for_writing(text: &str) -> bool {
    let Some((_, query)) = text.split_once('?').filter(|(address, _)| address.contains(':')) else {
        return false;
    };
    query.split(['&', ';', '#']).filter_map(|part| part.split_once('=')).any(|(name, value)| {
        name.eq_ignore_ascii_case("mode") && value.to_ascii_lowercase().contains(['w', 'a', 'x', '+'])
    })
}

/// Returns true if a value opens a file for writing, in the modes of C, Python and the like: `w`, `a+`, `rb+`, `x`.
pub(crate) fn is_write_mode(key: &str, text: &str) -> bool {
    let is_mode = key == "mode" || key.ends_with("mode") || key == "flags";
    let letters = "rwaxbtU+";
    is_mode
        && (1..=4).contains(&text.len())
        && text.chars().all(|c| letters.contains(c))
        && text.contains(['w', 'a', 'x', '+'])
}

/// Words in the names of flags that let a reading tool do more than read.
const EFFECTS: &[&str] = &[
    "apply",
    "clean",
    "create",
    "delete",
    "erase",
    "exec",
    "execute",
    "fix",
    "force",
    "inplace",
    "move",
    "overwrite",
    "prune",
    "purge",
    "remove",
    "rename",
    "replace",
    "rewrite",
    "run",
    "save",
    "unlink",
    "update",
    "write",
];

/// Returns true if a flag of this name, folded into words, is switched on and has an effect.
pub(crate) fn is_effect(words: &[String], value: &serde_json::Value) -> bool {
    let is_on = match value {
        serde_json::Value::Bool(on) => *on,
        serde_json::Value::Number(number) => number.as_f64() != Some(0.0),
        _ => false,
    };
    is_on && words.iter().any(|word| EFFECTS.contains(&word.as_str()))
}
