//! Policies in force: the administrator's, the user's and a project's. Each can refuse a release; a project's can do nothing else.

use std::{collections::BTreeSet, fmt};

use hookbox_core::digest::Sha256Digest;
use hookbox_model::{Manifest, PluginName};

use crate::{
    allowed_signers::is_among,
    policy::{OnUnlisted, Policy, Publisher},
};

/// Owner of a policy. The policy of the higher owner is applied first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PolicyOf {
    /// The administrator's.
    Managed,
    /// The user's.
    User,
    /// A project's.
    Project,
}

impl fmt::Display for PolicyOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Managed => "the administrator's policy",
            Self::User => "your policy",
            Self::Project => "the project's policy",
        })
    }
}

/// A key with a verified signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedKey {
    /// Its fingerprint, `SHA256:…`.
    pub key: String,
    /// The principals, or patterns of principals, that `allowed_signers` has for it now.
    pub principals: Vec<String>,
}

/// The properties of a release that policies check.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// Digest of its file.
    pub component: &'a Sha256Digest,
    /// Its manifest; `None` for a file without one.
    pub manifest: Option<&'a Manifest>,
    /// Its registry and name, as in `registry.example/acme/guard`; `None` for a file.
    pub registry: Option<&'a str>,
    /// Keys that signed it.
    pub keys: &'a [CheckedKey],
}

/// Result of the policies for a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A publisher of this policy matches: the user need not be asked.
    Accepted(PolicyOf),
    /// No policy accepts or refuses it.
    Unknown,
    /// Refused, with a sentence why.
    Refused(String),
}

/// The policies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policies(Vec<(PolicyOf, Policy)>);

impl Policies {
    /// Adds a policy.
    #[must_use]
    pub fn with_policy(mut self, of: PolicyOf, policy: Policy) -> Self {
        self.0.push((of, policy));
        // The higher owner first: its publisher decides whether the default of a lower policy applies.
        self.0.sort_by_key(|(of, _)| *of);
        self
    }

    /// Returns the files that are never called, each with its policy and the reason.
    pub fn denied(&self) -> impl Iterator<Item = (PolicyOf, &Sha256Digest, &str)> {
        self.0
            .iter()
            .flat_map(|(of, policy)| policy.denied().map(|(component, reason)| (*of, component, reason)))
    }

    /// Returns the principals whose keys are accepted, each with its policy.
    pub fn principals(&self) -> impl Iterator<Item = (PolicyOf, &str)> {
        self.0.iter().flat_map(|(of, policy)| policy.principals().map(|name| (*of, name)))
    }

    /// Returns the number of different keys that must have signed a plugin of this name; 0 if no policy sets one.
    pub fn compute_threshold(&self, name: &PluginName) -> usize {
        let publishers = self.0.iter().filter_map(|(_, policy)| policy.find_publisher(name));
        // The largest: no policy may weaken the requirement of another one.
        publishers.map(Publisher::threshold).max().unwrap_or_default()
    }

    /// Checks a release against all policies.
    pub fn judge_release(&self, candidate: &Candidate<'_>) -> Verdict {
        // First of all: a denied file stays denied even if it is signed by an accepted publisher.
        if let Some((of, _, why)) = self.denied().find(|(_, denied, _)| *denied == candidate.component) {
            return Verdict::Refused(format!("{of} denies this file: {why}"));
        }
        let mut accepted = None;
        for (of, policy) in &self.0 {
            let publisher = candidate.manifest.and_then(|manifest| policy.find_publisher(&manifest.name));
            match (publisher, candidate.manifest) {
                (Some(publisher), Some(manifest)) => {
                    if let Err(why) = check_publisher(publisher, manifest, candidate) {
                        return Verdict::Refused(format!("by {of}, `{}` {why}", manifest.name));
                    }
                    // A project must not accept plugins in the user's place; its policy can only refuse.
                    accepted = accepted.or(Some(*of).filter(|of| *of != PolicyOf::Project));
                }
                // A plugin with a publisher in a higher policy is not refused for lack of one here, but a project may be stricter.
                _ if policy.otherwise() == OnUnlisted::Reject
                    && (accepted.is_none() || *of == PolicyOf::Project) =>
                {
                    let name = candidate.manifest.map_or_else(
                        || "a plugin without a name".to_owned(),
                        |manifest| format!("`{}`", manifest.name),
                    );
                    return Verdict::Refused(format!(
                        "{of} lists no publisher for {name}, and rejects unlisted plugins (default = \"reject\")"
                    ));
                }
                _ => {}
            }
        }
        accepted.map_or(Verdict::Unknown, Verdict::Accepted)
    }
}

