//! A plugin's manifest: its identity, its events, the effects of its answers, and the capabilities that it requests.
//!
//! The manifest is JSON in a custom section of the plugin. It grants nothing: a plugin has the capabilities that it requests and the
//! operator grants.

mod events;
mod name;
mod read;

use semver::Version;

pub use self::{events::PluginEvents, name::PluginName};
use crate::{Effect, Effects, EventName, ManifestError, RequestedGrants, Role};

/// Longest manifest, bytes.
pub const MAX_MANIFEST_BYTES: usize = 64 << 10;

/// A parsed manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The plugin's name.
    pub name: PluginName,
    /// Its version.
    pub version: Version,
    /// Number of the release; a later release never has a lower one. Defaults to 0.
    pub seq: u64,
    /// Purpose of the plugin, in a sentence of at most 200 characters.
    pub description: Option<String>,
    /// The world that it was built for.
    pub world: Option<String>,
    /// The oldest hookbox that it works with.
    pub min_host: Option<Version>,
    /// The events that it has an opinion on.
    pub events: PluginEvents,
    /// Effects that its answers can have.
    pub effects: Effects,
    /// Capabilities that it requests.
    pub asks: RequestedGrants,
    /// Entries that this version of hookbox does not know.
    pub unknown: Vec<String>,
}

/// Effects that need no request, since they only make an outcome stricter: otherwise a guard whose author forgot the request would let
/// pass what it denies.
const STRICTER: Effects = Effects::from_slice(&[Effect::Observe, Effect::Ask, Effect::DenyCode]);

impl Manifest {
    /// Reads the content of the section.
    pub fn parse(bytes: &[u8]) -> Result<Self, ManifestError> {
        read::parse_manifest(bytes)
    }

    /// Returns the effects that the plugin's answers may have by its manifest.
    pub fn may(&self) -> Effects {
        self.effects.union(STRICTER)
    }

