//! One client's session, from a fresh home to the result of two commands.

use std::{fs, path::Path, time::Duration};

use anyhow::{Context, Result, ensure};

use super::{
    client::{Client, RefusalReaction},
    home::Home,
    leftovers,
    model::{Model, ObservedRequests, Script},
    package,
};
use xtask::project::Project;

/// Time limit of a session.
pub(super) const MAX_WAIT: Duration = Duration::from_mins(3);
/// guard-shell's code for the refused command, in its reason.
const CODE: &str = "rm-root";

/// Observable facts about a client, in the order in which they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// In a home without hookbox the refused command removes the file.
    LostWithout,
    /// With hookbox the file is still there.
    FileKept,
    /// The model received the reason.
    ReasonReceived,
    /// The harmless command ran.
    HarmlessRan,
}

/// Observations of one client.
pub(super) struct Outcome {
    pub(super) seen: Vec<Fact>,
    /// Output of `hookbox doctor` about the agent.
    pub(super) doctor: String,
}

impl Outcome {
    pub(super) fn shows_fact(&self, fact: Fact) -> bool {
        self.seen.contains(&fact)
    }
}

/// Configuration of a session.
#[derive(Clone, Copy)]
pub(super) struct Session<'a> {
    pub(super) project: &'a Project,
    pub(super) client: &'a Client,
    /// True if the events that hookbox receives are recorded.
    pub(super) is_recorded: bool,
}

impl Session<'_> {
    /// Runs the client: first without hookbox, to check that there is something to prevent.
    pub(super) fn run(self) -> Result<Outcome> {
        let without = self.run_once(&[Command::Refused], Guard::None)?;
        let mut outcome = match self.client.refused {
            RefusalReaction::GoesOn => {
                self.run_once(&[Command::Refused, Command::Harmless], Guard::Hookbox)?
            }
            // Such a session never comes to the harmless command, so each command has a session of its own.
            RefusalReaction::Ends => {
                let harmless = self.run_once(&[Command::Harmless], Guard::Hookbox)?;
                let mut refused = self.run_once(&[Command::Refused], Guard::Hookbox)?;
                refused.seen.retain(|fact| *fact != Fact::HarmlessRan);
                refused.seen.extend(harmless.shows_fact(Fact::HarmlessRan).then_some(Fact::HarmlessRan));
                refused
            }
        };
        outcome.seen.extend((!without.shows_fact(Fact::FileKept)).then_some(Fact::LostWithout));
        Ok(outcome)
    }

    fn run_once(self, commands: &[Command], guard: Guard) -> Result<Outcome> {
        let Self { project, client, .. } = self;
        let folder = project.target.join("clients").join(client.agent);
        let programs = package::make_ready(client, &folder)?;
        let place = folder.join("home");
        let commands = commands.iter().map(|command| command.format_text(&place)).collect();
        let model = Model::serve_script(Script { shell: client.shell, commands })?;
        let home = Home::create_for(project, client, &place, programs, &model.url())?;
        let doctor = match guard {
            Guard::None => String::new(),
            Guard::Hookbox => self.set_up(&home, &folder)?,
        };
        if self.is_recorded && guard == Guard::Hookbox {
            home.record_events(&folder.join("events"))?;
        }
        run_client(client, &home, &model, &folder.join("session.txt"))?;
        leftovers::end_all()?;
        let seen = model.seen();
        save_requests(&seen, &folder.join("requests.jsonl"))?;
        // Without the tool no command runs, and the file would seem kept.
        ensure!(
            seen.tools.iter().any(|tool| tool == client.shell.tool),
            "the model was never offered the tool {}, but {:?}; what the client said is in {}",
            client.shell.tool,
            seen.tools,
            folder.join("session.txt").display()
        );
        // The code is in the guard's reason only: the command itself does not contain it.
        let is_reported = seen.results.first().is_some_and(|result| result.contains(CODE));
        let facts = [
            (Fact::FileKept, home.letter().exists()),
            (Fact::ReasonReceived, is_reported),
            (Fact::HarmlessRan, home.proof().exists()),
        ];
        Ok(Outcome {
            seen: facts.into_iter().filter(|(_, is_so)| *is_so).map(|(fact, _)| fact).collect(),
            doctor,
        })
    }

    /// Runs only `hookbox setup`, and returns the output of `hookbox doctor` after it.
    fn set_up(self, home: &Home, folder: &Path) -> Result<String> {
        let log = folder.join("setup.txt");
        let setup = home.create_process("hookbox").args(["setup", "--yes"]).run_recorded(&log, MAX_WAIT)?;
        ensure!(
            setup.success() || self.client.by_hand.is_some(),
            "`hookbox setup` ends with {setup}: {}",
            log.display()
        );
        let log = folder.join("doctor.txt");
        // The exit status depends on the rest of this machine.
        home.create_process("hookbox").args(["doctor"]).run_recorded(&log, MAX_WAIT)?;
        Ok(filter_lines(&fs::read_to_string(&log)?, self.client.agent))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Guard {
    None,
    Hookbox,
}

#[derive(Clone, Copy)]
enum Command {
    Refused,
    Harmless,
}

impl Command {
    fn format_text(self, home: &Path) -> String {
        match self {
            // The project itself: guard-shell always refuses to remove it, and its loss would do no harm. Not with `rm`, which some clients
            // refuse by themselves.
            Self::Refused => format!("find {} -delete", home.join("project").display()),
            Self::Harmless => "echo ran > proof.txt".to_owned(),
        }
    }
}

/// Runs one session of a client to its end.
pub(super) fn run_client(client: &Client, home: &Home, model: &Model, log: &Path) -> Result<()> {
    let url = model.url();
    let mut process = home.create_process(client.program);
    for (name, value) in client.variables {
        process = process.quiet_env(name, home.fill_placeholders(value, &url));
    }
    let words = client.words.iter().map(|word| home.fill_placeholders(word, &url));
    // The client's exit status is irrelevant: its effects are examined.
    process.args(words).run_recorded(log, MAX_WAIT)?;
    Ok(())
}

fn save_requests(seen: &ObservedRequests, file: &Path) -> Result<()> {
    let lines: Vec<_> = seen.requests.iter().map(ToString::to_string).collect();
    fs::write(file, lines.join("\n") + "\n").with_context(|| format!("cannot write {}", file.display()))
}

/// Returns the lines of a report that name the agent, without their prefix.
fn filter_lines(report: &str, agent: &str) -> String {
    let lines =
        report.lines().filter(|line| line.split_whitespace().any(|word| word.trim_end_matches(':') == agent));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join("; ")
}
