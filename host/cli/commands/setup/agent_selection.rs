//! Selects the agents for setup.

use hookbox::{agents::settings::amazon_q, config::did_you_mean};
use hookbox_app::places::Places;

use super::super::{
    agent_change::{CommandError, usage_error},
    detect_agents::{self, Present},
};
use crate::{printer::Printer, report};

/// Returns the named agents, else all on this machine.
pub(super) fn select_agents(named: &[String], places: &Places) -> Result<Vec<Present>, CommandError> {
    if named.is_empty() {
        return Ok(detect_agents::find_agents(places));
    }
    let known = detect_agents::list_known_agents();
    let mut chosen: Vec<&'static str> = Vec::new();
    for name in named.iter().map(|name| name.trim()) {
        let agent = known
            .iter()
            .copied()
            .find(|known| *known == name)
            .ok_or_else(|| unknown_agent_error(name, &known))?;
        if !chosen.contains(&agent) {
            chosen.push(agent);
        }
    }
    Ok(chosen.into_iter().map(|agent| detect_agents::find_evidence(agent, places)).collect())
}

/// Returns all agents in which hookbox may ever have been installed.
pub(super) fn select_all_agents(named: &[String], places: &Places) -> Result<Vec<Present>, CommandError> {
    if !named.is_empty() {
        return select_agents(named, places);
    }
    Ok(detect_agents::list_known_agents()
        .into_iter()
        .map(|agent| detect_agents::find_evidence(agent, places))
        .collect())
}

fn unknown_agent_error(name: &str, known: &[&str]) -> CommandError {
    let name = report::sanitize_line(name);
    usage_error(format!("setup knows no agent `{name}`; {}", did_you_mean(&name, known)))
}

/// Prints each agent with the evidence for it.
pub(super) fn print_agents(agents: &[Present], printer: &Printer) {
    let width = agents.iter().map(|present| present.agent.len()).max().unwrap_or_default();
    for present in agents {
        let by_hand = if present.agent == amazon_q::AGENT { "; needs manual changes" } else { "" };
        let seen = if present.is_here() { "found" } else { "absent" };
        printer.print_line(&format!(
            "{seen:7} {:width$}  {}{by_hand}",
            present.agent,
            report::sanitize_line(&present.facts())
        ));
    }
}
