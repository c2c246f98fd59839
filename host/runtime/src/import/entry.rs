//! Converts one hook of an agent's file to a `[[hook]]`.

use std::path::Path;

use hookbox_model::{EventName, Json, Limit, OnFailure, Role};
use serde_json::Value;

use super::words;
use crate::{
    HookSpec, Target, Tools, WrittenAt,
    dialect::{self, Dialect, OwnHooks, settings},
    hook::{PythonSpec, ShellCommand, ShellSpec, WasmSpec, WebhookMethod, WebhookSpec},
    port::Contract,
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

/// A key and its value in TOML.
type Member = (String, String);

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
        let replaced = agent.own_hooks().and_then(|own| own.replaced_function(&spec));
        let plugin = replaced.map(|function| {
            let plugin = spec.wasm().and_then(|wasm| wasm.path.file_stem()).unwrap_or_default();
            let plugin = plugin.to_string_lossy().into_owned();
            spec.config = Json::from_members([("config", spec.config.as_str())]);
            spec.target = Target::Python(function);
            plugin
        });
        let is_function = matches!(spec.target, Target::Python(_));
        let contract_of =
            |own: &dyn OwnHooks| if is_function { own.function_contract() } else { own.contract() };
        let speaks = contract.is_spoken() && agent.own_hooks().and_then(contract_of).is_some();
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

    /// Returns its place in the file.
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

    /// Returns the reason for not converting it, if that is evident without reading it as configuration.
    pub(super) fn problem(&self) -> Option<String> {
        let agent = self.agent;
        match (&self.spec.target, &self.spec.condition) {
            _ if self.at.unreadable.is_some() => self.at.unreadable.clone(),
            (Target::Wasm(_), _) => Some(format!(
                "it is a component, which has no `speaks` and would run for other agents than {agent} too"
            )),
            _ if !self.speaks => Some(format!(
                "it is called as {agent}'s own file says, and in no other way: `hookbox run --agent {agent} --source`"
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
    pub(super) fn notes(&self) -> Vec<String> {
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
            UNSET.iter().filter(|(name, _)| words.iter().any(|word| dialect::uses_variable(word, name)));
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

    /// Returns the entry; `None` if its target cannot be expressed.
    pub(super) fn text(&self) -> Option<String> {
        let handler = self.handler()?;
        let mut members = vec![
            ("name".to_owned(), words::format_text(&self.name)),
            ("on".to_owned(), words::one_or_more(&self.on())),
        ];
        if self.spec.role == Role::Observe {
            members.push(("role".to_owned(), words::format_text("observe")));
        }
        members.extend(self.tool());
        members.push((
            "timeout".to_owned(),
            words::format_text(&format_duration(self.spec.limits.get(Limit::Timeout))),
        ));
        // An observer decides nothing, so its failure has no effect either.
        if self.spec.role != Role::Observe && self.events.iter().any(|(_, event)| event.traits().block) {
            let policy = self.spec.on_failure.map(|policy| words::format_text(policy.as_str()));
            members.extend(policy.map(|policy| ("on-failure".to_owned(), policy)));
        }
        if self.spec.once {
            members.push(("once".to_owned(), "true".to_owned()));
        }
        if self.switch == Switch::Off {
            members.push(("enabled".to_owned(), "false".to_owned()));
        }
        members.extend(self.settings());
        members.push(handler);
        let lines: Vec<_> = members.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        Some(format!("[[hook]]\n{}", lines.concat()))
    }

    /// Returns the event names, each once: one event of the agent may be two canonical ones.
    fn on(&self) -> Vec<String> {
        let mut events: Vec<_> =
            self.events.iter().map(|(event, _)| format!("{}:{event}", self.agent)).collect();
        events.dedup();
        events
    }

    fn tools(&self) -> Option<&Tools> {
        match &self.spec.condition {
            None => Some(&Tools::Any),
            Some(when) => when.tools(),
        }
    }

    fn tool(&self) -> Option<Member> {
        let matcher = match self.tools()? {
            Tools::Any => return None,
            Tools::Names(names) => {
                let names: Vec<_> = names.iter().filter(|name| !name.is_empty()).cloned().collect();
                ("name", words::one_or_more(&names))
            }
            Tools::Glob(glob) => ("glob", words::format_text(glob)),
            Tools::Regex(regex) => ("regex", words::format_text(regex)),
        };
        Some(("tool".to_owned(), words::format_table(&[(matcher.0.to_owned(), matcher.1)])))
    }

    fn handler(&self) -> Option<Member> {
        if let Target::Wasm(WasmSpec { path, sha256: Some(_), .. }) = &self.spec.target {
            let plugin = words::format_text(&path.file_stem()?.to_string_lossy());
            return Some(("wasm".to_owned(), words::format_table(&[("plugin".to_owned(), plugin)])));
        }
        if !self.speaks {
            return None;
        }
        let (key, mut members) = match &self.spec.target {
            Target::Shell(shell) => ("shell", self.format_shell(shell)),
            Target::Webhook(webhook) => ("webhook", format_request(webhook)),
            Target::Python(python) => ("python", format_function(python)),
            // No agent's own file has another kind.
            _ => return None,
        };
        members.push(("speaks".to_owned(), words::format_text(self.agent)));
        Some((key.to_owned(), words::format_table(&members)))
    }

    fn format_shell(&self, shell: &ShellSpec) -> Vec<Member> {
        let line = |line: &str| format!("{}{line}", self.contract.stdin_redirect());
        let variables: Vec<_> =
            shell.variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let command = match &shell.command {
            ShellCommand::Line(command) if variables.is_empty() => {
                ("command".to_owned(), words::format_text(&line(command)))
            }
            // The configuration has no key for a variable with its value, so `env` sets the variables.
            ShellCommand::Line(command) => format_argv(
                variables,
                &[self.contract.shell().into(), "-c".into(), self.left_to_the_shell(&line(command))],
            ),
            ShellCommand::Argv(program) if is_relative(program) => format_argv(variables, program),
            ShellCommand::Argv(program) if variables.is_empty() => {
                ("argv".to_owned(), words::format_list(program.iter().map(String::as_str)))
            }
            ShellCommand::Argv(program) => format_argv(variables, program),
        };
        let folder =
            shell.cwd.as_ref().map(|cwd| ("cwd".to_owned(), words::format_text(&cwd.to_string_lossy())));
        std::iter::once(command).chain(folder).collect()
    }

    /// Returns the line with the placeholders that hookbox would expand in arguments rewritten for the shell.
    fn left_to_the_shell(&self, line: &str) -> String {
        let known = self.contract.placeholders();
        known.iter().fold(line.to_owned(), |line, known| {
            // hookbox expands the exact form `${NAME}` only; for a shell both forms mean the same.
            line.replace(&format!("${{{}}}", known.name), &format!("${{{}:-}}", known.name))
        })
    }

    /// Returns the settings of its entry, if it is a function that has some.
    fn settings(&self) -> Option<Member> {
        Some(("config".to_owned(), words::format_json(&self.function_settings()?)?))
    }

    fn function_settings(&self) -> Option<Value> {
        let is_function = matches!(self.spec.target, Target::Python(_));
        let settings = self.spec.config.to_value().get("config")?.clone();
        let is_empty = settings.is_null() || settings.as_object().is_some_and(serde_json::Map::is_empty);
        Some(settings).filter(|_| is_function && !is_empty)
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
            return Some("it sets a variable whose name cannot be said".to_owned());
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

fn runs_hookbox(agent: &str, target: &Target) -> bool {
    let Target::Shell(shell) = target else { return false };
    match &shell.command {
        ShellCommand::Line(line) => settings::runs_hookbox(line, agent, None),
        ShellCommand::Argv(words) => words
            .split_first()
            .is_some_and(|(program, words)| settings::runs_hookbox(program, agent, Some(words))),
    }
}

/// Returns the arguments with `env` in front of the program: it sets variables, and finds a relative program from the
/// folder in which the hook runs.
fn format_argv(variables: Vec<String>, program: &[String]) -> Member {
    let words = std::iter::once("env".to_owned()).chain(variables).chain(program.iter().cloned());
    ("argv".to_owned(), words::format_list(words.collect::<Vec<_>>().iter().map(String::as_str)))
}

/// Returns true if hookbox would resolve the program relative to the configuration file.
fn is_relative(program: &[String]) -> bool {
    program.first().is_some_and(|program| program.contains('/') && !program.starts_with('/'))
}

fn format_function(python: &PythonSpec) -> Vec<Member> {
    let text = |text: &str| words::format_text(text);
    let mut members =
        vec![("module".to_owned(), text(&python.module)), ("function".to_owned(), text(&python.function))];
    if !python.path.is_empty() {
        members.push(("path".to_owned(), words::one_or_more(&python.path)));
    }
    members
}

fn format_request(webhook: &WebhookSpec) -> Vec<Member> {
    let WebhookSpec { url, method, headers, env, sign: _ } = webhook;
    let mut members = vec![("url".to_owned(), words::format_text(url))];
    if *method == WebhookMethod::Put {
        members.push(("method".to_owned(), words::format_text("PUT")));
    }
    if !headers.is_empty() {
        let headers: Vec<_> = headers
            .iter()
            .map(|(name, value)| (words::format_text(name), words::format_text(value)))
            .collect();
        members.push(("headers".to_owned(), words::format_table(&headers)));
    }
    if !env.is_empty() {
        members.push(("env".to_owned(), words::format_list(env.iter().map(String::as_str))));
    }
    members
}

/// Formats milliseconds with their unit.
fn format_duration(milliseconds: u64) -> String {
    match milliseconds % 1000 {
        0 => format!("{}s", milliseconds / 1000),
        _ => format!("{milliseconds}ms"),
    }
}
