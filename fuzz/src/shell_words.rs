//! `guard-shell`: any command line is judged, in time that libFuzzer bounds.

use std::sync::OnceLock;

use guard_shell::{Config, Policy, judge};

/// The bytes are a command line.
pub fn run(data: &[u8]) {
    static POLICY: OnceLock<Option<Policy>> = OnceLock::new();
    let policy = POLICY.get_or_init(|| Policy::new(&serde_json::from_str::<Config>("{}").ok()?).ok());
    let Some(policy) = policy else { return assert!(data.is_empty(), "there is no default policy") };
    let command = String::from_utf8_lossy(data);
    let decision = judge(&command, "/code/project", policy);
    assert_eq!(judge(&command, "/code/project", policy), decision);
}
