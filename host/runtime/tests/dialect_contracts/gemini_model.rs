//! Conversion between Gemini CLI's stable model format and the SDK's, both ways (docs/reference/agents/gemini-cli.md).

use hookbox_embed::gemini_model::{
    apply_request, apply_response, apply_tool_config, stable_request, stable_response, stable_tool_config,
};
use hookbox_model::Json;
use serde_json::{Value, json};

use super::parse_json;

fn to_json(value: &Value) -> Json {
    Json::from_value(value)
}

/// Returns a turn with a call, its result and an image, which the stable format cannot express.
fn sample_request() -> Value {
    json!({
        "model": "gemini-x",
        "contents": [
            {"role": "user", "parts": [{"text": "look at "}, {"inlineData": {"mimeType": "image/png", "data": "aGk="}},
                {"text": "this"}]},
            {"role": "model", "parts": [{"text": "wait", "thoughtSignature": "s"},
                {"functionCall": {"name": "glob", "args": {"pattern": "*"}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "glob", "response": {"output": "a"}}}]},
            "and now?"
        ],
        "config": {"temperature": 0.50, "topK": 40, "tools": [{"functionDeclarations": []}],
            "systemInstruction": "be kind",
            "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["glob"]},
                "retrievalConfig": {}}}
    })
}

fn change_request(change: impl Fn(&mut Value)) -> Value {
    let sdk = to_json(&sample_request());
    let mut stable = stable_request(&sdk).to_value();
    change(&mut stable);
    apply_request(&sdk, &to_json(&stable)).unwrap().to_value()
}

fn request_with(change: impl Fn(&mut Value)) -> Value {
    let mut request = sample_request();
    change(&mut request);
    request
}

