//! The file of allowances. Events remove used and expired ones, so only added ones count as a change.

use hookbox::Sha256Digest;
use serde_json::Value;

/// Description of a file without added allowances.
pub(super) const NOTHING_ADDED: &str = "nothing added";

/// Describes the allowances that the good copy does not have.
pub(super) fn describe_added(now: &[u8], good: &[u8]) -> String {
    let good = parse_list(good);
    let mut added: Vec<String> =
        parse_list(now).iter().filter(|one| !good.contains(one)).map(ToString::to_string).collect();
    if added.is_empty() {
        return NOTHING_ADDED.to_owned();
    }
    added.sort();
    Sha256Digest::of_content(added.join("\n").as_bytes()).as_str().to_owned()
}

/// Returns the file without added allowances. Used ones do not come back.
pub(super) fn remove_added(now: &[u8], good: &[u8]) -> Vec<u8> {
    let good = parse_list(good);
    let kept: Vec<Value> = parse_list(now).into_iter().filter(|one| good.contains(one)).collect();
    Value::Array(kept).to_string().into_bytes()
}

/// Parses the list. A damaged file allows nothing.
fn parse_list(text: &[u8]) -> Vec<Value> {
    serde_json::from_slice(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_added_allowances_are_a_change() {
        let good = br#"[{"call":"a"},{"call":"b"}]"#;
        for now in [&b""[..], b"[]", b"no JSON", br#"[{"call":"b"}]"#, good] {
            assert_eq!(describe_added(now, good), NOTHING_ADDED);
        }
        let now = br#"[{"call":"b"},{"call":"c"}]"#;
        assert_ne!(describe_added(now, good), NOTHING_ADDED);
        assert_eq!(remove_added(now, good), br#"[{"call":"b"}]"#);
    }
}
