//! The list of all agents. Code that needs a fact of all agents iterates over [`AGENTS`].

use super::{
    agent_facts::{AgentFacts, Signs},
    amazon_q, claude_code, cline, cocode, code_forge, codex, copilot, cursor, droid, gemini_cli, kimi_code,
    litellm, llxprt, native, opencode, openhands, qwen_code, run_claude, windsurf,
};

/// All agents, in the order in which messages list them. If several agents have a tool of one name, the first agent's row counts where any
/// agent's tools are accepted.
pub(super) static AGENTS: [&AgentFacts; 19] = [
    &claude_code::facts::FACTS,
    &codex::facts::FACTS,
    &gemini_cli::facts::FACTS,
    &llxprt::facts::FACTS,
    &cursor::FACTS,
    &copilot::FACTS,
    &windsurf::FACTS,
    &cline::FACTS,
    &amazon_q::FACTS,
    &qwen_code::FACTS,
    &droid::FACTS,
    &kimi_code::FACTS,
    &openhands::FACTS,
    &opencode::FACTS,
    &cocode::facts::FACTS,
    &code_forge::facts::FACTS,
    &run_claude::facts::FACTS,
    &litellm::facts::FACTS,
    &native::facts::FACTS,
];

pub(super) fn find_facts(agent: &str) -> Option<&'static AgentFacts> {
    AGENTS.iter().copied().find(|facts| facts.name() == agent)
}

/// Returns the signs that this agent is installed.
pub fn find_signs(agent: &str) -> Signs {
    find_facts(agent).map_or(Signs { programs: &[], folders: &[] }, |facts| facts.signs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent_facts::AgentTools;

    #[test]
    fn every_agent_with_settings_is_called_as_its_dialect_and_protects_their_folder() {
        for facts in AGENTS {
            let Some(settings) = facts.settings else { continue };
            assert_eq!(settings.agent, facts.name());
        }
    }

    #[test]
    fn no_agent_has_two_rows_for_a_tool() {
        for facts in AGENTS {
            let AgentTools::Own(lists) = facts.tools else { continue };
            let mut names: Vec<_> = lists.iter().copied().flatten().map(|tool| tool.name).collect();
            let all = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), all, "{}", facts.name());
        }
    }
}
