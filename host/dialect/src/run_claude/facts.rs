//! What is known of run-claude beside how it is read and answered.

use crate::{facts::AgentFacts, run_claude::RunClaude};

/// Its row among all agents.
pub(crate) static FACTS: AgentFacts =
    AgentFacts::new(&RunClaude).whose_tools_are_anybodys().protected(&[".run-claude"]);
