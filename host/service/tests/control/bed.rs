//! Claude Code's side of a session.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use hookbox::model::Json;
use hookbox_service::control::{
    Callbacks, Entry, Group, OtherMessages, SdkCallback, Session, SessionOutput, SessionOutputs,
};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Handle};

/// Time limit of a test: nothing here takes long.
const HANGS: Duration = Duration::from_mins(1);

pub(crate) fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let done = runtime.block_on(async { tokio::time::timeout(HANGS, test).await });
    runtime.shutdown_background();
    done.unwrap_or_else(|_| panic!("it hangs"))
}

pub(crate) struct Bed {
    pub(crate) session: Session,
    outputs: SessionOutputs,
}

/// Output of a session.
#[derive(Debug, Default)]
pub(crate) struct CollectedOutput {
    pub(crate) lines: Vec<Value>,
    pub(crate) log: Vec<Entry>,
    pub(crate) others: Vec<SessionOutput>,
}

impl Bed {
    pub(crate) fn new(callbacks: &Callbacks) -> Self {
        Self::with(callbacks, OtherMessages::Refuse)
    }

    pub(crate) fn with(callbacks: &Callbacks, others: OtherMessages) -> Self {
        let (session, outputs) = Session::new(callbacks.clone(), others, Handle::current());
        Self { session, outputs }
    }

    /// Sends a message of Claude Code.
    pub(crate) fn send_message(&self, message: &Value) {
        self.send_text(&message.to_string());
    }

    pub(crate) fn send_text(&self, text: &str) {
        self.session.receive(text.as_bytes());
        self.session.receive(b"\n");
    }

    pub(crate) async fn receive_output(&mut self) -> SessionOutput {
        self.outputs.next().await.unwrap()
    }

    /// Returns the next line for Claude Code; log entries before it are skipped.
    pub(crate) async fn receive_line(&mut self) -> Value {
        loop {
            match self.receive_output().await {
                SessionOutput::Line(line) => return serde_json::from_str(&line).unwrap(),
                SessionOutput::Log(_) => {}
                output => panic!("{output:?}"),
            }
        }
    }

    /// Returns the next log entry; lines before it are skipped.
    pub(crate) async fn receive_entry(&mut self) -> Entry {
        loop {
            if let SessionOutput::Log(entry) = self.receive_output().await {
                return entry;
            }
        }
    }

    /// Ends the stream; returns all output until every callback is over.
    pub(crate) async fn end_session(mut self) -> CollectedOutput {
        self.session.end();
        let mut collected = CollectedOutput::default();
        while let Some(output) = self.outputs.next().await {
            match output {
                SessionOutput::Line(line) => {
                    assert!(!line.contains('\n'), "{line}");
                    collected.lines.push(serde_json::from_str(&line).unwrap());
                }
                SessionOutput::Log(entry) => collected.log.push(entry),
                other => collected.others.push(other),
            }
        }
        collected
    }
}

/// Returns Claude Code's request for this callback.
pub(crate) fn build_call(request: &str, callback: &str, input: &Value) -> Value {
    let tool_use = input.get("tool_name").map(|_| "toolu_1");
    json!({
        "type": "control_request",
        "request_id": request,
        "request": { "subtype": "hook_callback", "callback_id": callback, "input": input, "tool_use_id": tool_use },
    })
}

pub(crate) fn build_cancel(request: &str) -> Value {
    json!({ "type": "control_cancel_request", "request_id": request })
}

pub(crate) fn build_success(request: &str, output: &Value) -> Value {
    let response = json!({ "subtype": "success", "request_id": request, "response": output });
    json!({ "type": "control_response", "response": response })
}

pub(crate) fn build_error(request: &str, message: &str) -> Value {
    let response = json!({ "subtype": "error", "request_id": request, "error": message });
    json!({ "type": "control_response", "response": response })
}

/// Returns the input for a shell command that is about to run.
pub(crate) fn build_command_input(text: &str) -> Value {
    json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/", "tool_name": "Bash",
        "tool_input": { "command": text },
    })
}

pub(crate) fn build_denial(reason: &str) -> Value {
    json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason,
    } })
}

pub(crate) fn to_json(value: &Value) -> Json {
    Json::from_value(value)
}

/// Returns one callback for `PreToolUse`: `hook_0`.
pub(crate) fn register_callback(callback: SdkCallback) -> Callbacks {
    one_with(Group::default(), callback)
}

pub(crate) fn one_with(group: Group, callback: SdkCallback) -> Callbacks {
    let callbacks = Callbacks::default();
    assert_eq!(callbacks.add("PreToolUse", group, [callback]).unwrap(), ["hook_0"]);
    callbacks
}

/// Returns a callback with this constant output.
pub(crate) fn answer_with(output: Value) -> SdkCallback {
    SdkCallback::asynchronous(move |_| {
        let output = to_json(&output);
        async move { Ok(output) }
    })
}

/// Returns a callback that never answers; and the number of its running calls.
pub(crate) fn build_endless_callback() -> (SdkCallback, Arc<AtomicUsize>) {
    let running = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&running);
    let callback = SdkCallback::asynchronous(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        let until_dropped = Counted(Arc::clone(&counted));
        async move {
            let _until_dropped = until_dropped;
            pending().await
        }
    });
    (callback, running)
}

struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
