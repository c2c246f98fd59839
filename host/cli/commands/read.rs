//! What an agent sent, as bytes.

use std::{
    io::{self, Read},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use hookbox::{
    MAX_EVENT_BYTES,
    dialect::{self, Arrival, Dialect, InvalidEvent},
};

use super::stdin::{self, Stdin};
use crate::{environment, printer::Printer};

/// Most events are smaller than this.
const USUAL_EVENT_BYTES: usize = 16 << 10;

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
    let read = input.take(MAX_EVENT_BYTES as u64 + 1).read_to_end(&mut bytes);
    let code = InvalidEvent::CODE;
    read.map_err(|error: io::Error| format!("{code}: the event cannot be read: {error}"))?;
    if bytes.len() > MAX_EVENT_BYTES {
        return Err(format!("{code}: the event is longer than {MAX_EVENT_BYTES} bytes"));
    }
    Ok(bytes)
}

/// What the bytes of an event do not tell.
pub(super) fn arrival() -> Arrival {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let nanos = since.as_nanos();
    Arrival {
        id: format!("{nanos:x}-{:x}", std::process::id()),
        time: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
        cwd: environment::current_folder().display().to_string(),
    }
}
