//! The only writer to standard output and standard error.

use std::{
    cell::{Cell, RefCell},
    fmt::Write as _,
    io::{self, Write},
    time::{Duration, Instant},
};

use anstream::{AutoStream, ColorChoice, adapter::strip_str};
use anstyle::{AnsiColor, Style};
use hookbox_platform::stream::{Standard, Stream};
use serde_json::Value;

use crate::{
    args::ColourChoice,
    findings::{Level, finding_json},
};

/// Colours of the command's own words; removed where the output is not a terminal.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const DIM: Style = Style::new().dimmed();

/// Maximum length of the warnings with an answer, bytes: any pipe holds that much, so the write succeeds without a reader.
const MAX_WARNINGS: usize = 4096;
/// Time for the reason of an answer to be read: the exit code has already carried the decision.
const REASON_WAITS: Duration = Duration::from_secs(1);

/// Time for a log record to be read: hooks wait as well.
const RECORD_WAITS: Duration = Duration::from_millis(100);

/// Writes data to standard output, everything else to standard error; colours go to terminals only.
pub(crate) struct Printer {
    /// True if standard output shows colours.
    out: Cell<bool>,
    /// True if standard error shows colours.
    error: Cell<bool>,
    /// The error that prevented a part of the data from being written.
    unwritten: RefCell<Option<io::Error>>,
    /// The findings so far, if standard output is reserved for them.
    findings: RefCell<Option<Vec<Value>>>,
}

impl Printer {
    pub(crate) fn new() -> Self {
        let out = Standard::Output.is_terminal() && AutoStream::choice(&io::stdout()) != ColorChoice::Never;
        let error = Standard::Error.is_terminal() && AutoStream::choice(&io::stderr()) != ColorChoice::Never;
        Self {
            out: Cell::new(out),
            error: Cell::new(error),
            unwritten: RefCell::default(),
            findings: RefCell::default(),
        }
    }

    /// Switches colours on or off for both outputs, unless the choice is left to the terminal and the environment.
    pub(crate) fn choose_colours(&self, choice: ColourChoice) {
        let is_on = match choice {
            ColourChoice::Auto => return,
            ColourChoice::Always => true,
            ColourChoice::Never => false,
        };
        self.out.set(is_on);
        self.error.set(is_on);
    }

    /// Reserves standard output for findings: from now on lines go to standard error.
    pub(crate) fn record_findings(&self) {
        *self.findings.borrow_mut() = Some(Vec::new());
    }

    /// Records a finding, if standard output is reserved for them.
    pub(crate) fn add_finding(&self, level: Level, subject: &str, text: &str) {
        if let Some(findings) = self.findings.borrow_mut().as_mut() {
            findings.push(finding_json(level, subject, text));
        }
    }

    pub(crate) fn take_findings(&self) -> Vec<Value> {
        self.findings.take().unwrap_or_default()
    }

    /// Writes bytes for a program: no colour, no change.
    pub(crate) fn write_raw(&self, text: &str) {
        self.keep_error(Stream::without_deadline(Standard::Output).write_all(text.as_bytes()));
    }

    /// Writes bytes for the user to standard error: no colour, no change.
    #[expect(clippy::unused_self, reason = "all writing goes through a printer")]
    pub(crate) fn raw_error(&self, text: &str) {
        ignore_error(Stream::without_deadline(Standard::Error).write_all(text.as_bytes()));
    }

    pub(crate) fn print_line(&self, text: &str) {
        if self.findings.borrow().is_some() {
            return self.print_note(text);
        }
        self.keep_error(write_line(Standard::Output, self.out.get(), text));
    }

    /// Prints any other line.
    pub(crate) fn print_note(&self, text: &str) {
        ignore_error(write_line(Standard::Error, self.error.get(), text));
    }

    pub(crate) fn print_error(&self, text: &str) {
        self.add_finding(Level::Wrong, "hookbox", text);
        self.print_note(&format!("{ERROR}error{ERROR:#}: {text}"));
    }

    /// Writes an answer for an agent, until the deadline. An error if not all of it was written.
    #[expect(clippy::unused_self, reason = "all writing goes through a printer")]
    pub(crate) fn write_answer(&self, text: &str, deadline: Instant) -> io::Result<()> {
        Stream::with_deadline(Standard::Output, deadline).write_all(text.as_bytes())
    }

    /// Writes the reason of an answer to standard error, with a short time limit.
    #[expect(clippy::unused_self, reason = "all writing goes through a printer")]
    pub(crate) fn write_reason(&self, text: &str) {
        ignore_error(
            Stream::with_deadline(Standard::Error, Instant::now() + REASON_WAITS).write_all(text.as_bytes()),
        );
    }

