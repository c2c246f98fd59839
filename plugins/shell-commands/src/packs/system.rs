//! The machine: its services, users, files outside the project.

use super::{Grammar, Pack};

pub(super) const PACK: Pack =
    Pack { name: "system", is_default: true, programs: &[], places: &[], checks: &[] };

pub(super) const GRAMMARS: &[Grammar] = &[];
