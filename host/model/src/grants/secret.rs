//! Secrets that are put into requests.

use std::fmt;

use super::{HttpRule, HttpTarget};

/// A secret that a hook may have sent and never sees: in a header's value, `${secret:NAME}` stands for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Secret {
    /// How the hook names it.
    pub name: String,
    /// The environment variable that holds it.
    pub env: String,
    /// Where it may go.
    pub to: Vec<HttpRule>,
}

impl Secret {
    /// May it be sent with this request?
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
