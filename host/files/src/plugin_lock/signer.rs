//! The signer of a plugin, as a row of the lock file records it.

use std::fmt;

use hookbox_trust::policies::CheckedKey;
use serde::Deserialize;

use super::{is_plain, quoted};

/// Maximum number of additional keys.
const MAX_KEYS: usize = 16;

/// The signer of a plugin.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signer {
    /// The name that `allowed_signers` had for the key; `None` if the key is not listed.
    pub principal: Option<String>,
    /// The key's fingerprint, `SHA256:…`.
    pub key: String,
    /// The other listed keys that signed it. Unlisted ones are left out, since anybody can add a signature.
    #[serde(default)]
    pub also: Vec<String>,
}

impl Signer {
    /// Returns the signer of a release, from the keys whose signatures are good. The signer of the previous release is kept if
    /// it signed this one as well: a distributor can put other signatures before the publisher's.
    pub fn of(keys: &[CheckedKey], before: Option<&Self>) -> Option<Self> {
        let known = || keys.iter().filter(|key| !key.principals.is_empty());
        let same = before.and_then(|before| before.among(keys));
        let first = || {
            let of_known = known().map(|key| (key, key.principals.first())).next();
            of_known.or_else(|| keys.first().map(|key| (key, None)))
        };
        let (key, principal) = same.or_else(first)?;
        // An unlisted key could belong to anybody, and no key would be left where the main one is revoked.
        let also = known().filter(|other| principal.is_some() && other.key != key.key);
        Some(Self {
            principal: principal.cloned(),
            key: key.key.clone(),
            also: also.map(|other| other.key.clone()).collect(),
        })
    }

    /// Returns true if a release with these keys has the same signer. An unlisted key identifies its signer.
    pub fn is_among(&self, keys: &[CheckedKey]) -> bool {
        self.among(keys).is_some()
    }

    /// Returns the signer's key among these, and its current name.
    fn among<'a>(&self, keys: &'a [CheckedKey]) -> Option<(&'a CheckedKey, Option<&'a String>)> {
        let by_name = |key: &'a CheckedKey| {
            let name = key.principals.iter().find(|name| self.principal.as_ref() == Some(*name))?;
            Some((key, Some(name)))
        };
        // A key that was listed before must still be listed.
        let is_key = |key: &&CheckedKey| {
            key.key == self.key && (self.principal.is_none() || !key.principals.is_empty())
        };
        keys.iter()
            .find_map(by_name)
            .or_else(|| keys.iter().find(is_key).map(|key| (key, key.principals.first())))
    }

    /// Returns every key.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.key).chain(&self.also).map(String::as_str)
    }
}

impl fmt::Display for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.principal {
            Some(principal) => write!(f, "{principal} ({})", self.key),
            None => write!(f, "{}, which is not verified", self.key),
        }
    }
}

impl Signer {
    /// Returns true if hookbox could have written this signer.
    pub(super) fn is_plain(&self) -> bool {
        self.also.len() <= MAX_KEYS
            && self.keys().all(|key| key.starts_with("SHA256:"))
            && self.keys().chain(self.principal.as_deref()).all(is_plain)
    }

    /// Returns the text for a row.
    pub(super) fn line(&self) -> String {
        let Self { principal, key, also } = self;
        let principal = principal.as_deref().map(|principal| format!("principal = {}, ", quoted(principal)));
        let also: Vec<_> = also.iter().map(|key| quoted(key)).collect();
        let also = if also.is_empty() { String::new() } else { format!(", also = [{}]", also.join(", ")) };
        format!("{{ {}key = {}{also} }}", principal.unwrap_or_default(), quoted(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(key: &str, principals: &[&str]) -> CheckedKey {
        let principals = principals.iter().map(ToString::to_string).collect();
        CheckedKey { key: format!("SHA256:{key}"), principals }
    }

    fn line(keys: &[CheckedKey], before: Option<&Signer>) -> String {
        Signer::of(keys, before).map_or_else(String::new, |signer| signer.line())
    }

    #[test]
    fn it_is_by_whom_somebody_vouches_for_and_else_by_the_first_key() {
        let (acme, evil) = (key("acme", &["acme", "also acme"]), key("evil", &[]));
        let by_acme = r#"{ principal = "acme", key = "SHA256:acme" }"#;
        assert_eq!(line(&[evil.clone(), acme.clone()], None), by_acme);
        assert_eq!(line(&[evil.clone(), key("other", &[])], None), r#"{ key = "SHA256:evil" }"#);
        assert_eq!(
            line(&[acme, evil, key("second", &["second"])], None),
            r#"{ principal = "acme", key = "SHA256:acme", also = ["SHA256:second"] }"#
        );
        assert_eq!(line(&[], None), "");
    }

    #[test]
    fn no_signature_that_is_put_before_makes_it_somebody_elses() {
        let pinned = Signer::of(&[key("acme", &[])], None).unwrap();
        assert_eq!(line(&[key("evil", &[]), key("acme", &[])], Some(&pinned)), r#"{ key = "SHA256:acme" }"#);
        let bobs_too = [key("acme", &[]), key("bob", &["bob"])];
        assert_eq!(line(&bobs_too, Some(&pinned)), r#"{ key = "SHA256:acme" }"#);
        let bobs_first = [key("bob", &["bob"]), key("acme", &["acme"])];
        let known = Signer::of(&bobs_first[1..], None).unwrap();
        assert_eq!(
            line(&bobs_first, Some(&known)),
            r#"{ principal = "acme", key = "SHA256:acme", also = ["SHA256:bob"] }"#
        );
    }

    #[test]
    fn it_is_the_same_by_its_name_or_by_its_key_as_long_as_somebody_vouches() {
        let known = Signer::of(&[key("old", &["acme"])], None).unwrap();
        for (keys, is_same) in [
            (key("new", &["acme"]), true),
            (key("old", &["acme, renamed"]), true),
            (key("old", &[]), false),
            (key("new", &["bob"]), false),
        ] {
            assert_eq!(known.is_among(std::slice::from_ref(&keys)), is_same, "{keys:?}");
        }
        let pinned = Signer::of(&[key("old", &[])], None).unwrap();
        assert!(pinned.is_among(&[key("old", &["acme"])]) && !pinned.is_among(&[key("new", &["acme"])]));
    }
}
