//! `hookbox restore`: the user sees which of hookbox's own files no command of the user has changed, and undoes or accepts that.

use std::collections::BTreeSet;

use hookbox_app::{GoodContent, OwnFileChange, OwnFiles, places::Places};

use super::{
    agent_change::{CommandError, problem_error, usage_error},
    change_consent,
    install::report_result,
    user_presence,
};
use crate::{
    args::RestoreArgs, diagnostic, environment, exit::ExitStatus, printer::Printer, report::sanitize_line,
};

/// Alternative to accepting changes.
const INSTEAD: &str = "`hookbox restore --dry-run` shows the changes";

pub(super) fn restore_files(args: &RestoreArgs, printer: &Printer) -> ExitStatus {
    match try_restore(args, printer) {
        Ok(true) => ExitStatus::Success,
        Ok(false) => ExitStatus::Problems,
        Err(error) => report_result(Err(error), printer),
    }
}

/// Shows the changes, and undoes or accepts them; returns true if none is left.
fn try_restore(args: &RestoreArgs, printer: &Printer) -> Result<bool, CommandError> {
    check_user(args).map_err(usage_error)?;
    let places = Places::of_terminal(&environment::read_variable);
    let files = OwnFiles::of_user(&places)
        .ok_or_else(|| problem_error("the home folder is unknown, so no file is recorded; set HOME"))?;
    let changes = files.list_changes();
    let mut left = 0;
    for change in &changes {
        show_change(change, printer);
        if args.consent.dry_run || !decide_change(change, &files, args, printer)? {
            left += 1;
        }
    }
    handle_unrecorded(&files, args, printer)?;
    if changes.is_empty() {
        printer.print_line("nothing to restore: every recorded file is as your last command left it");
    } else if args.consent.dry_run {
        printer.print_note("nothing was written (--dry-run)");
    }
    Ok(left == 0)
}

/// Checks that the user runs this. An agent that accepted its own changes would remove its limits.
fn check_user(args: &RestoreArgs) -> Result<(), String> {
    if args.consent.dry_run {
        Ok(())
    } else if args.accept {
        user_presence::require_user("accepted", INSTEAD)
    } else {
        user_presence::refuse_agent("restored")
    }
}

/// Shows the change from the recorded content to the present one.
fn show_change(change: &OwnFileChange, printer: &Printer) {
    let path = sanitize_line(&change.path);
    let before = match &change.good {
        GoodContent::Missing => Some(String::new()),
        GoodContent::Bytes(bytes) => String::from_utf8(bytes.clone()).ok(),
        GoodContent::NotStored => None,
    };
    let after = change.now.as_ref().map(|bytes| String::from_utf8(bytes.clone()));
    match (before, after) {
        (Some(before), None) => change_consent::show_change(&path, &before, None, printer),
        (Some(before), Some(Ok(after))) if before != after => {
            change_consent::show_change(&path, &before, Some(&after), printer);
        }
        (Some(_), Some(Ok(_))) => {}
        _ => printer.print_line(&format!("{path}: changed; the content is not text, or is too long to show")),
    }
    if let Some((good, now)) = change.modes {
        printer.print_line(&format!("{path}: the mode was {good:o}, and is {now:o}"));
    }
}

/// Asks about one change, and undoes or accepts it; returns false if it is left.
fn decide_change(
    change: &OwnFileChange,
    files: &OwnFiles,
    args: &RestoreArgs,
    printer: &Printer,
) -> Result<bool, CommandError> {
    let path = sanitize_line(&change.path);
    if !args.accept && change.good == GoodContent::NotStored {
        printer.print_note(&format!(
            "{path} cannot be restored, since hookbox has no copy of it; put it back yourself, or keep it with `hookbox restore --accept`"
        ));
        return Ok(false);
    }
    let (question, advice) = if args.accept {
        (format!("Keep this change of {path}?"), "pass --yes to keep it")
    } else {
        (format!("Undo this change of {path}?"), "pass --yes to undo it")
    };
    if !args.consent.yes && !change_consent::ask_question((&question, advice), printer)? {
        printer.print_note(&format!("{path} stays as it is"));
        return Ok(false);
    }
    if args.accept {
        files.accept_files(&BTreeSet::from([change.path.clone()])).map_err(problem_error)?;
        printer.print_line(&format!("accepted  {path}"));
    } else {
        files.undo_change(change).map_err(problem_error)?;
        printer.print_line(&format!("restored  {path}"));
    }
    Ok(true)
}

/// Accepts the files without a record, or reports them.
fn handle_unrecorded(files: &OwnFiles, args: &RestoreArgs, printer: &Printer) -> Result<(), CommandError> {
    let unrecorded = files.list_unrecorded();
    if unrecorded.is_empty() {
        return Ok(());
    }
    let number = diagnostic::format_count(unrecorded.len(), "file");
    if args.accept && !args.consent.dry_run {
        files.accept_files(&unrecorded).map_err(problem_error)?;
        printer.print_line(&format!("accepted  {number} for the first time"));
    } else {
        printer.print_note(&format!(
            "not recorded yet: {number}, whose changes cannot be undone; the next command that changes a file records all, and so does `hookbox restore --accept`"
        ));
    }
    Ok(())
}
