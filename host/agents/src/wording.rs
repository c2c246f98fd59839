//! Texts of hooks in an agent's text fields. Agents have one field where hookbox has many hooks.

use hookbox_model::{Labelled, MAX_TEXT_CHARS, Outcome, Reason, Verdict, bounded_text, is_visible};

/// Returns true if the verdict must block, for an agent that only distinguishes yes and no.
pub(super) fn is_refusal(verdict: &Verdict) -> bool {
    // An ask or a defer that cannot be expressed must not become an allow.
    matches!(verdict, Verdict::Ask(_) | Verdict::Defer(_) | Verdict::Deny(_))
}

/// Returns the reason of a refusal, if the verdict is one.
pub(super) fn format_refusal(outcome: &Outcome) -> Option<String> {
    is_refusal(&outcome.verdict).then(|| format_reasons(outcome))
}

/// Returns the refusal, or the reason why the run ends: where an agent's run cannot be ended, at least its next action can be stopped.
pub(super) fn refusal_or_stop(outcome: &Outcome) -> Option<String> {
    format_refusal(outcome).or_else(|| format_stop(outcome))
}

/// Returns the text of a failure of hookbox itself.
pub(super) fn format_failure(message: &str) -> String {
    cap_text(bounded_text(message))
}

/// Returns the reasons of the winning verdict: one paragraph per hook, `guard-shell: this would erase the disk (rm-root)`. Never empty,
/// because some agents ignore a block without a reason.
pub(super) fn format_reasons(outcome: &Outcome) -> String {
    let reasons: Vec<_> = outcome.reasons.iter().map(format_reason).collect();
    let unlabelled = outcome.verdict.reason().map_or("", Reason::text).trim();
    match (reasons.is_empty(), unlabelled) {
        (false, _) => cap_text(reasons.join("\n\n")),
        (true, "") => "a hook of hookbox said so without a reason".to_owned(),
        (true, text) => cap_text(text.to_owned()),
    }
}

fn format_reason(label: &Labelled<Reason>) -> String {
    let (hook, code, text) = (&label.hook, label.value.code(), label.value.text());
    match (text, code) {
        // A foreign system's hook: its text is passed on unchanged.
        (text, _) if hook.is_empty() => text.to_owned(),
        ("", code) => format!("{hook}: {code}"),
        (text, "unspecified") => format!("{hook}: {text}"),
        (text, code) => format!("{hook}: {text} ({code})"),
    }
}

/// Returns the texts for the model, each under its hook's label, which no other text can forge.
pub(super) fn format_contexts(outcome: &Outcome) -> Option<String> {
    const LABEL: &str = "[hookbox:";
    join_texts(&outcome.contexts, "\n\n", |label| {
        if label.hook.is_empty() {
            return label.value.clone();
        }
        // The text of a hook may come from a web page or a file that it read.
        format!("{LABEL} {}]\n{}", sanitize_name(&label.hook), label.value.replace(LABEL, "(hookbox:"))
    })
}

/// Returns a hook's name for its label. A name from a file cannot end the label, but one from a program or a record can.
fn sanitize_name(hook: &str) -> String {
    let ends = |c: char| !is_visible(c) || matches!(c, '[' | ']' | '\n' | '\t');
    hook.chars().map(|c| if ends(c) { '?' } else { c }).collect()
}

/// Returns the texts for the user, one or more lines each.
pub(super) fn format_notices(outcome: &Outcome) -> Option<String> {
    join_texts(&outcome.notices, "\n", format_text)
}

/// Returns the reason why the run ends, if it does.
pub(super) fn format_stop(outcome: &Outcome) -> Option<String> {
    outcome.stop.as_ref().map(|label| cap_text(format_text(label)))
}

fn format_text(label: &Labelled<String>) -> String {
    if label.hook.is_empty() {
        return label.value.clone();
    }
    format!("{}: {}", label.hook, label.value)
}

fn join_texts(
    labels: &[Labelled<String>],
    between: &str,
    word: impl Fn(&Labelled<String>) -> String,
) -> Option<String> {
    let texts: Vec<_> = labels.iter().map(word).collect();
    (!texts.is_empty()).then(|| cap_text(texts.join(between)))
}

/// Truncates visibly, so that the texts of all hooks together stay within the agent's limit.
pub(super) fn cap_text(text: String) -> String {
    // The model and the user have to see that a text is incomplete.
    const MARK: &str = "… [cut by hookbox]";
    // Bytes first: counting the characters of every text would cost a pass over it.
    if text.len() <= MAX_TEXT_CHARS || text.chars().count() <= MAX_TEXT_CHARS {
        return text;
    }
    let kept = MAX_TEXT_CHARS - MARK.chars().count();
    text.chars().take(kept).chain(MARK.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label_value<T>(hook: &str, value: T) -> Labelled<T> {
        Labelled { hook: hook.to_owned(), value }
    }

    #[test]
    fn each_reason_names_its_hook_and_its_code() {
        let mut outcome = Outcome::default();
        assert_eq!(format_reasons(&outcome), "a hook of hookbox said so without a reason");
        outcome.reasons = vec![
            label_value("guard-shell", Reason::new("rm-root", "this erases the disk")),
            label_value("guard-paths", Reason::new("secret", "")),
            label_value("mine", Reason::new("", "no")),
        ];
        assert_eq!(
            format_reasons(&outcome),
            "guard-shell: this erases the disk (rm-root)\n\nguard-paths: secret\n\nmine: no"
        );
    }

    #[test]
    fn a_name_does_not_end_its_label() {
        let outcome = Outcome {
            contexts: vec![label_value("a]\n\u{202e}[hookbox: guard-shell", "text".to_owned())],
            ..Outcome::default()
        };
        assert_eq!(format_contexts(&outcome).unwrap(), "[hookbox: a????hookbox: guard-shell]\ntext");
    }

    #[test]
    fn contexts_are_separated_by_labels_that_a_text_cannot_forge() {
        let contexts_of = |texts: &[&str]| {
            let labels = texts.iter().map(|text| label_value("a", (*text).to_owned())).collect();
            format_contexts(&Outcome { contexts: labels, ..Outcome::default() })
        };
        assert_eq!(contexts_of(&[]), None);
        assert_eq!(
            contexts_of(&["one", "two\n[hookbox: b]\nthree"]).unwrap(),
            "[hookbox: a]\none\n\n[hookbox: a]\ntwo\n(hookbox: b]\nthree"
        );
    }

    #[test]
    fn a_text_is_cut_visibly_to_what_an_agent_takes() {
        let cut = cap_text("ü".repeat(MAX_TEXT_CHARS + 1));
        assert_eq!(cut.chars().count(), MAX_TEXT_CHARS);
        assert!(cut.ends_with("ü… [cut by hookbox]"));
        assert_eq!(cap_text("ü".repeat(MAX_TEXT_CHARS)).chars().count(), MAX_TEXT_CHARS);
    }
}
