//! Self-test: runs an entry as its agent would with a dangerous command, and expects a deny. The command itself is never run.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hookbox::agents::{
    Written,
    self_test::{DANGEROUS, HARMLESS, SelfTest, SelfTestResult, find_self_test},
    settings::Installed,
};
use hookbox_app::{OWN_FILES, places::Places};
use hookbox_platform::file::make_private_folders;

use super::{
    entries::AgentFile,
    entry_process::{self, Entry},
};
use crate::environment;

/// Shell of an agent that takes it from a variable, if that is not set.
const SHELL: &str = "/bin/sh";
/// Maximum length of an answer that is shown, characters.
const MAX_SHOWN: usize = 200;

/// Returns the guard's reason for denying a dangerous command by the entry of this file; an error describes the unexpected
/// result. A harmless command must pass: a guard that denies everything does not stay installed for long.
pub(super) fn test_denial(file: &AgentFile, places: &Places) -> Result<String, String> {
    let (self_test, entry) = find_entry(file)?;
    let folder = Scratch::make(places)?;
    let ask = |command: &str| run_self_test(file, (self_test, entry), command, &folder.0);
    let (result, answer) = ask(DANGEROUS)?;
    let SelfTestResult::Denied(reason) = result else {
        return Err(format!("`{DANGEROUS}` is not denied: {}", format_answer(&answer)));
    };
    // hookbox's own files are below `/`, and are protected without any hook: this denial does not show that a guard is called.
    if reason.contains(OWN_FILES) {
        return Err(format!("no hook denies `{DANGEROUS}`, only hookbox does, for its own files alone"));
    }
    match ask(HARMLESS)? {
        (SelfTestResult::NotDenied, _) => Ok(first_sentence(&reason).to_owned()),
        (SelfTestResult::Denied(reason), _) => Err(format!("`{HARMLESS}` is denied too: {reason}")),
    }
}

/// Returns the first sentence: it shows that there is a denial, and the rest is advice.
fn first_sentence(text: &str) -> &str {
    // A full stop before a small letter belongs to a name or a command.
    let begins = |at: usize| text.get(at + 2..).is_some_and(|rest| rest.starts_with(char::is_uppercase));
    let end = text.match_indices(". ").map(|(at, _)| at).find(|at| begins(*at));
    end.and_then(|end| text.get(..=end)).unwrap_or(text)
}

fn find_entry(file: &AgentFile) -> Result<(&'static SelfTest, &Installed), String> {
    let agent = file.agent;
    let self_test = find_self_test(agent)
        .ok_or_else(|| format!("the format of {agent}'s events for commands is unknown"))?;
    let entries = file.entries.as_ref().map_err(Clone::clone)?;
    let entry = entries.iter().find(|entry| entry.event == self_test.event);
    let entry =
        entry.ok_or_else(|| format!("{} has no entry, so no command can be stopped", self_test.event))?;
    Ok((self_test, entry))
}

fn run_self_test(
    file: &AgentFile,
    (self_test, entry): (&SelfTest, &Installed),
    command: &str,
    folder: &Path,
) -> Result<(SelfTestResult, Written), String> {
    let input = self_test
        .build_event(file.agent, command, &folder.display().to_string())
        .map_err(|error| format!("it cannot be tried: {error}"))?;
    // The agent itself was started from such a terminal.
    let mut variables: Vec<_> = environment::read_all_variables().collect();
    variables.extend(entry.variables.iter().cloned());
    variables.extend(input.variables.iter().cloned());
    let words =
        file.build_argv(entry, &environment::read_text_variable("SHELL").unwrap_or_else(|| SHELL.to_owned()));
    let entry = Entry { words: &words, variables, folder, input: &input.input };
    let answer = entry_process::run(&entry).map_err(|error| {
        format!("it cannot be tried: {}: {error}", words.first().map_or("", String::as_str))
    })?;
    Ok((input.interpret_answer(&answer), answer))
}

fn format_answer(answer: &Written) -> String {
    let line = |text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(MAX_SHOWN) {
            Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
            None => text,
        }
    };
    let outputs: Vec<_> = [&answer.stdout, &answer.stderr]
        .into_iter()
        .map(|text| line(text))
        .filter(|text| !text.is_empty())
        .collect();
    let output = if outputs.is_empty() { "nothing".to_owned() } else { outputs.join("; ") };
    format!("exit code {}, output {output}", answer.exit)
}

/// An empty folder; removed when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn make(places: &Places) -> Result<Self, String> {
        let state = places.state().ok_or("the test cannot run: the home folder is unknown; set HOME")?;
        // In the state folder, where no agent works: the log leaves out events from there.
        let folder = state.join(format!("rehearsal-{}", std::process::id()));
        match make_private_folders(&folder) {
            Ok(()) => Ok(Self(folder)),
            Err(error) => {
                Err(format!("the test cannot run: {} cannot be created: {error}", folder.display()))
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // If this fails, an empty folder is left.
        drop(fs::remove_dir(&self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denial_is_summarized_by_its_first_sentence() {
        for (reason, first) in [
            (
                "guard-shell: `rm -rf /` removes /. Instead: name the files. A person can",
                "guard-shell: `rm -rf /` removes /.",
            ),
            ("guard: e.g. a. b", "guard: e.g. a. b"),
            ("no end", "no end"),
            ("", ""),
        ] {
            assert_eq!(first_sentence(reason), first);
        }
    }
}
