//! The one list of files that decide what agents and hooks may do, and of files that hold secrets.
//!
//! `guard-paths` keeps file tools away from them, `guard-shell` commands. What a component of a path may be (folded, or
//! a pattern) is theirs to say: they compare, this crate knows what with.

mod place;
mod places;
mod secrets;

pub use place::{Kind, Path, Place};
pub use places::{KNOWN_FILES, PLACES};
pub use secrets::{
    CREDENTIAL_NAMES, CREDENTIAL_PLACES, KEY_ENDINGS, KEY_NAMES, SHADOWS, TEMPLATES, is_environment_template,
    is_key_file,
};
