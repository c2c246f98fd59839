//! The policy, `policy.toml`: accepted publishers, the most that their plugins may request, and files that are never called.
//!
//! A policy also sets the handling of all other plugins (`default`), so that the requirement of a signature never depends on the presence
//! of one.

mod file;
mod max_capabilities;

use hookbox_core::digest::Sha256Digest;
use hookbox_model::{Effects, Manifest, PluginName};

use crate::{Refusal, RefusalKind};

/// Longest policy, bytes.
pub const MAX_POLICY_BYTES: usize = 1 << 20;

/// Handling of a plugin without a publisher in the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnUnlisted {
    /// Refuse it.
    Reject,
    /// Ask the user.
    Ask,
}

/// A parsed policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    otherwise: OnUnlisted,
    publishers: Vec<Publisher>,
    denied: Vec<Denied>,
}

/// A publisher of plugins with some names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publisher {
    namespaces: Vec<Names>,
    registries: Vec<Names>,
    principals: Vec<String>,
    threshold: usize,
    max_capabilities: Option<Vec<String>>,
    max_effects: Option<Effects>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Denied {
    component: Sha256Digest,
    reason: String,
}

/// One name, or all below one: `acme/guard`, `acme/*`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Names {
    One(String),
    Below(String),
    All,
}

impl Policy {
    /// Parses a policy.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        if text.len() > MAX_POLICY_BYTES {
            return Err(Refusal::new(
                RefusalKind::File,
                format!("the policy is longer than {MAX_POLICY_BYTES} bytes"),
            ));
        }
        file::parse_policy(text).map_err(|why| Refusal::new(RefusalKind::File, format!("the policy {why}")))
    }

    /// Returns the handling of a plugin without a publisher.
    pub fn otherwise(&self) -> OnUnlisted {
        self.otherwise
    }

    /// Returns the publisher of plugins of this name: the one with the most specific namespace.
    pub fn find_publisher(&self, name: &PluginName) -> Option<&Publisher> {
        let closeness = |publisher: &Publisher| {
            publisher.namespaces.iter().filter_map(|names| names.measure_match(name.as_str())).max()
        };
        let found = self.publishers.iter().filter_map(|publisher| Some((closeness(publisher)?, publisher)));
        // The most specific wins, so that `*` does not override the rule for one plugin. Namespaces are
        // unique, so no tie is possible.
        found.max_by_key(|(closeness, _)| *closeness).map(|(_, publisher)| publisher)
    }

    /// Returns the principals whose keys are accepted, publisher by publisher.
    pub fn principals(&self) -> impl Iterator<Item = &str> {
        self.publishers.iter().flat_map(|publisher| publisher.principals.iter().map(String::as_str))
    }

    /// Returns the files that are never called, with the reasons.
    pub fn denied(&self) -> impl Iterator<Item = (&Sha256Digest, &str)> {
        self.denied.iter().map(|Denied { component, reason }| (component, reason.as_str()))
    }

    /// Returns the reason why a file with this digest is never called; `None` if it may be.
    pub fn find_denial(&self, component: &Sha256Digest) -> Option<&str> {
        let row = self.denied.iter().find(|denied| denied.component == *component)?;
        Some(&row.reason)
    }
}

impl Publisher {
    /// Returns the principals whose keys are accepted.
    pub fn principals(&self) -> &[String] {
        &self.principals
    }

    /// Returns the number of different keys that must have signed.
    pub fn threshold(&self) -> usize {
        self.threshold
    }

    /// Returns true if its plugins may come from this source. `source` is host and name, as in `registry.example/acme/guard`; `None` is a
    /// file.
    pub fn comes_from(&self, source: Option<&str>) -> bool {
        let is_there =
            |source: &str| self.registries.iter().any(|names| names.measure_match(source).is_some());
        // With a list of registries a plain file has no source that could be compared, so it is refused.
        self.registries.is_empty() || source.is_some_and(is_there)
    }

