//! Hooks that a project defines for an agent itself: their files, and the conditions under which the agent runs them. hookbox is not asked
//! about them. Each agent's page in `docs/reference/agents` states the source.

use crate::{agent_list, settings::UserFolder};

/// Facts about how an agent handles the hooks of a project.
#[derive(Clone, Copy, Debug)]
pub struct ProjectHooks {
    /// Places relative to the project's folder: a file, or a folder that ends with `/`, whose files count. Empty if the agent reads no
    /// project's hooks.
    pub places: &'static [&'static str],
    /// Condition under which the agent runs the hooks, as the end of a sentence.
    pub runs: &'static str,
    /// Scope of the user's consent, as the end of a sentence; no agent ties it to the contents of a script. `None` if the agent asks for no
    /// consent.
    pub trust: Option<&'static str>,
}

/// Returns the facts of this agent; `None` if it has no hooks of its own.
pub fn project_hooks(agent: &str) -> Option<&'static ProjectHooks> {
    agent_list::find_facts(agent)?.project_hooks
}

/// Returns every agent with known facts, in the order in which messages list them.
pub fn all_project_hooks() -> impl Iterator<Item = (&'static str, &'static ProjectHooks)> {
    agent_list::AGENTS.iter().filter_map(|facts| Some((facts.name(), facts.project_hooks?)))
}

/// Where an agent has its own hooks.
#[derive(Clone, Copy)]
pub struct UsualFiles {
    /// The folder of the user's file.
    pub user: UserFolder,
    /// The file in either folder.
    pub file: &'static str,
    /// The folder of a project's file, from the project's root; `None` if it reads no project's.
    pub project: Option<&'static str>,
}

/// Returns the usual places of this agent's own hooks, if they are known.
pub fn usual_files(agent: &str) -> Option<UsualFiles> {
    let facts = agent_list::find_facts(agent)?;
    if let Some((user, file)) = facts.hook_file {
        // run-claude, the only agent with such a row, reads no project's file.
        return Some(UsualFiles { user, file, project: None });
    }
    let settings = facts.settings?;
    Some(UsualFiles { user: settings.user, file: settings.file, project: settings.project })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings;

    #[test]
    fn every_agent_with_project_settings_has_project_hooks() {
        for settings in settings::all_settings() {
            let hooks = project_hooks(settings.agent).unwrap_or_else(|| panic!("{}", settings.agent));
            let in_folder = |folder: &str| hooks.places.iter().any(|place| place.starts_with(folder));
            assert!(settings.project.is_none_or(in_folder), "{}", settings.agent);
        }
    }
}
