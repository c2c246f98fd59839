//! The settings.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The allowed number of calls, and the treatment of the rest.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// Most calls of all tools.
    pub(crate) calls: Option<u32>,
    /// Most calls of one tool.
    #[serde(default)]
    pub(crate) tools: BTreeMap<String, u32>,
    #[serde(default)]
    pub(crate) then: Then,
}

/// Treatment of a call above the limit.
#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Then {
    #[default]
    Deny,
    Ask,
}
