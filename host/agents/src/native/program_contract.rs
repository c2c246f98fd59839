//! hookbox's contract with programs in the sandbox: the contract with shell hooks, which also accepts Claude Code's output.
//!
//! | end | means |
//! |---|---|
//! | code 0 | the answer on standard output: empty output means no opinion, else an answer, or Claude Code's output object |
//! | code 2 | deny; the reason is the text on standard error, or on standard output |
//! | another code | a failure, unless the output is an answer that denies: toolchains lose the 2 on the way |

use hookbox_core::interfaces::{Call, Contract, ProcessEnd};
use hookbox_model::{Answer, Exit, Failure, FailureCode, Json, Verdict};

use super::{NativeContract, answer_text::read_answer};
use crate::claude_code;

/// Contract with programs in the sandbox, described at the head of this file.
#[derive(Debug)]
pub struct ProgramContract;

impl Contract for ProgramContract {
    fn id(&self) -> String {
        "native program".to_owned()
    }

    fn event(&self, call: &Call<'_>) -> String {
        NativeContract.event(call)
    }

    fn variables(&self, call: &Call<'_>) -> Result<Vec<(String, String)>, Failure> {
        NativeContract.variables(call)
    }

    fn end(&self, call: &Call<'_>, end: &ProcessEnd<'_>) -> Result<Answer, Failure> {
        match end.exit {
            Exit::Code(0) => interpret_output(call, end.stdout),
            Exit::Code(2) => NativeContract.end(call, end),
            _ => match interpret_output(call, end.stdout) {
                // The runtime of a language may end with 1 after the program has exited with 2: its deny must
                // not become a failure.
                Ok(answer) if matches!(answer.verdict, Verdict::Deny(_)) => Ok(answer),
                _ => Err(end.failure()),
            },
        }
    }
}

fn interpret_output(call: &Call<'_>, stdout: &[u8]) -> Result<Answer, Failure> {
    let text = str::from_utf8(stdout).ok();
    let Some(object) = text.and_then(|text| Json::parse_object(text).ok()) else {
        return read_answer(stdout, "the hook", str::to_owned);
    };
    let members = object.members().unwrap_or_default();
    let has = |keys: &[&str]| keys.iter().any(|key| members.get(key).is_some());
    match (has(&claude_code::OUTPUT_ONLY), has(&ANSWER_ONLY)) {
        // The two formats could state different verdicts.
        (true, true) => Err(make_ambiguity_failure("hookbox's own members and Claude Code's")),
        (true, false) => {
            read_claude_output(call, stdout, members.get_string("decision").as_deref() == Some("block"))
        }
        (false, _) => read_answer(stdout, "the hook", str::to_owned),
    }
}

/// Reads Claude Code's output. A block is never lost, not even to a contradicting permission.
fn read_claude_output(call: &Call<'_>, stdout: &[u8], blocks: bool) -> Result<Answer, Failure> {
    let answer = claude_code::read_output(&call.event.name, stdout)?;
    match answer.verdict {
        Verdict::Deny(_) => Ok(answer),
        _ if blocks => Err(make_ambiguity_failure("`decision: block` and another permission")),
        _ => Ok(answer),
    }
}

fn make_ambiguity_failure(both: &str) -> Failure {
    let message = format!("the hook answered with {both} , which is ambiguous: use one");
    Failure::new(FailureCode::BadOutput, &message)
}

/// Members that only hookbox's own answer has.
const ANSWER_ONLY: [&str; 8] =
    ["verdict", "code", "rewrite", "confine", "context", "notice", "stop", "extra"];
