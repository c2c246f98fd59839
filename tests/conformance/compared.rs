//! The test of one case: what hookbox says, against what it must say.

use std::fs;

use hookbox::dialect;
use similar::TextDiff;

use crate::{
    case::{Case, blessing},
    imported,
    run::Seen,
    schemas,
};

/// Everything that is not as the case says; the rule first.
pub(crate) fn compare(case: &Case) -> Result<(), String> {
    let mut wrong = answer_problems(case);
    wrong.extend(schema_problem(case));
    wrong.extend(imported::problem(case));
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}\n{}", case.file.rule, wrong.join("\n"))) }
}

/// How the answer differs from the expected one.
fn answer_problems(case: &Case) -> Vec<String> {
    let Seen { exit, stdout, stderr, mut wrong } = case.run();
    if blessing() {
        fs::write(case.folder.join("answer"), &stdout).unwrap();
    }
    wrong.extend(difference("answer", &case.text("answer").unwrap_or_default(), &stdout));
    wrong.extend((exit != case.file.exit).then(|| format!("exit code {exit}, not {}", case.file.exit)));
    wrong.extend(case.file.stderr.as_ref().and_then(|wanted| difference("stderr", wanted, &stderr)));
    if !wrong.is_empty() && case.file.stderr.is_none() && !stderr.is_empty() {
        wrong.push(format!("on standard error: {stderr}"));
    }
    wrong
}

fn difference(what: &str, expected: &str, was: &str) -> Option<String> {
    let diff = TextDiff::from_lines(expected, was);
    let diff = diff.unified_diff().header(&format!("{what}, expected"), &format!("{what}, was")).to_string();
    (expected != was).then_some(diff)
}

/// Why the agent does not take the answer that is expected here.
fn schema_problem(case: &Case) -> Option<String> {
    let (_, event) = case.event(dialect::named(&case.dialect)?)?;
    let problem = schemas::problem(&case.dialect, &event, &case.text("answer")?)?;
    Some(format!("the agent does not take this answer: {problem}"))
}
