//! Shows a change of a user's file, and asks for consent.

use hookbox_platform::stream::Standard;
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use super::{
    agent_change::{CommandError, problem_error, usage_error},
    user_presence,
};
use crate::{
    args::ConsentArgs,
    printer::{DIM, ERROR, GOOD, Printer},
    report,
};

/// Lines shown around a change.
const CONTEXT_LINES: usize = 3;
/// Longest line in which a change is visible, bytes.
const MAX_READABLE_LINE: usize = 400;

/// Shows the change of the file at `path`. Without `after` the file is removed.
pub(super) fn show_change(path: &str, before: &str, after: Option<&str>, printer: &Printer) {
    printer.print_line(&format!("--- {path}\n+++ {}", if after.is_some() { path } else { "/dev/null" }));
    let after = after.unwrap_or_default();
    let laid_out = laid_out(before, after);
    if laid_out.is_some() {
        printer.print_line(&format!(
            "{DIM}(laid out here, to be read; in the file it stays as dense as it is){DIM:#}"
        ));
    }
    let (before, after) = laid_out.as_ref().map_or((before, after), |(before, after)| (before, after));
    let diff = TextDiff::from_lines(before, after);
    for hunk in diff.unified_diff().context_radius(CONTEXT_LINES).iter_hunks() {
        printer.print_line(&format!("{DIM}{}{DIM:#}", hunk.header()));
        for change in hunk.iter_changes() {
            let text = report::sanitize_line(change.value().trim_end_matches(['\r', '\n']));
            printer.print_line(&match change.tag() {
                ChangeTag::Equal => format!(" {text}"),
                ChangeTag::Delete => format!("{ERROR}-{text}{ERROR:#}"),
                ChangeTag::Insert => format!("{GOOD}+{text}{GOOD:#}"),
            });
        }
    }
}

/// Reformats both texts with line breaks, if one of them is too dense; `None` if neither is, or if one is not plain JSON.
fn laid_out(before: &str, after: &str) -> Option<(String, String)> {
    let is_dense = |text: &str| text.lines().any(|line| line.len() > MAX_READABLE_LINE);
    let on_lines = |text: &str| match text.trim() {
        "" => Some(String::new()),
        text => serde_json::from_str::<Value>(text).ok().map(|value| format!("{value:#}\n")),
    };
    if is_dense(before) || is_dense(after) { on_lines(before).zip(on_lines(after)) } else { None }
}

/// Returns true if the change is to be written. Asks if necessary; reports that a dry run writes nothing. A refusal is an
/// error, since the command did nothing.
pub(super) fn confirm_change(
    consent: &ConsentArgs,
    path: &str,
    printer: &Printer,
) -> Result<bool, CommandError> {
    if consent.dry_run {
        printer.print_note("nothing was written (--dry-run)");
        return Ok(false);
    }
    if !consent.yes
        && !ask_question((&format!("Write this to {path}?"), "pass --yes to write this"), printer)?
    {
        return Err(problem_error(format!("nothing was written: you declined, and {path} is unchanged")));
    }
    Ok(true)
}

/// Returns true if there is a user who expects to be asked.
pub(super) fn may_ask(consent: &ConsentArgs) -> bool {
    !consent.yes && !consent.dry_run && Standard::Input.is_terminal()
}

/// Asks the question; without a terminal the error contains the advice in `instead`.
pub(super) fn ask_question(
    (question, instead): (&str, &str),
    printer: &Printer,
) -> Result<bool, CommandError> {
    if !Standard::Input.is_terminal() {
        return Err(usage_error(format!("nothing was written: the question needs a terminal; {instead}")));
    }
    Ok(user_presence::ask_yes_no(question, printer))
}
