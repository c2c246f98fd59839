//! `hookbox-compile`: compiles components, builds them from scripts, and runs guests, in a separate process.
//!
//! By default it compiles a component on standard input to native code on standard output; the cache of native code is in
//! `host/runtime/src/sandbox/cache.rs`. With `--inspect` it writes the
//! component's structure as JSON; with `--script LANGUAGE NAME` the input is a script that is made a component first; with
//! `--component` it writes that component. With `--worker BYTES` it runs guests, with so much memory for them, for the hookbox
//! at the other end of its standard input.
//!
//! A component that is made to be expensive to compile, or a script that does not end, costs no more than this process. In
//! every case it gives up files, connections and everything except computing before it reads any input.

use std::{
    env,
    io::{self, Read, Write, stderr, stdin, stdout},
    process::ExitCode,
};

use hookbox::model::Proposals;
use hookbox::sandbox::{
    compile::{
        BASELINE, COMPONENT, FEATURES, INSPECT, PrecompileError, REFUSED, precompile_baseline,
        precompile_with,
    },
    component_file::MAX_COMPONENT_BYTES,
    component_shape, inspect,
    script::{self, Language, MAX_SCRIPT_BYTES, SCRIPT},
    worker::{self, WORKER},
};
use hookbox_platform::{
    Unsupported,
    confinement::{DroppedRights, close_inherited},
    process::{Limit, die_with_starter, offer_to_oom_killer, set_limit},
    socket::Wire,
};

/// Maximum processor time of a compilation, seconds.
const MAX_SECONDS: u64 = 120;
/// Maximum processor time of all guests of a worker together, seconds; the next worker has as much again.
const MAX_WORKER_SECONDS: u64 = 3600;
/// Maximum number of descriptors of a worker: the wire, and the null device.
const MAX_WORKER_DESCRIPTORS: u64 = 8;
/// Maximum address space, bytes.
const MAX_ADDRESS_SPACE: u64 = 6 << 30;

fn main() -> ExitCode {
    let mut words = env::args_os().skip(1);
    if words.next().is_some_and(|word| word == WORKER) {
        return run_worker(words.next().and_then(|bytes| bytes.to_str()?.parse().ok()));
    }
    let unbound = |error: Unsupported| CompileFailure::Failed(error.to_string());
    let answered = Task::from_arguments()
        .and_then(|task| limit_process().map_err(unbound).and_then(|()| exchange_messages(&task)));
    let (message, exit) = match answered {
        Ok(()) => return ExitCode::SUCCESS,
        Err(CompileFailure::Refused(why)) => (why, ExitCode::from(REFUSED)),
        Err(CompileFailure::Failed(why)) => (why, ExitCode::FAILURE),
    };
    // The host reads the first bytes of this; if it does not, the error cannot be reported.
    drop(writeln!(stderr(), "{message}"));
    exit
}

