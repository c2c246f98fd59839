//! A hook of the type `http` (docs/reference/agents/claude-code.md).

use serde_json::{Map, Value};

use hookbox_core::hook::{WebhookMethod, WebhookSpec};

/// Claude Code calls no server for these.
const WITHOUT: [&str; 2] = ["SessionStart", "Setup"];

/// Returns true if a hook for this event may be an HTTP request.
pub(super) fn allows_request(event: &str) -> bool {
    !WITHOUT.contains(&event)
}

/// Returns the request to `url` that a hook describes; its headers use only the variables that `may_use` accepts.
pub(super) fn build_request(
    url: String,
    hook: &Map<String, Value>,
    may_use: impl Fn(&str) -> bool,
) -> WebhookSpec {
    let env = hook.get("allowedEnvVars").and_then(Value::as_array).into_iter().flatten();
    let env: Vec<_> = env.filter_map(Value::as_str).filter(|name| may_use(name)).map(str::to_owned).collect();
    let headers = hook.get("headers").and_then(Value::as_object).into_iter().flatten();
    let headers =
        headers.filter_map(|(name, value)| Some((name.clone(), convert_header(value.as_str()?, &env))));
    // The file has no key for a signature: Claude Code does not sign its requests.
    WebhookSpec { url, method: WebhookMethod::Post, headers: headers.collect(), env, sign: None }
}

/// Converts a header's value to hookbox's notation: `$NAME` and `${NAME}` of an allowed variable become `${NAME}`, of another one the empty
/// text. Characters that a header cannot hold are removed.
fn convert_header(text: &str, allowed: &[String]) -> String {
    let mut value = String::new();
    // A line break in a value would begin another header of the request.
    let text = text.replace(['\r', '\n', '\0'], "");
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once('$') {
        value.push_str(before);
        let (name, behind) = split_variable(after);
        match name {
            "" => value.push('$'),
            name if allowed.iter().any(|listed| listed == name) => value.extend(["${", name, "}"]),
            _ => {}
        }
        rest = behind;
    }
    value + rest
}

/// Splits off the name after a `$`, in braces or not; the name may be empty.
fn split_variable(after: &str) -> (&str, &str) {
    let braced = after.strip_prefix('{').and_then(|inner| inner.split_once('}'));
    match braced {
        Some((name, behind)) if !name.is_empty() && name_length(name) == name.len() => (name, behind),
        _ => after.split_at(name_length(after)),
    }
}

/// Returns the number of bytes at the start of `text` that can be a variable's name.
fn name_length(text: &str) -> usize {
    let is_part =
        |(at, c): (usize, char)| c == '_' || c.is_ascii_alphabetic() || (at > 0 && c.is_ascii_digit());
    text.char_indices().take_while(|part| is_part(*part)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_allowed_variables_are_put_into_a_header() {
        let allowed = ["KEY".to_owned(), "KEY_2".to_owned()];
        for (text, expected) in [
            ("Bearer $KEY", "Bearer ${KEY}"),
            ("Bearer ${KEY}!", "Bearer ${KEY}!"),
            ("$KEY_2-$KEY", "${KEY_2}-${KEY}"),
            ("a $OTHER b ${OTHER} c", "a  b  c"),
            ("costs 5$ or $5", "costs 5$ or $5"),
            ("a\r\nX-Evil: b\0", "aX-Evil: b"),
            ("$", "$"),
            ("", ""),
        ] {
            assert_eq!(convert_header(text, &allowed), expected, "{text}");
        }
    }
}
