//! `hookbox setup`: one command that protects every agent on this machine, and verifies it.
//!
//! The guards' entries are written first, then compiled, then each agent's settings: whenever it is interrupted, no agent calls a hookbox
//! without rules, and another run does the rest.

mod agent_selection;
mod guard_entries;
mod leftovers;
mod plan;
mod protection_check;

use std::path::Path;

use hookbox::interfaces::CommandLine;
use hookbox_app::{FolderHooks, HookFiles, places::Places};

use self::plan::Plan;
use super::{
    agent_change::{CommandError, problem_error, usage_error},
    change_consent, check, facts,
    install::report_result,
    own_command, progress, user_presence,
};
use crate::{
    args::{ConsentArgs, SetupArgs},
    diagnostic, environment,
    exit::ExitStatus,
    findings::{self, Level},
    printer::{ERROR, Printer, WARNING},
    report,
};

/// Notice after the agents' settings were changed: to remove hookbox by hand locks the agents out.
const REMOVAL: &str = "remove hookbox with `hookbox setup --remove`: an agent refuses every call while its entry names a hookbox that is \
     missing";
/// A folder outside of any project: the rules are those of the user and of the administrator.
const NO_PROJECT: &str = "/";

pub(super) fn run_setup(args: &SetupArgs, printer: &Printer) -> ExitStatus {
    findings::with_findings(("setup", args.json), printer, || try_setup(args, printer))
}

fn try_setup(args: &SetupArgs, printer: &Printer) -> ExitStatus {
    let places = environment::read_places(&args.program);
    let done = if args.remove {
        let removal = Removal {
            agents: &args.agents,
            consent: &args.consent,
            purges: false,
            command: "hookbox setup --remove",
        };
        remove_hookbox(&removal, &places, printer)
    } else {
        protect_agents(args, &places, printer)
    };
    report_done(done, printer)
}

/// Removes hookbox from every agent: `hookbox uninstall` without an agent.
pub(super) fn uninstall_everywhere(purges: bool, consent: &ConsentArgs, printer: &Printer) -> ExitStatus {
    let command = if purges { "hookbox uninstall --purge" } else { "hookbox uninstall" };
    let places = Places::of_terminal(&environment::read_variable);
    report_done(remove_hookbox(&Removal { agents: &[], consent, purges, command }, &places, printer), printer)
}

fn report_done(done: Result<bool, CommandError>, printer: &Printer) -> ExitStatus {
    match done {
        Ok(true) => ExitStatus::Success,
        Ok(false) => ExitStatus::Problems,
        Err(stopped) => report_result(Err(stopped), printer),
    }
}

/// A removal of hookbox.
struct Removal<'a> {
    /// The agents; all if empty, and then the guards as well.
    agents: &'a [String],
    consent: &'a ConsentArgs,
    /// True if the state and the compiled plugins are removed, too.
    purges: bool,
    /// The command line, for messages.
    command: &'static str,
}

/// Installs hookbox; returns true if every agent is protected now.
fn protect_agents(args: &SetupArgs, places: &Places, printer: &Printer) -> Result<bool, CommandError> {
    let agents = agent_selection::select_agents(&args.agents, places)?;
    let guard_entries = guard_entries::prepare_install(places)?;
    let command = own_command::build_own_command(None, places, printer)?;
    agent_selection::print_agents(&agents, printer);
    let plan = Plan::for_install(guard_entries, &agents, &command, places);
    let mut is_well = show_plan(&plan, printer);
    match ask_consent(plan.count(), (&args.consent, "hookbox setup"), printer)? {
        PlanConsent::Given => {}
        PlanConsent::OnlyShown => return Ok(is_well && !agents.is_empty()),
        PlanConsent::Refused => return Ok(false),
    }
    if let Some(entries) = plan.guard_entries.as_ref().filter(|entries| !entries.is_nothing()) {
        entries.write(places, printer)?;
    }
    compile_guards(places, printer)?;
    compile_facts_plugin(places, printer);
    is_well &= write_settings(&plan, places, printer);
    if agents.is_empty() {
        printer.add_finding(Level::Todo, "agents", "no agent is on this machine");
        printer.print_line(&format!(
            "{WARNING}todo{WARNING:#}    no agent is on this machine: install one, start it once, and run `hookbox setup` again"
        ));
        return Ok(false);
    }
    is_well &= protection_check::check_agents(&plan, &command, places, printer);
    if plan.changes().next().is_some() {
        printer.print_note(REMOVAL);
    }
    if is_well {
        printer.print_line(&format!("{} protected", diagnostic::format_count(agents.len(), "agent")));
    }
    Ok(is_well)
}

