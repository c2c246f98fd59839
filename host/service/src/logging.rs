//! Writes what hookbox traces to standard error, if the program's user asks for it by a variable.

use std::time::{Duration, Instant};

use hookbox_platform::stream::{Standard, Stream};
use thiserror::Error;
use tracing::{level_filters::LevelFilter, subscriber::set_global_default};
use tracing_subscriber::{Layer as _, filter::Targets, fmt, layer::SubscriberExt as _, registry};

/// Variable that turns traces on: a level, or a level for each target.
pub const FILTER: &str = "HOOKBOX_LOG";
/// Variable that chooses the form of traces: `text` or `json`.
pub const FORM: &str = "HOOKBOX_LOG_FORMAT";

/// Target of a level without a target: everything of hookbox, and nothing of the libraries that it is made of.
const OWN: &str = "hookbox";
/// Longest wait for a line to be written. Hooks wait with it.
const LINE_WAITS: Duration = Duration::from_millis(100);

/// A variable for traces has an invalid value: a message for the user.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InvalidTraceVariable {
    /// The value of [`FORM`] is not a form of traces.
    #[error("{variable} is {0:?}; set it to `text` or `json`, or leave it out", variable = FORM)]
    Form(String),
    /// This part of [`FILTER`] is not a level.
    #[error(
        "{variable} has the level {0:?}; levels are off, error, warn, info, debug and trace, as in `{variable}=debug` or \
         `{variable}=hookbox::chain=debug`",
        variable = FILTER
    )]
    Level(String),
}

/// Starts to write traces as these variables say, from all threads of this process. Without [`FILTER`] nothing is written. A process
/// that writes traces already goes on as it does.
///
/// # Errors
///
/// A value is not valid; nothing is written then.
pub fn start<'a>(variable: impl Fn(&str) -> Option<&'a str>) -> Result<(), InvalidTraceVariable> {
    let Some(filter) = variable(FILTER).filter(|value| !value.is_empty()) else { return Ok(()) };
    let targets = parse_targets(filter)?;
    let lines = fmt::layer()
        // The lines are often read from a file or by a program.
        .with_ansi(false)
        .with_writer(|| Stream::with_deadline(Standard::Error, Instant::now() + LINE_WAITS));
    let lines = match variable(FORM) {
        None | Some("" | "text") => lines.boxed(),
        Some("json") => lines.json().boxed(),
        Some(other) => return Err(InvalidTraceVariable::Form(other.to_owned())),
    };
    // Another host of this process may have started them.
    let _started = set_global_default(registry().with(lines.with_filter(targets)));
    Ok(())
}

/// Reads `debug`, or `hookbox::chain=debug,hookbox::sandbox=off`.
fn parse_targets(filter: &str) -> Result<Targets, InvalidTraceVariable> {
    let mut targets = Targets::new();
    for part in filter.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (target, level) = part.split_once('=').unwrap_or((OWN, part));
        let level: LevelFilter =
            level.trim().parse().map_err(|_| InvalidTraceVariable::Level(level.to_owned()))?;
        targets = targets.with_target(target.trim(), level);
    }
    Ok(targets)
}
