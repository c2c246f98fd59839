//! hookbox's own command: its form in an entry, and its recognition.

use std::path::{Path, PathBuf};

use super::{
    SettingsError,
    fail_closed::{self, LineFrame},
    launch::{self, Launch},
    words::{self, Line, Word},
};

/// The name of the program, whatever folder it is in.
const PROGRAM: &str = "hookbox";
/// Options with paths. An installation replaces the values of an existing entry.
const PLACES: [&str; 4] = ["--home", "--config-home", "--state-home", "--cache-home"];
const AGENT: &str = "--agent";

/// The program and where its things are, as an entry is to name them: absolutely, so that no variable decides it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnCommand {
    program: String,
    places: Vec<String>,
}

/// Reason why a path cannot be in an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfitPath {
    /// The path.
    pub path: PathBuf,
    /// Description of the problem.
    pub problem: &'static str,
}

impl OwnCommand {
    /// Creates the command. `places` are options of `hookbox run` with their folders. An error for a path that is not absolute, is not
    /// Unicode, or holds characters that no shell takes as they are: control characters and the backslash, which shells read in different
    /// ways.
    pub fn new(program: &Path, places: &[(&str, &Path)]) -> Result<Self, UnfitPath> {
        let mut words = Vec::new();
        for (option, folder) in places {
            words.extend([(*option).to_owned(), check_path(folder)?]);
        }
        Ok(Self { program: check_path(program)?, places: words })
    }

    /// Returns the program's file.
    pub fn program(&self) -> &str {
        &self.program
    }

    pub(super) fn to_words(&self, agent: &str) -> Vec<String> {
        let own = [self.program.as_str(), "run", AGENT, agent].into_iter();
        own.chain(self.places.iter().map(String::as_str)).map(str::to_owned).collect()
    }

    /// Returns the command line for this agent, as a shell reads it.
    pub(super) fn to_line(&self, agent: &str) -> String {
        self.to_words(agent).iter().map(|word| words::quote_word(word)).collect::<Vec<_>>().join(" ")
    }

    /// Returns the command of this agent's entry, with `kept` options after hookbox's own. A command line gets `frame` around it.
    pub(super) fn build_entry_command(
        &self,
        agent: &str,
        (launch, frame): (&Launch, LineFrame),
        kept: &ForeignOptions,
    ) -> Result<EntryCommand, SettingsError> {
        let own = ["run", AGENT, agent].into_iter().map(str::to_owned);
        let own: Vec<String> = own.chain(self.places.iter().cloned()).collect();
        match (launch.is_exec(), &kept.0) {
            (true, KeptWords::Plain(kept)) => {
                let arguments: Vec<String> = own.into_iter().chain(kept.iter().cloned()).collect();
                launch::check_exec(&self.program, &arguments)?;
                Ok(EntryCommand { command: self.program.clone(), arguments: Some(arguments) })
            }
            (_, kept) => {
                let kept = match kept {
                    KeptWords::Plain(words) => words.iter().map(|word| words::quote_word(word)).collect(),
                    // Quoting would turn the user's `2>>log` into an argument.
                    KeptWords::Raw(words) => words.clone(),
                };
                let ours = std::iter::once(&self.program).chain(&own).map(|word| words::quote_word(word));
                let command = frame.wrap_line(&ours.chain(kept).collect::<Vec<_>>().join(" "));
                Ok(EntryCommand { command, arguments: None })
            }
        }
    }
}

