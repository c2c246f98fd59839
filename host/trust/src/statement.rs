//! The signed statement of a release: an in-toto statement about the plugin's file, of the kind [`PREDICATE`]. Its exact bytes are
//! signed, so it has one reading or none.

mod newest;
mod read;

use std::time::SystemTime;

use hookbox_model::{Effect, Effects, Manifest, PluginName, Version};
use hookbox_port::digest::Sha256Digest;
use serde_json::{Value, json};

pub use self::newest::{find_early_warning, find_overdue_warning, format_time};
use crate::{Refusal, RefusalKind};

/// Type of the statement.
pub const STATEMENT: &str = "https://in-toto.io/Statement/v1";
/// Type of its predicate.
pub const PREDICATE: &str = "https://hookbox.dev/release/v1";
/// Longest statement, bytes: enough for all requests of a manifest of the greatest length.
pub const MAX_STATEMENT_BYTES: usize = 256 << 10;

/// Content of a release statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// The plugin's name.
    pub name: PluginName,
    /// Digest of the plugin's file.
    pub component: Sha256Digest,
    /// Digest of the manifest in it.
    pub manifest: Sha256Digest,
    /// Its version.
    pub version: Version,
    /// Number of the release.
    pub seq: u64,
    /// Release channel.
    pub channel: String,
    /// Time at which the statement was made, as its maker claims.
    pub issued: SystemTime,
    /// Time until which it is the newest, as its maker claims: without a newer one by then, releases may be withheld.
    pub expires: Option<SystemTime>,
    /// The world that the plugin was built for.
    pub world: Option<String>,
    /// Names of the requested capabilities.
    pub capabilities: Vec<String>,
    /// Effects that its answers can have.
    pub effects: Effects,
    /// Source that it was built from.
    pub source: Option<Source>,
}

/// Source that a plugin was built from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The repository.
    pub repo: String,
    /// The revision in it.
    pub rev: Option<String>,
}

/// A plugin's file: its digest, and the manifest in it.
#[derive(Clone, Copy, Debug)]
pub struct Component<'a> {
    /// Digest of the file.
    pub digest: &'a Sha256Digest,
    /// Its manifest.
    pub manifest: &'a Manifest,
    /// The bytes of the manifest.
    pub manifest_bytes: &'a [u8],
}

impl Release {
    /// Creates the statement about this file.
    pub fn of_component(
        component: Component<'_>,
        channel: &str,
        issued: SystemTime,
        source: Option<Source>,
    ) -> Self {
        let Component { digest, manifest, manifest_bytes } = component;
        Self {
            name: manifest.name.clone(),
            component: digest.clone(),
            manifest: Sha256Digest::of_content(manifest_bytes),
            version: manifest.version.clone(),
            seq: manifest.seq,
            channel: channel.to_owned(),
            issued,
            expires: None,
            world: manifest.world.clone(),
            capabilities: manifest.asks.names(),
            effects: manifest.effects,
            source,
        }
    }

