//! Log lines for debugging the hook. They are part of the call's report, never of the outcome.
//!
//! Lines and bytes have a quota; further lines are dropped, and the report states that.

use crate::{Level, imports};

/// Every step.
pub fn trace(message: impl AsRef<str>) {
    imports::log::write(Level::Trace, message.as_ref());
}

/// For the hook's author.
pub fn debug(message: impl AsRef<str>) {
    imports::log::write(Level::Debug, message.as_ref());
}

/// For the hook's user.
pub fn info(message: impl AsRef<str>) {
    imports::log::write(Level::Info, message.as_ref());
}

/// Something is odd, the hook goes on.
pub fn warn(message: impl AsRef<str>) {
    imports::log::write(Level::Warn, message.as_ref());
}

/// The hook cannot do its work.
pub fn error(message: impl AsRef<str>) {
    imports::log::write(Level::Error, message.as_ref());
}

/// `text` on one line and at most `most` characters of it, cut visibly. For what comes from outside: a line break in it
/// could forge a line, and a long one uses up the quota.
///
/// ```
/// use hookbox_sdk::log::excerpt;
///
/// assert_eq!(excerpt("two\nlines", 20), "two lines");
/// assert_eq!(excerpt("four words are many", 4), "four...");
/// ```
pub fn excerpt(text: &str, most: usize) -> String {
    let mut rest = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut kept: String = rest.by_ref().take(most).collect();
    if rest.next().is_some() {
        kept.push_str("...");
    }
    kept
}
