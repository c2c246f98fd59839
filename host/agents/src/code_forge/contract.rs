//! Input of Code-Forge's hooks, and the meaning of their exit (docs/reference/agents/code-forge.md).

use hookbox_core::interfaces::{Call, Contract, ProcessEnd};
use hookbox_model::{Answer, Exit, Failure, FailureCode, LogLevel, Reason, Verdict, bounded_text};

use super::variables::build_variables;

/// Short names that Code-Forge's examples use for variables of the event.
const SHORT: [(&str, &str); 3] =
    [("EVENT_TYPE", "FORGE_EVENT"), ("TOOL_NAME", "FORGE_TOOL_NAME"), ("TOOL_ARGS", "FORGE_TOOL_ARGS")];

/// Code-Forge's contract with its hooks. A hook is called by its pattern, which its block names.
#[derive(Debug)]
pub(super) struct ForgeContract {
    /// True if the operation continues where a hook has no exit code of its own: a signal ended it, or the shell found no command.
    pub(super) goes_on: bool,
}

/// Exit codes of a shell that cannot run a command: it may not be executed, or is not there.
const NOT_RUN: [i32; 2] = [126, 127];

impl Contract for ForgeContract {
    fn id(&self) -> String {
        if self.goes_on { "code-forge goes on".to_owned() } else { "code-forge".to_owned() }
    }

    /// Returns the event as received: no hook changes it.
    fn event(&self, call: &Call<'_>) -> String {
        call.event.source.as_str().to_owned()
    }

    fn variables(&self, call: &Call<'_>) -> Result<Vec<(String, String)>, Failure> {
        let event_variables = build_variables(call.event);
        let mut event_variables =
            event_variables.map_err(|error| Failure::new(FailureCode::Spawn, &error.to_string()))?;
        let value = |long: &str| {
            event_variables.iter().find(|(name, _)| name == long).map(|(_, value)| value.clone())
        };
        let short = SHORT.map(|(short, long)| Some((short.to_owned(), value(long)?)));
        event_variables.extend(short.into_iter().flatten());
        Ok(event_variables)
    }

    fn is_spoken(&self) -> bool {
        !self.goes_on
    }

    /// Code-Forge's documentation has standard error logged as warnings.
    fn stderr_level(&self) -> LogLevel {
        LogLevel::Warn
    }

    /// Interprets the exit code; a process that a signal ended has the signal's negative as code. The output of a hook that blocks is
    /// part of the reason: Code-Forge returns it next to the code.
    fn end(&self, call: &Call<'_>, end: &ProcessEnd<'_>) -> Result<Answer, Failure> {
        let code = match end.exit {
            Exit::Code(0) => return Ok(Answer::default()),
            // These codes are the shell's, not the hook's: the hook never ran.
            Exit::Code(code) if self.goes_on && NOT_RUN.contains(&code) => return Err(end.failure()),
            Exit::Signal(_) if self.goes_on => return Err(end.failure()),
            Exit::Code(code) => code,
            // Python's `subprocess` has the signal's negative as return code, and Code-Forge's message shows
            // it.
            Exit::Signal(signal) => -signal,
        };
        let stdout = String::from_utf8_lossy(end.stdout);
        let printed = [stdout.trim(), end.stderr.trim()].into_iter().find(|text| !text.is_empty());
        let printed = printed.map(|text| format!("\n{}", bounded_text(text))).unwrap_or_default();
        let reason = format!("Operation blocked by hook '{}': exit code {code}{printed}", call.hook);
        Ok(Answer { verdict: Verdict::Deny(Reason::new("", &reason)), ..Answer::default() })
    }
}
