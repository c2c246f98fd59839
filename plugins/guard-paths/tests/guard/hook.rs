//! The hook as the host calls it.

use guard_paths::GuardPaths;
use hookbox_sdk::{Answer, Event, Hook, ToolCall, ToolClass, Verdict, testing};

use crate::CWD;

fn answer(config: &str, class: ToolClass, paths: &[&str]) -> Result<Answer, String> {
    testing::set_config(config);
    let paths = paths.iter().map(|path| (*path).to_owned()).collect();
    let tool = ToolCall { class, paths, ..ToolCall::default() };
    GuardPaths::handle(Event {
        name: "tool.before".into(),
        cwd: CWD.into(),
        tool: Some(tool),
        ..Event::default()
    })
}

fn code(answer: Result<Answer, String>) -> String {
    match answer.unwrap().verdict {
        Verdict::None => "none".into(),
        Verdict::Allow(reason) => format!("allow {}", reason.code),
        Verdict::Ask(reason) => format!("ask {}", reason.code),
        Verdict::Deny(reason) => format!("deny {}", reason.code),
    }
}

#[test]
fn file_and_search_tools_are_judged_by_what_they_do() {
    assert_eq!(code(answer("{}", ToolClass::FileRead, &["/p/.env"])), "deny secret-file");
    assert_eq!(code(answer("{}", ToolClass::Search, &["/home/me/.ssh"])), "deny credentials");
    assert_eq!(code(answer("{}", ToolClass::FileWrite, &["/p/.git/config"])), "deny hook-config");
    assert_eq!(code(answer("{}", ToolClass::FileRead, &["/p/.git/config"])), "none");
}

fn shell(folders: &[&str], command: &str) -> Result<Answer, String> {
    testing::set_config("{}");
    let paths = folders.iter().map(|path| (*path).to_owned()).collect();
    let tool =
        ToolCall { class: ToolClass::Shell, paths, command: Some(command.into()), ..ToolCall::default() };
    GuardPaths::handle(Event {
        name: "tool.before".into(),
        cwd: CWD.into(),
        tool: Some(tool),
        ..Event::default()
    })
}

#[test]
fn shell_commands_are_judged_by_the_files_that_they_touch() {
    assert_eq!(code(shell(&[], "cat .env")), "deny secret-file");
    assert_eq!(code(shell(&["/home/me/.ssh"], "cat config")), "deny credentials");
    assert_eq!(code(shell(&["/p", "/home/me/.ssh"], "cat config")), "deny credentials");
    assert_eq!(code(shell(&["/p"], "cat config")), "none");
}

fn read_reason(answer: Result<Answer, String>) -> String {
    match answer.unwrap().verdict {
        Verdict::Deny(reason) | Verdict::Ask(reason) => reason.text,
        other => format!("{other:?}"),
    }
}

#[test]
fn a_denied_path_is_reported_with_an_alternative_and_how_the_user_can_allow_it() {
    assert_eq!(
        read_reason(shell(&[], "cat config/.env")),
        "the command reads `config/.env`, which is a file with secrets. Instead: let the program that needs the file read \
         it itself, or ask the person for the one value. The user can allow it: this once with `hookbox allow --once`, always \
         with `allow = [\"**/.env\"]` under `[hook.config]` of this hook in hooks.toml"
    );
    assert_eq!(
        read_reason(answer(r#"{"deny": ["*.csv"]}"#, ToolClass::FileRead, &["/p/a.csv"])),
        "`/p/a.csv` is on the configured list `deny` as `*.csv`. The user can allow it: this once with `hookbox allow --once`, \
         always by taking `*.csv` out of `deny` under `[hook.config]` of this hook in hooks.toml"
    );
    assert_eq!(
        read_reason(shell(&[], &format!("cat {}/*", "a".repeat(5000)))),
        "the command touches more than can be looked at. Instead: split it into shorter ones. The user can allow it: this once \
         with `hookbox allow --once`"
    );
}

#[test]
fn what_protects_the_guard_offers_no_way_around_it() {
    assert_eq!(
        read_reason(shell(&[], "frobnicate .git/hooks/pre-commit")),
        "the command hands to a program that may write it `.git/hooks/pre-commit`, which is configuration of hooks. Instead: \
         tell the person what should change, and why. Only the user may do this, in a terminal or an editor"
    );
    for path in ["/p/.hookbox/hooks.toml", "/p/.claude/settings.json"] {
        let text = read_reason(answer("{}", ToolClass::FileWrite, &[path]));
        assert!(text.ends_with("Only the user may do this, in a terminal or an editor"), "{text}");
    }
}

#[test]
fn other_tools_and_finished_calls_are_not_judged() {
    assert_eq!(code(answer("{}", ToolClass::Shell, &["/p/.env"])), "none", "where a command runs is no file");
    assert_eq!(code(answer("{}", ToolClass::Web, &["/p/.env"])), "none");
    let tool = ToolCall {
        class: ToolClass::FileRead,
        paths: vec!["/p/.env".into()],
        output: Some("{}".into()),
        ..ToolCall::default()
    };
    let event = Event { name: "tool.after".into(), tool: Some(tool), ..Event::default() };
    assert_eq!(GuardPaths::handle(event), Ok(Answer::none()));
    assert_eq!(GuardPaths::handle(Event::default()), Ok(Answer::none()));
}

#[test]
fn the_worst_of_several_files_decides() {
    let config = r#"{"ask": ["*.md"]}"#;
    assert_eq!(
        code(answer(config, ToolClass::FileRead, &["/p/a.rs", "/p/a.md", "/p/.env", "/p/x.key"])),
        "deny secret-file"
    );
    assert_eq!(code(answer(config, ToolClass::FileRead, &["/p/a.rs", "/p/a.md"])), "ask path-asked");
    assert_eq!(code(answer(config, ToolClass::FileRead, &[])), "none");
}

#[test]
fn a_broken_configuration_is_a_failed_hook() {
    assert!(
        answer(r#"{"denied": []}"#, ToolClass::FileRead, &[]).unwrap_err().contains("unknown field `denied`")
    );
    assert!(answer(r#"{"deny": ["["]}"#, ToolClass::Shell, &[]).unwrap_err().contains("does not close"));
}

#[test]
fn the_readme_lists_every_code() {
    let readme = include_str!("../../README.md");
    for code in [
        "secret-file",
        "private-key",
        "credentials",
        "agent-config",
        "hook-config",
        "path-denied",
        "path-asked",
        "too-many-files",
    ] {
        assert!(readme.contains(&format!("| `{code}` |")), "{code}");
    }
}
