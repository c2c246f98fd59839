//! Dialects that are one table: the name and members of each event, and the members of its answer. For agents that differ in names only; an
//! agent with other differences has code of its own.

pub(super) mod answer;
mod read;
mod row;
mod support;
mod tool;
mod unknown;
mod words;
mod write;

use std::{path::PathBuf, time::Duration};

use hookbox_model::{Event, EventName, Json, Outcome};

pub(super) use self::{
    answer::{AnswerFields, Decision, TableControl, TextTarget},
    read::{IdentifiedEvent, find_event, read_nested},
    row::{EventCondition, EventRow, Reading, TableEvent, find_form, find_row, row},
    support::{Support, event},
    tool::{Tool, ToolMembers},
    words::{Time, Words},
};
use super::{Dialect, EventSupport, InvalidEvent, ReadContext, Written, synthesize::EventForm};

/// Agent timeout of these agents; where a contract states no time, the time of the others.
const AGENT_TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(super) struct TableDialect {
    /// The agent's name in hookbox.
    pub(super) name: &'static str,
    /// Names of the members that every event has.
    pub(super) words: Words,
    /// Events of the agent. Of rows with one name, the first whose condition holds counts.
    pub(super) rows: &'static [TableEvent],
    /// Answer fields for an event that is not listed; the control must be one that denies.
    pub(super) unknown: AnswerFields,
    /// True if the agent parses standard output as JSON.
    pub(super) json: bool,
}

impl TableDialect {
    /// Creates a dialect with Claude Code's members, whose agent parses JSON and is blocked by exit code 2 at an unlisted event.
    pub(super) const fn new(name: &'static str, rows: &'static [TableEvent]) -> Self {
        Self { name, words: Words::CLAUDE_CODE, rows, unknown: AnswerFields::GATE, json: true }
    }

    fn row_of(&self, name: &str, canonical: &EventName) -> Option<&'static TableEvent> {
        self.rows.iter().find(|row| row.is_called(name) && row.canonical == *canonical)
    }

    /// Returns the possible answers to an event of this name, regardless of its content.
    fn find_answer_fields(&self, name: Option<&str>) -> &AnswerFields {
        // Rows of one name have the same control, so the first one is as good as any.
        let row = self.rows.iter().find(|row| name.is_some_and(|name| row.is_called(name)));
        row.map_or(&self.unknown, |row| &row.answer)
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

    fn read(&self, source: Json, arrival: &ReadContext) -> Result<Event, InvalidEvent> {
        find_event(&self.words, self.rows, &source)?.build_event(self.name, arrival)
    }

    fn write(&self, event: &Event, outcome: &Outcome) -> Written {
        let row = self.row_of(&event.agent_event, &event.name);
        write::write_outcome(self, row.map_or(&self.unknown, |row| &row.answer), event, outcome)
    }

    fn write_failure(&self, event: Option<&str>, message: &str) -> Written {
        write::write_failure(self.find_answer_fields(event), message)
    }

    fn support(&self, event: &str, canonical: &EventName) -> EventSupport {
        self.row_of(event, canonical)
            .map_or_else(|| EventSupport::from_canonical(canonical), TableEvent::support)
    }

    fn event_form(&self, event: &str, canonical: &EventName) -> Option<EventForm> {
        let row = self.row_of(event, canonical)?;
        Some(EventForm::new(&self.words, row.reading, event))
    }

    fn session_folders(&self, event: &Event) -> Vec<PathBuf> {
        let top = event.source.members().unwrap_or_default();
        read::read_roots(&self.words, &top).into_iter().map(PathBuf::from).collect()
    }

    fn agent_timeout(&self, _: &EventName) -> Duration {
        AGENT_TIMEOUT
    }
}

#[cfg(test)]
mod tests {
    use super::{super::*, *};

    fn list_tables() -> [&'static TableDialect; 10] {
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
        for table in list_tables() {
            for row in table.rows {
                let (moment, support) = (row.canonical.traits(), row.support());
                let who = format!("{} {}", table.name, row.name);
                assert!(moment.block || !support.block, "{who}: block");
                assert!(moment.context || !support.context, "{who}: context");
                assert!(moment.rewrite.is_some() || !support.rewrite, "{who}: rewrite");
            }
        }
    }

    #[test]
    fn whatever_no_table_knows_can_be_refused() {
        for table in list_tables() {
            assert!(table.unknown.denies(), "{}", table.name);
        }
    }
}
