//! hookbox's own contract with shell hooks and webhooks.
//!
//! | end of a process | means |
//! |---|---|
//! | code 0 | the answer on standard output: empty output means no opinion, else an answer as JSON object |
//! | code 2 | deny; the reason is the text on standard error, or on standard output. JSON is not looked at |
//! | any other code, a signal | a failure |

use hookbox_core::interfaces::{Call, Contract, ProcessEnd};
use hookbox_model::{Answer, Exit, Failure, Reason, Verdict};

use super::{answer_text::read_answer, event_json};

/// Longest value of a variable about the event, bytes. A longer one is left out: half a path is another path.
const MAX_VALUE_BYTES: usize = 4096;

/// The exit code that denies, and its reason code.
const DENY: (i32, &str) = (2, "exit-2");

/// hookbox's own contract, described at the head of this file.
#[derive(Debug)]
pub struct NativeContract;

impl Contract for NativeContract {
    fn id(&self) -> String {
        "native".to_owned()
    }

    fn event(&self, call: &Call<'_>) -> String {
        event_json(call)
    }

    fn variables(&self, call: &Call<'_>) -> Result<Vec<(String, String)>, Failure> {
        let event = call.event;
        let tool = event.tool.as_ref().map_or("", |tool| tool.name.as_str());
        let variables = [
            ("HOOKBOX_EVENT", event.name.as_str()),
            ("HOOKBOX_AGENT", &event.agent),
            ("HOOKBOX_HOOK", call.hook),
            ("HOOKBOX_SESSION", event.session.as_str()),
            ("HOOKBOX_CWD", event.cwd.as_str()),
            ("HOOKBOX_TOOL", tool),
        ];
        let fits = |value: &str| !value.is_empty() && value.len() <= MAX_VALUE_BYTES && !value.contains('\0');
        let fitting = variables.into_iter().filter(|(_, value)| fits(value));
        Ok(fitting.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    fn end(&self, _: &Call<'_>, end: &ProcessEnd<'_>) -> Result<Answer, Failure> {
        match end.exit {
            Exit::Code(0) => read_answer(end.stdout, "the hook", str::to_owned),
            Exit::Code(code) if code == DENY.0 => Ok(make_denial(end)),
            _ => Err(end.failure()),
        }
    }

    fn response(&self, _: &Call<'_>, body: &[u8], who: &str) -> Result<Answer, Failure> {
        read_answer(body, who, str::to_owned)
    }
}

fn make_denial(end: &ProcessEnd<'_>) -> Answer {
    let stdout = String::from_utf8_lossy(end.stdout);
    let output = [end.stderr, &stdout].into_iter().map(str::trim).find(|text| !text.is_empty());
    let text = output.unwrap_or("the hook exited with code 2 without a reason");
    Answer { verdict: Verdict::Deny(Reason::new(DENY.1, text)), ..Answer::default() }
}
