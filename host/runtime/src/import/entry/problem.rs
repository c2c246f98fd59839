//! Reasons for not converting a hook, and remarks about a converted one.

use std::path::Path;

use hookbox_model::{OnFailure, Role};

use super::{super::words, Entry, Switch, is_relative};
use crate::{
    Target, agents,
    hook::{PythonSpec, ShellCommand, ShellSpec},
};

/// Variables that hook files use and no agent sets, and what to write instead.
const UNSET: [(&str, &str); 6] = [
    ("CLAUDE_TOOL_INPUT", ON_STDIN),
    ("CLAUDE_TOOL_NAME", ON_STDIN),
    ("CLAUDE_TOOL_OUTPUT", ON_STDIN),
    ("CLAUDE_FILE_PATH", ON_STDIN),
    ("CLAUDE_FILE_PATHS", ON_STDIN),
    ("CODEX_PLUGIN_ROOT", "Codex's is `${PLUGIN_ROOT}`"),
];
const ON_STDIN: &str = "a hook is passed its event as JSON on standard input";

impl Entry {
    /// Returns the reason for not converting it, if that is evident without reading it as configuration.
    pub(in crate::import) fn problem(&self) -> Option<String> {
        let agent = self.agent;
        match (&self.spec.target, &self.spec.condition) {
            _ if self.at.unreadable.is_some() => self.at.unreadable.clone(),
            (Target::Wasm(_), _) => Some(format!(
                "it is a component, which has no `speaks` and would run for other agents than {agent} too"
            )),
            _ if !self.speaks => Some(format!(
                "it can only be called from {agent}'s own hook file: `hookbox run --agent {agent} --source`"
            )),
            (_, Some(when)) if self.tools().is_none() => {
                Some(format!("hookbox's configuration cannot say its matcher `{when}` exactly"))
            }
            (Target::Shell(shell), _) => self.shell_problem(shell),
            (Target::Python(python), _) => self.function_problem(python),
            _ => None,
        }
    }

    /// Returns remarks for the case that it is converted.
    pub(in crate::import) fn notes(&self) -> Vec<String> {
        let place = self.place();
        let idle = self.at.idle.iter().map(|key| format!("`{place}.{key}` is for {} alone", self.agent));
        let passes = self.spec.on_failure == Some(OnFailure::Allow)
            && self.spec.role != Role::Observe
            && self.events.iter().any(|(_, event)| event.traits().block);
        let sought =
            self.command_words().iter().any(|word| self.find_placeholders(word, true).next().is_some());
        let missing = (passes && sought).then(|| {
            format!(
                "`{place}` is looked for in the project of each event; where it is missing, the event passes: \
                 write `on-failure = \"deny\"` if it is a guard"
            )
        });
        let off = (self.switch == Switch::Off).then(|| {
            format!(
                "`{place}` is switched off in the settings of {}, and here by `enabled = false`",
                self.agent
            )
        });
        let words = self.command_words();
        let unset =
            UNSET.iter().filter(|(name, _)| words.iter().any(|word| agents::uses_variable(word, name)));
        let unset = unset
            .map(|(name, instead)| format!("`{place}` uses `${{{name}}}`, which no agent sets: {instead}"));
        let plugin = self.plugin.as_ref().map(|plugin| {
            format!(
                "`{place}` is a function that the plugin `{plugin}` does the work of, faster and for every agent: \
                 `wasm = {{ plugin = \"{plugin}\" }}` in place of `python`"
            )
        });
        idle.chain(off).chain(missing).chain(unset).chain(plugin).collect()
    }

    fn function_problem(&self, python: &PythonSpec) -> Option<String> {
        if let Some(folder) = python.path.iter().find(|folder| !folder.starts_with(['/', '$', '~'])) {
            return Some(format!(
                "its module is looked for in `{folder}`, relative to where {} is started: write the whole path in `path`",
                self.agent
            ));
        }
        let settings = self.function_settings()?;
        let sayable = settings.is_object() && words::format_json(&settings).is_some();
        (!sayable).then(|| "its `config` is not a table without nulls: write it in other words".to_owned())
    }

    fn shell_problem(&self, shell: &ShellSpec) -> Option<String> {
        let is_set = |name: &str| shell.variables.iter().any(|(set, _)| set == name);
        let unset = self.command_words().iter().flat_map(|word| self.find_placeholders(word, false));
        if let Some(name) = unset.into_iter().find(|name| !is_set(name)) {
            let agent = self.agent;
            return Some(format!(
                "it needs `${{{name}}}`, which {agent} alone sets, and not for every hook: write the path"
            ));
        }
        if shell.cwd.as_deref().is_some_and(Path::is_relative) {
            return Some("its folder is relative, and hookbox's would be another".to_owned());
        }
        let sayable = |name: &str| !name.is_empty() && !name.contains('=');
        if !shell.variables.iter().all(|(name, _)| sayable(name)) {
            return Some("it sets a variable with an invalid name".to_owned());
        }
        match &shell.command {
            ShellCommand::Argv(program)
                if is_relative(program) && !program.iter().take(1).all(|p| sayable(p)) =>
            {
                Some("its program has a `=` in its path".to_owned())
            }
            ShellCommand::Argv(_) | ShellCommand::Line(_) => None,
        }
    }
}
