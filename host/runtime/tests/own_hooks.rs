//! Agents' own hooks in an embedding program: layers, closures, and hooks that run once.
#![expect(clippy::unwrap_used, reason = "a helper of a test that cannot go on fails the test")]

use std::sync::{Arc, Mutex};

use hookbox::{
    CallbackHook, Host, HostBuilder, ToolMatcher,
    agents::{
        AgentHookFile, Dialect, ReadContext,
        cocode::Cocode,
        code_forge::{
            CodeForge,
            hooks_json::{Entry, Hook, HooksFile},
        },
        llxprt::Llxprt,
    },
    hookfile::Source,
    interfaces::Environment,
    model::{EventName, Json, Layer, TrustLevel},
};
use hookbox_embed::cocode_inline::{HookContext, HookResult, wrap_closure};
use serde_json::json;

/// Returns the agent's answer to an event, in its own format: exit code and standard output.
fn answer_event(dialect: &dyn Dialect, host: &Host, event: &str) -> String {
    let arrival = ReadContext { cwd: "/".into(), ..ReadContext::default() };
    let event = dialect.read(Json::parse(event).unwrap(), &arrival).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let outcome = runtime.block_on(host.dispatch(event.clone()));
    let written = dialect.write(&event, &outcome);
    format!("{} {}", written.exit, written.stdout.trim_end())
}

/// Adds the hooks of one layer.
fn add_layer(host: HostBuilder, own: &dyn AgentHookFile, layer: Layer, text: String) -> HostBuilder {
    let loaded = own.load(&Source {
        layer,
        trust_level: TrustLevel::Own,
        file: None,
        root: None,
        plugins: hookbox::ShippedPlugins::default(),
        text,
    });
    assert!(!loaded.has_errors());
    host.hooks(loaded.hooks)
}

#[test]
fn code_forges_layers_run_one_after_the_other_and_the_session_can_be_changed() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("said");
    let hook = |word: &str| {
        let command = format!("printf '{word} ' >> {}", output.display());
        let mut file = HooksFile::default();
        file.register(Hook::new(Entry::with_command("tool:*", &command)).unwrap());
        file
    };
    let event = r#"{"type":"tool:pre_execute","timestamp":1,"tool_name":"bash","data":{"tool_args":{}}}"#;
    let run = |session: &HooksFile| {
        let environment = Environment::from_iter([("PATH", "/usr/bin:/bin")]);
        let host = Host::builder().policy(CodeForge.policy()).environment(environment);
        let host = add_layer(host, &CodeForge, Layer::Session, session.text());
        let host = add_layer(host, &CodeForge, Layer::Project, hook("project").text());
        let host = add_layer(host, &CodeForge, Layer::User, hook("user").text()).build();
        assert_eq!(answer_event(&CodeForge, &host, event), "0 ");
        let words = std::fs::read_to_string(&output).unwrap();
        std::fs::remove_file(&output).unwrap();
        words
    };
    let mut session = hook("session");
    assert_eq!(run(&session), "user project session ");
    session.unregister("tool:*");
    assert_eq!(run(&session), "user project ");
}

fn pre_tool_use(command: &str) -> String {
    json!({"event": "PreToolUse", "session_id": "s", "cwd": "/", "env": {"SECRET": "x"},
        "tool_name": "Bash", "tool_input": {"command": command}})
    .to_string()
}

