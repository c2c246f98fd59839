//! Anthropic's Messages.

use serde_json::{Value, json};

use super::{ModelAnswer, NAME, Reply, VisibleConversation, list_at, text_at, text_of};

pub(super) fn read_request(body: &Value) -> VisibleConversation {
    let blocks = list_at(body, "messages").flat_map(|message| list_at(message, "content"));
    let results = blocks.filter(|block| text_at(block, "type") == "tool_result");
    VisibleConversation {
        tools: list_at(body, "tools").map(|tool| text_at(tool, "name").to_owned()).collect(),
        results: results.map(|block| block.get("content").map(text_of).unwrap_or_default()).collect(),
    }
}

pub(super) fn write_reply(reply: &Reply) -> ModelAnswer {
    let (whole, empty, delta, reason) = match reply {
        Reply::Text(text) => (
            json!({ "type": "text", "text": text }),
            json!({ "type": "text", "text": "" }),
            json!({ "type": "text_delta", "text": text }),
            "end_turn",
        ),
        Reply::Call { id, tool, arguments } => (
            json!({ "type": "tool_use", "id": id, "name": tool, "input": arguments }),
            json!({ "type": "tool_use", "id": id, "name": tool, "input": {} }),
            json!({ "type": "input_json_delta", "partial_json": arguments.to_string() }),
            "tool_use",
        ),
    };
    let usage = json!({ "input_tokens": 1, "output_tokens": 1 });
    let message = |content: Value, reason: Value| {
        json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": NAME, "content": content,
            "stop_reason": reason, "stop_sequence": null, "usage": usage,
        })
    };
    let pieces = [
        json!({ "type": "message_start", "message": message(json!([]), Value::Null) }),
        json!({ "type": "content_block_start", "index": 0, "content_block": empty }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": reason, "stop_sequence": null }, "usage": usage }),
        json!({ "type": "message_stop" }),
    ];
    let names = [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ];
    ModelAnswer {
        whole: message(json!([whole]), json!(reason)),
        pieces: names.into_iter().map(Some).zip(pieces).collect(),
        end: "",
    }
}
