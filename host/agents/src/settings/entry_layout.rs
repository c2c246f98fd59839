//! Layouts of entries below `hooks`, at the top level, and in TOML.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{AgentSettings, Entry, command::EntryCommand};

/// Layout below `hooks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Groups with a matcher, by event, each with its handlers.
    Groups(Unit),
    /// `Groups` without the enclosing `hooks`, in a file that holds nothing else.
    TopLevel(Unit),
    /// Handlers by event; a `version` next to `hooks`.
    Flat(Unit),
    /// `Flat` without a `version`, a `type` or a `timeout`.
    Bare,
    /// One list of handlers, each with its `event`.
    List(Unit),
    /// TOML: a list of tables, each with its `event`.
    Toml(TomlForm),
    /// A file of hookbox's, which the agent loads as its plugin.
    Plugin,
}

/// Members of a TOML table in addition to its `event`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TomlForm {
    /// `shell`, a table with the `command`.
    Shell,
    /// The `command`, and a `timeout` in seconds.
    Command,
}

/// Unit of `timeout`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Seconds,
    /// Seconds, called `timeoutSec`.
    TimeoutSec,
    Milliseconds,
}

impl Unit {
    /// Returns the time in this unit, if it is a whole number.
    fn convert_time(self, time: Duration) -> Option<u64> {
        let millis = u64::try_from(time.as_millis()).ok()?;
        match self {
            Self::Milliseconds => Some(millis),
            Self::Seconds | Self::TimeoutSec if millis % 1000 == 0 => Some(millis / 1000),
            // Rounding would let the agent give up before hookbox answers, or after its own limit.
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

/// Members of a handler.
pub(super) const COMMAND: &str = "command";
pub(super) const ARGUMENTS: &str = "args";
pub(super) const VARIABLES: &str = "env";

/// The only known version of a [`Shape::Flat`] file.
pub(super) const VERSION: u64 = 1;

impl AgentSettings {
    /// Returns the element of the innermost list for this event: a group or a handler.
    pub(super) fn build_entry(&self, written: &EntryCommand, entry: &Entry<'_>) -> Value {
        let (first, unit) = match self.shape {
            Shape::Groups(unit) | Shape::TopLevel(unit) | Shape::Flat(unit) => {
                (Some(("type", "command")), Some(unit))
            }
            Shape::Bare | Shape::Toml(_) | Shape::Plugin => (None, None),
            Shape::List(unit) => (Some(("event", entry.event)), Some(unit)),
        };
        let mut handler: Map<_, _> =
            first.into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect();
        handler.insert(COMMAND.to_owned(), written.command.clone().into());
        if let Some(arguments) = &written.arguments {
            handler.insert(ARGUMENTS.to_owned(), arguments.clone().into());
        }
        let cleared = self.launch.cleared();
        if !cleared.is_empty() {
            let cleared = cleared.iter().map(|name| ((*name).to_owned(), "".into()));
            handler.insert(VARIABLES.to_owned(), Value::Object(cleared.collect()));
        }
        if let Some((unit, timeout)) = unit.and_then(|unit| Some((unit, unit.convert_time(entry.timeout?)?)))
        {
            handler.insert(unit.key().to_owned(), timeout.into());
        }
        if let Some((name, value)) = self.failure_member(entry.event) {
            handler.insert(name.to_owned(), value);
        }
        match self.shape {
            Shape::Groups(_) | Shape::TopLevel(_) => json!({ "hooks": [handler] }),
            Shape::Flat(_) | Shape::Bare | Shape::List(_) | Shape::Toml(_) | Shape::Plugin => {
                Value::Object(handler)
            }
        }
    }
}
