//! Converts a script's source to a component.

use std::{borrow::Cow, thread};

use tokio::runtime::Builder;

use super::{
    Language, MAX_SCRIPT_BYTES, ScriptBuildError,
    engine::{self, ScriptError},
    find_problem, script_messages, types,
};

/// Text in front of the script, on its first line: it defines the names that a script may use without an import.
const BEFORE: &str = "import \"hookbox\";";

/// Module with the component's exports, adapted from the script's.
const ENTRY: &str = "import * as hook from \"(script)\";
import { adapt } from \"hookbox\";
export const handle = adapt(hook);
";

/// Stack of the worker thread: parsers recurse into nested source.
const STACK: usize = 64 << 20;

/// Creates the component of this script, which has this name in messages. Its top level is run, within limits and
/// without capabilities.
pub fn build_component(language: Language, name: &str, source: &[u8]) -> Result<Vec<u8>, ScriptBuildError> {
    if source.len() as u64 > MAX_SCRIPT_BYTES {
        return Err(ScriptBuildError::TooLong { name: name.to_owned(), bytes: source.len() });
    }
    if let Some(problem) = find_problem(source) {
        return Err(ScriptBuildError::NotScript { name: name.to_owned(), problem });
    }
    let source = String::from_utf8_lossy(source);
    // A separate thread has this stack, and is outside the caller's runtime.
    let worked = thread::scope(|scope| {
        let work = || build_from_source(language, name, &source);
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        worker.map(|worker| {
            worker.join().unwrap_or_else(|_| Err(ScriptBuildError::ParserPanicked(name.to_owned())))
        })
    });
    worked.unwrap_or_else(|error| Err(ScriptBuildError::NoThread(error)))
}

fn build_from_source(language: Language, name: &str, source: &str) -> Result<Vec<u8>, ScriptBuildError> {
    let script = match language {
        Language::JavaScript => Cow::Borrowed(source),
        Language::TypeScript => {
            Cow::Owned(types::strip_types(name, source).map_err(ScriptBuildError::Invalid)?)
        }
    };
    let first = format!("{BEFORE}{}", without_interpreter(&script));
    let runtime = Builder::new_current_thread().enable_time().build().map_err(ScriptBuildError::NoThread)?;
    runtime.block_on(engine::run(&first, ENTRY)).map_err(|script_error| match script_error {
        ScriptError::Rejected(words) => ScriptBuildError::Invalid(script_messages::format_engine_error(
            name,
            source,
            &words,
            BEFORE.len(),
        )),
        ScriptError::Failed(problem) => ScriptBuildError::Stopped { name: name.to_owned(), problem },
    })
}

/// Replaces `#!`, which is valid only at the very beginning, where hookbox's text is now.
fn without_interpreter(script: &str) -> Cow<'_, str> {
    match script.strip_prefix("#!") {
        Some(rest) => Cow::Owned(format!("//{rest}")),
        None => Cow::Borrowed(script),
    }
}
