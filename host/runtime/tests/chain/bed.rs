//! A chain of hooks of the test, with a record of its calls.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
};

use hookbox::{
    Callback, CallbackHook, ChainPolicy, HookSpec, Host, HostBuilder, Origin, Target,
    model::{
        Answer, Event, EventName, HookReport, Json, Labelled, Layer, OnFailure, Outcome, Reason, Rewrite,
        Role, Status, ToolCall, ToolClass, TrustLevel, Verdict,
    },
};

/// Hooks, with a record of the called hooks and the tool arguments that each saw.
#[derive(Default)]
pub(crate) struct Chain {
    builder: HostBuilder,
    calls: Arc<Mutex<Vec<String>>>,
}

impl Chain {
    /// Creates a chain with hookbox's default policy.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Creates a chain with another policy.
    pub(crate) fn with_policy(policy: ChainPolicy) -> Self {
        Self { builder: Host::builder().policy(policy), ..Self::default() }
    }

    /// Adds a hook that gives this answer each time.
    pub(crate) fn add_answer(self, spec: HookSpec, answer: Answer) -> Self {
        self.add_reply(spec, Ok(answer))
    }

    /// Adds a hook that fails each time.
    pub(crate) fn add_failing(self, spec: HookSpec) -> Self {
        self.add_reply(spec, Err("out of order".to_owned()))
    }

    /// Adds a hook that never answers.
    pub(crate) fn add_hanging(self, spec: HookSpec) -> Self {
        self.add_callback(spec, Callback::asynchronous(|_| std::future::pending()))
    }

    /// Adds a hook that calls this.
    pub(crate) fn add_callback(self, spec: HookSpec, callback: Callback) -> Self {
        Self { builder: self.builder.callback(CallbackHook::from(spec), callback), ..self }
    }

    /// Applies further settings of the builder.
    pub(crate) fn configure_with(self, with: impl FnOnce(HostBuilder) -> HostBuilder) -> Self {
        Self { builder: with(self.builder), ..self }
    }

    /// Returns the host, for more than one event.
    pub(crate) fn host(self) -> Host {
        self.builder.build()
    }

    /// Returns the chain's outcome for a shell command.
    pub(crate) fn run(self) -> Outcome {
        dispatch_event(&self.host(), shell_event())
    }

    /// Returns the outcome, and the called hooks with their arguments.
    pub(crate) fn traced(self) -> (Outcome, Vec<String>) {
        let calls = Arc::clone(&self.calls);
        let outcome = self.run();
        (outcome, std::mem::take(&mut calls.lock().unwrap()))
    }

    fn add_reply(self, spec: HookSpec, reply: Result<Answer, String>) -> Self {
        let calls = Arc::clone(&self.calls);
        let callback = Callback::sync(move |call| {
            calls.lock().unwrap().push(format!("{} {}", call.hook, format_part(call.event)));
            reply.clone().map_err(Into::into)
        });
        self.add_callback(spec, callback)
    }
}

/// Returns the command of the tool call, or all of its arguments.
fn format_part(event: &Event) -> String {
    let tool = event.tool.as_ref();
    tool.map_or_else(String::new, |tool| tool.command.clone().unwrap_or(tool.input.as_str().to_owned()))
}

