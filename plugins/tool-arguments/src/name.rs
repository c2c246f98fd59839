//! What names of tools and of arguments tell.

/// Words in the name of a tool that does no more than read. Any other tool may write.
const READING: &[&str] = &[
    "access", "blame", "cat", "describe", "diff", "fetch", "find", "get", "glob", "grep", "head", "info",
    "list", "load", "log", "lookup", "ls", "open", "query", "read", "search", "show", "stat", "status",
    "tail", "tree", "view",
];
/// Words in the name of one that writes, whatever else it does.
const WRITING: &[&str] = &[
    "add", "append", "apply", "commit", "copy", "create", "delete", "download", "edit", "execute", "export",
    "insert", "make", "move", "patch", "put", "remove", "rename", "replace", "run", "save", "set", "update",
    "upload", "write",
];

/// Whether a tool of this name does no more than read.
pub fn only_reads(tool: &str) -> bool {
    // Behind the name of its server.
    let own = tool.rsplit("__").next().unwrap_or(tool);
    let words = words(own);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    has(READING) && !has(WRITING)
}

/// `readFile`, `read_file` and `read-file` are two words.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words
}

/// The name of an argument without case and what its words are joined by.
pub(crate) fn folded(key: &str) -> String {
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
