//! Shared helpers of the tests: a judge with the default policy, and tables of commands.
use guard_shell::{Config, Decision, Policy, Severity, judge, judge_in};

/// The folder that the agent works in.
pub(crate) const CWD: &str = "/code/project";

/// The policy that a configuration in JSON gives.
pub(crate) fn policy(config: &str) -> Policy {
    let config: Config = serde_json::from_str(config).unwrap();
    Policy::new(&config).unwrap()
}

/// Returns the verdict of the default policy: `deny rm-root`, `ask unparsable`, `none`.
pub(crate) fn verdict(command: &str) -> String {
    verdict_with("{}", command)
}

/// Returns the verdict of a policy.
pub(crate) fn verdict_with(config: &str, command: &str) -> String {
    format_decision(judge(command, CWD, &policy(config)), command)
}

fn format_decision(decision: Option<Decision>, command: &str) -> String {
    match decision {
        None => "none".to_owned(),
        Some(decision) => match decision.severity {
            Severity::Deny => format!("deny {}", decision.code),
            Severity::Ask => format!("ask {}", decision.code),
            Severity::Confine => format!("confine {}", decision.code),
            Severity::Off => panic!("a decision that is off: {command}"),
        },
    }
}

/// Returns the verdict of the default policy on a line that runs in a folder other than the agent's workspace.
pub(crate) fn verdict_at(folder: &str, workspace: &str, command: &str) -> String {
    format_decision(judge_in(command, folder, workspace, &policy("{}")), command)
}

/// Every command of a table has this verdict; all that do not are reported together.
pub(crate) fn all(expected: &str, commands: &[&str]) {
    all_with("{}", expected, commands);
}

/// Every command of a table has this verdict under a policy.
pub(crate) fn all_with(config: &str, expected: &str, commands: &[&str]) {
    let wrong: Vec<String> = commands
        .iter()
        .map(|command| (command, verdict_with(config, command)))
        .filter(|(_, verdict)| verdict != expected)
        .map(|(command, verdict)| format!("{verdict}: {command}"))
        .collect();
    assert!(wrong.is_empty(), "not `{expected}`:\n{}", wrong.join("\n"));
}
