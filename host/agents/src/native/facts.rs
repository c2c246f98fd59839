//! Facts about callers that use hookbox's native dialect other than its reader and writer.

use crate::{agent_facts::AgentFacts, confined_commands::Shell, native::Native};

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&Native)
    .with_shared_tools()
    // A caller that uses the native dialect runs a rewritten command as it is.
    .runs_rewritten(Shell::Posix, &[], &[]);
