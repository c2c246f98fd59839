//! `demo`: the main job, from source to answer. Recorded events of real agents go through the real program.

mod home;
mod receiver;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use self::home::Home;
use self::receiver::Receiver;
use self::table::Table;
use crate::build;
use crate::process::Process;
use crate::project::Project;

/// The agents whose recorded events are shown, and the folders that hold them.
const AGENTS: [&str; 4] = ["claude-code", "codex", "gemini-cli", "litellm"];

/// Native code younger than this is hashed at every start, which is not what users meet.
const SETTLED: Duration = Duration::from_secs(4);

/// Builds everything, makes a throw-away home and project, and shows what becomes of each recorded event.
pub(crate) fn run(project: &Project, _words: &[String]) -> Result<()> {
    build::run(project)?;
    let receiver = Receiver::start()?;
    let home = Home::make(project, receiver.address())?;
    println!("\nhome: {}\nhooks: {}\n", home.folder.display(), home.hooks().display());
    home.hookbox(project, &["check", "--project", "project"]).run()?;
    thread::sleep(SETTLED);
    println!();
    let mut table = Table::default();
    for agent in AGENTS {
        for event in events(project, agent)? {
            table.row(&answer(project, &home, agent, &event)?);
        }
    }
    table.summary(receiver.received());
    Ok(())
}

fn events(project: &Project, agent: &str) -> Result<Vec<PathBuf>> {
    let folder = project.root.join("tests/data/events").join(agent);
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut events: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    events.sort();
    Ok(events)
}

/// One event through `hookbox run`; what it reports.
fn answer(project: &Project, home: &Home, agent: &str, event: &Path) -> Result<serde_json::Value> {
    let recorded = fs::read_to_string(event).with_context(|| format!("cannot read {}", event.display()))?;
    // The recording's home becomes the demo's, so that its project is found.
    let input = recorded.replace("/home/dev", &home.folder.to_string_lossy());
    let report = home.folder.join("report.json");
    let arguments = ["run", "--agent", agent, "--report"];
    let run: Process = home.hookbox(project, &arguments).args([&report]);
    let answer = run.answer(&input)?;
    let text = fs::read_to_string(&report).with_context(|| format!("{} left no report", event.display()))?;
    fs::remove_file(&report)?;
    let mut report: serde_json::Value = serde_json::from_str(text.trim())?;
    if let Some(members) = report.as_object_mut() {
        members.insert("stdout".to_owned(), answer.into());
    }
    Ok(report)
}
