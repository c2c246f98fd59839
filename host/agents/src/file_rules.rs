//! What an agent requires of its hook file. An agent that reads a file by a fixed schema discards the whole file for one value that does
//! not fit, so that none of its hooks runs. The requirements are tables, one per agent, next to the rest of what is known of the agent;
//! docs/reference/agents has the source of each.

use serde_json::{Map, Value};

use crate::settings::Shape;

/// Requirements of one agent. A file that misses one is discarded as a whole; a requirement that is not known is not in the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileRules {
    /// True if a byte order mark before the text makes the file unreadable.
    pub(crate) refuses_mark: bool,
    /// The only members of the file, if others are refused.
    pub(crate) root: Option<&'static [&'static str]>,
    /// True if an event that the agent does not know is refused, and not only skipped.
    pub(crate) known_events: bool,
    /// The members of a group: a matcher with its list of hooks.
    pub(crate) group: Members,
    pub(crate) hook: Members,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Members {
    pub(crate) each: &'static [Member],
    /// True if other members are refused.
    pub(crate) only: bool,
    /// First step that the user can take to fix the problem.
    pub(crate) help: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    name: &'static str,
    kind: Kind,
    need: Requirement,
    takes_null: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Text,
    Number,
    /// A number without a fraction that is not negative; `15.0` is not one.
    Count,
    Flag,
    List,
    Object,
}

/// Conditions under which a member is required.
#[derive(Clone, Copy, Debug)]
enum Requirement {
    Optional,
    Required,
    /// In a hook of this `type`.
    OfType(&'static str),
}

/// The reason for which an agent discards a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileFault {
    /// The value at fault: `hooks.Stop[0].matcher`; empty for the file itself.
    pub(crate) place: String,
    /// The requirement that it misses.
    pub(crate) problem: String,
}

/// The form of the checked file, and the events that its agent knows.
#[derive(Clone, Copy)]
pub(crate) struct CheckedForm<'a> {
    pub(crate) shape: Shape,
    pub(crate) knows_event: &'a dyn Fn(&str) -> bool,
    /// Members next to the events that are something else.
    pub(crate) skipped: &'a [&'a str],
}

impl FileRules {
    /// Without any requirement.
    pub(crate) const NONE: Self = Self {
        refuses_mark: false,
        root: None,
        known_events: false,
        group: Members::ANY,
        hook: Members::ANY,
    };

    /// Returns the first requirement that the file misses, in the order of the file.
    pub(crate) fn find_fault(&self, file: &Value, of: CheckedForm<'_>) -> Option<FileFault> {
        let Some(root) = file.as_object() else { return self.wrong_root() };
        if matches!(of.shape, Shape::TopLevel(_)) {
            return self.find_event_fault("", root, of);
        }
        if let Some(key) = self.root.and_then(|only| root.keys().find(|key| !only.contains(&key.as_str()))) {
            let only = self.root.unwrap_or_default().join("`, `");
            return make_fault(key, format!("is not a member that the agent knows (it takes `{only}`)"));
        }
        let hooks = root.get("hooks")?;
        match (of.shape, hooks) {
            (Shape::List(_) | Shape::Toml(_), Value::Array(hooks)) => {
                self.find_hook_fault("hooks", hooks, of)
            }
            (Shape::List(_) | Shape::Toml(_), _) => self.make_type_fault("hooks", "a list"),
            (_, Value::Object(events)) => self.find_event_fault("hooks.", events, of),
            // Where types are not known to count, `null` may mean that the file has no hooks.
            (_, Value::Null) if !self.is_typed() => None,
            _ => self.make_type_fault("hooks", "an object"),
        }
    }

    fn wrong_root(&self) -> Option<FileFault> {
        self.is_typed().then(|| FileFault { place: String::new(), problem: "is not an object".to_owned() })
    }

    /// Returns true if types of values are known to count.
    fn is_typed(&self) -> bool {
        !self.hook.each.is_empty()
    }

    fn make_type_fault(&self, place: &str, wanted: &str) -> Option<FileFault> {
        self.is_typed().then(|| make_fault(place, format!("is not {wanted}"))).flatten()
    }

    fn find_event_fault(
        &self,
        before: &str,
        events: &Map<String, Value>,
        of: CheckedForm<'_>,
    ) -> Option<FileFault> {
        let events = events.iter().filter(|(event, _)| !of.skipped.contains(&event.as_str()));
        events.into_iter().find_map(|(event, list)| {
            let place = format!("{before}{event}");
            if !(of.knows_event)(event) {
                return self
                    .known_events
                    .then(|| make_fault(&place, "is not a known event of the agent"))
                    .flatten();
            }
            let Some(list) = list.as_array() else { return self.make_type_fault(&place, "a list") };
            if matches!(of.shape, Shape::Groups(_) | Shape::TopLevel(_)) {
                self.find_group_fault(&place, list, of)
            } else {
                self.find_hook_fault(&place, list, of)
            }
        })
    }

