//! Field names of the members that every event has.

use std::time::UNIX_EPOCH;

use hookbox_model::RawObject;

use super::row::Reading;

/// Field names of the members that every event has. Two spellings are equal if the agent has only one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    pub(crate) event: &'static str,
    pub(crate) session: (&'static str, &'static str),
    /// The working directory.
    pub(crate) folder: &'static str,
    /// The folders of the workspace; the first is the working directory of an event without one.
    pub(crate) roots: &'static str,
    /// Members for a tool's result; the first that is present counts.
    pub(crate) outputs: &'static [&'static str],
    /// Infers the name of an event that does not contain it.
    pub(crate) infer: fn(&RawObject<'_>) -> Option<&'static str>,
    pub(crate) time: Time,
    /// True if a member counts whose value is `null`.
    pub(crate) nulls: bool,
    /// The agent's term for an event, with its article.
    pub(crate) noun: &'static str,
    /// Reading of an event that the table does not know.
    pub(crate) unknown: Reading,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Time {
    OfArrival,
    /// `timestamp`, a date.
    Date,
    /// `timestamp`, a date or milliseconds since the Unix epoch, as a number or as text.
    DateOrMilliseconds,
}

impl Words {
    /// Claude Code's, which many have copied.
    pub(crate) const CLAUDE_CODE: Self = Self {
        event: "hook_event_name",
        session: ("session_id", "session_id"),
        folder: "cwd",
        roots: "",
        outputs: &["tool_response"],
        infer: |_| None,
        time: Time::DateOrMilliseconds,
        nulls: true,
        noun: "an event",
        unknown: Reading::PLAIN,
    };
    /// `CLAUDE_CODE`, with unknown events read as hook input and the time taken from the arrival.
    pub(crate) const HOOK_INPUT: Self =
        Self { time: Time::OfArrival, unknown: Reading::HOOK_INPUT, ..Self::CLAUDE_CODE };
}

impl Time {
    /// Returns the agent's `timestamp`, if it has a readable one. The member stays in the payload too.
    pub(super) fn read_timestamp(self, top: &RawObject<'_>) -> Option<u64> {
        let text = top.get_string("timestamp");
        let date = |text: &str| humantime::parse_rfc3339(text).ok()?.duration_since(UNIX_EPOCH).ok();
        let date = |text: &str| u64::try_from(date(text)?.as_millis()).ok();
        match (self, text) {
            (Self::OfArrival, _) | (Self::Date, None) => None,
            (Self::Date, Some(text)) => date(&text),
            (Self::DateOrMilliseconds, None) => top.get("timestamp")?.get().parse().ok(),
            (Self::DateOrMilliseconds, Some(text)) => text.parse().ok().or_else(|| date(&text)),
        }
    }
}
