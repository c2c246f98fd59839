//! llxprt-code, a fork of Gemini CLI: the same eleven events, read and answered by the same code. The differences are in
//! `gemini_cli/variant.rs`, and here: tool lists only get shorter (docs/reference/agents/llxprt.md).

pub(super) mod facts;
mod hook_file;
mod tool_list;

use std::time::Duration;

use hookbox_model::{Event, EventName, Json, Outcome};

use super::{
    Dialect, EventSupport, InvalidEvent, ReadContext, Written,
    agent_hook_file::AgentHookFile,
    gemini_cli::{self, read, variant::LLXPRT, write},
    synthesize::EventForm,
};

/// llxprt-code. Its input equals Gemini CLI's except for the folder of its transcripts.
#[derive(Clone, Copy, Debug)]
pub struct Llxprt;

impl Dialect for Llxprt {
    fn name(&self) -> &'static str {
        LLXPRT.name
    }

    fn events(&self) -> Vec<(&'static str, EventName)> {
        gemini_cli::list_event_names()
    }

    fn read(&self, source: Json, arrival: &ReadContext) -> Result<Event, InvalidEvent> {
        read::read_event(&LLXPRT, &source, arrival)
    }

    fn write(&self, event: &Event, outcome: &Outcome) -> Written {
        let narrowed = match &outcome.rewrite {
            Some(config) if event.name == EventName::ModelSelectTools => {
                tool_list::narrow_config(config, outcome)
            }
            _ => None,
        };
        match narrowed {
            Some(config) => {
                let outcome = Outcome { rewrite: Some(config), ..outcome.clone() };
                write::write_outcome(&LLXPRT, event, &outcome)
            }
            None => write::write_outcome(&LLXPRT, event, outcome),
        }
    }

    fn write_failure(&self, event: Option<&str>, message: &str) -> Written {
        write::write_failure(event, message)
    }

    fn hook_file(&self) -> Option<&dyn AgentHookFile> {
        Some(self)
    }

    fn support(&self, event: &str, canonical: &EventName) -> EventSupport {
        EventSupport { ask: false, ..gemini_cli::determine_support(event, canonical) }
    }

    fn event_form(&self, event: &str, canonical: &EventName) -> Option<EventForm> {
        gemini_cli::find_form(event, canonical)
    }

    fn agent_timeout(&self, _: &EventName) -> Duration {
        gemini_cli::AGENT_TIMEOUT
    }
}
