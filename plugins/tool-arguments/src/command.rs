//! Commands among arguments.

use serde_json::{Map, Value};

use crate::name::folded;

/// What tools call a command.
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
/// What they call code, which may be a shell's and may be another language's.
const SCRIPTS: &[&str] =
    &["chars", "code", "input", "keys", "script", "scripts", "snippet", "source", "sourcecode", "stdin"];
/// What they call the folder that it runs in.
const FOLDERS: &[&str] = &["cwd", "currentdirectory", "workdir", "workingdir", "workingdirectory"];
/// What stands for the arguments of a program.
const ARGUMENTS: &[&str] = &["args", "arguments", "argv", "params"];

/// What a call may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The command line.
    pub text: String,
    /// Whether it is one: code may be another language's.
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

/// Whether an argument is the folder that a command runs in.
pub(crate) fn is_folder(key: &str) -> bool {
    FOLDERS.contains(&key)
}

/// The command that a text is.
pub(crate) fn of_text(key: &str, text: &str) -> Vec<Command> {
    if COMMANDS.contains(&key) {
        return vec![Command::certain(text)];
    }
    if SCRIPTS.contains(&key) {
        // As a shell reads it, and as an interpreter does.
        return vec![Command::maybe(text), Command::maybe(format!("python3 -c {}", quoted(text)))];
    }
    Vec::new()
}

/// A list of texts: the words of one command.
pub(crate) fn of_words(key: &str, items: &[Value]) -> Option<Command> {
    let words: Vec<&str> = items.iter().map(Value::as_str).collect::<Option<_>>()?;
    (COMMANDS.contains(&key) && words.len() > 1).then(|| Command::certain(line(&words)))
}

/// `{"command": "rm", "args": ["-rf", "/"]}`
pub(crate) fn of_program(members: &Map<String, Value>) -> Vec<Command> {
    let programs = members.iter().filter(|(key, _)| COMMANDS.contains(&folded(key).as_str()));
    let mut found = Vec::new();
    for program in programs.filter_map(|(_, value)| value.as_str()) {
        for (_, arguments) in members.iter().filter(|(key, _)| ARGUMENTS.contains(&folded(key).as_str())) {
            match arguments {
                Value::String(text) => found.push(Command::certain(format!("{program} {text}"))),
                Value::Array(items) => {
                    let words: Vec<String> = items.iter().filter_map(word).collect();
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    found.push(Command::certain(format!("{program} {}", line(&words))));
                }
                _ => {}
            }
        }
    }
    found
}

fn word(item: &Value) -> Option<String> {
    match item {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

fn line(words: &[&str]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}
