//! Programs and libraries that the machine has.

use super::{Grammar, Pack};

pub(super) const PACK: Pack =
    Pack { name: "packages", is_default: true, programs: &[], places: &[], checks: &[] };

pub(super) const GRAMMARS: &[Grammar] = &[];
