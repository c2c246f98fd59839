//! Capabilities that a plugin requests and a hook is not granted, and the line that grants them.

use hookbox::{
    HookSpec,
    model::{RequestedGrants, TrustLevel},
};

/// Returns the line for the hook's entry that grants all requests; `None` for an untrusted hook, which cannot be granted
/// anything.
pub(super) fn format_grant_line(spec: &HookSpec, asks: &RequestedGrants) -> Option<String> {
    (spec.origin.trust_level != TrustLevel::Untrusted).then(|| asks.joined_to(&spec.grants()).line())
}

/// Describes the capabilities that are requested and not granted, in a sentence.
pub(super) fn describe_missing(spec: &HookSpec, asks: &RequestedGrants) -> Option<String> {
    let missing = asks.list_missing(&spec.grants());
    if missing.is_empty() {
        return None;
    }
    let message = format!("the plugin asks for {}, which is not granted", missing.join(", "));
    Some(match format_grant_line(spec, asks) {
        Some(line) => format!("{message}; to grant it, write into the hook's entry: {line}"),
        None => format!("{message}, and cannot be to a project's hook"),
    })
}
