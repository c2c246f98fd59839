//! JSON access for guests whose language has no JSON parser at hand.

use hookbox_model::Json;
use serde_json::value::RawValue;

use super::{
    bindings::hookbox::hook::json::Host,
    host_call_budget::Price,
    store::State,
    world_interfaces::{Interface, interface},
};

pub(super) const JSON: Interface = interface!("json", json, "always there", acts: false, since: V0_2);

/// Price of a look-up: the whole text is checked, and the found part copied.
const LOOKUP_PRICE: Price = Price { call: 300, byte: 8 };
/// Price of quoting: a text is copied.
const QUOTE: Price = Price { call: 100, byte: 2 };

impl Host for State {
    fn at(&mut self, text: String, pointer: String) -> wasmtime::Result<Option<String>> {
        self.read_at(&text, &pointer, |found| Some(found.trim_ascii().to_owned()))
    }

    fn text_at(&mut self, text: String, pointer: String) -> wasmtime::Result<Option<String>> {
        self.read_at(&text, &pointer, |found| serde_json::from_str(found).ok())
    }

    fn names_at(&mut self, text: String, pointer: String) -> wasmtime::Result<Vec<String>> {
        let names = |found: &str| {
            let members = hookbox_model::RawObject::parse(found).ok()?;
            Some(members.iter().map(|(name, _)| name.to_owned()).collect())
        };
        self.read_at(&text, &pointer, names).map(Option::unwrap_or_default)
    }

    fn count_at(&mut self, text: String, pointer: String) -> wasmtime::Result<Option<u32>> {
        self.read_at(&text, &pointer, |found| {
            let members = || Some(hookbox_model::RawObject::parse(found).ok()?.iter().count());
            let count = array_items(found).map(|items| items.len()).or_else(members)?;
            u32::try_from(count).ok()
        })
    }

    fn quote(&mut self, text: String) -> wasmtime::Result<String> {
        self.host_calls.begin_call(QUOTE, text.len())?;
        Ok(serde_json::Value::from(text).to_string())
    }
}

impl State {
    /// Returns the value at this place of the text, if the text is JSON and has that place.
    fn read_at<T>(
        &mut self,
        text: &str,
        pointer: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> wasmtime::Result<Option<T>> {
        // Each step of the pointer reads the rest of the text once more.
        let steps = 1 + pointer.matches('/').count();
        self.host_calls
            .begin_call(LOOKUP_PRICE, text.len().saturating_mul(steps).saturating_add(pointer.len()))?;
        // Duplicate keys are rejected: another parser of the text could choose the other one.
        Ok(Json::parse(text).ok().and_then(|_| read(text_at(text, pointer)?)))
    }
}

/// Returns the text at this place (RFC 6901).
fn text_at<'a>(text: &'a str, pointer: &str) -> Option<&'a str> {
    if pointer.is_empty() {
        return Some(text);
    }
    pointer.strip_prefix('/')?.split('/').try_fold(text, |text, step| step_into(text, step))
}

/// Returns the value one step from here.
fn step_into<'a>(text: &'a str, step: &str) -> Option<&'a str> {
    if let Some(items) = array_items(text) {
        // RFC 6901 permits neither leading zeros nor a sign, and `parse` accepts both.
        let is_index =
            step == "0" || (!step.starts_with('0') && step.bytes().all(|byte| byte.is_ascii_digit()));
        return items.get(step.parse::<usize>().ok().filter(|_| is_index)?).map(|item| item.get());
    }
    let name = decode_step(step)?;
    hookbox_model::RawObject::parse(text).ok()?.get(&name).map(RawValue::get)
}

/// Returns the name of a step: `~1` is `/`, `~0` is `~`, and no other character may follow a `~`.
fn decode_step(step: &str) -> Option<String> {
    let mut pieces = step.split('~');
    let mut name = pieces.next()?.to_owned();
    for piece in pieces {
        let (mark, rest) = piece.split_at_checked(1)?;
        name.push(match mark {
            "0" => '~',
            "1" => '/',
            _ => return None,
        });
        name.push_str(rest);
    }
    Some(name)
}

fn array_items(text: &str) -> Option<Vec<&RawValue>> {
    text.trim_ascii_start().starts_with('[').then(|| serde_json::from_str(text).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6901, section 5.
    const DOCUMENT: &str =
        r#"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#;

    #[test]
    fn every_pointer_of_the_rfc_finds_its_value() {
        let found = [
            ("/foo", r#"["bar","baz"]"#),
            ("/foo/0", r#""bar""#),
            ("/", "0"),
            ("/a~1b", "1"),
            ("/c%d", "2"),
            ("/e^f", "3"),
            ("/g|h", "4"),
            ("/i\\j", "5"),
            ("/k\"l", "6"),
            ("/ ", "7"),
            ("/m~0n", "8"),
        ];
        for (pointer, value) in found {
            assert_eq!(text_at(DOCUMENT, pointer), Some(value), "{pointer}");
        }
        assert_eq!(text_at(DOCUMENT, ""), Some(DOCUMENT));
    }

    #[test]
    fn a_pointer_that_leads_nowhere_finds_nothing() {
        for pointer in
            ["foo", "/foo/2", "/foo/-", "/foo/01", "/foo/+1", "/foo/0/x", "/m~2n", "/m~", "/x", "/foo/"]
        {
            assert_eq!(text_at(DOCUMENT, pointer), None, "{pointer}");
        }
    }

    #[test]
    fn a_value_is_found_as_it_was_written() {
        assert_eq!(text_at(r#"{"a": [1.50, {"b" : 1e2 }]}"#, "/a/1"), Some(r#"{"b" : 1e2 }"#));
        assert_eq!(text_at(r#"{"a": 1.50}"#, "/a"), Some("1.50"));
    }
}