pub(crate) fn dispatch_event(host: &Host, event: Event) -> Outcome {
    block_on(host.dispatch(event))
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Returns the user's own hook for a tool call.
pub(crate) fn make_hook(name: &str, role: Role) -> HookSpec {
    let origin = Origin::new(Layer::User, TrustLevel::Own);
    HookSpec { origin, ..HookSpec::new(name, Target::Callback).on([EventName::ToolBefore]).role(role) }
}

pub(crate) fn make_transform(name: &str) -> HookSpec {
    make_hook(name, Role::Transform)
}

pub(crate) fn make_gate(name: &str) -> HookSpec {
    make_hook(name, Role::Gate)
}

pub(crate) fn make_observer(name: &str) -> HookSpec {
    make_hook(name, Role::Observe)
}

/// Returns the hook for another event.
pub(crate) fn on_event(event: EventName, spec: HookSpec) -> HookSpec {
    HookSpec { events: vec![event], ..spec }
}

pub(crate) fn with_trust_level(trust_level: TrustLevel, spec: HookSpec) -> HookSpec {
    let file = Some(PathBuf::from("/project/.hookbox/hooks.toml"));
    HookSpec { origin: Origin { trust_level, file, number: 1, ..spec.origin.clone() }, ..spec }
}

pub(crate) fn on_failure(policy: OnFailure, spec: HookSpec) -> HookSpec {
    HookSpec { on_failure: Some(policy), ..spec }
}

pub(crate) fn shell_event() -> Event {
    make_event(EventName::ToolBefore, Some("ls"))
}

/// Returns an event, with a shell command if there is one.
pub(crate) fn make_event(name: EventName, command: Option<&str>) -> Event {
    let tool = command.map(|command| ToolCall {
        name: "Bash".to_owned(),
        class: ToolClass::Shell,
        command: Some(command.to_owned()),
        paths: Vec::new(),
        input: parse_json(&format!(r#"{{"command":"{command}"}}"#)),
        output: None,
    });
    Event {
        id: "1".to_owned(),
        agent_event: name.as_str().to_owned(),
        session: "s".to_owned(),
        cwd: "/project".to_owned(),
        tool,
        ..Event::new(name, "native")
    }
}

pub(crate) fn parse_json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

pub(crate) fn empty_answer() -> Answer {
    Answer::default()
}

pub(crate) fn allow_with(text: &str) -> Answer {
    Answer::allow("r", text)
}

pub(crate) fn ask_with(text: &str) -> Answer {
    Answer::ask("r", text)
}

pub(crate) fn defer_with(text: &str) -> Answer {
    Verdict::Defer(Reason::new("r", text)).into()
}

pub(crate) fn deny_with(text: &str) -> Answer {
    Answer::deny("r", text)
}

/// Returns an answer that replaces the tool's arguments by this command alone.
pub(crate) fn replace_command(command: &str) -> Answer {
    let part = parse_json(&format!(r#"{{"command":"{command}"}}"#));
    Answer { rewrite: Some(Rewrite::Replace(part)), ..empty_answer() }
}

pub(crate) fn add_context(text: &str) -> Answer {
    Answer { context: Some(text.to_owned()), ..empty_answer() }
}

/// Returns the verdict and the reasons: `deny: a=no, b=never`.
pub(crate) fn format_verdict(outcome: &Outcome) -> String {
    let reasons: Vec<_> =
        outcome.reasons.iter().map(|label| format_text(&label.hook, label.value.text())).collect();
    format!("{}: {}", outcome.verdict.as_str(), reasons.join(", "))
}

/// Returns each text as `a=text`.
pub(crate) fn format_texts(labels: &[Labelled<String>]) -> Vec<String> {
    labels.iter().map(|label| format_text(&label.hook, &label.value)).collect()
}

fn format_text(hook: &str, text: &str) -> String {
    format!("{hook}={text}")
}

/// Returns the rewritable part that the chain leaves; empty if it changed nothing.
pub(crate) fn rewritten_part(outcome: &Outcome) -> &str {
    outcome.rewrite.as_ref().map_or("", Json::as_str)
}

/// Returns each hook with its status: `a answered`.
pub(crate) fn list_statuses(outcome: &Outcome) -> Vec<String> {
    outcome.reports.iter().map(|report| format!("{} {}", report.hook, report_status(report))).collect()
}

pub(crate) fn report_status(report: &HookReport) -> &'static str {
    match &report.status {
        Status::Answered(_) => "answered",
        Status::Failed(failure) => failure.code.as_str(),
        Status::Skipped => "skipped",
    }
}
