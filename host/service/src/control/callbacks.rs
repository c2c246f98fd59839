//! Callbacks registered by a program.

use std::{
    fmt,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use hookbox::{
    agents::{Dialect, claude_code::ClaudeCode},
    config::did_you_mean,
};
use hookbox_embed::agent_sdk::{OnFailure, Registration};

use super::callback::SdkCallback;

/// Default time limit of a callback.
// The default of the design of this protocol for other languages (docs/reference/agents/claude-sdk.md).
const USUAL_TIMEOUT: Duration = Duration::from_secs(30);

/// Settings of callbacks that are registered together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Filter on events, in Claude Code's language of matchers; `None` for all.
    pub matcher: Option<String>,
    /// Time limit of each. Claude Code receives it.
    pub timeout: Option<Duration>,
    /// Effect of a failure. Claude Code receives it, and some versions ignore it.
    pub on_failure: Option<OnFailure>,
}

/// Reason why callbacks were not registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unregistered {
    /// Claude Code has no event of this name.
    NoSuchEvent(String),
    /// Their time limit is zero.
    NoTime,
}

impl fmt::Display for Unregistered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEvent(name) => {
                let known: Vec<_> = ClaudeCode.events().into_iter().map(|(name, _)| name).collect();
                write!(f, "Claude Code has no event {name:?}; {}", did_you_mean(name, &known))
            }
            Self::NoTime => f.write_str("a timeout of 0 would have each call fail; leave it out or raise it"),
        }
    }
}

impl std::error::Error for Unregistered {}

/// The callbacks of a program, each with an id. Clones share one list, and any thread may register more.
#[derive(Clone, Debug)]
pub struct Callbacks {
    known: Arc<RwLock<RegisteredCallbacks>>,
    timeout: Duration,
}

#[derive(Debug)]
struct RegisteredCallbacks {
    next: u64,
    registrations: Vec<Registration>,
    callbacks: Vec<(String, Registered)>,
}

#[derive(Clone, Debug)]
pub(super) struct Registered {
    pub(super) event: String,
    pub(super) timeout: Duration,
    pub(super) callback: SdkCallback,
}

impl Default for Callbacks {
    /// Creates an empty list, with ids from `hook_0`.
    fn default() -> Self {
        Self::numbered_from(0)
    }
}

impl Callbacks {
    /// Creates an empty list. Ids count from `first`.
    pub fn numbered_from(first: u64) -> Self {
        let known = RegisteredCallbacks { next: first, registrations: Vec::new(), callbacks: Vec::new() };
        Self { known: Arc::new(RwLock::new(known)), timeout: USUAL_TIMEOUT }
    }

    /// Sets the default time limit of a callback, instead of 30 s.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Registers callbacks for an event of Claude Code. Their ids are consecutive, even if other threads register some meanwhile. A
    /// session whose `initialize` is already sent does not include them.
    pub fn add(
        &self,
        event: &str,
        group: Group,
        callbacks: impl IntoIterator<Item = SdkCallback>,
    ) -> Result<Vec<String>, Unregistered> {
        if !ClaudeCode.events().iter().any(|(name, _)| *name == event) {
            return Err(Unregistered::NoSuchEvent(event.to_owned()));
        }
        if group.timeout.is_some_and(|timeout| timeout.is_zero()) {
            return Err(Unregistered::NoTime);
        }
        let callbacks: Vec<_> = callbacks.into_iter().collect();
        let timeout = group.timeout.unwrap_or(self.timeout);
        // One lock for all of the group, so that its ids are consecutive.
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let mut ids = Vec::new();
        for callback in callbacks {
            let id = format!("hook_{}", known.next);
            known.next += 1;
            known.callbacks.push((id.clone(), Registered { event: event.to_owned(), timeout, callback }));
            ids.push(id);
        }
        let Group { matcher, timeout, on_failure } = group;
        let registration =
            Registration { event: event.to_owned(), matcher, ids: ids.clone(), timeout, on_failure };
        known.registrations.push(registration);
        Ok(ids)
    }

    pub(super) fn registrations(&self) -> Vec<Registration> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).registrations.clone()
    }

    pub(super) fn find_callback(&self, id: &str) -> Option<Registered> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.callbacks.iter().find(|(known, _)| known == id).map(|(_, registered)| registered.clone())
    }
}

#[cfg(test)]
mod tests {
    use hookbox::model::Json;

    use super::*;

    #[test]
    fn a_callback_without_a_timeout_of_its_own_has_thirty_seconds() {
        let callback = || SdkCallback::blocking(|_| Ok(Json::empty_object()));
        let callbacks = Callbacks::default();
        let own = Group { timeout: Some(Duration::from_secs(5)), ..Group::default() };
        callbacks.add("PreToolUse", Group::default(), [callback()]).unwrap();
        callbacks.add("PreToolUse", own, [callback()]).unwrap();
        let timeout = |callbacks: &Callbacks, id| callbacks.find_callback(id).unwrap().timeout;
        assert_eq!(timeout(&callbacks, "hook_0"), Duration::from_secs(30));
        assert_eq!(timeout(&callbacks, "hook_1"), Duration::from_secs(5));
        let patient = Callbacks::default().with_timeout(Duration::from_mins(1));
        patient.add("Stop", Group::default(), [callback()]).unwrap();
        assert_eq!(timeout(&patient, "hook_0"), Duration::from_mins(1));
    }
}
