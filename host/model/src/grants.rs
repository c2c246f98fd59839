//! Capabilities that the operator grants to a sandboxed hook.

mod address;
mod capability;
mod error;
mod folder;
mod http;
mod http_capability;
mod kv;
mod line;
mod requested_grants;
mod secret;
mod variables;

use self::capability::{Capability, flag};
pub use self::{
    address::{AddressRange, is_public},
    error::GrantError,
    folder::{Folder, PROJECT, RequestedFolders},
    http::{HttpHost, HttpRule, HttpScheme, HttpTarget},
    http_capability::RequestedHttp,
    kv::{KvGrant, Scope},
    requested_grants::RequestedGrants,
    secret::Secret,
};

/// Capabilities granted by the operator. The default is an empty set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Grants {
    /// Read the time of day. Without this grant the time is the event's.
    pub clock: bool,
    /// Get unpredictable bytes. Without this grant the bytes follow from the event.
    pub random: bool,
    /// Read the values of these environment variables.
    pub env: Vec<String>,
    /// Read files in these folders.
    pub read: Vec<Folder>,
    /// Read and change files in these folders.
    pub write: Vec<Folder>,
    /// Send these requests.
    pub http: Vec<HttpRule>,
    /// Reach these addresses with requests, though the addresses are not public.
    pub addresses: Vec<AddressRange>,
    /// Have these secrets sent.
    pub secrets: Vec<Secret>,
    /// Keep entries in a store of the plugin.
    pub kv: KvGrant,
}

// `secret` has to follow `http`: its requests are joined with the servers of the joined requests.
/// All capabilities, in display order.
pub(crate) const CAPABILITIES: [Capability; 7] = [
    flag!("clock", clock),
    flag!("random", random),
    variables::ENV,
    folder::FS,
    http_capability::HTTP,
    secret::SECRET,
    kv::KV,
];

impl Grants {
    /// Returns the granted capabilities, each as the configuration names it, with its value.
    pub fn names(&self) -> Vec<String> {
        CAPABILITIES.iter().flat_map(|capability| (capability.names)(self)).collect()
    }

    /// Returns the line of a hook's entry that grants these capabilities; empty if there are none.
    pub fn line(&self) -> String {
        line::format_table(CAPABILITIES.iter().flat_map(|capability| (capability.keys)(self)))
            .map(|table| format!("grant = {table}"))
            .unwrap_or_default()
    }

    /// Returns the union of both.
    #[must_use]
    pub fn merge_with(self, other: Self) -> Self {
        // All fields by name: a new capability does not compile before it has a union.
        let Self { clock, random, env, read, write, http, addresses, secrets, kv } = other;
        let scopes = self.kv.scopes().iter().chain(kv.scopes()).copied();
        Self {
            clock: self.clock || clock,
            random: self.random || random,
            env: merge_lists(self.env, env),
            read: merge_lists(self.read, read),
            write: merge_lists(self.write, write),
            http: merge_lists(self.http, http),
            addresses: merge_lists(self.addresses, addresses),
            secrets: merge_lists(self.secrets, secrets),
            kv: KvGrant::new(scopes).with_quota(self.kv.quota().max(kv.quota())),
        }
    }

    /// Returns true if a call can have an effect beyond its answer.
    pub fn can_act(&self) -> bool {
        CAPABILITIES.iter().any(|capability| (capability.acts)(self))
    }

    /// Returns true if the hook may send requests to other machines.
    pub fn reach_the_network(&self) -> bool {
        // Addresses and secrets alone send nothing; they only apply to requests.
        !self.http.is_empty()
    }
}

fn merge_lists<T: PartialEq>(mut one: Vec<T>, other: Vec<T>) -> Vec<T> {
    for item in other {
        if !one.contains(&item) {
            one.push(item);
        }
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_grants() -> Grants {
        Grants {
            clock: true,
            random: true,
            env: vec!["LANG".to_owned()],
            read: vec![Folder::Project],
            write: vec![Folder::At("/var/log/hooks".into())],
            http: vec!["https://a.example".parse().unwrap()],
            addresses: vec!["10.0.0.0/8".parse().unwrap()],
            secrets: vec![Secret {
                name: "api".to_owned(),
                env: "TOKEN".to_owned(),
                to: vec![HttpRule::of_any_method("https://a.example").unwrap()],
            }],
            kv: KvGrant::new([Scope::User]),
        }
    }

    #[test]
    fn nothing_is_given_by_default_and_what_is_given_is_named() {
        assert_eq!(Grants::default().names(), Vec::<String>::new());
        assert_eq!(
            all_grants().names(),
            [
                "clock",
                "random",
                "env LANG",
                "fs.read project",
                "fs.write /var/log/hooks",
                "http https://a.example/",
                "addresses 10.0.0.0/8",
                "secret api (TOKEN) to * https://a.example/",
                "kv user",
            ]
        );
    }

    #[test]
    fn who_asks_for_everything_is_given_all_that_is_granted() {
        let asks = RequestedGrants {
            clock: true,
            random: true,
            env: vec!["LANG".to_owned()],
            read: RequestedFolders::Any,
            write: RequestedFolders::Any,
            http: RequestedHttp::Any,
            secret: vec!["*".to_owned()],
            kv: vec!["*".to_owned()],
        };
        assert_eq!(asks.narrow_grants(&all_grants()), all_grants());
        assert_eq!(asks.list_missing(&all_grants()), [""; 0]);
        assert_eq!(RequestedGrants::default().narrow_grants(&all_grants()), Grants::default());
    }

    #[test]
    fn the_union_of_two_grants_has_each_capability_once() {
        for one in [Grants::default(), all_grants()] {
            assert_eq!(one.clone().merge_with(all_grants()), all_grants());
            assert_eq!(all_grants().merge_with(one), all_grants());
        }
    }

    #[test]
    fn a_hook_can_act_by_requests_written_files_and_kept_entries_alone() {
        let Grants { write, http, kv, .. } = all_grants();
        assert!(!Grants { write: vec![], http: vec![], kv: KvGrant::default(), ..all_grants() }.can_act());
        for grants in [
            Grants { write, ..Grants::default() },
            Grants { http, ..Grants::default() },
            Grants { kv, ..Grants::default() },
        ] {
            assert!(grants.can_act(), "{grants:?}");
        }
    }
}
