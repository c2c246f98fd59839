//! The capability `http`: requests to other machines.

use super::{
    GrantError, HttpRule,
    capability::{ANY, Capability, prefix_items},
    line::format_list,
};
use crate::members::{Members, Read};

/// Requests that a plugin asks to send. The default is an empty list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestedHttp {
    /// Requests covered by these rules.
    These(Vec<HttpRule>),
    /// Any requests that the operator names.
    Any,
}

impl Default for RequestedHttp {
    fn default() -> Self {
        Self::These(Vec::new())
    }
}

impl RequestedHttp {
    /// Returns, for each pair of a requested and a granted rule of which one includes the other, the narrower rule.
    fn narrow_rules(&self, granted: &[HttpRule]) -> Vec<HttpRule> {
        let Self::These(asked) = self else { return granted.to_vec() };
        let narrower = |asked: &HttpRule, granted: &HttpRule| {
            if asked.includes(granted) {
                return Some(granted.clone());
            }
            granted.includes(asked).then(|| asked.clone())
        };
        granted
            .iter()
            .flat_map(|granted| asked.iter().filter_map(move |asked| narrower(asked, granted)))
            .collect()
    }

    pub(super) fn each(&self) -> impl Iterator<Item = Self> {
        let (any, rules) = match self {
            Self::Any => (Some(Self::Any), &[][..]),
            Self::These(rules) => (None, rules.as_slice()),
        };
        any.into_iter().chain(rules.iter().map(|rule| Self::These(vec![rule.clone()])))
    }

    /// Returns the rules that no grant includes.
    fn find_missing_rules(&self, granted: &[HttpRule]) -> Vec<HttpRule> {
        let Self::These(rules) = self else { return Vec::new() };
        rules.iter().filter(|asked| !granted.iter().any(|rule| rule.includes(asked))).cloned().collect()
    }
}

/// The capability to send requests. It includes the granted addresses, which only the operator names.
pub(super) const HTTP: Capability = Capability {
    name: "http",
    read: |members, asks| read_rules(members).map(|http| asks.http = http),
    admit: |asks, granted, given| {
        given.http = asks.http.narrow_rules(&granted.http);
        // Addresses only widen the requests that are granted.
        if !given.http.is_empty() {
            given.addresses.clone_from(&granted.addresses);
        }
    },
    join: |asks, granted| granted.http.extend(asks.http.find_missing_rules(&granted.http)),
    missing: |asks, granted| {
        let any = (asks.http == RequestedHttp::Any && granted.http.is_empty()).then_some(ANY);
        [prefix_items("http", asks.http.find_missing_rules(&granted.http)), prefix_items("http", any)]
            .concat()
    },
    open: |_| Vec::new(),
    names: |granted| {
        [prefix_items("http", &granted.http), prefix_items("addresses", &granted.addresses)].concat()
    },
    keys: |granted| {
        [format_list("http", &granted.http), format_list("addresses", &granted.addresses)]
            .into_iter()
            .flatten()
            .collect()
    },
    acts: |granted| granted.reach_the_network(),
};

fn read_rules(members: &Members<'_>) -> Read<RequestedHttp> {
    let rules = members.read_texts("http")?;
    if rules.iter().any(|rule| rule == ANY) {
        return Ok(RequestedHttp::Any);
    }
    let rule = |text: &String| {
        text.parse().map_err(|why: GrantError| members.value_error("http", text, &format!("but {why}")))
    };
    rules.iter().map(rule).collect::<Read<Vec<_>>>().map(RequestedHttp::These)
}
