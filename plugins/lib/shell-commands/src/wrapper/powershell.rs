//! Code of PowerShell: which files its commands may write.

/// Beginnings of commands that only read.
const LOOKING: &[&str] = &[
    "cat ",
    "compare-",
    "convertfrom-",
    "dir ",
    "format-",
    "gc ",
    "get-",
    "gci ",
    "import-",
    "ls ",
    "measure-",
    "resolve-path",
    "select-",
    "test-path",
    "type ",
    "write-host",
    "write-output",
];

/// Returns the files: all words of commands that do more than read, and those behind `>`.
pub(super) fn paths(code: &str) -> Vec<String> {
    code.split([';', '|', '\n']).flat_map(written).collect()
}

fn written(command: &str) -> Vec<String> {
    let command = command.trim_start_matches(['&', ' ', '\t', '{']);
    let lower = command.to_lowercase();
    let only_looks = LOOKING.iter().any(|begin| lower.starts_with(begin)) && !command.contains("]::");
    let text = if only_looks { command.split_once('>').map_or("", |(_, rest)| rest) } else { command };
    let words = text.split(|c: char| c.is_whitespace() || "'\"(),>{}".contains(c));
    words.filter(|word| word.contains(['.', '/', '\\']) && !word.contains("://")).map(from_home).collect()
}

fn from_home(path: &str) -> String {
    ["$HOME", "$home", "$env:HOME", "$Env:HOME"]
        .iter()
        .find_map(|home| path.strip_prefix(home))
        .map_or_else(|| path.to_owned(), |below| format!("~{below}"))
}
