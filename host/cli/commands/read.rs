//! From bytes to an event in some agent's dialect.

use std::{
    io::{self, Read},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use hookbox::{
    dialect::{self, Arrival, Dialect, InvalidEvent},
    model::{Event, Json, RawObject},
};

use super::stdin::{self, Stdin};
use crate::{environment, printer::Printer};

/// Largest event that is read, bytes.
const MAX_EVENT_BYTES: u64 = 32 << 20;
/// Most events are smaller than this.
const USUAL_EVENT_BYTES: usize = 16 << 10;

/// Input that is no event of any agent that we know.
pub(super) struct NoEvent {
    /// The dialect, as far as it is known.
    pub(super) dialect: Option<&'static dyn Dialect>,
    /// The agent's name for the event, as far as it is known.
    pub(super) event: Option<String>,
    /// What is wrong.
    pub(super) message: String,
}

/// The dialect named on the command line.
pub(super) fn dialect_named(name: Option<&str>) -> Result<Option<&'static dyn Dialect>, String> {
    let Some(name) = name else { return Ok(None) };
    dialect::named(name).map(Some).ok_or_else(|| {
        let known: Vec<_> = dialect::all().iter().map(|dialect| dialect.name()).collect();
        format!("there is no agent `{name}`; hookbox speaks {}", known.join(", "))
    })
}

/// What the agent says: in variables if that is its way, else on standard input, `within` the time that it waits.
pub(super) fn input(
    dialect: Option<&'static dyn Dialect>,
    within: Option<Duration>,
    printer: &Printer,
) -> Result<Vec<u8>, String> {
    match dialect.and_then(|dialect| dialect.told_in_variables(&environment::text)) {
        Some(told) => Ok(told.into_bytes()),
        None => standard_input(within, printer),
    }
}

/// All of standard input.
pub(super) fn standard_input(within: Option<Duration>, printer: &Printer) -> Result<Vec<u8>, String> {
    stdin::announce(printer);
    bytes(Stdin::within(within))
}

/// All of the input, if it is not too long.
pub(super) fn bytes(input: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(USUAL_EVENT_BYTES);
    let read = input.take(MAX_EVENT_BYTES + 1).read_to_end(&mut bytes);
    let code = InvalidEvent::CODE;
    read.map_err(|error: io::Error| format!("{code}: the event cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_EVENT_BYTES {
        return Err(format!("{code}: the event is longer than {MAX_EVENT_BYTES} bytes"));
    }
    Ok(bytes)
}

/// The event, and the dialect that it came in.
pub(super) fn event(
    bytes: Vec<u8>,
    dialect: Option<&'static dyn Dialect>,
) -> Result<(&'static dyn Dialect, Event), NoEvent> {
    let invalid = |message: String| NoEvent { dialect, event: None, message };
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        invalid(format!("{}: the input is not UTF-8 (byte {at})", InvalidEvent::CODE))
    })?;
    let source = Json::parse_object(&text).map_err(|error| invalid(InvalidEvent::from(error).to_string()))?;
    let dialect = match dialect {
        Some(dialect) => dialect,
        None => detect(&source).ok_or_else(|| invalid(unknown_dialect()))?,
    };
    let event = dialect.read(source, &arrival()).map_err(|error| NoEvent {
        dialect: Some(dialect),
        event: error.event.clone(),
        message: error.to_string(),
    })?;
    Ok((dialect, event))
}

fn detect(source: &Json) -> Option<&'static dyn Dialect> {
    let members: RawObject<'_> = source.members()?;
    dialect::detect(&members)
}

fn unknown_dialect() -> String {
    let known: Vec<_> = dialect::all().iter().map(|dialect| dialect.name()).collect();
    let code = InvalidEvent::CODE;
    format!(
        "{code}: no agent is known that writes such an event; name it with --agent ({})",
        known.join(", ")
    )
}

fn arrival() -> Arrival {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let nanos = since.as_nanos();
    Arrival {
        id: format!("{nanos:x}-{:x}", std::process::id()),
        time: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
        cwd: environment::current_folder().display().to_string(),
    }
}
