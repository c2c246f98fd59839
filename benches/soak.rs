//! One long-running host under a million calls, most of them attacks: `cargo xtask soak`.
//!
//! After every tenth, when nothing runs, it reports the resources that the process holds. It fails if they grew after the first tenth, or
//! if a call did not have the expected result.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::cast_possible_truncation,
    reason = "a program for its developers"
)]

#[path = "soak/attacks.rs"]
mod attacks;
#[expect(dead_code, reason = "what other benchmarks want besides")]
#[path = "support/extent.rs"]
mod extent;
#[expect(dead_code, reason = "what tests want besides")]
#[path = "../tests/support/guests.rs"]
mod guests;
#[path = "soak/held.rs"]
mod held;
#[path = "soak/lane.rs"]
mod lane;

use std::{
    fs,
    path::Path,
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};

use hookbox::{
    Host, Target,
    hook::WasmSpec,
    interfaces::Environment,
    sandbox::{compile::Compiler, engine_settings::Allocation},
};

use self::{extent::Extent, held::Held};

/// Number of calls that only shows that the benchmark still runs.
const FEW: u64 = 3_200;
/// Number of threads that call concurrently.
const LANES: usize = 16;

/// Amount of work.
struct Amount {
    /// Calls of hooks, all lanes together.
    calls: u64,
    /// Maximum duration.
    time: Option<Duration>,
}

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let Some(amount) = parse_amount(&words) else {
        eprintln!("usage: cargo xtask soak [--calls NUMBER] [--seconds NUMBER]");
        return ExitCode::from(2);
    };
    if Extent::of_this_run().is_none() {
        return ExitCode::SUCCESS;
    }
    match run_soak(&amount) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("soak: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn parse_amount(words: &[String]) -> Option<Amount> {
    let calls = if Extent::of_this_run() == Some(Extent::Once) { FEW } else { 1_000_000 };
    let mut amount = Amount { calls, time: None };
    let mut words = words.iter().filter(|word| !["--bench", "--test"].contains(&word.as_str()));
    while let Some(word) = words.next() {
        let number: u64 = words.next()?.parse().ok()?;
        match word.as_str() {
            "--calls" => amount.calls = number,
            "--seconds" => amount.time = Some(Duration::from_secs(number)),
            _ => return None,
        }
    }
    Some(amount)
}

fn run_soak(amount: &Amount) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let host = create_host(folder.path());
    let (started, mut made, mut first) = (Instant::now(), 0, None);
    for tenth in 1..=10 {
        let end = amount.time.map(|time| started + time * tenth / 10);
        made += at_once(&host, amount.calls / 10, end)?;
        let held = Held::now();
        println!("{:3} %  {made:9} calls  {:6.1} s  {held}", tenth * 10, started.elapsed().as_secs_f64());
        let grown = held.list_grown(first.get_or_insert(held));
        if !grown.is_empty() {
            return Err(format!(
                "after {made} calls, what the process holds has grown: {}",
                grown.join(", ")
            ));
        }
    }
    Ok(())
}

/// Creates a host with a good hook for every event, and each lane's own.
fn create_host(folder: &Path) -> Host {
    for (file, guest) in [("denies", "denies"), ("quick", "attacks_in_turns"), ("sliced", "attacks_in_turns")]
    {
        fs::write(folder.join(file).with_extension("wasm"), guests::build_component(guest)).unwrap();
    }
    let good = Target::Wasm(WasmSpec::new(folder.join("denies.wasm")));
    Host::builder()
        .cache(&folder.join("cache"))
        .compiler(Compiler::Process(env!("CARGO_BIN_EXE_hookbox-compile").into()))
        .allocation(Allocation::POOLED)
        .environment(Environment::from_iter([("PATH", "/usr/local/bin:/usr/bin:/bin")]))
        .budget(Duration::from_mins(5))
        .hooks((0..LANES).flat_map(|lane| lane::create_hooks(lane, folder)))
        .hooks([lane::create_gate("denies", good)])
        .build()
}

/// Runs all lanes once; they have ended when this returns.
fn at_once(host: &Host, calls: u64, end: Option<Instant>) -> Result<u64, String> {
    thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES)
            .map(|lane| scope.spawn(move || lane::run(host, lane, calls.div_ceil(LANES as u64), end)))
            .collect();
        lanes.into_iter().map(|lane| lane.join().unwrap()).sum()
    })
}
