//! Parts of an answer that an agent with a writer of its own supports for an event.

use hookbox_model::EventName;

use super::row::{EventRow, Reading};
use crate::{
    EventSupport,
    schema::{Field, Kind},
};

/// Supported parts; `C` is the mechanism that blocks the event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Support<C> {
    pub(crate) control: C,
    /// True if `additionalContext` is read.
    pub(crate) context: bool,
    /// True if `continue: false` is read, unless the control implies it.
    pub(crate) stop: bool,
    /// The field that takes the rewritten part, and its kind.
    pub(crate) rewrite: Option<Field>,
    /// Fields that hooks may set by `extra`.
    pub(crate) extras: &'static [Field],
}

/// Creates an event that is read like Claude Code's, with required members. Of an answer only the control is supported.
pub(crate) const fn event<C>(
    name: &'static str,
    canonical: EventName,
    control: C,
    required: &'static [Field],
) -> EventRow<Support<C>> {
    let answer = Support { control, context: false, stop: false, rewrite: None, extras: &[] };
    EventRow { name, canonical, answer, sure: true, reading: Reading { required, ..Reading::HOOK_INPUT } }
}

impl<C> EventRow<Support<C>> {
    /// Returns the possibilities of an answer, given whether the control can block or ask.
    pub(crate) fn determine_support(&self, block: bool, ask: bool) -> EventSupport {
        let Support { rewrite, context, .. } = self.answer;
        EventSupport { block, ask, rewrite: rewrite.is_some(), context, sure: self.sure }
    }

    pub(crate) const fn context(mut self) -> Self {
        self.answer.context = true;
        self
    }

    pub(crate) const fn stop(mut self) -> Self {
        self.answer.stop = true;
        self
    }

    pub(crate) const fn rewrite(mut self, field: &'static str, kind: Kind) -> Self {
        self.answer.rewrite = Some((field, kind));
        self
    }

    pub(crate) const fn extras(mut self, extras: &'static [Field]) -> Self {
        self.answer.extras = extras;
        self
    }
}
