//! A change of somebody's file: shown, and asked about.

use hookbox_platform::stream::Standard;
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use super::{
    agent_change::{Stopped, problem, usage},
    person,
};
use crate::{
    args::{ConsentArgs, SettingsArgs},
    printer::{DIM, ERROR, GOOD, Printer},
    report,
};

/// Lines shown around a change.
const CONTEXT_LINES: usize = 3;
/// Longest line in which a change can be seen, bytes.
const MAX_READABLE_LINE: usize = 400;

/// Shows what the file at `path` is to become; `None` if it is to go.
pub(super) fn show(path: &str, before: &str, after: Option<&str>, printer: &Printer) {
    printer.line(&format!("--- {path}\n+++ {}", if after.is_some() { path } else { "/dev/null" }));
    let after = after.unwrap_or_default();
    let laid_out = laid_out(before, after);
    if laid_out.is_some() {
        printer.line(&format!(
            "{DIM}(laid out here, to be read; in the file it stays as dense as it is){DIM:#}"
        ));
    }
    let (before, after) = laid_out.as_ref().map_or((before, after), |(before, after)| (before, after));
    let diff = TextDiff::from_lines(before, after);
    for hunk in diff.unified_diff().context_radius(CONTEXT_LINES).iter_hunks() {
        printer.line(&format!("{DIM}{}{DIM:#}", hunk.header()));
        for change in hunk.iter_changes() {
            let text = report::plain(change.value().trim_end_matches(['\r', '\n']));
            printer.line(&match change.tag() {
                ChangeTag::Equal => format!(" {text}"),
                ChangeTag::Delete => format!("{ERROR}-{text}{ERROR:#}"),
                ChangeTag::Insert => format!("{GOOD}+{text}{GOOD:#}"),
            });
        }
    }
}

/// Both on many lines, if one is too dense to see a change in; `None` if none is, or if one is no plain JSON.
fn laid_out(before: &str, after: &str) -> Option<(String, String)> {
    let is_dense = |text: &str| text.lines().any(|line| line.len() > MAX_READABLE_LINE);
    let on_lines = |text: &str| match text.trim() {
        "" => Some(String::new()),
        text => serde_json::from_str::<Value>(text).ok().map(|value| format!("{value:#}\n")),
    };
    if is_dense(before) || is_dense(after) { on_lines(before).zip(on_lines(after)) } else { None }
}

/// What the command line says of writing: `--yes`, `--dry-run`.
#[derive(Clone, Copy)]
pub(super) struct Consent {
    pub(super) yes: bool,
    pub(super) dry_run: bool,
}

impl From<&SettingsArgs> for Consent {
    fn from(args: &SettingsArgs) -> Self {
        Self { yes: args.yes, dry_run: args.dry_run }
    }
}

impl From<&ConsentArgs> for Consent {
    fn from(args: &ConsentArgs) -> Self {
        Self { yes: args.yes, dry_run: args.dry_run }
    }
}

/// Is it to be written? Asks if need be; tells if a dry run writes nothing, and a no is an error, since it is not done.
pub(super) fn accepted(consent: impl Into<Consent>, path: &str, printer: &Printer) -> Result<bool, Stopped> {
    let consent = consent.into();
    if consent.dry_run {
        printer.note("nothing was written (--dry-run)");
        return Ok(false);
    }
    if !consent.yes && !agreed((&format!("Write this to {path}?"), "say --yes to write this"), printer)? {
        return Err(problem(format!("nothing was written, as you said: {path} stays as it is")));
    }
    Ok(true)
}

/// Is there a person who wants to be asked?
pub(super) fn may_ask(consent: impl Into<Consent>) -> bool {
    let Consent { yes, dry_run } = consent.into();
    !yes && !dry_run && Standard::Input.is_terminal()
}

/// Asks this; without a terminal an error says what to do instead.
pub(super) fn agreed((question, instead): (&str, &str), printer: &Printer) -> Result<bool, Stopped> {
    if !Standard::Input.is_terminal() {
        return Err(usage(format!("nothing was written: there is no terminal to ask on; {instead}")));
    }
    Ok(person::agrees(question, printer))
}
