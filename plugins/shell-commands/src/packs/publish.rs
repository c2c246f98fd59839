//! What the world gets to see, and cannot be taken back.

use super::{Grammar, Pack};

pub(super) const PACK: Pack =
    Pack { name: "publish", is_default: true, programs: &[], places: &[], checks: &[] };

pub(super) const GRAMMARS: &[Grammar] = &[];
