//! A dialect that is one table: what each event is called and carries, and which member of the answer says what.
//! For agents that differ in words only; one that needs more has code of its own.

pub(super) mod answer;
mod flat;
mod heeds;
mod read;
mod row;
mod tool;
mod write;

use std::time::Duration;

use hookbox_model::{Event, EventName, Json, Outcome, RawObject};

pub(super) use self::{
    answer::{Decision, Says, TableControl, Tell},
    heeds::{Heeds, event},
    read::{Found, find, inside},
    row::{EventRow, Reading, TableEvent, When, named, row},
    tool::Naming,
};
use super::{Arrival, Dialect, EventSupport, InvalidEvent, Written};

/// How long these agents wait; where a contract names no time, the time that the others name.
const PATIENCE: Duration = Duration::from_secs(30);

/// One agent.
#[derive(Debug)]
pub(super) struct TableDialect {
    /// Its name in hookbox.
    pub(super) name: &'static str,
    /// What it calls what every event has.
    pub(super) words: Words,
    /// Its events. Of rows with one name the first counts whose condition holds.
    pub(super) rows: &'static [TableEvent],
    /// What is said to an event that is not among them; its control must be one that denies.
    pub(super) unknown: Says,
    /// Is its standard output JSON?
    pub(super) json: bool,
}

/// What an agent calls what every event has. Two spellings are equal if the agent has one only.
#[derive(Debug)]
pub(super) struct Words {
    /// The event's name.
    pub(super) event: &'static str,
    /// The session.
    pub(super) session: (&'static str, &'static str),
    /// The working directory.
    pub(super) folder: &'static str,
    /// The folders of the workspace; the first is the working directory of an event without one.
    pub(super) roots: &'static str,
    /// What a tool returned; the first that is there.
    pub(super) outputs: &'static [&'static str],
    /// The name of an event that does not tell it.
    pub(super) infer: fn(&RawObject<'_>) -> Option<&'static str>,
    /// When an event was.
    pub(super) time: Time,
    /// Is a member that is `null` there?
    pub(super) nulls: bool,
    /// What an event's name is the name of.
    pub(super) noun: &'static str,
    /// How an event is read that the table does not know.
    pub(super) unknown: Reading,
}

/// When an event was.
#[derive(Clone, Copy, Debug)]
pub(super) enum Time {
    /// When it arrived.
    OfArrival,
    /// What `timestamp` says: a date.
    Date,
    /// The same, or milliseconds since the Unix epoch, as a number or as text.
    DateOrMilliseconds,
}

impl Words {
    /// Claude Code's, which many have copied.
    pub(super) const CLAUDE_CODE: Self = Self {
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
    /// The same, read as Claude Code's own input is.
    pub(super) const HOOK_INPUT: Self =
        Self { time: Time::OfArrival, unknown: Reading::HOOK_INPUT, ..Self::CLAUDE_CODE };
}

impl TableDialect {
    /// The row of an event that was read.
    fn row_of(&self, name: &str, canonical: &EventName) -> Option<&'static TableEvent> {
        self.rows.iter().find(|row| row.is_called(name) && row.canonical == *canonical)
    }

    /// What can be said to an event of this name, whatever it holds.
    fn says(&self, name: Option<&str>) -> &Says {
        let row = self.rows.iter().find(|row| name.is_some_and(|name| row.is_called(name)));
        row.map_or(&self.unknown, |row| &row.says)
    }
}

impl Dialect for TableDialect {
    fn name(&self) -> &'static str {
        self.name
    }

    fn events(&self) -> Vec<(&'static str, EventName)> {
        let names = |row: &'static TableEvent| row.names().map(|name| (name, row.canonical.clone()));
        self.rows.iter().flat_map(names).collect()
    }

    fn read(&self, source: Json, arrival: &Arrival) -> Result<Event, InvalidEvent> {
        find(&self.words, self.rows, &source)?.event(self.name, arrival)
    }

    fn write(&self, event: &Event, outcome: &Outcome) -> Written {
        let row = self.row_of(&event.agent_event, &event.name);
        write::outcome(self, row.map_or(&self.unknown, |row| &row.says), event, outcome)
    }

    fn write_failure(&self, event: Option<&str>, message: &str) -> Written {
        write::failure(self.says(event), message)
    }

    fn support(&self, event: &str, canonical: &EventName) -> EventSupport {
        self.row_of(event, canonical).map_or_else(|| EventSupport::of(canonical), TableEvent::support)
    }

    fn patience(&self, _: &EventName) -> Duration {
        PATIENCE
    }
}

#[cfg(test)]
mod tests {
    use super::{super::*, *};

    fn tables() -> [&'static TableDialect; 10] {
        [
            &cursor::CURSOR,
            &copilot::COPILOT,
            &windsurf::WINDSURF,
            &cline::CLINE,
            &amazon_q::AMAZON_Q,
            &qwen_code::QWEN_CODE,
            &droid::DROID,
            &kimi_code::KIMI_CODE,
            &openhands::OPENHANDS,
            &opencode::OPENCODE,
        ]
    }

    #[test]
    fn no_table_can_do_more_than_the_canonical_event_can() {
        for table in tables() {
            for row in table.rows {
                let (moment, support) = (row.canonical.moment(), row.support());
                let who = format!("{} {}", table.name, row.name);
                assert!(moment.block || !support.block, "{who}: block");
                assert!(moment.context || !support.context, "{who}: context");
                assert!(moment.rewrite.is_some() || !support.rewrite, "{who}: rewrite");
            }
        }
    }

    #[test]
    fn whatever_no_table_knows_can_be_refused() {
        for table in tables() {
            assert!(table.unknown.denies(), "{}", table.name);
        }
    }
}