    /// Writes lines for the log of standard error, next to an answer: only those that fit, and without waiting.
    #[expect(clippy::unused_self, reason = "all writing goes through a printer")]
    pub(crate) fn write_warnings(&self, lines: &[String]) {
        ignore_error(
            Stream::with_deadline(Standard::Error, Instant::now()).write_all(limit_lines(lines).as_bytes()),
        );
    }

    /// Returns true if standard output is known to be discarded.
    #[expect(clippy::unused_self, reason = "all writing goes through a printer")]
    pub(crate) fn is_unread(&self) -> bool {
        Standard::Output.is_null()
    }

    /// Returns the error that prevented a part of the data from being written.
    pub(crate) fn unwritten(&self) -> Option<io::Error> {
        self.unwritten.take()
    }

    /// Returns true if a part of the data was not written.
    pub(crate) fn is_closed(&self) -> bool {
        self.unwritten.borrow().is_some()
    }

    /// Keeps the first error: output after it is incomplete anyway.
    fn keep_error(&self, written: io::Result<()>) {
        if let Err(error) = written {
            self.unwritten.borrow_mut().get_or_insert(error);
        }
    }
}

/// One line on standard error about the current step, rewritten as that goes on; for any thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatusLine {
    /// True if a line can be rewritten.
    pub(crate) is_live: bool,
}

impl StatusLine {
    pub(crate) fn new() -> Self {
        Self { is_live: Standard::Error.is_terminal() }
    }

    /// Shows the current step. The cursor stays in the line where it can be rewritten.
    pub(crate) fn show(self, text: &str) {
        let line = if self.is_live { format!("\r{text}") } else { format!("{text}\n") };
        ignore_error(Stream::without_deadline(Standard::Error).write_all(line.as_bytes()));
    }

    /// Ends the line, so that other lines may follow.
    pub(crate) fn end(self) {
        if self.is_live {
            ignore_error(Stream::without_deadline(Standard::Error).write_all(b"\n"));
        }
    }
}

/// Writes a log record to standard error, next to the answers: a line, with a short time limit. For any thread.
pub(crate) fn write_record(line: &str) {
    let line = format!("{line}\n");
    ignore_error(
        Stream::with_deadline(Standard::Error, Instant::now() + RECORD_WAITS).write_all(line.as_bytes()),
    );
}

/// Writes bytes for a program that talks with this one, without a time limit; for any thread.
pub(crate) fn write_whole(bytes: &[u8]) -> io::Result<()> {
    Stream::without_deadline(Standard::Output).write_all(bytes)
}

/// Writes as many bytes as possible without waiting; returns their number.
pub(crate) fn at_once(bytes: &[u8]) -> io::Result<usize> {
    let mut left = bytes;
    while !left.is_empty() {
        match Stream::with_deadline(Standard::Output, Instant::now()).write(left) {
            Ok(written) => left = left.get(written..).unwrap_or_default(),
            // Where a platform cannot limit the wait, the caller's thread writes everything.
            Err(error) if matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::Unsupported) => {
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(bytes.len() - left.len())
}

fn write_line(to: Standard, colours: bool, text: &str) -> io::Result<()> {
    let line = if colours { format!("{text}\n") } else { format!("{}\n", strip_str(text)) };
    Stream::without_deadline(to).write_all(line.as_bytes())
}

/// Returns the first of these lines, and the number of omitted ones.
fn limit_lines(lines: &[String]) -> String {
    // Room for the line with the number of omitted lines.
    const LAST: usize = 64;
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        if text.len() + line.len() + LAST > MAX_WARNINGS {
            let _ = writeln!(text, "hookbox: and {} more", lines.len() - index);
            break;
        }
        let _ = writeln!(text, "hookbox: {line}");
    }
    text
}

/// Ignores an error that cannot be reported.
fn ignore_error(result: io::Result<()>) {
    drop(result);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_as_many_as_any_pipe_holds() {
        let lines = |count, length| vec!["x".repeat(length); count];
        assert_eq!(limit_lines(&lines(2, 1)), "hookbox: x\nhookbox: x\n");
        assert_eq!(limit_lines(&lines(1, 10_000)), "hookbox: and 1 more\n");
        let many = limit_lines(&lines(100, 200));
        assert!(many.len() <= MAX_WARNINGS && many.ends_with("\nhookbox: and 81 more\n"), "{many}");
    }
}
