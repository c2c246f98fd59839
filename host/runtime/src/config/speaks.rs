//! `speaks`: a command or server that follows an agent's contract instead of hookbox's.
//!
//! Such a contract passes the event on in that agent's format, so the hook is for that agent's events only.

use hookbox_model::{Event, EventName};
use toml::Spanned;
use wildmatch::WildMatch;

use super::{entry::Entry, report::Report, values};
use crate::{
    Condition, Target,
    dialect::{self, Dialect, OwnHooks},
    hookfile::Found,
    port::Contract,
};

/// Returns the agents that have a contract.
pub(super) fn contract_agents() -> impl Iterator<Item = &'static dyn Dialect> {
    dialect::all_dialects().iter().copied().filter(|agent| contract_of(*agent).is_some())
}

/// An agent's contract, and the events of a hook that speaks it.
pub(super) struct Speech {
    pub(super) contract: &'static dyn Contract,
    pub(super) condition: Condition,
}

/// Returns `None` without `speaks`, and if `on` has an event that the contract does not support.
pub(super) fn resolve_speech(entry: &Entry<'_>, target: &Target, report: &mut Report) -> Option<Speech> {
    let key = match target {
        Target::Shell(_) => "shell",
        Target::Webhook(_) => "webhook",
        Target::Wasm(_) | Target::Python(_) | Target::Callback => return None,
    };
    let agent = find_agent(entry, key)?;
    if key == "shell" {
        warn_of_variables(entry, agent, report);
    }
    let events = resolve_agent_events(entry, agent, report)?;
    Some(Speech { contract: contract_of(agent)?, condition: build_condition(agent.name(), &events) })
}

/// Returns the agent. A word that is not an agent is reported with the shape of the file.
fn find_agent(entry: &Entry<'_>, key: &str) -> Option<&'static dyn Dialect> {
    let handler = values::get_table(entry.table, key)?;
    let name = values::get_text(handler.get_ref(), "speaks")?;
    contract_agents().find(|agent| agent.name() == *name.get_ref())
}

fn contract_of(agent: &dyn Dialect) -> Option<&'static dyn Contract> {
    agent.own_hooks().and_then(OwnHooks::contract)
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
            report.add_problem(Found::error(item.span(), message).help(help));
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
fn build_condition(agent: &'static str, events: &[String]) -> Condition {
    let written = format!("{agent}:{}", events.join(&format!(", {agent}:")));
    let patterns: Vec<_> = events.iter().map(|event| WildMatch::new(event)).collect();
    Condition::new(&written, move |event: &Event| {
        event.agent == agent && patterns.iter().any(|pattern| pattern.matches(&event.agent_event))
    })
}

fn warn_of_variables(entry: &Entry<'_>, agent: &dyn Dialect, report: &mut Report) {
    let Some(shell) = values::get_table(entry.table, "shell") else { return };
    if let Some(env) = shell.get_ref().get("env") {
        let message = "env has no effect here: the command gets the whole environment";
        let help = format!("{} gives it to its hooks too; leave out `env`", agent.name());
        report.add_problem(Found::warning(env.span(), message).help(help));
    }
}
