//! What only a person may do. An agent could take off the limits that others set it, so a person is asked for.

use std::io::{BufRead, Read};

use hookbox_platform::stream::Standard;

use crate::{environment, printer::Printer};

/// Longest answer to a question, bytes.
const MAX_REPLY: u64 = 64;

/// Is it a person who says so? If not: that nothing was done (`undone`: "switched off"), and what a person may do `instead`.
pub(super) fn check(undone: &str, instead: &str) -> Result<(), String> {
    // A terminal is not enough: an agent can make one.
    if !Standard::Input.is_terminal() {
        return Err(format!("nothing was {undone}: this needs a person at a terminal ({instead})"));
    }
    match environment::mark_of_an_agent() {
        Some(mark) => Err(format!(
            "nothing was {undone}: this needs a person, and {mark} says that an agent runs this; use a terminal that no agent \
             has opened ({instead})"
        )),
        None => Ok(()),
    }
}

/// Does an agent run this? A script may do what an agent may not: nobody need be at a terminal.
pub(super) fn is_no_agent(undone: &str) -> Result<(), String> {
    match environment::mark_of_an_agent() {
        Some(mark) => Err(format!(
            "nothing was {undone}: {mark} says that an agent runs this, and an agent does not take itself the limits off; use a \
             terminal that no agent has opened"
        )),
        None => Ok(()),
    }
}

/// Asks; anything but a yes is a no.
pub(super) fn agrees(question: &str, printer: &Printer) -> bool {
    printer.raw_error(&format!("{question} [y/N] "));
    let mut reply = String::new();
    let read = std::io::stdin().lock().take(MAX_REPLY).read_line(&mut reply);
    read.is_ok() && matches!(reply.trim().to_lowercase().as_str(), "y" | "yes")
}
