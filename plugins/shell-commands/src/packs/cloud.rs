//! What is deployed, and what clouds hold.

use super::{Grammar, Pack};

pub(super) const PACK: Pack =
    Pack { name: "cloud", is_default: true, programs: &[], places: &[], checks: &[] };

pub(super) const GRAMMARS: &[Grammar] = &[];
