//! Hooks that run only once per session and have run, kept between processes: each event is a process, but a session spans
//! many.

use std::{
    collections::{BTreeMap, HashSet},
    error::Error,
    fmt, io,
    path::Path,
};

use hookbox::{Clock, OnceCall};

use crate::{
    counts::{self, MAX_BYTES},
    state_file,
};

/// Time after which a session is forgotten if no such hook has run in it, milliseconds.
const MAX_SESSION_AGE_MS: u64 = 30 * 24 * 60 * 60 * 1000;

/// Longest id of a session, bytes; hooks of a session with a longer id are not recorded.
const MAX_SESSION_BYTES: usize = 256;

/// The run of a hook could not be recorded, so it runs once more.
#[derive(Debug)]
pub struct OnceNotRecorded(io::Error);

impl fmt::Display for OnceNotRecorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "that a hook has run once cannot be kept: {}", self.0)
    }
}

impl Error for OnceNotRecorded {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// Hooks that have run, by session, each with its time in milliseconds since the Unix epoch.
type Sessions = BTreeMap<String, BTreeMap<String, u64>>;

/// Returns true if hooks of this session can be recorded.
fn is_kept(session: &str) -> bool {
    !session.is_empty() && session.len() <= MAX_SESSION_BYTES
}

/// Returns the hooks that have already run in this session.
pub(crate) fn load_taken_hooks(path: &Path, session: &str) -> HashSet<OnceCall> {
    let hooks = Some(load_sessions(path))
        .filter(|_| is_kept(session))
        .and_then(|mut sessions| sessions.remove(session));
    let taken = |hook| OnceCall { session: session.to_owned(), hook };
    hooks.unwrap_or_default().into_keys().map(taken).collect()
}

/// Records the hooks that ran in this session since `before`. Processes that write at the same time wait for each other, so
/// none loses another's record.
pub(crate) fn save_taken(
    path: &Path,
    session: &str,
    before: &HashSet<OnceCall>,
    after: &HashSet<OnceCall>,
) -> Result<(), OnceNotRecorded> {
    // A long-running machine has the runs of other sessions, too.
    let new = after.difference(before).filter(|call| call.session == session);
    let new: Vec<_> = new.map(|call| call.hook.clone()).collect();
    if new.is_empty() || !is_kept(session) {
        return Ok(());
    }
    add_hooks(path, session, new).map_err(OnceNotRecorded)
}

fn add_hooks(path: &Path, session: &str, new: Vec<String>) -> io::Result<()> {
    let _lock = state_file::lock_file(path)?;
    let (mut sessions, now) = (load_sessions(path), Clock::machine().now_ms());
    sessions.retain(|_, hooks| hooks.values().any(|last| last.saturating_add(MAX_SESSION_AGE_MS) > now));
    sessions.entry(session.to_owned()).or_default().extend(new.into_iter().map(|hook| (hook, now)));
    state_file::replace_file(path, into_bounded_text(sessions).as_bytes())
}

/// Loads the sessions. A damaged file counts as empty: hooks run once more.
fn load_sessions(path: &Path) -> Sessions {
    serde_json::from_slice(&counts::read_prefix(path).unwrap_or_default()).unwrap_or_default()
}

/// Returns the text, without the oldest sessions if it would be longer than the maximum that is read.
fn into_bounded_text(mut sessions: Sessions) -> String {
    loop {
        let text = serde_json::to_string(&sessions).unwrap_or_default();
        if (text.len() as u64) < MAX_BYTES || sessions.is_empty() {
            return text;
        }
        let last = |hooks: &BTreeMap<String, u64>| hooks.values().copied().max().unwrap_or_default();
        let mut times: Vec<_> = sessions.values().map(last).collect();
        times.sort_unstable();
        // Half of them in each step, since the text is formatted again after it.
        let middle = times.get(times.len() / 2).copied().unwrap_or(u64::MAX);
        sessions.retain(|_, hooks| last(hooks) > middle);
    }
}
