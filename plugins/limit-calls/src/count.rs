//! Counts that outlive a call: of each session its own.

use hookbox_sdk::kv::{self, Scope};

/// Prefix of the keys of counts.
const COUNT: &str = "count/";
/// Key of the time at which the counts began, in milliseconds since the Unix epoch.
const BEGAN: &str = "began";

/// One more of these; how many there are now.
pub(crate) fn one_more(of: &str) -> Result<i64, String> {
    Ok(kv::increment(Scope::Session, &format!("{COUNT}{of}"), 1)?)
}

/// All counts begin anew, at this time.
pub(crate) fn restart(now: u64) -> Result<(), String> {
    for key in kv::keys(Scope::Session, COUNT)? {
        kv::delete(Scope::Session, &key)?;
    }
    Ok(kv::set(Scope::Session, BEGAN, now.to_string())?)
}

/// Returns the seconds since the counts began; `None` if they never did.
pub(crate) fn seconds_since_restart(now: u64) -> Result<Option<u64>, String> {
    let began = kv::get(Scope::Session, BEGAN)?.and_then(|bytes| String::from_utf8(bytes).ok());
    let began = began.and_then(|text| text.parse().ok());
    Ok(began.map(|began: u64| now.saturating_sub(began) / 1000))
}
