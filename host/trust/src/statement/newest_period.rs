//! Period in which a release is the newest by its publisher's claim, and warnings outside that period.

use std::time::SystemTime;

/// Formats a time as in statements.
pub fn format_time(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}

/// Returns the warning about a release that was made later than `now`, if it was: keys and revocations are checked by that clock.
pub fn find_early_warning(issued: &str, now: SystemTime) -> Option<String> {
    let made = humantime::parse_rfc3339(issued).ok()?;
    let warning = "the date of the statement is in the future: check this machine's clock";
    (made > now).then(|| warning.to_owned())
}

/// Returns the warning about a release that was the newest until a time before `now`, if it was.
pub fn find_overdue_warning(expires: &str, now: SystemTime) -> Option<String> {
    let until = humantime::parse_rfc3339(expires).ok()?;
    let day = expires.split('T').next().unwrap_or(expires);
    (until <= now).then(|| {
        format!(
            "the statement of this release expired on {day}, and no newer release was found: updates may be withheld from you; \
             ask its publisher through another channel"
        )
    })
}
