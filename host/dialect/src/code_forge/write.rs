//! Outcomes as Code-Forge's exit code: 0 goes on, any other blocks, and text says why. It takes nothing else from a hook.

use hookbox_model::{Event, Outcome};

use super::events;
use crate::{Part, Written, wording};

/// The exit code of a block; Code-Forge tells zero from the rest only.
const BLOCKED: u8 = 2;

/// The answer to an event.
pub(super) fn outcome(event: &Event, outcome: &Outcome) -> Written {
    let mut written = Written::default();
    written.lose_all(outcome, &[Part::Stop, Part::Context, Part::Notice, Part::Rewrite, Part::Extra]);
    if !event.name.traits().block {
        written.lose_all(outcome, &[Part::Deny, Part::Ask]);
        return written;
    }
    // A run cannot be ended, but what it was about to do can be stopped.
    match wording::refusal_or_stop(outcome) {
        Some(reason) => Written { unexpressed: written.unexpressed, ..blocked(&reason) },
        None => written,
    }
}

/// A block, where something can be blocked; else a warning in Code-Forge's log.
pub(super) fn failure(event: Option<&str>, message: &str) -> Written {
    let text = wording::failure(message);
    let powerless = event.and_then(events::row).is_some_and(|row| !row.canonical.traits().block);
    if powerless {
        return Written { stderr: format!("{text}\n"), ..Written::default() };
    }
    blocked(&text)
}

/// A hook's own reason goes to stdout; what is on stderr is logged as a warning.
fn blocked(reason: &str) -> Written {
    let line = format!("{reason}\n");
    Written { stdout: line.clone(), stderr: line, exit: BLOCKED, unexpressed: Vec::new() }
}
