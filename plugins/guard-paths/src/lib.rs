//! Keeps tools away from secrets and from the configuration of agents and hooks.
//!
//! Looks at the files that a call of a file or search tool names, and at those that a shell command reads and writes. What else a
//! command does is `guard-shell`'s. The strongest verdict over all files wins: deny, then ask, then no opinion. There is no allow: a
//! pattern in `allow` only lifts the built-in protection.

mod glob;
mod path;
mod policy;
mod protected;
mod shell;

use hookbox_sdk::{Answer, Event, Hook, ToolCall, ToolClass, export};

use path::FilePath;
pub use policy::{Config, Policy};
use protected::Protection;
pub use shell::judge_command;
use shell_commands::{exception, persistent_place};

/// Kind of access that a tool has to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads the file, or searches in it.
    Read,
    /// Creates, changes or removes the file.
    Write,
}

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The user is asked.
    Ask,
    /// The call is denied.
    Deny,
}

/// Decision about a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Deny, or ask the user.
    pub severity: Severity,
    /// The stable code.
    pub code: &'static str,
    /// Description of the file, for the user.
    pub text: String,
    /// Alternative for the agent; empty if a configured list matched.
    pub instead: &'static str,
    /// Change of the hook's settings that allows the file permanently.
    pub always: Option<String>,
}

impl Decision {
    /// Returns the whole message: the finding, the alternative, and how the user allows it.
    pub fn format_message(&self) -> String {
        let instead =
            if self.instead.is_empty() { String::new() } else { format!(". Instead: {}", self.instead) };
        format!("{}{instead}. {}", self.text, exception(self.code, self.always.as_deref()))
    }
}

/// Judges one file. `None` means no opinion.
pub fn judge(path: &str, cwd: &str, access: Access, policy: &Policy) -> Option<Decision> {
    let file = FilePath::new(path, cwd);
    let name = quote(path);
    let found = listed(&file, &name, access == Access::Write, policy);
    if let Some(decision) = found.as_ref().filter(|decision| decision.severity == Severity::Deny) {
        return Some(decision.clone());
    }
    if let Some(protection) = built_in(&file, access, policy) {
        let verb = if access == Access::Write { "written" } else { "read" };
        let text = format!("`{name}` is {} and is not {verb} by tools", protection.what);
        return Some(protection.decision(text, &file));
    }
    found.or_else(|| startup(&file, (path, cwd), access, policy))
}

/// Returns guard-shell's finding for a command that writes the file, if the file runs by itself later.
fn startup(file: &FilePath, (path, cwd): (&str, &str), access: Access, policy: &Policy) -> Option<Decision> {
    if access == Access::Read || !policy.defaults || policy.allow.find(file).is_some() {
        return None;
    }
    let place = persistent_place(path, cwd)?;
    let severity = if place.is_denied { Severity::Deny } else { Severity::Ask };
    let text = format!("a tool that writes `{}` {}", quote(path), place.does);
    let always = plain_name(file).map(|name| format!("with `allow = [\"**/{name}\"]`"));
    Some(Decision { severity, code: place.code, text, instead: place.instead, always })
}

/// Returns the last component, if it has no special meaning in a pattern.
fn plain_name(file: &FilePath) -> Option<&str> {
    let is_plain = |c: char| c.is_alphanumeric() || "._-@+ ".contains(c);
    Some(file.name()).filter(|name| !name.is_empty() && name.len() <= 100 && name.chars().all(is_plain))
}

/// Looks the file up in the configured lists, `deny` before `ask`.
fn listed(file: &FilePath, name: &str, writes: bool, policy: &Policy) -> Option<Decision> {
    let decision = |severity, code, list: &str, pattern: &str| Decision {
        severity,
        code,
        text: format!("`{name}` is on the configured list `{list}` as `{}`", quote(pattern)),
        instead: "",
        always: Some(format!("by taking `{}` out of `{list}`", quote(pattern))),
    };
    let denied = |list: &'static str, pattern: &str| decision(Severity::Deny, "path-denied", list, pattern);
    let on_deny = policy.deny.find(file).map(|pattern| denied("deny", pattern));
    let on_write =
        || policy.deny_write.find(file).filter(|_| writes).map(|pattern| denied("deny-write", pattern));
    let on_ask =
        || policy.ask.find(file).map(|pattern| decision(Severity::Ask, "path-asked", "ask", pattern));
    on_deny.or_else(on_write).or_else(on_ask)
}

