//! Verifies that each agent is protected: runs its entry as the agent would, and checks for approvals that the agent requires
//! from the user.

use std::path::Path;

use hookbox::agents::settings::{self, OwnCommand, amazon_q};
use hookbox_app::{places::Places, settings_file::Location};

use super::{
    super::{
        agent_trust,
        entries::{self, AgentFile},
        self_test,
    },
    plan::{AgentPlan, Plan},
    print_fault,
};
use crate::{
    environment,
    findings::Level,
    printer::{DIM, GOOD, Printer, WARNING},
    report,
};

/// Prints a line for each agent, and then the steps that are left for the user. Returns true if every agent is protected.
pub(super) fn check_agents(plan: &Plan, command: &OwnCommand, places: &Places, printer: &Printer) -> bool {
    let mut is_well = true;
    let mut todo = Vec::new();
    for agent in &plan.agents {
        // A failed plan was reported before.
        if matches!(agent.change, Some(Err(_))) {
            is_well = false;
            continue;
        }
        for file in entries::of_user(agent.agent, &agent.folder) {
            // Amazon Q's files without entries are listed at the end.
            if agent.change.is_some() || file.has_entries() {
                is_well &= check_denial(&file, places, printer);
                todo.extend(agent_trust::list_required_steps(&file, places));
                note_untrusted(&file, printer);
            }
        }
    }
    for what in &todo {
        self::print_todo(what, printer);
    }
    let by_hand = by_hand(plan, command, printer);
    is_well && todo.is_empty() && !by_hand
}

fn check_denial(file: &AgentFile, places: &Places, printer: &Printer) -> bool {
    match self_test::test_denial(file, places) {
        Ok(reason) => {
            printer.add_finding(Level::Ok, file.agent, &reason);
            let reason = report::sanitize_line(&reason);
            printer.print_line(&format!("{GOOD}ok{GOOD:#}      {} denies: {reason}", file.agent));
            true
        }
        Err(why) => {
            print_fault(file.agent, &format!("{}: {why}", file.path.display()), printer);
            false
        }
    }
}

/// Notes that a project's entries count only once the user has trusted its folder; those that setup writes are the user's.
fn note_untrusted(file: &AgentFile, printer: &Printer) {
    let Some(settings) = file.settings else { return };
    let (here, list) = (environment::current_folder(), file.path.with_file_name(settings::TRUSTED_FOLDERS));
    let list = Location::User(list).read().unwrap_or_default();
    if settings::is_untrusted(settings, (&file.text, &list), &here) {
        let here = report::sanitize_line(&here.display().to_string());
        printer.print_note(&format!(
            "{DIM}note{DIM:#}: {0} does not trust {here} yet: it asks you when you start it there, and until then it leaves \
             out what a project there brings (`hookbox install {0} --here`); your own settings count everywhere",
            file.agent
        ));
    }
}

/// Prints what to write for Amazon Q, if no file has it: its hooks are in the files of its agents, which belong to the user.
fn by_hand(plan: &Plan, command: &OwnCommand, printer: &Printer) -> bool {
    let plans = || plan.agents.iter().filter(|plan| plan.agent == amazon_q::AGENT);
    let has_entries =
        |plan: &AgentPlan| entries::of_user(plan.agent, &plan.folder).iter().any(AgentFile::has_entries);
    if plans().next().is_none() || plans().any(has_entries) {
        return false;
    }
    // Amazon Q and Kiro, or the one of them on this machine.
    let is_here = |folder: &&Path| folder.parent().is_some_and(Path::is_dir);
    let all: Vec<_> = plans().map(|plan| plan.folder.as_path()).collect();
    let here: Vec<_> = all.iter().copied().filter(is_here).collect();
    let folders = if here.is_empty() { all } else { here };
    let folders: Vec<_> = folders.iter().map(|folder| format!("{}/*.json", folder.display())).collect();
    print_todo(
        &format!(
            "amazon-q does not call hookbox yet, since its hooks are in the files of its agents, which you maintain ({}): write this into each \
             of them and run `hookbox setup` again, which looks for it",
            folders.join(", ")
        ),
        printer,
    );
    amazon_q::format_hooks(command).lines().for_each(|line| printer.print_line(&report::sanitize_line(line)));
    true
}

fn print_todo(what: &str, printer: &Printer) {
    printer.add_finding(Level::Todo, "agents", what);
    printer.print_line(&format!("{WARNING}todo{WARNING:#}    {}", report::sanitize_line(what)));
}

/// Reports, after everything was removed, entries that the user has written and must remove.
pub(super) fn none_asks(plan: &Plan, printer: &Printer) -> bool {
    let mut is_well = true;
    for agent in plan.agents.iter().filter(|plan| plan.agent == amazon_q::AGENT) {
        for file in entries::of_user(agent.agent, &agent.folder).iter().filter(|file| file.has_entries()) {
            is_well = false;
            let path = file.path.display();
            print_todo(&format!("amazon-q: {path} calls hookbox: remove its entries by hand"), printer);
        }
    }
    is_well
}
