//! An answer on its way to the agent. One that does not arrive as a whole is a refusal.

use std::time::{Duration, Instant};

use hookbox::{Response, dialect::Written};

use crate::printer::Printer;

/// How long the agent is waited for at least, however late it is.
const LEAST: Duration = Duration::from_secs(1);
/// How long an agent is waited for that does not say how long it waits.
const USUAL: Duration = Duration::from_secs(30);

/// What the agent is to be told, and until when.
pub(crate) struct Delivery {
    response: Response,
    deadline: Instant,
}

impl From<Response> for Delivery {
    fn from(response: Response) -> Self {
        Self { response, deadline: Instant::now() + USUAL }
    }
}

impl Delivery {
    /// For an agent that waits until then.
    pub(crate) fn until(self, deadline: Instant) -> Self {
        Self { deadline, ..self }
    }

    /// Writes it; the exit code that goes with what has arrived.
    pub(crate) fn deliver(&self, printer: &Printer) -> u8 {
        let Response { written: Written { stdout, stderr, exit, .. }, unheard, matters, .. } = &self.response;
        let deadline = self.deadline.max(Instant::now() + LEAST);
        let lost = if *matters && !stdout.is_empty() && printer.is_unread() {
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
            return *unheard;
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
        let Written { stderr, .. } = &self.response.written;
        let reason = match &self.response.reason {
            _ if !stderr.is_empty() => stderr.trim_end(),
            Some(reason) => reason,
            None => "nothing is allowed that cannot be answered",
        };
        format!("{reason}\nhookbox: the answer could not be written to standard output: {why}\n")
    }
}
