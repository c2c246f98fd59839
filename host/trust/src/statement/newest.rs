//! Since when and until when a release is the newest, as its publisher says, and what is told when that is not so yet, or over.

use std::time::SystemTime;

/// A time as statements have it.
pub fn written(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}

/// What is to be told at this time of a release that was made then, if anything: keys and revocations are looked at by the same clock.
pub fn early(issued: &str, now: SystemTime) -> Option<String> {
    let made = humantime::parse_rfc3339(issued).ok()?;
    let told = "the statement says that it was made later than now: look at this machine's clock";
    (made > now).then(|| told.to_owned())
}

/// What is to be told at this time of a release that is the newest until then, if anything.
pub fn overdue(expires: &str, now: SystemTime) -> Option<String> {
    let until = humantime::parse_rfc3339(expires).ok()?;
    let day = expires.split('T').next().unwrap_or(expires);
    (until <= now).then(|| {
        format!(
            "its publisher said that it is the newest until {day}, and nothing newer was seen since: newer releases may be kept from \
             you; ask its publisher by another way"
        )
    })
}
