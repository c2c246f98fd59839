//! A page of the documentation that is written from what is so.

use std::fs;

use crate::case::{is_blessing, manifest_folder};

/// Is `docs/<name>` what it must be? It is written anew first if that is asked for.
pub(crate) fn is_true(name: &str, now: &str) -> bool {
    let file = manifest_folder().join("docs").join(name);
    if is_blessing() {
        fs::write(&file, now).unwrap();
    }
    fs::read_to_string(file).unwrap_or_default() == now
}
