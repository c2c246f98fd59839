//! The report of `hookbox run --report`: a line of JSON for each event, with all facts about the decision.

use std::{io::Write, path::Path};

use hookbox::{
    HookId, Host,
    model::{Event, Outcome},
};
use hookbox_platform::file::append_private;
use serde_json::{Value, json};

use crate::report;

/// Adds a line to the file. A report that cannot be written is reported, and does not change the answer.
pub(crate) fn append_report(file: &Path, host: &Host, event: &Event, outcome: &Outcome) -> Option<String> {
    let line = format!("{}\n", build_line(host, event, outcome));
    // The report is for its owner alone.
    let written = append_private(file).and_then(|mut file| file.write_all(line.as_bytes()));
    let error = written.err()?;
    Some(format!("the report cannot be written to {}: {error}", file.display()))
}

fn build_line(host: &Host, event: &Event, outcome: &Outcome) -> Value {
    let mut line = report::outcome_json(event, outcome);
    if let Some(members) = line.get_mut("event") {
        for (key, value) in
            [("id", json!(event.id)), ("session", json!(event.session)), ("time_ms", json!(event.time))]
        {
            set_member(members, key, value);
        }
    }
    let hooks = line.get_mut("hooks").and_then(Value::as_array_mut).into_iter().flatten();
    for (members, report) in hooks.zip(&outcome.reports) {
        let mut specs = host.hooks().map(|hook| hook.spec);
        // Hooks of two layers may have one name.
        let spec = specs.find(|spec| spec.origin.layer == report.layer && spec.label() == report.hook);
        set_member(members, "plugin_sha256", json!(report.plugin.as_ref().map(|plugin| &plugin.digest)));
        set_member(members, "hook_sha256", json!(spec.map(|spec| HookId::of_spec(spec).content.to_string())));
    }
    line
}

fn set_member(object: &mut Value, key: &str, value: Value) {
    if let Some(members) = object.as_object_mut() {
        members.insert(key.to_owned(), value);
    }
}