/// The built-in protection that forbids this.
fn built_in(file: &FilePath, access: Access, policy: &Policy) -> Option<&'static Protection> {
    let protects = policy.defaults && policy.allow.find(file).is_none();
    if protects { protected::find(file, access) } else { None }
}

/// Judges all the files of a call; the first of the worst decides.
pub fn judge_all(paths: &[String], cwd: &str, access: Access, policy: &Policy) -> Option<Decision> {
    worst(paths.iter().filter_map(|path| judge(path, cwd, access, policy)))
}

/// Judges reads: a name with a pattern stands for all names that it matches.
fn judge_read(paths: &[String], cwd: &str, policy: &Policy) -> Option<Decision> {
    let mut names = Vec::new();
    for path in paths {
        match glob::meant(path) {
            Some(meant) => names.extend(meant),
            None => return Some(too_many("the pattern stands for more names than can be looked at")),
        }
    }
    judge_all(&names, cwd, Access::Read, policy)
}

/// Judges a tool of an MCP server by its name and arguments, because no table lists it: files read, files written,
/// commands run.
fn of_arguments(tool: &ToolCall, cwd: &str, policy: &Policy) -> Option<Decision> {
    let found = tool_arguments::read(&tool.name, &tool.input);
    let paths = [tool.paths.as_slice(), found.paths.as_slice()].concat();
    let of_paths = if found.only_reads(&tool.name) {
        judge_read(&paths, cwd, policy)
    } else {
        judge_all(&paths, cwd, Access::Write, policy)
    };
    let embedded = judge_all(&found.embedded_paths, cwd, Access::Write, policy);
    let folders = found.folders(cwd);
    let commands =
        found.commands.iter().flat_map(|command| folders.iter().map(move |folder| (command, folder)));
    let of_commands = commands.filter_map(|(command, folder)| {
        let decision = judge_command(&command.text, folder, cwd, policy);
        decision.filter(|decision| command.is_certain || decision.severity == Severity::Deny)
    });
    let cut = found.is_cut.then(|| too_many("the call has more arguments than can be looked at"));
    worst(of_paths.into_iter().chain(embedded).chain(of_commands).chain(cut))
}

/// Asks the user, because the input is too large to be examined completely.
pub(crate) fn too_many(text: &str) -> Decision {
    Decision {
        severity: Severity::Ask,
        code: "too-many-files",
        text: text.to_owned(),
        instead: "split it into shorter ones",
        always: None,
    }
}

/// The first of the worst.
fn worst(decisions: impl Iterator<Item = Decision>) -> Option<Decision> {
    decisions.reduce(|worst, next| if next.severity > worst.severity { next } else { worst })
}

/// A path without control characters, cut to a length.
fn quote(path: &str) -> String {
    let mut quoted = String::new();
    for (count, c) in path.chars().enumerate() {
        if count >= 200 {
            quoted.push('…');
            break;
        }
        match c {
            c if c.is_control()
                || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}') =>
            {
                quoted.extend(c.escape_unicode());
            }
            c => quoted.push(c),
        }
    }
    quoted
}

/// The hook.
pub struct GuardPaths;

impl Hook for GuardPaths {
    fn handle(event: Event) -> Result<Answer, String> {
        let policy = Policy::new(&hookbox_sdk::config::<Config>()?)?.of_one_event();
        let Some(tool) = event.tool.filter(|tool| tool.output.is_none()) else {
            return Ok(Answer::none());
        };
        let decision = match (tool.class, tool.command.clone()) {
            (ToolClass::FileRead | ToolClass::Search, _) => judge_read(&tool.paths, &event.cwd, &policy),
            (ToolClass::Mcp, _) => of_arguments(&tool, &event.cwd, &policy),
            (ToolClass::FileWrite, _) => judge_all(&tool.paths, &event.cwd, Access::Write, &policy),
            // The folders that such a call names are where it runs.
            (ToolClass::Shell, Some(command)) if tool.paths.is_empty() => {
                judge_command(&command, &event.cwd, &event.cwd, &policy)
            }
            (ToolClass::Shell, Some(command)) => {
                let folders = tool.paths.iter();
                worst(folders.filter_map(|folder| judge_command(&command, folder, &event.cwd, &policy)))
            }
            _ => None,
        };
        Ok(match decision {
            Some(decision) if decision.severity == Severity::Deny => {
                Answer::deny(decision.code, decision.format_message())
            }
            Some(decision) => Answer::ask(decision.code, decision.format_message()),
            None => Answer::none(),
        })
    }
}

export!(GuardPaths);
