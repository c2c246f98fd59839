//! Calls of one handler, as the chain makes them.
#![expect(clippy::unwrap_used, reason = "a helper of a test that cannot go on fails the test")]

use hookbox::{
    Clock,
    interfaces::{Call, Handler, Reply},
    model::{Answer, Event, EventName, Json, Limits, ToolCall, ToolClass, Verdict},
};

/// Parts of a call.
pub(crate) struct Bed {
    pub(crate) event: Event,
    pub(crate) limits: Limits,
    config: Json,
}

impl Bed {
    pub(crate) fn new() -> Self {
        let tool = ToolCall {
            name: "Bash".to_owned(),
            class: ToolClass::Shell,
            command: Some("rm -rf /".to_owned()),
            paths: Vec::new(),
            input: Json::parse(r#"{"command":"rm -rf /"}"#).unwrap(),
            output: None,
        };
        let event = Event {
            id: "event-1".to_owned(),
            agent_event: "tool.before".to_owned(),
            session: "session-1".to_owned(),
            cwd: "/".to_owned(),
            tool: Some(tool),
            ..Event::new(EventName::known("tool.before").unwrap(), "native")
        };
        Self { event, limits: Limits::default(), config: Json::empty_object() }
    }

    pub(crate) fn call(&self) -> Call<'_> {
        Call {
            hook: "the-hook",
            event: &self.event,
            original: None,
            outcome: None,
            config: &self.config,
            limits: &self.limits,
            clock: Clock::machine(),
            facts: None,
        }
    }

    /// Makes one call, to its end, on a runtime of its own.
    pub(crate) fn call_handler(&self, handler: &impl Handler) -> Reply {
        block_on(handler.call(self.call()))
    }
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Returns a result in one line.
pub(crate) fn format_reply(reply: &Reply) -> String {
    match &reply.result {
        Err(failure) => failure.to_string(),
        Ok(answer) if *answer == Answer::default() => "no opinion".to_owned(),
        Ok(Answer { verdict: Verdict::None, context, .. }) => format!("context {context:?}"),
        Ok(Answer { verdict, .. }) => {
            let reason = verdict.reason().unwrap();
            format!("{} [{}] {}", verdict.as_str(), reason.code(), reason.text())
        }
    }
}
