//! Conversion between JSON text and types, with errors that name the key.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads the JSON text `text`, which is the hook's `what`.
pub(crate) fn parse<T: DeserializeOwned>(text: &str, what: &str) -> Result<T, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("{what}: {error}"))?;
    serde_path_to_error::deserialize(value).map_err(|error| match error.path().to_string() {
        path if path == "." => format!("{what}: {}", error.inner()),
        path => format!("{what}: `{path}`: {}", error.inner()),
    })
}

/// Writes `value`, which is the answer's `what`.
pub(crate) fn write(value: &impl Serialize, what: &str) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| format!("{what}: {error}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Settings {
        rules: Vec<Rule>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Rule {
        text: String,
    }

    fn settings(text: &str) -> Result<Settings, String> {
        parse(text, "settings")
    }

    #[test]
    fn a_type_is_read() {
        let rules = vec![Rule { text: "no".into() }];
        assert_eq!(settings(r#"{"rules":[{"text":"no"}]}"#), Ok(Settings { rules }));
    }

    #[test]
    fn a_wrong_value_is_named_with_its_path() {
        let error = "settings: `rules[1].text`: invalid type: integer `3`, expected a string";
        assert_eq!(settings(r#"{"rules":[{"text":"a"},{"text":3}]}"#), Err(error.into()));
    }

    #[test]
    fn an_unknown_key_is_named() {
        let error = "settings: `rule`: unknown field `rule`, expected `rules`";
        assert_eq!(settings(r#"{"rule":[]}"#), Err(error.into()));
    }

    #[test]
    fn a_missing_key_is_named() {
        assert_eq!(settings("{}"), Err("settings: missing field `rules`".into()));
    }

    #[test]
    fn text_that_is_not_json_is_an_error() {
        let error = "settings: expected value at line 1 column 1";
        assert_eq!(settings("rules"), Err(error.into()));
    }

    #[test]
    fn a_value_that_json_cannot_hold_is_an_error() {
        let keys_are_lists = BTreeMap::from([(vec![1], 2)]);
        assert_eq!(write(&keys_are_lists, "extra"), Err("extra: key must be a string".into()));
    }
}