    /// Parses a statement.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        read::parse_statement(bytes)
            .map_err(|why| Refusal::new(RefusalKind::Statement, format!("the statement {why}")))
    }

    /// Returns the statement to sign.
    pub fn to_statement(&self) -> String {
        let source =
            |source: &Source| build_object([("repo", json!(source.repo)), ("rev", json!(source.rev))]);
        let predicate = build_object([
            ("version", json!(self.version.to_string())),
            ("seq", json!(self.seq)),
            ("channel", json!(self.channel)),
            ("issued", json!(format_time(self.issued))),
            ("expires", json!(self.expires.map(format_time))),
            ("world", json!(self.world)),
            ("capabilities", json!(self.capabilities)),
            ("effects", json!(list_effect_names(self.effects))),
            ("manifest_sha256", json!(self.manifest.as_str())),
            ("source", self.source.as_ref().map_or(Value::Null, source)),
        ]);
        let subject = json!({ "name": self.name.as_str(), "digest": { "sha256": self.component.as_str() } });
        let statement = json!({
            "_type": STATEMENT,
            "subject": [subject],
            "predicateType": PREDICATE,
            "predicate": predicate,
        });
        format!("{statement:#}\n")
    }

    /// Checks that the statement is about this file, and matches the file's manifest.
    pub fn check_component(&self, component: Component<'_>) -> Result<(), Refusal> {
        let mismatch = |why: String| Err(Refusal::new(RefusalKind::Mismatch, why));
        // First, so that a rebuilt plugin gets this message and not one about its manifest.
        if self.component != *component.digest {
            return mismatch(format!(
                "the statement is about the file with the SHA-256 {}, and this one has {}: after another build it is to be signed again",
                self.component.as_str(),
                component.digest.as_str()
            ));
        }
        // Compared as a whole with a statement made from the file: no field can be forgotten by a check of
        // its own.
        let expected = Self::of_component(component, &self.channel, self.issued, self.source.clone());
        for (what, is_same) in [
            ("name", self.name == expected.name),
            ("version", self.version == expected.version),
            ("seq", self.seq == expected.seq),
            ("world", self.world == expected.world),
            ("capabilities", self.capabilities == expected.capabilities),
            ("effects", self.effects == expected.effects),
            ("manifest_sha256", self.manifest == expected.manifest),
        ] {
            if !is_same {
                return mismatch(format!(
                    "the statement says another `{what}` than the manifest in the file: sign the file anew"
                ));
            }
        }
        Ok(())
    }
}

/// Returns the names of the effects, weakest first.
pub fn list_effect_names(effects: Effects) -> Vec<&'static str> {
    effects.iter().map(Effect::as_str).collect()
}