/// Runs guests, whose process may write to `memory` bytes. Its error output is not read.
fn run_worker(memory: Option<u64>) -> ExitCode {
    close_inherited();
    die_with_starter();
    offer_to_oom_killer();
    let Some((memory, wire)) = memory.zip(Wire::of_standard_input().ok()) else { return ExitCode::FAILURE };
    let limits = [
        // A core dump would write the data of guests, such as events, to a file.
        Limit::CoreDump(0),
        Limit::Cpu(MAX_WORKER_SECONDS),
        Limit::Data(memory),
        Limit::FileSize(0),
        Limit::Descriptors(MAX_WORKER_DESCRIPTORS),
    ];
    let served = env::set_current_dir("/").is_ok()
        && worker::serve_guests(&wire, || DroppedRights::confine_process(&limits)).is_ok();
    if served { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[derive(Clone, Copy)]
enum RequestedOutput {
    NativeCode,
    Anatomy,
    /// The component made from a script.
    Component,
}

struct Task {
    wanted: RequestedOutput,
    proposals: Proposals,
    /// The language and the name of the script in the input.
    script: Option<(Language, String)>,
    /// True if the native code is for every processor of this architecture.
    is_baseline: bool,
}

impl Task {
    fn from_arguments() -> Result<Self, CompileFailure> {
        let misfit = || CompileFailure::Failed("this compiler does not fit this hookbox".to_owned());
        let mut words = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).peekable();
        let is_baseline = words.next_if(|word| word == BASELINE).is_some();
        let wanted = match words.next_if(|word| word == INSPECT || word == COMPONENT).as_deref() {
            Some(INSPECT) => RequestedOutput::Anatomy,
            Some(_) => RequestedOutput::Component,
            None => RequestedOutput::NativeCode,
        };
        let mut task = Self { wanted, proposals: Proposals::NONE, script: None, is_baseline };
        if words.next_if(|word| word == FEATURES).is_some() {
            task.proposals =
                words.next().and_then(|names| Proposals::from_names(&names)).ok_or_else(misfit)?;
        }
        if words.next_if(|word| word == SCRIPT).is_some() {
            let language = words.next().and_then(|word| Language::from_word(&word));
            task.script = Some(language.zip(words.next()).ok_or_else(misfit)?);
        }
        words.next().map_or(Ok(task), |_| Err(misfit()))
    }

    fn most(&self) -> u64 {
        if self.script.is_some() { MAX_SCRIPT_BYTES } else { MAX_COMPONENT_BYTES }
    }

    fn make_answer(&self, plugin: &[u8]) -> Result<Vec<u8>, String> {
        if plugin.len() as u64 > self.most() {
            return Err(format!("the plugin is longer than {} bytes", self.most()));
        }
        let made =
            self.script.as_ref().map(|(language, name)| script::build_component(*language, name, plugin));
        let made = made.transpose().map_err(|error| error.to_string())?;
        let component = made.as_deref().unwrap_or(plugin);
        if component.len() as u64 > MAX_COMPONENT_BYTES {
            return Err(format!("the component would be longer than {MAX_COMPONENT_BYTES} bytes"));
        }
        component_shape::check_parts(component).map_err(|error| error.to_string())?;
        match self.wanted {
            RequestedOutput::NativeCode => {
                self.compile_component(component).map_err(|error| error.to_string())
            }
            RequestedOutput::Anatomy => inspect_component(component),
            RequestedOutput::Component => Ok(component.to_vec()),
        }
    }

    fn compile_component(&self, component: &[u8]) -> Result<Vec<u8>, PrecompileError> {
        if self.is_baseline {
            precompile_baseline(component, self.proposals)
        } else {
            precompile_with(component, self.proposals)
        }
    }
}

enum CompileFailure {
    /// The input is at fault.
    Refused(String),
    /// This program is at fault.
    Failed(String),
}

/// Reads a plugin and writes the answer.
fn exchange_messages(task: &Task) -> Result<(), CompileFailure> {
    let plugin = read_input(task.most())
        .map_err(|error| CompileFailure::Failed(format!("the plugin cannot be read: {error}")))?;
    let answer = task.make_answer(&plugin).map_err(CompileFailure::Refused)?;
    let unwritten = |error| CompileFailure::Failed(format!("the answer cannot be written: {error}"));
    let mut out = stdout().lock();
    // An unflushed buffer would be written at the exit, which reports no error.
    out.write_all(&answer).and_then(|()| out.flush()).map_err(unwritten)
}

/// Limits this process, since a component may be made to be expensive, and the caller may be killed meanwhile. (The signal for
/// that belongs to the thread that started the process; if that ends early, the load fails and is tried again.)
fn limit_process() -> Result<(), Unsupported> {
    die_with_starter();
    offer_to_oom_killer();
    for most in [Limit::Cpu(MAX_SECONDS), Limit::AddressSpace(MAX_ADDRESS_SPACE), Limit::CoreDump(0)] {
        set_limit(most)?;
    }
    // Further restrictions that the machine does not support are left out.
    let _ = DroppedRights::confine_process(&[]);
    Ok(())
}

fn inspect_component(component: &[u8]) -> Result<Vec<u8>, String> {
    let anatomy = inspect::read_anatomy(component).map_err(|error| error.to_string())?;
    serde_json::to_vec(&anatomy).map_err(|error| error.to_string())
}

/// Reads one byte more than the maximum, which reveals that the input is too long.
fn read_input(most: u64) -> io::Result<Vec<u8>> {
    let mut plugin = Vec::new();
    stdin().take(most + 1).read_to_end(&mut plugin)?;
    Ok(plugin)
}
