//! Changes to JSON text. Parts that a change does not name keep their spelling: a number keeps its digits, which no number in memory
//! would. Only the blanks between parts are removed: answers are one line.

use std::collections::{HashMap, HashSet};

use serde_json::value::RawValue;

use crate::{Json, RawObject};

impl Json {
    /// Applies the merge patch `patch` (RFC 7396). Members that the patch does not name keep their spelling, but for blanks, at any
    /// depth; new members are at the end.
    #[must_use]
    pub fn apply_patch(&self, patch: &Self) -> Self {
        merge_texts(Some(self.as_str()), patch.as_str())
    }

    /// Sets the member `key` of the object to `value`: in the place of the old value, else at the end; without blanks. A value that is
    /// not an object is returned unchanged.
    #[must_use]
    pub fn with_member(&self, key: &str, value: &Self) -> Self {
        let Some(members) = self.members() else { return self.clone() };
        let is_new = members.get(key).is_none();
        let kept =
            members.iter().map(|(name, old)| (name, if name == key { value.as_str() } else { old.get() }));
        let spliced = Self::from_members(kept.chain(is_new.then_some((key, value.as_str()))));
        Self::from_checked(&without_blanks(spliced.as_str()))
    }
}

/// Merges checked texts, so the result is as deep as any JSON may be and no deeper.
fn merge_texts(target: Option<&str>, patch: &str) -> Json {
    let Ok(changes) = RawObject::parse(patch) else { return Json::from_checked(&without_blanks(patch)) };
    // A target that is not an object counts as an empty one.
    let members = target.and_then(|target| RawObject::parse(target).ok()).unwrap_or_default();
    // Members are looked up by hash: with a search for each, time would grow with the square of their number.
    let by_key: HashMap<&str, &RawValue> = changes.iter().collect();
    let there: HashSet<&str> = members.iter().map(|(key, _)| key).collect();
    let kept = members.iter().filter_map(|(key, old)| match by_key.get(key) {
        None => Some((key, Json::from_checked(&without_blanks(old.get())))),
        Some(change) if removes_member(change) => None,
        Some(change) => Some((key, merge_texts(Some(old.get()), change.get()))),
    });
    let added = changes.iter().filter(|(key, change)| !there.contains(key) && !removes_member(change));
    let added = added.map(|(key, change)| (key, merge_texts(None, change.get())));
    let result: Vec<(&str, Json)> = kept.chain(added).collect();
    Json::from_members(result.iter().map(|(key, value)| (*key, value.as_str())))
}

/// Returns the text without the blanks and line breaks between its parts.
fn without_blanks(text: &str) -> String {
    let (mut within, mut escaped) = (false, false);
    let is_kept = |c: &char| {
        match (*c, within) {
            ('"', _) if !escaped => within = !within,
            (c, false) if c.is_ascii_whitespace() => return false,
            _ => {}
        }
        escaped = *c == '\\' && !escaped;
        true
    };
    text.chars().filter(is_kept).collect()
}

