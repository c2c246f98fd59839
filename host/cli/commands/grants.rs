//! What a plugin asks for and a hook is not given, and what to write to give it.

use hookbox::{
    HookSpec,
    model::{RequestedGrants, Tier},
};

/// The line for the hook's entry that gives all that is asked. Nobody can give anything to a stranger's hook.
pub(super) fn line(spec: &HookSpec, asks: &RequestedGrants) -> Option<String> {
    (spec.origin.tier != Tier::Unknown).then(|| asks.joined_to(&spec.grants()).line())
}

/// What is asked and not granted, in a sentence.
pub(super) fn missing(spec: &HookSpec, asks: &RequestedGrants) -> Option<String> {
    let missing = asks.missing(&spec.grants());
    if missing.is_empty() {
        return None;
    }
    let said = format!("the plugin asks for {}, which is not granted", missing.join(", "));
    Some(match line(spec, asks) {
        Some(line) => format!("{said}; to grant it, write into the hook's entry: {line}"),
        None => format!("{said}, and cannot be to a project's hook"),
    })
}
