//! `hookbox bus`: llxprt-code's message bus over standard input and output.

use std::{
    io::{self, ErrorKind},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use futures_util::future::{Either, select};
use hookbox_app::places::{NamedPlaces, Places};
use hookbox_service::{
    HookSource, Service,
    bus::{HookBus, serve},
};
use tokio::time::timeout;

use super::{BoxFuture, read, streams};
use crate::{
    args::BusArgs,
    environment,
    exit::ExitStatus,
    printer::{self, Printer},
};

/// Time for the last responses to be read after a termination signal.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

pub(super) fn serve_bus(args: &BusArgs, printer: &Printer) -> ExitStatus {
    let folder = match super::resolve_project(args.project.as_deref()) {
        Ok(folder) => folder,
        Err(message) => {
            printer.print_error(&message);
            return ExitStatus::Usage;
        }
    };
    // An agent starts this command in a project, which can set variables, so none is read.
    let places = Places::of_account(&NamedPlaces::from(&args.places));
    let service = Service::builder(environment::build_surroundings(places))
        .hooks(HookSource::Layers(args.source.config.clone()))
        .build();
    let session = args.session.clone().unwrap_or_else(|| read::create_read_context().id);
    let mut bus = HookBus::builder(service, session, &folder);
    if args.log {
        bus = bus.log(Arc::new(|record| {
            if let Ok(record) = serde_json::to_string(record) {
                printer::write_record(&record);
            }
        }));
    }
    let bus = bus.build();
    let ended = match super::run_until_shutdown(true, |shutdown| until_ended(&bus, shutdown)) {
        Ok(ended) => ended,
        Err(message) => Err(io::Error::other(message)),
    };
    match ended {
        Ok(()) => ExitStatus::Success,
        Err(error) => {
            // The closer of a pipe needs no report.
            if error.kind() != ErrorKind::BrokenPipe {
                printer.print_error(&error.to_string());
            }
            ExitStatus::Problems
        }
    }
}

async fn until_ended(bus: &HookBus, shutdown: BoxFuture<'static, ()>) -> io::Result<()> {
    let (input, output, written) = streams::open_standard();
    let serving = pin!(async {
        match select(pin!(serve(bus, input, output)), written).await {
            // The writing thread still has the last responses.
            Either::Left((served, written)) => served.and(written.await.unwrap_or(Ok(()))),
            // The reader is gone: running hooks end with the runtime.
            Either::Right((written, _)) => written.unwrap_or(Ok(())),
        }
    });
    match select(serving, shutdown).await {
        Either::Left((served, _)) => served,
        Either::Right(((), serving)) => {
            bus.dispose();
            let _late = timeout(DRAIN_TIMEOUT, serving).await;
            Err(io::Error::other("hookbox was interrupted"))
        }
    }
}
