//! Hook files of run-claude, which is based on `LiteLLM`'s proxy, for the proxy's own events: the only kind of hook file that a proxy has
//! (docs/reference/agents/run-claude.md).

use hookbox_core::{
    ChainPolicy,
    hookfile::{Loaded, Source},
};

use super::Litellm;
use crate::{
    AgentHookFile,
    run_claude::{RunClaude, of_the_proxy},
};

impl AgentHookFile for Litellm {
    fn policy(&self) -> ChainPolicy {
        RunClaude.policy()
    }

    fn load(&self, source: &Source) -> Loaded {
        let loaded = RunClaude.load(source);
        Loaded {
            hooks: loaded.hooks.into_iter().map(of_the_proxy).collect(),
            disabled: loaded.disabled.into_iter().map(of_the_proxy).collect(),
            ..loaded
        }
    }
}
