//! Findings of `check`, `doctor` and `setup` as one JSON object on standard output. Without `--json` nothing is recorded.

use serde_json::{Value, json};

use crate::{exit::ExitStatus, printer::Printer, report};

/// Meaning of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Ok,
    /// A file that changes, or would change.
    Change,
    /// Possibly intended.
    Odd,
    Wrong,
    /// A step that is left for the user.
    Todo,
    /// A file that a removal leaves.
    Left,
}

impl Level {
    fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Change => "change",
            Self::Odd => "odd",
            Self::Wrong => "wrong",
            Self::Todo => "todo",
            Self::Left => "left",
        }
    }
}

/// Returns a finding as JSON: a level, the affected thing, and a text without control characters.
pub(crate) fn finding_json(level: Level, subject: &str, text: &str) -> Value {
    let [subject, text] = [subject, text].map(report::sanitize_line);
    json!({ "level": level.as_str(), "subject": subject, "text": text })
}

/// Runs a command; with `is_json` its lines go to standard error, and its findings to standard output.
pub(crate) fn with_findings(
    (command, is_json): (&str, bool),
    printer: &Printer,
    run: impl FnOnce() -> ExitStatus,
) -> ExitStatus {
    if !is_json {
        return run();
    }
    printer.record_findings();
    let exit = run();
    let object = json!({
        "schema_version": report::SCHEMA_VERSION,
        "command": command,
        "version": env!("CARGO_PKG_VERSION"),
        "ok": exit == ExitStatus::Success,
        "findings": printer.take_findings(),
    });
    printer.write_raw(&format!("{object:#}\n"));
    exit
}
