//! A change of somebody's file: shown, and asked about.

use std::io::BufRead;

use similar::{ChangeTag, TextDiff};

use super::install::{Stopped, usage};
use crate::{
    args::SettingsArgs,
    printer::{DIM, ERROR, GOOD, Printer},
    report,
};

/// Lines shown around a change.
const CONTEXT_LINES: usize = 3;
/// Longest answer to a question, bytes.
const MAX_REPLY: u64 = 64;

/// Shows what the file at `path` is to become.
pub(super) fn show(path: &str, before: &str, after: &str, printer: &Printer) {
    printer.line(&format!("--- {path}\n+++ {path}"));
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

/// Is it to be written? Asks if need be, and tells if not.
pub(super) fn accepted(args: &SettingsArgs, path: &str, printer: &Printer) -> Result<bool, Stopped> {
    if args.dry_run {
        printer.note("nothing was written (--dry-run)");
        return Ok(false);
    }
    if !args.yes && !agreed(path, printer)? {
        printer.note("nothing was written");
        return Ok(false);
    }
    Ok(true)
}

fn agreed(path: &str, printer: &Printer) -> Result<bool, Stopped> {
    if !rustix::termios::isatty(rustix::stdio::stdin()) {
        return Err(usage(
            "nothing was written: there is no terminal to ask on; say --yes to write this".into(),
        ));
    }
    printer.raw_error(&format!("Write this to {path}? [y/N] "));
    let mut reply = String::new();
    let read = std::io::Read::take(std::io::stdin().lock(), MAX_REPLY).read_line(&mut reply);
    Ok(read.is_ok() && matches!(reply.trim().to_lowercase().as_str(), "y" | "yes"))
}
