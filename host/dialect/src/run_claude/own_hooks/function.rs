//! One entry of hooks.yaml: a Python function, or the plugin that stands for one of run-claude's own.

use hookbox_model::{Event, Json, Limit, Limits};
use hookbox_port::{
    Condition, Target,
    hook::{PythonSpec, WasmSpec},
};
use serde_json::{Value, json};

use super::super::{contract::RunClaudeContract, events::RunClaudeEvent};
use crate::own_hooks::{Entry, Reader};

/// Where run-claude has its own hooks.
const BUILT_IN: &str = "run_claude.hooks.builtin";

/// They, and the plugins that do the same.
const PLUGINS: [(&str, &str); 3] = [
    ("log_request", "log-request"),
    ("log_response", "log-response"),
    ("strip_provider_fields", "strip-provider-fields"),
];

/// A function as its entry names it.
pub(super) struct Function<'v> {
    name: &'v str,
    module: &'v str,
    callable: &'v str,
    config: &'v Value,
    off: bool,
}

/// Members of an entry.
pub(super) const KEYS: [&str; 5] = ["name", "module", "function", "enabled", "config"];

impl<'v> Function<'v> {
    /// `None` if it is switched off and says nothing that could be called.
    pub(super) fn read(entry: &'v Value) -> Result<Option<Self>, String> {
        let entry = entry.as_object().ok_or("is not a mapping")?;
        let off = match entry.get("enabled") {
            None | Some(Value::Bool(true)) => false,
            Some(Value::Bool(false) | Value::Null) => true,
            Some(_) => return Err("has an `enabled` that is neither true nor false".to_owned()),
        };
        let text = |key: &str| match entry.get(key).and_then(Value::as_str) {
            Some(text) if !text.is_empty() => Ok(text),
            _ => Err(format!("has no `{key}`")),
        };
        let (name, module, callable) = match (text("name"), text("module"), text("function")) {
            (Ok(name), Ok(module), Ok(callable)) => (name, module, callable),
            _ if off => return Ok(None),
            (name, module, callable) => (name?, module?, callable?),
        };
        let config = entry.get("config").unwrap_or(&Value::Null);
        Ok(Some(Self { name, module, callable, config, off }))
    }

    pub(super) fn add(&self, place: &str, row: &RunClaudeEvent, paths: &[String], reader: &mut Reader<'_>) {
        let (target, config) = match self.plugin().map(|plugin| reader.plugin(plugin)) {
            Some(Some(plugin)) => (Target::Wasm(WasmSpec::shipped(plugin)), self.plugin_config()),
            Some(None) if self.off => self.python(paths),
            Some(None) => {
                reader.warning(&format!(
                    "`{place}` ({}) calls run-claude's own Python function, which needs that package: this hookbox was \
                     built without the plugin that does the same",
                    self.name
                ));
                self.python(paths)
            }
            None => self.python(paths),
        };
        reader.add_configured(place, self.entry(row, target), config);
        if self.off {
            reader.switched_off();
        }
    }

    /// The plugin that does the same.
    fn plugin(&self) -> Option<&'static str> {
        let (_, plugin) = PLUGINS.iter().find(|(function, _)| *function == self.callable)?;
        (self.module == BUILT_IN).then_some(plugin)
    }

    fn plugin_config(&self) -> Json {
        if self.config.is_object() { Json::from_value(self.config) } else { Json::empty_object() }
    }

    fn python(&self, paths: &[String]) -> (Target, Json) {
        let spec = PythonSpec { path: paths.to_vec(), ..PythonSpec::new(self.module, self.callable) };
        (Target::Python(spec), Json::from_value(&json!({"config": self.config})))
    }

    fn entry(&self, row: &RunClaudeEvent, target: Target) -> Entry {
        let event = (row.name, row.canonical.clone());
        Entry {
            name: Some(self.name.to_owned()),
            condition: Some(Condition::new("a context without stop_chain", goes_on)),
            ..Entry::new(event, target, &RunClaudeContract, Limits::default().get(Limit::Timeout))
        }
    }
}

/// A context whose chain was stopped before is handed on as it is.
fn goes_on(event: &Event) -> bool {
    let members = event.source.members().unwrap_or_default();
    members.get("stop_chain").is_none_or(|flag| flag.get() != "true")
}
