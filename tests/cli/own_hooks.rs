//! An agent's own hook file: listed, explained, run.

use insta::assert_snapshot;

use crate::{LS, Ran, TestBed, guests};

/// run-claude's own file: one of its built-ins, and functions of one's own.
const HOOKS: &str = r#"
hooks:
  pre_request:
    - name: log_request
      module: run_claude.hooks.builtin
      function: log_request
    - name: fails
      module: house_hooks
      function: fails
  post_response:
    - name: prints
      module: house_hooks
      function: prints
python_path: ["${HOME}/hooks"]
"#;

const FUNCTIONS: &str = "
def fails(ctx):
    raise ValueError('boom')

def prints(ctx):
    print('seen', ctx.model)
    return ctx
";

const REQUEST: &str =
    r#"{"event":"pre_request","model":"groq/llama3","request_id":"r","timestamp":1.5,"messages":[]}"#;
const STOPPED: &str =
    r#"{"event":"pre_request","model":"m","request_id":"r","timestamp":1.5,"stop_chain":true}"#;
const RESPONSE: &str = r#"{"event":"post_response","model":"groq/llama3","request_id":"r","timestamp":1.5}"#;

const OWN: [&str; 4] = ["--agent", "run-claude", "--source", "[PROJECT]/hooks.yaml"];

fn bed() -> TestBed {
    let bed = TestBed::new().with_variable("PYTHONDONTWRITEBYTECODE", "1");
    bed.write("[PROJECT]/hooks.yaml", HOOKS);
    bed.write("[HOME]/hooks/house_hooks.py", FUNCTIONS);
    bed
}

/// The same, with a plugin in the place of the built-in that denies everything.
fn bed_with_plugin() -> TestBed {
    let bed = bed();
    bed.write_bytes("[PROJECT]/plugins/log-request.wasm", &guests::component("denies"));
    bed
}

fn own(bed: &TestBed, command: &str, event: &str) -> Ran {
    let arguments = [&[command], OWN.as_slice()].concat();
    bed.feed(&mut bed.command(&arguments), event.as_bytes())
}

