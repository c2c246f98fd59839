//! Nobody can tell who may write where, so anybody may.

use std::path::Path;

use crate::Unsupported;

/// Says that nobody can tell.
pub fn other_writer(place: &Path) -> Option<String> {
    let what = "tell who may write to a file";
    let unsupported = Unsupported { what, needs: "its owner and its mode" };
    Some(format!("the users who may write to {} are unknown: {unsupported}", place.display()))
}

/// No, since nobody can tell.
pub fn is_trusted_folder(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_can_tell_is_not_trusted() {
        let folder = Path::new("/");
        assert!(other_writer(folder).is_some() && !is_trusted_folder(folder));
    }
}
