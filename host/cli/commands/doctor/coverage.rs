//! Checks the coverage of entries: hooks that no entry leads to, entries that lead to no hook, settings that have disappeared.

use std::{collections::BTreeMap, path::Path};

use hookbox::{
    HookSpec,
    agents::{
        self,
        settings::{self, cline},
    },
    model::{EventName, TrustLevel},
};
use hookbox_app::{FolderHooks, install_record::InstallRecord};

use super::Doctor;
use crate::{
    commands::{agent_change::InstallableAgent, entries::AgentFile},
    environment,
};

impl Doctor<'_> {
    pub(super) fn check_coverage(&mut self, files: &[AgentFile], folder_hooks: &FolderHooks) {
        self.report_missing_agents(folder_hooks);
        // The user's file and a project's count together.
        let mut asked: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for file in files.iter().filter(|file| file.has_entries()) {
            let events = file.entries.iter().flatten().map(|entry| entry.event.as_str());
            asked.entry(file.agent).or_default().extend(events);
        }
        let hooks: Vec<_> = own_gates(folder_hooks).collect();
        for (agent, events) in asked {
            self.report_uncovered_events(agent, &events, &hooks);
        }
    }

    /// Reports events of the agent for which a guard exists but no entry.
    fn report_uncovered_events(&mut self, agent: &str, asked: &[&str], hooks: &[&HookSpec]) {
        let table = list_install_events(agent);
        let all = agents::find_dialect(agent).map(agents::Dialect::events).unwrap_or_default();
        let is_asked =
            |wanted: &EventName| all.iter().any(|(name, event)| event == wanted && asked.contains(name));
        let mut missing: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for hook in hooks {
            for wanted in hook.events.iter().filter(|event| event.traits().block && !is_asked(event)) {
                if let Some((name, _)) = table.iter().find(|(_, event)| event == wanted) {
                    missing.entry(name).or_default().push(&hook.name);
                }
            }
        }
        for (event, hooks) in &missing {
            let hooks = hooks.join(", ");
            let text = format!(
                "{event} has no entry, so {agent} does not call {hooks} there; `hookbox install {agent}` writes it"
            );
            self.report_fault(agent, &text);
        }
        // Without a hook that could stop a tool call, a missing entry for it is only odd.
        let gate = table.iter().find(|(_, event)| *event == EventName::ToolBefore);
        if let Some((event, _)) = gate.filter(|(event, _)| !missing.contains_key(event))
            && !is_asked(&EventName::ToolBefore)
        {
            let text = format!(
                "{event} has no entry, so no tool call can be stopped; `hookbox install {agent}` writes it"
            );
            self.report_oddity(agent, &text);
        }
    }

    /// Reports agents in whose settings hookbox was installed, and whose folder has disappeared.
    fn report_missing_agents(&self, folder_hooks: &FolderHooks) {
        let Some(state) = folder_hooks.places.state() else { return };
        let recorded = InstallRecord::new(&state).paths();
        let users = settings::all_settings().map(|settings| (settings.agent, &settings.user, settings.file));
        // Cline has a folder of programs and no settings file.
        let users = users.chain([(cline::AGENT, &cline::USER, "")]);
        for (agent, folder, file) in users {
            let folder = folder_hooks.places.settings_folder(folder, &environment::read_variable);
            let Some(folder) = folder else { continue };
            let path = if file.is_empty() { folder.clone() } else { folder.join(file) };
            if !folder.is_dir() && recorded.iter().any(|recorded| Path::new(recorded) == path) {
                let folder = folder.display();
                self.report_oddity(
                    agent,
                    &format!(
                        "hookbox was installed into {}, and {folder} no longer exists: this agent does not call hookbox; `hookbox install {agent}` \
                         writes its entries again, `hookbox uninstall {agent}` forgets them",
                        path.display()
                    ),
                );
            }
        }
    }
}

/// Returns the user's own hooks that could stop something, for any agent.
fn own_gates(folder_hooks: &FolderHooks) -> impl Iterator<Item = &HookSpec> {
    // A hook in an agent's own format is for that agent alone.
    let is_any_agents = |hook: &&HookSpec| hook.contract.is_none();
    folder_hooks.loaded.hooks.iter().filter(|hook| is_own(hook) && hook.can_stop()).filter(is_any_agents)
}

/// Returns true for hooks of the user or an administrator.
pub(super) fn is_own(hook: &HookSpec) -> bool {
    hook.origin.trust_level != TrustLevel::Untrusted && hook.origin.file.is_some()
}

/// Returns the events for which `install` writes entries, by the agent's name, each with hookbox's.
fn list_install_events(agent: &str) -> Vec<(&'static str, EventName)> {
    let usual = InstallableAgent::from_name(agent).map(InstallableAgent::usual).unwrap_or_default();
    let known = agents::find_dialect(agent).map(agents::Dialect::events).unwrap_or_default();
    known.into_iter().filter(|(name, _)| usual.contains(name)).collect()
}
