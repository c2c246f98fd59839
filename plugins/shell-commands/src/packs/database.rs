//! Data in databases.

use super::{Grammar, Pack};

pub(super) const PACK: Pack =
    Pack { name: "database", is_default: true, programs: &[], places: &[], checks: &[] };

pub(super) const GRAMMARS: &[Grammar] = &[];
