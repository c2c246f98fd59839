//! The one list of files that decide what agents and hooks may do, and of files that hold secrets.
//!
//! `guard-paths` keeps file tools away from them, `guard-shell` commands. What a component of a path may be (folded, or
//! a pattern) is theirs to say: they compare, this crate knows what with.

mod homes;
mod place;
mod places;
mod secrets;

pub use homes::{IsName, below_roots, home_patterns, is_above_homes, is_home, may_be_home};
pub use place::{Kind, Path, Place};
pub use places::{KNOWN_FILES, PLACES};
pub use secrets::{
    CREDENTIAL_NAMES, CREDENTIAL_PLACES, KEY_ENDINGS, KEY_NAMES, SHADOWS, TEMPLATES, is_environment_template,
    is_key_file,
};
