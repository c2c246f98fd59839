//! One event of an agent.

use hookbox_model::{EventName, RawObject};

use super::{
    answer::Says,
    tool::{Naming, Tool},
};
use crate::{EventSupport, schema::Field};

/// One event.
#[derive(Debug)]
pub(crate) struct TableEvent {
    pub(super) name: &'static str,
    /// A second name of the same event.
    alias: Option<&'static str>,
    pub(super) canonical: EventName,
    when: When,
    /// The member that holds the event's own members; without one they stand beside the rest.
    pub(super) within: Option<&'static str>,
    /// Members that must be there.
    pub(super) required: &'static [Field],
    pub(super) tool: Tool,
    /// Members with another name in the payload: theirs, ours.
    pub(super) renamed: &'static [(&'static str, &'static str)],
    /// A member of the payload, and those of the event's that it is made of.
    pub(super) gathered: Option<(&'static str, &'static [&'static str])>,
    /// A member that may be a list of blocks, and is the text in them.
    pub(super) flattened: Option<&'static str>,
    /// A member that the payload must have and the agent may leave out, as JSON text.
    pub(super) filled: Option<(&'static str, &'static str)>,
    pub(super) says: Says,
    sure: bool,
}

/// Which of the events of one name?
#[derive(Clone, Copy, Debug)]
pub(crate) enum When {
    /// All.
    Always,
    /// Those with this member.
    Has(&'static str),
}

/// An event with nothing but its name.
pub(crate) const fn row(name: &'static str, canonical: EventName, says: Says) -> TableEvent {
    let (within, required, renamed): (_, &[Field], &[(&str, &str)]) = (None, &[], &[]);
    let (alias, when, tool, gathered, filled) = (None, When::Always, Tool::None, None, None);
    TableEvent {
        name,
        alias,
        canonical,
        when,
        within,
        required,
        tool,
        renamed,
        gathered,
        flattened: None,
        filled,
        says,
        sure: true,
    }
}

impl TableEvent {
    /// Its names.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        [Some(self.name), self.alias].into_iter().flatten()
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.alias == Some(name)
    }

    /// Is an event with these members one of these?
    pub(super) fn applies(&self, members: &RawObject<'_>) -> bool {
        match self.when {
            When::Always => true,
            When::Has(key) => members.get(key).is_some(),
        }
    }

    /// What an answer to it can do.
    pub(super) fn support(&self) -> EventSupport {
        let (block, ask) = (self.says.denies(), self.says.asks());
        let (rewrite, context) = (self.says.rewrite.is_some(), self.says.context != super::Tell::Never);
        EventSupport { block, ask, rewrite, context, sure: self.sure }
    }

    pub(crate) const fn also(mut self, alias: &'static str) -> Self {
        self.alias = Some(alias);
        self
    }

    pub(crate) const fn when(mut self, when: When) -> Self {
        self.when = when;
        self
    }

    pub(crate) const fn within(mut self, member: &'static str) -> Self {
        self.within = Some(member);
        self
    }

    pub(crate) const fn required(mut self, required: &'static [Field]) -> Self {
        self.required = required;
        self
    }

    pub(crate) const fn tool(mut self, naming: &'static Naming) -> Self {
        self.tool = Tool::Named(naming);
        self
    }

    /// The event is about calls of this tool only, and does not name it; these members are the arguments.
    pub(crate) const fn view(mut self, tool: &'static str, members: &'static [&'static str]) -> Self {
        self.tool = Tool::View(tool, members);
        self
    }

    pub(crate) const fn renamed(mut self, renamed: &'static [(&'static str, &'static str)]) -> Self {
        self.renamed = renamed;
        self
    }

    pub(crate) const fn gathered(mut self, member: &'static str, of: &'static [&'static str]) -> Self {
        self.gathered = Some((member, of));
        self
    }

    pub(crate) const fn flattened(mut self, member: &'static str) -> Self {
        self.flattened = Some(member);
        self
    }

    pub(crate) const fn filled(mut self, member: &'static str, json: &'static str) -> Self {
        self.filled = Some((member, json));
        self
    }

    /// It is known at second hand only, or not what an answer does.
    pub(crate) const fn unsure(mut self) -> Self {
        self.sure = false;
        self
    }
}
