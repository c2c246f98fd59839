//! hookbox's answers to the events of one agent.

use serde_json::Value;

/// Reports of one agent's events, in order.
pub(super) struct Session {
    agent: String,
    reports: Vec<Value>,
}

impl Session {
    pub(super) fn new(agent: &str) -> Self {
        Self { agent: agent.to_owned(), reports: Vec::new() }
    }

    /// Adds the report of the next event.
    pub(super) fn add_report(&mut self, report: Value) {
        self.reports.push(report);
    }

    /// Prints a line for each event that a hook changed, or for all, and the number of the others.
    pub(super) fn print_events(&self, all: bool) {
        println!("a recorded session of {}, {} events:", self.agent, self.reports.len());
        let mut quiet = 0;
        for report in &self.reports {
            match describe_effect(report) {
                Some(effect) => print_row(report, &effect),
                None if all => print_row(report, "-"),
                None => quiet += 1,
            }
        }
        if quiet > 0 {
            println!("  {quiet} other events pass, and no hook changes them");
        }
    }

    /// Prints one line: the number of events, and the refused ones.
    pub(super) fn print_summary(&self) {
        let refused: Vec<_> = self.reports.iter().filter(|report| is_refused(report)).collect();
        let names: Vec<_> = refused.iter().map(|report| event_name(report)).collect();
        let names = if names.is_empty() {
            "none refused".to_owned()
        } else {
            format!("refused: {}", names.join(", "))
        };
        println!("a recorded session of {}, {} events; {names}", self.agent, self.reports.len());
    }

    /// Prints the bytes that the agent receives for the event that was denied.
    pub(super) fn print_denied_answer(&self) {
        let denied = self.reports.iter().find(|report| text_at(report, "/verdict") == "deny");
        if let Some(report) = denied {
            println!("the answer that {} receives for {}:", self.agent, event_name(report));
            println!("  {}\n", shorten_text(text_at(report, "/stdout").trim(), ANSWER_WIDTH));
        }
    }
}

/// Maximum number of printed characters of a reason and of an answer.
const WIDTH: usize = 90;
const ANSWER_WIDTH: usize = 240;

fn print_row(report: &Value, effect: &str) {
    println!("  {:<28} {}", event_name(report), shorten_text(effect, WIDTH));
}

/// Returns the agent's name for the event, with the tool.
fn event_name(report: &Value) -> String {
    let (event, tool) = (text_at(report, "/event/agent_event"), text_at(report, "/event/tool"));
    if tool.is_empty() { event.to_owned() } else { format!("{event} {tool}") }
}

fn is_refused(report: &Value) -> bool {
    ["deny", "ask"].contains(&text_at(report, "/verdict"))
}

/// Returns the verdict with its reasons, the text that hooks add for the model, and the hooks that failed; `None` if there is nothing to
/// show.
fn describe_effect(report: &Value) -> Option<String> {
    let reasons = list_at(report, "reasons");
    if !reasons.is_empty() {
        let reasons: Vec<_> = reasons
            .iter()
            .map(|reason| format!("{}: {}", text_at(reason, "/hook"), text_at(reason, "/text")))
            .collect();
        return Some(format!("{}  {}", text_at(report, "/verdict").to_uppercase(), reasons.join("; ")));
    }
    let hooks = list_at(report, "hooks");
    let failed = hooks.iter().find(|hook| text_at(hook, "/status") == "failed");
    if let Some(hook) = failed {
        return Some(format!("{} failed: {}", text_at(hook, "/hook"), text_at(hook, "/failure/message")));
    }
    let context = hooks.iter().find(|hook| hook.pointer("/answer/context").is_some_and(Value::is_string))?;
    Some(format!(
        "context for the model from {}: {}",
        text_at(context, "/hook"),
        text_at(context, "/answer/context")
    ))
}

fn list_at<'a>(report: &'a Value, key: &str) -> &'a [Value] {
    report.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text_at<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or("")
}

fn shorten_text(text: &str, width: usize) -> String {
    let line = text.replace('\n', " ");
    if line.chars().count() <= width { line } else { line.chars().take(width).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_verdict_is_shown_with_its_reason_and_nothing_without_one() {
        let denied =
            json!({ "verdict": "deny", "reasons": [{ "hook": "guard", "text": "no" }], "hooks": [] });
        assert_eq!(describe_effect(&denied).unwrap(), "DENY  guard: no");
        assert_eq!(describe_effect(&json!({ "verdict": "none", "reasons": [], "hooks": [] })), None);
        let failed =
            json!({ "hooks": [{ "hook": "a", "status": "failed", "failure": { "message": "trap" } }] });
        assert_eq!(describe_effect(&failed).unwrap(), "a failed: trap");
    }

    #[test]
    fn a_long_text_is_one_line_with_an_end_mark() {
        assert_eq!(shorten_text("a\nb", 3), "a b");
        assert_eq!(shorten_text("äbcd", 3), "äbc…");
    }
}
