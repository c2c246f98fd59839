//! Facts about run-claude other than its reader and writer.

use crate::{
    facts::AgentFacts,
    run_claude::RunClaude,
    settings::{Base::Config, UserFolder},
};

/// Entry in the list of all agents.
pub(crate) static FACTS: AgentFacts =
    AgentFacts::new(&RunClaude).whose_tools_are_anybodys().protected(&[".run-claude"]);