fn check_path(path: &Path) -> Result<String, UnfitPath> {
    let unfit = |problem| UnfitPath { path: path.to_owned(), problem };
    let text = path.to_str().ok_or_else(|| unfit("it is not Unicode"))?;
    if !path.is_absolute() {
        return Err(unfit("it is not absolute"));
    }
    // fish treats a backslash between single quotes as an escape, other shells do not.
    if text.contains(|c: char| c.is_control() || c == '\\') {
        return Err(unfit(
            "it holds a control character or a backslash, which shells read in different ways",
        ));
    }
    Ok(text.to_owned())
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EntryCommand {
    /// A command line, or the program alone if there are arguments.
    pub(super) command: String,
    /// Arguments in a separate member.
    pub(super) arguments: Option<Vec<String>>,
}

/// Options of an entry that are not hookbox's to change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ForeignOptions(KeptWords);

#[derive(Clone, Debug, PartialEq, Eq)]
enum KeptWords {
    Plain(Vec<String>),
    /// Verbatim, for a shell to parse: `2>>log`.
    Raw(Vec<String>),
}

impl Default for KeptWords {
    fn default() -> Self {
        Self::Plain(Vec::new())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HookboxCommand {
    /// The program as named in the command.
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
    /// True if a shell parses the line into plain words only.
    pub(super) is_plain: bool,
    /// Options that are not hookbox's to change.
    pub(super) kept: ForeignOptions,
}

/// Returns the command, if it runs hookbox for the agent and does nothing else, from any folder and with any options. `more` are arguments
/// in a separate member of the entry. An entry for another agent is foreign: it would answer in the wrong dialect.
pub(super) fn find_hookbox_command(
    command: &str,
    more: Option<&[String]>,
    agent: &str,
) -> Option<HookboxCommand> {
    let line = line_of_run(command, more)?;
    let (program, rest) = line.words.split_first()?;
    let options = rest.get(1..)?;
    // hookbox would answer in another agent's dialect, which this agent ignores.
    if agent_of(options).is_some_and(|named| named != agent) {
        return None;
    }
    Some(HookboxCommand {
        program: program.text.clone(),
        arguments: rest.iter().map(|word| word.text.clone()).collect(),
        is_plain: line.is_plain,
        kept: collect_foreign_options(options, line.is_plain),
    })
}

/// Returns the other agent for which this command runs hookbox, if it does nothing else.
pub(super) fn other_agent(command: &str, more: Option<&[String]>, agent: &str) -> Option<String> {
    let line = line_of_run(command, more)?;
    agent_of(line.words.get(2..)?).filter(|named| *named != agent).map(str::to_owned)
}

/// Returns the words of a command that is `hookbox run` and nothing else.
fn line_of_run(command: &str, more: Option<&[String]>) -> Option<Line> {
    let line = match more {
        Some(more) => make_line(command, more),
        // The frame is part of every current entry; without its removal the line would be two commands.
        None => words::split_line(fail_closed::without_frame(command))?,
    };
    let [program, run, ..] = line.words.as_slice() else { return None };
    // Any folder: an entry of an earlier installation must be found, so that it is repaired and not doubled.
    let name = program.text.rsplit(['/', '\\']).next().unwrap_or(&program.text);
    let ours = matches!(name, PROGRAM | "hookbox.exe") && run.text == "run";
    ours.then_some(line)
}

/// Returns the line of a program with its arguments, which no shell reads.
fn make_line(command: &str, more: &[String]) -> Line {
    let words = std::iter::once(command).chain(more.iter().map(String::as_str));
    Line { words: words.map(Word::plain).collect(), is_plain: true }
}

fn agent_of(words: &[Word]) -> Option<&str> {
    let mut words = words.iter().map(|word| word.text.as_str());
    while let Some(word) = words.next() {
        if word == AGENT {
            return words.next();
        }
        if let Some(value) = value_of(word, AGENT) {
            return Some(value);
        }
    }
    None
}

fn collect_foreign_options(options: &[Word], is_plain: bool) -> ForeignOptions {
    let ours = || PLACES.iter().chain([&AGENT]);
    let mut kept = Vec::new();
    let mut words = options.iter();
    while let Some(word) = words.next() {
        if ours().any(|ours| word.text == **ours) {
            words.next();
        } else if !ours().any(|ours| value_of(&word.text, ours).is_some()) {
            kept.push(word);
        }
    }
    ForeignOptions(if is_plain {
        KeptWords::Plain(kept.into_iter().map(|word| word.text.clone()).collect())
    } else {
        KeptWords::Raw(kept.into_iter().map(|word| word.raw.clone()).collect())
    })
}

fn value_of<'a>(word: &'a str, option: &str) -> Option<&'a str> {
    word.strip_prefix(option)?.strip_prefix('=')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_own(command: &str, agent: &str) -> bool {
        find_hookbox_command(command, None, agent).is_some()
    }

    fn kept_of(command: &str) -> ForeignOptions {
        find_hookbox_command(command, None, "codex").unwrap().kept
    }

    #[test]
    fn the_own_command_is_known_in_every_spelling() {
        for own in [
            "hookbox run --agent codex",
            "/opt/bin/hookbox run --agent=codex --agent-timeout 5s",
            "'/my tools/hookbox' run --agent 'codex'",
            "'/it'\\''s/hookbox' run --agent codex --home /h",
            "/my\\ tools/hookbox run --agent codex 2>>log",
            "\"C:\\tools\\hookbox.exe\" run --agent codex",
            "hookbox run",
        ] {
            assert!(is_own(own, "codex"), "{own}");
        }
        let apart = ["run", "--agent", "codex"].map(str::to_owned);
        assert!(find_hookbox_command("hookbox", Some(&apart), "codex").is_some());
        assert!(find_hookbox_command("/my tools/hookbox", Some(&apart), "codex").is_some());
    }

    #[test]
    fn other_commands_are_not() {
        for other in [
            "",
            "'hookbox",
            "hookbox",
            "hookbox check",
            "hookbox run --agent gemini-cli",
            "my-hookbox run --agent codex",
            "echo hookbox run --agent codex",
            "hookbox-compile run",
        ] {
            assert!(!is_own(other, "codex"), "{other}");
        }
    }

    #[test]
    fn a_command_that_does_more_is_its_authors() {
        for more in ["; mine", " && mine", " | tee log", " & ", "\nmine", " $(mine)", " `mine`"] {
            assert!(!is_own(&format!("hookbox run --agent codex{more}"), "codex"), "{more}");
        }
    }

    #[test]
    fn options_of_the_entrys_author_are_kept_and_ours_are_not() {
        let plain = |words: &[&str]| {
            ForeignOptions(KeptWords::Plain(words.iter().map(|&word| word.to_owned()).collect()))
        };
        assert_eq!(
            kept_of("hookbox run --agent=codex --home=/a --agent-timeout 5s"),
            plain(&["--agent-timeout", "5s"])
        );
        assert_eq!(
            kept_of("hookbox run --config-home /a b --report '/x y'"),
            plain(&["b", "--report", "/x y"])
        );
        let raw = ["--report", "'/x y'", "2>>$LOG"].map(str::to_owned).to_vec();
        assert_eq!(kept_of("hookbox run --report '/x y' 2>>$LOG"), ForeignOptions(KeptWords::Raw(raw)));
    }

    #[test]
    fn a_path_that_shells_read_in_different_ways_is_refused() {
        for path in ["hookbox", "/a\\b", "/a\nb", "/a\u{1b}"] {
            assert!(OwnCommand::new(Path::new(path), &[]).is_err(), "{path}");
            assert!(OwnCommand::new(Path::new("/x"), &[("--home", Path::new(path))]).is_err(), "{path}");
        }
    }
}
