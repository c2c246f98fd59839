//! Delivers an answer to the agent. An incomplete answer becomes a refusal.

use std::time::{Duration, Instant};

use hookbox::{Response, agents::Written};

use crate::printer::Printer;

/// Minimum time to wait for the agent, however late it is.
const LEAST: Duration = Duration::from_secs(1);
/// Time to wait for an agent without a known timeout.
const USUAL: Duration = Duration::from_secs(30);

/// The answer for the agent, and its deadline.
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
    pub(crate) fn with_deadline(self, deadline: Instant) -> Self {
        Self { deadline, ..self }
    }

    /// Writes the answer; returns the exit code that fits the part that has arrived.
    pub(crate) fn deliver(&self, printer: &Printer) -> u8 {
        let Response {
            written: Written { stdout, stderr, exit, .. }, fallback_exit_code, must_deliver, ..
        } = &self.response;
        let deadline = self.deadline.max(Instant::now() + LEAST);
        // Rust replaces a closed standard output by the null device, to which every write succeeds.
        let lost = if *must_deliver && !stdout.is_empty() && printer.is_unread() {
            Some("it is closed, or discards its input".to_owned())
        } else {
            printer.write_answer(stdout, deadline).err().map(|error| error.to_string())
        };
        // The answer comes first: an agent may read standard output to its end before it reads standard error.
        let Some(why) = lost else {
            printer.write_reason(stderr);
            return *exit;
        };
        // Code 0 without an answer would be an approval.
        if *exit == 0 {
            printer.write_reason(&self.without_answer(&why));
            return *fallback_exit_code;
        }
        // The code denies by itself; the reason may have been in the lost output.
        if stderr.is_empty() {
            printer.write_reason(&self.without_answer(&why));
        } else {
            printer.write_reason(stderr);
        }
        *exit
    }

    /// Returns the text for standard error in place of an answer.
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
