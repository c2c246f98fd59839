//! Fail-closed entries: the part of an entry that makes a killed, missing or broken hookbox a refusal.
//!
//! Agents treat a hook that fails as a hook without an opinion, unless the entry states otherwise.

use std::time::Duration;

use hookbox_model::EventName;

use super::AgentSettings;
use crate::find_dialect;

/// The longest time that an entry gives hookbox before an action, 60 s: an agent that waits for a stopped hookbox waits no longer.
/// hookbox's own limit for these events is shorter, and ends in a refusal with a reason.
const LONGEST_BEFORE_ACTION: Duration = Duration::from_mins(1);

/// bash exits with 254, in place of the rest of the line, where the system has no process left for hookbox.
const SH_START: &str = "trap '[ $? = 0 ] || exit 2' 0; ";
const SH_END: &str = " || { [ $? = 2 ] || echo 'hookbox gave no answer' >&2; exit 2; }";

/// Mechanism that turns a failure of hookbox into a refusal in one agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailClosed {
    /// The agent refuses without help, or hookbox's plugin in the agent does.
    ByItself,
    /// The agent refuses if the entry has this member, at every event that can be blocked.
    Member {
        name: &'static str,
        /// The value, as JSON.
        value: &'static str,
    },
    /// A shell runs the entry's command line, which the surrounding text makes exit with 2, and the agent refuses at that exit code. The
    /// line of an event has this text only where an action follows the event: exit code 2 at a stop would make the agent go on forever.
    Line(LineFrame),
}

/// The text around hookbox's command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineFrame {
    start: &'static str,
    end: &'static str,
}

impl LineFrame {
    /// A bare line.
    pub(super) const NONE: Self = Self { start: "", end: "" };

    /// Returns the line with the text around it.
    pub fn wrap_line(self, line: &str) -> String {
        format!("{}{line}{}", self.start, self.end)
    }

    /// Returns true if the line has the text around it.
    pub(super) fn is_around(self, line: &str) -> bool {
        let line = line.trim();
        line.starts_with(self.start) && line.ends_with(self.end)
    }

    fn strip_frame(self, line: &str) -> Option<&str> {
        line.strip_prefix(self.start)?.strip_suffix(self.end)
    }
}

impl FailClosed {
    /// A member that Claude Code has had since 2.1.295; older versions are assumed to ignore it.
    pub(crate) const ON_FAILURE: Self = Self::Member { name: "onFailure", value: "\"block\"" };
    /// Cursor's member.
    pub(crate) const FAIL_CLOSED: Self = Self::Member { name: "failClosed", value: "true" };
    /// Frame for `sh` and shells with its syntax. Exit code 2 is hookbox's own deny, which has a reason. The first word is a shell builtin:
    /// Copilot skips an entry whose first word is a file that it cannot execute.
    pub(crate) const SH: Self = Self::Line(LineFrame { start: SH_START, end: SH_END });
    /// Frame for any shell that has `||`, fish included, where standard error must not be empty.
    pub(crate) const ANY_SHELL: Self =
        Self::Line(LineFrame { start: "", end: " || /bin/sh -c 'echo hookbox gave no answer >&2; exit 2'" });
}

/// Returns the command line without the text that makes the entry fail closed. The text differs between agents, and an entry may have been
/// written for another agent, or by an older version.
pub(super) fn without_frame(line: &str) -> &str {
    let line = line.trim();
    let inside = |way| match way {
        FailClosed::Line(frame) => frame.strip_frame(line),
        FailClosed::ByItself | FailClosed::Member { .. } => None,
    };
    // The longer frame first: the end of both is the same.
    let older = ["command ", ""].map(|start| FailClosed::Line(LineFrame { start, end: SH_END }));
    let mut ways = [FailClosed::SH, FailClosed::ANY_SHELL].into_iter().chain(older);
    ways.find_map(inside).unwrap_or(line)
}

impl AgentSettings {
    /// Returns the text around hookbox's command line for this event.
    pub fn line_frame(&self, event: &str) -> LineFrame {
        match self.fail_closed {
            // Exit code 2 at a stop keeps an agent at work: a missing hookbox would then keep it running
            // forever.
            FailClosed::Line(frame) if is_before_action(self.agent, event) => frame,
            _ => LineFrame::NONE,
        }
    }

    /// Returns the member that hookbox's entry for this event needs, with its value.
    pub fn failure_member(&self, event: &str) -> Option<(&'static str, serde_json::Value)> {
        match self.fail_closed {
            FailClosed::Member { name, value } if can_be_blocked(self.agent, event) => {
                Some((name, serde_json::from_str(value).unwrap_or_default()))
            }
            _ => None,
        }
    }
}

