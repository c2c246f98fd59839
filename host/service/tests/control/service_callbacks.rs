//! The service as callbacks: the answer of `hookbox run`, in an output object. A refusal is never lost on the way.

use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering},
    sync::{Arc, Mutex},
};

use hookbox::{
    Callback, CallbackHook, ShippedPlugins,
    agents::ReadContext,
    model::{Answer, EventName, Limit, Limits},
    sandbox::compile::Compiler,
};
use hookbox_app::{
    Surroundings,
    places::{NamedPlaces, Places},
};
use hookbox_service::{
    AgentRequest, HookSource, Service,
    control::{Callbacks, MAX_LINE_BYTES},
};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::bed::{
    Bed, build_call, build_cancel, build_command_input, build_denial, build_error, build_success, run,
    to_json,
};

struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn build_service(&self, hooks: HookSource) -> Service {
        let places = NamedPlaces { home: Some(self.0.path().to_owned()), ..NamedPlaces::default() };
        let surroundings = Surroundings {
            places: Places::of_account(&places),
            shipped: ShippedPlugins::default(),
            program: None,
            compiler: Compiler::Missing("no test needs it".to_owned()),
            variables: Vec::new(),
            session_folders: Vec::new(),
        };
        Service::builder(surroundings).hooks(hooks).build()
    }
}

fn register_callbacks(service: &Service) -> Callbacks {
    let callbacks = Callbacks::default();
    callbacks.add_service(service, ReadContext::default).unwrap();
    callbacks
}

/// The ids of the service's callbacks follow the order of Claude Code's events.
const PROMPT: &str = "hook_0";
const TOOL: &str = "hook_1";
const PERMISSION: &str = "hook_2";
const NOTIFICATION: &str = "hook_5";

#[test]
fn there_is_a_callback_for_each_event_of_the_sdk_and_a_guard_fails_closed() {
    run(async {
        let home = Home::new();
        let mut bed = Bed::new(&register_callbacks(&home.build_service(HookSource::Nothing)));
        bed.session.initialize(&to_json(&json!({})));
        let sent = bed.receive_line().await;
        let hooks = sent["request"]["hooks"].as_object().unwrap();
        let rows: Vec<_> = hooks
            .iter()
            .map(|(event, groups)| {
                let group = &groups[0];
                let on_failure = group["onFailure"].as_str().unwrap_or("-");
                let id = group["hookCallbackIds"][0].as_str().unwrap();
                format!("{id} {event} {} {on_failure}", group["timeout"])
            })
            .collect();
        assert_eq!(
            rows,
            [
                "hook_0 UserPromptSubmit 30 block",
                "hook_1 PreToolUse 600 block",
                "hook_2 PermissionRequest 600 block",
                "hook_3 PostToolUse 600 block",
                "hook_4 PostToolUseFailure 600 block",
                "hook_5 Notification 600 -",
                "hook_6 SubagentStart 600 -",
                "hook_7 SubagentStop 600 -",
                "hook_8 Stop 600 -",
                "hook_9 PreCompact 600 block",
            ]
        );
    });
}

#[test]
fn the_users_hooks_answer_as_they_are_when_they_are_asked() {
    run(async {
        let home = Home::new();
        let file = home.0.path().join("hooks.toml");
        let gate = |command: &str| {
            format!(
                "[[hook]]\nname = \"gate\"\non = \"tool.before\"\nshell = {{ command = \"{command}\" }}\n"
            )
        };
        fs::write(&file, gate("echo no >&2; exit 2")).unwrap();
        let service = home.build_service(HookSource::File(file.clone()));
        let mut bed = Bed::new(&register_callbacks(&service));
        bed.send_message(&build_call("r1", TOOL, &build_command_input("ls")));
        assert_eq!(bed.receive_line().await, build_success("r1", &build_denial("gate: no (exit-2)")));
        fs::write(&file, gate("exit 0")).unwrap();
        service.reload();
        bed.send_message(&build_call("r2", TOOL, &build_command_input("ls")));
        assert_eq!(bed.receive_line().await, build_success("r2", &json!({})));
    });
}

fn build_service_with(callback: Callback) -> (Home, Service) {
    let home = Home::new();
    let service = home.build_service(HookSource::Nothing);
    let events = [
        EventName::ToolBefore,
        EventName::PromptSubmit,
        EventName::PermissionRequest,
        EventName::Notification,
    ];
    service.add(CallbackHook::gate("gate", events), callback);
    (home, service)
}

