//! What runs again by itself, long after the command.

use super::{Grammar, Pack};

pub(super) const PACK: Pack =
    Pack { name: "persistence", is_default: true, programs: &[], places: &[], checks: &[] };

pub(super) const GRAMMARS: &[Grammar] = &[];
