//! How agents write entries below `hooks`, four ways.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::Entry;

/// What is below `hooks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// By event, groups with a matcher, each with its handlers (hook-contracts A.5, B.4, D.1).
    Groups(Unit),
    /// By event, the handlers; beside `hooks` a `version` (D.2).
    Flat(Unit),
    /// The same without a `version`, a `type` or a `timeout` (D.2, Windsurf).
    Bare,
    /// One list of handlers, each with its `event` (F).
    List(Unit),
}

/// What `timeout` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Seconds,
    /// Seconds, called `timeoutSec`.
    TimeoutSec,
    Milliseconds,
}

impl Unit {
    /// The time in this unit, if it is a whole number of them.
    fn count(self, time: Duration) -> Option<u64> {
        let millis = u64::try_from(time.as_millis()).ok()?;
        match self {
            Self::Milliseconds => Some(millis),
            Self::Seconds | Self::TimeoutSec if millis % 1000 == 0 => Some(millis / 1000),
            Self::Seconds | Self::TimeoutSec => None,
        }
    }

    fn key(self) -> &'static str {
        match self {
            Self::Seconds | Self::Milliseconds => "timeout",
            Self::TimeoutSec => "timeoutSec",
        }
    }
}

/// The only version of a [`Shape::Flat`] file that is known.
pub(super) const VERSION: u64 = 1;

impl Shape {
    /// What goes into the innermost list for this event: a group or a handler.
    pub(super) fn entry(self, command: &str, entry: &Entry<'_>) -> Value {
        match self {
            Self::Groups(unit) => json!({ "hooks": [handler("type", "command", command, unit, entry)] }),
            Self::Flat(unit) => handler("type", "command", command, unit, entry),
            Self::Bare => json!({ "command": command }),
            Self::List(unit) => handler("event", entry.event, command, unit, entry),
        }
    }
}

fn handler(key: &str, value: &str, command: &str, unit: Unit, entry: &Entry<'_>) -> Value {
    let mut handler = Map::new();
    handler.insert(key.to_owned(), value.into());
    handler.insert("command".to_owned(), command.into());
    if let Some(timeout) = entry.timeout.and_then(|time| unit.count(time)) {
        handler.insert(unit.key().to_owned(), timeout.into());
    }
    Value::Object(handler)
}