fn read_reason(line: &Value) -> String {
    let response = &line["response"];
    assert_eq!(response["subtype"], "success", "{line}");
    let response = &response["response"];
    let nested = &response["hookSpecificOutput"];
    let found = [
        nested["permissionDecision"]
            .as_str()
            .filter(|decision| *decision == "deny")
            .map(|_| &nested["permissionDecisionReason"]),
        nested["decision"]["behavior"]
            .as_str()
            .filter(|decision| *decision == "deny")
            .map(|_| &nested["decision"]["message"]),
        response["decision"].as_str().filter(|decision| *decision == "block").map(|_| &response["reason"]),
    ];
    let reason = found.into_iter().flatten().next().unwrap_or_else(|| panic!("it is no refusal: {line}"));
    reason.as_str().unwrap().to_owned()
}

#[test]
fn input_that_cannot_be_read_is_refused_in_the_words_of_each_event() {
    run(async {
        let (_home, service) = build_service_with(Callback::sync(|_| Ok(Answer::default())));
        let mut bed = Bed::new(&register_callbacks(&service));
        for (id, event) in
            [(PROMPT, "UserPromptSubmit"), (TOOL, "PreToolUse"), (PERMISSION, "PermissionRequest")]
        {
            // Without the members of the event, without its name, not an object, with a duplicate key.
            for input in [&format!(r#"{{"hook_event_name":"{event}"}}"#), "{}", "7", r#"{"a":1,"a":2}"#] {
                bed.send_text(&format!(
                    r#"{{"type":"control_request","request_id":"r","request":{{"subtype":"hook_callback","callback_id":"{id}","input":{input}}}}}"#
                ));
                let reason = read_reason(&bed.receive_line().await);
                assert!(!reason.is_empty(), "{event} {input}");
            }
        }
    });
}

#[test]
fn an_event_that_is_too_long_is_refused() {
    run(async {
        let (_home, service) = build_service_with(Callback::sync(|_| Ok(Answer::default())));
        let mut bed = Bed::new(&register_callbacks(&service));
        bed.send_message(&build_call("r", TOOL, &build_command_input(&"x".repeat(MAX_LINE_BYTES))));
        let reason = read_reason(&bed.receive_line().await);
        assert!(reason.contains("bytes long, and no longer one than 33554432 is read"), "{reason}");
    });
}

#[test]
fn a_panicking_gate_denies_or_is_reported_to_the_user_if_it_can_block_nothing() {
    run(async {
        let (_home, service) = build_service_with(Callback::sync(|_| panic!("at the disco")));
        let mut bed = Bed::new(&register_callbacks(&service));
        bed.send_message(&build_call("r1", TOOL, &build_command_input("ls")));
        let reason = read_reason(&bed.receive_line().await);
        assert!(reason.contains("at the disco"), "{reason}");
        let notification =
            json!({ "hook_event_name": "Notification", "cwd": "/", "session_id": "s", "message": 7 });
        bed.send_message(&build_call("r2", NOTIFICATION, &notification));
        let line = bed.receive_line().await;
        let message = line["response"]["response"]["systemMessage"].as_str().unwrap();
        assert!(message.contains("field `message`"), "{message}");
    });
}

#[test]
fn a_deny_of_each_event_is_one_in_its_own_words() {
    run(async {
        let (_home, service) = build_service_with(Callback::sync(|_| Ok(Answer::deny("no", "not today"))));
        let mut bed = Bed::new(&register_callbacks(&service));
        let events = [
            (
                PROMPT,
                json!({ "hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": "/", "prompt": "p" }),
            ),
            (TOOL, build_command_input("ls")),
            (
                PERMISSION,
                json!({
                    "hook_event_name": "PermissionRequest", "session_id": "s", "cwd": "/", "tool_name": "Bash",
                    "tool_input": { "command": "ls" },
                }),
            ),
        ];
        for (id, event) in events {
            bed.send_message(&build_call("r", id, &event));
            assert_eq!(read_reason(&bed.receive_line().await), "gate: not today (no)");
        }
    });
}

#[test]
fn a_request_that_is_taken_back_ends_the_hooks_that_run_for_it() {
    run(async {
        struct Ends(Arc<AtomicBool>);
        impl Drop for Ends {
            fn drop(&mut self) {
                self.0.store(true, Ordering::SeqCst);
            }
        }
        let (begun, ended) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let seen = (Arc::clone(&begun), Mutex::new(Arc::clone(&ended)));
        let (_home, service) = build_service_with(Callback::asynchronous(move |_| {
            seen.0.store(true, Ordering::SeqCst);
            let ends = Ends(Arc::clone(&seen.1.lock().unwrap()));
            async move {
                let _ends = ends;
                std::future::pending().await
            }
        }));
        let bed = Bed::new(&register_callbacks(&service));
        bed.send_message(&build_call("r", TOOL, &build_command_input("ls")));
        while !begun.load(Ordering::SeqCst) {
            tokio::task::yield_now().await;
        }
        bed.send_message(&build_cancel("r"));
        let output = bed.end_session().await;
        assert_eq!(output.lines, [json!(null); 0]);
        assert_eq!(output.log.len(), 1, "{:?}", output.log);
        assert!(ended.load(Ordering::SeqCst));
    });
}

#[test]
fn a_callback_that_is_not_the_services_is_an_error() {
    run(async {
        let home = Home::new();
        let mut bed = Bed::new(&register_callbacks(&home.build_service(HookSource::Nothing)));
        bed.send_message(&build_call("r", "hook_10", &build_command_input("ls")));
        assert_eq!(bed.receive_line().await, build_error("r", "No hook callback found for ID: hook_10"));
    });
}

#[test]
fn a_gate_that_never_returns_denies_when_its_time_is_over() {
    run(async {
        let home = Home::new();
        let service = home.build_service(HookSource::Nothing);
        let limits = Limits::default().with_limit(Limit::Timeout, 20).unwrap();
        let gate = CallbackHook::gate("endless", [EventName::ToolBefore]).limits(limits);
        service.add(gate, Callback::asynchronous(|_| std::future::pending()));
        let mut bed = Bed::new(&register_callbacks(&service));
        bed.send_message(&build_call("r", TOOL, &build_command_input("ls")));
        let reason = read_reason(&bed.receive_line().await);
        assert!(reason.starts_with("endless: "), "{reason}");
    });
}

#[test]
fn a_hook_may_ask_its_own_service() {
    run(async {
        let home = Home::new();
        let service = home.build_service(HookSource::Nothing);
        let inner = Callback::sync(|_| Ok(Answer::deny("inner", "no such prompt")));
        service.add(CallbackHook::gate("inner", [EventName::PromptSubmit]), inner);
        let again = service.clone();
        let outer = Callback::asynchronous(move |_| {
            let service = again.clone();
            async move {
                let prompt = json!({ "hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": "/", "prompt": "p" });
                let ask = AgentRequest::new(None, prompt.to_string().into_bytes(), ReadContext::default());
                let reason = service.answer(ask).await.response.reason.unwrap_or_default();
                Ok(Answer::deny("outer", &reason))
            }
        });
        service.add(CallbackHook::gate("outer", [EventName::ToolBefore]), outer);
        let mut bed = Bed::new(&register_callbacks(&service));
        bed.send_message(&build_call("r", TOOL, &build_command_input("ls")));
        let reason = read_reason(&bed.receive_line().await);
        assert!(reason.starts_with("outer: ") && reason.contains("no such prompt"), "{reason}");
    });
}

#[test]
fn two_sessions_in_one_process_answer_for_themselves() {
    run(async {
        let service_denying =
            |text: &'static str| build_service_with(Callback::sync(move |_| Ok(Answer::deny("no", text))));
        let ((_one, first), (_other, second)) = (service_denying("the first"), service_denying("the second"));
        let mut beds = [Bed::new(&register_callbacks(&first)), Bed::new(&register_callbacks(&second))];
        for bed in &beds {
            // The id belongs to another request in another session.
            bed.send_message(&build_call("r", TOOL, &build_command_input("ls")));
        }
        let mut reasons = Vec::new();
        for bed in &mut beds {
            reasons.push(read_reason(&bed.receive_line().await));
        }
        assert!(reasons[0].contains("the first") && reasons[1].contains("the second"), "{reasons:?}");
    });
}
