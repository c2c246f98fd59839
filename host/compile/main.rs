//! `hookbox-compile`: a component on standard input, native code on standard output; with `--inspect` what the component
//! is made of, as JSON. A process of its own, so that a
//! component that is made to be expensive to compile costs no more than this process.

use std::{
    env,
    io::{self, Read, Write, stderr, stdin, stdout},
    process::ExitCode,
};

use hookbox::model::Proposals;
use hookbox::sandbox::{
    compile::{FEATURES, INSPECT, REFUSED, precompile_with},
    component_file::MAX_COMPONENT_BYTES,
    inspect, shape,
};
use hookbox_platform::{
    Unsupported,
    process::{Limit, die_with_starter, limit},
};

/// Most processor time, seconds.
const MAX_SECONDS: u64 = 120;
/// Most address space, bytes.
const MAX_ADDRESS_SPACE: u64 = 6 << 30;

fn main() -> ExitCode {
    let unbound = |error: Unsupported| End::Failed(error.to_string());
    let answered = bound().map_err(unbound).and_then(|()| match task()? {
        Task::Inspect => exchange(look),
        Task::Compile(proposals) => exchange(|component| precompile_with(component, proposals)),
    });
    let (message, exit) = match answered {
        Ok(()) => return ExitCode::SUCCESS,
        Err(End::Refused(why)) => (why, ExitCode::from(REFUSED)),
        Err(End::Failed(why)) => (why, ExitCode::FAILURE),
    };
    // The host reads the first bytes of this; nobody is left to tell if it does not.
    drop(writeln!(stderr(), "{message}"));
    exit
}

/// What is asked of the component.
enum Task {
    Compile(Proposals),
    Inspect,
}

/// As the arguments say.
fn task() -> Result<Task, End> {
    let mut words = env::args().skip(1);
    match (words.next().as_deref(), words.next()) {
        (None, _) => Ok(Task::Compile(Proposals::NONE)),
        (Some(INSPECT), None) => Ok(Task::Inspect),
        (Some(FEATURES), Some(names)) => {
            let known = Proposals::named(&names);
            known
                .map(Task::Compile)
                .ok_or_else(|| End::Failed(format!("there are no such features: {names}")))
        }
        _ => Err(End::Failed(format!("usage: hookbox-compile [{INSPECT} | {FEATURES} gc,exceptions]"))),
    }
}

/// An end without an answer.
enum End {
    /// The component is at fault.
    Refused(String),
    /// This program is.
    Failed(String),
}

/// A component in, the answer to this question out.
fn exchange(question: impl Fn(&[u8]) -> Result<Vec<u8>, String>) -> Result<(), End> {
    let component = read().map_err(|error| End::Failed(format!("the component cannot be read: {error}")))?;
    let answer = answer(&component, question).map_err(End::Refused)?;
    let unwritten = |error| End::Failed(format!("the answer cannot be written: {error}"));
    let mut out = stdout().lock();
    // What is left in the buffer would be written at the exit, which tells of no error.
    out.write_all(&answer).and_then(|()| out.flush()).map_err(unwritten)
}

/// A component may be made to be expensive, and whoever asked for the code may be killed while it is made. (The signal for
/// that is of the thread that started us; one that ends earlier costs a load that is tried again.)
fn bound() -> Result<(), Unsupported> {
    die_with_starter();
    for most in [Limit::Cpu(MAX_SECONDS), Limit::AddressSpace(MAX_ADDRESS_SPACE), Limit::CoreDump(0)] {
        limit(most)?;
    }
    Ok(())
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
fn answer(component: &[u8], question: impl Fn(&[u8]) -> Result<Vec<u8>, String>) -> Result<Vec<u8>, String> {
    if component.len() as u64 > MAX_COMPONENT_BYTES {
        return Err(format!("the component is longer than {MAX_COMPONENT_BYTES} bytes"));
    }
    shape::check(component)?;
    question(component)
}
