//! Which command lines are allowed, and which get no opinion.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod allowed;
mod disguises;
mod hook;
mod settings;
mod surroundings;

use allow_safe::{Config, Policy, judge};

/// The folder of the project.
const PROJECT: &str = "/home/me/project";

fn find_doubt(command: &str) -> Option<String> {
    judge(command, PROJECT, PROJECT, &Policy::new(&Config::default()).unwrap())
}

/// Each line gets no opinion.
#[track_caller]
fn assert_no_opinion(lines: &[&str]) {
    let allowed: Vec<&&str> = lines.iter().filter(|line| find_doubt(line).is_none()).collect();
    assert!(allowed.is_empty(), "allowed: {allowed:#?}");
}

/// Each line is allowed.
#[track_caller]
fn assert_allowed(lines: &[&str]) {
    let doubts: Vec<_> = lines.iter().filter_map(|line| Some((line, find_doubt(line)?))).collect();
    assert!(doubts.is_empty(), "{doubts:#?}");
}
