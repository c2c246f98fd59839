//! `hookbox install` and `hookbox uninstall`: hookbox's entry in an agent's own settings.

use hookbox::agents::settings::proxy;
use hookbox_app::places::Places;

use super::{
    agent_change::{AgentChange, CommandError, InstallableAgent, usage_error},
    agent_trust, change_consent, own_command,
    proxy_change::{self, ProxyChange},
    setup, user_presence,
};
use crate::{
    args::{InstallArgs, SettingsArgs, UninstallArgs},
    environment,
    exit::ExitStatus,
    printer::Printer,
};

pub(super) fn install_hookbox(args: &InstallArgs, printer: &Printer) -> ExitStatus {
    report_result(try_install(args, printer), printer)
}

pub(super) fn uninstall_hookbox(args: UninstallArgs, printer: &Printer) -> ExitStatus {
    let UninstallArgs { agent, purge, place, consent } = args;
    match agent {
        Some(agent) => {
            report_result(try_uninstall(&SettingsArgs { agent, place, consent }, printer), printer)
        }
        None => setup::uninstall_everywhere(purge, &consent, printer),
    }
}

pub(super) fn report_result(result: Result<(), CommandError>, printer: &Printer) -> ExitStatus {
    match result {
        Ok(()) => ExitStatus::Success,
        Err((status, message)) => {
            printer.print_error(&message);
            status
        }
    }
}

fn try_install(args: &InstallArgs, printer: &Printer) -> Result<(), CommandError> {
    if let Some(proxy) = proxy::find_proxy(&args.settings.agent) {
        return ProxyChange::prepare_install(proxy, args)?.offer_change(&args.settings, printer);
    }
    proxy_change::check_no_file(&args.settings)?;
    let agent = InstallableAgent::from_name(&args.settings.agent)?;
    let places = environment::read_places(&args.program);
    let place = agent.locate_settings(&args.settings, &places)?;
    let command = own_command::build_own_command(place.project(), &places, printer)?;
    let change = agent.prepare_install((&place, &args.events), &command)?;
    if change.is_nothing() {
        printer.print_line(&format!("nothing to do: {} has it already", change.place()));
    } else {
        offer_change(&change, &args.settings, &places, printer)?;
    }
    if let Some((settings, text)) = change.text() {
        agent_trust::report_remaining_steps(settings, (&change.path(), text), &places, printer);
    }
    Ok(())
}

fn try_uninstall(args: &SettingsArgs, printer: &Printer) -> Result<(), CommandError> {
    if !args.consent.dry_run {
        // A dry run only shows, so it is open to agents.
        user_presence::refuse_agent("removed").map_err(usage_error)?;
    }
    if let Some(proxy) = proxy::find_proxy(&args.agent) {
        return ProxyChange::prepare_uninstall(proxy, args)?.offer_change(args, printer);
    }
    proxy_change::check_no_file(args)?;
    let agent = InstallableAgent::from_name(&args.agent)?;
    let places = Places::of_terminal(&environment::read_variable);
    let change = agent.prepare_uninstall(&agent.locate_settings(args, &places)?, &places)?;
    if !change.is_nothing() {
        return offer_change(&change, args, &places, printer);
    }
    printer.print_line(&format!("nothing to do: {} has no entry of hookbox's", change.place()));
    if !args.consent.dry_run {
        change.remove_record(&places);
    }
    Ok(())
}

/// Shows the change, asks, and writes it.
fn offer_change(
    change: &AgentChange<'_>,
    args: &SettingsArgs,
    places: &Places,
    printer: &Printer,
) -> Result<(), CommandError> {
    change.show(printer);
    if change_consent::confirm_change(&args.consent, &change.place(), printer)? {
        change.write_change(places, printer)?;
    }
    Ok(())
}
