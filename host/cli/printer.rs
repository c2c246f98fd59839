//! The only writer to standard output and standard error.

use std::{
    cell::RefCell,
    fmt::Write as _,
    io::{self, Write},
    time::{Duration, Instant},
};

use anstream::{AutoStream, ColorChoice, adapter::strip_str};
use anstyle::{AnsiColor, Style};
use hookbox_platform::stream::{Standard, Stream};

/// Colours of the command's own words; gone where the output is not a terminal.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const DIM: Style = Style::new().dimmed();

/// Most that warnings beside an answer may be, bytes: what any pipe holds, so that nobody has to read them.
const MAX_WARNINGS: usize = 4096;
/// How long the reason of an answer waits to be read: the exit code has said the most.
const REASON_WAITS: Duration = Duration::from_secs(1);

/// How long a record of a log waits: hooks wait with it.
const RECORD_WAITS: Duration = Duration::from_millis(100);

/// Data to standard output, everything else to standard error; colours where they are seen.
pub(crate) struct Printer {
    /// Are colours seen on standard output?
    out: bool,
    /// And on standard error?
    error: bool,
    /// Why not all of the data was written.
    unwritten: RefCell<Option<io::Error>>,
}

impl Printer {
    pub(crate) fn new() -> Self {
        let out = Standard::Output.is_terminal() && AutoStream::choice(&io::stdout()) != ColorChoice::Never;
        let error = Standard::Error.is_terminal() && AutoStream::choice(&io::stderr()) != ColorChoice::Never;
        Self { out, error, unwritten: RefCell::default() }
    }

    /// Bytes for a program: no colour, no change.
    pub(crate) fn raw(&self, text: &str) {
        self.remember(Stream::patient(Standard::Output).write_all(text.as_bytes()));
    }

    /// Bytes for a person on standard error: no colour, no change.
    #[expect(clippy::unused_self, reason = "all writing goes through a printer")]
    pub(crate) fn raw_error(&self, text: &str) {
        ignore(Stream::patient(Standard::Error).write_all(text.as_bytes()));
    }

    /// A line of data.
    pub(crate) fn line(&self, text: &str) {
        self.remember(print(Standard::Output, self.out, text));
    }

    /// A line of everything else.
    pub(crate) fn note(&self, text: &str) {
        ignore(print(Standard::Error, self.error, text));
    }

    /// A line that says what went wrong.
    pub(crate) fn error(&self, text: &str) {
        self.note(&format!("{ERROR}error{ERROR:#}: {text}"));
    }

    /// An answer for an agent, which is waited for until then. An error if not all of it was written.
    #[expect(clippy::unused_self, reason = "all writing goes through a printer")]
    pub(crate) fn answer(&self, text: &str, deadline: Instant) -> io::Result<()> {
        Stream::until(Standard::Output, deadline).write_all(text.as_bytes())
    }

    /// The reason of an answer, on standard error, which is not waited for long.
    #[expect(clippy::unused_self, reason = "all writing goes through a printer")]
    pub(crate) fn reason(&self, text: &str) {
        ignore(Stream::until(Standard::Error, Instant::now() + REASON_WAITS).write_all(text.as_bytes()));
    }

    /// Lines beside an answer, for whoever looks at standard error: no more than fits, and nobody is waited for.
    #[expect(clippy::unused_self, reason = "all writing goes through a printer")]
    pub(crate) fn warnings(&self, lines: &[String]) {
        ignore(Stream::until(Standard::Error, Instant::now()).write_all(bounded(lines).as_bytes()));
    }

    /// Does nobody read the data, as far as can be known?
    #[expect(clippy::unused_self, reason = "all writing goes through a printer")]
    pub(crate) fn is_unread(&self) -> bool {
        Standard::Output.is_null()
    }

    /// Why not all of the data was written, if it was not.
    pub(crate) fn unwritten(&self) -> Option<io::Error> {
        self.unwritten.take()
    }

    /// The first error says why; what comes after it has a hole before it.
    fn remember(&self, written: io::Result<()>) {
        if let Err(error) = written {
            self.unwritten.borrow_mut().get_or_insert(error);
        }
    }
}

/// One line on standard error about what is under way, written anew as that goes on; from whatever thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatusLine {
    /// Can a line be written anew?
    pub(crate) is_live: bool,
}

impl StatusLine {
    pub(crate) fn new() -> Self {
        Self { is_live: Standard::Error.is_terminal() }
    }

    /// What is under way. The cursor stays in the line where it can be written anew.
    pub(crate) fn show(self, text: &str) {
        let line = if self.is_live { format!("\r{text}") } else { format!("{text}\n") };
        ignore(Stream::patient(Standard::Error).write_all(line.as_bytes()));
    }

    /// It has ended, and other lines may follow.
    pub(crate) fn end(self) {
        if self.is_live {
            ignore(Stream::patient(Standard::Error).write_all(b"\n"));
        }
    }
}

/// A record of a log that is kept beside the answers, on standard error: a line, which is not waited for long. From whatever
/// thread.
pub(crate) fn record(line: &str) {
    let line = format!("{line}\n");
    ignore(Stream::until(Standard::Error, Instant::now() + RECORD_WAITS).write_all(line.as_bytes()));
}

/// Bytes for a program that speaks with this one, as long as it takes; from whatever thread.
pub(crate) fn whole(bytes: &[u8]) -> io::Result<()> {
    Stream::patient(Standard::Output).write_all(bytes)
}

/// As many bytes as are taken at once; how many that were.
pub(crate) fn at_once(bytes: &[u8]) -> io::Result<usize> {
    let mut left = bytes;
    while !left.is_empty() {
        match Stream::until(Standard::Output, Instant::now()).write(left) {
            Ok(written) => left = left.get(written..).unwrap_or_default(),
            Err(error) if matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::Unsupported) => {
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(bytes.len() - left.len())
}

fn print(to: Standard, colours: bool, text: &str) -> io::Result<()> {
    let line = if colours { format!("{text}\n") } else { format!("{}\n", strip_str(text)) };
    Stream::patient(to).write_all(line.as_bytes())
}

/// The first of these lines, and how many are left out.
fn bounded(lines: &[String]) -> String {
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

/// There is nobody left to tell.
fn ignore(result: io::Result<()>) {
    drop(result);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_as_many_as_any_pipe_holds() {
        let lines = |count, length| vec!["x".repeat(length); count];
        assert_eq!(bounded(&lines(2, 1)), "hookbox: x\nhookbox: x\n");
        assert_eq!(bounded(&lines(1, 10_000)), "hookbox: and 1 more\n");
        let many = bounded(&lines(100, 200));
        assert!(many.len() <= MAX_WARNINGS && many.ends_with("\nhookbox: and 81 more\n"), "{many}");
    }
}
