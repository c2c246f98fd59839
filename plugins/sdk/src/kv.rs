//! A small store that outlives a call, for a hook with the grant `kv`. Without it every call is [`Error::NotGranted`].
//!
//! Every plugin has entries of its own for each session, each project and the user. A key has 1 to 256 bytes, a value up to
//! 64 KiB, and each scope has a quota (1 MiB, unless the grant says otherwise). Every function is one step for all processes.
//!
//! ```
//! use hookbox_sdk::kv::{self, Scope};
//!
//! if kv::increment(Scope::Session, "pushes", 1)? > 3 {
//!     // Enough for one session.
//! }
//! if kv::first(Scope::Project, "greeted")? {
//!     // Nobody has been greeted here yet.
//! }
//! kv::set(Scope::User, "last", "main")?;
//! assert_eq!(kv::get(Scope::User, "last")?, Some(b"main".to_vec()));
//! assert_eq!(kv::keys(Scope::User, "la")?, ["last"]);
//! # Ok::<(), String>(())
//! ```

pub use crate::bindings::hookbox::hook::kv::{Error, Scope};
use crate::imports::kv as store;

/// Returns the value of this key, if it has one.
///
/// # Errors
///
/// See [`Error`].
pub fn get(scope: Scope, key: &str) -> Result<Option<Vec<u8>>, Error> {
    store::get(scope, key)
}

/// Sets the value of this key, and replaces any previous one.
///
/// # Errors
///
/// See [`Error`]; the value is unchanged then.
pub fn set(scope: Scope, key: &str, value: impl AsRef<[u8]>) -> Result<(), Error> {
    store::set(scope, key, value.as_ref())
}

/// Removes the key, if it exists.
///
/// # Errors
///
/// See [`Error`].
pub fn delete(scope: Scope, key: &str) -> Result<(), Error> {
    store::delete(scope, key)
}

/// Returns the keys with this prefix, in the order of their bytes, at most the first 1000.
///
/// # Errors
///
/// See [`Error`].
pub fn keys(scope: Scope, prefix: &str) -> Result<Vec<String>, Error> {
    store::keys(scope, prefix)
}

/// Adds to a number and returns the new value. A key without a value counts as 0. For a limit per hour, put the hour
/// in the key.
///
/// # Errors
///
/// [`Error::NotANumber`] if the value is not a number, or the result would not fit in 64 bits; otherwise as described
/// at [`Error`].
pub fn increment(scope: Scope, key: &str, by: i64) -> Result<i64, Error> {
    store::increment(scope, key, by)
}

/// Sets the value of this key if its value is `old` (`None`: if it has no value). Returns true if it did.
///
/// # Errors
///
/// See [`Error`].
pub fn swap(scope: Scope, key: &str, old: Option<&[u8]>, new: impl AsRef<[u8]>) -> Result<bool, Error> {
    store::swap(scope, key, old, new.as_ref())
}

/// Returns true for the first call with this key. Of several concurrent calls, exactly one is the first.
///
/// # Errors
///
/// See [`Error`].
pub fn first(scope: Scope, key: &str) -> Result<bool, Error> {
    swap(scope, key, None, "1")
}

/// Converts the error for `?` in a hook, whose failures are texts.
impl From<Error> for String {
    fn from(error: Error) -> Self {
        let message = match error {
            Error::NotGranted => "the store is not granted for this scope",
            Error::NoPlace => "the event does not tell its session or project",
            Error::BadSize => "a key has 1 to 256 bytes, and a value at most 64 KiB",
            Error::Quota => "the store's quota is used up",
            Error::NotANumber => "the stored value is not a 64-bit integer",
            Error::Busy => "the store is busy",
        };
        message.to_owned()
    }
}
