//! Properties of the translation of Gemini CLI's model format for any content (docs/reference/agents/gemini-cli.md).

use hookbox_embed::gemini_model::{apply_request, apply_response, stable_request, stable_response};
use hookbox_model::Json;
use proptest::prelude::*;
use serde_json::{Value, json};

fn to_json(value: &Value) -> Json {
    Json::from_value(value)
}

fn any_part() -> impl Strategy<Value = Value> {
    prop_oneof![
        "[a-c]{0,3}".prop_map(|text| json!({"text": text})),
        "[a-c]{0,3}".prop_map(|text| json!({"text": text, "thought": true})),
        "[a-c]".prop_map(|name| json!({"functionCall": {"name": name}})),
        "[a-c]".prop_map(|data| json!({"inlineData": {"data": data}})),
    ]
}

fn any_entry() -> impl Strategy<Value = Value> {
    let parts = proptest::collection::vec(any_part(), 0..5);
    prop_oneof![
        3 => ("user|model|function", parts).prop_map(|(role, parts)| json!({"role": role, "parts": parts})),
        1 => "[a-c]{0,3}".prop_map(Value::from),
        1 => any_part().prop_map(|part| json!({"parts": part})),
        1 => any_part(),
    ]
}

fn any_request() -> impl Strategy<Value = Value> {
    let contents = proptest::collection::vec(any_entry(), 0..5);
    let contents = prop_oneof![4 => contents.prop_map(Value::from), 1 => any_entry()];
    (contents, proptest::option::of(0..9)).prop_map(
        |(contents, topk)| json!({"model": "m", "contents": contents, "config": {"topK": topk, "tools": []}}),
    )
}

/// Returns the parts that are not text, in order.
fn silent_parts(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(list) => list.iter().flat_map(silent_parts).collect(),
        Value::Object(members)
            if members.contains_key("functionCall") || members.contains_key("inlineData") =>
        {
            vec![value.clone()]
        }
        Value::Object(members) => members.values().flat_map(silent_parts).collect(),
        _ => Vec::new(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_request_there_and_back_is_the_same(request in any_request()) {
        let sdk = to_json(&request);
        prop_assert_eq!(apply_request(&sdk, &stable_request(&sdk)).unwrap(), sdk);
    }

    #[test]
    fn a_hook_s_messages_are_what_the_model_reads_and_no_other_part_is_lost(
        request in any_request(),
        messages in proptest::collection::vec(("user|model|system", "[a-c]{1,4}"), 0..5),
    ) {
        let sdk = to_json(&request);
        let messages: Vec<_> =
            messages.iter().map(|(role, text)| json!({"role": role, "content": text})).collect();
        let now = apply_request(&sdk, &to_json(&json!({"messages": messages.clone()}))).unwrap();
        prop_assert_eq!(&stable_request(&now).to_value()["messages"], &json!(messages));
        prop_assert_eq!(silent_parts(&now.to_value()), silent_parts(&request));
    }

    #[test]
    fn one_changed_message_changes_one_content(request in any_request(), at in any::<prop::sample::Index>()) {
        let sdk = to_json(&request);
        let mut stable = stable_request(&sdk).to_value();
        let count = stable["messages"].as_array().unwrap().len();
        prop_assume!(count > 0);
        stable["messages"][at.index(count)]["content"] = json!("new");
        let now = apply_request(&sdk, &to_json(&stable)).unwrap().to_value();
        prop_assert_eq!(&stable_request(&to_json(&now)).to_value(), &stable);
        let list = |value: &Value| value["contents"].as_array().cloned().unwrap_or_else(|| vec![value["contents"].clone()]);
        let (before, after) = (list(&request), list(&now));
        prop_assert_eq!(before.len(), after.len());
        prop_assert_eq!(before.iter().zip(&after).filter(|(old, new)| old != new).count(), 1);
    }

    #[test]
    fn a_response_there_and_back_is_the_same_and_a_new_text_is_the_only_change(
        parts in proptest::collection::vec(any_part(), 0..6),
        text in "[x-z]{1,3}",
    ) {
        let response = json!({"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0}]});
        let sdk = to_json(&response);
        let mut stable = stable_response(&sdk).to_value();
        prop_assert_eq!(&apply_response(&sdk, &to_json(&stable)).unwrap(), &sdk);
        let texts = stable["candidates"][0]["content"]["parts"].as_array_mut().unwrap();
        prop_assume!(!texts.is_empty());
        texts[0] = json!(text);
        let now = apply_response(&sdk, &to_json(&stable)).unwrap().to_value();
        let mut expected = response.clone();
        let first = parts.iter().position(|part| part.get("text").is_some()).unwrap();
        expected["candidates"][0]["content"]["parts"][first]["text"] = json!(text);
        prop_assert_eq!(now, expected);
    }
}
