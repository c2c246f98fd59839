//! `Json::parse`: what is accepted means the same once written and read again.

use hookbox::model::{Json, RawObject};
use serde_json::Value;

/// How far a number of more digits than a float has may be off: its reader is quick and not exact.
const PRECISION: f64 = 1e-15;

/// The bytes are a text that may be JSON.
pub fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let parsed = Json::parse(text);
    if let Err(error) = &parsed {
        assert!(!error.to_string().is_empty());
    }
    let object = RawObject::parse(text);
    // It does not look for what only `Json` refuses.
    let Ok(json) = parsed else { return };
    assert_eq!(json.members().is_some(), object.is_ok());
    let value = json.to_value();
    let again = Json::parse(&value.to_string());
    assert!(again.is_ok_and(|again| is_same(&again.to_value(), &value)), "{value}");
    assert!(is_same(&Json::from_value(&value).to_value(), &value), "{value}");
    if let Some(members) = json.members() {
        let names: Vec<_> = members.iter().map(|(name, _)| name.to_owned()).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        assert_eq!(members.without_members(&names).as_str(), "{}");
    }
}

fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => a == b || is_close(a.as_f64(), b.as_f64()),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = a.iter().zip(b).all(|((name, a), (other, b))| name == other && is_same(a, b));
            same && a.len() == b.len()
        }
        _ => one == other,
    }
}

fn is_close(one: Option<f64>, other: Option<f64>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    (one - other).abs() <= one.abs() * PRECISION + f64::MIN_POSITIVE
}
