//! The model's response, in one or more candidates.

use hookbox_model::Json;
use serde_json::{Map, Value, json};

use super::{
    NotTranslatable, ensure_child, object_at, parse_changes, parts, put_back, select_members, text_at,
    to_members, to_sdk_json,
};

/// Finish reasons in the stable format; another is `OTHER`.
const REASONS: [&str; 5] = ["STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER"];
const USAGE: [&str; 3] = ["promptTokenCount", "candidatesTokenCount", "totalTokenCount"];
const RATING: [&str; 3] = ["category", "probability", "blocked"];

/// Converts the SDK's response (`GenerateContentResponse`) to the stable format.
pub fn stable_response(sdk: &Json) -> Json {
    Json::from_value(&Value::Object(to_stable(&to_members(sdk))))
}

fn to_stable(sdk: &Map<String, Value>) -> Map<String, Value> {
    let candidates: Vec<_> = list_candidates(sdk).iter().map(stable_candidate).collect();
    let mut stable = Map::new();
    if let Some(text) = candidates.first().map(collect_text).filter(|text| !text.is_empty()) {
        stable.insert("text".to_owned(), text.into());
    }
    stable.insert("candidates".to_owned(), json!(candidates));
    if let Some(usage) = sdk.get("usageMetadata").and_then(Value::as_object) {
        stable.insert("usageMetadata".to_owned(), select_members(usage, &USAGE).into());
    }
    stable
}

fn stable_candidate(sdk: &Value) -> Value {
    let mut candidate = Map::new();
    candidate
        .insert("content".to_owned(), json!({ "role": "model", "parts": parts::get_texts(sdk_parts(sdk)) }));
    if let Some(reason) = sdk.get("finishReason").and_then(Value::as_str) {
        // The SDK has more reasons than the stable format, and may get new ones.
        let known = if REASONS.contains(&reason) { reason } else { "OTHER" };
        candidate.insert("finishReason".to_owned(), known.into());
    }
    if let Some(index) = sdk.get("index").filter(|index| index.is_number()) {
        candidate.insert("index".to_owned(), index.clone());
    }
    if let Some(ratings) = sdk.get("safetyRatings").and_then(Value::as_array) {
        let ratings: Vec<_> =
            ratings.iter().filter_map(Value::as_object).map(|r| select_members(r, &RATING)).collect();
        candidate.insert("safetyRatings".to_owned(), json!(ratings));
    }
    Value::Object(candidate)
}

/// Applies a hook's changes in the stable format to the SDK's response; `sdk` is `{}` for an answer in the model's place. Members that
/// the hook left out stay as they are; candidates that it left out at the end are removed.
///
/// The texts of a candidate replace its text parts, in order; further ones come last. If a hook changed `text` and not the candidates, it
/// is the text of the first of them.
///
/// # Errors
///
/// A member does not have the type that the stable format requires.
pub fn apply_response(sdk: &Json, stable_response: &Json) -> Result<Json, NotTranslatable> {
    let mut now = to_members(sdk);
    let before = to_stable(&now);
    let mut after = parse_changes(stable_response, "llm_response")?;
    after.retain(|member, value| before.get(member) != Some(value));
    if let Some(after) = after.get("candidates") {
        put_candidates(&mut now, after)?;
    // Candidates win over `text`, which only repeats the first of them.
    } else if let Some(text) = text_at(&after, "text")? {
        put_text(&mut now, text);
    }
    // Some versions of the SDK repeat the text of the first candidate.
    if now.contains_key("text") && (after.contains_key("candidates") || after.contains_key("text")) {
        let text = list_candidates(&now).first().map(|first| parts::get_texts(sdk_parts(first)).concat());
        now.insert("text".to_owned(), text.into());
    }
    if let Some(usage) = object_at(&after, "usageMetadata")?
        && let Some(all) = ensure_child(&mut now, "usageMetadata")
    {
        put_back(all, usage, &USAGE);
    }
    Ok(to_sdk_json(sdk, now))
}

fn list_candidates(sdk: &Map<String, Value>) -> &[Value] {
    sdk.get("candidates").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn sdk_parts(candidate: &Value) -> &[Value] {
    candidate.pointer("/content/parts").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns all texts of a candidate of the stable format.
fn collect_text(candidate: &Value) -> String {
    let parts = candidate.pointer("/content/parts").and_then(Value::as_array);
    parts.into_iter().flatten().filter_map(Value::as_str).collect()
}

fn put_candidates(sdk: &mut Map<String, Value>, after: &Value) -> Result<(), NotTranslatable> {
    let wrong = || NotTranslatable::new("candidates", "it must be an array");
    let mut old = list_candidates(sdk).to_vec().into_iter();
    let mut new = Vec::new();
    for (at, after) in after.as_array().ok_or_else(wrong)?.iter().enumerate() {
        new.push(apply_candidate(old.next(), after, &format!("candidates[{at}]"))?);
    }
    sdk.insert("candidates".to_owned(), new.into());
    Ok(())
}

/// Applies the hook's candidate to this one, or to a new one; `place` is its path in the hook's value.
fn apply_candidate(sdk: Option<Value>, after: &Value, place: &str) -> Result<Value, NotTranslatable> {
    let wrong = |member: &str, problem| NotTranslatable::new(format!("{place}{member}"), problem);
    // A hook may add candidates, or answer in the model's place.
    let mut now = sdk.unwrap_or_else(|| json!({ "content": { "role": "model", "parts": [] } }));
    let before = stable_candidate(&now);
    let mut after = after.as_object().ok_or_else(|| wrong("", "it must be an object"))?.clone();
    after.retain(|member, value| before.get(member) != Some(value));
    if let Some(content) = after.get("content") {
        let texts =
            stable_texts(content).ok_or_else(|| wrong(".content.parts", "it must be a list of strings"))?;
        put_texts(&mut now, texts);
    }
    if after.get("finishReason").is_some_and(|reason| !is_reason(reason)) {
        return Err(wrong(".finishReason", "it is not one of the five reasons of the stable format"));
    }
    if let Some(now) = now.as_object_mut() {
        put_back(now, &after, &["finishReason", "index", "safetyRatings"]);
    }
    Ok(now)
}

fn stable_texts(content: &Value) -> Option<Vec<Option<String>>> {
    let texts = content.get("parts")?.as_array()?.iter();
    texts.map(|text| Some(Some(text.as_str()?.to_owned()))).collect()
}

fn is_reason(reason: &Value) -> bool {
    reason.as_str().is_some_and(|reason| REASONS.contains(&reason))
}

fn put_text(sdk: &mut Map<String, Value>, text: &str) {
    let mut all = list_candidates(sdk).to_vec();
    if all.is_empty() {
        all.push(json!({}));
    }
    if let Some(first) = all.first_mut() {
        let texts = parts::get_texts(sdk_parts(first));
        let new =
            if texts.is_empty() { vec![Some(text.to_owned())] } else { parts::spread_text(&texts, text) };
        put_texts(first, new);
    }
    sdk.insert("candidates".to_owned(), all.into());
}

fn put_texts(candidate: &mut Value, texts: Vec<Option<String>>) {
    let mut list = sdk_parts(candidate).to_vec();
    parts::replace_texts(&mut list, texts);
    let content = candidate.as_object_mut().and_then(|candidate| ensure_child(candidate, "content"));
    if let Some(content) = content {
        content.entry("role").or_insert_with(|| "model".into());
        content.insert("parts".to_owned(), list.into());
    }
}
