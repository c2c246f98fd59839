//! Facts about LiteLLM's proxy other than its reader and writer.

use crate::{agent_facts::AgentFacts, litellm::Litellm};

/// Entry in the list of all agents.
pub(crate) static FACTS: AgentFacts =
    AgentFacts::new(&Litellm).with_mark(&[("litellm_hook", "")]).with_mcp(|_| true);
