//! Commands among arguments.

use serde_json::{Map, Value};

use crate::{name::folded, typed};

/// Argument names for a command.
const COMMANDS: &[&str] = &[
    "argv",
    "bash",
    "bashcommand",
    "cmd",
    "cmdline",
    "cmds",
    "command",
    "commandline",
    "commands",
    "exec",
    "execute",
    "powershell",
    "sh",
    "shell",
    "shellcommand",
    "terminalcommand",
];
/// Argument names for code, which may be in a shell's or another language.
const SCRIPTS: &[&str] = &[
    "chars",
    "code",
    "input",
    "keys",
    "keystrokes",
    "script",
    "scripts",
    "sequence",
    "snippet",
    "source",
    "sourcecode",
    "stdin",
];
/// Argument names for a program whose arguments are passed separately.
const PROGRAMS: &[&str] = &[
    "app",
    "application",
    "bin",
    "binary",
    "entrypoint",
    "exe",
    "executable",
    "file",
    "name",
    "path",
    "program",
];
/// Argument names for the arguments of a program.
const ARGUMENTS: &[&str] =
    &["arg", "args", "argument", "argumentlist", "arguments", "argv", "flags", "parameters", "params"];

/// A command that a call may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The command line.
    pub text: String,
    /// True if the text is certainly a command; code may be in another language.
    pub is_certain: bool,
}

impl Command {
    fn certain(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_certain: true }
    }

    fn maybe(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_certain: false }
    }
}

/// The command that a text is.
pub(crate) fn of_text(key: &str, text: &str) -> Vec<Command> {
    if COMMANDS.contains(&key) {
        return vec![Command::certain(text)];
    }
    if SCRIPTS.contains(&key) {
        // As a shell reads it, and as an interpreter does.
        let mut found = of_keys(text);
        found.push(Command::maybe(format!("python3 -c {}", quoted(text))));
        return found;
    }
    Vec::new()
}

/// A text that is typed into a terminal.
pub(crate) fn of_keys(text: &str) -> Vec<Command> {
    [text.to_owned()].into_iter().chain(typed::typed(text)).map(Command::maybe).collect()
}

/// A list of texts: the words of one command, or what is typed one after another.
pub(crate) fn of_words(key: &str, items: &[Value]) -> Vec<Command> {
    let Some(words) = items.iter().map(word).collect::<Option<Vec<_>>>().filter(|words| words.len() > 1)
    else {
        return Vec::new();
    };
    if COMMANDS.contains(&key) {
        return with_words("", &words, true);
    }
    if SCRIPTS.contains(&key) { of_keys(&words.concat()) } else { Vec::new() }
}

/// `{"command": "rm", "args": ["-rf", "/"]}`
pub(crate) fn of_program(members: &Map<String, Value>) -> Vec<Command> {
    let of = |known: &'static [&'static str]| {
        members.iter().filter(move |(key, _)| known.contains(&folded(key).as_str())).map(|(_, value)| value)
    };
    let certain = of(COMMANDS).map(|program| (program, true));
    let programs: Vec<_> = certain.chain(of(PROGRAMS).map(|program| (program, false))).collect();
    let mut found = Vec::new();
    for (program, is_certain) in programs {
        let Some(program) = program.as_str() else { continue };
        for arguments in of(ARGUMENTS) {
            match arguments {
                Value::String(text) => {
                    found.push(Command { text: format!("{program} {text}"), is_certain });
                }
                Value::Array(items) => {
                    let words: Vec<String> = items.iter().filter_map(word).collect();
                    found.extend(with_words(program, &words, is_certain));
                }
                _ => {}
            }
        }
    }
    found
}

/// Words as a program gets them, and as a shell reads them where a tool puts them into one line: `~` means something there.
fn with_words(program: &str, words: &[String], is_certain: bool) -> Vec<Command> {
    let line = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    let bare = format!("{program} {}", words.join(" "));
    let exact = Command { text: format!("{program} {line}").trim_start().to_owned(), is_certain };
    let is_plain = words.iter().all(|word| word.chars().all(|c| c.is_alphanumeric() || "-_./=".contains(c)));
    let in_shell = (!is_plain).then(|| Command::maybe(bare.trim_start()));
    [exact].into_iter().chain(in_shell).collect()
}

fn word(item: &Value) -> Option<String> {
    match item {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}
