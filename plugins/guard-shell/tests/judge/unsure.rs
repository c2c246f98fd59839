//! Commands with parts that cannot be determined, where they may run confined.

use guard_shell::{Config, GuardShell, Policy};
use hookbox_sdk::{Answer, Event, Hook, ToolCall, ToolClass, Verdict, testing};

use crate::support::{CWD, all, all_with};

const CONFINE: &str = r#"{"on-unsure": "confine"}"#;
/// A line whose command is known only when it runs.
const UNSEEN: &str = "eval \"$(cat x)\"";

#[test]
fn what_the_guard_cannot_tell_runs_confined() {
    let unsure = ["$X /", "eval \"$(cat x)\"", "$(cat f) /", "\"$X\" -rf /"];
    all("ask unknown-command", &unsure);
    all_with(CONFINE, "confine unknown-command", &unsure);
    all_with(CONFINE, "confine unparsable", &["echo 'a", "case x in"]);
    let more = r#"{"on-unsure": "confine", "ask": ["unknown-argument", "too-complex"]}"#;
    all_with(more, "confine unknown-argument", &["rm -rf \"$DIR\""]);
}

#[test]
fn what_it_knows_stays_as_it_is() {
    all_with(CONFINE, "none", &["ls", "make"]);
    all_with(
        CONFINE,
        "ask git-force-push",
        &["git push -f", "eval \"$(cat x)\"; git push -f", "git push -f; eval \"$(cat x)\""],
    );
    all_with(CONFINE, "ask unset-variable", &["rm -rf \"$X\"/*"]);
    all_with(CONFINE, "deny rm-root", &["rm -rf /", "eval \"$(cat x)\"; rm -rf /"]);
    let with = |more: &str| format!(r#"{{"on-unsure": "confine", {more}}}"#);
    all_with(&with(r#""deny": ["unknown-command"]"#), "deny unknown-command", &[UNSEEN]);
    all_with(&with(r#""off": ["unknown-command"]"#), "none", &[UNSEEN]);
}

fn answer(config: &str, event: &str, tool: ToolCall) -> Answer {
    testing::set_config(config);
    let event = Event { name: event.into(), cwd: CWD.into(), tool: Some(tool), ..Event::default() };
    GuardShell::handle(event).unwrap()
}

fn shell(command: Option<&str>) -> ToolCall {
    ToolCall { class: ToolClass::Shell, command: command.map(str::to_owned), ..ToolCall::default() }
}

#[test]
fn the_answer_names_the_profile_and_has_no_verdict() {
    for (config, profile) in
        [(CONFINE, "project"), (r#"{"on-unsure": "confine", "confine-profile": "tests"}"#, "tests")]
    {
        let confined_answer = answer(config, "tool.before", shell(Some(UNSEEN)));
        assert_eq!(confined_answer, Answer::confine(profile));
        assert_eq!(confined_answer.verdict, Verdict::None);
        let log = testing::take_log();
        assert!(log[0].1.starts_with("confined (unknown-command): `"), "{log:?}");
    }
}

#[test]
fn what_cannot_be_confined_is_asked_about() {
    let asks = |given: Answer| matches!(given.verdict, Verdict::Ask(_)) && given.extra.is_none();
    assert!(asks(answer(CONFINE, "permission.request", shell(Some(UNSEEN)))));
    assert!(asks(answer(CONFINE, "tool.before", shell(None))));
    let input = r#"{"command":"x '"}"#.to_owned();
    let server = ToolCall { class: ToolClass::Mcp, input, ..ToolCall::default() };
    assert!(asks(answer(CONFINE, "tool.before", server)));
}

#[test]
fn a_profile_has_a_name_that_a_file_can_have() {
    for (name, is_one) in [("a.b_c-1", true), ("", false), ("-x", false), ("a b", false), ("a/b", false)] {
        let config = Config { confine_profile: name.to_owned(), ..Config::default() };
        assert_eq!(Policy::new(&config).is_ok(), is_one, "{name:?}");
    }
    assert!(serde_json::from_str::<Config>(r#"{"on-unsure": "deny"}"#).is_err());
}
