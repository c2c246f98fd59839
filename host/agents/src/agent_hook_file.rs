//! An agent's own hook file, read as the agent reads it and run as the agent runs it.

mod entry;
mod group;
pub(super) mod line;
mod reader;

use std::path::Path;

use hookbox_core::{
    ChainPolicy, HookSpec,
    hook::PythonSpec,
    hookfile::{Loaded, Source},
    interfaces::Contract,
};
use hookbox_model::{Event, EventName};

pub(super) use self::{
    entry::{Entry, Keys},
    group::{Group, read_groups},
    line::Step,
    reader::Reader,
};

/// Interpreter of an agent's own hook file.
pub trait AgentHookFile: Sync {
    /// Returns the policy of the agent's chain.
    fn policy(&self) -> ChainPolicy;

    /// Returns the hooks of a file. Hooks that cannot run here, or that the agent would ignore, are reported.
    fn load(&self, source: &Source) -> Loaded;

    /// Returns the hooks of several files, in this order. A hook that the agent runs once even if several of its entries match has one
    /// [`WrittenAt::key`](hookbox_core::WrittenAt::key).
    fn load_all(&self, sources: &[Source]) -> Loaded {
        one_after_another(sources.iter().map(|source| self.load(source)))
    }

    /// Returns the contract that a hook of hookbox's own configuration may use (`speaks`), if one contract serves all hooks.
    fn contract(&self) -> Option<&'static dyn Contract> {
        None
    }

    /// Returns the contract that a Python function of hookbox's own configuration may use (`speaks`).
    fn function_contract(&self) -> Option<&'static dyn Contract> {
        None
    }

    /// Returns the Python function that the file names for a hook, if a component runs in its place.
    fn replaced_function(&self, hook: &HookSpec) -> Option<PythonSpec> {
        let _ = hook;
        None
    }

    /// Returns the name that `agent`, whose hook files these are, has for an event; `None` if no hook with its contract is called for the
    /// event. An agent that is built on a proxy has names for the proxy's events.
    fn name_event<'e>(&self, agent: &str, event: &'e Event) -> Option<&'e str> {
        (event.agent == agent).then_some(event.agent_event.as_str())
    }

    /// Returns the events of a proxy that the agent has one name for together with this event.
    fn proxied_events(&self, event: &EventName) -> &'static [EventName] {
        let _ = event;
        &[]
    }

    /// Returns true if the contract has webhooks.
    fn webhooks(&self) -> bool {
        false
    }

    /// Returns the differences when these hooks run in hookbox's own chain, a sentence each.
    fn differences(&self) -> &'static [&'static str] {
        &[]
    }
}

/// Concatenates the results of several files.
pub(super) fn one_after_another(files: impl Iterator<Item = Loaded>) -> Loaded {
    let mut all = Loaded::default();
    for file in files {
        all.hooks.extend(file.hooks);
        all.disabled.extend(file.disabled);
        all.problems.extend(file.problems);
    }
    all
}

/// Returns the folder of the plugin that a `hooks/hooks.json` belongs to: one of these manifests is next to the folder `hooks`.
pub(super) fn plugin_root(source: &Source, manifests: &[&str]) -> Option<String> {
    // Only in this folder do agents look for a plugin's hooks; a settings file next to a manifest is not a
    // plugin's.
    let folder = source.file.as_deref().and_then(Path::parent).filter(|folder| folder.ends_with("hooks"))?;
    let root = std::path::absolute(folder.parent()?).ok()?;
    manifests.iter().any(|manifest| root.join(manifest).exists()).then(|| root.to_string_lossy().into_owned())
}

/// Returns true if a command uses this variable.
pub fn uses_variable(command: &str, name: &str) -> bool {
    let braced = command.contains(&format!("${{{name}}}")) || command.contains(&format!("${{{name}:"));
    // `$CLAUDE_PROJECT_DIR_2` is another variable.
    let is_over = |rest: &str| !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
    braced || command.split(&format!("${name}")).skip(1).any(is_over)
}
