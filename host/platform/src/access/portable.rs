//! Write access is unknown on this platform, so every file counts as writable by others.

use std::path::Path;

use crate::Unsupported;

/// Reports that write access is unknown.
pub fn other_writer(place: &Path) -> Option<String> {
    let what = "tell who may write to a file";
    let unsupported = Unsupported { what, needs: "its owner and its mode" };
    Some(format!("the users who may write to {} are unknown: {unsupported}", place.display()))
}

/// Returns false, since write access is unknown.
pub fn is_trusted_folder(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_unknown_writers_is_not_trusted() {
        let folder = Path::new("/");
        assert!(other_writer(folder).is_some() && !is_trusted_folder(folder));
    }
}