/// Builds an object from the members that are not null.
fn build_object<const N: usize>(members: [(&str, Value); N]) -> Value {
    let there = members.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(there.map(|(key, value)| (key.to_owned(), value)).collect())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const MANIFEST: &str = r#"{"schema":1,"name":"acme/guard","version":"1.2.0","seq":12,"world":"hookbox:hook/hook@0.2.0",
        "effects":["deny-code","ask"],"capabilities":{"clock":true,"fs":{"read":["project"]}}}"#;

    fn make_release(manifest: &str) -> (Release, Manifest, Sha256Digest) {
        let digest = Sha256Digest::of_content(b"component");
        let read = Manifest::parse(manifest.as_bytes()).unwrap();
        let component = Component { digest: &digest, manifest: &read, manifest_bytes: manifest.as_bytes() };
        let issued = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let source = Source { repo: "https://git.example/guard".to_owned(), rev: Some("abc".to_owned()) };
        (Release::of_component(component, "stable", issued, Some(source)), read, digest)
    }

    const STATEMENT_TEXT: &str = r#"{
  "_type": "https://in-toto.io/Statement/v1",
  "subject": [
    {
      "name": "acme/guard",
      "digest": {
        "sha256": "de3d87faeb20eac9a1c5c4ea3959f8e9ad6bfd0ee8b8f61c2ab9f5ab8c2e2ad4"
      }
    }
  ],
  "predicateType": "https://hookbox.dev/release/v1",
  "predicate": {
    "version": "1.2.0",
    "seq": 12,
    "channel": "stable",
    "issued": "2023-11-14T22:13:20Z",
    "world": "hookbox:hook/hook@0.2.0",
    "capabilities": [
      "clock",
      "fs.read project"
    ],
    "effects": [
      "ask",
      "deny-code"
    ],
    "manifest_sha256": "MANIFEST",
    "source": {
      "repo": "https://git.example/guard",
      "rev": "abc"
    }
  }
}
"#;

    #[test]
    fn a_statement_is_read_back_as_it_was_made() {
        let (release, ..) = make_release(MANIFEST);
        let text = release.to_statement();
        let wanted = STATEMENT_TEXT
            .replace("MANIFEST", Sha256Digest::of_content(MANIFEST.as_bytes()).as_str())
            .replace(
                "de3d87faeb20eac9a1c5c4ea3959f8e9ad6bfd0ee8b8f61c2ab9f5ab8c2e2ad4",
                Sha256Digest::of_content(b"component").as_str(),
            );
        assert_eq!(text, wanted);
        assert_eq!(Release::parse(text.as_bytes()), Ok(release));
    }

    #[test]
    fn the_largest_manifest_has_a_statement_that_is_read() {
        let names: Vec<_> = (0..100).map(|n| format!("\"{}{n:03}\"", "é".repeat(150))).collect();
        let list = names.join(",");
        let manifest = format!(
            r#"{{"schema":1,"name":"a","version":"1.0.0","capabilities":{{"secret":[{list}]}},"x":"{}"}}"#,
            "x".repeat(30_000)
        );
        let read = Manifest::parse(manifest.as_bytes()).unwrap();
        let digest = Sha256Digest::of_content(b"");
        let component = Component { digest: &digest, manifest: &read, manifest_bytes: manifest.as_bytes() };
        let statement =
            Release::of_component(component, "stable", SystemTime::UNIX_EPOCH, None).to_statement();
        assert!(Release::parse(statement.as_bytes()).is_ok(), "{}", statement.len());
    }

    #[test]
    fn a_statement_is_about_one_file_and_its_manifest() {
        let (release, manifest, digest) = make_release(MANIFEST);
        let component =
            Component { digest: &digest, manifest: &manifest, manifest_bytes: MANIFEST.as_bytes() };
        assert_eq!(release.check_component(component), Ok(()));
        let other = Sha256Digest::of_content(b"other");
        let of_other = release.check_component(Component { digest: &other, ..component }).unwrap_err();
        assert_eq!(
            of_other.to_string(),
            format!(
                "the statement is about the file with the SHA-256 {}, and this one has {}: after another build it is to be signed again",
                digest.as_str(),
                other.as_str()
            )
        );
        for (from, to, what) in [
            ("acme/guard", "acme/other", "name"),
            ("1.2.0", "1.2.1", "version"),
            ("12", "13", "seq"),
            ("hook@0.2.0", "hook@0.1.0", "world"),
            (r#""clock":true,"#, "", "capabilities"),
            (r#","ask""#, "", "effects"),
            ("schema", " schema", "manifest_sha256"),
        ] {
            let text = MANIFEST.replacen(from, to, 1).replace("\" schema", " \"schema");
            let parsed = Manifest::parse(text.as_bytes()).unwrap();
            let component = Component { digest: &digest, manifest: &parsed, manifest_bytes: text.as_bytes() };
            let why = release.check_component(component).unwrap_err().to_string();
            assert!(why.contains(&format!("another `{what}`")), "{what}: {why}");
        }
    }

    #[test]
    fn an_expired_release_is_reported_with_the_date_of_its_expiry() {
        let (release, ..) = make_release(MANIFEST);
        let until = SystemTime::UNIX_EPOCH + Duration::from_hours(480_000);
        let release = Release { expires: Some(until), ..release };
        let text = release.to_statement();
        assert!(text.contains("\n    \"expires\": \"2024-10-04T00:00:00Z\","), "{text}");
        assert_eq!(Release::parse(text.as_bytes()), Ok(release));
        assert_eq!(find_overdue_warning(&format_time(until), until - Duration::from_secs(1)), None);
        assert!(
            find_overdue_warning(&format_time(until), until)
                .unwrap()
                .contains("the newest until 2024-10-04, and nothing")
        );
    }

    #[test]
    fn a_release_issued_later_than_now_is_reported() {
        let (release, ..) = make_release(MANIFEST);
        assert_eq!(find_early_warning(&format_time(release.issued), release.issued), None);
        let before = release.issued - Duration::from_secs(1);
        assert!(
            find_early_warning(&format_time(release.issued), before).unwrap().contains("made later than now")
        );
    }

    fn parse_error(text: &str) -> String {
        Release::parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn whatever_could_be_read_in_two_ways_is_refused() {
        let good = make_release(MANIFEST).0.to_statement();
        let subject = good.split("\"subject\": [").nth(1).unwrap().split(']').next().unwrap().to_owned();
        let digest = Sha256Digest::of_content(b"component");
        for (from, to, why) in [
            ("Statement/v1", "Statement/v0.1", "has another `_type` than https://in-toto.io/Statement/v1"),
            ("release/v1", "release/v2", "has another `predicateType` than https://hookbox.dev/release/v1"),
            ("release/v1", "release/v1/", "has another `predicateType` than https://hookbox.dev/release/v1"),
            ("release/v1", "Release/v1", "has another `predicateType` than https://hookbox.dev/release/v1"),
            ("\"predicate\"", "\"extra\": 1, \"predicate\"", "has the unknown member `extra`"),
            ("\"seq\"", "\"extra\": 1, \"seq\"", "has the unknown member `predicate.extra`"),
            (
                "\"seq\"",
                "\"seq\": 11, \"seq\"",
                "is not valid JSON: the key \"seq\" appears twice, at line 14 column 20",
            ),
            ("\"rev\"", "\"more\": 1, \"rev\"", "has the unknown member `predicate.source.more`"),
            (subject.as_str(), "", "has 0 subjects, and one is to be there"),
            (subject.as_str(), &format!("{subject},{subject}"), "has 2 subjects, and one is to be there"),
            (
                digest.as_str(),
                &digest.as_str().to_uppercase(),
                "has a `subject.digest.sha256` that is not a SHA-256 in lower case",
            ),
            (
                digest.as_str(),
                &digest.as_str()[1..],
                "has a `subject.digest.sha256` that is not a SHA-256 in lower case",
            ),
            ("\"sha256\":", "\"sha512\":", "has the unknown member `subject.digest.sha512`"),
            ("acme/guard", "acme/../guard", "has a `subject.name` that is not a plugin name"),
            ("\"1.2.0\"", "\"1.2\"", "has a `predicate.version` that is not a version"),
            ("12,", "-1,", "has no `predicate.seq`, or it is no number"),
            (
                "2023-11-14T22:13:20Z",
                "2023-11-14",
                "has a `predicate.issued` that is not a time such as 2026-01-31T12:00:00Z",
            ),
            (
                "\"world\"",
                "\"expires\": \"soon\", \"world\"",
                "has a `predicate.expires` that is not a time such as 2026-01-31T12:00:00Z",
            ),
            (
                "\"stable\"",
                "\"a\\u0007b\"",
                "has a `predicate.channel` with characters that cannot be seen, or too many",
            ),
            ("\"deny-code\"", "\"fly\"", "has a `predicate.effects` with `fly`, which is not one"),
            (
                "\"ask\",",
                "\"ask\", \"ask\",",
                "has a `predicate.effects` that names one twice, or not in order",
            ),
            ("\"clock\",", "1,", "has no `predicate.capabilities`, or it is not a list of texts"),
        ] {
            assert_eq!(
                parse_error(&good.replacen(from, to, 1)),
                format!("the statement {why}"),
                "{from} {to}"
            );
        }
        assert_eq!(
            parse_error(&format!("\u{feff}{good}")),
            "the statement is not valid JSON: expected value, at line 1 column 1"
        );
        assert_eq!(
            parse_error(&format!("{good}x")),
            "the statement is not valid JSON: trailing characters, at line 33 column 1"
        );
        assert_eq!(
            parse_error(&format!("{good}{}", " ".repeat(MAX_STATEMENT_BYTES))),
            "the statement is longer than 262144 bytes"
        );
        assert_eq!(
            parse_error(&"[".repeat(200)),
            "the statement is not valid JSON: it is nested deeper than 100 levels, at line 1 column 101"
        );
        assert_eq!(Release::parse(b"\xff").unwrap_err().to_string(), "the statement is not UTF-8");
        assert_eq!(parse_error("[]"), "the statement is not valid JSON: it is not a JSON object");
    }

    #[test]
    fn a_statement_that_lacks_anything_that_has_to_be_there_is_refused() {
        let good = make_release(MANIFEST).0.to_statement();
        let value: serde_json::Value = serde_json::from_str(&good).unwrap();
        for at in ["/_type", "/subject", "/predicateType", "/predicate"] {
            let mut less = value.clone();
            less.as_object_mut().unwrap().shift_remove(&at[1..]);
            assert!(parse_error(&less.to_string()).contains(&at[1..]), "{at}");
        }
        for member in ["version", "seq", "channel", "issued", "capabilities", "effects", "manifest_sha256"] {
            let mut less = value.clone();
            less["predicate"].as_object_mut().unwrap().shift_remove(member);
            assert!(parse_error(&less.to_string()).contains(&format!("predicate.{member}")), "{member}");
        }
    }
}
