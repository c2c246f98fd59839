//! A hook that is a program for WASI (preview 1): the event, the answer, and what it asks the host for.
//!
//! One file, for a project with `serde_json`: `#[path = "…/hookbox_command.rs"] mod hookbox;`.

use std::{
    fmt,
    io::{Read, Write, stdin, stdout},
    process::exit,
};

use serde_json::{Value, json};

/// Error of a host call: a word for the program, a text for the user.
#[derive(Debug)]
pub struct Error {
    /// "not-granted", "quota", "refused".
    pub word: String,
    /// Message of the error.
    pub text: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.word, self.text)
    }
}

impl std::error::Error for Error {}

/// Reads the event, hands it to the hook and writes its answer. An error is a failed hook with that text.
pub fn run(handle: impl FnOnce(Value) -> Result<Value, String>) {
    if let Err(why) = answer(handle) {
        // An exit code alone would be told with the first line of standard error, which may be a line of the log.
        if ask(&json!({"ask": "fail", "message": why})).is_err() {
            eprintln!("{why}");
        }
        exit(1);
    }
}

fn answer(handle: impl FnOnce(Value) -> Result<Value, String>) -> Result<(), String> {
    let mut event = Vec::new();
    stdin().read_to_end(&mut event).map_err(|error| error.to_string())?;
    let event = serde_json::from_slice(&event).map_err(|error| format!("the event cannot be read: {error}"))?;
    let answer = handle(event)?.to_string();
    stdout().write_all(answer.as_bytes()).map_err(|error| error.to_string())
}

/// Asks the host; `docs/guide/programs.md` has the questions.
pub fn ask(question: &Value) -> Result<Value, Error> {
    let question = question.to_string();
    let mut reply = exchange(question.as_bytes())
        .and_then(|reply| serde_json::from_slice::<Value>(&reply).ok())
        .unwrap_or_else(|| json!({"error": "invalid", "text": "the host's reply cannot be read"}));
    let text = |member: &str| reply[member].as_str().unwrap_or_default().to_owned();
    match reply.get("error") {
        Some(_) => Err(Error { word: text("error"), text: text("text") }),
        None => Ok(reply["value"].take()),
    }
}

/// The hook's settings.
pub fn config() -> Result<Value, Error> {
    ask(&json!({"ask": "config"}))
}

/// Adds a line to the hook's log, at a level: "trace", "debug", "info", "warn", "error".
pub fn log(level: &str, message: &str) {
    // A line that is too much is not worth a failed hook.
    let _ = ask(&json!({"ask": "log", "level": level, "message": message}));
}

#[cfg(target_arch = "wasm32")]
fn exchange(question: &[u8]) -> Option<Vec<u8>> {
    #[link(wasm_import_module = "hookbox:hook/host@0.2.0")]
    unsafe extern "C" {
        #[link_name = "ask"]
        fn ask_host(question: *const u8, length: u32) -> u32;
        #[link_name = "take"]
        fn take_reply(buffer: *mut u8, size: u32) -> u32;
    }
    let length = u32::try_from(question.len()).ok()?;
    // SAFETY: the host reads these bytes, and nothing else, before it returns.
    let size = unsafe { ask_host(question.as_ptr(), length) };
    let mut reply = vec![0; size as usize];
    // SAFETY: the host writes `size` bytes at most.
    let taken = unsafe { take_reply(reply.as_mut_ptr(), size) };
    reply.truncate(taken as usize);
    Some(reply)
}

/// There is a host in hookbox alone.
#[cfg(not(target_arch = "wasm32"))]
fn exchange(_: &[u8]) -> Option<Vec<u8>> {
    None
}
