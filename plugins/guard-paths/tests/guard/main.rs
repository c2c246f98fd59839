//! Tests of the guard's decisions about files, in tables.
#![expect(clippy::unwrap_used, reason = "a test that can not go on fails")]

mod arguments;
mod commands;
mod defaults;
mod globs;
mod hook;
mod patterns;
mod shown;
mod spelling;
mod startup;
mod written;

use guard_paths::{Access, Config, Decision, Policy, Severity, judge, judge_command};

/// The folder that the agent works in.
const CWD: &str = "/home/me/project";

fn policy(config: &str) -> Policy {
    Policy::new(&serde_json::from_str::<Config>(config).unwrap()).unwrap()
}

fn verdict(config: &str, access: Access, path: &str) -> String {
    format_decision(judge(path, CWD, access, &policy(config)))
}

fn verdict_of_command(config: &str, command: &str) -> String {
    format_decision(judge_command(command, CWD, CWD, &policy(config)))
}

fn format_decision(decision: Option<Decision>) -> String {
    match decision {
        None => "none".to_owned(),
        Some(decision) if decision.severity == Severity::Deny => format!("deny {}", decision.code),
        Some(decision) => format!("ask {}", decision.code),
    }
}

/// Every path of a table has this verdict; all that do not are reported together.
fn all(config: &str, access: Access, expected: &str, paths: &[&str]) {
    compare(expected, paths, |path| verdict(config, access, path));
}

/// Every command line of a table has this verdict.
fn all_commands(config: &str, expected: &str, commands: &[&str]) {
    compare(expected, commands, |command| verdict_of_command(config, command));
}

fn compare(expected: &str, texts: &[&str], verdict: impl Fn(&str) -> String) {
    let wrong: Vec<String> = texts
        .iter()
        .map(|text| (text, verdict(text)))
        .filter(|(_, verdict)| verdict != expected)
        .map(|(text, verdict)| format!("{verdict}: {text:.200}"))
        .collect();
    assert!(wrong.is_empty(), "not `{expected}`:\n{}", wrong.join("\n"));
}
