//! Converts wasmtime's errors of a guest to failures.

use std::{fmt, path::Path};

use hookbox_model::{Failure, FailureCode, Limit, Limits};
use hookbox_platform::file::is_out_of_memory;
use wasmtime::{Trap, component::ResourceTableError};
use wasmtime_wasi::I32Exit;

use super::{
    host_call_budget::{TooManyBytes, TooManyHostCalls},
    store::State,
    wasi::MAX_HANDLES,
};
use crate::trace;

/// A failure of the host on its way through wasmtime: the guest is not at fault.
#[derive(Debug)]
pub(super) struct Fault(pub(super) Failure);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Fault {}

/// Returns the failure of a component whose imports could not be linked.
pub(super) fn of_imports(path: &Path, error: &wasmtime::Error) -> Failure {
    if let Some(Fault(failure)) = error.downcast_ref() {
        let message = format!("the plugin {} cannot be loaded: {}", path.display(), failure.message);
        return Failure::new(failure.code, &message);
    }
    let message = format!("{} imports something that hookbox does not grant: {error:#}", path.display());
    Failure::new(FailureCode::Refused, &message)
}

/// Returns the failure of a component whose exports are not those of the hook world.
pub(super) fn of_exports(path: &Path, error: &wasmtime::Error) -> Failure {
    let path = path.display();
    let message = format!("{path} is not a component of the world hookbox:hook/hook: {error:#}");
    Failure::new(FailureCode::BadComponent, &message)
}

/// Returns the failure of a call without an answer.
pub(super) fn of_call(error: &wasmtime::Error, limits: &Limits, state: Option<&State>) -> Failure {
    if let Some(Fault(failure)) = error.downcast_ref() {
        return failure.clone();
    }
    trace::sandbox_error(error.chain());
    let refused_growth = state.is_some_and(|state| state.meter.refused);
    let code = match error.downcast_ref::<Trap>() {
        _ if error.is::<TooManyHostCalls>() => FailureCode::HostCalls,
        Some(Trap::OutOfFuel) => FailureCode::Fuel,
        Some(Trap::Interrupt) => return timeout_failure(limits),
        Some(Trap::StackOverflow) => FailureCode::Stack,
        // Most languages abort when an allocation fails, so the trap itself is an `unreachable`.
        _ if refused_growth => FailureCode::Memory,
        _ if error.is::<TooManyBytes>() || is_hostcall_fuel(error) => FailureCode::Output,
        _ if is_machine_full(error) => return machine_full(),
        _ if is_instance_limit(error) => FailureCode::Memory,
        _ => FailureCode::Trap,
    };
    Failure::new(code, &format_message(code, error, limits))
}

/// Returns true if the guest used up its fuel.
pub(super) fn is_out_of_fuel(error: &wasmtime::Error) -> bool {
    matches!(error.downcast_ref(), Some(Trap::OutOfFuel))
}

/// Returns the failure of a program that wrote more than an answer may have.
pub(super) fn too_much_output(limits: &Limits) -> Failure {
    let most = limits.get(Limit::Output);
    let message = format!(
        "the guest wrote more than {most} bytes to standard output; raise `output` in the hook's `limits`"
    );
    Failure::new(FailureCode::Output, &message)
}

/// Returns the failure of a hook that used up its time.
pub(super) fn timeout_failure(limits: &Limits) -> Failure {
    let ms = limits.get(Limit::Timeout);
    Failure::new(
        FailureCode::Timeout,
        &format!("no answer within {ms} ms; if it needs longer, raise the hook's `timeout`"),
    )
}

fn format_message(code: FailureCode, error: &wasmtime::Error, limits: &Limits) -> String {
    let exceeded = |limit: Limit| {
        let (value, unit) = (limits.get(limit), limit.unit());
        format!(
            "the guest used more than {value} {unit} of `{limit}`; raise it in the hook's `limits` if that is meant"
        )
    };
    match code {
        FailureCode::Fuel => exceeded(Limit::Fuel),
        FailureCode::HostCalls => exceeded(Limit::HostCalls),
        FailureCode::Memory if is_instance_limit(error) => exceeded(Limit::Instances),
        FailureCode::Memory => exceeded(Limit::Memory),
        FailureCode::Stack => {
            let bytes = limits.get(Limit::Stack);
            format!("the guest used up its stack of {bytes} bytes: it calls itself too deep")
        }
        FailureCode::Output => exceeded(Limit::HostCallBytes),
        _ => match error.downcast_ref::<I32Exit>() {
            Some(exit) => {
                format!("the guest ended its program with exit code {} instead of answering", exit.0)
            }
            None if has_too_many_handles(error) => {
                format!("the guest has more open handles than {MAX_HANDLES}")
            }
            None => format!("the guest trapped: {}", error.root_cause()),
        },
    }
}

/// Matches the text: wasmtime has no public type for this error, and lifts values before any code of hookbox could
/// count them. If the text changes, `an_answer_is_bounded_on_its_way_out_and_as_a_whole` fails.
fn is_hostcall_fuel(error: &wasmtime::Error) -> bool {
    error.chain().any(|cause| cause.to_string().contains("fuel allocated for hostcalls"))
}

/// Matches the text: the store's limiter states how many instances there may be, and wasmtime counts them without
/// calling it again. If the text changes, `more_instances_than_a_call_may_have_are_refused` fails.
fn is_instance_limit(error: &wasmtime::Error) -> bool {
    error.chain().any(|cause| cause.to_string().contains("resource limit exceeded"))
}

fn has_too_many_handles(error: &wasmtime::Error) -> bool {
    error.chain().any(|cause| matches!(cause.downcast_ref(), Some(ResourceTableError::Full)))
}

fn is_machine_full(error: &wasmtime::Error) -> bool {
    error.chain().any(is_out_of_memory)
}

/// Returns a failure that is not the guest's fault.
fn machine_full() -> Failure {
    Failure::new(
        FailureCode::Internal,
        "the system has no address space left for the memory of a guest (4 GiB): raise `ulimit -v`",
    )
}
