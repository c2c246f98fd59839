//! The files that a patch of `apply_patch` names.

const MARKERS: [&str; 4] = ["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"];

/// Returns the paths in the order of the patch, as written. Codex accepts blanks around a marker, so these count here too: an additional
/// path is better than one that no guard sees.
pub(super) fn list_files(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim();
        let path = MARKERS.iter().find_map(|marker| line.strip_prefix(marker))?.trim();
        (!path.is_empty()).then_some(path)
    })
}

/// Returns true if this is a patch, rather than a text that mentions one.
pub(super) fn is_patch(text: &str) -> bool {
    // A document that describes the format has the markers, but rarely the whole frame.
    text.lines().any(|line| line.trim() == "*** Begin Patch") && list_files(text).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_a_patch_touches_is_named() {
        let patch = "*** Begin Patch\r\n*** Add File: a b.txt\r\n+*** Add File: content\n  *** Update File: /etc/x \n\
                     *** Move to: ../y\n@@\n-*** Delete File: old\n*** Delete File:z\n*** Add File: \n*** End Patch";
        assert_eq!(list_files(patch).collect::<Vec<_>>(), ["a b.txt", "/etc/x", "../y", "z"]);
        assert_eq!(list_files("no patch").count(), 0);
        assert!(is_patch(patch));
        assert!(!is_patch("a line\n*** Add File: x"));
    }
}
