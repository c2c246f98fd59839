//! Selects the agents for setup.

use hookbox::{config::did_you_mean, dialect::settings::amazon_q};
use hookbox_files::places::Places;

use super::super::{
    agent_change::{Stopped, usage},
    present::{self, Present},
};
use crate::{printer::Printer, report};

/// Returns the named agents, else all on this machine.
pub(super) fn agents(named: &[String], places: &Places) -> Result<Vec<Present>, Stopped> {
    if named.is_empty() {
        return Ok(present::agents(places));
    }
    let known = present::known();
    let mut chosen: Vec<&'static str> = Vec::new();
    for name in named.iter().map(|name| name.trim()) {
        let agent =
            known.iter().copied().find(|known| *known == name).ok_or_else(|| unknown(name, &known))?;
        if !chosen.contains(&agent) {
            chosen.push(agent);
        }
    }
    Ok(chosen.into_iter().map(|agent| present::look(agent, places)).collect())
}

/// Returns all agents in which hookbox may ever have been installed.
pub(super) fn all(named: &[String], places: &Places) -> Result<Vec<Present>, Stopped> {
    if !named.is_empty() {
        return agents(named, places);
    }
    Ok(present::known().into_iter().map(|agent| present::look(agent, places)).collect())
}

fn unknown(name: &str, known: &[&str]) -> Stopped {
    let name = report::plain(name);
    usage(format!("setup knows no agent `{name}`; {}", did_you_mean(&name, known)))
}

/// Prints each agent with the evidence for it.
pub(super) fn tell(agents: &[Present], printer: &Printer) {
    let width = agents.iter().map(|present| present.agent.len()).max().unwrap_or_default();
    for present in agents {
        let by_hand = if present.agent == amazon_q::AGENT { "; needs your hand" } else { "" };
        let seen = if present.is_here() { "found" } else { "absent" };
        printer.line(&format!(
            "{seen:7} {:width$}  {}{by_hand}",
            present.agent,
            report::plain(&present.facts())
        ));
    }
}
