//! An answer on its way to the agent. One that does not arrive as a whole is a refusal.

use std::time::{Duration, Instant};

use hookbox::{
    dialect::{Dialect, UNHEARD, Written},
    model::{Event, Outcome, Verdict},
};

use crate::printer::Printer;

/// How long the agent is waited for at least, however late it is.
const LEAST: Duration = Duration::from_secs(1);
/// How long an agent is waited for that does not say how long it waits.
const USUAL: Duration = Duration::from_secs(30);

/// What the agent is to be told.
pub(crate) struct Delivery {
    written: Written,
    /// The exit code if the rest does not arrive.
    unheard: u8,
    /// Is there anything in it that must not be lost?
    matters: bool,
    /// Why something is refused, if it is.
    reason: Option<String>,
    deadline: Instant,
}

impl Delivery {
    /// What a chain came to.
    pub(crate) fn of_outcome(
        dialect: &dyn Dialect,
        event: &Event,
        outcome: &Outcome,
        written: Written,
    ) -> Self {
        let said = !matches!(outcome.verdict, Verdict::None | Verdict::Allow(_));
        let matters = said || outcome.rewrite.is_some() || outcome.stop.is_some();
        let reason = said.then(|| reasons(outcome));
        let unheard = dialect.unheard(Some(&event.agent_event));
        Self { written, unheard, matters, reason, deadline: Instant::now() + USUAL }
    }

    /// What is said without an outcome. Where no dialect is known, by the exit code that most agents understand.
    pub(crate) fn of_failure(dialect: Option<&dyn Dialect>, event: Option<&str>, message: &str) -> Self {
        let written = match dialect {
            Some(dialect) => dialect.write_failure(event, message),
            None => Written { stderr: format!("hookbox: {message}\n"), exit: UNHEARD, ..Written::default() },
        };
        let unheard = dialect.map_or(UNHEARD, |dialect| dialect.unheard(event));
        let reason = Some(message.to_owned());
        Self { written, unheard, matters: true, reason, deadline: Instant::now() + USUAL }
    }

    /// For an agent that waits until then.
    pub(crate) fn until(self, deadline: Instant) -> Self {
        Self { deadline, ..self }
    }

    /// Writes it; the exit code that goes with what has arrived.
    pub(crate) fn deliver(&self, printer: &Printer) -> u8 {
        let Written { stdout, stderr, exit, .. } = &self.written;
        let deadline = self.deadline.max(Instant::now() + LEAST);
        let lost = if self.matters && !stdout.is_empty() && printer.is_unread() {
            Some("it is closed, or forgets what is written to it".to_owned())
        } else {
            printer.answer(stdout, deadline).err().map(|error| error.to_string())
        };
        let Some(why) = lost else {
            printer.reason(stderr);
            return *exit;
        };
        if *exit == 0 {
            printer.reason(&self.without_answer(&why));
            return self.unheard;
        }
        // It says no by itself; why may have been in what is lost.
        if stderr.is_empty() {
            printer.reason(&self.without_answer(&why));
        } else {
            printer.reason(stderr);
        }
        *exit
    }

    /// What standard error says in place of an answer.
    fn without_answer(&self, why: &str) -> String {
        let Written { stderr, .. } = &self.written;
        let reason = match &self.reason {
            _ if !stderr.is_empty() => stderr.trim_end(),
            Some(reason) => reason,
            None => "nothing is allowed that cannot be answered",
        };
        format!("{reason}\nhookbox: the answer could not be written to standard output: {why}\n")
    }
}

/// Which hook said so, and why.
fn reasons(outcome: &Outcome) -> String {
    let said = outcome.reasons.iter().map(|said| format!("{}: {}", said.hook, said.value.text()));
    said.collect::<Vec<_>>().join("\n")
}
