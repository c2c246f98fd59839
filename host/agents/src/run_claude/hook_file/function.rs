//! One entry of hooks.yaml: a Python function, or the plugin that replaces one of run-claude's built-in functions.

use std::time::Duration;

use hookbox_core::{
    Condition, HookSpec, Target, Tools,
    hook::{PythonSpec, WasmSpec},
};
use hookbox_model::{Event, Json, Limit};
use serde_json::{Value, json};

use super::super::{contract::RunClaudeContract, events::RunClaudeEvent};
use crate::agent_hook_file::{Entry, Reader};

const BUILT_IN: &str = "run_claude.hooks.builtin";

/// Built-in hooks, and the plugins that replace them.
const PLUGINS: [(&str, &str); 3] = [
    ("log_request", "log-request"),
    ("log_response", "log-response"),
    ("strip_provider_fields", "strip-provider-fields"),
];

/// Returns the built-in function that this hook calls a plugin for.
pub(super) fn find_replaced(hook: &HookSpec) -> Option<PythonSpec> {
    let called = hook.wasm().filter(|wasm| wasm.is_shipped)?.path.file_stem()?;
    let (function, _) = PLUGINS.iter().find(|(_, plugin)| *called == **plugin)?;
    Some(PythonSpec::new(BUILT_IN, function))
}

pub(super) struct Function<'v> {
    name: &'v str,
    module: &'v str,
    callable: &'v str,
    /// A component in the place of module and function: a member of hookbox's own.
    wasm: Option<&'v str>,
    config: &'v Value,
    /// Milliseconds.
    timeout: u64,
    off: bool,
}

pub(super) struct File {
    /// Folders of modules.
    pub(super) paths: Vec<String>,
    /// The hooks that are on, as run-claude lists them: `pre_request:name`.
    pub(super) listed: Vec<String>,
}

pub(super) const KEYS: [&str; 7] = ["name", "module", "function", "wasm", "enabled", "config", "timeout"];

impl<'v> Function<'v> {
    /// Reads an entry. `None` if it is switched off and names no function.
    pub(super) fn from_entry(entry: &'v Value) -> Result<Option<Self>, String> {
        let entry = entry.as_object().ok_or("is not a mapping")?;
        let off = match entry.get("enabled") {
            None | Some(Value::Bool(true)) => false,
            // For Python `null` is false.
            Some(Value::Bool(false) | Value::Null) => true,
            Some(_) => return Err("has an `enabled` that is neither true nor false".to_owned()),
        };
        let text = |key: &str| match entry.get(key).and_then(Value::as_str) {
            Some(text) if !text.is_empty() => Ok(text),
            _ => Err(format!("has no `{key}`")),
        };
        let wasm = entry.get("wasm").and_then(Value::as_str);
        let of_function = |key: &str| if wasm.is_some() { Ok("") } else { text(key) };
        let (name, module, callable) = match (text("name"), of_function("module"), of_function("function")) {
            (Ok(name), Ok(module), Ok(callable)) => (name, module, callable),
            // An entry that is off is not imported by run-claude, so its mistakes do not count.
            _ if off => return Ok(None),
            (name, module, callable) => (name?, module?, callable?),
        };
        let config = entry.get("config").unwrap_or(&Value::Null);
        Ok(Some(Self {
            name,
            module,
            callable,
            wasm,
            config,
            timeout: read_timeout(entry.get("timeout"))?,
            off,
        }))
    }

    /// Returns the name of the function in run-claude's list, if the function is on.
    pub(super) fn active_name(&self, row: &RunClaudeEvent) -> Option<String> {
        (!self.off).then(|| format!("{}:{}", row.name, self.name))
    }

    pub(super) fn add_hook(&self, place: &str, row: &RunClaudeEvent, file: &File, reader: &mut Reader<'_>) {
        if let Some(name) = self.wasm {
            match reader.find_component(name) {
                Ok(component) => {
                    let entry = self.build_entry(row, Target::Wasm(component));
                    reader.add_configured(place, entry, self.plugin_config());
                    if self.off {
                        reader.mark_disabled();
                    }
                }
                Err(problem) => {
                    reader.report_warning(&format!("`{place}` ({}) {problem}; it is left out", self.name));
                }
            }
            return;
        }
        let (target, config) = match self.plugin().map(|plugin| reader.find_plugin(plugin)) {
            Some(Some(plugin)) => (Target::Wasm(WasmSpec::from_shipped(plugin)), self.plugin_config()),
            // Without a warning: the function is not called.
            Some(None) if self.off => self.build_target(file),
            Some(None) => {
                reader.report_warning(&format!(
                    "`{place}` ({}) calls run-claude's own Python function, which needs that package: this hookbox was \
                     built without the plugin that does the same",
                    self.name
                ));
                self.build_target(file)
            }
            None => self.build_target(file),
        };
        reader.add_configured(place, self.build_entry(row, target), config);
        if self.off {
            reader.mark_disabled();
        }
    }

    fn plugin(&self) -> Option<&'static str> {
        let (_, plugin) = PLUGINS.iter().find(|(function, _)| *function == self.callable)?;
        (self.module == BUILT_IN).then_some(plugin)
    }

    fn plugin_config(&self) -> Json {
        if self.config.is_object() { Json::from_value(self.config) } else { Json::empty_object() }
    }

    fn build_target(&self, file: &File) -> (Target, Json) {
        let spec = PythonSpec { path: file.paths.clone(), ..PythonSpec::new(self.module, self.callable) };
        (Target::Python(spec), Json::from_value(&json!({"config": self.config, "hooks": file.listed})))
    }

    fn build_entry(&self, row: &RunClaudeEvent, target: Target) -> Entry {
        let event = (row.name, row.canonical.clone());
        Entry {
            name: Some(self.name.to_owned()),
            condition: Some(Condition::new("a context without stop_chain", goes_on).with_tools(Tools::Any)),
            ..Entry::new(event, target, &RunClaudeContract, self.timeout)
        }
    }
}

/// Seconds in the file, milliseconds here. Defaults to the time of the event, as in run-claude.
fn read_timeout(value: Option<&Value>) -> Result<u64, String> {
    let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(Limit::Timeout.max()) };
    let seconds = value.as_f64().filter(|seconds| *seconds > 0.0);
    let timeout = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let timeout = timeout.ok_or("has a `timeout` that is not a number of seconds, more than 0")?;
    Ok(u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX))
}

/// Returns false for a context whose chain was stopped before: it is passed on unchanged.
pub(super) fn goes_on(event: &Event) -> bool {
    let members = event.source.members().unwrap_or_default();
    members.get("stop_chain").is_none_or(|flag| flag.get() != "true")
}
