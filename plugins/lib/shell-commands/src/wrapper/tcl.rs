//! Code of Tcl that a program is passed: `tclsh <<< 'file delete x'`.

use super::coded::path_words;

/// Programs that are passed such code.
const PROGRAMS: &[&str] = &["expect", "jimsh", "tclsh", "wish"];
/// Commands that only look at files, or at none, as lines of scripts begin. All others may write what they name.
const LOOKING: &[&str] =
    &["exit", "expr", "foreach", "if", "incr", "lappend", "list", "puts", "return", "set", "while"];
/// Words within such commands that write.
const WRITING: &[&str] =
    &["copy", "delete", "exec", "link", "mkdir", "open", "rename", "spawn", "attributes"];

/// Returns true if a program is passed code of Tcl.
pub(super) fn runs_tcl(name: &str) -> bool {
    PROGRAMS.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

/// Returns the files that the code may write.
pub(super) fn paths(code: &str) -> Vec<String> {
    let mut lines = code.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty());
    let looks = |line: &str| LOOKING.contains(&line.split_whitespace().next().unwrap_or_default());
    let writes = code.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| WRITING.contains(&word));
    if lines.all(looks) && !writes { Vec::new() } else { path_words(code) }
}
