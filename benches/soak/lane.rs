//! One of the threads that call the host concurrently, with hooks of its own: three attacks, then an answer, so that none of the hooks
//! trips.

use std::{path::Path, time::Instant};

use hookbox::{
    HookSpec, Host, Target, ToolMatcher,
    hook::{Confinement, ShellSpec, WasmSpec},
    model::{
        Event, EventName, FailureCode, HookReport, Json, Limit, Limits, OnFailure, Status, ToolCall,
        ToolClass,
    },
};
use tokio::runtime::Runtime;

use crate::attacks::{self, ATTACKS};

/// Number of rounds between those that are ended by the clock.
const TIMED_EVERY: u64 = 1_024;
/// Number of rounds between those that start a process.
const SHELL_EVERY: u64 = 1_000;

/// Bound that ends an attack. The tool name for its hook begins with this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Ends within its first slice of fuel.
    Quick,
    /// Has a stack of its own, and several slices.
    Sliced,
    /// Has fuel without end, and 100 ms.
    Timed,
    /// A process.
    Shell,
}

/// Returns the hooks of one lane; `guest` is the folder of the guests.
pub(crate) fn create_hooks(lane: usize, guests: &Path) -> [HookSpec; 4] {
    let limits = |limit, value| attacks::create_low_limits().with_limit(limit, value).unwrap();
    // Separate files: a plugin remembers whether its calls end within one slice.
    let wasm = |name: &str| Target::Wasm(WasmSpec::new(guests.join(name)));
    let shell =
        ShellSpec { confinement: Some(Confinement::default()), ..ShellSpec::from_line("cat >/dev/null") };
    let shell = Target::Shell(shell);
    let timed = limits(Limit::Timeout, 100).with_limit(Limit::Fuel, Limit::Fuel.max()).unwrap();
    [
        (Kind::Quick, attacks::create_low_limits(), wasm("quick.wasm")),
        (Kind::Sliced, limits(Limit::Fuel, 2_500_000), wasm("sliced.wasm")),
        (Kind::Timed, timed, wasm("sliced.wasm")),
        (Kind::Shell, Limits::default(), shell),
    ]
    .map(|(kind, limits, handler)| {
        let tool = ToolMatcher { names: vec![format_tool_name(kind, lane)], ..ToolMatcher::default() };
        HookSpec { tool: Some(tool), limits, ..create_gate(&format!("{kind:?} {lane}"), handler) }
    })
}

/// Returns a gate whose failure lets the event pass.
pub(crate) fn create_gate(name: &str, target: Target) -> HookSpec {
    let on_failure = Some(OnFailure::Allow);
    HookSpec { on_failure, ..HookSpec::new(name, target).on([EventName::ToolBefore]) }
}

/// Makes calls until this number or the end time is reached. Returns the number of calls; an error describes an unexpected result.
pub(crate) fn run(host: &Host, lane: usize, calls: u64, end: Option<Instant>) -> Result<u64, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (mut made, mut turns) = (0, [0; 4]);
    for round in 1.. {
        if made >= calls || end.is_some_and(|end| Instant::now() > end) {
            break;
        }
        let kind = select_kind(round);
        let turn = &mut turns[kind as usize];
        made += dispatch_attack(&runtime, host, lane, kind, select_attack(kind, *turn))?;
        *turn += 1;
    }
    Ok(made)
}

fn select_kind(round: u64) -> Kind {
    match round {
        _ if round.is_multiple_of(TIMED_EVERY) => Kind::Timed,
        _ if round.is_multiple_of(SHELL_EVERY) => Kind::Shell,
        _ if round.is_multiple_of(2) => Kind::Quick,
        _ => Kind::Sliced,
    }
}

/// Returns the number of the attack for this turn; 0 means no attack.
fn select_attack(kind: Kind, turn: u64) -> u64 {
    match kind {
        Kind::Shell => 0,
        // Only the loop takes its time.
        Kind::Timed => [0, 2][turn as usize % 2],
        Kind::Quick | Kind::Sliced if turn.is_multiple_of(4) => 0,
        Kind::Quick | Kind::Sliced => 1 + (turn - turn / 4) % ATTACKS.len() as u64,
    }
}

/// Dispatches one event, for a hostile hook and for the good one, and returns the number of called hooks.
fn dispatch_attack(
    runtime: &Runtime,
    host: &Host,
    lane: usize,
    kind: Kind,
    attack: u64,
) -> Result<u64, String> {
    let outcome = runtime.block_on(host.dispatch(create_event(&format_tool_name(kind, lane), attack)));
    if outcome.deciders() != ["denies"] {
        return Err(format!("the good hook did not answer: {outcome:?}"));
    }
    let report = outcome.reports.iter().find(|report| report.hook != "denies");
    let report = report.ok_or_else(|| format!("the other hook was not called: {outcome:?}"))?;
    let (came, expected) = (find_failure_code(report), select_expected_failure(kind, attack));
    // A machine under load may take a short time away from a good call too.
    if came != expected && came != Some(FailureCode::Timeout) {
        return Err(format!(
            "attack {attack} of {kind:?} came to {came:?}, not {expected:?}: {:?}",
            report.status
        ));
    }
    Ok(outcome.reports.len() as u64)
}

fn select_expected_failure(kind: Kind, attack: u64) -> Option<FailureCode> {
    match (kind, attack) {
        (_, 0) => None,
        (Kind::Timed, _) => Some(FailureCode::Timeout),
        _ => Some(ATTACKS[attack as usize - 1]),
    }
}

fn find_failure_code(report: &HookReport) -> Option<FailureCode> {
    match &report.status {
        Status::Answered(_) => None,
        Status::Failed(failure) => Some(failure.code),
        Status::Skipped => Some(FailureCode::Internal),
    }
}

fn format_tool_name(kind: Kind, lane: usize) -> String {
    format!("{kind:?}-{lane}")
}

fn create_event(tool: &str, time: u64) -> Event {
    Event {
        id: "1".to_owned(),
        agent_event: "tool.before".to_owned(),
        cwd: "/".to_owned(),
        time,
        tool: Some(ToolCall {
            name: tool.to_owned(),
            class: ToolClass::Shell,
            command: Some("ls".to_owned()),
            paths: vec![],
            input: Json::parse(r#"{"command":"ls"}"#).unwrap(),
            output: None,
        }),
        ..Event::new(EventName::ToolBefore, "native")
    }
}
