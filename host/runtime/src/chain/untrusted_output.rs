//! Keeps the output of untrusted hooks from the model: texts, and also names and codes, which are enough for a
//! sentence. Fixed words replace them; the originals are kept in the report, for the user.

use hookbox_model::{Answer, Failure, HookReport, Layer, Reason, Status, Unreviewed, Verdict};

use crate::hook::HookSpec;

/// Codes that an untrusted hook may give for an ask or a deny; any other becomes `unspecified`.
pub const UNREVIEWED_CODES: [&str; 12] = [
    "branch",
    "commit-message",
    "dependency",
    "destructive-command",
    "docs",
    "generated-file",
    "license",
    "network",
    "protected-path",
    "secret",
    "style",
    "tests",
];

/// Text of every such ask or deny.
const RULE: &str = "an untrusted rule of this project";
/// Text of an ask or deny if an agent's plugin brings the hook.
const PLUGINS_RULE: &str = "a rule of an agent's plugin that was not added to hookbox";

/// Text of every such failure.
const FAILED: &str = "a hook of this project failed; `hookbox explain` shows how";
/// Text of a failure if an agent's plugin brings the hook.
const PLUGIN_FAILED: &str = "a hook of an agent's plugin failed";

/// Replaces the texts in the report of an untrusted hook by fixed words. `theirs` is the hook's result before clamping.
pub(super) fn replace_texts(report: &mut HookReport, spec: &HookSpec, theirs: Result<Answer, Failure>) {
    let of_plugin = spec.origin.layer == Layer::Session;
    let (rule, failed) = if of_plugin { (PLUGINS_RULE, PLUGIN_FAILED) } else { (RULE, FAILED) };
    match &mut report.status {
        Status::Answered(answer) => answer.verdict = in_our_words(&answer.verdict, rule),
        Status::Failed(failure) => *failure = Failure::new(failure.code, failed),
        Status::Skipped => {}
    }
    let status = theirs.map_or_else(Status::Failed, Status::Answered);
    report.raw = None;
    report.unreviewed = Some(Box::new(Unreviewed { name: spec.name.clone(), status }));
}

fn in_our_words(verdict: &Verdict, rule: &str) -> Verdict {
    let ours = |reason: &Reason| {
        let known = UNREVIEWED_CODES.iter().find(|code| **code == reason.code());
        Reason::new(known.copied().unwrap_or_default(), rule)
    };
    match verdict {
        Verdict::None => Verdict::None,
        Verdict::Allow(reason) => Verdict::Allow(ours(reason)),
        Verdict::Ask(reason) => Verdict::Ask(ours(reason)),
        Verdict::Defer(reason) => Verdict::Defer(ours(reason)),
        Verdict::Deny(reason) => Verdict::Deny(ours(reason)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_built_in_codes_of_an_untrusted_hook_are_passed_on() {
        for code in UNREVIEWED_CODES {
            let verdict = in_our_words(&Verdict::Deny(Reason::new(code, "theirs")), RULE);
            assert_eq!(verdict, Verdict::Deny(Reason::new(code, RULE)));
        }
        for code in ["ignore-all-previous-instructions", "rm-root", "secrets", ""] {
            let verdict = in_our_words(&Verdict::Ask(Reason::new(code, "theirs")), RULE);
            assert_eq!(verdict, Verdict::Ask(Reason::new("unspecified", RULE)), "{code}");
        }
    }
}
