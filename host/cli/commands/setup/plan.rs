//! The plan of setup: changes of the entries of the guards, and of the settings of each agent.

use std::path::PathBuf;

use hookbox::agents::settings::{OwnCommand, amazon_q};
use hookbox_app::places::Places;

use super::{
    super::{
        agent_change::{AgentChange, CommandError, InstallableAgent, SettingsOwner},
        detect_agents::{self, Present},
    },
    guard_entries::GuardEntries,
};
use crate::{findings::Level, printer::Printer};

pub(super) struct Plan {
    pub(super) guard_entries: Option<GuardEntries>,
    pub(super) agents: Vec<AgentPlan>,
}

pub(super) struct AgentPlan {
    pub(super) agent: &'static str,
    pub(super) folder: PathBuf,
    /// The change, or the reason why it is not possible. `None` if hookbox writes none of the agent's files.
    pub(super) change: Option<Result<AgentChange<'static>, String>>,
}

impl Plan {
    /// Plans entries in the settings of these agents.
    pub(super) fn for_install(
        guard_entries: GuardEntries,
        agents: &[Present],
        command: &OwnCommand,
        places: &Places,
    ) -> Self {
        let change =
            |agent: InstallableAgent, place: &SettingsOwner| agent.prepare_install((place, &[]), command);
        Self { guard_entries: Some(guard_entries), agents: agents_of(agents, places, &change) }
    }

    pub(super) fn for_uninstall(
        guard_entries: Option<GuardEntries>,
        agents: &[Present],
        places: &Places,
    ) -> Self {
        let change = |agent: InstallableAgent, place: &SettingsOwner| agent.prepare_uninstall(place, places);
        Self { guard_entries, agents: agents_of(agents, places, &change) }
    }

    /// Returns the changes that are still to be made.
    pub(super) fn changes(&self) -> impl Iterator<Item = &AgentChange<'static>> {
        let possible = self.agents.iter().filter_map(|plan| plan.change.as_ref()?.as_ref().ok());
        possible.filter(|change| !change.is_nothing())
    }

    /// Removes the records of settings without entries, whose former state is not needed any more.
    pub(super) fn forget_the_rest(&self, places: &Places) {
        let possible = self.agents.iter().filter_map(|plan| plan.change.as_ref()?.as_ref().ok());
        possible.filter(|change| change.is_nothing()).for_each(|change| change.remove_record(places));
    }

    /// Returns the number of files or folders that change.
    pub(super) fn count(&self) -> usize {
        self.changes().count()
            + usize::from(self.guard_entries.as_ref().is_some_and(|entries| !entries.is_nothing()))
    }

    pub(super) fn show(&self, printer: &Printer) {
        if let Some(entries) = self.guard_entries.as_ref().filter(|entries| !entries.is_nothing()) {
            entries.show(printer);
        }
        self.changes().for_each(|change| change.show(printer));
        // The question follows these lines, and the diffs are long.
        let guard_entries =
            self.guard_entries.as_ref().filter(|entries| !entries.is_nothing()).map(GuardEntries::place);
        for place in guard_entries.into_iter().chain(self.changes().map(AgentChange::place)) {
            printer.add_finding(Level::Change, &place, "its content changes");
            printer.print_line(&format!("change  {place}"));
        }
    }
}

type MakeChange<'a> =
    &'a dyn Fn(InstallableAgent, &SettingsOwner) -> Result<AgentChange<'static>, CommandError>;

fn agents_of(agents: &[Present], places: &Places, change: MakeChange<'_>) -> Vec<AgentPlan> {
    let mut plans = Vec::new();
    for agent in agents.iter().map(|present| present.agent) {
        for folder in detect_agents::settings_folders(agent, places) {
            let place = SettingsOwner::User(folder.clone());
            let change = (agent != amazon_q::AGENT).then(|| {
                InstallableAgent::from_name(agent)
                    .and_then(|agent| change(agent, &place))
                    .map_err(|(_, why)| why)
            });
            plans.push(AgentPlan { agent, folder, change });
        }
    }
    plans
}
