//! `hookbox setup`: one command that protects every agent on this machine, and verifies it.
//!
//! The rules are written first, then compiled, then each agent's settings: whenever it is interrupted, no agent calls a hookbox
//! without rules, and another run does the rest.

mod find;
mod plan;
mod prove;
mod rules;

use std::path::Path;

use hookbox_files::{HookFiles, Setup, places::Places};

use self::plan::Plan;
use super::{
    agent_change::{Stopped, problem, usage},
    check,
    install::ended,
    offer, own_command, person, progress,
};
use crate::{
    args::SetupArgs,
    diagnostic, environment,
    exit::ExitStatus,
    printer::{ERROR, Printer, WARNING},
    report,
};

/// Notice after the agents' settings were changed: to remove hookbox by hand locks the agents out.
const REMOVAL: &str = "remove hookbox with `hookbox setup --remove`: an agent refuses every call while its entry names a hookbox that is \
     missing";
/// A folder outside of any project: the rules are those of the user and of the administrator.
const NO_PROJECT: &str = "/";

pub(super) fn setup(args: &SetupArgs, printer: &Printer) -> ExitStatus {
    let places = environment::places(&args.program);
    let done = if args.remove { remove(args, &places, printer) } else { protect(args, &places, printer) };
    match done {
        Ok(true) => ExitStatus::Success,
        Ok(false) => ExitStatus::Problems,
        Err(stopped) => ended(Err(stopped), printer),
    }
}

/// Installs hookbox; returns true if every agent is protected now.
fn protect(args: &SetupArgs, places: &Places, printer: &Printer) -> Result<bool, Stopped> {
    let agents = find::agents(&args.agents, places)?;
    let rules = rules::install(places)?;
    let command = own_command::of(None, places, printer)?;
    find::tell(&agents, printer);
    let plan = Plan::install(rules, &agents, &command, places);
    let mut is_well = tell(&plan, printer);
    match leave(&plan, args, printer)? {
        Leave::Given => {}
        Leave::OnlyShown => return Ok(is_well && !agents.is_empty()),
        Leave::Refused => return Ok(false),
    }
    if let Some(rules) = plan.rules.as_ref().filter(|rules| !rules.is_nothing()) {
        rules.write(places, printer)?;
    }
    compile(places, printer)?;
    is_well &= write(&plan, places, printer);
    if agents.is_empty() {
        printer.line(&format!(
            "{WARNING}todo{WARNING:#}    no agent is on this machine: install one, start it once, and run `hookbox setup` again"
        ));
        return Ok(false);
    }
    is_well &= prove::all(&plan, &command, places, printer);
    if plan.changes().next().is_some() {
        printer.note(REMOVAL);
    }
    if is_well {
        printer.line(&format!("{} protected", diagnostic::plural(agents.len(), "agent")));
    }
    Ok(is_well)
}

/// Removes hookbox; returns true if all agents are without it now.
fn remove(args: &SetupArgs, places: &Places, printer: &Printer) -> Result<bool, Stopped> {
    if !args.dry_run {
        person::is_no_agent("taken out").map_err(usage)?;
    }
    let agents = find::all(&args.agents, places)?;
    // The other agents still call hookbox.
    let rules = if args.agents.is_empty() { Some(rules::uninstall(places)?) } else { None };
    let plan = Plan::uninstall(rules, &agents, places);
    let mut is_well = tell(&plan, printer);
    match leave(&plan, args, printer)? {
        Leave::Given => {}
        Leave::OnlyShown => return Ok(is_well),
        Leave::Refused => return Ok(false),
    }
    is_well &= write(&plan, places, printer);
    plan.forget_the_rest(places);
    // An agent that still calls hookbox would be answered without rules.
    if let Some(rules) = plan.rules.as_ref().filter(|rules| is_well && !rules.is_nothing()) {
        rules.write(places, printer)?;
    }
    Ok(prove::none_asks(&plan, printer) && is_well)
}

/// Shows the plan; returns true if all of it can be done.
fn tell(plan: &Plan, printer: &Printer) -> bool {
    plan.show(printer);
    for remark in plan.rules.iter().flat_map(|rules| &rules.remarks) {
        printer.line(&format!("{WARNING}odd{WARNING:#}     {}", report::plain(remark)));
    }
    let mut is_well = true;
    for plan in &plan.agents {
        if let Some(Err(why)) = &plan.change {
            is_well = false;
            wrong(plan.agent, why, printer);
        }
    }
    is_well
}

fn wrong(agent: &str, why: &str, printer: &Printer) {
    printer.line(&format!("{ERROR}wrong{ERROR:#}   {agent}: {}", report::plain(why)));
}

/// Consent to the plan.
enum Leave {
    Given,
    OnlyShown,
    Refused,
}

/// Asks for consent, unless there is nothing to do.
fn leave(plan: &Plan, args: &SetupArgs, printer: &Printer) -> Result<Leave, Stopped> {
    let count = plan.count();
    if args.dry_run {
        printer.note("nothing was written (--dry-run)");
        return Ok(Leave::OnlyShown);
    }
    if count == 0 {
        printer.line("nothing to do: every file is as it is to be");
    }
    if count == 0 || args.yes {
        return Ok(Leave::Given);
    }
    let question = if count == 1 { "Write this?".to_owned() } else { format!("Write all {count}?") };
    let again = if args.remove { "hookbox setup --remove --yes" } else { "hookbox setup --yes" };
    if offer::agreed((&question, &format!("`{again}` writes this")), printer)? {
        return Ok(Leave::Given);
    }
    printer.note("nothing was written");
    Ok(Leave::Refused)
}

/// Compiles the rules, before any agent calls hookbox: otherwise the first event of an agent that does not wait would be
/// denied.
fn compile(places: &Places, printer: &Printer) -> Result<(), Stopped> {
    let files = HookFiles::Layers { folder: Path::new(NO_PROJECT), session: None };
    let setup = Setup::read(progress::told(environment::surroundings(places.clone())), files);
    let found = check::prepare(&setup, printer).map_err(problem)?;
    if setup.loaded.has_errors() {
        diagnostic::print(&setup.loaded.problems, printer);
        return Err(problem("no agent's settings were changed: fix this and run `hookbox setup` again"));
    }
    match found.broken {
        0 => Ok(()),
        _ => Err(problem(
            "no agent's settings were changed, since a hook that cannot run would have them denied everything: fix it and run \
             `hookbox setup` again",
        )),
    }
}

/// Writes the settings of each agent, continuing after an error; returns true if all were written.
fn write(plan: &Plan, places: &Places, printer: &Printer) -> bool {
    let mut is_well = true;
    for change in plan.changes() {
        if let Err((_, why)) = change.make(places, printer) {
            is_well = false;
            wrong(change.agent.name(), &why, printer);
        }
    }
    is_well
}
