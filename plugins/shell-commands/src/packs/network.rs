//! Ways into the machine, and out of it.

use super::{Grammar, Pack};

pub(super) const PACK: Pack =
    Pack { name: "network", is_default: true, programs: &[], places: &[], checks: &[] };

pub(super) const GRAMMARS: &[Grammar] = &[];
