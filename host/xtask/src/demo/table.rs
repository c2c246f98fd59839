//! What became of each event, a line each, and what each kind of hook cost.

use std::collections::BTreeMap;

use serde_json::Value;

#[derive(Default)]
pub(super) struct Table {
    rows: usize,
    /// Microseconds of each call, by kind of handler.
    costs: BTreeMap<String, Vec<u64>>,
}

impl Table {
    /// Prints an event's line and keeps what its hooks cost.
    pub(super) fn row(&mut self, report: &Value) {
        if self.rows == 0 {
            print("AGENT", "EVENT", "TOOL", "VERDICT", "BY", "MS", "WHY");
        }
        self.rows += 1;
        let hooks = list(report, "hooks");
        for hook in &hooks {
            let used = hook.pointer("/used/wall_us").and_then(Value::as_u64);
            if let (Some(used), "answered") = (used, text(hook, "/status")) {
                self.costs.entry(text(hook, "/handler").to_owned()).or_default().push(used);
            }
        }
        let reasons = list(report, "reasons");
        let join =
            |field: &str| reasons.iter().map(|reason| text(reason, field)).collect::<Vec<_>>().join(", ");
        let by = if reasons.is_empty() { context(&hooks) } else { join("/hook") };
        let why = if reasons.is_empty() {
            failures(&hooks)
        } else {
            format!("{} ({})", join("/text"), join("/code"))
        };
        let wall = report.get("wall_us").and_then(Value::as_u64).unwrap_or_default();
        print(
            text(report, "/event/agent"),
            text(report, "/event/agent_event"),
            text(report, "/event/tool"),
            text(report, "/verdict"),
            &by,
            &milliseconds(wall),
            &why,
        );
    }

    /// Prints the costs.
    pub(super) fn summary(&self, received: usize) {
        println!("\n{} events. What one call cost, each in a process of its own (median):", self.rows);
        for (kind, costs) in &self.costs {
            let mut costs = costs.clone();
            costs.sort_unstable();
            let median = costs.get(costs.len() / 2).copied().unwrap_or_default();
            println!("  {kind:8} {:>8} ms  ({} calls)", milliseconds(median), costs.len());
        }
        println!("  (the wasm calls include loading the plugin; within one process they take microseconds:");
        println!("   see docs/benchmarks.md. The webhook's server received {received} requests.)");
    }
}

fn print(agent: &str, event: &str, tool: &str, verdict: &str, by: &str, ms: &str, why: &str) {
    println!("{agent:<12} {event:<39} {tool:<18} {verdict:<8} {by:<22} {ms:>7}  {why}");
}

fn list(report: &Value, key: &str) -> Vec<Value> {
    report.get(key).and_then(Value::as_array).cloned().unwrap_or_default()
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or("")
}

/// Who added text for the model, where nobody had a verdict.
fn context(hooks: &[Value]) -> String {
    let gave = |hook: &&Value| hook.pointer("/answer/context").is_some_and(Value::is_string);
    let names: Vec<_> =
        hooks.iter().filter(gave).map(|hook| format!("{} (context)", text(hook, "/hook"))).collect();
    names.join(", ")
}

fn failures(hooks: &[Value]) -> String {
    let failed = hooks.iter().filter(|hook| text(hook, "/status") == "failed");
    failed
        .map(|hook| format!("{} failed: {}", text(hook, "/hook"), text(hook, "/failure/code")))
        .collect::<Vec<_>>()
        .join(", ")
}

#[expect(clippy::cast_precision_loss, reason = "a time for people")]
fn milliseconds(micros: u64) -> String {
    format!("{:.2}", micros as f64 / 1e3)
}
