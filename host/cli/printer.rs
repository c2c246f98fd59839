//! The only writer to standard output and standard error.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// Colours of the command's own words; gone where the output is not a terminal.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const DIM: Style = Style::new().dimmed();

/// Data to standard output, everything else to standard error; colours where they are seen.
pub(crate) struct Printer {
    out: ColorChoice,
    error: ColorChoice,
}

impl Printer {
    pub(crate) fn new() -> Self {
        Self { out: choice(rustix::stdio::stdout()), error: choice(rustix::stdio::stderr()) }
    }

    /// Bytes for a program: no colour, no change.
    #[expect(clippy::unused_self, reason = "all writing goes through a printer")]
    pub(crate) fn raw(&self, text: &str) {
        let mut out = io::stdout().lock();
        ignore(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
    }

    /// Bytes for a program on standard error.
    #[expect(clippy::unused_self, reason = "all writing goes through a printer")]
    pub(crate) fn raw_error(&self, text: &str) {
        ignore(io::stderr().lock().write_all(text.as_bytes()));
    }

    /// A line of data.
    pub(crate) fn line(&self, text: &str) {
        let mut out = AutoStream::new(io::stdout().lock(), self.out);
        ignore(writeln!(out, "{text}"));
    }

    /// A line of everything else.
    pub(crate) fn note(&self, text: &str) {
        let mut out = AutoStream::new(io::stderr().lock(), self.error);
        ignore(writeln!(out, "{text}"));
    }

    /// A line that says what went wrong.
    pub(crate) fn error(&self, text: &str) {
        self.note(&format!("{ERROR}error{ERROR:#}: {text}"));
    }
}

fn choice(stream: impl std::os::fd::AsFd) -> ColorChoice {
    if rustix::termios::isatty(stream) { ColorChoice::Auto } else { ColorChoice::Never }
}

/// The reader may have gone; there is nobody left to tell.
fn ignore(result: io::Result<()>) {
    drop(result);
}
