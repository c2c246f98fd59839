//! Required fields of events.

use std::{sync::Arc, time::Duration};

use hookbox_model::{EventName, RawObject};

use super::{InvalidEvent, MISSING};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    /// A string that is not empty.
    Name,
    Object,
    List,
    Flag,
    Number,
    /// Anything, `null` too.
    Any,
}

pub(super) type Field = (&'static str, Kind);

impl Kind {
    /// Returns true if this JSON text is of the kind.
    pub(super) fn admits(self, raw: &str) -> bool {
        match (self, raw.as_bytes().first()) {
            (Self::Name, _) if raw == "\"\"" => false,
            // The input was parsed before, so the first byte of a value determines its kind.
            (Self::Any, _)
            | (Self::Text | Self::Name, Some(b'"'))
            | (Self::Object, Some(b'{'))
            | (Self::List, Some(b'['))
            | (Self::Flag, Some(b't' | b'f'))
            | (Self::Number, Some(b'-' | b'0'..=b'9')) => true,
            _ => false,
        }
    }

    /// Returns the expected kind, as it follows "it must be".
    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Name => "a string that is not empty",
            Self::Object => "an object",
            Self::List => "an array",
            Self::Flag => "`true` or `false`",
            Self::Number => "a number",
            Self::Any => "there",
        }
    }
}

/// Checks that all these fields are present and of their kind. The first violation is the error.
pub(super) fn check_fields(
    event: &str,
    members: &RawObject<'_>,
    required: &[Field],
) -> Result<(), InvalidEvent> {
    for (field, kind) in required {
        let problem = match members.get(field) {
            None => format!("{MISSING} it must be {}", kind.expected()),
            Some(value) if kind.admits(value.get()) => continue,
            Some(value) => format!("it is {}, but must be {}", describe_kind(value.get()), kind.expected()),
        };
        return Err(InvalidEvent::for_field(event, field, problem));
    }
    Ok(())
}

/// Returns a string, or `None` if the field is missing or `null`.
pub(super) fn optional_text(
    event: &str,
    members: &RawObject<'_>,
    field: &'static str,
) -> Result<Option<String>, InvalidEvent> {
    match members.get(field) {
        Some(value) if value.get() != "null" => {
            check_fields(event, members, &[(field, Kind::Text)])?;
            Ok(members.get_string(field))
        }
        _ => Ok(None),
    }
}

/// Returns the working directory that the caller names, or `otherwise`.
pub(super) fn read_cwd(
    event: &str,
    members: &RawObject<'_>,
    otherwise: &str,
) -> Result<String, InvalidEvent> {
    read_directory(event, members, "cwd", otherwise)
}

/// Returns the absolute path in `field`, or `otherwise` if the field is absent.
pub(super) fn read_directory(
    event: &str,
    members: &RawObject<'_>,
    field: &'static str,
    otherwise: &str,
) -> Result<String, InvalidEvent> {
    match optional_text(event, members, field)? {
        // A relative folder would be resolved against hookbox's own, which is not the agent's.
        Some(path) if path.starts_with('/') => Ok(path),
        Some(path) if !path.is_empty() => {
            Err(InvalidEvent::for_field(event, field, format!("{path:?} is not an absolute path")))
        }
        _ => Ok(otherwise.to_owned()),
    }
}

/// Reads a `timestamp` in seconds since the Unix epoch (as Python's `time.time()`) as milliseconds; `None` if it is missing or `null`.
pub(super) fn read_timestamp(event: &str, members: &RawObject<'_>) -> Result<Option<u64>, InvalidEvent> {
    let Some(raw) = members.get("timestamp").filter(|value| value.get() != "null") else {
        return Ok(None);
    };
    check_fields(event, members, &[("timestamp", Kind::Number)])?;
    let seconds = raw.get().parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    // Binary fractions differ slightly from the decimal ones that they represent.
    let rounded = seconds.and_then(|time| time.checked_add(Duration::from_micros(500)));
    let problem = "it must be seconds since the Unix epoch";
    rounded
        .and_then(|time| u64::try_from(time.as_millis()).ok())
        .map(Some)
        .ok_or_else(|| InvalidEvent::for_field(event, "timestamp", problem))
}

