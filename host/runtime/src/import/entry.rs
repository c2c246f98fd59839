//! Converts one hook of an agent's file to a `[[hook]]`.

mod problem;
mod text;

use hookbox_model::{EventName, Json};
use serde_json::Value;

use super::words;
use crate::{
    HookSpec, Target, Tools, WrittenAt,
    agents::{AgentHookFile, Dialect, settings},
    hook::{ShellCommand, ShellSpec},
    interfaces::Contract,
};

/// State of the hook in its file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Switch {
    On,
    Off,
}

/// A hook of an agent's file.
pub(super) struct Entry {
    /// Name in hookbox's configuration.
    pub(super) name: String,
    agent: &'static str,
    /// The agent's names of its events, with the canonical names.
    events: Vec<(&'static str, EventName)>,
    at: WrittenAt,
    spec: HookSpec,
    contract: &'static dyn Contract,
    switch: Switch,
    /// True if its contract can be spoken.
    speaks: bool,
    /// The plugin that the agent's own chain calls in place of the function.
    plugin: Option<String>,
}

impl Entry {
    /// Returns `None` for a hook that is not from an agent's file, and for hookbox's own entry there.
    pub(super) fn from_hook(agent: &dyn Dialect, spec: &HookSpec, switch: Switch) -> Option<Self> {
        let at =
            spec.origin.written.as_deref().filter(|_| !runs_hookbox(agent.name(), &spec.target))?.clone();
        let contract = spec.contract?;
        let mut spec = spec.clone();
        let replaced = agent.hook_file().and_then(|own| own.replaced_function(&spec));
        let plugin = replaced.map(|function| {
            let plugin = spec.wasm().and_then(|wasm| wasm.path.file_stem()).unwrap_or_default();
            let plugin = plugin.to_string_lossy().into_owned();
            spec.config = Json::from_members([("config", spec.config.as_str())]);
            spec.target = Target::Python(function);
            plugin
        });
        let is_function = matches!(spec.target, Target::Python(_));
        let contract_of =
            |own: &dyn AgentHookFile| if is_function { own.function_contract() } else { own.contract() };
        let speaks = contract.is_spoken() && agent.hook_file().and_then(contract_of).is_some();
        Some(Self {
            name: String::new(),
            agent: agent.name(),
            events: spec.events.iter().map(|event| (at.event, event.clone())).collect(),
            at,
            spec,
            contract,
            switch,
            speaks,
            plugin,
        })
    }

    /// Returns true if both are one hook of the file, for equal tools.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.at.place == other.at.place && self.tools() == other.tools()
    }

    pub(super) fn extend_events(&mut self, other: &Self) {
        self.events.extend(other.events.iter().cloned());
    }

    pub(super) fn place(&self) -> &str {
        &self.at.place
    }

    /// Returns the name that its file gives it.
    pub(super) fn own_name(&self) -> Option<&str> {
        Some(self.spec.name.as_str()).filter(|name| *name != self.at.place)
    }

    /// Returns the description in its file, on one line.
    pub(super) fn description(&self) -> Option<String> {
        self.at.description.as_deref().map(words::one_line)
    }

    /// Returns a name made from its first event.
    pub(super) fn event(&self) -> String {
        format!("{}-{}", self.agent, self.at.event)
    }

    /// Returns its command, if it is one.
    fn command_words(&self) -> &[String] {
        match &self.spec.target {
            Target::Shell(ShellSpec { command: ShellCommand::Argv(words), .. }) => words,
            Target::Shell(ShellSpec { command: ShellCommand::Line(line), .. }) => std::slice::from_ref(line),
            _ => &[],
        }
    }

    /// Returns the agent's own variables in a word: those that are set for every hook (`always`), or the others.
    fn find_placeholders<'w>(
        &self,
        word: &'w str,
        always: bool,
    ) -> impl Iterator<Item = &'static str> + use<'w> {
        let all = self.contract.placeholders().iter().filter(move |known| known.always == always);
        all.map(|known| known.name)
            .filter(|name| word.contains(&format!("${{{name}")) || word.contains(&format!("${name}")))
    }

    fn tools(&self) -> Option<&Tools> {
        match &self.spec.condition {
            None => Some(&Tools::Any),
            Some(when) => when.tools(),
        }
    }

    fn function_settings(&self) -> Option<Value> {
        let is_function = matches!(self.spec.target, Target::Python(_));
        let settings = self.spec.config.to_value().get("config")?.clone();
        let is_empty = settings.is_null() || settings.as_object().is_some_and(serde_json::Map::is_empty);
        Some(settings).filter(|_| is_function && !is_empty)
    }
}

fn runs_hookbox(agent: &str, target: &Target) -> bool {
    let Target::Shell(shell) = target else { return false };
    match &shell.command {
        ShellCommand::Line(line) => settings::runs_hookbox(line, agent, None),
        ShellCommand::Argv(words) => words
            .split_first()
            .is_some_and(|(program, words)| settings::runs_hookbox(program, agent, Some(words))),
    }
}

/// Returns true if hookbox would resolve the program relative to the configuration file.
fn is_relative(program: &[String]) -> bool {
    program.first().is_some_and(|program| program.contains('/') && !program.starts_with('/'))
}
