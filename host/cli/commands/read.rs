//! From bytes to an event in some agent's dialect.

use std::{
    io::{self, Read},
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use hookbox::{
    config::{did_you_mean, nearest, quoted},
    dialect::{self, Arrival, Dialect, InvalidEvent, Sender},
    model::{Event, EventName, Json},
};

use super::stdin::{self, Stdin};
use crate::{
    args::{OwnArgs, SourceArgs},
    environment,
    places::Places,
    printer::Printer,
    setup::Setup,
};

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
    dialect::named(name)
        .map(Some)
        .ok_or_else(|| format!("there is no agent {}; {}", quoted(name), did_you_mean(name, &known())))
}

fn known() -> Vec<&'static str> {
    dialect::all().iter().map(|dialect| dialect.name()).collect()
}

/// An entry names an agent that there is not. Exit codes are a deny for some agents only, so it is refused in the words of
/// whoever sent the event, else of the agent whose name is near.
pub(super) fn misnamed(name: &str, message: String, within: Option<Duration>, printer: &Printer) -> NoEvent {
    let meant = nearest(name, &known()).and_then(dialect::named);
    let Ok(bytes) = input(meant, within, printer) else {
        return NoEvent { dialect: meant, event: None, message };
    };
    let sent = sent_by(&bytes).or(meant);
    let event = match sent.map(|sender| event(bytes, Some(sender))) {
        Some(Ok((_, event))) => Some(event.agent_event),
        Some(Err(none)) => none.event,
        None => None,
    };
    NoEvent { dialect: sent, event, message }
}

fn sent_by(bytes: &[u8]) -> Option<&'static dyn Dialect> {
    let source = Json::parse_object(std::str::from_utf8(bytes).ok()?).ok()?;
    dialect::detect(&source.members()?).dialect()
}

/// What a command looks over: the agent's own files if any is named, else all layers around `project`.
pub(super) fn setup(
    agent: Option<&str>,
    (places, project): (Places, &Path),
    (source, own): (&SourceArgs, &OwnArgs),
) -> Result<Setup, String> {
    match (dialect_named(agent)?, own.files.as_slice()) {
        (_, []) => Ok(Setup::read(places, project, source)),
        (Some(dialect), _) => Ok(Setup::read_for(places, dialect, project, (source, own))),
        (None, _) => Err("say whose file it is: `--agent NAME`".to_owned()),
    }
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
        None => sender(&source).map_err(invalid)?,
    };
    let event = dialect.read(source, &arrival()).map_err(|error| NoEvent {
        dialect: Some(dialect),
        event: error.event.clone(),
        message: error.to_string(),
    })?;
    match other_sender(dialect, &event) {
        Some((sender, message)) => {
            Err(NoEvent { dialect: Some(sender), event: Some(event.agent_event), message })
        }
        None => Ok((dialect, event)),
    }
}

/// An event that the named agent does not have, and that another one sent. No hook would be asked about it, and no guard.
fn other_sender(named: &dyn Dialect, event: &Event) -> Option<(&'static dyn Dialect, String)> {
    if !matches!(event.name, EventName::Custom(_)) {
        return None;
    }
    let sender = dialect::detect(&event.source.members()?).dialect()?;
    let (wrong, right, name) = (named.name(), sender.name(), quoted(&event.agent_event));
    let is_theirs =
        wrong != right && sender.events().iter().any(|(event_name, _)| *event_name == event.agent_event);
    is_theirs.then(|| {
        let code = InvalidEvent::CODE;
        let message = format!(
            "{code}: {name} is an event of {right}, and --agent says {wrong}, which has none of that name; write \
             `hookbox run --agent {right}`"
        );
        (sender, message)
    })
}

/// The dialect of whoever sent this, or what keeps it from being told.
fn sender(source: &Json) -> Result<&'static dyn Dialect, String> {
    let code = InvalidEvent::CODE;
    let known: Vec<_> = match dialect::detect(&source.members().unwrap_or_default()) {
        Sender::Known(dialect) => return Ok(dialect),
        Sender::Ambiguous(senders) => {
            let senders = senders.join(" or ");
            return Err(format!("{code}: the event may come from {senders}; name the agent with --agent"));
        }
        Sender::Unknown => known(),
    };
    let known = known.join(", ");
    Err(format!("{code}: no agent is known that writes such an event; name it with --agent ({known})"))
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
