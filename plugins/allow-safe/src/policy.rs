//! The settings.

use serde::Deserialize;
use shell_commands::facts::SimpleCommand;

use crate::places::absolute_folder;

/// Characters that mean something to a shell: a prefix with one is not a list of words.
const SHELL_CHARACTERS: &[char] = &['\'', '"', '\\', '$', '`', ';', '&', '|', '<', '>', '(', ')', '\n'];
/// Programs that run any command they are passed: a prefix of one word would allow everything.
const OPEN_PROGRAMS: &[&str] = &[
    "bash", "command", "dash", "doas", "env", "eval", "exec", "fish", "ksh", "nice", "nohup", "sh", "ssh",
    "sudo", "time", "timeout", "xargs", "zsh",
];

/// The settings as they are written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Config {
    /// Commands that are allowed with any further arguments, by their first words.
    pub commands: Vec<String>,
    /// Folders outside the project that commands may read.
    pub read: Vec<String>,
    /// True if commands may write inside the project.
    pub write: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self { commands: Vec::new(), read: Vec::new(), write: true }
    }
}

/// The settings, checked.
#[derive(Clone, Debug)]
pub struct Policy {
    commands: Vec<Vec<String>>,
    pub(crate) read: Vec<String>,
    pub(crate) write: bool,
}

impl Policy {
    /// Checks the settings.
    ///
    /// # Errors
    ///
    /// Names the setting that cannot mean what it seems to mean.
    pub fn new(config: &Config) -> Result<Self, String> {
        let commands =
            config.commands.iter().map(|command| read_prefix(command)).collect::<Result<_, _>>()?;
        let read = config.read.iter().map(|folder| {
            absolute_folder(folder).ok_or_else(|| {
                format!("`read`: `{folder}` is not a folder below the root; write its whole path, such as \"/srv/data\"")
            })
        });
        Ok(Self { commands, read: read.collect::<Result<_, _>>()?, write: config.write })
    }

    /// Returns true if a command begins with the words of a prefix in `commands`.
    pub(crate) fn allows_command(&self, command: &SimpleCommand) -> bool {
        self.matching_prefixes(command).next().is_some()
    }

    /// Returns true if a prefix names the option behind which code follows: `python3 -c`.
    pub(crate) fn allows_code(&self, command: &SimpleCommand) -> bool {
        self.matching_prefixes(command).any(|prefix| prefix.last().is_some_and(|word| word.starts_with('-')))
    }

    fn matching_prefixes<'a>(&'a self, command: &'a SimpleCommand) -> impl Iterator<Item = &'a Vec<String>> {
        self.commands.iter().filter(|prefix| {
            prefix.len() <= command.words.len()
                && prefix.iter().zip(&command.words).all(|(word, given)| given.certain && *word == given.text)
        })
    }
}

fn read_prefix(command: &str) -> Result<Vec<String>, String> {
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    let problem = match words.as_slice() {
        [] => "is empty; write the first words of a command, such as \"cargo test\"",
        _ if command.contains(SHELL_CHARACTERS) => {
            "contains a character of the shell; write plain words only"
        }
        [first, ..] if first.contains('=') => "begins with a variable; write the command only",
        [only] if OPEN_PROGRAMS.contains(&only.as_str()) => {
            "would allow every command; write the command that it runs"
        }
        _ => return Ok(words),
    };
    Err(format!("`commands`: `{command}` {problem}"))
}
