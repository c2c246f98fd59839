//! A hook that keeps an agent's contract: its permitted keys, and the messages about others.

use super::*;

fn find_hook_problems(text: &str) -> String {
    format_problems(&load_text(&format!("[[hook]]\nname = 'a'\n{text}")))
}

#[test]
fn its_role_defaults_to_transform() {
    let of = |role: &str| {
        let hook = load_hook(&format!(
            "name = 'a'\non = 'claude-code:SessionStart'\n{role}shell = {{ command = 'x', speaks = 'claude-code' }}"
        ));
        (hook.role, hook.in_role, hook.condition.as_ref().map(ToString::to_string).unwrap_or_default())
    };
    assert_eq!(of(""), (Role::Transform, false, "claude-code:SessionStart".to_owned()));
    assert_eq!(of("role = 'observe'\n"), (Role::Observe, true, "claude-code:SessionStart".to_owned()));
}

#[test]
fn it_is_for_events_of_its_agent_only() {
    insta::assert_snapshot!(
        find_hook_problems("on = ['claude-code:*', 'tool.before', 'gemini-cli:Stop']\nshell = { command = 'x', speaks = 'claude-code' }"),
        @"
    /home/u/hooks.toml:3:24: error: a hook that speaks claude-code receives only events of claude-code
      3 | on = ['claude-code:*', 'tool.before', 'gemini-cli:Stop']
        |                        ^^^^^^^^^^^^^
      help: write them as `claude-code:PreToolUse`, or leave out `speaks`
    /home/u/hooks.toml:3:39: error: a hook that speaks claude-code receives only events of claude-code
      3 | on = ['claude-code:*', 'tool.before', 'gemini-cli:Stop']
        |                                       ^^^^^^^^^^^^^^^^^
      help: write them as `claude-code:PreToolUse`, or leave out `speaks`
    "
    );
}

#[test]
fn not_every_agent_can_be_spoken_nor_every_server() {
    insta::assert_snapshot!(find_hook_problems("on = 'tool.before'\nshell = { command = 'x', speaks = 'cursor' }"), @"
    /home/u/hooks.toml:4:35: error: unknown speaks `cursor`
      4 | shell = { command = 'x', speaks = 'cursor' }
        |                                   ^^^^^^^^
      help: allowed: claude-code, codex, gemini-cli, llxprt, cocode, code-forge
    ");
    insta::assert_snapshot!(
        find_hook_problems("on = 'gemini-cli:BeforeTool'\nwebhook = { url = 'https://h.example/', speaks = 'gemini-cli' }"),
        @"
    /home/u/hooks.toml:4:50: error: unknown speaks `gemini-cli`
      4 | webhook = { url = 'https://h.example*', speaks = 'gemini-cli' }
        |                                                  ^^^^^^^^^^^^
      help: allowed: claude-code, cocode
    "
    );
}

#[test]
fn a_list_of_variables_has_no_effect() {
    insta::assert_snapshot!(
        find_hook_problems("on = 'claude-code:Stop'\nshell = { command = 'x', speaks = 'claude-code', env = ['A'] }"),
        @"
    /home/u/hooks.toml:4:56: warning: env has no effect here: the hook gets the whole environment
      4 | shell = { command = 'x', speaks = 'claude-code', env = ['A'] }
        |                                                        ^^^^^
      help: claude-code gives it to its hooks too; leave out `env`
    "
    );
}

#[test]
fn two_servers_are_not_the_same_call_and_two_commands_are() {
    let hook = |name: &str, handler: &str| {
        format!("[[hook]]\nname = '{name}'\non = 'claude-code:Stop'\n{handler}, speaks = 'claude-code' }}\n")
    };
    let servers = hook("a", "webhook = { url = 'https://h.example/1'")
        + &hook("b", "webhook = { url = 'https://h.example/2'");
    assert_eq!((format_problems(&load_text(&servers)), load_text(&servers).hooks.len()), (String::new(), 2));
    let commands = hook("a", "shell = { command = 'x'") + &hook("b", "shell = { command = 'x'");
    assert_eq!(load_text(&commands).hooks.len(), 1);
}