fn removes_member(change: &RawValue) -> bool {
    // RFC 7396, so no patch can set a member to `null`.
    change.get() == "null"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::*;

    fn parse_json(text: &str) -> Json {
        Json::parse(text).unwrap()
    }

    #[test]
    fn a_merge_patch_does_what_rfc_7396_shows() {
        for (target, patch, expected) in [
            (r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
            (r#"{"a":"b"}"#, r#"{"b":"c"}"#, r#"{"a":"b","b":"c"}"#),
            (r#"{"a":"b"}"#, r#"{"a":null}"#, "{}"),
            (r#"{"a":"b","b":"c"}"#, r#"{"a":null}"#, r#"{"b":"c"}"#),
            (r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
            (r#"{"a":"c"}"#, r#"{"a":["b"]}"#, r#"{"a":["b"]}"#),
            (r#"{"a":{"b":"c"}}"#, r#"{"a":{"b":"d","c":null}}"#, r#"{"a":{"b":"d"}}"#),
            (r#"{"a":[{"b":"c"}]}"#, r#"{"a":[1]}"#, r#"{"a":[1]}"#),
            (r#"["a","b"]"#, r#"["c","d"]"#, r#"["c","d"]"#),
            (r#"{"a":"b"}"#, r#"["c"]"#, r#"["c"]"#),
            (r#"{"a":"foo"}"#, "null", "null"),
            (r#"{"a":"foo"}"#, r#""bar""#, r#""bar""#),
            (r#"{"e":null}"#, r#"{"a":1}"#, r#"{"e":null,"a":1}"#),
            ("[1,2]", r#"{"a":"b","c":null}"#, r#"{"a":"b"}"#),
            ("{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a":{"bb":{}}}"#),
        ] {
            assert_eq!(
                parse_json(target).apply_patch(&parse_json(patch)).as_str(),
                expected,
                "{target} with {patch}"
            );
        }
    }

    #[test]
    fn a_number_outside_the_patch_keeps_its_spelling_and_its_digits() {
        let target = parse_json(r#"{"a":{"price":1.10,"id":12345678901234567890123},"b":[1e2,-0.0],"c":1}"#);
        let merged = target.apply_patch(&parse_json(r#"{"a":{"new":2.50},"c":3.0}"#));
        let expected =
            r#"{"a":{"price":1.10,"id":12345678901234567890123,"new":2.50},"b":[1e2,-0.0],"c":3.0}"#;
        assert_eq!(merged.as_str(), expected);
        let spliced = target.with_member("c", &parse_json("7.00"));
        assert_eq!(spliced.as_str(), target.as_str().replace("\"c\":1", "\"c\":7.00"));
    }

    #[test]
    fn a_hundred_thousand_members_are_merged_member_by_member() {
        let object = |value: &str| {
            let members: Vec<_> = (0..100_000).map(|at| format!("\"k{at}\":{value}")).collect();
            parse_json(&format!("{{{}}}", members.join(",")))
        };
        assert_eq!(object("1").apply_patch(&object("2")).as_str(), object("2").as_str());
    }

    /// The algorithm of the RFC, on values in memory.
    fn merge_by_rfc(target: &mut Value, patch: Value) {
        let Value::Object(changes) = patch else {
            *target = patch;
            return;
        };
        if !target.is_object() {
            *target = Value::Object(Map::new());
        }
        let Value::Object(members) = target else { return };
        for (key, change) in changes {
            if change.is_null() {
                members.shift_remove(&key);
            } else {
                merge_by_rfc(members.entry(key).or_insert(Value::Null), change);
            }
        }
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-c\\\\\"\u{fc}]{0,3}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::btree_map("[a-d\"\u{fc}]{1}", inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    /// Numbers as people write them; most change when they are read into memory and written again.
    fn any_number() -> impl Strategy<Value = String> {
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?"
    }

    proptest! {
        #[test]
        fn a_patch_means_the_same_as_on_values_in_memory(target in any_value(), patch in any_value()) {
            let merged = Json::from_value(&target).apply_patch(&Json::from_value(&patch));
            prop_assert!(Json::parse(merged.as_str()).is_ok());
            let mut expected = target;
            merge_by_rfc(&mut expected, patch);
            prop_assert_eq!(merged.to_value(), expected);
        }

        #[test]
        fn members_outside_the_patch_are_kept_as_they_were_written(
            kept in prop::collection::btree_map("k[a-z]{1,3}", any_number(), 0..8),
            named in prop::collection::btree_map("n[a-z]{1,3}", any_value(), 0..4),
        ) {
            let members: Vec<_> = kept.iter().map(|(key, number)| format!("\"{key}\":{{\"x \\\" y\": [\n {number} ]}}")).collect();
            let target = parse_json(&format!("{{{}}}", members.join(",")));
            let patch = Json::from_value(&json!(named));
            for changed in [target.apply_patch(&patch), target.with_member("n", &patch)] {
                let now = changed.members().unwrap();
                for (key, number) in &kept {
                    prop_assert_eq!(now.get(key).unwrap().get(), format!("{{\"x \\\" y\":[{number}]}}"));
                }
            }
        }
    }
}
