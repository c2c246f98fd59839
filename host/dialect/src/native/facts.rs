//! What is known of hookbox's own callers beside how it is read and answered.

use crate::{confined::Shell, facts::AgentFacts, native::Native};

/// Its row among all agents.
pub(crate) static FACTS: AgentFacts = AgentFacts::new(&Native)
    .whose_tools_are_anybodys()
    // Who speaks hookbox's own words does what they say.
    .runs_rewritten(Shell::Posix, &[], &[]);
