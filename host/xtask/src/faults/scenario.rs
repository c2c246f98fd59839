//! Tested commands, and their invariants.

use std::fs;

use anyhow::{Result, ensure};

use super::{
    bed::{Bed, Ended},
    oracle, plugin_changes,
};

/// Claude Code is about to erase everything.
pub(super) const EVENT: &str = r#"{"session_id":"s","transcript_path":"/h/s.jsonl","cwd":"[PROJECT]",
    "hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /"},"tool_use_id":"t"}"#;
/// Arguments of an agent with a timeout of five seconds.
pub(super) const RUN: &[&str] =
    &["run", "--agent", "claude-code", "--agent-timeout", "5s", "--home", "[HOME]"];
pub(super) const HOOKS: &str = ".config/hookbox/hooks.toml";
pub(super) const SETTINGS: &str = ".claude/settings.json";
const FAILURES: &str = ".local/state/hookbox/failures.json";
const IMPORTED: &str = "imported.toml";

/// A gate that is a component.
pub(super) const GATE: &str = r#"
[[hook]]
name = "find-text"
on = "tool.before"
wasm = { path = "[PLUGINS]/find-text.wasm" }
config = { deny = ["rm -rf /"] }
"#;
/// A hook that fails, and thereby denies.
const FAILING: &str = r#"
[[hook]]
name = "failing"
on = "tool.before"
shell = { command = "exit 1" }
"#;
/// A hook that counts, and denies from the second call on.
const COUNTING: &str = r#"
[[hook]]
name = "limit-calls"
on = "tool.before"
wasm = { path = "[PLUGINS]/limit-calls.wasm" }
config = { calls = 1 }
grant = { kv = { scopes = ["session"] } }
"#;
pub(super) const OWN_SETTINGS: &str = r#"{"permissions":{"deny":["Read(.env)"]},"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}"#;

/// One command in one state of the home folder.
pub(super) struct Scenario {
    pub(super) name: &'static str,
    pub(super) words: &'static [&'static str],
    /// The user's hooks.
    pub(super) hooks: &'static str,
    /// Creates the other files of the home folder.
    pub(super) make: fn(&Bed) -> Result<()>,
    /// Brings the home folder into its state again.
    pub(super) reset: fn(&Bed) -> Result<()>,
    /// Checks the state after a fault, except for temporary files after a kill.
    pub(super) holds: fn(&Bed, &Ended) -> Result<(), String>,
    /// Checks the state after a kill, before the command runs again.
    pub(super) killed: fn(&Bed) -> Result<(), String>,
}

pub(super) fn list_scenarios() -> Vec<Scenario> {
    let run = |name, hooks, reset| Scenario {
        name,
        words: RUN,
        hooks,
        make: do_nothing,
        reset,
        holds: a_deny,
        killed: accept_anything,
    };
    let mut all = vec![
        run("deny", GATE, do_nothing),
        run("failing-hook", FAILING, without_counts),
        run("counting-hook", COUNTING, do_nothing),
        run("compile", GATE, without_cache),
        Scenario {
            name: "install",
            words: &["install", "claude-code", "--yes"],
            hooks: "# none",
            make: do_nothing,
            reset: with_settings,
            holds: whole_settings,
            killed: accept_anything,
        },
        Scenario {
            name: "import",
            words: &["import", "claude-code", "--output", "../home/imported.toml"],
            hooks: "# none",
            make: do_nothing,
            reset: with_settings,
            holds: whole_import,
            killed: accept_anything,
        },
    ];
    all.extend(plugin_changes::list_scenarios());
    all
}

impl Scenario {
    /// Creates a new home folder, with everything that a first run makes.
    pub(super) fn prepare_home(&self, bed: &Bed) -> Result<()> {
        bed.clear()?;
        bed.write_file(HOOKS, self.hooks)?;
        with_settings(bed)?;
        (self.make)(bed)?;
        if self.words == RUN {
            for _ in 0..2 {
                bed.run(&[], RUN, EVENT)?;
            }
            // Native code counts as settled once it is a few seconds old.
            std::thread::sleep(std::time::Duration::from_secs(3));
            bed.run(&[], RUN, EVENT)?;
        }
        self.reset_home(bed)?;
        let ended = bed.run(&[], self.words, EVENT)?;
        let holds = (self.holds)(bed, &ended);
        ensure!(holds.is_ok() && ended.status.code() == Some(0), "{}: {}", self.name, ended.shown());
        self.reset_home(bed)
    }

    pub(super) fn reset_home(&self, bed: &Bed) -> Result<()> {
        (self.reset)(bed)
    }
}

#[expect(clippy::unnecessary_wraps, reason = "one of several ways to make and reset")]
fn do_nothing(_: &Bed) -> Result<()> {
    Ok(())
}

#[expect(clippy::unnecessary_wraps, reason = "one of several things that hold")]
fn accept_anything(_: &Bed) -> Result<(), String> {
    Ok(())
}

fn remove_file(bed: &Bed, name: &str) -> Result<()> {
    match fs::remove_file(bed.join_path(name)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

fn without_counts(bed: &Bed) -> Result<()> {
    remove_file(bed, FAILURES)
}

pub(super) fn without_cache(bed: &Bed) -> Result<()> {
    match fs::remove_dir_all(bed.join_path(".cache")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

pub(super) fn with_settings(bed: &Bed) -> Result<()> {
    remove_file(bed, IMPORTED)?;
    bed.write_file(SETTINGS, OWN_SETTINGS)
}

fn a_deny(bed: &Bed, ended: &Ended) -> Result<(), String> {
    oracle::check_deny(ended)?;
    oracle::is_json(&bed.join_path(FAILURES))
}

/// Checks that the settings are unchanged, or have hookbox's entries.
pub(super) fn whole_settings(bed: &Bed, ended: &Ended) -> Result<(), String> {
    oracle::check_exit(ended)?;
    let path = bed.join_path(SETTINGS);
    let now = fs::read_to_string(&path).unwrap_or_default();
    let kept = now.contains("Read(.env)") && now.contains(r#""command":"true""#);
    let installed = kept && now.contains("\"claude-code\"") && now.ends_with('}');
    let texts = [Some(OWN_SETTINGS.to_owned()), installed.then_some(now)];
    oracle::is_json(&path)?;
    oracle::is_one_of(&path, &texts, ended.status.code() == Some(0))
}

/// Checks that the imported file is absent, or complete.
fn whole_import(bed: &Bed, ended: &Ended) -> Result<(), String> {
    oracle::check_exit(ended)?;
    let path = bed.join_path(IMPORTED);
    let whole =
        fs::read_to_string(&path).ok().filter(|text| text.contains("[[hook]]") && text.ends_with('\n'));
    oracle::is_one_of(&path, &[None, whole], ended.status.code() == Some(0))
}
