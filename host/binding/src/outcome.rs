//! Outcomes for programs in other languages: the members of a record, with JSON of hooks unchanged.

use hookbox::model::{Outcome, Record};
use serde_json::Value;

pub(crate) fn format_outcome(outcome: &Outcome) -> String {
    let mut record: Value = serde_json::from_str(&outcome.to_record()).unwrap_or_default();
    let mut members = record.get_mut(Outcome::MEMBER).map(Value::take).unwrap_or_default();
    stand(members.get_mut("rewrite"));
    for extra in list(members.get_mut("extras")) {
        stand(extra.get_mut("value"));
    }
    for report in list(members.get_mut("reports")) {
        answer(report.pointer_mut("/status/answered"));
        answer(report.get_mut("raw"));
        answer(report.pointer_mut("/unreviewed/status/answered"));
    }
    members.to_string()
}

fn answer(answer: Option<&mut Value>) {
    let Some(answer) = answer else { return };
    stand(answer.get_mut("extra"));
    for way in ["replace", "merge"] {
        stand(answer.get_mut("rewrite").and_then(|rewrite| rewrite.get_mut(way)));
    }
}

fn list(value: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    value.and_then(Value::as_array_mut).into_iter().flatten()
}

/// Restores JSON that a record holds as a string, because the JSON could not be in the record's line.
fn stand(json: Option<&mut Value>) {
    if let Some(json) = json
        && let Value::String(text) = json
        && let Ok(value) = serde_json::from_str(text)
    {
        *json = value;
    }
}