    /// Returns reasons against calling the plugin in this role for these events, a sentence each.
    pub fn list_doubts(&self, role: Role, events: &[EventName]) -> Vec<String> {
        let rewrites = role != Role::Transform || self.effects.contains(Effect::Rewrite);
        let role = "the hook is a transform, but the plugin's manifest does not ask to `rewrite`";
        let strange: Vec<_> = events.iter().filter(|event| !self.events.includes_event(event)).collect();
        let events = strange.first().map(|first| {
            let more = strange.len() - 1;
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            format!("the hook is for {first}{more}, but the plugin's manifest names {} only", self.events)
        });
        (!rewrites).then(|| role.to_owned()).into_iter().chain(events).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Manifest, String> {
        Manifest::parse(text.as_bytes()).map_err(|error| error.to_string())
    }

    fn build_manifest(members: &str) -> String {
        format!(r#"{{"schema":1,"name":"acme/guard","version":"1.2.0"{members}}}"#)
    }

    #[test]
    fn every_member_is_read() {
        let read = parse(&build_manifest(
            r#","seq":12,"description":"Guards.","world":"hookbox:hook/hook@0.1.0","min-host":"0.1.0",
            "events":["tool.*","session.start"],"effects":["ask","rewrite"],
            "capabilities":{"clock":true,"random":false,"env":["LANG"],"fs":{"read":["project"],"write":["*"]},
            "http":["https://a.example/"],"secret":["token"],"kv":["project"]}"#,
        ))
        .unwrap();
        assert_eq!(
            (read.name.as_str(), read.version.to_string(), read.seq),
            ("acme/guard", "1.2.0".to_owned(), 12)
        );
        assert_eq!(read.effects, Effects::from_slice(&[Effect::Ask, Effect::Rewrite]));
        assert!(
            read.events.includes_event(&EventName::ToolAfter)
                && read.events.includes_event(&EventName::SessionStart)
        );
        assert!(!read.events.includes_event(&EventName::SessionEnd));
        assert_eq!(
            read.asks.names(),
            [
                "clock",
                "env LANG",
                "fs.read project",
                "fs.write *",
                "http https://a.example/",
                "secret token",
                "kv project"
            ]
        );
        assert_eq!(read.unknown, Vec::<String>::new());
    }

    #[test]
    fn an_absent_capability_is_not_requested() {
        let read = parse(&build_manifest("")).unwrap();
        assert_eq!(
            (read.seq, read.asks, read.effects),
            (0, RequestedGrants::default(), Effects::from_slice(&[]))
        );
        assert!(read.events.includes_event(&EventName::Notification), "it says nothing of events");
    }

    #[test]
    fn names_are_strict_so_that_none_looks_like_another() {
        for name in ["guard", "acme/guard", "a/b/c-1", &"a".repeat(128)] {
            assert!(PluginName::parse(name).is_some(), "{name}");
        }
        for name in [
            "",
            "/",
            "a/",
            "/a",
            "a//b",
            "ACME",
            "acme.evil",
            "..",
            "a/../b",
            "a%2fb",
            "аcme",
            "a b",
            "a_b",
            &"a".repeat(129),
        ] {
            assert!(PluginName::parse(name).is_none(), "{name}");
        }
    }

    #[test]
    fn each_mistake_in_a_manifest_is_reported_with_the_name_of_its_member() {
        for (members, problem) in [
            (r#","seq":-1"#, "its `seq` is no whole number from 0"),
            (r#","description":"a\nb""#, "its `description` holds characters that cannot be seen"),
            (r#","events":["tool before"]"#, "its `events` name `tool before`, which is not an event"),
            (r#","events":"tool.before""#, "its `events` is no list of strings"),
            (
                r#","effects":["fly"]"#,
                "its `effects` name `fly`, which is not one: observe, ask, deny-code, context, deny-text, rewrite, allow",
            ),
            (r#","capabilities":[]"#, "its `capabilities` is no object"),
            (r#","capabilities":{"camera":true}"#, "its `capabilities` has the unknown member `camera`"),
            (r#","capabilities":{"clock":1}"#, "its `capabilities.clock` is neither true nor false"),
            (
                r#","capabilities":{"env":["A=B"]}"#,
                "its `capabilities.env` names `A=B`, which is not a variable",
            ),
            (
                r#","capabilities":{"fs":{"read":["/etc"]}}"#,
                "its `capabilities.fs.read` names `/etc`, but only the operator names folders: ask for `project`, or for `*`",
            ),
            (r#","capabilities":{"fs":{"list":[]}}"#, "its `capabilities.fs` has the unknown member `list`"),
            (
                r#","capabilities":{"clock":true,"clock":false}"#,
                "it is not valid JSON: the key \"clock\" appears twice, at line 1 column 86",
            ),
            (r#","min-host":"1""#, "its `min-host` is no version (three numbers, as in 1.2.0)"),
        ] {
            assert_eq!(parse(&build_manifest(members)).unwrap_err(), problem);
        }
        for (text, problem) in [
            ("[]", "it is not valid JSON: it is not a JSON object"),
            ("{}", "it has no `schema`"),
            (r#"{"schema":2}"#, "it has the schema 2, and this hookbox supports 1: update hookbox"),
            (r#"{"schema":1}"#, "it has no `name`"),
            (
                r#"{"schema":1,"name":"A","version":"1.0.0"}"#,
                "its `name` is not a plugin name (lower-case letters, digits and hyphens, in parts joined by `/`, at most 128)",
            ),
            (
                r#"{"schema":1,"name":"a","version":"01.0.0"}"#,
                "its `version` is no version (three numbers, as in 1.2.0)",
            ),
        ] {
            assert_eq!(parse(text).unwrap_err(), problem);
        }
        let long = build_manifest(&format!(r#","x":"{}""#, "a".repeat(MAX_MANIFEST_BYTES)));
        assert_eq!(parse(&long).unwrap_err(), "it is longer than 65536 bytes");
        assert_eq!(Manifest::parse(b"\xff").unwrap_err().to_string(), "it is not UTF-8");
    }

    #[test]
    fn what_a_later_hookbox_may_say_is_kept_as_a_note() {
        assert_eq!(parse(&build_manifest(r#","homepage":"x""#)).unwrap().unknown, ["homepage"]);
    }

    #[test]
    fn to_be_stricter_needs_no_asking() {
        let may = |effects: &str| {
            parse(&build_manifest(effects)).unwrap().may().iter().map(Effect::as_str).collect::<Vec<_>>()
        };
        assert_eq!(may(""), ["observe", "ask", "deny-code"]);
        assert_eq!(may(r#","effects":["allow"]"#), ["observe", "ask", "deny-code", "allow"]);
    }

    #[test]
    fn a_hook_that_does_not_fit_its_plugin_is_reported_with_the_reason() {
        let read = parse(&build_manifest(r#","events":["tool.before"]"#)).unwrap();
        assert_eq!(read.list_doubts(Role::Gate, &[EventName::ToolBefore]), Vec::<String>::new());
        assert_eq!(
            read.list_doubts(
                Role::Transform,
                &[EventName::ToolBefore, EventName::ToolAfter, EventName::AgentStop]
            ),
            [
                "the hook is a transform, but the plugin's manifest does not ask to `rewrite`",
                "the hook is for tool.after and 1 more, but the plugin's manifest names tool.before only"
            ]
        );
    }
}
