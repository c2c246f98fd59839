//! A chain of hooks of the test, with a record of its calls.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
};

use hookbox::{
    Callback, CallbackHook, ChainPolicy, HookSpec, Host, HostBuilder, Origin, Target,
    model::{
        Answer, Event, EventName, HookReport, Json, Labelled, Layer, OnFailure, Outcome, Reason, Rewrite,
        Role, Status, Tier, ToolCall, ToolClass, Verdict,
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
    pub(crate) fn with(policy: ChainPolicy) -> Self {
        Self { builder: Host::builder().policy(policy), ..Self::default() }
    }

    /// Adds a hook that gives this answer each time.
    pub(crate) fn says(self, spec: HookSpec, answer: Answer) -> Self {
        self.replies(spec, Ok(answer))
    }

    /// Adds a hook that fails each time.
    pub(crate) fn fails(self, spec: HookSpec) -> Self {
        self.replies(spec, Err("out of order".to_owned()))
    }

    /// Adds a hook that never answers.
    pub(crate) fn hangs(self, spec: HookSpec) -> Self {
        self.calls(spec, Callback::asynchronous(|_| std::future::pending()))
    }

    /// Adds a hook that calls this.
    pub(crate) fn calls(self, spec: HookSpec, callback: Callback) -> Self {
        Self { builder: self.builder.callback(CallbackHook::from(spec), callback), ..self }
    }

    /// Applies further settings of the builder.
    pub(crate) fn built(self, with: impl FnOnce(HostBuilder) -> HostBuilder) -> Self {
        Self { builder: with(self.builder), ..self }
    }

    /// Returns the host, for more than one event.
    pub(crate) fn host(self) -> Host {
        self.builder.build()
    }

    /// Returns the chain's outcome for a shell command.
    pub(crate) fn run(self) -> Outcome {
        dispatch(&self.host(), shell_event())
    }

    /// Returns the outcome, and the called hooks with their arguments.
    pub(crate) fn traced(self) -> (Outcome, Vec<String>) {
        let calls = Arc::clone(&self.calls);
        let outcome = self.run();
        (outcome, std::mem::take(&mut calls.lock().unwrap()))
    }

    fn replies(self, spec: HookSpec, reply: Result<Answer, String>) -> Self {
        let calls = Arc::clone(&self.calls);
        let callback = Callback::sync(move |call| {
            calls.lock().unwrap().push(format!("{} {}", call.hook, part(call.event)));
            reply.clone().map_err(Into::into)
        });
        self.calls(spec, callback)
    }
}

/// Returns the command of the tool call, or all of its arguments.
fn part(event: &Event) -> String {
    let tool = event.tool.as_ref();
    tool.map_or_else(String::new, |tool| tool.command.clone().unwrap_or(tool.input.as_str().to_owned()))
}

pub(crate) fn dispatch(host: &Host, event: Event) -> Outcome {
    block_on(host.dispatch(event))
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Returns the user's own hook for a tool call.
pub(crate) fn hook(name: &str, role: Role) -> HookSpec {
    let origin = Origin::new(Layer::User, Tier::Own);
    HookSpec { origin, ..HookSpec::new(name, Target::Callback).on([EventName::ToolBefore]).role(role) }
}

pub(crate) fn transform(name: &str) -> HookSpec {
    hook(name, Role::Transform)
}

pub(crate) fn gate(name: &str) -> HookSpec {
    hook(name, Role::Gate)
}

pub(crate) fn observer(name: &str) -> HookSpec {
    hook(name, Role::Observe)
}

/// Returns the hook for another event.
pub(crate) fn at(event: EventName, spec: HookSpec) -> HookSpec {
    HookSpec { events: vec![event], ..spec }
}

pub(crate) fn of_tier(tier: Tier, spec: HookSpec) -> HookSpec {
    let file = Some(PathBuf::from("/project/.hookbox/hooks.toml"));
    HookSpec { origin: Origin { tier, file, number: 1, ..spec.origin.clone() }, ..spec }
}

pub(crate) fn on_failure(policy: OnFailure, spec: HookSpec) -> HookSpec {
    HookSpec { on_failure: Some(policy), ..spec }
}

pub(crate) fn shell_event() -> Event {
    event(EventName::ToolBefore, Some("ls"))
}

/// Returns an event, with a shell command if there is one.
pub(crate) fn event(name: EventName, command: Option<&str>) -> Event {
    let tool = command.map(|command| ToolCall {
        name: "Bash".to_owned(),
        class: ToolClass::Shell,
        command: Some(command.to_owned()),
        paths: Vec::new(),
        input: json(&format!(r#"{{"command":"{command}"}}"#)),
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

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

pub(crate) fn nothing() -> Answer {
    Answer::default()
}

pub(crate) fn allow(text: &str) -> Answer {
    Answer::allow("r", text)
}

pub(crate) fn ask(text: &str) -> Answer {
    Answer::ask("r", text)
}

pub(crate) fn defer(text: &str) -> Answer {
    Verdict::Defer(Reason::new("r", text)).into()
}

pub(crate) fn deny(text: &str) -> Answer {
    Answer::deny("r", text)
}

/// Returns an answer that replaces the tool's arguments by this command alone.
pub(crate) fn command(command: &str) -> Answer {
    let part = json(&format!(r#"{{"command":"{command}"}}"#));
    Answer { rewrite: Some(Rewrite::Replace(part)), ..nothing() }
}

pub(crate) fn context(text: &str) -> Answer {
    Answer { context: Some(text.to_owned()), ..nothing() }
}

/// Returns the verdict and the reasons: `deny: a=no, b=never`.
pub(crate) fn verdict(outcome: &Outcome) -> String {
    let reasons: Vec<_> = outcome.reasons.iter().map(|said| told(&said.hook, said.value.text())).collect();
    format!("{}: {}", outcome.verdict.as_str(), reasons.join(", "))
}

/// Returns each text as `a=text`.
pub(crate) fn texts(said: &[Labelled<String>]) -> Vec<String> {
    said.iter().map(|said| told(&said.hook, &said.value)).collect()
}

fn told(hook: &str, text: &str) -> String {
    format!("{hook}={text}")
}

/// Returns the rewritable part that the chain leaves; empty if it changed nothing.
pub(crate) fn rewrite(outcome: &Outcome) -> &str {
    outcome.rewrite.as_ref().map_or("", Json::as_str)
}

/// Returns each hook with its status: `a answered`.
pub(crate) fn statuses(outcome: &Outcome) -> Vec<String> {
    outcome.reports.iter().map(|report| format!("{} {}", report.hook, status(report))).collect()
}

pub(crate) fn status(report: &HookReport) -> &'static str {
    match &report.status {
        Status::Answered(_) => "answered",
        Status::Failed(failure) => failure.code.as_str(),
        Status::Skipped => "skipped",
    }
}
