//! Grants in the operator's TOML syntax.

use std::fmt::Display;

/// Returns a table with these keys, if there are any.
pub(super) fn format_table(keys: impl IntoIterator<Item = String>) -> Option<String> {
    let keys: Vec<_> = keys.into_iter().collect();
    (!keys.is_empty()).then(|| format!("{{ {} }}", keys.join(", ")))
}

/// Returns a key with a list of these items, if there are any.
pub(super) fn format_list(key: &str, items: &[impl Display]) -> Option<String> {
    (!items.is_empty())
        .then(|| format!("{key} = [{}]", items.iter().map(quote_text).collect::<Vec<_>>().join(", ")))
}

/// Returns a string. JSON and TOML escape it alike.
pub(super) fn quote_text(item: &impl Display) -> String {
    serde_json::Value::from(item.to_string()).to_string()
}
