//! Keeps tools away from secrets and from the configuration of agents and hooks.
//!
//! Looks at the files that a call of a file or search tool names. Shell commands are `guard-shell`'s.
//! The strongest verdict over all files wins: deny, then ask, then no opinion. There is no allow: a
//! pattern in `allow` only lifts the built-in protection.

mod path;
mod policy;
mod protected;

use hookbox_sdk::{Answer, Event, Hook, ToolClass, export};

use path::FilePath;
pub use policy::{Config, Policy};

/// What a tool does with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It reads the file, or searches in it.
    Read,
    /// It creates, changes or removes the file.
    Write,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The person decides.
    Ask,
    /// It does not happen.
    Deny,
}

/// What is decided about a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Whether the person decides or nobody does.
    pub severity: Severity,
    /// The stable code.
    pub code: &'static str,
    /// What the file is, for people.
    pub text: String,
}

/// Judges one file. No decision is no opinion.
pub fn judge(path: &str, cwd: &str, access: Access, policy: &Policy) -> Option<Decision> {
    let file = FilePath::new(path, cwd);
    let name = quote(path);
    let listed = |severity, code, list: &str, pattern: &str| Decision {
        severity,
        code,
        text: format!("`{name}` is on the configured list `{list}` as `{}`", quote(pattern)),
    };
    if let Some(pattern) = policy.deny.find(&file) {
        return Some(listed(Severity::Deny, "path-denied", "deny", pattern));
    }
    if access == Access::Write
        && let Some(pattern) = policy.deny_write.find(&file)
    {
        return Some(listed(Severity::Deny, "path-denied", "deny-write", pattern));
    }
    let is_exempt = policy.allow.find(&file).is_some();
    if policy.defaults
        && !is_exempt
        && let Some(protection) = protected::find(&file, access)
    {
        let verb = if access == Access::Write { "written" } else { "read" };
        let text = format!("`{name}` is {} and is not {verb} by tools", protection.what);
        return Some(Decision { severity: Severity::Deny, code: protection.code, text });
    }
    policy.ask.find(&file).map(|pattern| listed(Severity::Ask, "path-asked", "ask", pattern))
}

/// Judges all the files of a call; the first of the worst decides.
pub fn judge_all(paths: &[String], cwd: &str, access: Access, policy: &Policy) -> Option<Decision> {
    let decisions = paths.iter().filter_map(|path| judge(path, cwd, access, policy));
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
        let policy = Policy::new(&hookbox_sdk::config::<Config>()?)?;
        let Some(tool) = event.tool.filter(|tool| tool.output.is_none()) else {
            return Ok(Answer::none());
        };
        let access = match tool.class {
            ToolClass::FileRead | ToolClass::Search => Access::Read,
            ToolClass::FileWrite => Access::Write,
            _ => return Ok(Answer::none()),
        };
        Ok(match judge_all(&tool.paths, &event.cwd, access, &policy) {
            Some(Decision { severity: Severity::Deny, code, text }) => Answer::deny(code, text),
            Some(Decision { severity: Severity::Ask, code, text }) => Answer::ask(code, text),
            None => Answer::none(),
        })
    }
}

export!(GuardPaths);
