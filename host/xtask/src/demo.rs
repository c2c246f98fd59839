//! `demo`: builds the programs that users run, then sends recorded events of real agents through them and shows the decisions and costs of
//! hooks.

mod costs;
pub(crate) mod home;
mod receiver;
mod session;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use self::home::Home;
use self::receiver::Receiver;
use self::session::Session;
use crate::project::{DEMO_BUILD, Project};
use crate::{plugins, sources, steps};

const STEPS: [steps::Step; 4] = [
    ("download of sources", sources::fetch_sources),
    ("plugins, with the generator that makes components of them", build_plugins),
    ("the programs hookbox and hookbox-compile, without optimisation", build_programs),
    ("hooks compiled to native code", compile_hooks),
];

/// The agent whose session is shown event by event.
const SHOWN: &str = "claude-code";
/// Agents of which only the number of events and the refusals are shown.
const OTHERS: [&str; 3] = ["codex", "gemini-cli", "litellm"];

/// Builds and runs the demo; with `--all` each event has a line.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    let all = match words {
        [] => false,
        [word] if word == "--all" => true,
        _ => bail!("usage: cargo xtask demo [--all]"),
    };
    steps::run(project, &STEPS)?;
    let receiver = Receiver::start()?;
    let home = Home::make(project, receiver.address())?;
    home.settle()?;
    println!("\nconfiguration: {}\n", home.hooks().display());
    let session = replay_events(project, &home, SHOWN)?;
    session.print_events(all);
    session.print_denied_answer();
    for agent in OTHERS {
        let session = replay_events(project, &home, agent)?;
        if all { session.print_events(true) } else { session.print_summary() }
    }
    home.print_project_hooks()?;
    costs::print_costs(project, &home, &first_command(project)?)?;
    println!(
        "\nnext: `cargo xtask demo --all` shows each event; README.md, \"Use it\", installs hookbox for your agents"
    );
    Ok(())
}

fn build_plugins(project: &Project) -> Result<()> {
    plugins::build_plugins(project)
}

fn build_programs(project: &Project) -> Result<()> {
    let build = project.cargo(DEMO_BUILD).args(["--bin", "hookbox", "--bin", "hookbox-compile"]);
    build.run_build(project.count_packages_of(&["hookbox-cli"])?)
}

/// Compiles each hook once, as `hookbox setup` does, so that no event waits for the compiler.
fn compile_hooks(project: &Project) -> Result<()> {
    // No server listens there: `check` calls no webhook.
    let home = Home::make(project, "127.0.0.1:9")?;
    home.create_hookbox_process(project, &["check", "--project", "project"]).run()
}

/// Sends each recorded event of this agent through `hookbox run`.
fn replay_events(project: &Project, home: &Home, agent: &str) -> Result<Session> {
    let mut session = Session::new(agent);
    for event in recorded_events(project, agent)? {
        session.add_report(answer_event(project, home, agent, &event)?);
    }
    Ok(session)
}

/// Returns the recorded events of this agent, in order.
fn recorded_events(project: &Project, agent: &str) -> Result<Vec<PathBuf>> {
    let folder = project.root.join("tests/data/events").join(agent);
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut events: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    // The names begin with the number of the event in its session.
    events.sort();
    Ok(events)
}

/// Returns the first recorded event of a command before it runs.
fn first_command(project: &Project) -> Result<PathBuf> {
    let events = recorded_events(project, SHOWN)?;
    let command = events.into_iter().find(|event| event.to_string_lossy().contains("PreToolUse-Bash"));
    command.context("no recorded event of claude-code is a command")
}

/// Runs one event through `hookbox run` and returns its report, with the answer's bytes as `stdout`.
fn answer_event(project: &Project, home: &Home, agent: &str, event: &Path) -> Result<serde_json::Value> {
    let input = home.read_event(event)?;
    let report = home.folder.join("report.json");
    let arguments = ["run", "--agent", agent, "--report"];
    let answer = home.create_hookbox_process(project, &arguments).args([&report]).answer_input(&input)?;
    let text = fs::read_to_string(&report).with_context(|| format!("{} left no report", event.display()))?;
    fs::remove_file(&report)?;
    let mut report: serde_json::Value = serde_json::from_str(text.trim())?;
    if let Some(members) = report.as_object_mut() {
        members.insert("stdout".to_owned(), answer.into());
    }
    Ok(report)
}
