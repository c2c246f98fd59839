//! What the guard says about files, in tables.
#![expect(clippy::unwrap_used, reason = "a test that can not go on fails")]

mod defaults;
mod hook;
mod patterns;
mod spelling;

use guard_paths::{Access, Config, Policy, Severity, judge};

/// The folder that the agent works in.
const CWD: &str = "/home/me/project";

fn policy(config: &str) -> Policy {
    Policy::new(&serde_json::from_str::<Config>(config).unwrap()).unwrap()
}

fn verdict(config: &str, access: Access, path: &str) -> String {
    match judge(path, CWD, access, &policy(config)) {
        None => "none".to_owned(),
        Some(decision) if decision.severity == Severity::Deny => format!("deny {}", decision.code),
        Some(decision) => format!("ask {}", decision.code),
    }
}

/// Every path of a table has this verdict; all that do not are told at once.
fn all(config: &str, access: Access, expected: &str, paths: &[&str]) {
    let wrong: Vec<String> = paths
        .iter()
        .map(|path| (path, verdict(config, access, path)))
        .filter(|(_, verdict)| verdict != expected)
        .map(|(path, verdict)| format!("{verdict}: {path:.200}"))
        .collect();
    assert!(wrong.is_empty(), "not `{expected}`:\n{}", wrong.join("\n"));
}
