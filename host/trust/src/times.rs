//! Times of `allowed_signers`: `20260131`, `202601311200`, `20260131120000`, with `Z` for UTC and without it for the machine's time zone.

use std::time::{Duration, SystemTime};

/// Longest offset of a time zone ahead of UTC, and behind it.
const AHEAD: Duration = Duration::from_hours(14);
const BEHIND: Duration = Duration::from_hours(12);

/// A time whose time zone may be unknown: between these two times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) earliest: SystemTime,
    pub(crate) latest: SystemTime,
}

/// Parses a time; `None` if it is not valid.
pub(crate) fn parse(text: &str) -> Option<Moment> {
    let (digits, is_of_the_world) = match text.strip_suffix('Z') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) || !matches!(digits.len(), 8 | 12 | 14) {
        return None;
    }
    let all = format!("{digits:0<14}");
    let part = |from: usize, to: usize| all.get(from..to);
    let [year, month, day] = [part(0, 4)?, part(4, 6)?, part(6, 8)?];
    let [hour, minute, second] = [part(8, 10)?, part(10, 12)?, part(12, 14)?];
    let written = format!("{year}-{month}-{day}T{hour}:{minute}:{second}Z");
    let time = humantime::parse_rfc3339(&written).ok()?;
    if is_of_the_world {
        return Some(Moment { earliest: time, latest: time });
    }
    // The machine's time zone is not known here, so the time is any between the first zone of the Earth and
    // the last.
    Some(Moment { earliest: time.checked_sub(AHEAD)?, latest: time.checked_add(BEHIND)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_without_a_place_may_be_that_of_any_place() {
        let shown = |text: &str| {
            parse(text).map(|moment| {
                [moment.earliest, moment.latest]
                    .map(|time| humantime::format_rfc3339_seconds(time).to_string())
            })
        };
        let utc = |text: &str| Some([text.to_owned(), text.to_owned()]);
        assert_eq!(shown("20260131Z"), utc("2026-01-31T00:00:00Z"));
        assert_eq!(shown("202601311201Z"), utc("2026-01-31T12:01:00Z"));
        assert_eq!(shown("20260131120102Z"), utc("2026-01-31T12:01:02Z"));
        let between = ["2026-01-30T10:00:00Z", "2026-01-31T12:00:00Z"].map(str::to_owned);
        assert_eq!(shown("20260131"), Some(between));
    }

    #[test]
    fn an_invalid_time_is_not_parsed() {
        for text in
            ["", "Z", "2026", "20261301", "20260231", "2026013112Z", "20260131z", "+2026013", "2026013é"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
