//! Secrets that are put into requests.

use std::fmt;

use super::{
    Grants, HttpRule, HttpTarget, RequestedGrants,
    capability::{ANY, Capability, is_named, prefix_items},
    line::{format_list, format_table, quote_text},
};

/// A secret that a hook may have sent and never sees: in a header's value, `${secret:NAME}` stands for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Secret {
    /// Name that the hook uses.
    pub name: String,
    /// The environment variable that holds it.
    pub env: String,
    /// Servers that may receive the secret.
    pub to: Vec<HttpRule>,
}

impl Secret {
    /// Returns true if the secret may be sent with this request.
    pub fn covers(&self, target: &HttpTarget) -> bool {
        self.to.iter().any(|rule| rule.covers(target))
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to: Vec<_> = self.to.iter().map(ToString::to_string).collect();
        write!(f, "{} ({}) to {}", self.name, self.env, to.join(" and "))
    }
}

pub(super) const SECRET: Capability = Capability {
    name: "secret",
    read: |members, asks| members.read_texts("secret").map(|names| asks.secret = names),
    admit: |asks, granted, given| {
        let secrets = granted.secrets.iter().filter(|secret| is_named(&asks.secret, &secret.name));
        given.secrets = secrets.cloned().collect();
    },
    // The secret may go where the requests go, which are joined before.
    join: |asks, granted| {
        let to = || granted.http.iter().map(HttpRule::of_its_server).collect();
        // A proposal that the operator can change: variables are customarily in capitals.
        let env = |name: &str| name.to_uppercase().replace('-', "_");
        let more = find_missing_secrets(asks, granted);
        let more = more.map(|name| Secret { name: name.clone(), env: env(name), to: to() });
        let more: Vec<_> = more.collect();
        granted.secrets.extend(more);
    },
    missing: |asks, granted| prefix_items("secret", find_missing_secrets(asks, granted)),
    open: |asks| prefix_items("secret", asks.secret.iter().filter(|name| *name == ANY)),
    names: |granted| prefix_items("secret", &granted.secrets),
    keys: |granted| {
        let keys = granted.secrets.iter().map(|Secret { name, env, to }| {
            let to = format_list("to", to).unwrap_or_else(|| "to = []".to_owned());
            format!("{name} = {{ env = {}, {to} }}", quote_text(env))
        });
        format_table(keys).map(|secrets| format!("secret = {secrets}")).into_iter().collect()
    },
    // Without a granted request no secret is sent.
    acts: |_| false,
};

fn find_missing_secrets<'a>(
    asks: &'a RequestedGrants,
    granted: &'a Grants,
) -> impl Iterator<Item = &'a String> {
    let is_granted = |name: &str| granted.secrets.iter().any(|secret| secret.name == name);
    asks.secret.iter().filter(move |name| *name != ANY && !is_granted(name))
}
