//! The operator's configuration.

use serde::Deserialize;

/// The hook's settings. A key that is not here is an error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// Providers that refuse fields which they do not know.
    #[serde(default = "strict")]
    providers: Vec<String>,
}

fn strict() -> Vec<String> {
    ["groq", "cerebras", "together", "anyscale"].map(str::to_owned).to_vec()
}

impl Settings {
    /// Returns true if this provider, in lower case, is a strict one.
    pub(crate) fn is_strict(&self, provider: &str) -> bool {
        self.providers.iter().any(|strict| strict.to_lowercase() == provider)
    }
}
