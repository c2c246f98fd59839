//! What is known of LiteLLM's proxy beside how it is read and answered.

use crate::{facts::AgentFacts, litellm::Litellm};

/// Its row among all agents.
pub(crate) static FACTS: AgentFacts = AgentFacts::new(&Litellm).marked(&[("litellm_hook", "")]).mcp(|_| true);
