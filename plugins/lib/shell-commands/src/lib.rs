//! Reads shell command lines, and judges them by the commands that they would run.
//!
//! The command line is parsed as bash parses it, its words are evaluated where the text determines them, wrappers and
//! scripts within scripts are unwrapped, and rules examine each simple command that is left. Nothing is searched for
//! in the text itself: `echo "rm -rf /"` is an echo.
//!
//! The strongest finding wins: deny, then ask, then confine, then no opinion. There is no allow.

mod address;
mod arg;
mod brackets;
mod budget;
mod call;
mod codes;
#[cfg_attr(not(feature = "facts"), expect(dead_code, reason = "no recorder exists without the feature"))]
pub mod facts;
mod finding;
mod output;
mod packs;
mod policy;
mod rules;
mod scope;
mod secret;
mod source;
mod target;
mod touched;
mod walk;
mod word;
mod wrapper;

use std::borrow::Cow;

use codes::SELF_PROTECTION;

pub use budget::Budget;
pub use codes::{Code, all as codes};
pub use packs::{PersistentPlace, persistent_place};
pub use policy::{Allow, Commands, Config, Mode, OnUnsure, OwnRule, Policy, Severity};
pub use touched::{
    Access, Files, Touched, files, files_within, is_matched, is_pattern, is_unknown, matches_name,
    may_be_name, pattern,
};
pub use wrapper::{is_interpreter, is_shell, only_reads};

/// Decision about a command line.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Deny, ask the user, or run confined.
    pub severity: Severity,
    /// The stable code of the finding that decided.
    pub code: &'static str,
    /// Description of the finding, for the user.
    pub text: String,
}

impl Decision {
    /// Returns the whole message: the finding, the alternative, and how the user allows it.
    pub fn format_message(&self) -> String {
        let instead = codes::named(self.code).map_or("", |code| code.instead);
        let instead = if instead.is_empty() { String::new() } else { format!(". Instead: {instead}") };
        let always = format!("with `off = [\"{}\"]`", self.code);
        format!("{}{instead}. {}", self.text, exception(self.code, Some(&always)))
    }
}

/// Returns how the user allows a finding with this code: this once, and always with a line under `[hook.config]`, if
/// there is one. The text does not help an agent to get around the rule: it may neither run nor write it.
pub fn exception(code: &str, always: Option<&str>) -> String {
    if SELF_PROTECTION.contains(&code) {
        return "Only the user may do this, in a terminal or an editor".to_owned();
    }
    let always = always.map_or_else(String::new, |line| {
        format!(", always {line} under `[hook.config]` of this hook in hooks.toml")
    });
    format!("The user can allow it: this once with `hookbox allow --once`{always}")
}

/// Judges one command line that is started in the agent's workspace. `None` means no opinion.
pub fn judge(command: &str, cwd: &str, policy: &Policy) -> Option<Decision> {
    judge_in(command, cwd, cwd, policy)
}

/// Judges one command line that is started in `folder`, for an agent that works in `workspace`. `None` means no
/// opinion.
pub fn judge_in(command: &str, folder: &str, workspace: &str, policy: &Policy) -> Option<Decision> {
    let findings = if command.contains(arg::is_mark) {
        vec![finding::Finding::about("unparsable", "the command contains Unicode noncharacters", &[])]
    } else {
        readings(command).iter().flat_map(|read| walk::Walker::run(read, folder, workspace, policy)).collect()
    };
    let mut worst: Option<Decision> = None;
    for finding in findings {
        let severity = policy.severity_at(finding.code, finding.place);
        let is_worse = worst.as_ref().is_none_or(|worst| severity > worst.severity);
        if severity > Severity::Off && is_worse {
            worst = Some(Decision { severity, code: finding.code, text: finding.text });
        }
    }
    worst
}

/// As the text stands, and as a shell would take it if it holds a NUL: as an argument it ends there, from a file or a
/// pipe the NUL is left out.
fn readings(command: &str) -> Vec<Cow<'_, str>> {
    let mut readings = vec![Cow::Borrowed(command)];
    if let Some((head, _)) = command.split_once('\0') {
        readings.extend([Cow::Borrowed(head), Cow::Owned(command.replace('\0', ""))]);
    }
    readings
}
