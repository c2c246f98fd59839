//! Containers, their volumes, and clusters.

use super::{Grammar, Pack};

pub(super) const PACK: Pack =
    Pack { name: "container", is_default: true, programs: &[], places: &[], checks: &[] };

pub(super) const GRAMMARS: &[Grammar] = &[];
