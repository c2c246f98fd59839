//! Writes outcomes as Code-Forge's exit code: 0 goes on, any other blocks, and text is the reason. Code-Forge reads nothing else from a
//! hook.

use hookbox_model::{Event, Outcome};

use super::events;
use crate::{Part, Written, wording};

/// The exit code of a block; Code-Forge only distinguishes zero from the rest.
const BLOCKED: u8 = 2;

pub(super) fn write_outcome(event: &Event, outcome: &Outcome) -> Written {
    let mut written = Written::default();
    written.lose_all(outcome, &[Part::Stop, Part::Context, Part::Notice, Part::Rewrite, Part::Extra]);
    // These events report completed actions: nothing can be blocked, and with code 0 Code-Forge's other hooks
    // run.
    if !event.name.traits().block {
        written.lose_all(outcome, &[Part::Deny, Part::Ask]);
        return written;
    }
    // A run cannot be ended, but its next action can be stopped.
    match wording::refusal_or_stop(outcome) {
        Some(reason) => Written { unexpressed: written.unexpressed, ..write_block(&reason) },
        None => written,
    }
}

/// Writes a block if the event can be blocked; else a warning in Code-Forge's log.
pub(super) fn write_failure(event: Option<&str>, message: &str) -> Written {
    let text = wording::format_failure(message);
    let powerless = event.and_then(events::find_row).is_some_and(|row| !row.canonical.traits().block);
    if powerless {
        return Written { stderr: format!("{text}\n"), ..Written::default() };
    }
    write_block(&text)
}

/// Writes a block. A hook's own reason goes to stdout; Code-Forge logs stderr as a warning.
fn write_block(reason: &str) -> Written {
    let line = format!("{reason}\n");
    Written { stdout: line.clone(), stderr: line, exit: BLOCKED, unexpressed: Vec::new() }
}
