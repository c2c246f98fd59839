//! Results of hooks for a program that takes an agent's place, in the agent's own format.
#![expect(clippy::unwrap_used, reason = "a helper of a test that cannot go on fails the test")]

use std::{sync::Arc, time::Duration};

use hookbox::{
    CallbackHook, ChainEnd, ChainPolicy, Host,
    agents::{
        AgentHookFile, Dialect, ReadContext, claude_code::ClaudeCode, cocode::Cocode, code_forge::CodeForge,
    },
    interfaces::Environment,
    model::{Event, Json, Outcome},
};
use hookbox_embed::{
    cocode_inline::HookResult,
    cocode_loop::loop_events,
    cocode_registry::{HookDefinition, HookRegistry, NoSuchEvent},
    code_forge_results::hook_results,
    session_hooks::session_hooks,
};
use serde_json::{Value, json};

fn read_event(dialect: &dyn Dialect, event: &Value) -> Event {
    let arrival = ReadContext { cwd: "/".into(), ..ReadContext::default() };
    dialect.read(Json::from_value(event), &arrival).unwrap()
}

fn run_hooks(host: &Host, event: &Event, policy: ChainPolicy) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(host.plan(event).with_policy(policy).run())
}

fn bash_event() -> Event {
    let event =
        json!({"type": "tool:pre_execute", "timestamp": 1, "tool_name": "bash", "data": {"tool_args": {}}});
    read_event(&CodeForge, &event)
}

/// Returns a host with these hooks of Code-Forge's.
fn forge_host(hooks: &Value) -> Host {
    let loaded = session_hooks(&CodeForge, &json!({ "hooks": hooks }).to_string()).unwrap();
    assert!(!loaded.has_errors());
    let environment = Environment::from_iter([("PATH", "/usr/bin:/bin")]);
    Host::builder().policy(CodeForge.policy()).environment(environment).hooks(loaded.hooks).build()
}

/// Returns the results without their durations.
fn run_results(host: &Host, policy: ChainPolicy) -> Vec<Value> {
    let results = hook_results(&run_hooks(host, &bash_event(), policy));
    let shown = results.iter().map(|result| {
        assert!(result.duration >= 0.0);
        json!([
            result.hook,
            result.exit_code,
            result.stdout,
            result.stderr,
            result.timed_out,
            result.error,
            result.success(),
            result.should_continue()
        ])
    });
    shown.collect()
}

/// Code-Forge's `stop_on_failure=False`.
const TO_THE_END: fn() -> ChainPolicy = || ChainPolicy { end: ChainEnd::Never, ..CodeForge.policy() };

#[test]
fn each_hook_of_code_forge_has_a_result_with_its_end_and_its_output() {
    let host = forge_host(&json!([
        {"event": "tool:*", "command": "echo out; echo err >&2"},
        {"event": "tool:pre_execute", "command": "echo no; exit 3"},
        {"event": "*", "command": "kill -9 $$"},
        {"event": "*:*:bash", "command": "sleep 60", "timeout": 0.1},
        {"event": "tool:pre_*", "command": "true", "working_dir": "/is/not/there"},
        {"event": "session:*", "command": "true"},
    ]));
    let late = "no answer within 100 ms; if it needs longer, raise the hook's `timeout`";
    let nowhere =
        "hook `tool:pre_*` is to run in `/is/not/there`, which is not a folder: create it or change `cwd`";
    assert_eq!(
        run_results(&host, TO_THE_END()),
        [
            json!(["tool:*", 0, "out", "err", false, null, true, true]),
            json!(["tool:pre_execute", 3, "no", "", false, null, false, false]),
            json!(["*", -9, "", "", false, null, false, false]),
            json!(["*:*:bash", -1, "", "", true, late, false, false]),
            json!(["tool:pre_*", -1, "", "", false, nowhere, false, false]),
        ]
    );
}

#[test]
fn the_first_hook_that_blocks_is_the_last_unless_all_are_to_run() {
    let host = forge_host(&json!([
        {"event": "*", "command": "true"},
        {"event": "tool:*", "command": "exit 1"},
        {"event": "tool:pre_execute", "command": "true"},
    ]));
    let codes =
        |policy| run_results(&host, policy).iter().map(|result| result[1].clone()).collect::<Vec<_>>();
    assert_eq!(codes(CodeForge.policy()), [0, 1]);
    assert_eq!(codes(TO_THE_END()), [0, 1, 0]);
    for policy in [CodeForge.policy(), TO_THE_END()] {
        let (event, outcome) = (bash_event(), run_hooks(&host, &bash_event(), policy));
        assert_eq!(CodeForge.write(&event, &outcome).exit, 2);
    }
}

