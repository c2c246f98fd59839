//! llxprt-code's settings.json: Gemini CLI's, with another contract (docs/reference/agents/llxprt.md).

use hookbox_core::{
    ChainPolicy,
    hookfile::{Loaded, Source},
    interfaces::Contract,
};

use super::Llxprt;
use crate::{
    agent_hook_file::AgentHookFile,
    gemini_cli::{GeminiCli, contract::GeminiContract, hook_file, variant::LLXPRT},
};

const CONTRACT: GeminiContract = GeminiContract(&LLXPRT);

impl AgentHookFile for Llxprt {
    /// Returns Gemini CLI's policy without rewrites: tool lists are intersected when the answer is written, for all hooks.
    fn policy(&self) -> ChainPolicy {
        ChainPolicy { rewrites: |_| None, ..GeminiCli.policy() }
    }

    fn load(&self, source: &Source) -> Loaded {
        hook_file::load_files(std::slice::from_ref(source), &CONTRACT)
    }

    fn load_all(&self, sources: &[Source]) -> Loaded {
        hook_file::load_files(sources, &CONTRACT)
    }

    fn contract(&self) -> Option<&'static dyn Contract> {
        Some(&CONTRACT)
    }

    fn differences(&self) -> &'static [&'static str] {
        hook_file::DIFFERENCES
    }
}
