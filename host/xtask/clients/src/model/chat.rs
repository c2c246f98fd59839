//! `OpenAI`'s chat completions, which most others speak, too.

use serde_json::{Value, json};

use super::{ModelAnswer, NAME, Reply, VisibleConversation, list_at, text_at, text_of};

pub(super) fn read_request(body: &Value) -> VisibleConversation {
    let function = |tool: &Value| tool.get("function").map(|function| text_at(function, "name").to_owned());
    let results = list_at(body, "messages").filter(|message| text_at(message, "role") == "tool");
    VisibleConversation {
        tools: list_at(body, "tools").filter_map(function).collect(),
        results: results.map(|message| message.get("content").map(text_of).unwrap_or_default()).collect(),
    }
}

pub(super) fn write_reply(reply: &Reply) -> ModelAnswer {
    let (message, reason) = match reply {
        Reply::Text(text) => (json!({ "role": "assistant", "content": text }), "stop"),
        Reply::Call { id, tool, arguments } => {
            let function = json!({ "name": tool, "arguments": arguments.to_string() });
            let call = json!({ "index": 0, "id": id, "type": "function", "function": function });
            (json!({ "role": "assistant", "content": null, "tool_calls": [call] }), "tool_calls")
        }
    };
    let usage = json!({ "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 });
    let chunk = |choices: Value, usage: &Value| {
        let kind = "chat.completion.chunk";
        (
            None,
            json!({ "id": "c1", "object": kind, "created": 1, "model": NAME, "choices": choices, "usage": usage }),
        )
    };
    let none = Value::Null;
    ModelAnswer {
        pieces: vec![
            chunk(json!([{ "index": 0, "delta": message, "finish_reason": null }]), &none),
            chunk(json!([{ "index": 0, "delta": {}, "finish_reason": reason }]), &none),
            // The usage comes in a chunk without choices.
            chunk(json!([]), &usage),
        ],
        whole: json!({
            "id": "c1", "object": "chat.completion", "created": 1, "model": NAME,
            "choices": [{ "index": 0, "message": message, "finish_reason": reason }], "usage": usage,
        }),
        end: "data: [DONE]\n\n",
    }
}
