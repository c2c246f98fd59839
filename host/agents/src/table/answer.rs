//! Possible answers to an event, and their members.

use hookbox_model::{Event, Json, ToolClass};

use crate::schema::{Field, Kind};

/// A member of the answer and its value, as JSON text.
pub(crate) type Word = (&'static str, &'static str);

/// The rewritten part as the member that takes it, if it fits there.
pub(crate) type Fits = fn(&Event, &Json) -> Option<String>;

/// All possible answers to an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnswerFields {
    pub(super) control: TableControl,
    pub(super) context: TextTarget,
    pub(super) notice: TextTarget,
    pub(super) rewrite: Option<(&'static str, Fits)>,
    /// Members that hooks may set by `extra`.
    pub(super) extras: &'static [Field],
    /// True if a deny ends the run too.
    pub(super) ends: bool,
}

/// Mechanism that blocks an event.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TableControl {
    /// Cannot be blocked.
    Nothing,
    /// Exit code 2, with the reason on standard error.
    Exit,
    AnswerMember(&'static Decision),
    /// `AnswerMember`, where the blocked action is the end of the turn.
    ContinueInstead(&'static Decision),
    /// Cannot be blocked any more; the model gets the reason like context.
    Feedback,
}

#[derive(Debug)]
pub(crate) struct Decision {
    /// `None` if the reason alone expresses the deny.
    pub(crate) deny: Option<Word>,
    /// `None` if an ask is a deny.
    pub(crate) ask: Option<Word>,
    pub(crate) allow: Option<Word>,
    pub(crate) reason: &'static str,
    /// The exit code of a deny; not 0 only where the answer is read nevertheless.
    pub(crate) exit: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextTarget {
    /// Nowhere.
    Never,
    Member(&'static str),
    /// `additionalContext` in `hookSpecificOutput`, as Claude Code has it.
    Nested,
    /// All of standard output, with this exit code.
    Output(u8),
    /// Lines before the answer, `{"type":"progress","message":"…"}` each.
    Progress,
}

impl AnswerFields {
    /// An event that cannot be blocked.
    pub(crate) const SILENT: Self = Self::only(TableControl::Nothing);
    /// An event that exit code 2 blocks.
    pub(crate) const GATE: Self = Self::only(TableControl::Exit);

    /// Creates a row with this control and nothing else.
    pub(crate) const fn only(control: TableControl) -> Self {
        let (context, notice) = (TextTarget::Never, TextTarget::Never);
        Self { control, context, notice, rewrite: None, extras: &[], ends: false }
    }

    pub(crate) const fn context(mut self, context: TextTarget) -> Self {
        self.context = context;
        self
    }

    pub(crate) const fn notice(mut self, notice: TextTarget) -> Self {
        self.notice = notice;
        self
    }

    pub(crate) const fn rewrite(mut self, member: &'static str, fits: Fits) -> Self {
        self.rewrite = Some((member, fits));
        self
    }

    pub(crate) const fn extras(mut self, extras: &'static [Field]) -> Self {
        self.extras = extras;
        self
    }

    pub(crate) const fn ends(mut self) -> Self {
        self.ends = true;
        self
    }

    /// Returns true if a deny can be written.
    pub(super) fn denies(&self) -> bool {
        !matches!(self.control, TableControl::Nothing)
    }

    /// Returns true if the user can be asked.
    pub(super) fn asks(&self) -> bool {
        matches!(self.control, TableControl::AnswerMember(decision) if decision.ask.is_some())
    }
}

/// Accepts an object unchanged.
pub(crate) fn accept_object(_: &Event, part: &Json) -> Option<String> {
    let text = part.as_str();
    Kind::Object.admits(text.trim_ascii_start()).then(|| text.to_owned())
}

/// Accepts a text unchanged.
pub(crate) fn accept_text(_: &Event, part: &Json) -> Option<String> {
    let text = part.as_str();
    Kind::Text.admits(text.trim_ascii_start()).then(|| text.to_owned())
}

/// Accepts the result of an MCP server's tool unchanged, and no other.
pub(crate) fn mcp_result(event: &Event, part: &Json) -> Option<String> {
    let mcp = event.tool.as_ref().is_some_and(|tool| tool.class == ToolClass::Mcp);
    // For its own tools the agent ignores the member, and the rewrite has to be reported as lost.
    mcp.then(|| part.as_str().to_owned())
}
