//! The only writer to standard output and standard error.

use std::{
    cell::Cell,
    io::{self, Write},
    process::Stdio,
};

use anstream::{AutoStream, ColorChoice, adapter::strip_str};
use anstyle::{AnsiColor, Style};
use hookbox::model::bounded_text;
use hookbox_platform::stream::{Standard, Stream};

/// Colours of the program's own words; removed where the output is not a terminal.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const DIM: Style = Style::new().dimmed();

/// Writes data to standard output, everything else to standard error; colours go to terminals only.
pub(crate) struct Printer {
    out: bool,
    error: bool,
    unwritten: Cell<bool>,
}

impl Printer {
    pub(crate) fn new() -> Self {
        let out = Standard::Output.is_terminal() && AutoStream::choice(&io::stdout()) != ColorChoice::Never;
        let error = Standard::Error.is_terminal() && AutoStream::choice(&io::stderr()) != ColorChoice::Never;
        Self { out, error, unwritten: Cell::new(false) }
    }

    pub(crate) fn print_line(&self, text: &str) {
        if print_text(Standard::Output, self.out, text).is_err() {
            self.unwritten.set(true);
        }
    }

    /// Prints a line of data after its key in a column.
    pub(crate) fn print_row(&self, key: &str, value: &str) {
        self.print_line(&format!("{key:<10}{value}"));
    }

    /// Prints any other line.
    pub(crate) fn print_note(&self, text: &str) {
        // The error cannot be reported anywhere.
        drop(print_text(Standard::Error, self.error, text));
    }

    pub(crate) fn print_error(&self, text: &str) {
        self.print_note(&format!("{ERROR}error{ERROR:#}: {text}"));
    }

    pub(crate) fn print_warning(&self, text: &str) {
        self.print_note(&format!("{WARNING}warning{WARNING:#}: {text}"));
    }

    /// Returns true if some of the data was not written.
    pub(crate) fn is_unwritten(&self) -> bool {
        self.unwritten.get()
    }
}

/// Returns the destination of a tool's output: standard error, so that it never mixes with data for another program.
pub(crate) fn for_tools() -> Stdio {
    // Another program may read this program's standard output as JSON.
    io::stderr().into()
}

/// Returns an untrusted text as one bounded line without invisible characters.
pub(crate) fn to_plain_line(text: &str) -> String {
    bounded_text(text).replace('\n', "⏎")
}

fn print_text(to: Standard, colours: bool, text: &str) -> io::Result<()> {
    let line = if colours { format!("{text}\n") } else { format!("{}\n", strip_str(text)) };
    Stream::without_deadline(to).write_all(line.as_bytes())
}
