//! Members that are removed from a request, and their places.

use serde_json::value::RawValue;

use crate::raw::{Change, elements, members};

const CACHE: &str = "cache_control";
const SPECIFIC: &str = "provider_specific_fields";

/// The request without them; `None` if it has none. What has another shape than expected is left alone.
pub(crate) fn stripped(request: &str) -> Option<String> {
    members(request, |key, value| match key {
        "messages" => Change::to(elements(value.get(), message)),
        "tools" => Change::to(elements(value.get(), tool)),
        _ => Change::Nothing,
    })
}

fn message(message: &RawValue) -> Option<String> {
    members(message.get(), |key, value| match key {
        SPECIFIC => Change::Drop,
        "content" => Change::to(content(value)),
        _ => Change::Nothing,
    })
}

/// A list of blocks, or one.
fn content(content: &RawValue) -> Option<String> {
    elements(content.get(), block).or_else(|| block(content))
}

fn block(block: &RawValue) -> Option<String> {
    members(block.get(), |key, _| match key {
        CACHE | SPECIFIC => Change::Drop,
        _ => Change::Nothing,
    })
}

fn tool(tool: &RawValue) -> Option<String> {
    members(tool.get(), |key, value| match key {
        CACHE => Change::Drop,
        "function" => Change::to(members(value.get(), function)),
        _ => Change::Nothing,
    })
}

fn function(key: &str, _: &RawValue) -> Change {
    if key == CACHE { Change::Drop } else { Change::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_their_blocks_lose_what_strict_providers_refuse() {
        let request = r#"{"messages": [
            {"role": "user", "provider_specific_fields": {"a": 1}, "content": [
                {"type": "text", "text": "hi", "cache_control": {"type": "ephemeral"}, "provider_specific_fields": {}},
                {"type": "text", "text": "ho"}, "bare"]},
            {"role": "assistant", "content": "x", "cache_control": {}}]}"#;
        let expected = concat!(
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"hi"},{"type": "text", "text": "ho"},"bare"]},"#,
            r#"{"role": "assistant", "content": "x", "cache_control": {}}]}"#
        );
        assert_eq!(stripped(request).as_deref(), Some(expected));
    }

    #[test]
    fn content_that_is_one_block_loses_the_same() {
        let request = r#"{"messages":[{"content":{"type":"text","text":"hi","cache_control":{},"provider_specific_fields":1}}]}"#;
        let expected = r#"{"messages":[{"content":{"type":"text","text":"hi"}}]}"#;
        assert_eq!(stripped(request).as_deref(), Some(expected));
    }

    #[test]
    fn tools_and_their_functions_lose_their_cache_control() {
        let request = r#"{"tools":[{"type":"function","cache_control":1,"function":{"name":"f","cache_control":2,
            "parameters":{"cache_control":{"type":"string"}}},"provider_specific_fields":3}]}"#;
        let expected = concat!(
            r#"{"tools":[{"type":"function","function":{"name":"f","parameters":{"cache_control":{"type":"string"}}},"#,
            r#""provider_specific_fields":3}]}"#
        );
        assert_eq!(stripped(request).as_deref(), Some(expected));
    }

    #[test]
    fn everything_else_stays_byte_for_byte_and_in_its_order() {
        let request =
            r#"{"z":1.50,"seed":123456789012345678901234567890,"a":"\u00fc","tools":[{"cache_control":0}]}"#;
        let expected = r#"{"z":1.50,"seed":123456789012345678901234567890,"a":"\u00fc","tools":[{}]}"#;
        assert_eq!(stripped(request).as_deref(), Some(expected));
    }

    #[test]
    fn other_shapes_are_left_alone() {
        for request in [
            "{}",
            r#"{"cache_control":{},"provider_specific_fields":{}}"#,
            r#"{"messages":null,"tools":{"cache_control":1}}"#,
            r#"{"messages":[null,1,{"content":"cache_control"}],"tools":["cache_control",{"function":"f"}]}"#,
        ] {
            assert_eq!(stripped(request), None, "{request}");
        }
    }
}
