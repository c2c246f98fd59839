//! Hooks that hide their output from the user (docs/reference/agents/gemini-cli.md).

use hookbox_model::{Json, Outcome};

use super::variant::SUPPRESS;

/// Returns true if any hook suppresses its output.
pub(super) fn by_any(outcome: &Outcome) -> bool {
    outcome.extras.iter().any(|extra| is_asked_for(&extra.value))
}

/// Returns true if the extra fields of a hook's answer suppress its output.
pub fn is_asked_for(extra: &Json) -> bool {
    let flag = extra.members().and_then(|members| members.get(SUPPRESS.0));
    flag.is_some_and(|flag| flag.get() == "true")
}
