//! The guest `attacks_in_turns`: expected results of its attacks, and limits that make them short.

use hookbox::model::{FailureCode, Limit, Limits};

/// The attacks 1, 2, … as failures. At 0 it has no opinion.
pub(crate) const ATTACKS: [FailureCode; 10] = [
    FailureCode::Trap,
    FailureCode::Fuel,
    FailureCode::Stack,
    FailureCode::Memory,
    FailureCode::HostCalls,
    FailureCode::Output,
    FailureCode::Trap,
    FailureCode::Trap,
    FailureCode::BadOutput,
    FailureCode::Trap,
];

/// Returns low limits, except for the timeout.
pub(crate) fn create_low_limits() -> Limits {
    [
        (Limit::Fuel, 100_000),
        (Limit::Memory, 3 << 20),
        (Limit::HostCalls, 100),
        (Limit::HostCallBytes, 16 << 10),
        (Limit::Timeout, 60_000),
    ]
    .into_iter()
    .fold(Limits::default(), |limits, (limit, value)| limits.with_limit(limit, value).unwrap())
}
