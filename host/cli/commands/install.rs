//! `hookbox install` and `hookbox uninstall`: hookbox's entry in an agent's own settings.

use hookbox::dialect::settings::proxy;
use hookbox_files::places::Places;

use super::{
    agent_change::{Agent, AgentChange, Stopped, usage},
    agent_trust, offer, own_command, person,
    proxy_change::{self, ProxyChange},
};
use crate::{
    args::{InstallArgs, SettingsArgs},
    environment,
    exit::ExitStatus,
    printer::Printer,
};

pub(super) fn install(args: &InstallArgs, printer: &Printer) -> ExitStatus {
    ended(try_install(args, printer), printer)
}

pub(super) fn uninstall(args: &SettingsArgs, printer: &Printer) -> ExitStatus {
    ended(try_uninstall(args, printer), printer)
}

pub(super) fn ended(result: Result<(), Stopped>, printer: &Printer) -> ExitStatus {
    match result {
        Ok(()) => ExitStatus::Success,
        Err((status, message)) => {
            printer.error(&message);
            status
        }
    }
}

fn try_install(args: &InstallArgs, printer: &Printer) -> Result<(), Stopped> {
    if let Some(proxy) = proxy::named(&args.settings.agent) {
        return ProxyChange::install(proxy, args)?.offer(&args.settings, printer);
    }
    proxy_change::is_for_no_agent(&args.settings)?;
    let agent = Agent::named(&args.settings.agent)?;
    let places = environment::places(&args.program);
    let place = agent.place(&args.settings, &places)?;
    let command = own_command::of(place.project(), &places, printer)?;
    let change = agent.install((&place, &args.events), &command)?;
    if change.is_nothing() {
        printer.line(&format!("nothing to do: {} has it already", change.place()));
    } else {
        offer(&change, &args.settings, &places, printer)?;
    }
    if let Some((settings, text)) = change.text() {
        agent_trust::tell(settings, (&change.path(), text), &places, printer);
    }
    Ok(())
}

fn try_uninstall(args: &SettingsArgs, printer: &Printer) -> Result<(), Stopped> {
    if !args.dry_run {
        person::is_no_agent("taken out").map_err(usage)?;
    }
    if let Some(proxy) = proxy::named(&args.agent) {
        return ProxyChange::uninstall(proxy, args)?.offer(args, printer);
    }
    proxy_change::is_for_no_agent(args)?;
    let agent = Agent::named(&args.agent)?;
    let places = Places::of_terminal(&environment::variable);
    let change = agent.uninstall(&agent.place(args, &places)?, &places)?;
    if !change.is_nothing() {
        return offer(&change, args, &places, printer);
    }
    printer.line(&format!("nothing to do: {} has no entry of hookbox's", change.place()));
    if !args.dry_run {
        change.forget(&places);
    }
    Ok(())
}

/// Shows the change, asks, and writes it.
fn offer(
    change: &AgentChange<'_>,
    args: &SettingsArgs,
    places: &Places,
    printer: &Printer,
) -> Result<(), Stopped> {
    change.show(printer);
    if offer::accepted(args, &change.place(), printer)? {
        change.make(places, printer)?;
    }
    Ok(())
}
