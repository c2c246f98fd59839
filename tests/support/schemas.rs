//! Answers that agents accept, as hookbox's own JSON Schemas: `tests/conformance/schemas/<agent>/<event>.json`.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock},
};

use hookbox::agents::{self, Dialect};
use hookbox::model::EventName;
use jsonschema::Validator;
use serde_json::Value;

/// The agents whose answers are checked.
pub(crate) const AGENTS: [&str; 4] = ["claude-code", "codex", "copilot", "gemini-cli"];

/// Returns the reason why this agent rejects `stdout` at this event; `None` if it is accepted, or if no schema exists for the agent or
/// event.
pub(crate) fn find_problem(agent: &str, event: &EventName, stdout: &str) -> Option<String> {
    let dialect = AGENTS.contains(&agent).then(|| agents::find_dialect(agent)).flatten()?;
    let name = agent_event(dialect, event)?;
    if *event == EventName::WorktreeCreate {
        return stdout.starts_with('{').then(|| "an object would be taken for a path".to_owned());
    }
    let documents: Vec<&str> =
        if agent == "copilot" { stdout.lines().collect() } else { Vec::from([stdout.trim()]) };
    let (progress, answers): (Vec<_>, Vec<_>) =
        documents.into_iter().filter(|text| text.starts_with('{')).partition(|text| is_progress(text));
    if answers.len() > 1 {
        return Some(format!("there are {} answers", answers.len()));
    }
    let mut wrong =
        progress.iter().map(|text| (text, "progress")).chain(answers.iter().map(|text| (text, name)));
    wrong.find_map(|(text, schema)| find_violation(agent, schema, text))
}

/// Returns the agent's first name for the event, which is the name of its schema.
fn agent_event(dialect: &dyn Dialect, event: &EventName) -> Option<&'static str> {
    dialect.events().into_iter().find(|(_, canonical)| canonical == event).map(|(name, _)| name)
}

fn is_progress(text: &str) -> bool {
    text.starts_with(r#"{"type":"progress""#)
}

static SCHEMAS: OnceLock<Mutex<HashMap<PathBuf, Validator>>> = OnceLock::new();

fn find_violation(agent: &str, schema: &str, text: &str) -> Option<String> {
    let Ok(answer) = serde_json::from_str::<Value>(text) else { return Some(format!("{text} is not JSON")) };
    let mut schemas = SCHEMAS.get_or_init(Mutex::default).lock().unwrap();
    let path = schemas_folder().join(agent).join(format!("{schema}.json"));
    let validator = schemas.entry(path.clone()).or_insert_with(|| {
        let text = std::fs::read_to_string(&path).unwrap();
        jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
    });
    let errors: Vec<_> = validator.iter_errors(&answer).map(|error| error.to_string()).collect();
    (!errors.is_empty()).then(|| format!("{agent}/{schema}.json: {text}: {}", errors.join("; ")))
}

/// Returns the folder, from the root of the package, or of the workspace.
fn schemas_folder() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = "tests/conformance/schemas";
    if package.join(folder).is_dir() { package.join(folder) } else { package.join("../..").join(folder) }
}
