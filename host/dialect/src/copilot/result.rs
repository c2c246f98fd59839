//! A tool's result as Copilot takes a new one.

use hookbox_model::{Event, Json};

use crate::object::Object;

/// Returns the rewritten result for a text, or a result in either of Copilot's spellings.
pub(super) fn rewrite_result(_: &Event, part: &Json) -> Option<String> {
    let members = part.members().unwrap_or_default();
    let stated = members.get_string("textResultForLlm").or_else(|| members.get_string("text_result_for_llm"));
    let text = stated.or_else(|| serde_json::from_str(part.as_str()).ok())?;
    let mut result = Object::new();
    // Copilot's result has both members, and at this event the tool has run.
    result.text("resultType", "success").text("textResultForLlm", &text);
    Some(result.finish())
}
