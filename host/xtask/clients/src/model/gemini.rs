//! Gemini's generateContent.

use serde_json::{Value, json};

use super::{ModelAnswer, NAME, Reply, VisibleConversation, list_at, text_at};

pub(super) fn read_request(body: &Value) -> VisibleConversation {
    let parts = list_at(body, "contents").flat_map(|content| list_at(content, "parts"));
    let results = parts.filter_map(|part| part.get("functionResponse"));
    let functions = list_at(body, "tools").flat_map(|tool| list_at(tool, "functionDeclarations"));
    VisibleConversation {
        tools: functions.map(|function| text_at(function, "name").to_owned()).collect(),
        results: results.map(|result| result.get("response").unwrap_or(&Value::Null).to_string()).collect(),
    }
}

pub(super) fn write_reply(reply: &Reply) -> ModelAnswer {
    let part = match reply {
        Reply::Text(text) => json!({ "text": text }),
        Reply::Call { id, tool, arguments } => {
            json!({ "functionCall": { "id": id, "name": tool, "args": arguments } })
        }
    };
    let candidate =
        json!({ "index": 0, "content": { "role": "model", "parts": [part] }, "finishReason": "STOP" });
    let usage = json!({ "promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2 });
    let whole = json!({ "candidates": [candidate], "usageMetadata": usage, "modelVersion": NAME, "responseId": "r1" });
    // Each streamed piece has the form of a whole answer, and one is enough.
    ModelAnswer { pieces: vec![(None, whole.clone())], whole, end: "" }
}
