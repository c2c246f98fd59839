//! Text that is typed into a terminal.

use crate::name::words;

/// Words in the names of tools, and of arguments next to a text, that show that the text is typed into something that
/// runs commands.
const TERMINALS: &[&str] = &[
    "bash",
    "cmd",
    "computer",
    "console",
    "exec",
    "execute",
    "interact",
    "iterm",
    "keyboard",
    "keys",
    "keystrokes",
    "pane",
    "pid",
    "powershell",
    "process",
    "pty",
    "repl",
    "screen",
    "shell",
    "ssh",
    "stdin",
    "terminal",
    "tmux",
    "tty",
    "zsh",
];
/// Argument names for typed text.
const TEXTS: &[&str] = &["body", "content", "data", "line", "lines", "message", "text", "value"];
/// Spellings of the key that ends a line, in lower case.
const ENTER: &[&str] = &[
    "{enter}", "{return}", "{cr}", "<enter>", "<return>", "<cr>", "[enter]", "[return]", "\\r", "\\n", "\r",
];

/// Returns true if the name of a tool or an argument has a word for a terminal.
pub(crate) fn is_terminal(name: &str) -> bool {
    words(name).iter().any(|word| TERMINALS.contains(&word.as_str()))
}

/// Returns true if an argument of this name is typed text.
pub(crate) fn is_text(key: &str) -> bool {
    TEXTS.contains(&key)
}

/// Returns the text that a shell reads from typed keys: `{enter}` ends a line. `None` if there are no such keys.
pub fn typed(text: &str) -> Option<String> {
    // Letters keep their places: only those of ASCII become small.
    let small = text.to_ascii_lowercase();
    let (mut read, mut at, mut has_key) = (String::with_capacity(text.len()), 0, false);
    while let Some(rest) = small.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(key) = ENTER.iter().find(|key| rest.starts_with(**key)) {
            read.push('\n');
            at += key.len();
            has_key = true;
        } else if let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
            read.push(c);
            at += c.len_utf8();
        }
    }
    has_key.then_some(read)
}
