//! Judges shell commands by what they would run.
//!
//! The command line is parsed as bash parses it, its words are evaluated as far as the text determines
//! them, wrappers and scripts within scripts are unwrapped, and rules look at each simple command that
//! is left. Nothing is searched for in the text itself: `echo "rm -rf /"` is an echo.
//!
//! The strongest finding wins: deny, then ask, then no opinion. There is no allow.

mod arg;
mod call;
mod finding;
mod output;
mod policy;
mod rules;
mod scope;
mod secret;
mod source;
mod target;
mod walk;
mod word;
mod wrapper;

use std::borrow::Cow;

use hookbox_sdk::{Answer, Event, Hook, ToolClass, export};

pub use policy::{CODES, Commands, Config, Policy, Severity};

/// What is decided about a command line.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Whether the person decides or nobody does.
    pub severity: Severity,
    /// The stable code of the finding that decided.
    pub code: &'static str,
    /// What was found, for people.
    pub text: String,
}

/// Judges one command line, started in the folder that the agent works in. No decision is no opinion.
pub fn judge(command: &str, cwd: &str, policy: &Policy) -> Option<Decision> {
    judge_in(command, cwd, cwd, policy)
}

/// The same for a call that names the folder it runs in; `workspace` is the one that the agent works in.
pub fn judge_in(command: &str, folder: &str, workspace: &str, policy: &Policy) -> Option<Decision> {
    let findings = if command.contains(arg::is_mark) {
        vec![finding::Finding::about("unparsable", "the command contains Unicode noncharacters", &[])]
    } else {
        readings(command).iter().flat_map(|read| walk::Walker::run(read, folder, workspace, policy)).collect()
    };
    let mut worst: Option<Decision> = None;
    for finding in findings {
        let severity = policy.severity(finding.code);
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

/// A shell call whose command line the host does not find: what cannot be seen cannot be judged.
const UNSEEN: &str = "the call has no command line that could be judged";

/// The hook.
pub struct GuardShell;

impl Hook for GuardShell {
    fn handle(event: Event) -> Result<Answer, String> {
        let Some(tool) = event.tool.filter(|tool| tool.class == ToolClass::Shell && tool.output.is_none())
        else {
            return Ok(Answer::none());
        };
        let policy = Policy::new(&hookbox_sdk::config::<Config>()?)?;
        let decision = match tool.command {
            // The folders that the call names are where it runs.
            Some(command) if tool.paths.is_empty() => judge(&command, &event.cwd, &policy),
            Some(command) => tool
                .paths
                .iter()
                .filter_map(|folder| judge_in(&command, folder, &event.cwd, &policy))
                .max_by_key(|decision| decision.severity),
            None => Some(Decision {
                severity: policy.severity("unparsable"),
                code: "unparsable",
                text: UNSEEN.into(),
            }),
        };
        Ok(match decision {
            Some(Decision { severity: Severity::Deny, code, text }) => Answer::deny(code, text),
            Some(Decision { severity: Severity::Ask, code, text }) => Answer::ask(code, text),
            Some(Decision { severity: Severity::Off, .. }) | None => Answer::none(),
        })
    }
}

export!(GuardShell);