/// Removes hookbox; returns true if all agents are without it now.
fn remove_hookbox(removal: &Removal<'_>, places: &Places, printer: &Printer) -> Result<bool, CommandError> {
    if !removal.consent.dry_run {
        user_presence::refuse_agent("removed").map_err(usage_error)?;
    }
    let agents = agent_selection::select_all_agents(removal.agents, places)?;
    // The other agents still call hookbox.
    let is_whole = removal.agents.is_empty();
    let guard_entries = if is_whole { Some(guard_entries::prepare_uninstall(places)?) } else { None };
    let plan = Plan::for_uninstall(guard_entries, &agents, places);
    let purged = if removal.purges { leftovers::find_purged(places) } else { Vec::new() };
    let mut is_well = show_plan(&plan, printer);
    for folder in &purged {
        printer.print_line(&format!("remove  {}", report::sanitize_line(&folder.display().to_string())));
    }
    match ask_consent(plan.count() + purged.len(), (removal.consent, removal.command), printer)? {
        PlanConsent::Given => {}
        PlanConsent::OnlyShown => return Ok(is_well),
        PlanConsent::Refused => return Ok(false),
    }
    is_well &= write_settings(&plan, places, printer);
    plan.forget_the_rest(places);
    // An agent that still calls hookbox would be answered without rules.
    if let Some(entries) = plan.guard_entries.as_ref().filter(|entries| is_well && !entries.is_nothing()) {
        entries.write(places, printer)?;
    }
    is_well &= protection_check::none_asks(&plan, printer);
    // The record of the remaining entries is in the state.
    if is_well {
        is_well = leftovers::remove_folders(&purged, printer);
    }
    if is_whole {
        leftovers::print_leftovers(places, printer);
    }
    Ok(is_well)
}

/// Shows the plan; returns true if all of it can be done.
fn show_plan(plan: &Plan, printer: &Printer) -> bool {
    plan.show(printer);
    for remark in plan.guard_entries.iter().flat_map(|entries| &entries.remarks) {
        printer.add_finding(Level::Odd, "guards", remark);
        printer.print_line(&format!("{WARNING}odd{WARNING:#}     {}", report::sanitize_line(remark)));
    }
    let mut is_well = true;
    for plan in &plan.agents {
        if let Some(Err(why)) = &plan.change {
            is_well = false;
            print_fault(plan.agent, why, printer);
        }
    }
    is_well
}

fn print_fault(agent: &str, why: &str, printer: &Printer) {
    printer.add_finding(Level::Wrong, agent, why);
    printer.print_line(&format!("{ERROR}wrong{ERROR:#}   {agent}: {}", report::sanitize_line(why)));
}

enum PlanConsent {
    Given,
    OnlyShown,
    Refused,
}

/// Asks for consent to this number of changes, unless there is nothing to do. `command` is the command line without `--yes`.
fn ask_consent(
    count: usize,
    (consent, command): (&ConsentArgs, &str),
    printer: &Printer,
) -> Result<PlanConsent, CommandError> {
    if consent.dry_run {
        printer.print_note("nothing was written (--dry-run)");
        return Ok(PlanConsent::OnlyShown);
    }
    if count == 0 {
        printer.print_line("nothing to do: every file is as it is to be");
    }
    // With nothing to write the agents are tested all the same.
    if count == 0 || consent.yes {
        return Ok(PlanConsent::Given);
    }
    let question = if count == 1 { "Write this?".to_owned() } else { format!("Write all {count}?") };
    if change_consent::ask_question((&question, &format!("`{command} --yes` writes this")), printer)? {
        return Ok(PlanConsent::Given);
    }
    printer.print_note("nothing was written");
    Ok(PlanConsent::Refused)
}

/// Compiles the guards, before any agent calls hookbox: otherwise the first event of an agent that does not wait would be
/// denied.
fn compile_guards(places: &Places, printer: &Printer) -> Result<(), CommandError> {
    let files = HookFiles::Layers { folder: Path::new(NO_PROJECT), session: None };
    let folder_hooks = FolderHooks::read_files(
        progress::with_progress(environment::build_surroundings(places.clone())),
        files,
    );
    let found = check::load_plugins(&folder_hooks, printer).map_err(problem_error)?;
    if folder_hooks.loaded.has_errors() {
        diagnostic::print_problems(&folder_hooks.loaded.problems, printer);
        return Err(problem_error(
            "no agent's settings were changed: fix this and run `hookbox setup` again",
        ));
    }
    match found.broken {
        0 => Ok(()),
        _ => Err(problem_error(
            "no agent's settings were changed, since a hook that cannot run would have them denied everything: fix it and run \
             `hookbox setup` again",
        )),
    }
}

/// Compiles the plugin that computes facts, so that no hook waits for it. Protection does not depend on it.
fn compile_facts_plugin(places: &Places, printer: &Printer) {
    let surroundings = progress::with_progress(environment::build_surroundings(places.clone()));
    let machine = surroundings.build_facts_machine();
    let read = super::block_on(true, machine.read_facts(&CommandLine::new("true", NO_PROJECT)));
    let error = match read {
        Ok(Ok(_)) => return,
        Ok(Err(failure)) => facts::describe_failure(&failure),
        Err(error) => error,
    };
    printer.print_note(&format!("{WARNING}warning{WARNING:#}: {error}"));
}

/// Writes the settings of each agent, continuing after an error; returns true if all were written.
fn write_settings(plan: &Plan, places: &Places, printer: &Printer) -> bool {
    let mut is_well = true;
    for change in plan.changes() {
        if let Err((_, why)) = change.write_change(places, printer) {
            is_well = false;
            print_fault(change.agent.name(), &why, printer);
        }
    }
    is_well
}
