//! Tools of MCP servers: their arguments tell what they do.

use guard_paths::GuardPaths;
use hookbox_sdk::{Event, Hook, ToolCall, ToolClass, Verdict, testing};
use serde_json::json;

use crate::CWD;

fn verdict(tool: &str, input: &str, paths: &[&str]) -> String {
    verdict_with("{}", tool, input, paths)
}

fn verdict_with(config: &str, tool: &str, input: &str, paths: &[&str]) -> String {
    testing::set_config(config);
    let paths = paths.iter().map(|path| (*path).to_owned()).collect();
    let tool = ToolCall {
        name: tool.into(),
        class: ToolClass::Mcp,
        paths,
        input: input.into(),
        ..ToolCall::default()
    };
    let event = Event { name: "tool.before".into(), cwd: CWD.into(), tool: Some(tool), ..Event::default() };
    match GuardPaths::handle(event).unwrap().verdict {
        Verdict::None => "none".into(),
        Verdict::Allow(reason) => format!("allow {}", reason.code),
        Verdict::Ask(reason) => format!("ask {}", reason.code),
        Verdict::Deny(reason) => format!("deny {}", reason.code),
    }
}

fn all(expected: &str, calls: &[(&str, &str)]) {
    let verdicts = calls.iter().map(|(tool, input)| (verdict(tool, input, &[]), tool, input));
    let wrong: Vec<String> = verdicts
        .filter(|(verdict, ..)| verdict != expected)
        .map(|(verdict, tool, input)| format!("{verdict}: {tool} {input}"))
        .collect();
    assert!(wrong.is_empty(), "not `{expected}`:\n{}", wrong.join("\n"));
}

#[test]
fn the_files_that_its_arguments_name_are_judged() {
    all(
        "deny secret-file",
        &[
            ("mcp__fs__read_file", r#"{"path":"/p/.env"}"#),
            ("mcp__fs__read_file", r#"{"file_path":".env"}"#),
            ("mcp__fs__readFile", r#"{"filePath":"config/.env"}"#),
            ("mcp__fs__read_multiple_files", r#"{"paths":["a",".env"]}"#),
            ("mcp__fs__read_files", r#"{"files":[{"path":"a"},{"name":".env"}]}"#),
            ("mcp__fs__read", r#"{"uri":"file:///p/.env"}"#),
            ("mcp__fs__read", r#"{"uri":"file://localhost/p/%2Eenv"}"#),
            ("mcp__fs__read", r#"{"resource":"vault-x://p/.env"}"#),
            ("mcp__fs__get", r#"{"options":{"target":{"location":"/p/.env"}}}"#),
            ("mcp__fs__get", r#"{"request":"{\"path\":\".env\"}"}"#),
            ("mcp__fs__get", r#"{"anything":"/p/.env"}"#),
            ("mcp__fs__search", r#"{"path":".","glob":"**/{.env,x}"}"#),
            ("mcp__fs__list_directory", r#"{"directory":"/p","file":".env"}"#),
            ("mcp__fs__write_file", r#"{"path":".env","content":"x"}"#),
            ("mcp__fs__move_file", r#"{"source":".env","destination":"x"}"#),
        ],
    );
    all(
        "deny hook-config",
        &[
            ("mcp__fs__write_file", r#"{"path":".git/hooks/pre-commit","content":"x"}"#),
            ("mcp__fs__move_file", r#"{"source":"x","destination":"/p/.git/hooks/pre-commit"}"#),
            ("use_mcp_tool", r#"{"tool_name":"write_file","arguments":"{\"path\":\".git/config\"}"}"#),
            ("mcp__fs__anything", r#"{"path":".hookbox/hooks.toml"}"#),
            ("mcp__fs__edit", r#"{"root":"/p/.git","file":"config"}"#),
        ],
    );
    all("deny agent-config", &[("mcp__fs__create", r#"{"path":".claude/settings.json","content":"{}"}"#)]);
    assert_eq!(verdict("mcp__fs__read_file", "{}", &["/p/.env"]), "deny secret-file");
}

#[test]
fn the_files_of_the_commands_that_it_runs_are_judged() {
    all(
        "deny secret-file",
        &[
            ("mcp__sh__run", r#"{"command":"cat .env"}"#),
            ("mcp__sh__run", r#"{"cmd":"cat","args":[".env"]}"#),
            ("mcp__sh__run", r#"{"command":["cat",".env"]}"#),
            ("mcp__sh__run", r#"{"commands":["ls","cat .env"]}"#),
            ("mcp__sh__run", r#"{"script":"set -e\ncat .env\n"}"#),
            ("mcp__py__run", r#"{"code":"print(open('.env').read())"}"#),
        ],
    );
    all("deny hook-config", &[("mcp__sh__run", r#"{"command":"cp x hooks/pre-commit","cwd":"/p/.git"}"#)]);
}

#[test]
fn an_argument_that_only_may_be_a_command_is_never_asked_about() {
    let config = r#"{"ask": ["**/notes.txt"], "deny": ["**/plans.txt"]}"#;
    let verdict_of = |input: &str| verdict_with(config, "mcp__py__run", input, &[]);
    assert_eq!(verdict_of(r#"{"command":"cat notes.txt"}"#), "ask path-asked");
    assert_eq!(verdict_of(r#"{"code":"cat notes.txt"}"#), "none");
    assert_eq!(verdict_of(r#"{"code":"cat plans.txt"}"#), "deny path-denied");
}

#[test]
fn other_arguments_are_only_texts() {
    all(
        "none",
        &[
            ("mcp__fs__read_file", r#"{"path":"/p/src/main.rs"}"#),
            ("mcp__fs__read_file", r#"{"path":".git/config"}"#),
            ("use_mcp_tool", r#"{"tool_name":"read_file","arguments":"{\"path\":\".git/config\"}"}"#),
            ("mcp__fs__read_text_file", r#"{"path":".claude/settings.json","head":5}"#),
            ("mcp__fs__write_file", r#"{"path":"README.md","content":"put it into\n.env"}"#),
            ("mcp__github__create_issue", r#"{"title":".env is read","body":"/p/.env is read by tools"}"#),
            ("mcp__docs__query", r#"{"query":".env"}"#),
            ("mcp__web__fetch", r#"{"url":"https://x.example/.env"}"#),
            ("mcp__i18n__get", r#"{"name":"server.key"}"#),
            ("mcp__jq__run", r#"{"filter":".server.key"}"#),
            ("mcp__browser__evaluate", r#"{"script":"() => document.title"}"#),
            ("mcp__db__query", r#"{"sql":"select 1","limit":7,"dry":true}"#),
            ("mcp__fs__write_file", r#"{"path":".env.example","content":"KEY="}"#),
            ("mcp__x__y", "[]"),
            ("mcp__x__y", ""),
        ],
    );
}

#[test]
fn more_arguments_than_can_be_looked_at_are_asked_about() {
    let many = json!({ "paths": vec!["x"; 5000] }).to_string();
    let deep = format!("{}{}{}", r#"{"a":"#.repeat(40), "1", "}".repeat(40));
    all("ask too-many-files", &[("mcp__x__y", &many), ("mcp__x__y", &deep)]);
}
