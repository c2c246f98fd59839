//! Reads values of the requested type, with their places; others are skipped, since `shape` has reported them.

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::Value;

pub(super) fn get_text<'t>(table: &'t DeTable<'_>, key: &str) -> Option<Spanned<&'t str>> {
    table.get(key).and_then(as_text)
}

/// Returns a string, or the strings of a list.
pub(super) fn get_texts<'t>(table: &'t DeTable<'_>, key: &str) -> Vec<Spanned<&'t str>> {
    let Some(value) = table.get(key) else {
        return Vec::new();
    };
    match value.get_ref() {
        DeValue::Array(items) => items.iter().filter_map(as_text).collect(),
        _ => as_text(value).into_iter().collect(),
    }
}

pub(super) fn get_flag(table: &DeTable<'_>, key: &str) -> Option<Spanned<bool>> {
    let value = table.get(key)?;
    value.get_ref().as_bool().map(|flag| Spanned::new(value.span(), flag))
}

/// Returns the strings of a list, without their places.
pub(super) fn get_strings(table: &DeTable<'_>, key: &str) -> Vec<String> {
    get_texts(table, key).iter().map(|text| (*text.get_ref()).to_owned()).collect()
}

pub(super) fn get_table<'t, 'a>(table: &'t DeTable<'a>, key: &str) -> Option<Spanned<&'t DeTable<'a>>> {
    let value = table.get(key)?;
    value.get_ref().as_table().map(|inner| Spanned::new(value.span(), inner))
}

pub(super) fn as_text<'t>(value: &'t Value<'_>) -> Option<Spanned<&'t str>> {
    value.get_ref().as_str().map(|text| Spanned::new(value.span(), text))
}