#[test]
fn a_closure_gets_cocodes_context() {
    let seen = Arc::new(Mutex::new(None));
    let keep = Arc::clone(&seen);
    let callback = wrap_closure(move |context| {
        *keep.lock().unwrap() = Some(context);
        HookResult::Continue
    });
    let hook = CallbackHook::transform("look", [EventName::ToolBefore]);
    let host = Host::builder().policy(Cocode.policy()).callback(hook, callback).build();
    assert_eq!(answer_event(&Cocode, &host, &pre_tool_use("ls")), r#"0 "Continue""#);
    let expected = HookContext {
        event: "PreToolUse".into(),
        tool_name: Some("Bash".into()),
        tool_input: Some(json!({"command": "ls"})),
        tool_output: None,
        error: None,
        user_prompt: None,
        session_id: "s".into(),
        agent_id: None,
        cwd: "/".into(),
    };
    assert_eq!(seen.lock().unwrap().take(), Some(expected));
}

/// Returns a host with closures that run in order.
fn inline_host(hooks: Vec<(CallbackHook, hookbox::Callback)>) -> Host {
    let host = Host::builder().policy(Cocode.policy());
    hooks.into_iter().fold(host, |host, (hook, callback)| host.callback(hook, callback)).build()
}

/// Returns a closure that adds a word to the command, or to the prompt.
fn append_word(word: &'static str) -> hookbox::Callback {
    wrap_closure(move |context| {
        let new_input = match (&context.tool_input, &context.user_prompt) {
            (_, Some(prompt)) => json!(format!("{prompt} {word}")),
            (Some(input), _) => {
                json!({ "command": format!("{} {word}", input["command"].as_str().unwrap()) })
            }
            _ => return HookResult::Continue,
        };
        HookResult::ModifyInput { new_input }
    })
}

#[test]
fn closures_modify_the_input_one_after_the_other_until_one_rejects() {
    let events = [EventName::ToolBefore, EventName::PromptSubmit];
    let hook = |name| CallbackHook::transform(name, events.clone());
    let rejects_c = wrap_closure(|context| match context.tool_input {
        Some(input) if input["command"] == "c a b" => HookResult::Reject { reason: "no c".into() },
        _ => HookResult::Continue,
    });
    let host = inline_host(vec![
        (hook("1"), append_word("a")),
        (hook("2"), append_word("b")),
        (hook("3"), rejects_c),
    ]);
    assert_eq!(
        answer_event(&Cocode, &host, &pre_tool_use("ls")),
        r#"0 {"ModifyInput":{"new_input":{"command":"ls a b"}}}"#
    );
    assert_eq!(answer_event(&Cocode, &host, &pre_tool_use("c")), r#"2 {"Reject":{"reason":"no c"}}"#);
    let prompt = r#"{"event":"PrePromptSubmit","session_id":"s","cwd":"/","env":{},"user_prompt":"hi"}"#;
    assert_eq!(answer_event(&Cocode, &host, prompt), r#"0 {"ModifyInput":{"new_input":"hi a b"}}"#);
}

#[test]
fn a_closure_is_for_the_tools_that_its_matcher_names() {
    let tools = ToolMatcher { glob: Some(wildmatch::WildMatch::new("Bash*")), ..ToolMatcher::default() };
    let hook = CallbackHook::transform("bash", [EventName::ToolBefore]).tool(tools);
    let host = inline_host(vec![(hook, wrap_closure(|_| HookResult::Reject { reason: "no".into() }))]);
    assert_eq!(answer_event(&Cocode, &host, &pre_tool_use("ls")), r#"2 {"Reject":{"reason":"no"}}"#);
    let read = pre_tool_use("ls").replace("\"Bash\"", "\"Read\"");
    assert_eq!(answer_event(&Cocode, &host, &read), r#"0 "Continue""#);
}

#[test]
fn a_closure_that_panics_rejects() {
    let hook = CallbackHook::transform("broken", [EventName::ToolBefore]);
    let host = inline_host(vec![(hook, wrap_closure(|_| panic!("boom")))]);
    let answer = answer_event(&Cocode, &host, &pre_tool_use("ls"));
    assert!(answer.starts_with("2 {\"Reject\"") && answer.contains("boom"), "{answer}");
}

#[test]
fn a_hook_that_runs_once_runs_once_for_its_host() {
    let file = "[[hooks]]\nevent = \"PreToolUse\"\nonce = true\nshell.command = \"exit 1\"\n";
    let host = Host::builder().policy(Cocode.policy());
    let host = add_layer(host, &Cocode, Layer::User, file.to_owned()).build();
    assert_eq!(
        answer_event(&Cocode, &host, &pre_tool_use("ls")),
        r#"2 {"Reject":{"reason":"Hook failed: "}}"#
    );
    assert_eq!(answer_event(&Cocode, &host, &pre_tool_use("ls")), r#"0 "Continue""#);
}

#[test]
fn a_hook_that_runs_once_keeps_its_turn_until_it_comes() {
    let hook = |name| CallbackHook::transform(name, [EventName::ToolBefore]);
    let rejects_ls = wrap_closure(|context| match context.tool_input {
        Some(input) if input["command"] == "ls" => HookResult::Reject { reason: "no ls".into() },
        _ => HookResult::Continue,
    });
    let host = inline_host(vec![(hook("first"), rejects_ls), (hook("once").once(), append_word("a"))]);
    assert_eq!(answer_event(&Cocode, &host, &pre_tool_use("ls")), r#"2 {"Reject":{"reason":"no ls"}}"#);
    let modified = r#"0 {"ModifyInput":{"new_input":{"command":"w a"}}}"#;
    assert_eq!(answer_event(&Cocode, &host, &pre_tool_use("w")), modified);
    assert_eq!(answer_event(&Cocode, &host, &pre_tool_use("w")), r#"0 "Continue""#);
}

#[test]
fn a_file_holds_so_many_hooks_and_no_more() {
    let entry = r#"{"event":"*","command":"true"}"#;
    let text = format!(r#"{{"hooks":[{}]}}"#, vec![entry; 300].join(","));
    let source = Source {
        layer: Layer::User,
        trust_level: TrustLevel::Own,
        file: None,
        root: None,
        plugins: hookbox::ShippedPlugins::default(),
        text,
    };
    let loaded = CodeForge.hook_file().unwrap().load(&source);
    let problems: Vec<_> = loaded.problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(
        (loaded.hooks.len(), problems),
        (256, vec!["the file has more than 256 hooks; the rest is left out"])
    );
}

#[test]
fn a_hook_is_switched_by_its_name_and_without_one_by_its_command() {
    let hook = |command: &str, name: &str| json!({"type": "command", "command": command, "name": name});
    let mut plain = hook("echo plain", "");
    plain.as_object_mut().unwrap().remove("name");
    let file = json!({"hooks": {"AfterAgent": [{"hooks": [hook("echo named", "mine"), plain]}]}});
    let environment = Environment::from_iter([("PATH", "/usr/bin:/bin")]);
    let host = Host::builder().policy(Llxprt.policy()).environment(environment);
    let host = add_layer(host, &Llxprt, Layer::Session, file.to_string()).build();
    let event = r#"{"hook_event_name":"AfterAgent","session_id":"s","cwd":"/","transcript_path":"","prompt":"p",
        "prompt_response":"r","stop_hook_active":false}"#;
    let answer = || answer_event(&Llxprt, &host, event);
    assert_eq!(answer(), r#"0 {"systemMessage":"named\nplain"}"#);
    assert_eq!(host.set_hook_enabled("mine", false), 1);
    assert_eq!(answer(), r#"0 {"systemMessage":"plain"}"#);
    assert_eq!(host.set_hook_enabled("echo plain", false), 1);
    assert_eq!(answer(), "0 {}");
    assert_eq!(host.hooks().filter(|hook| hook.enabled).count(), 0);
    assert_eq!(host.set_hook_enabled("echo named", true), 0);
    assert_eq!(host.set_hook_enabled("mine", true), 1);
    assert_eq!(answer(), r#"0 {"systemMessage":"named"}"#);
}
