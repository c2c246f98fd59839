//! One file per command.

mod agent_change;
mod agent_trust;
mod allow;
mod bus;
mod change_consent;
mod check;
mod cline_change;
mod confine;
mod control;
mod detect_agents;
mod dialects;
mod doctor;
mod entries;
mod entry_process;
mod explain;
mod facts;
mod grants;
mod hooks;
mod import;
mod init;
mod install;
mod list;
mod log;
mod own_command;
mod own_file_copies;
mod plugin;
mod progress;
mod proxy_change;
mod read;
mod repeated_calls;
mod restore;
mod rule_counts;
mod run;
mod sample_calls;
mod self_test;
mod settings_change;
mod setup;
mod status;
mod stdin;
mod streams;
mod switch;
mod trust;
mod try_event;
mod user_presence;

use std::{
    future::{pending, poll_fn},
    pin::{Pin, pin},
    task::Poll,
};

use clap::CommandFactory;
use hookbox::agents::FALLBACK_EXIT_CODE;
use hookbox_platform::signals::{SignalExit, shutdown_signal};

use self::own_file_copies::FilesBefore;
use crate::{
    args::{Args, Command, Shell},
    exit::ExitStatus,
    printer::Printer,
};

/// Stack of a thread that waits for the disk, bytes. Without it a variable, which a project may set, would determine the size.
const THREAD_STACK: usize = 2 << 20;

/// Runs the command.
///
/// `refusal` is set for `run`: the exit code for signals that end it.
pub(crate) fn run_command(args: Args, refusal: Option<SignalExit>, printer: &Printer) -> ExitStatus {
    let before = FilesBefore::read(&args.command);
    let exit = match args.command {
        Command::Run(args) => run::run(
            &args,
            refusal.unwrap_or_else(|| SignalExit::start_handling(FALLBACK_EXIT_CODE)),
            printer,
        ),
        Command::Bus(args) => bus::serve_bus(&args, printer),
        Command::Control(args) => control::run_control(&args, printer),
        Command::Check(args) => check::check_hooks(&args, printer),
        Command::List(args) => list::list_hooks(&args, printer),
        Command::Disable(args) => switch::disable_hook(&args, printer),
        Command::Enable(args) => switch::enable_hook(&args, printer),
        Command::Trust(args) => trust::trust_hooks(&args, printer),
        Command::Untrust(args) => trust::untrust_hooks(&args, printer),
        Command::Log(args) => log::print_log(&args, printer),
        Command::Allow(args) => allow::allow_call(&args, printer),
        Command::Restore(args) => restore::restore_files(&args, printer),
        Command::Explain(args) => explain::explain_event(&args, printer),
        Command::Facts(args) => facts::print_facts(&args, printer),
        Command::Try(args) => try_event::try_event(&args, printer),
        Command::Doctor(args) => doctor::run_doctor(&args, printer),
        Command::Status(args) => status::show_status(&args, printer),
        Command::Install(args) => install::install_hookbox(&args, printer),
        Command::Setup(args) => setup::run_setup(&args, printer),
        Command::Uninstall(args) => install::uninstall_hookbox(args, printer),
        Command::Init(args) => init::init_project(&args, printer),
        Command::Hooks(args) => hooks::manage_hooks(&args.command, printer),
        Command::Confine(args) => confine::run(&args, printer),
        Command::Import(args) => import::import_hooks(&args, printer),
        Command::Dialects(args) => dialects::list_dialects(&args, printer),
        Command::Plugin(args) => plugin::manage_plugins(&args.command, printer),
        Command::Export(args) => plugin::run_export(&args, printer),
        Command::Completions(args) => print_completions(args.shell, printer),
        Command::Man => print_man_page(printer),
        Command::Version => {
            printer.print_line(concat!("hookbox ", env!("CARGO_PKG_VERSION")));
            ExitStatus::Success
        }
        Command::Schema => {
            printer.print_line(&format!("{:#}", hookbox::config::build_schema()));
            ExitStatus::Success
        }
    };
    if let Some(before) = before {
        before.record_changes(printer);
    }
    exit
}

fn print_completions(shell: Shell, printer: &Printer) -> ExitStatus {
    let shell = match shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Elvish => clap_complete::Shell::Elvish,
        Shell::Fish => clap_complete::Shell::Fish,
        Shell::Powershell => clap_complete::Shell::PowerShell,
        Shell::Zsh => clap_complete::Shell::Zsh,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "hookbox", &mut script);
    printer.write_raw(&String::from_utf8_lossy(&script));
    ExitStatus::Success
}

fn print_man_page(printer: &Printer) -> ExitStatus {
    let mut page = Vec::new();
    match clap_mangen::Man::new(Args::command()).render(&mut page) {
        Ok(()) => printer.write_raw(&String::from_utf8_lossy(&page)),
        Err(error) => {
            printer.print_error(&format!("the manual page cannot be made: {error}"));
            return ExitStatus::Problems;
        }
    }
    ExitStatus::Success
}

/// Runs a future on this thread: a process that answers one event needs no other. Processes and requests need the reactor; a
/// chain of wasm hooks that send nothing starts quicker without.
fn block_on<T>(reactor: bool, future: impl Future<Output = T>) -> Result<T, String> {
    let runtime = build_runtime(reactor)?;
    let output = if reactor { runtime.block_on(until_ended(future)) } else { Ok(runtime.block_on(future)) };
    // Unfinished work (a name being looked up) must not keep the process.
    runtime.shutdown_background();
    output
}

/// Runs the future that `start` makes to its end. With a reactor `start` receives a future that is ready once this process gets
/// a termination signal; without, a signal ends the process immediately.
fn run_until_shutdown<T, F: Future<Output = T>>(
    reactor: bool,
    start: impl FnOnce(BoxFuture<'static, ()>) -> F,
) -> Result<T, String> {
    let runtime = build_runtime(reactor)?;
    let shutdown: BoxFuture<'static, ()> =
        if reactor { Box::pin(shutdown_signal()) } else { Box::pin(pending()) };
    let output = runtime.block_on(start(shutdown));
    runtime.shutdown_background();
    Ok(output)
}

fn build_runtime(reactor: bool) -> Result<tokio::runtime::Runtime, String> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_time().thread_stack_size(THREAD_STACK);
    if reactor {
        builder.enable_io();
    }
    builder.build().map_err(|error| format!("the asynchronous runtime cannot be started: {error}"))
}

/// Runs the future, but drops it if this process gets a termination signal: hooks are processes in groups of their own, which
/// hookbox's signals do not reach, and dropping the future kills them.
async fn until_ended<T>(future: impl Future<Output = T>) -> Result<T, String> {
    let (mut shutdown, mut future) = (pin!(shutdown_signal()), pin!(future));
    poll_fn(|context| {
        if shutdown.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err("hookbox was interrupted".to_owned()));
        }
        future.as_mut().poll(context).map(Ok)
    })
    .await
}

type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Returns the folder that a command is about.
fn resolve_project(folder: Option<&std::path::Path>) -> Result<std::path::PathBuf, String> {
    let Some(folder) = folder else { return Ok(crate::environment::current_folder()) };
    if !folder.is_dir() {
        return Err(format!("--project {} is not a folder; name an existing one", folder.display()));
    }
    Ok(std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()))
}
