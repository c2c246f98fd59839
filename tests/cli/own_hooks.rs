//! An agent's own hook file: listed, explained, run.

use std::fs;

use insta::assert_snapshot;

use crate::{LS, Ran, TestBed};

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

fn create_bed() -> TestBed {
    let bed = TestBed::new().with_variable("PYTHONDONTWRITEBYTECODE", "1");
    bed.write_file("[PROJECT]/hooks.yaml", HOOKS);
    bed.write_file("[HOME]/hooks/house_hooks.py", FUNCTIONS);
    bed
}

fn run_own(bed: &TestBed, command: &str, event: &str) -> Ran {
    let arguments = [&[command], OWN.as_slice()].concat();
    bed.run_with_input(&mut bed.build_command(&arguments), event.as_bytes())
}

#[test]
fn the_hooks_of_an_agents_own_file_are_listed_in_its_order() {
    assert_snapshot!(run_own(&create_bed(), "list", ""), @"
    exit code 0
    --- stdout
    log_request  transform, session (own)
        on model.request
        wasm [SHIPPED]/log-request.wasm (pinned)
    fails  transform, session (own)
        on model.request
        python house_hooks:fails
        confined: dies with hookbox
    prints  transform, session (own)
        on model.response
        python house_hooks:prints
        confined: dies with hookbox
    --- stderr
    ");
}

#[test]
fn whose_file_is_listed_must_be_said() {
    assert_snapshot!(create_bed().run_hookbox(&["list", "--source", "[PROJECT]/hooks.yaml"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: name the agent of the file: `--agent NAME`
    ");
}

/// The lines on standard error, but for where Python was when it raised.
fn select_log_lines(ran: &Ran) -> Vec<&str> {
    ran.stderr.lines().filter(|line| !line.starts_with([' ', 'T'])).collect()
}

#[test]
fn a_built_in_of_run_claude_is_found_wherever_the_file_is_and_what_it_logs_is_seen() {
    let ran = run_own(&create_bed(), "run", REQUEST);
    assert_eq!((ran.code, ran.stdout.trim_end()), (0, REQUEST));
    assert_eq!(
        select_log_lines(&ran),
        [
            "[REQ] groq/llama3 | 0 messages | id=r",
            "ValueError: boom",
            "hookbox: the hook `fails` failed: hook-error: ValueError: boom",
        ]
    );
    let ran = run_own(&create_bed(), "run", RESPONSE);
    assert_eq!(
        (ran.code, ran.stdout.trim_end(), select_log_lines(&ran)),
        (0, RESPONSE, vec!["seen groq/llama3"])
    );
}

#[test]
fn a_stopped_chain_calls_no_plugin_either() {
    assert_snapshot!(run_own(&create_bed(), "run", STOPPED), @r#"
    exit code 0
    --- stdout
    {"event":"pre_request","model":"m","request_id":"r","timestamp":1.5,"stop_chain":true}
    --- stderr
    "#);
}

#[test]
fn the_first_16_kib_of_what_hooks_log_are_seen() {
    let bed = create_bed();
    bed.write_file(
        "[HOME]/hooks/house_hooks.py",
        "def prints(ctx):\n    for n in range(90):\n        print('x' * 500)\n    return ctx\n",
    );
    let ran = run_own(&bed, "run", RESPONSE);
    let lines: Vec<_> = ran.stderr.lines().collect();
    // The hook itself keeps 32 of its lines within its own quota of 16 KiB.
    assert_eq!((lines.len(), lines[0].len()), (32, 500));
    bed.write_file(
        "[PROJECT]/hooks.yaml",
        &HOOKS
            .replace("- name: prints", "- &twice\n      name: prints")
            .replace("python_path", "    - *twice\npython_path"),
    );
    let ran = run_own(&bed, "run", RESPONSE);
    let last = ran.stderr.lines().last().unwrap();
    assert_eq!(last, "hookbox: 32 more lines are left out; `--report FILE` has all");
    assert!(ran.stderr.len() < 20 << 10);
}

#[test]
fn functions_import_what_run_claude_has_for_them_with_and_without_that_package() {
    let bed = create_bed();
    let function = "
from run_claude.hooks import HookContext, HookEvent, HookFn
from run_claude.hooks.chain import HookChain, get_hook_chain

mine: HookFn

async def later(ctx: HookContext) -> HookContext:
    return ctx

def prints(ctx):
    chain = get_hook_chain()
    assert isinstance(chain, HookChain) and chain is get_hook_chain()
    chain.register(HookEvent.POST_RESPONSE, 'later', later)
    print(chain.list_hooks(), chain.list_hooks(HookEvent.PRE_REQUEST))
    return ctx
";
    bed.write_file("[HOME]/hooks/house_hooks.py", function);
    // Those of the file come first.
    let listed = "['pre_request:log_request', 'pre_request:fails', 'post_response:prints', 'post_response:later'] \
                  ['log_request', 'fails']";
    assert_eq!(select_log_lines(&run_own(&bed, "run", RESPONSE)), [listed]);
    // The package itself comes first where it is installed.
    bed.write_file("[HOME]/hooks/run_claude/__init__.py", "");
    bed.write_file(
        "[HOME]/hooks/run_claude/hooks/__init__.py",
        "import enum\nclass HookEvent(enum.Enum):\n    PRE_REQUEST = 'pre_request'\n    POST_RESPONSE = 'post_response'\n\
         class HookContext:\n    def __init__(self, **members):\n        self.stop_chain = False\n        \
         self.__dict__.update(members)\nHookFn = object\n",
    );
    bed.write_file(
        "[HOME]/hooks/run_claude/hooks/chain.py",
        "class HookChain:\n    def register(self, *hook):\n        pass\n    def list_hooks(self, event=None):\n        return 'own'\n\
         one = HookChain()\ndef get_hook_chain():\n    return one\n",
    );
    assert_eq!(select_log_lines(&run_own(&bed, "run", RESPONSE)), ["own own"]);
}

#[test]
fn all_functions_of_a_run_share_one_interpreter() {
    let bed = create_bed();
    bed.write_file(
        "[PROJECT]/hooks.yaml",
        &HOOKS
            .replace("- name: prints", "- &twice\n      name: prints")
            .replace("python_path", "    - *twice\npython_path"),
    );
    bed.write_file("[HOME]/hooks/house_hooks.py", "import os\ndef prints(ctx):\n    print(os.getpid())\n");
    let ran = run_own(&bed, "run", RESPONSE);
    let mut pids = select_log_lines(&ran);
    assert_eq!(pids.len(), 2);
    pids.dedup();
    assert_eq!(pids.len(), 1);
    // It has ended with the run.
    assert!(!std::path::Path::new("/proc").join(pids[0]).exists());
}

#[test]
fn a_chain_of_a_functions_own_runs_and_isolates_errors() {
    let bed = create_bed();
    let function = "
import asyncio
from run_claude.hooks import HookContext, HookEvent
from run_claude.hooks.builtin import log_request, strip_provider_fields
from run_claude.hooks.chain import HookChain

async def bad(ctx):
    raise ValueError('boom')

async def good(ctx):
    ctx.metadata['reached'] = True
    return ctx

async def stops(ctx):
    ctx.stop_chain = True
    return ctx

async def never(ctx):
    ctx.metadata['never'] = True
    return ctx

def request(provider):
    messages = [{'role': 'user', 'content': [{'type': 'text', 'cache_control': {}}]}]
    return HookContext(event=HookEvent.PRE_REQUEST, model='m', provider=provider, request_id='r', timestamp=0.0, messages=messages)

async def prints(ctx):
    chain = HookChain()
    for name, hook in (('bad', bad), ('good', good), ('stops', stops), ('never', never)):
        chain.register(HookEvent.PRE_REQUEST, name, hook)
    print(chain.list_hooks())
    print((await chain.execute(request(None))).metadata)
    for provider in ('groq', 'anthropic'):
        print(provider, 'cache_control' in (await strip_provider_fields(request(provider))).messages[0]['content'][0])
    await log_request(request(None))
";
    bed.write_file("[HOME]/hooks/house_hooks.py", function);
    let ran = run_own(&bed, "run", RESPONSE);
    let expected = [
        "['pre_request:bad', 'pre_request:good', 'pre_request:stops', 'pre_request:never']",
        "Hook bad failed",
        "ValueError: boom",
        "{'reached': True}",
        "groq False",
        "anthropic True",
        "[REQ] m | 1 messages | id=r",
    ];
    assert_eq!(select_log_lines(&ran), expected);
}

#[test]
fn what_hooks_of_run_claude_log_is_in_the_users_log() {
    let bed = create_bed();
    run_own(&bed, "run", REQUEST);
    let said = bed.run_hookbox(&["log", "--json"]).stdout;
    assert!(said.contains("[REQ] groq/llama3 | 0 messages | id=r"), "{said}");
    // Whoever does not want that says so once.
    let silent = self::create_bed();
    silent.write_file("[HOME]/.config/hookbox/hooks.toml", "version = 1\nlog = false\n");
    run_own(&silent, "run", REQUEST);
    assert_eq!(silent.run_hookbox(&["log", "--json"]).stdout, "");
}

#[test]
fn without_python_the_hook_says_so_and_the_context_goes_on() {
    let empty = create_bed().with_variable("PATH", "/var/empty");
    assert_snapshot!(run_own(&empty, "run", RESPONSE), @r#"
    exit code 0
    --- stdout
    {"event":"post_response","model":"groq/llama3","request_id":"r","timestamp":1.5}
    --- stderr
    hookbox: the hook `prints` failed: missing: no `python3` is in the folders of PATH: install it, or take the hook out
    "#);
}

#[test]
fn a_plugin_is_called_in_a_dry_run_and_a_function_is_not() {
    let mut ran = run_own(&create_bed(), "explain", REQUEST);
    // What a plugin uses is its own.
    let lines: Vec<_> = ran.stdout.lines().filter(|line| !line.trim().starts_with("used ")).collect();
    ran.stdout = lines.join("\n") + "\n";
    assert_snapshot!(ran, @"
    exit code 0
    --- stdout
    decision no opinion
    event    pre_request of run-claude = model.request
    chain    2 of 3 hooks match, in this order
      1. log_request  transform, session (own), [PROJECT]/hooks.yaml:4
         matches: model.request
         no opinion
         log info: [REQ] groq/llama3 | 0 messages | id=r
      2. fails  transform, session (own), [PROJECT]/hooks.yaml:7
         matches: model.request
         not called in a dry run (python house_hooks:fails); --call-all calls it
      -  prints: no match, it is for model.response
    --- stderr
    ");
}

/// What is listed of two files of this agent, a line for each hook.
fn list_two_files(agent: &str, first: &str, second: &str) -> String {
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/first.json", first);
    bed.write_file("[PROJECT]/second.json", second);
    let files = ["--source", "[PROJECT]/first.json", "--source", "[PROJECT]/second.json"];
    let ran = bed.run_hookbox(&[["list", "--agent", agent].as_slice(), &files].concat());
    let commands = ran.stdout.lines().filter_map(|line| line.trim().strip_prefix("shell "));
    commands.chain(ran.stderr.lines()).collect::<Vec<_>>().join(" | ")
}

/// A file of the shape that most agents have.
fn format_groups(event: &str, commands: &[&str], more: &str) -> String {
    let hook = |command: &&str| format!(r#"{{"type": "command", "command": "{command}"}}"#);
    let hooks: Vec<_> = commands.iter().map(hook).collect();
    let more = if more.is_empty() { String::new() } else { format!(", {more}") };
    format!(r#"{{"hooks": {{"{event}": [{{"hooks": [{}]}}]}}{more}}}"#, hooks.join(", "))
}

/// What an event calls of two files of this agent, in this order.
fn explain_two_files(agent: &str, event: &str, first: &str, second: &str) -> String {
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/first.json", first);
    bed.write_file("[PROJECT]/second.json", second);
    let files = ["--source", "[PROJECT]/first.json", "--source", "[PROJECT]/second.json"];
    let words = [["explain", "--agent", agent].as_slice(), &files].concat();
    let ran = bed.run_with_input(&mut bed.build_command(&words), event.as_bytes());
    let commands =
        ran.stdout.lines().filter_map(|line| line.split_once("dry run (shell ")?.1.split_once(')'));
    commands.map(|(command, _)| command).collect::<Vec<_>>().join(" | ")
}

const STOP: &str = r#"{"hook_event_name": "Stop", "session_id": "s", "transcript_path": "", "cwd": "/", "turn_id": "t",
    "model": "m", "permission_mode": "default", "stop_hook_active": false, "last_assistant_message": "a"}"#;
const AFTER_AGENT: &str = r#"{"hook_event_name": "AfterAgent", "session_id": "s", "transcript_path": "", "cwd": "/",
    "prompt": "p", "prompt_response": "r", "stop_hook_active": false}"#;

#[test]
fn two_plugins_with_the_same_words_both_run() {
    let bed = TestBed::new();
    let handlers = [
        r#"{"type": "command", "command": "sh \"${CLAUDE_PLUGIN_ROOT}\"/check.sh"}"#,
        r#"{"type": "command", "command": "/bin/sh", "args": ["${CLAUDE_PLUGIN_ROOT}/check.sh"]}"#,
    ];
    for plugin in ["one", "two"] {
        bed.write_file(&format!("[PROJECT]/{plugin}/.claude-plugin/plugin.json"), r#"{"name": "p"}"#);
        bed.write_file(&format!("[PROJECT]/{plugin}/check.sh"), &format!("echo {plugin} >> calls\n"));
    }
    for handler in handlers {
        for plugin in ["one", "two"] {
            let file = format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{handler}]}}]}}}}"#);
            bed.write_file(&format!("[PROJECT]/{plugin}/hooks/hooks.json"), &file);
        }
        let files = ["one", "two", "one"].map(|plugin| format!("[PROJECT]/{plugin}/hooks/hooks.json"));
        let words: Vec<_> = files.iter().flat_map(|file| ["--source", file]).collect();
        let words = [["run", "--agent", "claude-code"].as_slice(), &words].concat();
        let event = STOP
            .replace(r#""cwd": "/""#, &format!(r#""cwd": "{}""#, bed.resolve_path("[PROJECT]").display()));
        let ran = bed.run_with_input(&mut bed.build_command(&words), event.as_bytes());
        assert_eq!(ran.code, 0, "{ran}");
        let calls = bed.resolve_path("[PROJECT]/calls");
        let mut called: Vec<_> = fs::read_to_string(&calls).unwrap().lines().map(str::to_owned).collect();
        called.sort();
        assert_eq!(called, ["one", "two"], "{handler}");
        fs::remove_file(&calls).unwrap();
    }
}

#[test]
fn the_hooks_of_several_files_come_in_order_and_each_agent_has_its_rule_for_the_same_one() {
    let both = |event: &str| (format_groups(event, &["a", "b"], ""), format_groups(event, &["b", "c"], ""));
    for (agent, event, told, expected) in [
        ("claude-code", "Stop", STOP, "a | b | c"),
        ("gemini-cli", "AfterAgent", AFTER_AGENT, "a | b | c"),
        ("llxprt", "AfterAgent", AFTER_AGENT, "a | b | c"),
        ("codex", "Stop", STOP, "a | b | b | c"),
    ] {
        let (first, second) = both(event);
        assert_eq!(explain_two_files(agent, told, &first, &second), expected, "{agent}");
    }
    let forge =
        |command: &str| format!(r#"{{"hooks": [{{"event": "session:start", "command": "{command}"}}]}}"#);
    assert_eq!(list_two_files("code-forge", &forge("global"), &forge("project")), "global | project");
}

#[test]
fn the_same_hook_of_two_files_is_called_once_and_explained() {
    let file = format_groups("AfterAgent", &["a"], "");
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/own.json", &file);
    let words = [
        "explain",
        "--agent",
        "gemini-cli",
        "--source",
        "[PROJECT]/own.json",
        "--source",
        "[PROJECT]/own.json",
    ];
    assert_snapshot!(bed.run_with_input(&mut bed.build_command(&words), AFTER_AGENT.as_bytes()), @"
    exit code 0
    --- stdout
    decision no opinion
    event    AfterAgent of gemini-cli = agent.stop
    chain    1 of 2 hooks match, in this order
      1. hooks.AfterAgent[0].hooks[0]  transform, session (own), [PROJECT]/own.json:1
         matches: agent.stop
         not called in a dry run (shell a); --call-all calls it
      -  hooks.AfterAgent[0].hooks[0]: no match, the same hook is in the chain already, and its agent calls it once
    --- stderr
    ");
}

#[test]
fn the_next_event_sees_a_changed_file() {
    let bed = TestBed::new();
    let run = |command: &str| {
        bed.write_file("[PROJECT]/own.json", &format_groups("AfterAgent", &[command], ""));
        let words = ["run", "--agent", "gemini-cli", "--source", "[PROJECT]/own.json"];
        bed.run_with_input(&mut bed.build_command(&words), AFTER_AGENT.as_bytes()).stdout
    };
    assert_eq!(run("echo one"), "{\"systemMessage\":\"one\"}\n");
    assert_eq!(run("echo two"), "{\"systemMessage\":\"two\"}\n");
}

#[test]
fn what_one_file_switches_off_counts_as_the_agent_has_it() {
    let (on, off) = (r#""disableAllHooks": false"#, r#""disableAllHooks": true"#);
    let file = |command, more| format_groups("Stop", &[command], more);
    assert_eq!(
        list_two_files("claude-code", &file("a", ""), &file("b", off)),
        "[PROJECT]/first.json: warning: `disableAllHooks` is true: no hook of this file runs | \
         [PROJECT]/second.json: warning: `disableAllHooks` is true: no hook of this file runs | \
         no hooks in [PROJECT]/first.json, [PROJECT]/second.json"
    );
    assert_eq!(list_two_files("claude-code", &file("a", off), &file("b", on)), "a | b");
    let disables =
        r#"{"hooks": {"disabled": ["a"], "AfterAgent": [{"hooks": [{"type": "command", "command": "c"}]}]}}"#;
    assert_eq!(
        list_two_files("gemini-cli", &format_groups("AfterAgent", &["a", "b"], ""), disables),
        "b | c"
    );
    let off = format_groups("AfterAgent", &["a"], r#""hooksConfig": {"enabled": false}"#);
    assert_eq!(
        list_two_files("llxprt", &off, &format_groups("AfterAgent", &["b"], "")),
        "[PROJECT]/first.json: warning: `hooksConfig.enabled` is false, so llxprt runs no hook of this file, and none \
         runs here | [PROJECT]/second.json: warning: `hooksConfig.enabled` is false, so llxprt runs no hook of this file, \
         and none runs here | no hooks in [PROJECT]/first.json, [PROJECT]/second.json"
    );
}

#[test]
fn a_byte_order_mark_before_an_own_file_is_ignored_as_by_claude_code() {
    let bed = TestBed::new();
    let hooks = format_groups("PreToolUse", &["echo no >&2; exit 2"], "");
    bed.write_file("[PROJECT]/marked.json", &format!("\u{feff}{hooks}"));
    let words = ["run", "--agent", "claude-code", "--source", "[PROJECT]/marked.json"];
    let ran = bed.run_with_input(&mut bed.build_command(&words), bed.expand_placeholders(LS).as_bytes());
    assert!(ran.stdout.contains(r#""permissionDecisionReason":"no""#), "{ran}");
    let listed = bed.run_hookbox(&["list", "--agent", "claude-code", "--source", "[PROJECT]/marked.json"]);
    assert_eq!(listed.code, 0, "{listed}");
}

#[test]
fn the_strictest_answer_of_several_files_counts_and_a_file_that_is_missing_is_an_error() {
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/user.json", &format_groups("PreToolUse", &["true"], ""));
    bed.write_file("[PROJECT]/project.json", &format_groups("PreToolUse", &["echo no >&2; exit 2"], ""));
    let run = |second: &str| {
        let files = ["--source", "[PROJECT]/user.json", "--source", second];
        bed.run_with_input(
            &mut bed.build_command(&[["run", "--agent", "claude-code"].as_slice(), &files].concat()),
            bed.expand_placeholders(LS).as_bytes(),
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
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"[PROJECT]/missing.json: the file cannot be read: No such file or directory (os error 2); run `hookbox check --agent claude-code --source [PROJECT]/user.json --source [PROJECT]/missing.json`"}}
    --- stderr
    hookbox: [PROJECT]/missing.json: the file cannot be read: No such file or directory (os error 2)
    "#);
}

#[test]
fn an_error_in_an_agents_own_file_names_the_command_that_shows_it() {
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/my settings.json", "{ no json");
    let line = "hookbox check --agent claude-code --source '[PROJECT]/my settings.json'";
    let mut command =
        bed.build_command(&["run", "--agent", "claude-code", "--source", "[PROJECT]/my settings.json"]);
    let ran = bed.run_with_input(&mut command, bed.expand_placeholders(LS).as_bytes());
    assert!(ran.stdout.contains(&format!("run `{line}`")), "{ran}");
    let checked =
        bed.run_hookbox(&["check", "--agent", "claude-code", "--source", "[PROJECT]/my settings.json"]);
    assert!(checked.code == 1 && checked.stderr.contains("not acceptable JSON"), "{checked}");
    let ran = bed.run_hookbox(&["check", "--source", "[PROJECT]/my settings.json"]);
    assert!(ran.code == 2 && ran.stderr.contains("--agent NAME"), "{ran}");
}

#[test]
fn a_list_of_an_agents_file_without_hooks_speaks_of_that_file() {
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/empty.json", "{}");
    for file in ["[PROJECT]/empty.json", "[PROJECT]/missing.json"] {
        let listed = bed.run_hookbox(&["list", "--agent", "gemini-cli", "--source", file]);
        assert!(listed.stderr.ends_with(&format!("no hooks in {file}\n")), "{listed}");
        assert!(!listed.stderr.contains("hooks.toml"), "{listed}");
    }
}

/// A merge patch would take a null for a removal.
#[test]
fn nulls_in_metadata_are_kept_at_every_level_for_the_caller_and_for_later_functions() {
    let event = r#"{"event":"post_response","model":"m","request_id":"r","timestamp":1.5,"metadata":{"old":null,"gone":1}}"#;
    for (change, expected) in [
        ("ctx.metadata.update(x=None, y=1)", r#"{"old":null,"gone":1,"x":null,"y":1}"#),
        ("ctx.metadata['deep'] = {'a': {'b': None}}", r#"{"old":null,"gone":1,"deep":{"a":{"b":null}}}"#),
        ("ctx.metadata['gone'] = None", r#"{"old":null,"gone":null}"#),
        ("ctx.metadata = {'only': [None]}", r#"{"only":[null]}"#),
    ] {
        let bed = create_bed();
        bed.write_file(
            "[PROJECT]/hooks.yaml",
            &HOOKS.replace(
                "\npython_path",
                "\n    - {name: later, module: house_hooks, function: later}\npython_path",
            ),
        );
        bed.write_file(
            "[HOME]/hooks/house_hooks.py",
            &format!("import json\ndef prints(ctx):\n    {change}\n    return ctx\n\ndef later(ctx):\n    print(json.dumps(ctx.metadata, separators=(',', ':')))\n"),
        );
        let ran = run_own(&bed, "run", event);
        assert_eq!(select_log_lines(&ran), [expected], "{ran}");
        let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(answer["metadata"].to_string(), expected, "{ran}");
    }
}

#[test]
fn a_function_has_as_long_as_its_entry_says_and_else_as_long_as_the_event() {
    let bed = create_bed();
    let slow = "import time\ndef prints(ctx):\n    time.sleep(1000)\n";
    bed.write_file("[HOME]/hooks/house_hooks.py", slow);
    bed.write_file(
        "[PROJECT]/hooks.yaml",
        &HOOKS.replace("function: prints", "function: prints\n      timeout: 0.2"),
    );
    let ran = run_own(&bed, "run", RESPONSE);
    assert!(
        ran.stderr.contains("no answer within 200 ms; if it needs longer, raise the hook's `timeout`"),
        "{ran}"
    );
    bed.write_file("[PROJECT]/hooks.yaml", HOOKS);
    let words = [&["run"], OWN.as_slice(), &["--agent-timeout", "1s"]].concat();
    let ran = bed.run_with_input(&mut bed.build_command(&words), RESPONSE.as_bytes());
    assert!(ran.stderr.contains("the chain's time was used up"), "{ran}");
    let listed = run_own(&bed, "list", "").stdout;
    assert!(!listed.contains("timeout"), "{listed}");
}

/// Agents with a file of their own, where the user's is, where a project's is, a file that says its name, and an event that can be
/// blocked.
const USUAL: [(&str, &str, Option<&str>, &str, &str); 4] = [
    (
        "code-forge",
        "[HOME]/.config/forge/hooks.json",
        Some("[PROJECT]/.forge/hooks.json"),
        r#"{"hooks": [{"event": "tool:pre_execute", "command": "echo WHOSE >> $HOME/ran"}]}"#,
        r#"{"type":"tool:pre_execute","timestamp":1,"session_id":"s","working_dir":"[PROJECT]","tool_name":"bash",
            "data":{"tool_args":{"command":"ls"}}}"#,
    ),
    (
        "cocode",
        "[HOME]/.config/cocode/hooks.toml",
        None,
        "[[hooks]]\nevent = \"PreToolUse\"\n[hooks.shell]\ncommand = \"echo WHOSE >> $HOME/ran\"\n",
        r#"{"event":"PreToolUse","session_id":"s","cwd":"[PROJECT]","env":{},"tool_name":"Bash","tool_input":{"command":"ls"}}"#,
    ),
    (
        "claude-code",
        "[HOME]/.claude/settings.json",
        Some("[PROJECT]/.claude/settings.json"),
        r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "echo WHOSE >> $HOME/ran"}]}]}}"#,
        LS,
    ),
    (
        "run-claude",
        "[HOME]/.config/run-claude/hooks.yaml",
        None,
        "hooks: {pre_request: [{name: WHOSE, module: house, function: ran}]}\npython_path: ['${HOME}/hooks']\n",
        REQUEST,
    ),
];

#[test]
fn an_agents_own_files_are_found_where_it_has_them_and_the_projects_runs_only_if_all_are_meant() {
    for (agent, user, project, file, event) in USUAL {
        let bed = TestBed::new();
        bed.write_file(
            "[HOME]/hooks/house.py",
            "import os\ndef ran(ctx):\n    open(os.environ['HOME'] + '/ran', 'a').write('user\\n')\n",
        );
        bed.write_file(user, &file.replace("WHOSE", "user"));
        if let Some(project) = project {
            bed.write_file(project, &file.replace("WHOSE", "project"));
        }
        let ran = |words: &[&str]| {
            let words = [&["run", "--agent", agent], words].concat();
            let ran =
                bed.run_with_input(&mut bed.build_command(&words), bed.expand_placeholders(event).as_bytes());
            assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{agent}: {ran}");
            let text = fs::read_to_string(bed.resolve_path("[HOME]/ran")).unwrap_or_default();
            let _ = fs::remove_file(bed.resolve_path("[HOME]/ran"));
            // Claude Code runs them side by side.
            let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        let both = if project.is_some() { vec!["project", "user"] } else { vec!["user"] };
        assert_eq!(ran(&[]), Vec::<String>::new(), "{agent}");
        assert_eq!(ran(&["--own"]), ["user"], "{agent}");
        assert_eq!(ran(&["--own=user"]), ["user"], "{agent}");
        assert_eq!(ran(&["--own=all"]), both, "{agent}");
        let listed = bed.run_hookbox(&["list", "--agent", agent, "--json"]);
        let listed: serde_json::Value = serde_json::from_str(&listed.stdout).unwrap();
        let expected = 1 + usize::from(project.is_some());
        assert_eq!(listed.as_array().unwrap().len(), expected, "{agent}: {listed}");
        assert_eq!(bed.run_hookbox(&["check", "--agent", agent]).code, 0, "{agent}");
    }
}

#[test]
fn an_agent_without_files_of_its_own_here_has_no_hooks_and_one_that_has_none_is_an_error() {
    let bed = TestBed::new();
    let listed = bed.run_hookbox(&["list", "--agent", "code-forge"]);
    assert_eq!((listed.code, listed.stderr.as_str()), (0, "code-forge has no hooks of its own here\n"));
    let mut command = bed.build_command(&["run", "--agent", "cursor", "--own"]);
    let event = r#"{"hook_event_name":"beforeShellExecution","conversation_id":"c","generation_id":"g","command":"ls","cwd":"/",
        "workspace_roots":["/"]}"#;
    let ran = bed.run_with_input(&mut command, event.as_bytes());
    assert!(
        ran.to_string().contains("hookbox does not run cursor's own hook files; leave out `--own`"),
        "{ran}"
    );
    assert!(ran.to_string().contains("deny"), "{ran}");
}

/// Who reads the advice looks for the key in the file that the hook is in.
#[test]
fn what_takes_too_long_names_the_key_of_its_own_file() {
    let slow =
        "[[hooks]]\nevent = \"PreToolUse\"\ntimeout_sec = 0\n[hooks.shell]\ncommand = \"sleep 1000\"\n";
    let event = r#"{"event":"PreToolUse","session_id":"s","cwd":"/","env":{},"tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/hooks.toml", slow);
    let mut command = bed.build_command(&["run", "--agent", "cocode", "--source", "[PROJECT]/hooks.toml"]);
    let ran = bed.run_with_input(&mut command, event.as_bytes());
    assert!(ran.stderr.contains("raise the hook's `timeout_sec`"), "{ran}");
    // In hookbox's own configuration the same hook has another key.
    let imported = bed.run_hookbox(&["import", "cocode", "[PROJECT]/hooks.toml"]).stdout;
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", &imported);
    let ran = bed.run_with_input(&mut bed.build_command(&["run", "--agent", "cocode"]), event.as_bytes());
    assert!(ran.to_string().contains("raise the hook's `timeout`"), "{ran}");
    bed.write_file(
        "[PROJECT]/hooks.json",
        r#"{"hooks": [{"event": "tool:pre_execute", "command": "sleep 1000", "timeout": 0.1}]}"#,
    );
    let event = r#"{"type":"tool:pre_execute","timestamp":1,"tool_name":"bash","data":{"tool_args":{"command":"ls"}}}"#;
    let mut command =
        bed.build_command(&["run", "--agent", "code-forge", "--source", "[PROJECT]/hooks.json"]);
    let ran = bed.run_with_input(&mut command, event.as_bytes());
    assert!(ran.stderr.contains("raise the hook's `timeout`"), "{ran}");
}

/// Agents whose files may name a component: a file with the word for it, and two events, of which the first is denied or changed.
const WITH_COMPONENTS: [(&str, &str, &str, &str, [&str; 2]); 3] = [
    (
        "code-forge",
        "hooks.json",
        r#"{"hooks": [{"event": "tool:pre_execute", "wasm": "COMPONENT"}]}"#,
        "guard-shell",
        [
            r#"{"type":"tool:pre_execute","timestamp":1,"tool_name":"bash","data":{"tool_args":{"command":"rm -rf /"}}}"#,
            r#"{"type":"tool:pre_execute","timestamp":1,"tool_name":"bash","data":{"tool_args":{"command":"ls"}}}"#,
        ],
    ),
    (
        "cocode",
        "hooks.toml",
        "[[hooks]]\nevent = \"PreToolUse\"\nwasm = \"COMPONENT\"\n",
        "guard-shell",
        [
            r#"{"event":"PreToolUse","session_id":"s","cwd":"/","env":{},"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}"#,
            r#"{"event":"PreToolUse","session_id":"s","cwd":"/","env":{},"tool_name":"Bash","tool_input":{"command":"ls"}}"#,
        ],
    ),
    (
        "run-claude",
        "hooks.yaml",
        "hooks: {pre_request: [{name: strips, wasm: COMPONENT}]}\n",
        "strip-provider-fields",
        [
            r#"{"event":"pre_request","model":"groq/m","provider":"groq","request_id":"r","timestamp":1.5,"messages":[{"role":"user","content":"hi","provider_specific_fields":{}}]}"#,
            r#"{"event":"pre_request","model":"a/m","provider":"a","request_id":"r","timestamp":1.5,"messages":[{"role":"user","content":"hi","provider_specific_fields":{}}]}"#,
        ],
    ),
];

#[test]
fn a_documents_own_file_calls_a_component_by_the_name_of_a_plugin_or_by_a_path() {
    for (agent, name, text, plugin, [touched, other]) in WITH_COMPONENTS {
        let bed = TestBed::new();
        let file = format!("[PROJECT]/{name}");
        let run = |component: &str, event: &str| {
            bed.write_file(&file, &text.replace("COMPONENT", component));
            let mut command = bed.build_command(&["run", "--agent", agent, "--source", &file]);
            bed.run_with_input(&mut command, event.as_bytes())
        };
        assert_ne!(run(plugin, touched).stdout, run("[GUESTS]/none.wasm", touched).stdout, "{agent}");
        assert_eq!(run(plugin, other).stdout, run("[GUESTS]/none.wasm", other).stdout, "{agent}");
        let denied = run("[GUESTS]/denies.wasm", other);
        // A request is read as another event than that of the guest, which denies every one.
        assert!(denied.to_string().contains("because"), "{agent}: {denied}");
    }
}

#[test]
fn a_missing_component_blocks_if_failures_block_and_is_reported_by_each_command() {
    for (agent, name, text, _, [_, event]) in WITH_COMPONENTS {
        let bed = TestBed::new();
        let file = format!("[PROJECT]/{name}");
        for component in ["no-such-plugin", "./missing.wasm"] {
            bed.write_file(&file, &text.replace("COMPONENT", component));
            let mut command = bed.build_command(&["run", "--agent", agent, "--source", &file]);
            let ran = bed.run_with_input(&mut command, event.as_bytes());
            assert!(ran.to_string().contains(component.trim_start_matches("./")), "{agent}: {ran}");
            // run-claude goes on without a hook that fails.
            let blocks = ran.code == 2 || ran.stdout.contains("Reject");
            assert_eq!(blocks, agent != "run-claude", "{agent}: {ran}");
        }
    }
}
