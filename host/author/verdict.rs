//! Compares the expectations of a fixture with the result.

use std::fmt::Write as _;

use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use crate::{
    fixture::{Fixture, FixtureContent, FixtureError, ResourceBudget},
    printer::{DIM, ERROR, GOOD, to_plain_line},
    trial::CallResult,
};

/// Log lines that are shown for a fixture that failed.
const MAX_LOG_LINES: usize = 20;

pub(crate) enum Verdict {
    Passed,
    /// Differences, some lines each.
    Failed(Vec<String>),
    /// The fixture could not be run.
    Broken(String),
}

impl Verdict {
    pub(crate) fn as_str(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed(_) => "failed",
            Self::Broken(_) => "broken",
        }
    }

    /// Returns the complaints, if there are any.
    pub(crate) fn complaints(&self) -> &[String] {
        match self {
            Self::Passed => &[],
            Self::Failed(complaints) => complaints,
            Self::Broken(why) => std::slice::from_ref(why),
        }
    }
}

/// Compares expectations and result. Refused operations are shown with a complaint, and do not fail a fixture by themselves.
pub(crate) fn judge_result(
    fixture: &Fixture,
    content: &FixtureContent<'_>,
    got: &CallResult,
) -> Result<Verdict, FixtureError> {
    let mut complaints = Vec::new();
    complaints.extend(compare_answer(content.parse_answer(fixture)?, content.error.as_deref(), got));
    complaints.extend(content.log.as_ref().and_then(|log| compare_lines(log, &got.log)));
    complaints.extend(list_budget_excess(content.budget, got));
    complaints.extend(got.unknown.iter().map(|request| {
        format!(
            "the plugin requested {}, for which the fixture has no recorded response in `http`",
            to_plain_line(request)
        )
    }));
    if complaints.is_empty() {
        return Ok(Verdict::Passed);
    }
    complaints.extend(collect_hints(got));
    if content.log.is_none() {
        complaints.extend(format_log_lines(got));
    }
    Ok(Verdict::Failed(complaints))
}

fn compare_answer(expected: Option<Value>, error: Option<&str>, got: &CallResult) -> Option<String> {
    match (expected, error, &got.answer) {
        (Some(_), Some(_), _) => {
            Some("the fixture has both `answer` and `error`; remove one of them".to_owned())
        }
        (None, None, got) => {
            let got = got.as_ref().map_or_else(|error| error_json(error), Clone::clone);
            Some(format!("the fixture has no `answer`; --update writes the current one: {got}"))
        }
        (Some(expected), None, Ok(got)) if expected == *got => None,
        (None, Some(expected), Err(got)) if expected == got => None,
        (expected, error, got) => {
            let expected = expected.unwrap_or_else(|| error_json(error.unwrap_or_default()));
            let got = got.as_ref().map_or_else(|error| error_json(error), Clone::clone);
            Some(diff_lines("the answer", &format!("{expected:#}"), &format!("{got:#}")))
        }
    }
}

fn error_json(error: &str) -> Value {
    serde_json::json!({ "error": error })
}

fn compare_lines(expected: &[String], got: &[String]) -> Option<String> {
    let lines =
        |lines: &[String]| lines.iter().map(|line| to_plain_line(line)).collect::<Vec<_>>().join("\n");
    (expected != got).then(|| diff_lines("the log", &lines(expected), &lines(got)))
}

fn list_budget_excess(budget: ResourceBudget, got: &CallResult) -> Vec<String> {
    let usage = &got.usage;
    let parts = [
        ("fuel", budget.fuel, usage.fuel),
        ("memory", budget.memory, usage.peak_memory),
        ("host-calls", budget.host_calls, usage.host_calls),
    ];
    let over = |(name, most, used): (&str, Option<u64>, Option<u64>)| {
        let most = most?;
        match used {
            Some(used) if used <= most => None,
            Some(used) => Some(format!("{name} exceeds the budget: {used} used, {most} allowed")),
            // The plugin did not run that far; an unchecked budget does not pass.
            None => Some(format!("{name} was not measured, and the budget allows {most}")),
        }
    };
    parts.into_iter().filter_map(over).collect()
}

/// Returns possible reasons.
fn collect_hints(got: &CallResult) -> Vec<String> {
    let clamped = got.clamped.iter().map(|effect| {
        let effect = effect.as_str();
        format!("hookbox removed `{effect}` from the answer, because plugin.toml does not declare it; add it to `effects` in plugin.toml")
    });
    let refused = got.refused.iter().map(|refusal| format!("hookbox refused {refusal}"));
    clamped
        .chain(refused)
        .chain(got.doubts.iter().cloned())
        .map(|hint| format!("{DIM}note{DIM:#}: {}", to_plain_line(&hint)))
        .collect()
}

fn format_log_lines(got: &CallResult) -> impl Iterator<Item = String> + '_ {
    let more = got.log.len().saturating_sub(MAX_LOG_LINES);
    let rest = (more > 0).then(|| format!("{DIM}log{DIM:#}: and {more} more lines"));
    got.log
        .iter()
        .take(MAX_LOG_LINES)
        .map(|line| format!("{DIM}log{DIM:#}: {}", to_plain_line(line)))
        .chain(rest)
}

/// Returns a diff by lines: `-` is expected, `+` is actual.
fn diff_lines(what: &str, expected: &str, got: &str) -> String {
    let diff = TextDiff::from_lines(expected, got);
    let mut text = format!("{what} differs ({ERROR}- expected{ERROR:#}, {GOOD}+ got{GOOD:#})");
    for change in diff.iter_all_changes() {
        let line = to_plain_line(change.value().trim_end_matches('\n'));
        let _ = match change.tag() {
            ChangeTag::Equal => write!(text, "\n  {line}"),
            ChangeTag::Delete => write!(text, "\n{ERROR}- {line}{ERROR:#}"),
            ChangeTag::Insert => write!(text, "\n{GOOD}+ {line}{GOOD:#}"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use hookbox::model::Usage;

    use super::*;

    #[test]
    fn a_budget_that_cannot_be_compared_is_not_kept() {
        let budget = |used: Option<u64>| {
            let usage = Usage { fuel: used, ..Usage::default() };
            let got = CallResult::new(Ok(Value::Null), Vec::new(), usage);
            super::list_budget_excess(ResourceBudget { fuel: Some(10), ..ResourceBudget::default() }, &got)
        };
        assert_eq!(budget(Some(10)), [""; 0]);
        assert_eq!(budget(Some(11)), ["fuel exceeds the budget: 11 used, 10 allowed"]);
        assert_eq!(budget(None), ["fuel was not measured, and the budget allows 10"]);
    }
}
