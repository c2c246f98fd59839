//! Whether each agent is protected: its entry is asked as the agent would, and what the agent wants of a person besides is looked at.

use hookbox::dialect::settings::{OwnCommand, amazon_q};
use hookbox_files::places::Places;

use super::{
    super::{
        entries::{self, AgentFile},
        proof, trust,
    },
    plan::{AgentPlan, Plan},
    wrong,
};
use crate::{
    printer::{GOOD, Printer, WARNING},
    report,
};

/// Tells of each agent, a line each, and then what is left to do by hand. Is every one protected?
pub(super) fn all(plan: &Plan, command: &OwnCommand, places: &Places, printer: &Printer) -> bool {
    let mut is_well = true;
    let mut todo = Vec::new();
    for agent in &plan.agents {
        // What could not be planned is told already.
        if matches!(agent.change, Some(Err(_))) {
            is_well = false;
            continue;
        }
        for file in entries::of_user(agent.agent, &agent.folder) {
            if agent.change.is_some() || file.has_entries() {
                is_well &= denies(&file, places, printer);
                todo.extend(wanted(&file, places));
            }
        }
    }
    todo.extend(by_hand(plan, command));
    for line in &todo {
        printer.line(&format!("{WARNING}todo{WARNING:#}    {}", report::plain(line)));
    }
    is_well && todo.is_empty()
}

fn denies(file: &AgentFile, places: &Places, printer: &Printer) -> bool {
    match proof::of(file, places) {
        Ok(reason) => {
            let reason = report::plain(&reason);
            printer.line(&format!("{GOOD}ok{GOOD:#}      {}: {reason}", file.agent));
            true
        }
        Err(why) => {
            wrong(file.agent, &format!("{}: {why}", file.path.display()), printer);
            false
        }
    }
}

/// What the agent wants of a person before it asks.
fn wanted(file: &AgentFile, places: &Places) -> Option<String> {
    let settings = file.settings?;
    match trust::look(settings, (&file.path, &file.text), places)? {
        Ok(_) => None,
        Err(wanted) => Some(wanted),
    }
}

/// Amazon Q's hooks stand in the files of its agents, which are a person's: what to write, if none has it.
fn by_hand(plan: &Plan, command: &OwnCommand) -> Option<String> {
    let of_amazon_q = || plan.agents.iter().filter(|plan| plan.agent == amazon_q::AGENT);
    of_amazon_q().next()?;
    let has_entries =
        |plan: &AgentPlan| entries::of_user(plan.agent, &plan.folder).iter().any(AgentFile::has_entries);
    if of_amazon_q().any(has_entries) {
        return None;
    }
    let folders: Vec<_> = of_amazon_q().map(|plan| plan.folder.display().to_string()).collect();
    Some(format!(
        "amazon-q asks nobody yet: its hooks stand in the files of its agents, which are yours ({}/*.json). Write this member into \
         each of them and run `hookbox setup` again, which looks for it:\n        {}",
        folders.join("/*.json, "),
        amazon_q::hooks(command)
    ))
}

/// After everything was taken out: entries that a person has written and must take out.
pub(super) fn none_asks(plan: &Plan, printer: &Printer) -> bool {
    let mut is_well = true;
    for agent in plan.agents.iter().filter(|plan| plan.agent == amazon_q::AGENT) {
        for file in entries::of_user(agent.agent, &agent.folder).iter().filter(|file| file.has_entries()) {
            is_well = false;
            let path = report::plain(&file.path.display().to_string());
            printer.line(&format!(
                "{WARNING}todo{WARNING:#}    amazon-q: {path} asks hookbox: take its entries out by hand"
            ));
        }
    }
    is_well
}
