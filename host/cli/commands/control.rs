//! `hookbox control`: the Agent SDK's control protocol over standard input and output.

use std::{
    future::poll_fn,
    io,
    task::{Context, Poll},
};

use hookbox::model::Json;
use hookbox_files::places::{NamedPlaces, Places};
use hookbox_platform::stream::Standard;
use hookbox_service::{
    HookSource, Service,
    control::{Callbacks, Others, Said, Session, Told},
};
use tokio::{runtime::Handle, task::spawn_blocking};

use super::{read, stdin::Chunks};
use crate::{args::ControlArgs, environment, exit::ExitStatus, printer, printer::Printer};

pub(super) fn run_control(args: &ControlArgs, printer: &Printer) -> ExitStatus {
    // The place of a bug is reported; the former panic hook prints nothing.
    hookbox::keep_panic_backtraces();
    if Standard::Input.is_terminal() {
        printer.print_note(
            "this command speaks to Claude Code: it expects JSON messages on standard input, ended by Ctrl-D",
        );
    }
    match super::block_on(true, serve_protocol(args, printer)).and_then(|ended| ended) {
        Ok(()) => ExitStatus::Success,
        Err(message) => {
            printer.write_warnings(&[message]);
            ExitStatus::Problems
        }
    }
}

/// Serves the protocol until the stream ends. Dropping the future ends the session and all running hooks.
async fn serve_protocol(args: &ControlArgs, printer: &Printer) -> Result<(), String> {
    let callbacks = Callbacks::default();
    callbacks.add_service(&build_service(args), read::create_arrival).map_err(|error| error.to_string())?;
    let (session, said) = Session::new(callbacks, Others::Refuse, Handle::current());
    let mut stream = Stream { session, said, input: Some(Chunks::new()?), printer };
    stream.session.initialize(&Json::empty_object());
    while let Some(next) = poll_fn(|context| stream.poll_next(context)).await {
        match next {
            Next::Told(told) => stream.handle_output(told).await?,
            Next::Bytes(bytes) => stream.session.receive(&bytes),
            Next::End(result) => {
                stream.input = None;
                stream.session.end();
                result.map_err(|error| format!("standard input cannot be read: {error}"))?;
            }
        }
    }
    Ok(())
}

fn build_service(args: &ControlArgs) -> Service {
    // Claude Code starts this command in a project, which can set variables, so none is read.
    let places = Places::of_account(&NamedPlaces::from(&args.places));
    let hooks = HookSource::Layers(args.source.config.clone());
    Service::builder(environment::build_surroundings(places)).hooks(hooks).build()
}

/// Both directions of the conversation.
struct Stream<'a> {
    session: Session,
    said: Said,
    input: Option<Chunks>,
    printer: &'a Printer,
}

enum Next {
    Told(Told),
    Bytes(Vec<u8>),
    End(io::Result<()>),
}

impl Stream<'_> {
    /// Returns the next step. Output comes first: while it is not read, input is not read either, so that nothing piles up.
    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Next>> {
        if let Poll::Ready(told) = self.said.poll_next(context) {
            return Poll::Ready(told.map(Next::Told));
        }
        let Some(input) = &mut self.input else { return Poll::Pending };
        input.poll_next(context).map(|chunk| {
            Some(match chunk {
                Some(Ok(bytes)) => Next::Bytes(bytes),
                Some(Err(error)) => Next::End(Err(error)),
                None => Next::End(Ok(())),
            })
        })
    }

    async fn handle_output(&self, told: Told) -> Result<(), String> {
        match told {
            Told::Line(line) => {
                let written = write_line(line).await;
                written.map_err(|error| format!("standard output cannot be written: {error}"))
            }
            Told::Initialized(Ok(initialized)) if !initialized.hooks_applied => {
                Err("Claude Code was under way already and registered no hooks; start a new session"
                    .to_owned())
            }
            Told::Initialized(Ok(initialized)) if !initialized.heeds_failures => {
                self.print_warning(
                    "this version of Claude Code lets pass what a hook that fails was asked about",
                );
                Ok(())
            }
            Told::Initialized(Ok(_)) | Told::NotOurs(_) => Ok(()),
            Told::Initialized(Err(failure)) if self.input.is_some() => {
                Err(format!("no hook is registered: {}", failure.message))
            }
            Told::Initialized(Err(failure)) => {
                self.print_warning(&failure.message);
                Ok(())
            }
            Told::Log(entry) => {
                self.print_warning(&entry.to_string());
                Ok(())
            }
        }
    }

    /// Prints a warning without waiting, since standard error may not be read.
    fn print_warning(&self, text: &str) {
        self.printer.write_warnings(&[text.to_owned()]);
    }
}

/// Writes a line. The part that cannot be written immediately goes to a separate thread: a slow reader blocks neither hooks nor
/// signals.
async fn write_line(line: String) -> io::Result<()> {
    let mut bytes = line.into_bytes();
    bytes.push(b'\n');
    let written = printer::at_once(&bytes)?;
    if written == bytes.len() {
        return Ok(());
    }
    let rest = bytes.split_off(written);
    spawn_blocking(move || printer::write_whole(&rest))
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)))
}
