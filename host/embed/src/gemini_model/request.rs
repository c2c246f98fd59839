//! The request: the conversation so far, and the settings of the answer.

use hookbox_model::Json;
use serde_json::{Map, Value, json};

use super::{
    NotTranslatable,
    alignment::{Fate, align_messages},
    ensure_child,
    message::{self, Message},
    object_at, parse_changes, put_back, select_members, text_at, to_members, to_sdk_json, tool_config,
};

/// Settings that the stable format has. A hook cannot reach others (tools, instructions).
const SETTINGS: [&str; 8] = [
    "temperature",
    "maxOutputTokens",
    "topP",
    "topK",
    "stopSequences",
    "candidateCount",
    "presencePenalty",
    "frequencyPenalty",
];

/// Converts the SDK's request (`GenerateContentParameters`) to the stable format. Contents without text are left out.
pub fn stable_request(sdk: &Json) -> Json {
    Json::from_value(&Value::Object(to_stable(&to_members(sdk))))
}

fn to_stable(sdk: &Map<String, Value>) -> Map<String, Value> {
    let config = sdk.get("config").and_then(Value::as_object).cloned().unwrap_or_default();
    let messages: Vec<_> =
        list_entries(sdk).iter().filter_map(Message::from_entry).map(|m| m.to_stable()).collect();
    let mut stable = Map::new();
    stable.insert("model".to_owned(), sdk.get("model").cloned().unwrap_or_else(|| "".into()));
    stable.insert("messages".to_owned(), messages.into());
    stable.insert("config".to_owned(), select_members(&config, &SETTINGS).into());
    let tools = config.get("toolConfig").and_then(Value::as_object).map(tool_config::to_stable);
    if let Some(tools) = tools.filter(|tools| !tools.is_empty()) {
        stable.insert("toolConfig".to_owned(), tools.into());
    }
    stable
}

/// Applies a hook's changes in the stable format to the SDK's request; members that the hook left out stay as they are.
///
/// The text of a changed message goes to the content that it came from. For a message that the hook removed, the text is removed, and the
/// content too if it held nothing else. New messages come before the next one that stayed, or last.
///
/// # Errors
///
/// A member does not have the type that the stable format requires.
pub fn apply_request(sdk: &Json, stable_request: &Json) -> Result<Json, NotTranslatable> {
    let mut now = to_members(sdk);
    let before = to_stable(&now);
    let mut after = parse_changes(stable_request, "llm_request")?;
    // Unchanged members are not written back: the stable format has less in it than the SDK's.
    after.retain(|member, value| before.get(member) != Some(value));
    if let Some(model) = text_at(&after, "model")? {
        now.insert("model".to_owned(), model.into());
    }
    if let Some(messages) = after.get("messages") {
        put_messages(&mut now, &hook_messages(messages)?);
    }
    if let Some(settings) = object_at(&after, "config")?
        && let Some(config) = ensure_child(&mut now, "config")
    {
        put_back(config, settings, &SETTINGS);
    }
    if let Some(tools) = after.get("toolConfig") {
        let tools = tool_config::parse_members(tools)?;
        if let Some(config) =
            ensure_child(&mut now, "config").and_then(|config| ensure_child(config, "toolConfig"))
        {
            tool_config::put_members(config, &tools);
        }
    }
    Ok(to_sdk_json(sdk, now))
}

/// Returns the entries of `contents`: one entry, or a list of them.
fn list_entries(sdk: &Map<String, Value>) -> &[Value] {
    match sdk.get("contents") {
        Some(Value::Array(list)) => list,
        Some(Value::Null) | None => &[],
        Some(one) => std::slice::from_ref(one),
    }
}

fn hook_messages(messages: &Value) -> Result<Vec<Message>, NotTranslatable> {
    let list = messages.as_array().ok_or_else(|| NotTranslatable::new("messages", "it must be an array"))?;
    list.iter().enumerate().map(|(at, message)| Message::from_stable(message, at)).collect()
}

fn put_messages(sdk: &mut Map<String, Value>, after: &[Message]) {
    let before: Vec<_> = list_entries(sdk).iter().filter_map(Message::from_entry).collect();
    let aligned = align_messages(&before, after);
    let mut added = Some(aligned.added.iter().map(Message::to_entry));
    let mut fates = aligned.fates.iter().zip(&before).enumerate();
    let mut contents = Vec::new();
    for entry in list_entries(sdk).iter().cloned() {
        // Calls and results have no message in the stable format, so no hook can have moved them.
        if Message::from_entry(&entry).is_none() {
            contents.push(entry);
            continue;
        }
        let Some((at, (fate, was))) = fates.next() else { continue };
        if at == aligned.before {
            contents.extend(added.take().into_iter().flatten());
        }
        match fate {
            Fate::Kept => contents.push(entry),
            Fate::Changed(message) => contents.push(message.in_place_of(was, entry)),
            Fate::Gone => contents.extend(message::strip_text(entry)),
        }
    }
    contents.extend(added.take().into_iter().flatten());
    // The SDK accepts a single content, and the caller gets the form back that it has sent.
    let is_list = sdk.get("contents").is_none_or(Value::is_array);
    let one = if is_list || contents.len() != 1 { None } else { contents.pop() };
    sdk.insert("contents".to_owned(), one.unwrap_or_else(|| json!(contents)));
}