    /// Returns the names of requested capabilities and effects beyond the limits of this publisher.
    pub fn list_excess(&self, manifest: &Manifest) -> Vec<String> {
        let asked = manifest.asks.names().into_iter().filter(|asked| match &self.max_capabilities {
            None => false,
            Some(most) => !most.iter().any(|one| covers_request(one, asked)),
        });
        let effects = manifest.effects.iter().filter(|effect| match self.max_effects {
            None => false,
            Some(most) => !most.contains(*effect),
        });
        asked.chain(effects.map(|effect| format!("to {}", effect.as_str()))).collect()
    }
}

/// Returns true if the limit covers the request: `kv session` covers itself, `kv *` any request of `kv`.
fn covers_request(one: &str, asked: &str) -> bool {
    let of_kind = one.strip_suffix(" *").and_then(|kind| asked.strip_prefix(kind));
    // The blank keeps `kv *` from covering a request of a kind that begins with `kv`.
    one == asked || of_kind.is_some_and(|rest| rest.starts_with(' '))
}

impl Names {
    fn parse(text: &str) -> Option<Self> {
        if text == "*" {
            return Some(Self::All);
        }
        let (name, is_below) = text.strip_suffix("/*").map_or((text, false), |name| (name, true));
        let is_part = |part: &str| {
            let is_one = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b':');
            part.bytes().all(is_one) && !matches!(part, "" | "." | "..")
        };
        let name = name.split('/').all(is_part).then(|| name.to_owned())?;
        Some(if is_below { Self::Below(name) } else { Self::One(name) })
    }

    /// Returns the length of the match, if the name matches. A name is compared by its parts: `acme/*` does not match `acme-evil/guard`.
    fn measure_match(&self, name: &str) -> Option<usize> {
        match self {
            Self::One(one) => (one == name).then_some(usize::MAX),
            Self::Below(parent) => {
                // The slash keeps `acme/*` from matching `acme-evil/guard`.
                let rest = name.strip_prefix(parent.as_str())?.strip_prefix('/')?;
                (!rest.is_empty()).then_some(parent.len())
            }
            Self::All => Some(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = r#"
        version = 1
        default = "reject"
        [[publisher]]
        namespaces = ["acme/*"]
        registries = ["registry.example/acme/*"]
        principals = ["release@acme.example", "second@acme.example"]
        threshold = 2
        max_capabilities = ["clock", "kv *", "http https://api.acme.example"]
        max_effects = ["observe", "ask", "deny-code"]
        [[publisher]]
        namespaces = ["acme/labs/*", "acme/exact"]
        principals = ["labs@acme.example"]
        [[deny]]
        component = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        reason = "it is empty"
    "#;

    fn parse_name(text: &str) -> PluginName {
        PluginName::parse(text).unwrap()
    }

    fn parse_sample() -> Policy {
        Policy::parse(POLICY).unwrap()
    }

    #[test]
    fn a_publisher_stands_for_names_below_its_own_and_for_no_name_that_looks_like_it() {
        let policy = parse_sample();
        let first = |text: &str| {
            policy.find_publisher(&parse_name(text)).map(|publisher| publisher.principals()[0].clone())
        };
        assert_eq!(first("acme/guard").as_deref(), Some("release@acme.example"));
        assert_eq!(first("acme/deep/guard").as_deref(), Some("release@acme.example"));
        assert_eq!(first("acme/labs/guard").as_deref(), Some("labs@acme.example"));
        assert_eq!(first("acme/exact").as_deref(), Some("labs@acme.example"));
        for other in ["acme", "acme-evil/guard", "acmeevil/guard", "guard", "evil/acme/guard", "acme/labs2"] {
            assert_ne!(first(other).as_deref(), Some("labs@acme.example"), "{other}");
        }
        for other in ["acme", "acme-evil/guard", "acmeevil/guard", "guard", "evil/acme/guard"] {
            assert_eq!(first(other), None, "{other}");
        }
    }

    #[test]
    fn plugins_come_from_the_publishers_registries() {
        let policy = parse_sample();
        let publisher = policy.find_publisher(&parse_name("acme/guard")).unwrap();
        assert!(publisher.comes_from(Some("registry.example/acme/guard")));
        for other in
            ["registry.example/acme-evil/guard", "registry.example.evil/acme/guard", "registry.example/acme"]
        {
            assert!(!publisher.comes_from(Some(other)), "{other}");
        }
        assert!(!publisher.comes_from(None));
        assert!(policy.find_publisher(&parse_name("acme/exact")).unwrap().comes_from(None));
    }

    #[test]
    fn capabilities_and_effects_beyond_the_ceiling_are_reported() {
        let policy = parse_sample();
        let publisher = policy.find_publisher(&parse_name("acme/guard")).unwrap();
        let manifest = |members: &str| {
            let text = format!(r#"{{"schema":1,"name":"acme/guard","version":"1.0.0",{members}}}"#);
            Manifest::parse(text.as_bytes()).unwrap()
        };
        let within = r#""effects":["ask"],"capabilities":{"clock":true,"kv":["session","project"]}"#;
        assert_eq!(publisher.list_excess(&manifest(within)), Vec::<String>::new());
        let beyond =
            r#""effects":["ask","rewrite"],"capabilities":{"random":true,"http":["https://evil.example/"]}"#;
        assert_eq!(
            publisher.list_excess(&manifest(beyond)),
            ["random", "http https://evil.example/", "to rewrite"]
        );
        let without = policy.find_publisher(&parse_name("acme/exact")).unwrap();
        assert_eq!(without.list_excess(&manifest(beyond)), Vec::<String>::new());
    }

    #[test]
    fn files_are_denied_by_their_digest() {
        assert_eq!(parse_sample().find_denial(&Sha256Digest::of_content(b"")), Some("it is empty"));
        assert_eq!(parse_sample().find_denial(&Sha256Digest::of_content(b"x")), None);
        assert_eq!(parse_sample().otherwise(), OnUnlisted::Reject);
    }

    #[test]
    fn a_word_that_means_nothing_is_refused_at_its_line() {
        let policy = |line: &str| {
            let text = "version = 1\ndefault = \"ask\"\n[[publisher]]\nnamespaces = [\"a/*\"]\nprincipals = [\"a\"]\n";
            Policy::parse(&format!("{text}{line}\n"))
        };
        for word in [
            "clok",
            "clock yes",
            "clock ",
            "kv sesion",
            "kv",
            "env",
            "env A=B",
            "fs.read /etc",
            "fs project",
            "http acme.example",
            "",
        ] {
            let message =
                policy(&format!("max_capabilities = [\"clock\",\n\"{word}\"]")).unwrap_err().to_string();
            assert!(
                message.starts_with(&format!("the policy has the invalid capability `{word}`: ")),
                "{message}"
            );
            assert!(message.ends_with(", at line 7"), "{message}");
        }
        for word in ["random", "kv user", "kv *", "env LANG", "env *", "fs.write *", "http *", "secret token"]
        {
            assert!(policy(&format!("max_capabilities = [\"{word}\"]")).is_ok(), "{word}");
        }
        let host = policy("registries = [\"registry.example\"]").unwrap_err().to_string();
        assert!(host.contains("has the invalid registry `registry.example`"), "{host}");
        let name = Policy::parse(
            "version = 1\ndefault = \"ask\"\n[[publisher]]\nnamespaces = [\"acme_labs/*\"]\nprincipals = [\"a\"]",
        );
        let name = name.unwrap_err().to_string();
        assert!(
            name.contains("has the invalid namespace `acme_labs/*`") && name.ends_with(", at line 4"),
            "{name}"
        );
        let effect = policy("max_effects = [\"fly\"]").unwrap_err().to_string();
        assert!(effect.ends_with(", allow, at line 6"), "{effect}");
    }

    #[test]
    fn a_ceiling_for_requests_is_the_same_however_it_is_spelled() {
        let text = "version = 1\ndefault = \"ask\"\n[[publisher]]\nnamespaces = [\"acme/*\"]\nprincipals = [\"a\"]\n\
                    max_capabilities = [\"http GET https://api.acme.example:443\"]";
        let policy = Policy::parse(text).unwrap();
        let manifest =
            br#"{"schema":1,"name":"acme/guard","version":"1.0.0","capabilities":{"http":["https://api.acme.example/"]}}"#;
        let manifest = Manifest::parse(manifest).unwrap();
        assert_eq!(
            policy.find_publisher(&parse_name("acme/guard")).unwrap().list_excess(&manifest),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_policy_that_is_not_understood_as_a_whole_is_refused() {
        let publisher = "version = 1\ndefault = \"ask\"\n[[publisher]]\n";
        for (text, why) in [
            (String::new(), "has no `version`: write at its top: version = 1"),
            ("version = 1".to_owned(), "write above the first table: default = \"reject\" (or \"ask\")"),
            (
                "version = 2\ndefault = \"ask\"".to_owned(),
                "has the version 2, and this hookbox supports 1: update hookbox",
            ),
            (
                "version = 1\ndefault = \"accept\"".to_owned(),
                "unknown variant `accept`, expected `reject` or `ask`",
            ),
            ("version = 1\ndefault = \"ask\"\nextra = 1".to_owned(), "unknown field `extra`"),
            (
                format!("{publisher}principals = [\"a\"]"),
                "has a [[publisher]] without `namespaces`: write below [[publisher]]: namespaces = [\"acme/*\"], at line 3",
            ),
            (
                format!("{publisher}namespaces = [\"acme/*\"]"),
                "has a [[publisher]] without `principals`: write below [[publisher]]: principals = [\"release@acme.example\"], at line 3",
            ),
            (
                "version = 1\ndefault = \"ask\"\n[[deny]]\nreason = \"x\"".to_owned(),
                "has a [[deny]] without `component`: write below [[deny]]: component = \"sha256:…\", as hookbox.lock has it in `sha256`, at line 3",
            ),
            (
                "version = 1\ndefault = \"ask\"\n[[deny]]\ncomponent = \"sha256:00\"".to_owned(),
                "has a [[deny]] without `reason`: write below [[deny]]: reason = \"why it is not to be called\", at line 3",
            ),
            (
                format!("{publisher}namespaces = [\"acme/*\"]\nprincipals = []"),
                "has a publisher without principals: none could sign",
            ),
            (
                format!("{publisher}namespaces = []\nprincipals = [\"a\"]"),
                "has a publisher without namespaces",
            ),
            (
                format!("{publisher}namespaces = [\"acme*\"]\nprincipals = [\"a\"]"),
                "has the invalid namespace `acme*`: write acme/guard, acme/* or *",
            ),
            (
                format!(
                    "{publisher}namespaces = [\"a/*\"]\nregistries = [\"A.example/*\"]\nprincipals = [\"a\"]"
                ),
                "has the invalid registry `A.example/*`: write registry.example/acme/guard, registry.example/acme/* or *",
            ),
            (
                format!("{publisher}namespaces = [\"a/*\"]\nprincipals = [\"*@acme\"]"),
                "has the principal `*@acme`: name one person or role, without blanks, commas and patterns",
            ),
            (
                format!("{publisher}namespaces = [\"a/*\"]\nprincipals = [\"a\"]\nthreshold = 0"),
                "has the threshold 0, and one key at least has to sign",
            ),
            (
                format!("{publisher}namespaces = [\"a/*\"]\nprincipals = [\"a\"]\nmax_effects = [\"fly\"]"),
                "has the invalid effect `fly`: write one of observe, ask, deny-code, context, deny-text, rewrite, allow",
            ),
            (
                format!(
                    "{publisher}namespaces = [\"a/*\"]\nprincipals = [\"a\"]\n[[publisher]]\nnamespaces = [\"a/*\"]\nprincipals = [\"b\"]"
                ),
                "has the namespace `a/*` twice",
            ),
            (
                "version = 1\ndefault = \"ask\"\n[[deny]]\ncomponent = \"e3b0\"\nreason = \"x\"".to_owned(),
                "denies `e3b0`, which is not a digest: write sha256: and 64 digits",
            ),
        ] {
            let message = Policy::parse(&text).unwrap_err().to_string();
            assert!(message.starts_with("the policy ") && message.contains(why), "{text}: {message}");
        }
    }
}
