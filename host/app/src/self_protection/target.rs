//! A path that a call would write, and the effects on that path.

use std::path::Path;

use hookbox_platform::real_path::RealPath;

/// Longest path that is shown, characters.
const MAX_SHOWN_PATH: usize = 200;

/// A path that would be written.
#[expect(clippy::struct_excessive_bools, reason = "each is asked for by itself")]
pub(super) struct Target {
    /// The resolved path, up to the first part that is only known when the command runs.
    pub(super) way: RealPath,
    /// The names and patterns behind that part, as the command has them.
    pub(super) rest: Vec<String>,
    /// True if these names are in an unknown folder.
    pub(super) is_somewhere: bool,
    /// True if everything below the path is affected, too.
    pub(super) is_whole: bool,
    /// True if the path stays where it is, with its content. Its mode, owner or time may change, or it gets a second name.
    pub(super) is_made: bool,
    /// True if the path is passed to a program with unknown effects, or is only one of many files that a search by content may
    /// find.
    pub(super) is_perhaps: bool,
    /// True if files with unknown names are put into the path.
    pub(super) is_filled: bool,
    /// True if the path, with everything below it, is restored from a repository. It may already be in that state.
    pub(super) is_restored: bool,
    /// The path as written in the call, for display.
    pub(super) shown: String,
}

impl Target {
    /// Returns the target for a path argument of a file tool, which is certainly written.
    pub(super) fn of_tool(full: &Path, is_whole: bool, path: &str) -> Self {
        Self {
            way: RealPath::resolve_path(full),
            rest: Vec::new(),
            is_somewhere: false,
            is_whole,
            is_made: false,
            is_perhaps: false,
            is_filled: false,
            is_restored: false,
            shown: display_path(path),
        }
    }
}

/// Returns a path for display: without control characters, and shortened.
pub(super) fn display_path(path: &str) -> String {
    path.chars().filter(|c| !c.is_control()).take(MAX_SHOWN_PATH).collect()
}
