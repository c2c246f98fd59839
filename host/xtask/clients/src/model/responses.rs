//! `OpenAI`'s Responses.

use serde_json::{Value, json};

use super::{ModelAnswer, NAME, Reply, VisibleConversation, list_at, text_at, text_of};

pub(super) fn read_request(body: &Value) -> VisibleConversation {
    // The type begins with the kind of the tool: `function_call_output`, `custom_tool_call_output`.
    let results = list_at(body, "input").filter(|item| text_at(item, "type").ends_with("_call_output"));
    VisibleConversation {
        tools: list_at(body, "tools").map(|tool| text_at(tool, "name").to_owned()).collect(),
        results: results.map(|item| item.get("output").map(text_of).unwrap_or_default()).collect(),
    }
}

pub(super) fn write_reply(reply: &Reply) -> ModelAnswer {
    let item = match reply {
        Reply::Text(text) => json!({
            "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{ "type": "output_text", "text": text, "annotations": [] }],
        }),
        Reply::Call { id, tool, arguments } => json!({
            "type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": tool, "status": "completed",
            "arguments": arguments.to_string(),
        }),
    };
    let usage = json!({
        "input_tokens": 1, "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": 1, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 2,
    });
    let response = |status: &str, output: Value, usage: Value| {
        json!({
            "id": "resp_1", "object": "response", "created_at": 1, "model": NAME, "status": status, "output": output,
            "usage": usage,
        })
    };
    let whole = response("completed", json!([item]), usage);
    let pieces = [
        ("response.created", json!({ "response": response("in_progress", json!([]), Value::Null) })),
        ("response.output_item.added", json!({ "output_index": 0, "item": item })),
        ("response.output_item.done", json!({ "output_index": 0, "item": item })),
        ("response.completed", json!({ "response": whole })),
    ];
    // A streamed event repeats its name and has a number.
    let numbered = pieces.into_iter().enumerate().map(|(number, (name, mut event))| {
        if let Some(members) = event.as_object_mut() {
            members.insert("type".to_owned(), name.into());
            members.insert("sequence_number".to_owned(), number.into());
        }
        (Some(name), event)
    });
    ModelAnswer { pieces: numbered.collect(), whole, end: "" }
}
