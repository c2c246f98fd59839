//! Facts about run-claude other than its reader and writer.

use crate::{
    agent_facts::AgentFacts,
    run_claude::RunClaude,
    settings::{Base::Config, UserFolder},
};

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&RunClaude)
    .with_shared_tools()
    .with_hook_file(UserFolder { variable: None, base: Config, path: "run-claude" }, "hooks.yaml")
    .with_protected(&[".run-claude"]);
