//! `config`: the hook's own settings, as the JSON object that the hook receives.

use hookbox_model::{Json, MAX_JSON_DEPTH};
use serde_json::{Number, Value as JsonValue};
use toml::de::{DeTable, DeValue};

use super::{Value, report::Report, table_shape, values};
use crate::hookfile::PlacedProblem;

/// Returns the object; `{}` without the key.
pub(super) fn resolve_hook_config(table: &DeTable<'_>, report: &mut Report) -> Json {
    match values::get_table(table, "config") {
        Some(config) => Json::from_value(&to_json_object(config.get_ref(), 1, report)),
        None => Json::empty_object(),
    }
}

fn to_json_object(table: &DeTable<'_>, depth: usize, report: &mut Report) -> JsonValue {
    table
        .iter()
        .map(|(key, value)| (key.get_ref().to_string(), to_json_value(value, depth, report)))
        .collect()
}

fn to_json_value(value: &Value<'_>, depth: usize, report: &mut Report) -> JsonValue {
    let refused = |report: &mut Report, message: &str| {
        report
            .add_problem(PlacedProblem::error(value.span(), message).help("`config` is handed over as JSON"));
        JsonValue::Null
    };
    match value.get_ref() {
        DeValue::Array(_) | DeValue::Table(_) if depth >= MAX_JSON_DEPTH => {
            refused(report, "nested too deep")
        }
        DeValue::Array(items) => items.iter().map(|item| to_json_value(item, depth + 1, report)).collect(),
        DeValue::Table(table) => to_json_object(table, depth + 1, report),
        DeValue::String(text) => text.as_ref().into(),
        DeValue::Boolean(flag) => (*flag).into(),
        DeValue::Datetime(time) => time.to_string().into(),
        DeValue::Integer(number) => match table_shape::parse_integer(number) {
            Some(number) => number.into(),
            None => refused(report, "this integer does not fit in 64 bits"),
        },
        DeValue::Float(number) => match number.as_str().parse().ok().and_then(Number::from_f64) {
            Some(number) => number.into(),
            None => refused(report, "JSON cannot say this number"),
        },
    }
}
