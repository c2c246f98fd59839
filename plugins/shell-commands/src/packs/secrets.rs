//! Keys and tokens that end up on the screen, in a log, or in the conversation.

use super::{Grammar, Pack};

pub(super) const PACK: Pack =
    Pack { name: "secrets", is_default: true, programs: &[], places: &[], checks: &[] };

pub(super) const GRAMMARS: &[Grammar] = &[];
