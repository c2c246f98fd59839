//! The test of one case: what hookbox says, against what it must say.

use std::fs;

use hookbox::agents;
use similar::TextDiff;

use crate::{
    case::{Case, is_blessing},
    imported_case,
    run::Seen,
    schemas,
};

/// Runs the cases, and fails with every case that differs.
pub(crate) fn compare_all(cases: &[Case]) -> Result<(), String> {
    let wrong: Vec<_> = cases
        .iter()
        .filter_map(|case| Some(format!("{}: {}", case.title(), compare_case(case).err()?)))
        .collect();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{} of {} cases differ\n\n{}", wrong.len(), cases.len(), wrong.join("\n\n")))
}

/// Everything that is not as the case says; the rule first.
fn compare_case(case: &Case) -> Result<(), String> {
    case.unpack();
    let mut wrong = answer_problems(case);
    wrong.extend(schema_problem(case));
    wrong.extend(imported_case::find_problem(case));
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}\n{}", case.file.rule, wrong.join("\n"))) }
}

/// Returns the problem of a case that `docs/internals/seeds.md` names and that runs without its hooks: an equal result needs a reason in
/// the case.
pub(crate) fn emptied_problem(case: Case) -> Option<String> {
    let case = case.emptied();
    case.unpack();
    let is_same = answer_problems(&case).is_empty();
    let said = match (is_same, &case.file.without_hooks) {
        (true, None) => {
            "it is the same without its hooks: have a hook leave a file in `left/`, or say why in `without_hooks`"
        }
        (false, Some(_)) => "it differs without its hooks: leave out `without_hooks`",
        (true, Some(_)) | (false, None) => return None,
    };
    Some(format!("{}: {said}", case.title()))
}

/// How the answer differs from the expected one.
fn answer_problems(case: &Case) -> Vec<String> {
    let Seen { exit, stdout, stderr, mut wrong } = case.run();
    if is_blessing() && !case.is_emptied {
        write_answer(case, &stdout);
    }
    wrong.extend(diff_texts("answer", &case.read_text("answer").unwrap_or_default(), &stdout));
    wrong.extend((exit != case.file.exit).then(|| format!("exit code {exit}, not {}", case.file.exit)));
    wrong.extend(case.file.stderr.as_ref().and_then(|wanted| diff_texts("stderr", wanted, &stderr)));
    if !wrong.is_empty() && case.file.stderr.is_none() && !stderr.is_empty() {
        wrong.push(format!("on standard error: {stderr}"));
    }
    wrong
}

/// Writes this answer into the case in the place of the expected one.
fn write_answer(case: &Case, answer: &str) {
    const MARKER: &str = "\n-- answer --\n";
    let text = fs::read_to_string(&case.archive).unwrap();
    // The answer is the last file of each case; an empty one is left out.
    let before = text.split_once(MARKER).map_or(text.as_str(), |(before, _)| before);
    let after = if answer.is_empty() { String::new() } else { format!("{MARKER}{answer}") };
    fs::write(&case.archive, format!("{before}{after}")).unwrap();
}

fn diff_texts(what: &str, expected: &str, was: &str) -> Option<String> {
    let diff = TextDiff::from_lines(expected, was);
    let diff = diff.unified_diff().header(&format!("{what}, expected"), &format!("{what}, was")).to_string();
    (expected != was).then_some(diff)
}

/// Why the agent does not take the answer that is expected here.
fn schema_problem(case: &Case) -> Option<String> {
    let (_, event) = case.read_event(agents::find_dialect(&case.dialect)?)?;
    let problem = schemas::find_problem(&case.dialect, &event, &case.read_text("answer")?)?;
    Some(format!("the agent does not take this answer: {problem}"))
}
