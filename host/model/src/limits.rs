//! Limits of one call. There is no "unlimited": every limit has a default, a minimum and a maximum.

use std::{fmt, time::Duration};

/// A kind of limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(usize)]
pub enum Limit {
    /// Wall clock of the whole call in milliseconds, host calls included.
    Timeout,
    /// Wasm fuel: about one unit per instruction, bulk operations by size.
    Fuel,
    /// Linear memory of all instances together, bytes.
    Memory,
    /// Elements of all tables together.
    TableElements,
    /// Core instances, and as many memories and tables.
    Instances,
    /// Wasm stack, bytes. Holds for a whole host, not for one hook.
    Stack,
    /// Bytes that one host call may move out of the guest.
    HostCallBytes,
    /// Number of host calls.
    HostCalls,
    /// The answer: bytes of all its parts together; for a shell hook or a webhook, of its output.
    Output,
    /// Log text, bytes.
    LogBytes,
    /// Log lines.
    LogLines,
}

/// The table of limits: name in configuration, unit, minimum, default, maximum.
const TABLE: [(Limit, &str, &str, u64, u64, u64); 11] = [
    (Limit::Timeout, "timeout", "ms", 1, 10_000, 600_000),
    (Limit::Fuel, "fuel", "units", 100_000, 1_000_000_000, 1_000_000_000_000),
    (Limit::Memory, "memory", "bytes", 128 << 10, 64 << 20, 1 << 30),
    (Limit::TableElements, "table-elements", "elements", 100, 20_000, 1_000_000),
    // Components that componentize-py makes have forty.
    (Limit::Instances, "instances", "instances", 1, 64, 256),
    (Limit::Stack, "stack", "bytes", 64 << 10, 512 << 10, 1 << 20),
    (Limit::HostCallBytes, "host-call-bytes", "bytes", 1 << 10, 2 << 20, 32 << 20),
    (Limit::HostCalls, "host-calls", "calls", 1, 1_000, 1_000_000),
    (Limit::Output, "output", "bytes", 1 << 10, 1 << 20, 16 << 20),
    (Limit::LogBytes, "log-bytes", "bytes", 256, 16 << 10, 1 << 20),
    (Limit::LogLines, "log-lines", "lines", 1, 100, 10_000),
];

impl Limit {
    /// Returns every limit.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    /// Returns the limit of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Returns the limit's name in configuration, reports and errors.
    pub fn as_str(self) -> &'static str {
        self.row().1
    }

    /// Returns the unit of the limit.
    pub fn unit(self) -> &'static str {
        self.row().2
    }

    /// Returns the minimum.
    pub fn min(self) -> u64 {
        self.row().3
    }

    /// Returns the default.
    pub fn default_value(self) -> u64 {
        self.row().4
    }

    /// Returns the maximum.
    pub fn max(self) -> u64 {
        self.row().5
    }

    #[expect(clippy::indexing_slicing, reason = "the table has a row per variant; a test says so")]
    fn row(self) -> &'static (Self, &'static str, &'static str, u64, u64, u64) {
        &TABLE[self as usize]
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The limits of one call. Always within the ranges.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Limits([u64; TABLE.len()]);

impl Default for Limits {
    fn default() -> Self {
        Self(TABLE.map(|row| row.4))
    }
}

impl Limits {
    /// Returns the value of one limit, in its unit.
    #[expect(clippy::indexing_slicing, reason = "one place per variant")]
    pub fn get(&self, limit: Limit) -> u64 {
        self.0[limit as usize]
    }

    /// Returns the value of one limit that counts memory or items of this machine.
    pub fn get_size(&self, limit: Limit) -> usize {
        usize::try_from(self.get(limit)).unwrap_or(usize::MAX)
    }

    /// Returns the wall-clock limit of the whole call.
    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.get(Limit::Timeout))
    }

    /// Returns the limits with one changed; an error if `value` is out of its range (zero always is).
    #[expect(clippy::indexing_slicing, reason = "one place per variant")]
    pub fn with_limit(mut self, limit: Limit, value: u64) -> Result<Self, LimitError> {
        if value < limit.min() || value > limit.max() {
            return Err(LimitError { limit, value });
        }
        self.0[limit as usize] = value;
        Ok(self)
    }
}

/// A value out of its limit's range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitError {
    /// The limit.
    pub limit: Limit,
    /// The requested value.
    pub value: u64,
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, value } = *self;
        let (min, max, unit) = (limit.min(), limit.max(), limit.unit());
        write!(f, "{limit} is {value} {unit}, but must be from {min} to {max}")
    }
}

impl std::error::Error for LimitError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_has_its_row_and_a_default_within_its_range() {
        for (at, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0 as usize, at);
            assert!(0 < row.3 && row.3 <= row.4 && row.4 <= row.5, "{}", row.1);
            assert_eq!(Limit::from_name(row.1), Some(row.0));
        }
    }

    #[test]
    fn zero_and_more_than_the_maximum_are_errors_that_name_the_range() {
        for limit in Limit::all() {
            assert!(Limits::default().with_limit(limit, 0).is_err());
            assert!(Limits::default().with_limit(limit, limit.max() + 1).is_err());
            assert_eq!(Limits::default().with_limit(limit, limit.max()).unwrap().get(limit), limit.max());
        }
        let error = Limits::default().with_limit(Limit::LogLines, 0).unwrap_err();
        assert_eq!(error.to_string(), "log-lines is 0 lines, but must be from 1 to 10000");
    }
}
