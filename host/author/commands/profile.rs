//! `plugin profile`: measures the cost of a plugin's call.

use std::{
    fs,
    time::{Duration, Instant},
};

use hookbox::{
    model::{Json, Manifest, Usage},
    sandbox::engine_settings::Allocation,
};
use serde_json::{Value, json};

use crate::{
    args::ProfileArgs,
    call, environment,
    exit::{ExitStatus, Fault},
    fixture::{Fixture, FixtureError},
    printer::{ERROR, Printer},
    trial::{TestedPlugin, Trial},
};

/// Number of fresh machines on which a cold call is measured; the median counts.
const COLD_CALLS: usize = 5;

pub(super) fn profile_plugin(args: &ProfileArgs, printer: &Printer) -> Result<ExitStatus, Fault> {
    let subject = TestedPlugin::find_at(args.at.as_deref())?;
    if let Some(stale) = subject.stale() {
        return Err(TestedPlugin::not_of_now(&stale));
    }
    let names: Vec<_> = args.fixture.iter().cloned().collect();
    let fixtures = Fixture::read_all(&subject.fixtures, &names)?;
    let manifest = subject.manifest()?;
    let plugin = Plugin::from_subject(&subject, manifest.as_ref())?;
    // Later measurements find native code.
    subject.load_once(manifest.as_ref())?;
    let measured: Vec<_> = fixtures
        .iter()
        .map(|fixture| measure_fixture(&subject, manifest.as_ref(), fixture, args.calls))
        .collect();
    let failed = measured.iter().any(Result::is_err);
    if args.json {
        let fixtures: Vec<_> = fixtures
            .iter()
            .zip(&measured)
            .map(|(fixture, measured)| json_of(&fixture.name, measured))
            .collect();
        let json = json!({
            "bytes": plugin.bytes, "compile_ms": to_milliseconds(plugin.compiled), "calls": args.calls, "fixtures": fixtures,
        });
        printer.print_line(&format!("{json:#}"));
    } else {
        print_profile(&plugin, args.calls, &fixtures.iter().zip(&measured).collect::<Vec<_>>(), printer);
    }
    Ok(if failed { ExitStatus::Problems } else { ExitStatus::Success })
}

struct Plugin {
    bytes: u64,
    compiled: Duration,
}

impl Plugin {
    /// Compiles the plugin without the cache.
    fn from_subject(subject: &TestedPlugin, manifest: Option<&Manifest>) -> Result<Self, Fault> {
        let hook = call::build_spec(&subject.component, manifest, None, Json::empty_object());
        let loaded =
            call::load_plugin(hook, None, environment::find_compiler()).map_err(|failure| failure.message)?;
        let compiled = loaded.compiled.ok_or_else(|| "the compiler was not run".to_owned())?;
        let status = fs::metadata(&subject.component).map_err(|error| error.to_string())?;
        Ok(Self { bytes: status.len(), compiled })
    }
}

struct Measured {
    usage: Usage,
    cold: Duration,
    median: Duration,
    slow: Duration,
}

fn measure_fixture(
    subject: &TestedPlugin,
    manifest: Option<&Manifest>,
    fixture: &Fixture,
    calls: u32,
) -> Result<Measured, String> {
    let measured = call::block_on(calls_of(subject, manifest, fixture, calls))?;
    measured.map_err(|broken| broken.to_message(&fixture.name))
}

async fn calls_of(
    subject: &TestedPlugin,
    manifest: Option<&Manifest>,
    fixture: &Fixture,
    calls: u32,
) -> Result<Measured, FixtureError> {
    let content = fixture.parse_content()?;
    let mut cold = Vec::new();
    for _ in 0..COLD_CALLS {
        // As in `hookbox run`, which makes no pool for a single call.
        let trial = Trial::new(subject, manifest, (fixture, &content), Allocation::OnDemand).await?;
        let begun = Instant::now();
        trial.call().await?;
        cold.push(begun.elapsed());
    }
    // As in a long-running program.
    let trial = Trial::new(subject, manifest, (fixture, &content), Allocation::POOLED).await?;
    // Not measured: it prepares the plugin for the calls after it.
    let first = trial.call().await?;
    if let (Err(error), None) = (&first.answer, &content.error) {
        return Err(FixtureError::without_place(format!("the call failed: {error}")));
    }
    let mut warm = Vec::new();
    for _ in 0..calls {
        let begun = Instant::now();
        call::ask_hook(&trial.host, &trial.event).await.map_err(FixtureError::without_place)?;
        warm.push(begun.elapsed());
    }
    Ok(Measured {
        usage: first.usage,
        cold: take_percentile(&mut cold, 50),
        median: take_percentile(&mut warm, 50),
        slow: take_percentile(&mut warm, 99),
    })
}

fn take_percentile(times: &mut [Duration], of_hundred: usize) -> Duration {
    times.sort_unstable();
    let place = (times.len() * of_hundred).div_ceil(100).saturating_sub(1);
    times.get(place).copied().unwrap_or_default()
}

fn to_milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn json_of(name: &str, measured: &Result<Measured, String>) -> Value {
    match measured {
        Ok(Measured { usage, cold, median, slow }) => json!({
            "name": name, "fuel": usage.fuel, "memory": usage.peak_memory, "host_calls": usage.host_calls,
            "requests": usage.requests, "cold_ms": to_milliseconds(*cold), "warm_median_ms": to_milliseconds(*median),
            "warm_p99_ms": to_milliseconds(*slow),
        }),
        Err(why) => json!({ "name": name, "error": why }),
    }
}

/// The columns after the name.
const HEAD: [&str; 6] = ["fuel", "memory", "host calls", "cold ms", "warm ms", "p99 ms"];

fn print_profile(
    plugin: &Plugin,
    calls: u32,
    measured: &[(&Fixture, &Result<Measured, String>)],
    printer: &Printer,
) {
    printer.print_row("size", &format!("{} bytes", plugin.bytes));
    printer.print_row("compile", &format!("{} ms", plugin.compiled.as_millis()));
    printer.print_row("calls", &format!("cold: {COLD_CALLS} machines; warm: {calls} calls on one"));
    let width = measured.iter().map(|(fixture, _)| fixture.name.chars().count()).max().unwrap_or_default();
    printer.print_line(&format_line("", width, HEAD.map(str::to_owned)));
    for (fixture, measured) in measured {
        match measured {
            Ok(measured) => printer.print_line(&format_line(&fixture.name, width, measured.columns())),
            Err(why) => printer.print_line(&format!("{ERROR}FAIL{ERROR:#} {why}")),
        }
    }
}

impl Measured {
    fn columns(&self) -> [String; 6] {
        let Self { usage, cold, median, slow } = self;
        let number = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        let memory = usage.peak_memory.map_or_else(|| "-".to_owned(), |bytes| format!("{} KiB", bytes >> 10));
        let time = |time: &Duration| format!("{:.3}", to_milliseconds(*time));
        [number(usage.fuel), memory, number(usage.host_calls), time(cold), time(median), time(slow)]
    }
}

fn format_line(name: &str, width: usize, columns: [String; 6]) -> String {
    let columns = columns.map(|column| format!(" {column:>11}"));
    format!("{name:<width$}{}", columns.concat())
}
