//! Period in which a release is the newest by its publisher's claim, and warnings outside that period.

use std::time::SystemTime;

/// Formats a time as in statements.
pub fn format_time(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}

/// Returns the warning about a release that was made later than `now`, if it was: keys and revocations are checked by that clock.
pub fn find_early_warning(issued: &str, now: SystemTime) -> Option<String> {
    let made = humantime::parse_rfc3339(issued).ok()?;
    let warning = "the statement says that it was made later than now: look at this machine's clock";
    (made > now).then(|| warning.to_owned())
}

/// Returns the warning about a release that was the newest until a time before `now`, if it was.
pub fn find_overdue_warning(expires: &str, now: SystemTime) -> Option<String> {
    let until = humantime::parse_rfc3339(expires).ok()?;
    let day = expires.split('T').next().unwrap_or(expires);
    (until <= now).then(|| {
        format!(
            "its publisher said that it is the newest until {day}, and nothing newer was seen since: newer releases may be kept from \
             you; ask its publisher by another way"
        )
    })
}
