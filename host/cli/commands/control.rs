//! `hookbox control`: the Agent SDK's control protocol over standard input and output.

use std::{
    future::poll_fn,
    io,
    task::{Context, Poll},
};

use hookbox::model::Json;
use hookbox_app::places::{NamedPlaces, Places};
use hookbox_platform::stream::Standard;
use hookbox_service::{
    HookSource, Service,
    control::{Callbacks, OtherMessages, Session, SessionOutput, SessionOutputs},
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
    callbacks
        .add_service(&build_service(args), read::create_read_context)
        .map_err(|error| error.to_string())?;
    let (session, outputs) = Session::new(callbacks, OtherMessages::Refuse, Handle::current());
    let mut stream = Stream { session, outputs, input: Some(Chunks::new()?), printer };
    stream.session.initialize(&Json::empty_object());
    while let Some(next) = poll_fn(|context| stream.poll_next(context)).await {
        match next {
            StreamEvent::Output(output) => stream.handle_output(output).await?,
            StreamEvent::Bytes(bytes) => stream.session.receive(&bytes),
            StreamEvent::End(result) => {
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
    outputs: SessionOutputs,
    input: Option<Chunks>,
    printer: &'a Printer,
}

enum StreamEvent {
    Output(SessionOutput),
    Bytes(Vec<u8>),
    End(io::Result<()>),
}

impl Stream<'_> {
    /// Returns the next step. Output comes first: while it is not read, input is not read either, so that nothing piles up.
    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<StreamEvent>> {
        if let Poll::Ready(output) = self.outputs.poll_next(context) {
            return Poll::Ready(output.map(StreamEvent::Output));
        }
        let Some(input) = &mut self.input else { return Poll::Pending };
        input.poll_next(context).map(|chunk| {
            Some(match chunk {
                Some(Ok(bytes)) => StreamEvent::Bytes(bytes),
                Some(Err(error)) => StreamEvent::End(Err(error)),
                None => StreamEvent::End(Ok(())),
            })
        })
    }

    async fn handle_output(&self, output: SessionOutput) -> Result<(), String> {
        match output {
            SessionOutput::Line(line) => {
                let written = write_line(line).await;
                written.map_err(|error| format!("standard output cannot be written: {error}"))
            }
            SessionOutput::Initialized(Ok(initialized)) if !initialized.hooks_applied => {
                Err("Claude Code was running already and registered no hooks; start a new session".to_owned())
            }
            SessionOutput::Initialized(Ok(initialized)) if !initialized.heeds_failures => {
                self.print_warning("this version of Claude Code allows an action whose hook fails");
                Ok(())
            }
            SessionOutput::Initialized(Ok(_)) | SessionOutput::Unhandled(_) => Ok(()),
            SessionOutput::Initialized(Err(failure)) if self.input.is_some() => {
                Err(format!("no hook is registered: {}", failure.message))
            }
            SessionOutput::Initialized(Err(failure)) => {
                self.print_warning(&failure.message);
                Ok(())
            }
            SessionOutput::Log(entry) => {
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
