//! Texts of a foreign system's hooks in that system's form: without hook names, one text of each kind.

use hookbox_model::{HookReport, Labelled, Outcome, Reason, Status};

use crate::interfaces::{Kept, PlainTexts};

/// Reduces the texts to one of each kind: the first, the last, or all of them with a line each.
pub(super) fn reduce_texts(outcome: &mut Outcome, texts: PlainTexts) {
    let PlainTexts { reasons, contexts, notices: others, of_every_hook } = texts;
    let all_texts =
        std::mem::take(&mut outcome.reasons).into_iter().map(|label| label.value.text().to_owned());
    outcome.reasons = reduce_to_one(all_texts.collect(), reasons, |text| Reason::new("", text));
    outcome.contexts =
        reduce_to_one(take_values(std::mem::take(&mut outcome.contexts)), contexts, str::to_owned);
    outcome.notices = reduce_to_one(take_values(std::mem::take(&mut outcome.notices)), others, str::to_owned);
    if let Some(stop) = &mut outcome.stop {
        stop.hook.clear();
        if of_every_hook {
            stop.value = reduce_to_one(collect_stop_reasons(&outcome.reports), others, str::to_owned)
                .pop()
                .map_or_else(String::new, |s| s.value);
        }
    }
}

fn take_values(labels: Vec<Labelled<String>>) -> Vec<String> {
    labels.into_iter().map(|label| label.value).collect()
}

/// Returns the reasons for ending the run, one from each hook that ends it.
fn collect_stop_reasons(reports: &[HookReport]) -> Vec<String> {
    let stop = |report: &HookReport| match &report.status {
        Status::Answered(answer) => answer.stop.clone(),
        _ => None,
    };
    reports.iter().filter_map(stop).collect()
}

fn reduce_to_one<T>(texts: Vec<String>, kept: Kept, make: impl Fn(&str) -> T) -> Vec<Labelled<T>> {
    let mut texts = texts.into_iter().filter(|text| !text.is_empty());
    let text = match kept {
        Kept::First => texts.next().unwrap_or_default(),
        Kept::Lines => texts.collect::<Vec<_>>().join("\n"),
        Kept::Paragraphs => texts.collect::<Vec<_>>().join("\n\n"),
        Kept::Last => texts.next_back().unwrap_or_default(),
    };
    if text.is_empty() { Vec::new() } else { vec![Labelled { hook: String::new(), value: make(&text) }] }
}
