//! `hookbox status`: the protection of this machine on one screen, from files alone. Nothing is run or compiled.

mod json;
mod page;

use std::collections::BTreeMap;

use hookbox::{Clock, HookSpec, model::TrustLevel};
use hookbox_app::{
    FolderHooks, HookFiles,
    event_log::{Entry, Log},
    places::Places,
};

use super::{
    agent_trust,
    detect_agents::{self, Present},
    entries::{self, AgentFile},
    rule_counts::{self, RuleCount},
};
use crate::{args::StatusArgs, diagnostic::format_count, environment, exit::ExitStatus, printer::Printer};

/// Period of the counts, in hours.
const HOURS: u64 = 24;
/// The verdict of a denied call, as it is logged.
const DENIED: &str = "deny";

pub(super) fn show_status(args: &StatusArgs, printer: &Printer) -> ExitStatus {
    let project = match super::resolve_project(args.project.as_deref()) {
        Ok(project) => project,
        Err(error) => {
            printer.print_error(&error);
            return ExitStatus::Usage;
        }
    };
    let files = HookFiles::Layers { folder: &project, session: None };
    let places = environment::read_places(&args.program);
    let folder_hooks = FolderHooks::read_files(environment::build_surroundings(places), files);
    let log = folder_hooks.places.event_log().map(|file| Log::read_file(&file)).unwrap_or_default();
    let status = MachineStatus::from_files(&folder_hooks, &log);
    if args.json {
        printer.print_line(&format!("{:#}", json::status_json(&status)));
    } else {
        page::print_page(&status, printer);
    }
    ExitStatus::Success
}

struct MachineStatus<'a> {
    agents: Vec<AgentStatus>,
    hooks: HookCounts,
    stopped: StoppedCalls,
    /// Number of the project's hooks that wait for trust.
    waiting: usize,
    /// The last logged event of each agent, ordered by the agents' names.
    last_events: Vec<&'a Entry>,
    now: u64,
}

struct AgentStatus {
    agent: &'static str,
    protection: Protection,
}

enum Protection {
    /// Entries call hookbox for this number of events.
    Entries(usize),
    NoEntry,
    /// An entry or a settings file has this problem.
    Faulty(String),
}

struct HookCounts {
    in_force: usize,
    can_stop: usize,
    disabled: usize,
    has_errors: bool,
}

/// Calls that were stopped within the period.
struct StoppedCalls {
    /// False if the configuration turns the log off.
    is_logged: bool,
    denied: usize,
    asked: usize,
    rules: Vec<RuleCount>,
}

/// A command that the user may want to run, and its purpose.
struct NextStep {
    command: &'static str,
    reason: String,
}

impl<'a> MachineStatus<'a> {
    fn from_files(folder_hooks: &FolderHooks, log: &'a Log) -> Self {
        let (places, now) = (&folder_hooks.places, Clock::machine().now_ms());
        let agents = detect_agents::find_agents(places);
        let mut last_events = BTreeMap::new();
        for kept in &log.entries {
            last_events.insert(kept.entry.agent.as_str(), &kept.entry);
        }
        Self {
            agents: agents.iter().map(|present| find_status(present, places)).collect(),
            hooks: count_hooks(folder_hooks),
            stopped: count_stopped(log, now, folder_hooks.logs()),
            waiting: folder_hooks.loaded.waiting,
            last_events: last_events.into_values().collect(),
            now,
        }
    }

    fn list_next_steps(&self) -> Vec<NextStep> {
        let named = |is_meant: fn(&Protection) -> bool| {
            let meant = self.agents.iter().filter(|status| is_meant(&status.protection));
            meant.map(|status| status.agent).collect::<Vec<_>>().join(", ")
        };
        let unprotected = named(|protection| matches!(protection, Protection::NoEntry));
        let faulty = named(|protection| matches!(protection, Protection::Faulty(_)));
        let stopped = self.stopped.denied + self.stopped.asked;
        let reviewed = format!("reviews {}", format_count(self.waiting, "hook"));
        let steps = [
            (self.hooks.has_errors, "hookbox check", "shows the errors of the configuration".to_owned()),
            (
                self.hooks.can_stop == 0 && !self.hooks.has_errors,
                "hookbox setup",
                "writes the guards: no hook can stop a call".to_owned(),
            ),
            (
                self.agents.is_empty(),
                "hookbox setup",
                "protects an agent, once one is installed and was started".to_owned(),
            ),
            (!unprotected.is_empty(), "hookbox setup", format!("protects {unprotected}")),
            (!faulty.is_empty(), "hookbox doctor", format!("tests the entries of {faulty}")),
            (self.waiting > 0, "hookbox trust", reviewed),
            (stopped > 0, "hookbox log --denied", "shows the stopped calls".to_owned()),
        ];
        let open = steps.into_iter().filter(|(is_open, ..)| *is_open);
        open.map(|(_, command, reason)| NextStep { command, reason }).collect()
    }
}

/// Returns the status of an agent, by its settings files. The entries are not run.
fn find_status(present: &Present, places: &Places) -> AgentStatus {
    let agent = present.agent;
    let folders = detect_agents::settings_folders(agent, places);
    let files: Vec<_> = folders.iter().flat_map(|folder| entries::of_user(agent, folder)).collect();
    let entries: usize = files.iter().map(|file| file.entries.as_ref().map_or(0, Vec::len)).sum();
    let protection = match (files.iter().find_map(|file| find_problem(file, places)), entries) {
        (Some(problem), _) => Protection::Faulty(problem),
        (None, 0) => Protection::NoEntry,
        (None, entries) => Protection::Entries(entries),
    };
    AgentStatus { agent, protection }
}

fn find_problem(file: &AgentFile, places: &Places) -> Option<String> {
    let problem = match &file.entries {
        Err(error) => Some(error.clone()),
        Ok(entries) if entries.is_empty() => None,
        Ok(_) => {
            let fault = file.kinds().into_iter().find_map(|entry| entries::find_fault(entry, file, places));
            fault
                .map(|fault| fault.what)
                .or_else(|| agent_trust::list_required_steps(file, places).into_iter().next())
        }
    };
    Some(format!("{}: {}", file.path.display(), problem?))
}

fn count_hooks(folder_hooks: &FolderHooks) -> HookCounts {
    let loaded = &folder_hooks.loaded;
    let can_stop = |hook: &&HookSpec| hook.can_stop() && hook.origin.trust_level != TrustLevel::Untrusted;
    HookCounts {
        in_force: loaded.hooks.len(),
        can_stop: loaded.hooks.iter().filter(can_stop).count(),
        disabled: loaded.disabled.len(),
        has_errors: loaded.has_errors(),
    }
}

fn count_stopped(log: &Log, now: u64, is_logged: bool) -> StoppedCalls {
    let since = now.saturating_sub(HOURS * 60 * 60 * 1000);
    let recent = || log.entries.iter().map(|kept| &kept.entry).filter(|entry| entry.time >= since);
    let stopped = recent().filter(|entry| entry.is_stopped()).count();
    let denied = recent().filter(|entry| entry.verdict == DENIED).count();
    StoppedCalls {
        is_logged,
        denied,
        asked: stopped.saturating_sub(denied),
        rules: rule_counts::count_rules(recent()),
    }
}
