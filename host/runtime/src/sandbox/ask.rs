//! Host calls of a program, in addition to WASI, by two functions of core wasm: `ask` with a question in JSON, which
//! returns the length of the reply, and `take`, which copies the reply. A program has none of hookbox's types, so any
//! language can use these.
//!
//! A question is answered by the functions that components call, with their prices, grants and refusals.

#[cfg(feature = "guest-http")]
mod http;
#[cfg(not(feature = "guest-http"))]
#[path = "ask/no_http.rs"]
mod http;
#[cfg(feature = "kv")]
mod kv;
#[cfg(not(feature = "kv"))]
#[path = "ask/no_kv.rs"]
mod kv;
mod question;
mod reply;

use hookbox_model::LogLevel;
use wasmtime::{AsContextMut, Caller, Extern, Linker, Memory, Trap};

use self::{
    question::{GuestQuestion, PlainQuestion},
    reply::Reply,
};
use super::{
    bindings::hookbox::hook::{clock, config, log, random, source},
    host_call_budget::{Price, TooManyBytes},
    random::MAX_BYTES,
    store::State,
};

/// Conditions of the functions, for the user.
pub(super) const CONDITIONS: &str =
    "always there; it keeps nothing without the grant `kv`, and sends nothing without `http`";

/// Price of reading a question, writing a reply and copying it.
const TEXT: Price = Price { call: 100, byte: 2 };

/// Returns true if programs import the two functions from this module.
pub(super) fn is_host(module: &str) -> bool {
    module.strip_prefix("hookbox:hook/host@").is_some_and(|version| version.starts_with("0.2."))
}

/// Adds the functions to a linker, under that module name.
pub(super) fn link_functions(linker: &mut Linker<State>, module: &str) -> wasmtime::Result<()> {
    linker
        .func_wrap_async(module, "ask", |caller, (at, length)| Box::new(answer_guest(caller, at, length)))?;
    linker.func_wrap(module, "take", copy_reply)?;
    Ok(())
}

/// Answers the question of `length` bytes at `at`, and returns the length of the reply.
async fn answer_guest(mut caller: Caller<'_, State>, at: u32, length: u32) -> wasmtime::Result<u32> {
    // The guest states the length, so it is compared before anything is copied.
    if length as usize > caller.as_context_mut().hostcall_fuel() {
        return Err(wasmtime::Error::new(TooManyBytes));
    }
    let asked = read_bytes(&mut caller, at, length)?;
    let state = caller.data_mut();
    let reply = state.reply_to(&asked).await?.into_bytes();
    state.host_calls.go_on(TEXT, reply.len())?;
    let length = u32::try_from(reply.len())?;
    state.reply = reply;
    Ok(length)
}

/// Copies at most `length` bytes of the reply to `at`, and returns their count. The reply stays until the next
/// question.
fn copy_reply(mut caller: Caller<'_, State>, at: u32, length: u32) -> wasmtime::Result<u32> {
    let memory = exported_memory(&mut caller)?;
    let (bytes, state) = memory.data_and_store_mut(&mut caller);
    let reply = state.reply.get(..length as usize).unwrap_or(&state.reply);
    let into = bytes.get_mut(at as usize..).and_then(|bytes| bytes.get_mut(..reply.len()));
    into.ok_or(Trap::MemoryOutOfBounds)?.copy_from_slice(reply);
    let taken = reply.len();
    state.host_calls.go_on(TEXT, taken)?;
    Ok(u32::try_from(taken)?)
}

fn read_bytes(caller: &mut Caller<'_, State>, at: u32, length: u32) -> wasmtime::Result<Vec<u8>> {
    let memory = exported_memory(caller)?;
    let asked = memory.data(&caller).get(at as usize..).and_then(|bytes| bytes.get(..length as usize));
    Ok(asked.ok_or(Trap::MemoryOutOfBounds)?.to_vec())
}

fn exported_memory(caller: &mut Caller<'_, State>) -> wasmtime::Result<Memory> {
    let memory = caller.get_export("memory").and_then(Extern::into_memory);
    memory.ok_or_else(|| wasmtime::Error::msg("a program that asks the host exports its memory as `memory`"))
}

impl State {
    async fn reply_to(&mut self, asked: &[u8]) -> wasmtime::Result<Reply> {
        let question = match GuestQuestion::parse_bytes(asked) {
            Ok(question) => question,
            Err(problem) => {
                // The function that answers a valid question counts the host call; an invalid question
                // reaches none.
                self.host_calls.begin_call(TEXT, asked.len())?;
                return Ok(Reply::invalid_question(&problem));
            }
        };
        self.host_calls.go_on(TEXT, asked.len())?;
        match question {
            GuestQuestion::Plain(question) => self.answer_question(question).await,
            GuestQuestion::Kv(question) => kv::answer_question(self, question).await,
            GuestQuestion::Http(question) => http::answer_request(self, question).await,
        }
    }

    async fn answer_question(&mut self, question: PlainQuestion) -> wasmtime::Result<Reply> {
        Ok(match question {
            PlainQuestion::Config {} => Reply::from_json(&config::Host::get(self)?),
            PlainQuestion::Source {} => Reply::from_json(&source::Host::read(self)?),
            PlainQuestion::Now {} => Reply::from_value(clock::Host::now(self)?),
            PlainQuestion::Random { count } if count as usize > MAX_BYTES => {
                self.host_calls.begin_call(TEXT, 0)?;
                Reply::invalid_question(&format!("at most {MAX_BYTES} random bytes in one call"))
            }
            PlainQuestion::Random { count } => Reply::from_binary(&random::Host::bytes(self, count)?),
            PlainQuestion::Log { level, message } => {
                log::Host::write(self, level.into(), message)?;
                Reply::without_value()
            }
            PlainQuestion::Fail { message } => {
                self.host_calls.begin_call(TEXT, message.len())?;
                self.failed = Some(message);
                Reply::without_value()
            }
            PlainQuestion::Facts {} => match self.find_facts().await? {
                Some(facts) => Reply::from_json(&serde_json::to_string(facts.as_ref())?),
                None => Reply::without_value(),
            },
        })
    }
}

impl From<LogLevel> for log::Level {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Trace => Self::Trace,
            LogLevel::Debug => Self::Debug,
            LogLevel::Info => Self::Info,
            LogLevel::Warn => Self::Warn,
            LogLevel::Error => Self::Error,
        }
    }
}
