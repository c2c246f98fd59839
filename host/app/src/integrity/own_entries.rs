//! hookbox's entries in an agent's settings, as a text that changes only with them: agents write the rest of the file themselves.

use std::fmt::Write as _;

use hookbox::{
    Sha256Digest,
    agents::settings::{self, Installed, cline, proxy},
    model::Json,
};
use serde_json::Value;

/// Describes the entries: their commands, the groups that they are in with matchers and timeouts, and whether the agent
/// runs them. `mode` is the file's, which counts for a program of hookbox's. Equal for all texts without entries.
pub(super) fn describe_entries(text: &str, mode: u32) -> String {
    let mut all = String::new();
    for settings in settings::all_settings() {
        let entries = settings::find_entries(text, settings).unwrap_or_default();
        if entries.is_empty() {
            continue;
        }
        let groups = find_groups(text, &entries);
        let off = settings::switched_off(text, settings);
        let is_discarded = settings::explain_discard(text, settings).is_some();
        // The agent writes nothing into a file that has hookbox's entries alone.
        let whole = settings.is_file_of_its_own().then_some(text);
        let _ = write!(all, "{} {entries:?} {groups:?} {off:?} {is_discarded} {whole:?};", settings.agent);
    }
    if all.is_empty() && cline::is_own(text) {
        all = format!("{mode:o} {text}");
    }
    if all.is_empty() && has_callback(text) {
        "callback".clone_into(&mut all);
    }
    Sha256Digest::of_content(all.as_bytes()).as_str().to_owned()
}

/// Returns true if a proxy with this configuration calls hookbox.
fn has_callback(text: &str) -> bool {
    proxy::all_proxies().any(|proxy| matches!(proxy::install_callback(text, proxy), Ok((_, None))))
}

/// Returns the elements of lists that hold these entries, each with its place. Empty for a text that only its agent reads.
fn find_groups(text: &str, entries: &[Installed]) -> Vec<String> {
    let json = Json::parse_object(text).ok().map(|json| json.to_value());
    let file: Option<Value> = json.or_else(|| toml::from_str(text).ok());
    let mut found = Vec::new();
    if let Some(file) = file {
        collect_groups((&file, ""), entries, &mut found);
    }
    found
}

fn collect_groups((value, place): (&Value, &str), entries: &[Installed], found: &mut Vec<String>) {
    match value {
        Value::Array(elements) => {
            let own = elements.iter().filter(|element| element.is_object() && has_entry(element, entries));
            found.extend(own.map(|element| format!("{place} {element}")));
        }
        Value::Object(members) => {
            for (name, member) in members {
                collect_groups((member, &format!("{place}.{name}")), entries, found);
            }
        }
        _ => {}
    }
}

fn has_entry(value: &Value, entries: &[Installed]) -> bool {
    match value {
        Value::String(text) => entries.iter().any(|own| own.command == *text),
        Value::Array(elements) => elements.iter().any(|element| has_entry(element, entries)),
        Value::Object(members) => members.values().any(|member| has_entry(member, entries)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = r#"{"type":"command","command":"/opt/hookbox run --agent claude-code"}"#;

    fn with_entry(matcher: &str, rest: &str) -> String {
        format!(r#"{{"hooks":{{"PreToolUse":[{{"matcher":"{matcher}","hooks":[{ENTRY}]}}]}}{rest}}}"#)
    }

    #[test]
    fn only_entries_matchers_and_switches_change_the_description() {
        let describe = |text: &str| describe_entries(text, 0o644);
        let before = describe(&with_entry("", ""));
        assert_eq!(describe(&with_entry("", r#","model":"x""#)), before);
        for other in [
            "{}".to_owned(),
            with_entry("Read", ""),
            with_entry("", r#","disableAllHooks":true"#),
            with_entry("", "").replace("PreToolUse", "PostToolUse"),
            with_entry("", "").replace("/opt/hookbox", "/tmp/hookbox"),
        ] {
            assert_ne!(describe(&other), before, "{other}");
        }
    }

    #[test]
    fn texts_without_entries_are_equal() {
        for text in ["", "{}", r#"{"model":"x"}"#, "no JSON", "model = \"x\""] {
            assert_eq!(describe_entries(text, 0o644), describe_entries("", 0), "{text}");
        }
    }
}
