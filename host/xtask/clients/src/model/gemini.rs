//! Gemini's generateContent.

use serde_json::{Value, json};

use super::{Asked, NAME, Reply, Said, list, text};

pub(super) fn read(body: &Value) -> Asked {
    let parts = list(body, "contents").flat_map(|content| list(content, "parts"));
    let results = parts.filter_map(|part| part.get("functionResponse"));
    let functions = list(body, "tools").flat_map(|tool| list(tool, "functionDeclarations"));
    Asked {
        tools: functions.map(|function| text(function, "name").to_owned()).collect(),
        results: results.map(|result| result.get("response").unwrap_or(&Value::Null).to_string()).collect(),
    }
}

pub(super) fn write(reply: &Reply) -> Said {
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
    Said { pieces: vec![(None, whole.clone())], whole, end: "" }
}
