//! Starts an entry as its agent would, in an environment with which a project tries to have its own program started.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use hookbox::agents::{
    InvalidEvent,
    settings::{AgentSettings, Installed},
};
use hookbox_app::places::Places;
use hookbox_platform::file::{make_private_folders, make_runnable};

use crate::commands::entry_process::{Entry, run};

/// hookbox's answer to an invalid event.
const ANSWERED: &str = InvalidEvent::CODE;
const NAMES: [&str; 3] = ["hookbox", "sh", "bash"];

/// A folder with programs that leave a mark; removed when dropped.
struct Trap {
    folder: PathBuf,
}

/// Attacks the entry. An error describes the unexpected result.
pub(super) fn try_on(entry: &Installed, settings: &AgentSettings, places: &Places) -> Result<(), String> {
    let failed = |error: io::Error| format!("it cannot be tried: {error}");
    let state = places.state().ok_or("the test cannot run: a folder for it cannot be created")?;
    let trap = Trap::set(&state).map_err(failed)?;
    let answer = trap.run_entry(entry, settings).map_err(failed)?;
    if trap.mark().exists() {
        return Err("tried with the environment of an attacker, it started the attacker's program".to_owned());
    }
    if answer.contains(ANSWERED) {
        Ok(())
    } else {
        Err("tried with the environment of an attacker, hookbox did not answer".to_owned())
    }
}

impl Trap {
    fn set(state: &Path) -> io::Result<Self> {
        let trap = Self { folder: state.join(format!("doctor-{}", std::process::id())) };
        let mark = trap.mark();
        make_private_folders(&trap.folder.join("home"))?;
        let script = format!("#!/bin/sh\n: > '{}'\n", mark.display());
        for name in NAMES {
            let program = trap.folder.join(name);
            fs::write(&program, &script)?;
            make_runnable(&program)?;
        }
        Ok(trap)
    }

    fn mark(&self) -> PathBuf {
        self.folder.join("home/mark")
    }

    fn run_entry(&self, entry: &Installed, settings: &AgentSettings) -> io::Result<String> {
        let mut words = entry.build_argv(settings, "/bin/sh");
        // The agent itself is found by a `PATH` that no project has set.
        if let Some(shell) = words.first_mut().filter(|word| ["sh", "bash"].contains(&word.as_str())) {
            *shell = format!("/bin/{shell}");
        }
        // Openings that no entry can close are reported by themselves, and would hide all others here.
        let open = settings.launch.open_to();
        let set = self.variables().into_iter().filter(|(name, _)| *name == "PATH" || !open.contains(name));
        let mut variables: Vec<_> = set.map(|(name, value)| (name.to_owned(), value)).collect();
        variables.extend(entry.variables.iter().cloned());
        let answer = run(&Entry { words: &words, variables, folder: Path::new("/"), input: "" })?;
        Ok(answer.stdout + &answer.stderr)
    }

    /// Returns all variables that a project would set.
    fn variables(&self) -> [(&'static str, String); 8] {
        let folder = self.folder.display().to_string();
        let home = format!("{folder}/home");
        [
            ("PATH", format!("{folder}:/usr/bin:/bin")),
            ("HOME", home.clone()),
            ("XDG_CONFIG_HOME", home.clone()),
            ("XDG_STATE_HOME", home.clone()),
            ("XDG_CACHE_HOME", home),
            // bash runs the file in this variable before a script.
            ("BASH_ENV", format!("{folder}/hookbox")),
            // With this variable bash parses a script and runs nothing of it.
            ("SHELLOPTS", "noexec".to_owned()),
            ("SHELL", format!("{folder}/sh")),
        ]
    }
}

impl Drop for Trap {
    fn drop(&mut self) {
        // If this fails, a folder with only these files is left.
        drop(fs::remove_dir_all(&self.folder));
    }
}

#[cfg(test)]
mod tests {
    use hookbox_app::places::NamedPlaces;

    use super::*;

    fn try_command(agent: &str, command: &str, is_isolated: bool) -> Result<(), String> {
        let home = tempfile::tempdir().unwrap();
        let places =
            Places::of_account(&NamedPlaces { home: Some(home.path().to_owned()), ..NamedPlaces::default() });
        let entry = Installed {
            event: "Stop".to_owned(),
            command: command.to_owned(),
            program: command.to_owned(),
            arguments: Vec::new(),
            variables: Vec::new(),
            is_plain: true,
            is_isolated,
            fails_open: false,
        };
        let tried = try_on(&entry, hookbox::agents::settings::find_settings(agent).unwrap(), &places);
        assert_eq!(fs::read_dir(home.path().join(".local/state/hookbox")).unwrap().count(), 0);
        tried
    }

    #[test]
    fn an_entry_that_a_variable_bends_is_found_out_and_nothing_is_left() {
        let bent = "tried with the environment of an attacker, it started the attacker's program";
        for (agent, is_isolated) in [("claude-code", true), ("cursor", false)] {
            assert_eq!(try_command(agent, "hookbox", is_isolated), Err(bent.to_owned()), "{agent}");
        }
        // Here the first program is a shell that runs nothing.
        assert!(try_command("gemini-cli", "hookbox", false).is_err());
    }

    #[test]
    fn doctor_reports_a_program_that_does_not_answer_like_hookbox() {
        let silent = "tried with the environment of an attacker, hookbox did not answer";
        assert_eq!(try_command("cursor", "/bin/true", false), Err(silent.to_owned()));
    }
}
