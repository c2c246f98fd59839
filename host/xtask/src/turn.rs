//! What the gate does in turns of a day. The whole of it would take longer than anybody waits for.

use std::time::{Duration, SystemTime};

const DAY: Duration = Duration::from_hours(24);

/// Days between two turns of the same. Two of them are free, so that the gate stays below 45 minutes on two cores on most days.
const DAYS: usize = 4;

/// Days since 1970.
pub(crate) fn today() -> usize {
    let days = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs() / DAY.as_secs();
    usize::try_from(days).unwrap_or_default()
}

/// What has a turn beside what is done every day. Each takes a quarter of an hour on two slow cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The fuzz targets. The code that they are made of runs over their seeds every day, in the ordinary tests.
    Fuzz,
    /// This part of the combinations of features, counted on from turn to turn.
    Features(usize),
    /// Nothing.
    Free,
}

impl Turn {
    /// That of a day.
    pub(crate) fn of(day: usize) -> Self {
        match day % DAYS {
            0 => Self::Fuzz,
            2 => Self::Features(day / DAYS),
            _ => Self::Free,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_turn_and_the_parts_follow_each_other() {
        let turns: Vec<_> = (20_784..20_792).map(Turn::of).collect();
        let (part, free) = (5196, Turn::Free);
        let four = |part| [Turn::Fuzz, free, Turn::Features(part), free];
        assert_eq!(turns, [four(part), four(part + 1)].concat());
    }
}