/// Returns the timeout that an entry of this agent states for an event; `default` is the agent's own.
pub fn entry_timeout(agent: &str, event: &str, default: Duration) -> Duration {
    if is_before_action(agent, event) { default.min(LONGEST_BEFORE_ACTION) } else { default }
}

/// Returns the canonical events of an agent's event name that can be blocked.
fn list_blockable(agent: &str, event: &str) -> Vec<EventName> {
    let Some(dialect) = find_dialect(agent) else { return Vec::new() };
    let of_name = dialect.events().into_iter().filter(|(name, _)| *name == event);
    of_name
        .filter(|(name, canonical)| dialect.support(name, canonical).block)
        .map(|(_, event)| event)
        .collect()
}

fn can_be_blocked(agent: &str, event: &str) -> bool {
    !list_blockable(agent, event).is_empty()
}

/// Returns true where a refusal keeps an action from happening, rather than keeping the agent at work.
pub(super) fn is_before_action(agent: &str, event: &str) -> bool {
    list_blockable(agent, event).iter().any(|event| event.traits().moment.is_before_action())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{all_settings, find_settings};

    #[test]
    fn every_agent_refuses_a_tool_call_when_hookbox_fails() {
        for settings in all_settings() {
            let before_tool = settings
                .usual
                .iter()
                .filter(|event| list_blockable(settings.agent, event).contains(&EventName::ToolBefore));
            for event in before_tool {
                let closes = settings.fail_closed == FailClosed::ByItself
                    || settings.line_frame(event) != LineFrame::NONE
                    || settings.failure_member(event).is_some();
                assert!(closes, "{}: {event}", settings.agent);
            }
        }
    }

    #[test]
    fn an_agent_does_not_wait_minutes_before_an_action() {
        let (long, short) = (Duration::from_mins(10), Duration::from_secs(30));
        let minute = Duration::from_mins(1);
        assert_eq!(entry_timeout("claude-code", "PreToolUse", long), minute);
        assert_eq!(entry_timeout("claude-code", "PreToolUse", short), short);
        assert_eq!(entry_timeout("claude-code", "Stop", long), long);
    }

    #[test]
    fn a_stop_is_not_refused_by_an_exit_code() {
        for settings in all_settings() {
            for event in settings.usual {
                let is_stop =
                    find_dialect(settings.agent).unwrap().events().iter().any(|(name, canonical)| {
                        name == event && matches!(canonical, EventName::AgentStop | EventName::SubagentStop)
                    });
                assert!(
                    !is_stop || settings.line_frame(event) == LineFrame::NONE,
                    "{}: {event}",
                    settings.agent
                );
            }
        }
    }

    #[test]
    fn a_line_is_read_without_the_words_around_it() {
        for agent in ["codex", "copilot", "gemini-cli"] {
            let settings = find_settings(agent).unwrap();
            let event =
                settings.usual.iter().find(|event| settings.line_frame(event) != LineFrame::NONE).unwrap();
            let line = settings.line_frame(event).wrap_line(&format!("/opt/hookbox run --agent {agent}"));
            assert_eq!(without_frame(&format!("{line}\n")), format!("/opt/hookbox run --agent {agent}"));
        }
        assert_eq!(without_frame("hookbox run || exit 1"), "hookbox run || exit 1");
        for older in ["command hookbox run", "hookbox run"] {
            assert_eq!(without_frame(&format!("{older}{SH_END}")), "hookbox run");
        }
    }

    /// bash tries again for 15 seconds.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_shell_without_a_process_for_hookbox_refuses() {
        let FailClosed::Line(frame) = FailClosed::SH else { panic!("not a line") };
        let line = frame.wrap_line("/bin/echo ran");
        for shell in ["sh", "bash"] {
            let ran = run_without_processes(&[shell, "-c", &line]);
            assert_eq!((ran.status.code(), ran.stdout), (Some(2), Vec::new()), "{shell}");
        }
    }

    /// Runs a program that cannot start others, as an ordinary user, since the limit does not bind root.
    #[cfg(target_os = "linux")]
    #[expect(clippy::disallowed_methods, reason = "a shell is tested")]
    fn run_without_processes(words: &[&str]) -> std::process::Output {
        use std::process::Command;

        let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
        let user: &[_] =
            if is_root { &["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] } else { &["env"] };
        let (program, options) = user.split_first().unwrap();
        Command::new(program).args(options).args(["prlimit", "--nproc=0"]).args(words).output().unwrap()
    }
}
