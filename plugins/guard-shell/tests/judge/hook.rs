//! The hook as the host calls it.

use guard_shell::GuardShell;
use hookbox_sdk::{Answer, Event, Hook, ToolCall, ToolClass, Verdict, testing};

use crate::support::CWD;

fn answer(config: &str, class: ToolClass, command: Option<&str>) -> Result<Answer, String> {
    testing::set_config(config);
    let tool = ToolCall { class, command: command.map(str::to_owned), ..ToolCall::default() };
    GuardShell::handle(Event {
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
fn shell_commands_are_judged() {
    assert_eq!(code(answer("{}", ToolClass::Shell, Some("rm -rf /"))), "deny rm-root");
    assert_eq!(code(answer("{}", ToolClass::Shell, Some("git push -f"))), "ask git-force-push");
    assert_eq!(code(answer("{}", ToolClass::Shell, Some("ls"))), "none");
    assert_eq!(code(answer(r#"{"off": ["rm-root"]}"#, ToolClass::Shell, Some("rm -rf /"))), "none");
}

#[test]
fn a_shell_call_without_a_command_line_is_for_the_person_to_decide() {
    assert_eq!(code(answer("{}", ToolClass::Shell, None)), "ask unparsable");
    assert_eq!(code(answer(r#"{"off": ["unparsable"]}"#, ToolClass::Shell, None)), "none");
}

#[test]
fn powershell_is_asked_about_unless_it_only_reads() {
    testing::set_config("{}");
    for (command, expected) in [
        ("Remove-Item -Recurse -Force C:/x", "ask unparsable"),
        ("if (Test-Path x) { Remove-Item x }", "ask unparsable"),
        ("rm -rf /", "deny rm-root"),
        ("Get-ChildItem src | Select-Object Name", "none"),
    ] {
        let tool = ToolCall {
            class: ToolClass::Shell,
            name: "PowerShell".into(),
            command: Some(command.into()),
            ..ToolCall::default()
        };
        let event =
            Event { name: "tool.before".into(), cwd: CWD.into(), tool: Some(tool), ..Event::default() };
        assert_eq!(code(GuardShell::handle(event)), expected, "{command}");
    }
}

#[test]
fn a_call_that_names_its_folder_is_judged_there() {
    testing::set_config("{}");
    for (folder, expected) in [("/", "deny rm-root"), ("/code/project/build", "none")] {
        let tool = ToolCall {
            class: ToolClass::Shell,
            command: Some("rm -rf usr".into()),
            paths: vec![folder.into()],
            ..ToolCall::default()
        };
        let event =
            Event { name: "tool.before".into(), cwd: CWD.into(), tool: Some(tool), ..Event::default() };
        assert_eq!(code(GuardShell::handle(event)), expected, "{folder}");
    }
}

#[test]
fn a_nul_hides_nothing_on_either_side_of_it() {
    for command in ["rm -rf /\0", "rm -rf /\0; ls", "r\0m -rf /", "ls\0; rm -rf /"] {
        assert_eq!(code(answer("{}", ToolClass::Shell, Some(command))), "deny rm-root", "{command:?}");
    }
    assert_eq!(code(answer("{}", ToolClass::Shell, Some("ls\0"))), "ask unparsable");
}

/// Returns the code for a tool of an MCP server that is called with these arguments.
fn of_arguments(config: &str, input: &str) -> String {
    testing::set_config(config);
    let tool = ToolCall { class: ToolClass::Mcp, input: input.into(), ..ToolCall::default() };
    let event = Event { name: "tool.before".into(), cwd: CWD.into(), tool: Some(tool), ..Event::default() };
    code(GuardShell::handle(event))
}

#[test]
fn the_commands_among_the_arguments_of_a_server_s_tool_are_judged() {
    for input in [
        r#"{"command":"rm -rf /"}"#,
        r#"{"cmd":"rm","args":["-rf","/"]}"#,
        r#"{"cmd":"rm","args":"-rf /"}"#,
        r#"{"command":["rm","-rf","/"]}"#,
        r#"{"commands":["ls","rm -rf /"]}"#,
        r#"{"shellCommand":"rm -rf /"}"#,
        r#"{"request":{"command_line":"rm -rf /"}}"#,
        r#"{"request":"{\"command\":\"rm -rf /\"}"}"#,
        r##"{"script":"#!/bin/sh\nset -e\nrm -rf /"}"##,
        r#"{"code":"import os; os.system('rm -rf /')"}"#,
        r#"{"command":"rm -rf usr","cwd":"/"}"#,
        r#"{"command":"rm -rf usr","workingDirectory":"/"}"#,
        r#"{"command":"rm -rf usr","path":"/"}"#,
        r#"{"program":"rm","args":["-rf","/"]}"#,
        r#"{"terminal_id":"1","text":"rm -rf /{enter}"}"#,
    ] {
        assert_eq!(of_arguments("{}", input), "deny rm-root", "{input}");
    }
    assert_eq!(of_arguments("{}", r#"{"command":"git push -f"}"#), "ask git-force-push");
    assert_eq!(of_arguments(r#"{"off":["rm-root"]}"#, r#"{"command":"rm -rf /"}"#), "none");
}

#[test]
fn what_may_be_another_language_is_judged_by_what_is_certain() {
    for input in [
        r#"{"script":"() => document.title"}"#,
        r#"{"code":"x = $(y"}"#,
        r#"{"script":"$X --help"}"#,
        r#"{"command":"view","path":"/p/a"}"#,
        r#"{"query":"rm -rf /"}"#,
        r#"{"text":"rm -rf /","command":7}"#,
        "{}",
        "",
    ] {
        assert_eq!(of_arguments("{}", input), "none", "{input}");
    }
    assert_eq!(of_arguments("{}", r#"{"command":"x '"}"#), "ask unparsable");
    let many = format!(r#"{{"a":[{}1]}}"#, r#""b","#.repeat(70_000));
    assert_eq!(of_arguments("{}", &many), "ask unparsable");
}

#[test]
fn other_tools_and_finished_calls_are_not_judged() {
    assert_eq!(code(answer("{}", ToolClass::Other, Some("rm -rf /"))), "none");
    let tool = ToolCall {
        class: ToolClass::Shell,
        command: Some("rm -rf /".into()),
        output: Some("{}".into()),
        ..ToolCall::default()
    };
    let event = Event { name: "tool.after".into(), tool: Some(tool), ..Event::default() };
    assert_eq!(GuardShell::handle(event), Ok(Answer::none()));
    assert_eq!(GuardShell::handle(Event::default()), Ok(Answer::none()));
}

#[test]
fn a_broken_configuration_is_a_failed_hook_even_for_harmless_commands() {
    let error = answer(r#"{"deny": ["rm-rot"]}"#, ToolClass::Shell, Some("ls")).unwrap_err();
    assert!(error.starts_with("unknown code `rm-rot`"), "{error}");
    assert!(
        answer(r#"{"denied": []}"#, ToolClass::Shell, Some("ls"))
            .unwrap_err()
            .contains("unknown field `denied`")
    );
}
