//! The signer of a plugin, as a row of the lock file records it.

use std::fmt;

use hookbox_trust::policies::CheckedKey;
use serde::Deserialize;

use super::{is_plain, quote_toml};

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
    pub fn from_keys(keys: &[CheckedKey], before: Option<&Self>) -> Option<Self> {
        let known = || keys.iter().filter(|key| !key.principals.is_empty());
        let same = before.and_then(|before| before.find_among(keys));
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
        self.find_among(keys).is_some()
    }

    /// Returns the signer's key among these, and its current name.
    fn find_among<'a>(&self, keys: &'a [CheckedKey]) -> Option<(&'a CheckedKey, Option<&'a String>)> {
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
        let principal =
            principal.as_deref().map(|principal| format!("principal = {}, ", quote_toml(principal)));
        let also: Vec<_> = also.iter().map(|key| quote_toml(key)).collect();
        let also = if also.is_empty() { String::new() } else { format!(", also = [{}]", also.join(", ")) };
        format!("{{ {}key = {}{also} }}", principal.unwrap_or_default(), quote_toml(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_key(key: &str, principals: &[&str]) -> CheckedKey {
        let principals = principals.iter().map(ToString::to_string).collect();
        CheckedKey { key: format!("SHA256:{key}"), principals }
    }

    fn format_signer(keys: &[CheckedKey], before: Option<&Signer>) -> String {
        Signer::from_keys(keys, before).map_or_else(String::new, |signer| signer.line())
    }

    #[test]
    fn it_is_by_whom_somebody_vouches_for_and_else_by_the_first_key() {
        let (acme, evil) = (make_key("acme", &["acme", "also acme"]), make_key("evil", &[]));
        let by_acme = r#"{ principal = "acme", key = "SHA256:acme" }"#;
        assert_eq!(format_signer(&[evil.clone(), acme.clone()], None), by_acme);
        assert_eq!(
            format_signer(&[evil.clone(), make_key("other", &[])], None),
            r#"{ key = "SHA256:evil" }"#
        );
        assert_eq!(
            format_signer(&[acme, evil, make_key("second", &["second"])], None),
            r#"{ principal = "acme", key = "SHA256:acme", also = ["SHA256:second"] }"#
        );
        assert_eq!(format_signer(&[], None), "");
    }

    #[test]
    fn no_signature_that_is_put_before_makes_it_somebody_elses() {
        let pinned = Signer::from_keys(&[make_key("acme", &[])], None).unwrap();
        assert_eq!(
            format_signer(&[make_key("evil", &[]), make_key("acme", &[])], Some(&pinned)),
            r#"{ key = "SHA256:acme" }"#
        );
        let bobs_too = [make_key("acme", &[]), make_key("bob", &["bob"])];
        assert_eq!(format_signer(&bobs_too, Some(&pinned)), r#"{ key = "SHA256:acme" }"#);
        let bobs_first = [make_key("bob", &["bob"]), make_key("acme", &["acme"])];
        let known = Signer::from_keys(&bobs_first[1..], None).unwrap();
        assert_eq!(
            format_signer(&bobs_first, Some(&known)),
            r#"{ principal = "acme", key = "SHA256:acme", also = ["SHA256:bob"] }"#
        );
    }

    #[test]
    fn it_is_the_same_by_its_name_or_by_its_key_as_long_as_somebody_vouches() {
        let known = Signer::from_keys(&[make_key("old", &["acme"])], None).unwrap();
        for (keys, is_same) in [
            (make_key("new", &["acme"]), true),
            (make_key("old", &["acme, renamed"]), true),
            (make_key("old", &[]), false),
            (make_key("new", &["bob"]), false),
        ] {
            assert_eq!(known.is_among(std::slice::from_ref(&keys)), is_same, "{keys:?}");
        }
        let pinned = Signer::from_keys(&[make_key("old", &[])], None).unwrap();
        assert!(
            pinned.is_among(&[make_key("old", &["acme"])]) && !pinned.is_among(&[make_key("new", &["acme"])])
        );
    }
}