    fn find_group_fault(&self, place: &str, groups: &[Value], of: CheckedForm<'_>) -> Option<FileFault> {
        groups.iter().enumerate().find_map(|(at, group)| {
            let place = format!("{place}[{at}]");
            self.group.find_fault(&place, group).or_else(|| {
                let hooks = group.get("hooks").and_then(Value::as_array)?;
                self.find_hook_fault(&format!("{place}.hooks"), hooks, of)
            })
        })
    }

    fn find_hook_fault(&self, place: &str, hooks: &[Value], of: CheckedForm<'_>) -> Option<FileFault> {
        hooks.iter().enumerate().find_map(|(at, hook)| {
            let place = format!("{place}[{at}]");
            let event = hook.get("event").and_then(Value::as_str);
            let is_unknown = |event: &str| self.known_events && !(of.knows_event)(event);
            self.hook.find_fault(&place, hook).or_else(|| {
                // In a list each hook names its event, so an unknown one is found here and not among the
                // keys.
                event.filter(|event| is_unknown(event))?;
                make_fault(&format!("{place}.event"), "is not a known event of the agent")
            })
        })
    }
}

impl Members {
    /// Without any requirement.
    const ANY: Self = Self { each: &[], only: false, help: "" };

    /// These, and any others.
    pub(crate) const fn with(each: &'static [Member], help: &'static str) -> Self {
        Self { each, only: false, help }
    }

    /// These and no others.
    pub(crate) const fn only(each: &'static [Member], help: &'static str) -> Self {
        Self { each, only: true, help }
    }

    fn find_fault(&self, place: &str, value: &Value) -> Option<FileFault> {
        if self.each.is_empty() {
            return None;
        }
        let Some(members) = value.as_object() else {
            return make_fault(place, format!("is not an object{}", self.hint()));
        };
        let unknown =
            |key: &&String| self.only && !self.each.iter().any(|member| member.name == key.as_str());
        if let Some(key) = members.keys().find(unknown) {
            return make_fault(&format!("{place}.{key}"), "is not a member that the agent knows");
        }
        self.each.iter().find_map(|member| match members.get(member.name) {
            None if member.is_required(members) => {
                make_fault(place, format!("has no `{}`{}", member.name, self.hint()))
            }
            None => None,
            Some(Value::Null) if member.takes_null => None,
            Some(value) if member.kind.matches_value(value) => None,
            Some(_) => {
                make_fault(&format!("{place}.{}", member.name), format!("is not {}", member.kind.name()))
            }
        })
    }

    fn hint(&self) -> String {
        if self.help.is_empty() { String::new() } else { format!(" ({})", self.help) }
    }
}

impl Member {
    /// One that may be missing.
    pub(crate) const fn optional(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, need: Requirement::Optional, takes_null: false }
    }

    /// One that may not be missing.
    pub(crate) const fn required(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, need: Requirement::Required, takes_null: false }
    }

    /// One that a hook of this `type` needs.
    pub(crate) const fn of_type(self, name: &'static str) -> Self {
        Self { need: Requirement::OfType(name), ..self }
    }

    /// One that may be `null`, too.
    pub(crate) const fn or_null(self) -> Self {
        Self { takes_null: true, ..self }
    }

    fn is_required(&self, members: &Map<String, Value>) -> bool {
        match self.need {
            Requirement::Optional => false,
            Requirement::Required => true,
            Requirement::OfType(kind) => members.get("type").and_then(Value::as_str) == Some(kind),
        }
    }
}

impl Kind {
    fn matches_value(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Number => value.is_number(),
            // serde refuses a number with a fraction for an integer, even `15.0`.
            Self::Count => value.is_u64(),
            Self::Flag => value.is_boolean(),
            Self::List => value.is_array(),
            Self::Object => value.is_object(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Number => "a number",
            Self::Count => "a whole number",
            Self::Flag => "`true` or `false`",
            Self::List => "a list",
            Self::Object => "an object",
        }
    }
}

impl FileFault {
    /// The byte order mark before the text.
    pub(crate) fn byte_order_mark() -> Self {
        Self { place: String::new(), problem: "begins with a byte order mark (U+FEFF)".to_owned() }
    }
}

impl std::fmt::Display for FileFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { place, problem } = self;
        if place.is_empty() { write!(f, "the file {problem}") } else { write!(f, "`{place}` {problem}") }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "each caller returns it")]
fn make_fault(place: &str, problem: impl Into<String>) -> Option<FileFault> {
    Some(FileFault { place: place.to_owned(), problem: problem.into() })
}
