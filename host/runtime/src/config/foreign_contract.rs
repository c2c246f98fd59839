//! `speaks`: a command, a server or a function that follows an agent's contract instead of hookbox's.
//!
//! Such a contract passes the event on in that agent's format, so the hook is for that agent's events only.

use hookbox_model::{Event, EventName};
use toml::{Spanned, de::DeTable};
use wildmatch::WildMatch;

use super::{entry::Entry, report::Report, values};
use crate::{
    Condition, Target,
    agents::{self, AgentHookFile, Dialect},
    hookfile::PlacedProblem,
    interfaces::Contract,
};

/// Returns an agent's contract for one kind of handler.
type ContractOf = fn(&dyn AgentHookFile) -> Option<&'static dyn Contract>;

pub(super) fn command_agents() -> impl Iterator<Item = &'static dyn Dialect> {
    list_agents(|own| own.contract())
}

pub(super) fn function_agents() -> impl Iterator<Item = &'static dyn Dialect> {
    list_agents(|own| own.function_contract())
}

fn list_agents(contract: ContractOf) -> impl Iterator<Item = &'static dyn Dialect> {
    let has_contract = move |agent: &&dyn Dialect| agent.hook_file().and_then(contract).is_some();
    agents::all_dialects().iter().copied().filter(has_contract)
}

/// An agent's contract, and the events of a hook that speaks it.
pub(super) struct AgentContract {
    pub(super) contract: &'static dyn Contract,
    pub(super) condition: Condition,
    own: &'static dyn AgentHookFile,
}

impl AgentContract {
    pub(super) fn add_proxied_events(&self, events: &mut Vec<EventName>) {
        let more: Vec<_> = events.iter().flat_map(|event| self.own.proxied_events(event)).cloned().collect();
        events.extend(more);
    }
}

/// Returns `None` without `speaks`, and if `on` has an event that the contract does not support.
pub(super) fn resolve_speech(
    entry: &Entry<'_>,
    target: &Target,
    report: &mut Report,
) -> Option<AgentContract> {
    let (key, contract): (_, ContractOf) = match target {
        Target::Shell(_) => ("shell", |own| own.contract()),
        Target::Webhook(_) => ("webhook", |own| own.contract()),
        Target::Python(_) => ("python", |own| own.function_contract()),
        // No agent's contract has another kind.
        _ => return None,
    };
    let handler = values::get_table(entry.table, key)?;
    let name = values::get_text(handler.get_ref(), "speaks")?;
    // A word that is not an agent is reported with the shape of the file.
    let agent = list_agents(contract).find(|agent| agent.name() == *name.get_ref())?;
    if key != "webhook" {
        warn_of_variables(handler.get_ref(), agent, report);
    }
    let events = resolve_agent_events(entry, agent, report)?;
    let own = agent.hook_file()?;
    Some(AgentContract {
        contract: contract(own)?,
        condition: build_condition((agent.name(), own), &events),
        own,
    })
}

/// Returns the agent's event names, or patterns of them, in `on`; each must be this agent's.
fn resolve_agent_events(entry: &Entry<'_>, agent: &dyn Dialect, report: &mut Report) -> Option<Vec<String>> {
    let (errors, name) = (report.errors(), agent.name());
    let own = |item: &Spanned<&str>| item.get_ref().strip_prefix(name)?.strip_prefix(':').map(str::to_owned);
    let mut events = Vec::new();
    for item in values::get_texts(entry.table, "on") {
        if let Some(event) = own(&item) {
            events.push(event);
        } else {
            let message = format!("a hook that speaks {name} receives only events of {name}");
            let help = format!("write them as `{name}:{}`, or leave out `speaks`", example_event(agent));
            report.add_problem(PlacedProblem::error(item.span(), message).help(help));
        }
    }
    (report.errors() == errors).then_some(events)
}

/// Returns the event that most hooks are for.
fn example_event(agent: &dyn Dialect) -> &'static str {
    let events = agent.events();
    events.iter().find(|(_, event)| *event == EventName::ToolBefore).map_or("*", |(name, _)| *name)
}

/// Returns the condition on agent and event: two agents, or two events of one agent, may share a canonical event.
fn build_condition((agent, own): (&'static str, &'static dyn AgentHookFile), events: &[String]) -> Condition {
    let written = format!("{agent}:{}", events.join(&format!(", {agent}:")));
    let patterns: Vec<_> = events.iter().map(|event| WildMatch::new(event)).collect();
    Condition::new(&written, move |event: &Event| {
        own.name_event(agent, event).is_some_and(|name| patterns.iter().any(|pattern| pattern.matches(name)))
    })
}

fn warn_of_variables(handler: &DeTable<'_>, agent: &dyn Dialect, report: &mut Report) {
    if let Some(env) = handler.get("env") {
        let message = "env has no effect here: the hook gets the whole environment";
        let help = format!("{} gives it to its hooks too; leave out `env`", agent.name());
        report.add_problem(PlacedProblem::warning(env.span(), message).help(help));
    }
}
