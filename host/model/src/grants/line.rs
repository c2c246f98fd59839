//! Grants as the operator would write them.

use std::fmt::Display;

/// A table with these keys, if there are any.
pub(super) fn table(keys: impl IntoIterator<Item = String>) -> Option<String> {
    let keys: Vec<_> = keys.into_iter().collect();
    (!keys.is_empty()).then(|| format!("{{ {} }}", keys.join(", ")))
}

/// A key with a list of these, if there are any.
pub(super) fn list(key: &str, items: &[impl Display]) -> Option<String> {
    (!items.is_empty())
        .then(|| format!("{key} = [{}]", items.iter().map(text).collect::<Vec<_>>().join(", ")))
}

/// A string. What JSON escapes, TOML escapes alike.
pub(super) fn text(item: &impl Display) -> String {
    serde_json::Value::from(item.to_string()).to_string()
}
