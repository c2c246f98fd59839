//! Counts of stopped calls by rule: by the hook, and the code of its reason.

use std::collections::BTreeMap;

use hookbox_app::event_log::{Entry, LoggedAnswer};

/// Name in place of the hook's for a call that no logged hook stopped.
const HOST: &str = "hookbox";
/// Code of a hook that failed.
const FAILED: &str = "hook-failed";

/// A rule, and the number of calls that it stopped.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RuleCount {
    pub(super) hook: String,
    pub(super) code: Option<String>,
    pub(super) count: usize,
}

/// Counts the calls that each rule stopped, the largest count first. A call that two rules stopped counts for both.
pub(super) fn count_rules<'a>(entries: impl Iterator<Item = &'a Entry>) -> Vec<RuleCount> {
    let mut counts: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
    for entry in entries.filter(|entry| entry.is_stopped()) {
        let mut rules: Vec<_> =
            entry.hooks.iter().filter(|answer| answer.verdict == entry.verdict).map(rule_of).collect();
        if rules.is_empty() {
            rules.push((HOST, None));
        }
        for rule in rules {
            *counts.entry(rule).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts
        .into_iter()
        .map(|((hook, code), count)| RuleCount {
            hook: hook.to_owned(),
            code: code.map(str::to_owned),
            count,
        })
        .collect();
    counts.sort_by_key(|rule| std::cmp::Reverse(rule.count));
    counts
}

fn rule_of(answer: &LoggedAnswer) -> (&str, Option<&str>) {
    let failed = answer.failure.as_ref().map(|_| FAILED);
    (answer.hook.name.as_str(), answer.code.as_deref().or(failed))
}