#[test]
fn a_request_is_its_texts_and_settings() {
    assert_eq!(
        stable_request(&to_json(&sample_request())).to_value(),
        json!({
            "model": "gemini-x",
            "messages": [
                {"role": "user", "content": "look at this"},
                {"role": "model", "content": "wait"},
                {"role": "user", "content": "and now?"}
            ],
            "config": {"temperature": 0.5, "topK": 40},
            "toolConfig": {"mode": "ANY", "allowedFunctionNames": ["glob"]}
        })
    );
    let least = stable_request(&parse_json(r#"{"model":"m","contents":"hi"}"#));
    assert_eq!(least.as_str(), r#"{"model":"m","messages":[{"role":"user","content":"hi"}],"config":{}}"#);
}

#[test]
fn an_unchanged_request_keeps_its_very_bytes() {
    let sdk = parse_json(
        r#"{"model":"m", "contents":[{"role":"user","parts":{"text":"a"}}], "config":{"temperature":1.00}}"#,
    );
    assert_eq!(apply_request(&sdk, &stable_request(&sdk)).unwrap(), sdk);
    assert_eq!(apply_request(&sdk, &parse_json("{}")).unwrap(), sdk);
}

#[test]
fn a_changed_text_changes_nothing_else_of_the_request() {
    let changed = change_request(|stable| stable["messages"][0]["content"] = json!("look at that"));
    assert_eq!(changed, request_with(|request| request["contents"][0]["parts"][2]["text"] = json!("that")));
    let changed = change_request(|stable| stable["messages"][1]["content"] = json!("go on"));
    assert_eq!(changed, request_with(|request| request["contents"][1]["parts"][0]["text"] = json!("go on")));
    let changed = change_request(|stable| {
        stable["messages"][2]["content"] = json!([{"type": "text", "text": "then?"}]);
    });
    assert_eq!(changed, request_with(|request| request["contents"][3] = json!("then?")));
}

#[test]
fn new_messages_come_last_or_before_the_one_that_they_were_put_before() {
    let note = json!({"role": "user", "content": "note"});
    let entry = json!({"role": "user", "parts": [{"text": "note"}]});
    let list = |value: &mut Value, key: &str, at: Option<usize>, item: &Value| {
        let list = value[key].as_array_mut().unwrap();
        list.insert(at.unwrap_or(list.len()), item.clone());
    };
    for (in_messages, in_contents) in [(None, None), (Some(0), Some(0)), (Some(2), Some(3))] {
        let changed = change_request(|stable| list(stable, "messages", in_messages, &note));
        assert_eq!(changed, request_with(|request| list(request, "contents", in_contents, &entry)));
    }
}

#[test]
fn a_message_that_is_taken_out_leaves_the_call_that_it_came_with() {
    let changed = change_request(|stable| drop(stable["messages"].as_array_mut().unwrap().remove(1)));
    let silent = json!({"text": "", "thoughtSignature": "s"});
    assert_eq!(changed, request_with(|request| request["contents"][1]["parts"][0] = silent.clone()));
    let changed = change_request(|stable| drop(stable["messages"].as_array_mut().unwrap().pop()));
    assert_eq!(changed, request_with(|request| drop(request["contents"].as_array_mut().unwrap().pop())));
}

#[test]
fn a_part_of_a_request_keeps_the_rest() {
    let sdk = to_json(&sample_request());
    for (stable, pointer, value) in [
        (r#"{"model":"other"}"#, "/model", json!("other")),
        (r#"{"config":{"temperature":0}}"#, "/config/temperature", json!(0)),
        (
            r#"{"config":{"systemInstruction":"obey","topK":40}}"#,
            "/config/systemInstruction",
            json!("be kind"),
        ),
        (r#"{"toolConfig":{"mode":"NONE"}}"#, "/config/toolConfig/functionCallingConfig/mode", json!("NONE")),
    ] {
        let expected = request_with(|request| *request.pointer_mut(pointer).unwrap() = value.clone());
        assert_eq!(apply_request(&sdk, &parse_json(stable)).unwrap().to_value(), expected, "{stable}");
    }
    let without = apply_request(&sdk, &parse_json(r#"{"config":{"topK":null}}"#)).unwrap().to_value();
    assert_eq!(
        without,
        request_with(|request| drop(request["config"].as_object_mut().unwrap().shift_remove("topK")))
    );
}

#[test]
fn what_a_hook_gives_in_another_kind_is_named() {
    let sdk = to_json(&sample_request());
    for (stable, expected) in [
        ("[]", "the hook's `llm_request` cannot be used: it must be an object"),
        (r#"{"model":1}"#, "the hook's `model` cannot be used: it must be a string"),
        (r#"{"messages":{}}"#, "the hook's `messages` cannot be used: it must be an array"),
        (
            r#"{"messages":[{"role":"user","content":"a"},{"role":"root","content":"a"}]}"#,
            "the hook's `messages[1].role` cannot be used: it must be `user`, `model` or `system`",
        ),
        (
            r#"{"messages":[{"role":"user","content":[{"type":"image"}]}]}"#,
            "the hook's `messages[0].content` cannot be used: it must be a string, or a list of parts with a `text` each",
        ),
        (r#"{"config":1}"#, "the hook's `config` cannot be used: it must be an object"),
        (
            r#"{"toolConfig":{"mode":"ALL"}}"#,
            "the hook's `toolConfig.mode` cannot be used: it must be `AUTO`, `ANY` or `NONE`",
        ),
    ] {
        assert_eq!(apply_request(&sdk, &parse_json(stable)).unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_tool_config_is_its_mode_and_names() {
    let sdk = parse_json(
        r#"{"functionCallingConfig":{"mode":"VALIDATED","allowedFunctionNames":["a"]},"retrievalConfig":{}}"#,
    );
    let stable = stable_tool_config(&sdk);
    assert_eq!(stable.as_str(), r#"{"allowedFunctionNames":["a"]}"#);
    assert_eq!(apply_tool_config(&sdk, &stable).unwrap(), sdk);
    let narrowed =
        apply_tool_config(&sdk, &parse_json(r#"{"mode":"ANY","allowedFunctionNames":[]}"#)).unwrap();
    assert_eq!(
        narrowed.as_str(),
        r#"{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":[]},"retrievalConfig":{}}"#
    );
    let made = apply_tool_config(&parse_json("{}"), &parse_json(r#"{"mode":"NONE"}"#)).unwrap();
    assert_eq!(made.as_str(), r#"{"functionCallingConfig":{"mode":"NONE"}}"#);
}

fn sample_response() -> Value {
    json!({
        "candidates": [{
            "content": {"role": "model", "parts": [{"text": "I "}, {"functionCall": {"name": "glob", "args": {}}},
                {"text": "look"}]},
            "finishReason": "MALFORMED_FUNCTION_CALL",
            "index": 0,
            "safetyRatings": [{"category": "c", "probability": "LOW", "severity": "x"}],
            "citationMetadata": {}
        }],
        "usageMetadata": {"promptTokenCount": 3, "totalTokenCount": 5, "thoughtsTokenCount": 2},
        "modelVersion": "v"
    })
}

fn response_with(change: impl Fn(&mut Value)) -> Value {
    let mut response = sample_response();
    change(&mut response);
    response
}

#[test]
fn a_response_is_its_texts_and_why_it_ended() {
    assert_eq!(
        stable_response(&to_json(&sample_response())).to_value(),
        json!({
            "text": "I look",
            "candidates": [{
                "content": {"role": "model", "parts": ["I ", "look"]},
                "finishReason": "OTHER",
                "index": 0,
                "safetyRatings": [{"category": "c", "probability": "LOW"}]
            }],
            "usageMetadata": {"promptTokenCount": 3, "totalTokenCount": 5}
        })
    );
    assert_eq!(stable_response(&parse_json("{}")).as_str(), r#"{"candidates":[]}"#);
}

#[test]
fn a_changed_text_changes_nothing_else_of_the_response() {
    let sdk = to_json(&sample_response());
    for (stable, pointer, value) in [
        (
            r#"{"candidates":[{"content":{"role":"model","parts":["I ","listen"]},"finishReason":"OTHER"}]}"#,
            "/candidates/0/content/parts/2/text",
            json!("listen"),
        ),
        (r#"{"text":"I listen"}"#, "/candidates/0/content/parts/2/text", json!("listen")),
        (r#"{"candidates":[{"finishReason":"STOP"}]}"#, "/candidates/0/finishReason", json!("STOP")),
        (r#"{"usageMetadata":{"promptTokenCount":9}}"#, "/usageMetadata/promptTokenCount", json!(9)),
    ] {
        let expected = response_with(|response| *response.pointer_mut(pointer).unwrap() = value.clone());
        assert_eq!(apply_response(&sdk, &parse_json(stable)).unwrap().to_value(), expected, "{stable}");
    }
}

#[test]
fn fewer_texts_and_more_leave_the_call_where_it_is() {
    let parts = |texts: Value| {
        let stable = json!({"candidates": [{"content": {"role": "model", "parts": texts}}]});
        apply_response(&to_json(&sample_response()), &to_json(&stable)).unwrap().to_value()["candidates"][0]["content"]["parts"].clone()
    };
    let call = json!({"functionCall": {"name": "glob", "args": {}}});
    assert_eq!(parts(json!([])), json!([call]));
    assert_eq!(parts(json!(["a"])), json!([{"text": "a"}, call]));
    assert_eq!(parts(json!(["a", "b", "c"])), json!([{"text": "a"}, call, {"text": "b"}, {"text": "c"}]));
}

#[test]
fn an_answer_in_the_model_s_place_needs_no_response_of_the_model() {
    let stable =
        parse_json(r#"{"candidates":[{"content":{"role":"model","parts":["no"]},"finishReason":"STOP"}]}"#);
    assert_eq!(
        apply_response(&Json::empty_object(), &stable).unwrap().as_str(),
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"no"}]},"finishReason":"STOP"}]}"#
    );
    assert_eq!(
        apply_response(&Json::empty_object(), &parse_json(r#"{"text":"no"}"#)).unwrap().as_str(),
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"no"}]}}]}"#
    );
}

#[test]
fn a_response_of_another_kind_is_named() {
    for (stable, expected) in [
        ("1", "`llm_response` cannot be used: it must be an object"),
        (r#"{"candidates":{}}"#, "`candidates` cannot be used: it must be an array"),
        (r#"{"candidates":[1]}"#, "`candidates[0]` cannot be used: it must be an object"),
        (
            r#"{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}"#,
            "`candidates[0].content.parts` cannot be used: it must be a list of strings",
        ),
        (
            r#"{"candidates":[{"finishReason":"LATER"}]}"#,
            "`candidates[0].finishReason` cannot be used: it is not one of the five reasons of the stable format",
        ),
        (r#"{"text":1}"#, "`text` cannot be used: it must be a string"),
    ] {
        let error = apply_response(&to_json(&sample_response()), &parse_json(stable)).unwrap_err();
        assert_eq!(error.to_string(), format!("the hook's {expected}"));
    }
}
