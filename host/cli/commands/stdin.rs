//! Standard input, which is not waited for without end: an agent may never close it.

use std::{
    io::{self, Read},
    time::{Duration, Instant},
};

use hookbox_platform::stream::{Standard, read_input, wait_for_input};

use crate::printer::Printer;

/// Longest time in which nothing comes.
const SILENCE: Duration = Duration::from_secs(10);
/// Longest time until all is there.
const WHOLE: Duration = Duration::from_mins(1);

/// Reads standard input; an error of the kind [`io::ErrorKind::TimedOut`] once it has taken too long. There is no buffer:
/// whoever reads has one.
pub(super) struct Stdin {
    deadline: Instant,
}

impl Stdin {
    /// Within the time that whoever writes has, if that is known and shorter.
    pub(super) fn within(time: Option<Duration>) -> Self {
        Self { deadline: Instant::now() + time.unwrap_or(WHOLE).min(WHOLE) }
    }

    /// Waits until there is something, or the end.
    fn wait(&self) -> io::Result<()> {
        let patience = self.deadline.saturating_duration_since(Instant::now()).min(SILENCE);
        if wait_for_input(patience)? { Ok(()) } else { Err(too_long(patience)) }
    }
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.wait()?;
        read_input(buffer)
    }
}

fn too_long(patience: Duration) -> io::Error {
    let waited = if patience == SILENCE { "nothing came for 10 s" } else { "the time to read it is over" };
    let message = format!("{waited}, and standard input is still open; whoever starts hookbox must close it");
    io::Error::new(io::ErrorKind::TimedOut, message)
}

/// Tells a person at a terminal, who sees nothing happen otherwise.
pub(super) fn announce(printer: &Printer) {
    if Standard::Input.is_terminal() {
        printer.note(
            "waiting for an event: JSON on standard input, ended by Ctrl-D (within 10 s, else it is refused)",
        );
    }
}