#[test]
fn the_hooks_of_an_agents_own_file_are_listed_in_its_order() {
    assert_snapshot!(own(&bed_with_plugin(), "list", ""), @"
    exit code 0
    --- stdout
    log_request  transform, session (own)
        on model.request
        wasm [PROJECT]/plugins/log-request.wasm
    fails  transform, session (own)
        on model.request
        shell python3 -c … house_hooks fails
        confined: dies with hookbox
    prints  transform, session (own)
        on model.response
        shell python3 -c … house_hooks prints
        confined: dies with hookbox
    --- stderr
    ");
}

#[test]
fn whose_file_is_listed_must_be_said() {
    assert_snapshot!(bed().hookbox(&["list", "--source", "[PROJECT]/hooks.yaml"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: say whose file it is: `--agent NAME`
    ");
}

#[test]
fn a_built_in_of_run_claude_is_the_plugin_beside_the_file() {
    assert_snapshot!(own(&bed_with_plugin(), "run", REQUEST), @r#"
    exit code 2
    --- stdout
    {"event":"pre_request","model":"groq/llama3","request_id":"r","timestamp":1.5,"messages":[],"stop_chain":true,"error":"because"}
    --- stderr
    because
    "#);
}

#[test]
fn a_stopped_chain_calls_no_plugin_either() {
    assert_snapshot!(own(&bed_with_plugin(), "run", STOPPED), @r#"
    exit code 0
    --- stdout
    {"event":"pre_request","model":"m","request_id":"r","timestamp":1.5,"stop_chain":true}
    --- stderr
    "#);
}

#[test]
fn what_failed_and_what_is_missing_is_logged_and_the_context_goes_on() {
    assert_snapshot!(own(&bed(), "run", REQUEST), @r#"
    exit code 0
    --- stdout
    {"event":"pre_request","model":"groq/llama3","request_id":"r","timestamp":1.5,"messages":[]}
    --- stderr
    hookbox: [PROJECT]/hooks.yaml: `hooks.pre_request[0]` (log_request) calls run-claude's own Python function, which needs that package; to run it in the sandbox, put the plugin at `[PROJECT]/plugins/log-request.wasm`
    hookbox: the hook `log_request` failed: hook-error: ModuleNotFoundError: No module named 'run_claude.hooks.builtin'
    hookbox: the hook `fails` failed: hook-error: ValueError: boom
    "#);
}

#[test]
fn without_python_the_hook_says_so_and_the_context_goes_on() {
    let empty = bed().with_variable("PATH", "/var/empty");
    assert_snapshot!(own(&empty, "run", RESPONSE), @r#"
    exit code 0
    --- stdout
    {"event":"post_response","model":"groq/llama3","request_id":"r","timestamp":1.5}
    --- stderr
    hookbox: [PROJECT]/hooks.yaml: `hooks.pre_request[0]` (log_request) calls run-claude's own Python function, which needs that package; to run it in the sandbox, put the plugin at `[PROJECT]/plugins/log-request.wasm`
    hookbox: the hook `prints` failed: missing: hook `prints` is to run `python3`, which does not exist: install it or correct the command
    "#);
}

#[test]
fn a_plugin_is_called_in_a_dry_run_and_a_function_is_not() {
    assert_snapshot!(own(&bed_with_plugin(), "explain", REQUEST), @r#"
    exit code 0
    --- stdout
    event    pre_request of run-claude = model.request
    chain    2 of 3 hooks match, in this order
      1. log_request  transform, session (own), [PROJECT]/hooks.yaml:0
         matches: model.request
         deny no: because
         used [TIME] of 10000 ms, 33 fuel of 1000000000, 64 KiB of 65536 KiB, 0 host calls of 1000, cold
      2. fails  transform, session (own), [PROJECT]/hooks.yaml:0
         matches: model.request
         not called in a dry run (shell python3 -c … house_hooks fails); --call-all calls it
      -  prints: no match, it is for model.response
    folded   deny by  (unspecified)
    answer   to run-claude: exit code 2
      stdout  {"event":"pre_request","model":"groq/llama3","request_id":"r","timestamp":1.5,"messages":[],"stop_chain":true,"error":"because"}
      stderr  because
    --- stderr
    "#);
}

/// What is listed of two files of this agent, a line for each hook.
fn listed(agent: &str, first: &str, second: &str) -> String {
    let bed = TestBed::new();
    bed.write("[PROJECT]/first.json", first);
    bed.write("[PROJECT]/second.json", second);
    let files = ["--source", "[PROJECT]/first.json", "--source", "[PROJECT]/second.json"];
    let ran = bed.hookbox(&[["list", "--agent", agent].as_slice(), &files].concat());
    let commands = ran.stdout.lines().filter_map(|line| line.trim().strip_prefix("shell "));
    commands.chain(ran.stderr.lines()).collect::<Vec<_>>().join(" | ")
}

/// A file of the shape that most agents have.
fn groups(event: &str, commands: &[&str], more: &str) -> String {
    let hook = |command: &&str| format!(r#"{{"type": "command", "command": "{command}"}}"#);
    let hooks: Vec<_> = commands.iter().map(hook).collect();
    let more = if more.is_empty() { String::new() } else { format!(", {more}") };
    format!(r#"{{"hooks": {{"{event}": [{{"hooks": [{}]}}]}}{more}}}"#, hooks.join(", "))
}

#[test]
fn the_hooks_of_several_files_come_in_order_and_each_agent_has_its_rule_for_the_same_one() {
    let both = |event: &str| (groups(event, &["a", "b"], ""), groups(event, &["b", "c"], ""));
    for (agent, event, expected) in [
        ("claude-code", "Stop", "a | b | c"),
        ("gemini-cli", "AfterAgent", "a | b | c"),
        ("codex", "Stop", "a | b | b | c"),
    ] {
        let (first, second) = both(event);
        assert_eq!(listed(agent, &first, &second), expected, "{agent}");
    }
    let forge =
        |command: &str| format!(r#"{{"hooks": [{{"event": "session:start", "command": "{command}"}}]}}"#);
    assert_eq!(listed("code-forge", &forge("global"), &forge("project")), "global | project");
}

#[test]
fn a_hook_for_two_moments_is_dropped_from_both_where_an_earlier_file_has_it() {
    let file = groups("AfterTool", &["a"], "");
    assert_eq!(listed("gemini-cli", &file, &file), "a | a");
}

#[test]
fn what_one_file_switches_off_counts_as_the_agent_has_it() {
    let (on, off) = (r#""disableAllHooks": false"#, r#""disableAllHooks": true"#);
    let file = |command, more| groups("Stop", &[command], more);
    assert_eq!(
        listed("claude-code", &file("a", ""), &file("b", off)),
        "[PROJECT]/first.json: warning: `disableAllHooks` is true: no hook of this file runs | \
         [PROJECT]/second.json: warning: `disableAllHooks` is true: no hook of this file runs | \
         no hooks; write some into ~/.config/hookbox/hooks.toml (`hookbox schema` helps the editor)"
    );
    assert_eq!(listed("claude-code", &file("a", off), &file("b", on)), "a | b");
    let disables =
        r#"{"hooks": {"disabled": ["a"], "AfterAgent": [{"hooks": [{"type": "command", "command": "c"}]}]}}"#;
    assert_eq!(listed("gemini-cli", &groups("AfterAgent", &["a", "b"], ""), disables), "b | c");
}

#[test]
fn the_strictest_answer_of_several_files_counts_and_a_file_that_is_missing_is_an_error() {
    let bed = TestBed::new();
    bed.write("[PROJECT]/user.json", &groups("PreToolUse", &["true"], ""));
    bed.write("[PROJECT]/project.json", &groups("PreToolUse", &["echo no >&2; exit 2"], ""));
    let run = |second: &str| {
        let files = ["--source", "[PROJECT]/user.json", "--source", second];
        bed.feed(
            &mut bed.command(&[["run", "--agent", "claude-code"].as_slice(), &files].concat()),
            bed.real(LS).as_bytes(),
        )
    };
    assert_snapshot!(run("[PROJECT]/project.json"), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}
    --- stderr
    "#);
    assert_snapshot!(run("[PROJECT]/missing.json"), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"[PROJECT]/missing.json: the file cannot be read: No such file or directory (os error 2); run `hookbox check`"}}
    --- stderr
    hookbox: [PROJECT]/missing.json: the file cannot be read: No such file or directory (os error 2)
    "#);
}
