//! The settings of all agents.

use super::AgentSettings;
use crate::agent_list::AGENTS;

/// Returns all agents with known settings.
pub fn all_settings() -> impl Iterator<Item = &'static AgentSettings> {
    AGENTS.iter().filter_map(|facts| facts.settings)
}

/// Returns the settings of this agent.
pub fn find_settings(agent: &str) -> Option<&'static AgentSettings> {
    all_settings().find(|settings| settings.agent == agent)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_usual_events_are_events_of_the_agent_and_each_is_named_once() {
        for settings in all_settings() {
            let usual: HashSet<_> = settings.usual.iter().collect();
            assert_eq!(usual.len(), settings.usual.len(), "{}", settings.agent);
            let dialect = crate::find_dialect(settings.agent).unwrap();
            let known: HashSet<_> = dialect.events().into_iter().map(|(name, _)| name).collect();
            let unknown: Vec<_> = settings.usual.iter().filter(|event| !known.contains(**event)).collect();
            assert_eq!(unknown, Vec::<&&str>::new(), "{}", settings.agent);
        }
    }

    #[test]
    fn an_event_that_can_be_blocked_is_usual_unless_there_is_a_reason() {
        let unusual = ["WorktreeCreate", "PreModelSwitch"];
        for agent in ["claude-code", "gemini-cli", "qwen-code", "droid", "openhands"] {
            let (settings, dialect) = (find_settings(agent).unwrap(), crate::find_dialect(agent).unwrap());
            for (name, event) in dialect.events() {
                let wanted = dialect.support(name, &event).block && !unusual.contains(&name);
                assert!(settings.usual.contains(&name) || !wanted, "{agent}: {name}");
            }
        }
    }
}
