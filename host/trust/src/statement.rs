//! The signed statement of a release: an in-toto statement about the plugin's file, of the kind [`PREDICATE`]. Its exact bytes are
//! signed, so it has one reading or none.

mod component;
mod newest_period;
mod read;

use std::time::SystemTime;

use hookbox_core::digest::Sha256Digest;
use hookbox_model::{Effect, Effects, PluginName, Version};
use serde_json::{Value, json};

pub use self::{
    component::Component,
    newest_period::{find_early_warning, find_overdue_warning, format_time},
};
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

impl Release {
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

    use hookbox_model::Manifest;

    use super::*;

    pub(super) const MANIFEST: &str = r#"{"schema":1,"name":"acme/guard","version":"1.2.0","seq":12,"world":"hookbox:hook/hook@0.2.0",
        "effects":["deny-code","ask"],"capabilities":{"clock":true,"fs":{"read":["project"]}}}"#;

    pub(super) fn make_release(manifest: &str) -> (Release, Manifest, Sha256Digest) {
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
                .contains("expired on 2024-10-04, and no newer release")
        );
    }

    #[test]
    fn a_release_issued_later_than_now_is_reported() {
        let (release, ..) = make_release(MANIFEST);
        assert_eq!(find_early_warning(&format_time(release.issued), release.issued), None);
        let before = release.issued - Duration::from_secs(1);
        assert!(
            find_early_warning(&format_time(release.issued), before).unwrap().contains("is in the future")
        );
    }
}