/// Returns the canonical name of an event that the agent's table does not know; `field` is the member that names it, `noun` the agent's
/// term for it ("an event").
pub(super) fn parse_unknown_event(field: &str, event: &str, noun: &str) -> Result<EventName, InvalidEvent> {
    let problem = || format!("{event:?} is not the name of {noun}");
    parse_custom_event(event).ok_or_else(|| InvalidEvent::for_field("", field, problem()))
}

/// Returns a custom event, if `name` is valid: letters, digits, `_`, `-`, `.` and `:`, at most 128 bytes, and not the name of a known
/// event.
pub(super) fn parse_custom_event(name: &str) -> Option<EventName> {
    // The name is part of messages, logs and variables of hooks, so it holds nothing that needs quoting
    // there.
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_-.:".contains(&b);
    let named = (1..=128).contains(&name.len()) && name.bytes().all(plain);
    (named && EventName::known(name).is_none()).then(|| EventName::Custom(Arc::from(name)))
}

fn describe_kind(raw: &str) -> &'static str {
    match raw.as_bytes().first() {
        Some(b'"') if raw == "\"\"" => "an empty string",
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_or_invalid_field_is_reported_with_its_requirement() {
        let problem = |text: &str, kind| {
            check_fields("E", &RawObject::parse(text).unwrap(), &[("f", kind)]).map_err(|e| e.to_string())
        };
        for (text, kind, expected) in [
            ("{}", Kind::Object, "it is missing; it must be an object"),
            (r#"{"f":null}"#, Kind::Text, "it is null, but must be a string"),
            (r#"{"f":""}"#, Kind::Name, "it is an empty string, but must be a string that is not empty"),
            (r#"{"f":[]}"#, Kind::Object, "it is an array, but must be an object"),
            (r#"{"f":1}"#, Kind::Flag, "it is a number, but must be `true` or `false`"),
            (r#"{"f":true}"#, Kind::Number, "it is a boolean, but must be a number"),
            ("{}", Kind::Any, "it is missing; it must be there"),
        ] {
            let expected = format!("VALIDATION_FAILURE in E, field `f`: {expected}");
            assert_eq!(problem(text, kind), Err(expected));
        }
        assert_eq!(problem(r#"{"f":null}"#, Kind::Any), Ok(()));
    }

    #[test]
    fn a_timestamp_in_seconds_is_read_to_the_millisecond() {
        let read = |text: &str| {
            let text = format!(r#"{{"timestamp":{text}}}"#);
            read_timestamp("E", &RawObject::parse(&text).unwrap()).map_err(|error| error.problem)
        };
        let wrong = "it must be seconds since the Unix epoch";
        for (text, expected) in [
            ("null", Ok(None)),
            ("0", Ok(Some(0))),
            ("1700000000", Ok(Some(1_700_000_000_000))),
            ("1700000000.123", Ok(Some(1_700_000_000_123))),
            ("1.7e9", Ok(Some(1_700_000_000_000))),
            ("-1", Err(wrong.to_owned())),
            ("1e30", Err(wrong.to_owned())),
            ("1e999", Err(wrong.to_owned())),
            ("\"now\"", Err("it is a string, but must be a number".to_owned())),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn a_custom_name_is_short_and_plain_and_never_one_that_hookbox_knows() {
        assert_eq!(parse_custom_event("FutureEvent").unwrap().as_str(), "FutureEvent");
        for name in ["", "tool.before", "a b", "a\u{1b}", &"x".repeat(129)] {
            assert_eq!(parse_custom_event(name), None, "{name:?}");
        }
    }
}