#[test]
fn an_agent_without_a_hook_file_has_no_session_hooks() {
    assert!(session_hooks(&hookbox::agents::native::Native, "{}").is_none());
    assert_eq!(session_hooks(&ClaudeCode, "{}").unwrap().hooks.len(), 0);
    let loaded = session_hooks(&CodeForge, r#"{"hooks": [{"event": "*"}]}"#).unwrap();
    assert!(loaded.problems[0].message.contains("missing field `command`"));
    let unreadable = |hook: &hookbox::HookSpec| hook.origin.written.as_ref().unwrap().unreadable.is_some();
    assert!(!loaded.hooks.is_empty() && loaded.hooks.iter().all(unreadable));
}

fn pre_tool_use(tool: &str, session: &str) -> Event {
    let event = json!({"event": "PreToolUse", "session_id": session, "cwd": "/", "env": {},
        "tool_name": tool, "tool_input": {"command": "ls"}});
    read_event(&Cocode, &event)
}

fn rejecting_hook(reason: &'static str) -> HookDefinition {
    let callback = Arc::new(move |_| HookResult::Reject { reason: reason.to_owned() });
    HookDefinition { callback, ..HookDefinition::default() }
}

fn cocode_host(hooks: impl IntoIterator<Item = HookDefinition>) -> Host {
    let mut registry = HookRegistry::default();
    hooks.into_iter().for_each(|hook| registry.register(hook).unwrap());
    let host = Host::builder().policy(Cocode.policy());
    let host =
        registry.hooks().fold(host, |host, (hook, call)| host.callback(CallbackHook::from(hook), call));
    host.build()
}

fn answer_to(host: &Host, event: &Event) -> String {
    Cocode.write(event, &run_hooks(host, event, Cocode.policy())).stdout.trim_end().to_owned()
}

#[test]
fn a_registered_closure_has_the_matcher_and_the_one_turn_of_cocodes_files() {
    let bash = HookDefinition { tool_matcher: Some("Bash*".into()), ..rejecting_hook("no shell") };
    let once = HookDefinition { once: true, ..rejecting_hook("not yet") };
    let host = cocode_host([HookDefinition::default(), bash, once]);
    let shell = r#"{"Reject":{"reason":"no shell"}}"#;
    assert_eq!(answer_to(&host, &pre_tool_use("BashOutput", "s")), shell);
    assert_eq!(answer_to(&host, &pre_tool_use("Read", "s")), r#"{"Reject":{"reason":"not yet"}}"#);
    assert_eq!(answer_to(&host, &pre_tool_use("Read", "s")), r#""Continue""#);
    assert_eq!(answer_to(&host, &pre_tool_use("Read", "t")), r#"{"Reject":{"reason":"not yet"}}"#);
    let hooks: Vec<_> =
        host.hooks().map(|hook| (hook.spec.name.clone(), hook.spec.limits.timeout())).collect();
    let ten_minutes = Duration::from_mins(10);
    let expected = ["hooks[0]", "hooks[1]", "hooks[2]"].map(|name| (name.to_owned(), ten_minutes));
    assert_eq!(hooks, expected);
}

#[test]
fn cocodes_hooks_of_a_session_are_read_from_text_and_run_before_closures() {
    let text = "[[hooks]]\nevent = \"PreToolUse\"\ntool_matcher = \"Ba*\"\nname = \"line\"\n\n\
        [hooks.shell]\ncommand = \"echo $HOOK_TOOL_NAME of $HOOK_SESSION_ID >&2; exit 1\"\n";
    let loaded = session_hooks(&Cocode, text).unwrap();
    assert!(!loaded.has_errors());
    let mut registry = HookRegistry::default();
    registry.register(rejecting_hook("closure")).unwrap();
    let environment = Environment::from_iter([("PATH", "/usr/bin:/bin")]);
    let host = Host::builder().policy(Cocode.policy()).environment(environment);
    let host = registry.hooks().fold(host, |host, (hook, call)| host.callback(hook.into(), call));
    let host = host.hooks(loaded.hooks).build();
    assert_eq!(
        answer_to(&host, &pre_tool_use("Bash", "s")),
        r#"{"Reject":{"reason":"Hook failed: Bash of s\n"}}"#
    );
    assert_eq!(answer_to(&host, &pre_tool_use("Read", "s")), r#"{"Reject":{"reason":"closure"}}"#);
}

#[test]
fn a_closure_for_an_event_that_cocode_does_not_have_is_not_registered() {
    let mut registry = HookRegistry::default();
    let unknown = HookDefinition { event: "PreToolUSe".into(), ..HookDefinition::default() };
    let error = registry.register(unknown).unwrap_err();
    assert_eq!(error, NoSuchEvent("PreToolUSe".into()));
    assert_eq!(error.to_string(), "cocode has no event \"PreToolUSe\"");
    assert_eq!(registry.hooks().count(), 0);
}

#[test]
fn the_loop_of_cocode_receives_an_event_for_each_called_hook() {
    let named = |name: &str, hook| HookDefinition { name: Some(name.to_owned()), ..hook };
    let hooks = [
        named("first", HookDefinition::default()),
        named("second", rejecting_hook("no")),
        named("never", HookDefinition::default()),
    ];
    let event = pre_tool_use("Bash", "s");
    let outcome = run_hooks(&cocode_host(hooks), &event, Cocode.policy());
    assert_eq!(
        serde_json::to_value(loop_events(&event, &outcome)).unwrap(),
        json!([
            {"HookExecuted": {"hook_type": "PreToolUse", "hook_name": "first"}},
            {"HookExecuted": {"hook_type": "PreToolUse", "hook_name": "second"}},
        ])
    );
}

#[test]
fn a_result_of_cocode_is_the_json_that_its_hooks_print() {
    for (text, result, kinds) in [
        (r#""Continue""#, HookResult::Continue, (false, false)),
        (r#"{"Reject":{"reason":"no"}}"#, HookResult::Reject { reason: "no".into() }, (true, false)),
        (
            r#"{"ModifyInput":{"new_input":{"command":"ls"}}}"#,
            HookResult::ModifyInput { new_input: json!({"command": "ls"}) },
            (false, true),
        ),
    ] {
        assert_eq!(serde_json::to_string(&result).unwrap(), text);
        assert_eq!(serde_json::from_str::<HookResult>(text).unwrap(), result);
        assert_eq!((result.is_reject(), result.is_modify()), kinds);
    }
    assert!(serde_json::from_str::<HookResult>(r#"{"Reject":{}}"#).is_err());
}