fn check_publisher(
    publisher: &Publisher,
    manifest: &Manifest,
    candidate: &Candidate<'_>,
) -> Result<(), String> {
    if !publisher.comes_from(candidate.registry) {
        let source = candidate.registry.unwrap_or("a file");
        return Err(format!("may not come from {source}: `registries` has no such place"));
    }
    check_signatures(publisher, candidate.keys)?;
    let beyond = publisher.list_excess(manifest);
    if beyond.is_empty() {
        return Ok(());
    }
    let requests = beyond.iter().map(|one| {
        let effect = one.strip_prefix("to ");
        effect.map_or_else(|| one.clone(), |effect| format!("the effect {effect}"))
    });
    let requests: Vec<_> = requests.collect();
    Err(format!("may not request {}, which exceeds `max_capabilities` or `max_effects`", requests.join(", ")))
}

/// Checks the number of keys. A key counts once, whatever it signed and however many principals it has.
fn check_signatures(publisher: &Publisher, keys: &[CheckedKey]) -> Result<(), String> {
    let counts = |key: &&CheckedKey| {
        key.principals.iter().any(|list| publisher.principals().iter().any(|name| is_among(name, list)))
    };
    // A set of keys: one key with two signatures or two principals must not reach a threshold of two.
    let counted: BTreeSet<_> = keys.iter().filter(counts).map(|key| key.key.as_str()).collect();
    let (most, who) = (publisher.threshold(), publisher.principals().join(", "));
    if counted.len() >= most {
        return Ok(());
    }
    Err(match keys {
        [] => format!("must be signed by {who}, and it is unsigned"),
        _ if most == 1 => format!("must be signed by {who}, and none of them signed it"),
        _ => format!("must be signed with {most} different keys of {who}, and it is with {}", counted.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACME: &str = "[[publisher]]\nnamespaces = [\"acme/*\"]\nprincipals = [\"release@acme.example\"]\n";

    fn parse_policy(rows: &str) -> Policy {
        Policy::parse(&format!("version = 1\n{rows}")).unwrap()
    }

    fn make_key(key: &str, principal: &str) -> CheckedKey {
        CheckedKey { key: format!("SHA256:{key}"), principals: vec![principal.to_owned()] }
    }

    fn judge_text(policies: &Policies, name: &str, keys: &[CheckedKey], members: &str) -> String {
        let text = format!(r#"{{"schema":1,"name":"{name}","version":"1.0.0"{members}}}"#);
        let manifest = Manifest::parse(text.as_bytes()).unwrap();
        let component = Sha256Digest::of_content(b"one");
        let registry = Some("registry.example/acme/guard");
        let candidate = Candidate { component: &component, manifest: Some(&manifest), registry, keys };
        match policies.judge_release(&candidate) {
            Verdict::Accepted(of) => format!("accepted by {of}"),
            Verdict::Unknown => "unknown".to_owned(),
            Verdict::Refused(why) => why,
        }
    }

    fn make_user_policies(rows: &str) -> Policies {
        Policies::default().with_policy(PolicyOf::User, parse_policy(rows))
    }

    #[test]
    fn who_is_named_must_have_signed_with_so_many_different_keys() {
        let one = make_user_policies(&format!("default = \"ask\"\n{ACME}"));
        let must = "by your policy, `acme/guard` must be signed by release@acme.example, and";
        assert_eq!(judge_text(&one, "acme/guard", &[], ""), format!("{must} it is unsigned"));
        let other = [make_key("a", "release@evil.example")];
        assert_eq!(judge_text(&one, "acme/guard", &other, ""), format!("{must} none of them signed it"));
        let two = make_user_policies(&format!("default = \"ask\"\n{ACME}threshold = 2\n"));
        let (first, second) = (make_key("a", "release@acme.example"), make_key("b", "release@acme.example"));
        assert_eq!(
            judge_text(&two, "acme/guard", &[first.clone(), first.clone()], ""),
            "by your policy, `acme/guard` must be signed with 2 different keys of release@acme.example, and it is with 1"
        );
        assert_eq!(judge_text(&two, "acme/guard", &[first, second], ""), "accepted by your policy");
        let name = PluginName::parse("acme/guard").unwrap();
        assert_eq!((two.compute_threshold(&name), Policies::default().compute_threshold(&name)), (2, 0));
    }

    #[test]
    fn a_plugin_without_a_publisher_in_the_policy_is_unknown_or_refused() {
        let keys = [make_key("a", "release@acme.example")];
        let rejects = make_user_policies(&format!("default = \"reject\"\n{ACME}"));
        assert_eq!(
            judge_text(&rejects, "acme-evil/guard", &keys, ""),
            "your policy lists no publisher for `acme-evil/guard`, and rejects unlisted plugins (default = \"reject\")"
        );
        assert_eq!(judge_text(&make_user_policies("default = \"ask\""), "acme/guard", &keys, ""), "unknown");
        assert_eq!(judge_text(&Policies::default(), "acme/guard", &[], ""), "unknown");
    }

    #[test]
    fn a_plugin_from_another_registry_or_with_excess_capabilities_is_refused() {
        let keys = [make_key("a", "release@acme.example")];
        let rows = |more: &str| make_user_policies(&format!("default = \"ask\"\n{ACME}{more}\n"));
        assert_eq!(
            judge_text(&rows("registries = [\"other.example/*\"]"), "acme/guard", &keys, ""),
            "by your policy, `acme/guard` may not come from registry.example/acme/guard: `registries` has no such place"
        );
        let asks = r#","capabilities":{"clock":true,"random":true},"effects":["rewrite"]"#;
        assert_eq!(
            judge_text(&rows("max_capabilities = [\"clock\"]\nmax_effects = []"), "acme/guard", &keys, asks),
            "by your policy, `acme/guard` may not request random, the effect rewrite, which exceeds `max_capabilities` or `max_effects`"
        );
    }

    #[test]
    fn a_lower_policy_can_refuse_and_a_projects_can_do_nothing_else() {
        use PolicyOf::{Managed, Project, User};
        let keys = [make_key("a", "release@acme.example")];
        let accepts = parse_policy(&format!("default = \"ask\"\n{ACME}"));
        let (asks, rejects) = (parse_policy("default = \"ask\""), parse_policy("default = \"reject\""));
        let strict = parse_policy(&format!("default = \"ask\"\n{ACME}max_effects = []\n"));
        for (policies, expected) in [
            (vec![(Project, &accepts)], "unknown"),
            (vec![(Managed, &accepts), (User, &rejects)], "accepted by the administrator's policy"),
            (vec![(User, &accepts), (Managed, &asks)], "accepted by your policy"),
            (vec![(User, &accepts), (Managed, &rejects)], "the administrator's policy lists no publisher"),
            (vec![(User, &accepts), (Project, &rejects)], "the project's policy lists no publisher"),
            (vec![(User, &rejects), (Project, &accepts)], "your policy lists no publisher"),
            (
                vec![(Managed, &accepts), (User, &strict)],
                "by your policy, `acme/guard` may not request the effect",
            ),
            (vec![(User, &accepts), (Project, &strict)], "by the project's policy, `acme/guard` may not"),
        ] {
            let with =
                |all: Policies, (of, policy): &(PolicyOf, &Policy)| all.with_policy(*of, (*policy).clone());
            let all = policies.iter().fold(Policies::default(), with);
            let judged = judge_text(&all, "acme/guard", &keys, r#","effects":["rewrite"]"#);
            assert!(judged.starts_with(expected), "{expected}: {judged}");
        }
    }

    #[test]
    fn a_denied_file_is_denied_whatever_its_signer() {
        let digest = Sha256Digest::of_content(b"one");
        let deny = format!(
            "default = \"ask\"\n{ACME}[[deny]]\ncomponent = \"sha256:{}\"\nreason = \"it leaks\"\n",
            digest.as_str()
        );
        let keys = [make_key("a", "release@acme.example")];
        assert_eq!(
            judge_text(&make_user_policies(&deny), "acme/guard", &keys, ""),
            "your policy denies this file: it leaks"
        );
        assert_eq!(make_user_policies(&deny).denied().count(), 1);
    }
}
