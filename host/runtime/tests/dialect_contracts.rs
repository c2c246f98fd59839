//! Input and output of each dialect, against the recorded events of real agents and the contracts.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails like a test")]

mod claude_code;
mod cocode;
mod code_forge;
mod codex;
mod gemini_answers;
mod gemini_cli;
mod gemini_model;
mod gemini_model_properties;
mod litellm;
mod llxprt;
mod llxprt_bus;
mod llxprt_validators;
mod native;
mod properties;
mod reading;
mod recorded;
mod run_claude;
mod samples;
#[path = "../../../tests/support/schemas.rs"]
mod schemas;
mod support;
mod tables;

use hookbox::{
    Clock,
    agents::{
        self, Dialect, InvalidEvent, ReadContext, Written,
        native::{Native, event_json},
    },
    interfaces::Call,
};
use hookbox_model::{Event, Json, Labelled, Limits, Outcome, RawObject, Reason, Verdict};

fn make_arrival() -> ReadContext {
    ReadContext { id: "e1".into(), time: 1_700_000_000_000, cwd: "/arrived".into() }
}

fn read_event(dialect: &dyn Dialect, text: &str) -> Result<Event, InvalidEvent> {
    dialect.read(Json::parse_object(text)?, &make_arrival())
}

/// Returns the agent that certainly sent this input.
fn detect_agent(text: &str) -> Option<&'static str> {
    let source = RawObject::parse(text).unwrap();
    agents::detect_dialect(&source).dialect().map(Dialect::name)
}

/// Returns the event as hooks read it, which must satisfy the schema of its canonical name.
fn native_event(event: &Event) -> Event {
    let (config, limits) = (Json::empty_object(), Limits::default());
    let call = Call {
        hook: "h",
        event,
        original: None,
        outcome: None,
        config: &config,
        limits: &limits,
        clock: Clock::machine(),
        facts: None,
    };
    read_event(&Native, &event_json(&call)).unwrap()
}

fn parse_json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn label_value<T>(hook: &str, value: T) -> Labelled<T> {
    Labelled { hook: hook.to_owned(), value }
}

/// Returns an outcome with one hook's verdict.
fn outcome_with_verdict(verdict: fn(Reason) -> Verdict) -> Outcome {
    let reason = Reason::new("rm-root", "this erases the disk");
    Outcome {
        verdict: verdict(reason.clone()),
        reasons: vec![label_value("guard-shell", reason)],
        ..Outcome::default()
    }
}

fn outcome_with_rewrite(part: &str) -> Outcome {
    Outcome { rewrite: Some(parse_json(part)), ..Outcome::default() }
}

fn outcome_with_extra(fields: &str) -> Outcome {
    Outcome { extras: vec![label_value("extras", parse_json(fields))], ..Outcome::default() }
}

/// Returns an outcome with context, notice and stop.
fn outcome_with_texts() -> Outcome {
    Outcome {
        contexts: vec![label_value("house-rules", "Be kind.".to_owned())],
        notices: vec![label_value("watcher", "I saw it.".to_owned())],
        stop: Some(label_value("budget", "Enough.".to_owned())),
        ..Outcome::default()
    }
}

/// Returns an answer on one line: exit code, stdout, stderr, lost parts.
fn format_answer(written: &Written) -> String {
    let stderr = match written.stderr.trim_end() {
        "" => String::new(),
        text => format!(" | {text}"),
    };
    let lost: Vec<_> = written.unexpressed.iter().map(|part| part.as_str()).collect();
    let lost = match lost.join(" ").as_str() {
        "" => String::new(),
        parts => format!(" | lost {parts}"),
    };
    format!("{} {}{stderr}{lost}", written.exit, written.stdout.trim_end())
}

/// Returns true if this answer blocks the event.
fn blocks_event(written: &Written) -> bool {
    let output = serde_json::from_str::<serde_json::Value>(&written.stdout).unwrap_or_default();
    let is = |place: &str, word: &str| output.pointer(place).is_some_and(|found| found == word);
    written.exit == 2
        || is("/decision", "block")
        || is("/decision", "deny")
        || is("/hookSpecificOutput/permissionDecision", "deny")
        || is("/hookSpecificOutput/decision/behavior", "deny")
        || is("/hookSpecificOutput/action", "decline")
}
