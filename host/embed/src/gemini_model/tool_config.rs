//! Configuration of the functions that the model may call.

use hookbox_model::Json;
use serde_json::{Map, Value};

use super::{
    NotTranslatable, ensure_child, parse_changes, put_back, select_members, to_members, to_sdk_json,
};

const MODES: [&str; 3] = ["AUTO", "ANY", "NONE"];
const MEMBERS: [&str; 2] = ["mode", "allowedFunctionNames"];
/// Member of the SDK with the configuration.
const CALLING: &str = "functionCallingConfig";

/// Converts the SDK's `ToolConfig` to the stable format. A mode that the stable format lacks is left out.
pub fn stable_tool_config(sdk: &Json) -> Json {
    Json::from_value(&Value::Object(to_stable(&to_members(sdk))))
}

/// Applies a hook's changes in the stable format to the SDK's `ToolConfig`.
///
/// # Errors
///
/// The mode is not `AUTO`, `ANY` or `NONE`, or the names are not a list of strings.
pub fn apply_tool_config(sdk: &Json, stable_tool_config: &Json) -> Result<Json, NotTranslatable> {
    let mut now = to_members(sdk);
    let mut after = parse_members(&Value::Object(parse_changes(stable_tool_config, "toolConfig")?))?;
    let before = to_stable(&now);
    after.retain(|member, value| before.get(member) != Some(value));
    if !after.is_empty() {
        put_members(&mut now, &after);
    }
    Ok(to_sdk_json(sdk, now))
}

pub(super) fn to_stable(sdk: &Map<String, Value>) -> Map<String, Value> {
    let calling = sdk.get(CALLING).and_then(Value::as_object);
    let mut stable = calling.map(|calling| select_members(calling, &MEMBERS)).unwrap_or_default();
    if stable.get("mode").is_some_and(|mode| !is_mode(mode)) {
        // Written back, an unknown mode would be an error; without it the caller's own mode stays.
        stable.shift_remove("mode");
    }
    stable
}

/// Returns the members of a hook's tool configuration, with their types checked.
pub(super) fn parse_members(stable: &Value) -> Result<Map<String, Value>, NotTranslatable> {
    let wrong = |member: &str, problem| Err(NotTranslatable::new(format!("toolConfig{member}"), problem));
    let Value::Object(members) = stable else { return wrong("", "it must be an object") };
    if members.get("mode").is_some_and(|mode| !mode.is_null() && !is_mode(mode)) {
        return wrong(".mode", "it must be `AUTO`, `ANY` or `NONE`");
    }
    match members.get("allowedFunctionNames") {
        None | Some(Value::Null) => {}
        Some(Value::Array(names)) if names.iter().all(Value::is_string) => {}
        Some(_) => return wrong(".allowedFunctionNames", "it must be a list of strings"),
    }
    Ok(members.clone())
}

/// Sets the members in the SDK's `ToolConfig`.
pub(super) fn put_members(sdk: &mut Map<String, Value>, members: &Map<String, Value>) {
    if let Some(calling) = ensure_child(sdk, CALLING) {
        put_back(calling, members, &MEMBERS);
    }
}

fn is_mode(mode: &Value) -> bool {
    mode.as_str().is_some_and(|mode| MODES.contains(&mode))
}
