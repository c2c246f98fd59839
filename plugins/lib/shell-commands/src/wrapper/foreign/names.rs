//! Other names that code gives to functions, and functions that are called by a quoted name.

use super::{REMOVERS, RUNNERS, WHOLE_REMOVERS, is_name, words};

/// Maximum number of other names, and maximum length of the text in front of a name that is looked at, in bytes.
const MAX_ALIASES: usize = 16;
const MAX_BEFORE: usize = 128;

/// A name in the code, and the function that it stands for.
pub(super) struct Alias<'a> {
    name: &'a str,
    function: &'a str,
}

/// Returns the other names of functions that run a command or remove files: `import rmtree as r`, `{rmSync: r}`, `r = shutil.rmtree`.
pub(super) fn find_aliases(code: &str) -> Vec<Alias<'_>> {
    let known = words(code).filter(|(name, _)| {
        RUNNERS.contains(name) || REMOVERS.contains(name) || WHOLE_REMOVERS.contains(name)
    });
    let found = known.filter_map(|(function, after)| {
        let name = parse_renaming(after).or_else(|| find_assigned_name(code, function, after))?;
        (name != function).then_some(Alias { name, function })
    });
    found.take(MAX_ALIASES).collect()
}

/// Returns the function that a name stands for.
pub(super) fn resolve_name<'a>(name: &'a str, aliases: &[Alias<'a>]) -> &'a str {
    aliases.iter().find(|alias| alias.name == name).map_or(name, |alias| alias.function)
}

/// `as r`, `: r`
fn parse_renaming(after: &str) -> Option<&str> {
    let after = after.trim_start_matches(' ');
    let rest = after.strip_prefix("as ").or_else(|| after.strip_prefix(':'))?;
    let (name, behind) = split_name(rest.trim_start_matches(' '));
    let ends = behind.trim_start_matches(' ').chars().next().is_none_or(|c| ",})\n;'\"".contains(c));
    (!name.is_empty() && ends).then_some(name)
}

/// `r = shutil.rmtree`, `const r = require("fs").rmSync`
fn find_assigned_name<'a>(code: &'a str, function: &str, after: &str) -> Option<&'a str> {
    if after.trim_start_matches(' ').starts_with(['(', '=', '"', '\'']) {
        return None;
    }
    let end = code.len().checked_sub(after.len() + function.len())?;
    let start = (end.saturating_sub(MAX_BEFORE)..=end).find(|at| code.is_char_boundary(*at))?;
    let statement = code.get(start..end)?.rsplit(['\n', ';']).next()?;
    let (left, right) = statement.split_once('=')?;
    let left = left.trim_end();
    let name = left.rsplit(|c: char| !is_name(c)).next()?;
    let is_path = right.trim_start().chars().all(|c| is_name(c) || "._:\\&()\"'/-".contains(c));
    (is_path && !name.is_empty()).then_some(name)
}

fn split_name(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c| !is_name(c)).unwrap_or(text.len()))
}

/// Returns the text behind a name with its arguments first: that behind `"system")(…` begins with `(…`.
pub(super) fn skip_quoted_call(after: &str) -> &str {
    let unquoted = after.strip_prefix(['"', '\'']).map(|rest| rest.trim_start_matches([')', ']']));
    unquoted.filter(|rest| rest.starts_with('(')).unwrap_or(after)
}
