//! `plugin test`: runs every fixture in the sandbox, with the real limits.

mod junit;
mod watch;

use std::{
    path::Path,
    time::{Duration, Instant},
};

use hookbox::{model::Manifest, sandbox::engine_settings::Allocation};
use serde_json::{Value, json};

use crate::{
    args::TestArgs,
    call, environment,
    exit::{ExitStatus, Fault},
    fixture::{Fixture, FixtureError},
    plugin_assembly,
    printer::{ERROR, GOOD, Printer, WARNING},
    trial::{CallResult, TestedPlugin, Trial},
    verdict::{Verdict, judge_result},
};

pub(super) fn test_plugin(args: &TestArgs, printer: &Printer) -> Result<ExitStatus, Fault> {
    // Before the tests, which may take long.
    args.junit.as_deref().map_or(Ok(()), junit::check_place)?;
    let (place, names) = place_and_names(args);
    if args.watch {
        return watch::watch_files(args, (place, &names), printer);
    }
    run(args, (place, &names), printer)
}

/// Splits the arguments: the first word is a place if it exists, else the name of a fixture like the others.
fn place_and_names(args: &TestArgs) -> (Option<&Path>, Vec<String>) {
    let is_place = |place: &&Path| environment::current_folder().join(place).exists();
    let mut names = args.names.clone();
    match args.at.as_deref() {
        Some(place) if !is_place(&place) && is_name(place) => {
            names.insert(0, place.display().to_string());
            (None, names)
        }
        place => (place, names),
    }
}

fn is_name(place: &Path) -> bool {
    place.components().count() == 1 && place.extension().is_none_or(|end| end == "json")
}

/// Runs the fixtures once.
fn run(
    args: &TestArgs,
    (place, names): (Option<&Path>, &[String]),
    printer: &Printer,
) -> Result<ExitStatus, Fault> {
    let subject = TestedPlugin::find_at(place)?;
    if let Some(stale) = subject.stale() {
        if !args.watch {
            return Err(TestedPlugin::not_of_now(&stale));
        }
        // The failed build was reported before.
        printer.print_note(&format!("{WARNING}note{WARNING:#}: {stale}; the old build runs"));
    }
    let fixtures = Fixture::read_all(&subject.fixtures, names)?;
    let manifest = subject.manifest()?;
    subject.load_once(manifest.as_ref())?;
    let mut ran = Vec::new();
    for fixture in &fixtures {
        let one = try_out(&subject, manifest.as_ref(), fixture, args.update);
        if !args.json {
            one.print_result(printer);
        }
        ran.push(one);
    }
    let failed = ran.iter().filter(|ran| !matches!(ran.verdict, Verdict::Passed)).count();
    if args.json {
        let tests: Vec<_> = ran.iter().map(FixtureRun::json).collect();
        let json = json!({ "passed": ran.len() - failed, "failed": failed, "tests": tests });
        printer.print_line(&format!("{json:#}"));
    } else {
        printer.print_line(&format!("{} passed, {failed} failed", ran.len() - failed));
    }
    if let Some(file) = &args.junit {
        let name = manifest.as_ref().map_or("plugin", |manifest| manifest.name.as_str());
        plugin_assembly::write_file(
            &environment::current_folder().join(file),
            &junit::build_report(name, &ran)?,
        )?;
    }
    Ok(if failed == 0 { ExitStatus::Success } else { ExitStatus::Problems })
}

struct FixtureRun {
    name: String,
    verdict: Verdict,
    got: Option<CallResult>,
    time: Duration,
    updated: bool,
}

fn try_out(
    subject: &TestedPlugin,
    manifest: Option<&Manifest>,
    fixture: &Fixture,
    update: bool,
) -> FixtureRun {
    let begun = Instant::now();
    let name = fixture.name.clone();
    let tried = call::block_on(run_fixture(subject, manifest, fixture));
    let tried = tried.map_err(FixtureError::without_place).and_then(|tried| tried);
    let time = begun.elapsed();
    let (mut verdict, got) = match tried {
        Ok((verdict, got)) => (verdict, Some(got)),
        Err(broken) => (Verdict::Broken(broken.to_message(&name)), None),
    };
    let mut updated = false;
    if let (true, Some(got)) = (update, &got) {
        match fixture.update(got) {
            Ok(written) => {
                updated = written;
                // The updated expectations of the fixture.
                verdict = fixture.judged_anew(got, verdict);
            }
            Err(why) => verdict = Verdict::Broken(why),
        }
    }
    FixtureRun { name, verdict, got, time, updated }
}

async fn run_fixture(
    subject: &TestedPlugin,
    manifest: Option<&Manifest>,
    fixture: &Fixture,
) -> Result<(Verdict, CallResult), FixtureError> {
    let content = fixture.parse_content()?;
    let got = Trial::new(subject, manifest, (fixture, &content), Allocation::OnDemand).await?.call().await?;
    Ok((judge_result(fixture, &content, &got)?, got))
}

impl Fixture {
    /// Judges the result against the updated file: a budget may still be exceeded, or a request have no recorded answer.
    fn judged_anew(&self, got: &CallResult, before: Verdict) -> Verdict {
        let fixture = self.again();
        let now = fixture.parse_content().and_then(|content| judge_result(&fixture, &content, got));
        now.unwrap_or(before)
    }
}

impl FixtureRun {
    fn print_result(&self, printer: &Printer) {
        let used = self.got.as_ref().map(describe_usage).unwrap_or_default();
        let written = if self.updated { "; updated" } else { "" };
        let came_out = match &self.verdict {
            Verdict::Passed => format!("{GOOD}ok{GOOD:#}  "),
            Verdict::Failed(_) | Verdict::Broken(_) => format!("{ERROR}FAIL{ERROR:#}"),
        };
        printer.print_line(format!("{came_out}  {}  {used}{written}", self.name).trim_end());
        for complaint in self.verdict.complaints() {
            for line in complaint.lines() {
                printer.print_line(&format!("      {line}"));
            }
        }
    }

    fn json(&self) -> Value {
        // Complaints have colours for a terminal.
        let plain = |text: &String| anstream::adapter::strip_str(text).to_string();
        let complaints: Vec<_> = self.verdict.complaints().iter().map(plain).collect();
        let mut json = json!({
            "name": self.name, "status": self.verdict.as_str(), "complaints": complaints, "updated": self.updated,
        });
        if let (Some(got), Some(members)) = (&self.got, json.as_object_mut()) {
            let (key, value) = match &got.answer {
                Ok(answer) => ("answer", answer.clone()),
                Err(error) => ("error", error.as_str().into()),
            };
            members.insert(key.to_owned(), value);
            members.insert("log".to_owned(), got.log.clone().into());
            members.insert("fuel".to_owned(), got.usage.fuel.into());
            members.insert("memory".to_owned(), got.usage.peak_memory.into());
            members.insert("host_calls".to_owned(), got.usage.host_calls.into());
        }
        json
    }
}

/// Describes the resources that a call used, of those that a fixture can have a budget for.
fn describe_usage(got: &CallResult) -> String {
    let usage = &got.usage;
    let parts = [("fuel", usage.fuel), ("memory", usage.peak_memory), ("host-calls", usage.host_calls)];
    let parts = parts.into_iter().filter_map(|(name, used)| Some(format!("{name} {}", used?)));
    parts.collect::<Vec<_>>().join(", ")
}
