//! Grants of the key-value store of a plugin.

use super::{
    Grants, RequestedGrants,
    capability::{ANY, Capability, is_named, prefix_items},
};
use crate::{
    members::{Members, Read},
    words::words,
};

words! {
    /// Events that share the entries of one plugin.
    pub enum Scope {
        /// Events in one session of one agent.
        Session = "session",
        /// Events that happen in one folder.
        Project = "project",
        /// All events of this user.
        User = "user",
    }
}

/// Scopes of the store that a plugin may use, and the quota of each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KvGrant {
    /// Sorted, without duplicates.
    scopes: Vec<Scope>,
    quota: u64,
}

impl Default for KvGrant {
    /// No scope.
    fn default() -> Self {
        Self::new([])
    }
}

impl KvGrant {
    /// Least quota, bytes.
    pub const MIN_QUOTA: u64 = 4 << 10;
    /// Default quota, bytes.
    pub const DEFAULT_QUOTA: u64 = 1 << 20;
    /// Largest quota, bytes.
    pub const MAX_QUOTA: u64 = 64 << 20;

    /// Grants these scopes, with the default quota.
    pub fn new(scopes: impl IntoIterator<Item = Scope>) -> Self {
        let mut scopes: Vec<_> = scopes.into_iter().collect();
        // Equal grants have to be equal values: hosts share a plugin only with equal grants.
        scopes.sort_unstable();
        scopes.dedup();
        Self { scopes, quota: Self::DEFAULT_QUOTA }
    }

    /// Sets the quota, clamped to its range.
    #[must_use]
    pub fn with_quota(self, bytes: u64) -> Self {
        Self { quota: bytes.clamp(Self::MIN_QUOTA, Self::MAX_QUOTA), ..self }
    }

    /// Returns true if the plugin may use this scope.
    pub fn covers(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }

    /// Returns true if the plugin may use no scope.
    pub fn is_none(&self) -> bool {
        self.scopes.is_empty()
    }

    /// Returns the most bytes of keys and values together, for each scope.
    pub fn quota(&self) -> u64 {
        self.quota
    }

    /// Returns the scopes.
    pub fn scopes(&self) -> &[Scope] {
        &self.scopes
    }

    /// Returns the line of the configuration that grants these scopes and one more.
    pub fn line_with(&self, scope: Scope) -> String {
        let more = self.with_scopes(self.scopes.iter().copied().chain([scope]));
        format!("grant = {{ {} }}", more.key().unwrap_or_default())
    }

    /// Returns the key of `grant` for this grant; `None` without scopes.
    fn key(&self) -> Option<String> {
        let scopes: Vec<_> = self.scopes.iter().map(|scope| format!("\"{scope}\"")).collect();
        let quota = match self.quota {
            Self::DEFAULT_QUOTA => String::new(),
            bytes => format!(", quota = {bytes}"),
        };
        (!scopes.is_empty()).then(|| format!("kv = {{ scopes = [{}]{quota} }}", scopes.join(", ")))
    }

    /// Returns the grant with these scopes only.
    fn with_scopes(&self, scopes: impl IntoIterator<Item = Scope>) -> Self {
        Self { quota: self.quota, ..Self::new(scopes) }
    }
}

pub(super) const KV: Capability = Capability {
    name: "kv",
    read: |members, asks| read_scopes(members).map(|scopes| asks.kv = scopes),
    admit: |asks, granted, given| {
        let scopes = granted.kv.scopes.iter().copied();
        given.kv = granted.kv.with_scopes(scopes.filter(|scope| is_named(&asks.kv, scope.as_str())));
    },
    join: |asks, granted| {
        granted.kv = granted
            .kv
            .with_scopes(granted.kv.scopes.iter().copied().chain(find_missing_scopes(asks, granted)));
    },
    missing: |asks, granted| prefix_items("kv", find_missing_scopes(asks, granted)),
    open: |asks| prefix_items("kv", asks.kv.iter().filter(|name| *name == ANY)),
    names: |granted| prefix_items("kv", granted.kv.scopes()),
    keys: |granted| granted.kv.key().into_iter().collect(),
    acts: |granted| !granted.kv.is_none(),
};

fn find_missing_scopes<'a>(
    asks: &'a RequestedGrants,
    granted: &'a Grants,
) -> impl Iterator<Item = Scope> + 'a {
    asks.kv.iter().filter_map(|name| Scope::named(name)).filter(|scope| !granted.kv.covers(*scope))
}

fn read_scopes(members: &Members<'_>) -> Read<Vec<String>> {
    let scopes = members.read_texts("kv")?;
    match scopes.iter().find(|name| *name != ANY && Scope::named(name).is_none()) {
        Some(name) => {
            Err(members.value_error("kv", name, "which is not a scope: `session`, `project`, `user`, or `*`"))
        }
        None => Ok(scopes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_covers_the_scopes_that_it_names() {
        use Scope::{Project, Session, User};
        for (granted, scope, expected) in [
            (vec![], Session, false),
            (vec![Session], Session, true),
            (vec![Session], Project, false),
            (vec![Session], User, false),
            (vec![User, Session], User, true),
            (vec![User, Session], Project, false),
            (vec![Session, Project, User], Project, true),
        ] {
            assert_eq!(KvGrant::new(granted.clone()).covers(scope), expected, "{granted:?} {scope}");
        }
    }

    #[test]
    fn a_quota_stays_in_its_range() {
        let quota = |bytes| KvGrant::default().with_quota(bytes).quota();
        assert_eq!([0, 5000, u64::MAX].map(quota), [4096, 5000, 64 << 20]);
        assert_eq!(KvGrant::default().quota(), 1 << 20);
    }

    #[test]
    fn the_line_to_add_keeps_what_is_granted() {
        let grant = KvGrant::new([Scope::User]);
        assert_eq!(grant.line_with(Scope::Session), r#"grant = { kv = { scopes = ["session", "user"] } }"#);
        assert_eq!(
            grant.with_quota(8192).line_with(Scope::User),
            r#"grant = { kv = { scopes = ["user"], quota = 8192 } }"#
        );
    }
}
