//! `hookbox-compile`: a component on standard input, native code on standard output; with `--inspect` what the component
//! is made of, as JSON. A process of its own, so that a
//! component that is made to be expensive to compile costs no more than this process.

use std::{
    env,
    io::{Read, Write, stderr, stdin, stdout},
    process::ExitCode,
};

use hookbox::sandbox::{
    cache::MAX_COMPONENT_BYTES,
    compile::{INSPECT, precompile},
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
    match answer(if inspects { look } else { precompile }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // The host reads the first bytes of this; nobody is left to tell if it does not.
            drop(writeln!(stderr(), "{message}"));
            ExitCode::FAILURE
        }
    }
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

fn answer(question: fn(&[u8]) -> Result<Vec<u8>, String>) -> Result<(), String> {
    let mut component = Vec::new();
    let mut input = stdin().take(MAX_COMPONENT_BYTES + 1);
    input.read_to_end(&mut component).map_err(|error| format!("the component cannot be read: {error}"))?;
    if component.len() as u64 > MAX_COMPONENT_BYTES {
        return Err(format!("the component is longer than {MAX_COMPONENT_BYTES} bytes"));
    }
    shape::check(&component)?;
    let answer = question(&component)?;
    stdout().write_all(&answer).map_err(|error| format!("the answer cannot be written: {error}"))
}
