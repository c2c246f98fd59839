//! hookbox's contract with programs in the sandbox: that with shell hooks, and Claude Code's output is understood as well.
//!
//! | end | means |
//! |---|---|
//! | code 0 | the answer on standard output: nothing is no opinion, else an answer, or Claude Code's output object |
//! | code 2 | deny; the reason is the text on standard error, or on standard output |
//! | another code | a failure, unless the output is an answer that denies: toolchains lose the 2 on the way |

use hookbox_model::{Answer, Failure, Json, Verdict};

use super::{NativeContract, answer_text::read_answer};
use crate::{
    dialect::claude_code,
    handler::{
        Call,
        contract::{Contract, Exit, ProcessEnd},
    },
};

/// See the head of this file.
#[derive(Debug)]
pub struct ProgramContract;

impl Contract for ProgramContract {
    fn event(&self, call: &Call<'_>) -> String {
        NativeContract.event(call)
    }

    fn variables(&self, call: &Call<'_>) -> Result<Vec<(String, String)>, Failure> {
        NativeContract.variables(call)
    }

    fn end(&self, call: &Call<'_>, end: &ProcessEnd<'_>) -> Result<Answer, Failure> {
        match end.exit {
            Exit::Code(0) => spoken(call, end.stdout),
            Exit::Code(2) => NativeContract.end(call, end),
            _ => match spoken(call, end.stdout) {
                Ok(answer) if matches!(answer.verdict, Verdict::Deny(_)) => Ok(answer),
                _ => Err(end.failure()),
            },
        }
    }
}

fn spoken(call: &Call<'_>, stdout: &[u8]) -> Result<Answer, Failure> {
    if is_claudes(stdout) {
        return claude_code::read_output(&call.event.name, stdout);
    }
    read_answer(stdout, "the hook", str::to_owned)
}

/// Is it an object with a member that only Claude Code's output has?
fn is_claudes(stdout: &[u8]) -> bool {
    let object = str::from_utf8(stdout).ok().and_then(|text| Json::parse_object(text).ok());
    let Some(object) = object else { return false };
    let members = object.members().unwrap_or_default();
    claude_code::OUTPUT_ONLY.iter().any(|key| members.get(key).is_some())
}
