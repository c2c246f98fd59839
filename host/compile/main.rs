//! `hookbox-compile`: a component on standard input, native code on standard output; with `--inspect` what the component
//! is made of, as JSON. A process of its own, so that a
//! component that is made to be expensive to compile costs no more than this process.

use std::{
    env,
    io::{self, Read, Write, stderr, stdin, stdout},
    process::ExitCode,
};

use hookbox::sandbox::{
    compile::{INSPECT, REFUSED, precompile},
    component_file::MAX_COMPONENT_BYTES,
    inspect, shape,
};
use rustix::process::{Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit};

/// Most processor time, seconds.
const MAX_SECONDS: u64 = 120;
/// Most address space, bytes.
const MAX_ADDRESS_SPACE: u64 = 6 << 30;

fn main() -> ExitCode {
    die_with_parent();
    limit(Resource::Cpu, MAX_SECONDS);
    limit(Resource::As, MAX_ADDRESS_SPACE);
    limit(Resource::Core, 0);
    let inspects = env::args_os().nth(1).is_some_and(|word| word == INSPECT);
    let (message, exit) = match exchange(if inspects { look } else { precompile }) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(End::Refused(why)) => (why, ExitCode::from(REFUSED)),
        Err(End::Failed(why)) => (why, ExitCode::FAILURE),
    };
    // The host reads the first bytes of this; nobody is left to tell if it does not.
    drop(writeln!(stderr(), "{message}"));
    exit
}

/// An end without an answer.
enum End {
    /// The component is at fault.
    Refused(String),
    /// This program is.
    Failed(String),
}

/// A component in, the answer to this question out.
fn exchange(question: fn(&[u8]) -> Result<Vec<u8>, String>) -> Result<(), End> {
    let component = read().map_err(|error| End::Failed(format!("the component cannot be read: {error}")))?;
    let answer = answer(&component, question).map_err(End::Refused)?;
    let unwritten = |error| End::Failed(format!("the answer cannot be written: {error}"));
    let mut out = stdout().lock();
    // What is left in the buffer would be written at the exit, which tells of no error.
    out.write_all(&answer).and_then(|()| out.flush()).map_err(unwritten)
}

/// Whoever asked for the code may be killed while it is made. (The signal is that of the thread that started us; one
/// that ends earlier costs a load that is tried again.)
fn die_with_parent() {
    // Where the system refuses, the limits below end it.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
}

fn limit(resource: Resource, most: u64) {
    let now = getrlimit(resource);
    // A lower limit that is in force already holds; a privileged process could raise it.
    let lower = |limit: Option<u64>| Some(limit.map_or(most, |limit| limit.min(most)));
    let _ = setrlimit(resource, Rlimit { current: lower(now.current), maximum: lower(now.maximum) });
}

fn look(component: &[u8]) -> Result<Vec<u8>, String> {
    let anatomy = inspect::read(component)?;
    serde_json::to_vec(&anatomy).map_err(|error| error.to_string())
}

/// As much of the component as tells that it is too long.
fn read() -> io::Result<Vec<u8>> {
    let mut component = Vec::new();
    stdin().take(MAX_COMPONENT_BYTES + 1).read_to_end(&mut component)?;
    Ok(component)
}

/// The answer to this question, or why there is none.
fn answer(component: &[u8], question: fn(&[u8]) -> Result<Vec<u8>, String>) -> Result<Vec<u8>, String> {
    if component.len() as u64 > MAX_COMPONENT_BYTES {
        return Err(format!("the component is longer than {MAX_COMPONENT_BYTES} bytes"));
    }
    shape::check(component)?;
    question(component)
}
