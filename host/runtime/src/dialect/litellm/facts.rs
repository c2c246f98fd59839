//! What is known of LiteLLM's proxy beside how it is read and answered.

use crate::dialect::{facts::AgentFacts, litellm::Litellm};

/// Its row among all agents.
pub(in crate::dialect) static FACTS: AgentFacts =
    AgentFacts::new(&Litellm).marked(&[("litellm_hook", "")]).mcp(|_| true);
