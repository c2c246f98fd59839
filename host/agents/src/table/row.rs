//! One event of an agent.

use hookbox_model::{EventName, RawObject};

use super::{
    answer::AnswerFields,
    tool::{Tool, ToolMembers},
    words::Words,
};
use crate::{EventSupport, schema::Field, synthesize::EventForm};

/// One event. `answer` is the possible answers, in the agent's own terms.
#[derive(Debug)]
pub(crate) struct EventRow<S> {
    pub(crate) name: &'static str,
    pub(crate) canonical: EventName,
    pub(crate) answer: S,
    /// True if the event and the effects of its answer are known first hand.
    pub(crate) sure: bool,
    pub(crate) reading: Reading,
}

/// One event of an agent that is described by a table alone.
pub(crate) type TableEvent = EventRow<AnswerFields>;

/// Members as JSON text that a payload gets.
pub(crate) type Made = fn(&RawObject<'_>) -> Vec<(&'static str, String)>;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// A second name of the same event.
    pub(crate) alias: Option<&'static str>,
    pub(crate) when: EventCondition,
    /// Member that contains the event's own members; without it they are at the top level.
    pub(crate) within: Option<&'static str>,
    /// Required members.
    pub(crate) required: &'static [Field],
    pub(crate) tool: Tool,
    /// Members with another name in the payload: the agent's name, hookbox's name.
    pub(crate) renamed: &'static [(&'static str, &'static str)],
    /// Members that are not in the payload.
    pub(crate) dropped: &'static [&'static str],
    /// A member of the payload, and the event's members from which it is built.
    pub(crate) gathered: Option<(&'static str, &'static [&'static str])>,
    /// A member that may be a list of blocks, and is the text in them.
    pub(crate) flattened: Option<&'static str>,
    /// A member that the payload must have and the agent may leave out, as JSON text.
    pub(crate) filled: Option<(&'static str, &'static str)>,
    /// Members that replace the agent's members of these names.
    pub(crate) made: Option<Made>,
    /// True if the payload consists of these members only.
    pub(crate) made_only: bool,
}

/// Condition that distinguishes events of one name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EventCondition {
    Always,
    /// Events with this member.
    Has(&'static str),
    /// Events whose members satisfy this condition.
    If(fn(&RawObject<'_>) -> bool),
}

impl Reading {
    /// Every member under its own name.
    pub(crate) const PLAIN: Self = Self {
        alias: None,
        when: EventCondition::Always,
        within: None,
        required: &[],
        tool: Tool::None,
        renamed: &[],
        dropped: &[],
        gathered: None,
        flattened: None,
        filled: None,
        made: None,
        made_only: false,
    };
    /// Reads an event like Claude Code's, whose hook input many have copied: a tool call is recognized in any event.
    pub(crate) const HOOK_INPUT: Self =
        Self { tool: Tool::Offered(&ToolMembers::CLAUDE_CODE), ..Self::PLAIN };
}

/// Creates an event with only its name.
pub(crate) const fn row<S>(name: &'static str, canonical: EventName, answer: S) -> EventRow<S> {
    EventRow { name, canonical, answer, sure: true, reading: Reading::PLAIN }
}

/// Returns the form of this event for an agent with these field names and rows.
pub(crate) fn find_form<S>(
    words: &Words,
    rows: &'static [EventRow<S>],
    event: &str,
    canonical: &EventName,
) -> Option<EventForm> {
    let row = rows.iter().find(|row| row.is_called(event) && row.canonical == *canonical)?;
    let tool = match row.reading.tool {
        Tool::None if crate::native::needs_tool(canonical) => Tool::Named(&ToolMembers::CLAUDE_CODE),
        tool => tool,
    };
    Some(EventForm::new(words, Reading { tool, ..row.reading }, event))
}

/// Returns the first event of this name.
pub(crate) fn find_row<S>(rows: &'static [EventRow<S>], name: &str) -> Option<&'static EventRow<S>> {
    rows.iter().find(|row| row.name == name)
}

impl TableEvent {
    pub(super) fn support(&self) -> EventSupport {
        let (block, ask) = (self.answer.denies(), self.answer.asks());
        let (rewrite, context) =
            (self.answer.rewrite.is_some(), self.answer.context != super::TextTarget::Never);
        EventSupport { block, ask, rewrite, context, sure: self.sure }
    }
}

impl<S> EventRow<S> {
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + use<S> {
        [Some(self.name), self.reading.alias].into_iter().flatten()
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.reading.alias == Some(name)
    }

    /// Returns true if the row's condition holds for these members.
    pub(super) fn applies_to(&self, members: &RawObject<'_>) -> bool {
        match self.reading.when {
            EventCondition::Always => true,
            EventCondition::Has(key) => members.get(key).is_some(),
            EventCondition::If(is) => is(members),
        }
    }

    pub(crate) const fn with_alias(mut self, alias: &'static str) -> Self {
        self.reading.alias = Some(alias);
        self
    }

    pub(crate) const fn when(mut self, when: EventCondition) -> Self {
        self.reading.when = when;
        self
    }

    pub(crate) const fn within(mut self, member: &'static str) -> Self {
        self.reading.within = Some(member);
        self
    }

    pub(crate) const fn required(mut self, required: &'static [Field]) -> Self {
        self.reading.required = required;
        self
    }

    pub(crate) const fn tool(mut self, naming: &'static ToolMembers) -> Self {
        self.reading.tool = Tool::Named(naming);
        self
    }

    /// Declares that the event is about calls of this tool only, and does not name it; these members are the arguments.
    pub(crate) const fn view(mut self, tool: &'static str, members: &'static [&'static str]) -> Self {
        self.reading.tool = Tool::View(tool, members);
        self
    }

    pub(crate) const fn rename_members(mut self, renamed: &'static [(&'static str, &'static str)]) -> Self {
        self.reading.renamed = renamed;
        self
    }

    pub(crate) const fn drop_members(mut self, dropped: &'static [&'static str]) -> Self {
        self.reading.dropped = dropped;
        self
    }

    pub(crate) const fn gather_members(mut self, member: &'static str, of: &'static [&'static str]) -> Self {
        self.reading.gathered = Some((member, of));
        self
    }

    pub(crate) const fn flatten_member(mut self, member: &'static str) -> Self {
        self.reading.flattened = Some(member);
        self
    }

    pub(crate) const fn fill_member(mut self, member: &'static str, json: &'static str) -> Self {
        self.reading.filled = Some((member, json));
        self
    }

    pub(crate) const fn make_members(mut self, made: Made) -> Self {
        self.reading.made = Some(made);
        self
    }

    /// Sets the whole payload to these members.
    pub(crate) const fn make_payload(mut self, made: Made) -> Self {
        self.reading.made_only = true;
        self.make_members(made)
    }

    /// Declares that the event, or the effect of its answer, is known at second hand only.
    pub(crate) const fn mark_unsure(mut self) -> Self {
        self.sure = false;
        self
    }
}
