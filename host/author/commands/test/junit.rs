//! Test report for CI.

use std::path::Path;

use hookbox::model::bounded_text;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::FixtureRun;
use crate::{environment, exit::Fault, printer::to_plain_line, verdict::Verdict};

/// Checks that a report can be written, before the tests run.
pub(super) fn check_place(file: &Path) -> Result<(), Fault> {
    let file = environment::current_folder().join(file);
    let shown = to_plain_line(&file.display().to_string());
    if file.is_dir() {
        return Err(Fault::Usage(format!(
            "--junit {shown} is a folder; name a file in it: --junit {}",
            to_plain_line(&file.join("report.xml").display().to_string())
        )));
    }
    let folder = file.parent().unwrap_or(Path::new("/"));
    // An anonymous file, which is removed immediately.
    tempfile::tempfile_in(folder).map(drop).map_err(|error| {
        let folder = to_plain_line(&folder.display().to_string());
        Fault::Usage(format!(
            "--junit {shown} cannot be written, since {folder} takes no file: {error}; make that folder, or name another"
        ))
    })
}

/// Returns the report of this plugin, with a test case for each fixture.
pub(super) fn build_report(plugin: &str, ran: &[FixtureRun]) -> Result<Vec<u8>, String> {
    let mut suite = TestSuite::new(plugin);
    suite.add_test_cases(ran.iter().map(convert_case));
    let mut report = Report::new("hookbox plugin test");
    report.set_time(ran.iter().map(|ran| ran.time).sum()).add_test_suite(suite);
    report
        .to_string()
        .map(String::into_bytes)
        .map_err(|error| format!("the report cannot be written: {error}"))
}

fn convert_case(ran: &FixtureRun) -> TestCase {
    let mut case = TestCase::new(ran.name.as_str(), convert_status(&ran.verdict));
    case.set_time(ran.time);
    if let Some(got) = ran.got.as_ref().filter(|got| !got.log.is_empty()) {
        case.set_system_out(bounded_text(&got.log.join("\n")));
    }
    case
}

fn convert_status(verdict: &Verdict) -> TestCaseStatus {
    let kind = match verdict {
        Verdict::Passed => return TestCaseStatus::success(),
        Verdict::Failed(_) => NonSuccessKind::Failure,
        Verdict::Broken(_) => NonSuccessKind::Error,
    };
    let text = anstream::adapter::strip_str(&verdict.complaints().join("\n")).to_string();
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(text.lines().next().unwrap_or_default()).set_description(text);
    status
}
