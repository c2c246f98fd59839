//! The texts of a foreign system's hooks, as that system would hand them on: without the names of hooks, one text each.

use hookbox_model::{Labelled, Outcome, Reason};

use super::policy::Texts;

/// Leaves one text of each kind: the first, or all of them with a line each.
pub(super) fn make(outcome: &mut Outcome, texts: Texts) {
    let first_reason = matches!(texts, Texts::First | Texts::PlainFirstReason);
    let first_notice = matches!(texts, Texts::First | Texts::PlainAllFirstNotice);
    let reasons = std::mem::take(&mut outcome.reasons).into_iter().map(|said| said.value.text().to_owned());
    outcome.reasons = one(reasons.collect(), first_reason, |text| Reason::new("", text));
    let texts = |said: Vec<Labelled<String>>| said.into_iter().map(|said| said.value).collect();
    outcome.contexts = one(texts(std::mem::take(&mut outcome.contexts)), false, str::to_owned);
    outcome.notices = one(texts(std::mem::take(&mut outcome.notices)), first_notice, str::to_owned);
    if let Some(stop) = &mut outcome.stop {
        stop.hook.clear();
    }
}

fn one<T>(texts: Vec<String>, first: bool, make: impl Fn(&str) -> T) -> Vec<Labelled<T>> {
    let texts: Vec<_> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    let text = if first { texts.into_iter().next().unwrap_or_default() } else { texts.join("\n") };
    if text.is_empty() { Vec::new() } else { vec![Labelled { hook: String::new(), value: make(&text) }] }
}
