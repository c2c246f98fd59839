//! Host side for native tests: inputs of the hook, and its log.
//!
//! Everything here belongs to the current thread, so tests do not see each other's.
//!
//! ```
//! use hookbox_sdk::{config, log, testing, Level};
//!
//! testing::set_config(r#"{"limit": 3}"#);
//! let settings: serde_json::Value = config()?;
//! log::info(format!("limit {}", settings["limit"]));
//! assert_eq!(testing::take_log(), [(Level::Info, "limit 3".to_owned())]);
//! # Ok::<(), String>(())
//! ```

pub(crate) mod kv;

use std::cell::{Cell, RefCell};

use crate::{
    Level,
    facts::ShellFacts,
    http as requests,
    http::{Request, Response},
    kv::Error,
};

/// A function that answers requests in a test.
type Answers = dyn FnMut(&Request) -> Result<Response, requests::Error>;

thread_local! {
    static CONFIG: RefCell<String> = RefCell::new("{}".to_owned());
    static SOURCE: RefCell<String> = RefCell::new("{}".to_owned());
    static NOW: Cell<u64> = const { Cell::new(0) };
    static RANDOM: Cell<u64> = const { Cell::new(0) };
    static FACTS: RefCell<Option<ShellFacts>> = const { RefCell::new(None) };
    static HTTP: RefCell<Option<Box<Answers>>> = const { RefCell::new(None) };
    static LOG: RefCell<Vec<(Level, String)>> = const { RefCell::new(Vec::new()) };
}

/// Sets the JSON text that [`config`](crate::config()) reads from now on; `{}` at first.
pub fn set_config(json: impl Into<String>) {
    CONFIG.set(json.into());
}

/// Sets the JSON text that [`source`](crate::source()) reads from now on; `{}` at first.
pub fn set_source(json: impl Into<String>) {
    SOURCE.set(json.into());
}

/// Sets the time that [`now`](crate::now()) returns from now on: milliseconds since the Unix epoch, 0 at first.
pub fn set_now(milliseconds: u64) {
    NOW.set(milliseconds);
}

/// Sets the facts that [`facts::shell`](crate::facts::shell) returns from now on; at first none, as for an event without a command
/// line.
pub fn set_facts(facts: Option<ShellFacts>) {
    FACTS.set(facts);
}

/// Sets the error of every call of [`kv`](crate::kv) from now on; initially none. Until then all scopes are granted, and
/// entries stay as long as the test's thread.
pub fn set_kv_error(error: Option<Error>) {
    kv::set_error(error);
}

/// Sets the function that answers every request of [`http`](crate::http) from now on; at first each request is
/// refused.
pub fn set_http(answer: impl FnMut(&Request) -> Result<Response, requests::Error> + 'static) {
    HTTP.set(Some(Box::new(answer)));
}

/// Returns the lines logged since the last call.
pub fn take_log() -> Vec<(Level, String)> {
    LOG.take()
}

pub(crate) mod config {
    pub(crate) fn get() -> String {
        super::CONFIG.with_borrow(Clone::clone)
    }
}

pub(crate) mod source {
    pub(crate) fn read() -> String {
        super::SOURCE.with_borrow(Clone::clone)
    }
}

pub(crate) mod clock {
    pub(crate) fn now() -> u64 {
        super::NOW.get()
    }
}

pub(crate) mod random {
    use super::RANDOM;

    /// Returns bytes that differ from call to call, but not between runs of a test.
    pub(crate) fn bytes(count: u32) -> Vec<u8> {
        let next = || {
            RANDOM.set(RANDOM.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
            RANDOM.get().to_be_bytes().first().copied().unwrap_or_default()
        };
        std::iter::repeat_with(next).take(count as usize).collect()
    }
}

pub(crate) mod facts {
    use crate::facts::ShellFacts;

    pub(crate) fn shell() -> Option<ShellFacts> {
        super::FACTS.with_borrow(Clone::clone)
    }
}

pub(crate) mod http {
    use crate::http::{Error, Request, Response};

    pub(crate) fn send(request: &Request) -> Result<Response, Error> {
        super::HTTP.with_borrow_mut(|answers| match answers {
            Some(answers) => answers(request),
            None => Err(Error::Refused("no rule of `grant.http` covers it".to_owned())),
        })
    }
}

pub(crate) mod log {
    use crate::Level;

    pub(crate) fn write(level: Level, message: &str) {
        super::LOG.with_borrow_mut(|log| log.push((level, message.to_owned())));
    }
}
