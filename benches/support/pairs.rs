//! Two things measured against each other in one run: in turns, the order changing, the ratio taken per round.

use std::{
    ops::RangeInclusive,
    time::{Duration, Instant},
};

/// Result of a comparison.
pub(crate) struct Pair {
    pub(crate) first: Duration,
    pub(crate) second: Duration,
    /// Median over the rounds of first ÷ second.
    pub(crate) ratio: f64,
}

/// Rounds that warm up and do not count.
const WARM_UP: usize = 5;

/// Runs both in blocks of `block`, `rounds` times. A side receives the size of a block and returns the duration.
pub(crate) fn compare_sides(
    rounds: usize,
    block: u32,
    mut first: impl FnMut(u32) -> Duration,
    mut second: impl FnMut(u32) -> Duration,
) -> Pair {
    let mut times = Vec::with_capacity(rounds);
    let warm_up = WARM_UP.min(rounds);
    for round in 0..rounds + warm_up {
        let (a, b) = if round % 2 == 0 {
            let a = first(block) / block;
            (a, second(block) / block)
        } else {
            let b = second(block) / block;
            (first(block) / block, b)
        };
        if round >= warm_up {
            times.push((a, b));
        }
    }
    Pair {
        first: compute_median(times.iter().map(|(a, _)| *a)),
        second: compute_median(times.iter().map(|(_, b)| *b)),
        ratio: find_median(times.iter().map(|(a, b)| a.as_secs_f64() / b.as_secs_f64())),
    }
}

/// Makes a side without preparations.
pub(crate) fn time_each(mut work: impl FnMut()) -> impl FnMut(u32) -> Duration {
    move |block| {
        let started = Instant::now();
        for _ in 0..block {
            work();
        }
        started.elapsed()
    }
}

fn compute_median(times: impl Iterator<Item = Duration>) -> Duration {
    Duration::from_secs_f64(find_median(times.map(|time| time.as_secs_f64())))
}

fn find_median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Prints a row of a table: the name, both times, the ratio, and its target (if one was promised).
pub(crate) fn print_row(what: &str, pair: &Pair, target: Option<RangeInclusive<f64>>) {
    let (first, second) = (format_micros(pair.first), format_micros(pair.second));
    let (wanted, met) = target.map_or(("–".to_owned(), ""), |target| {
        let wanted = if *target.start() > 0.0 {
            format!("≥ {}", target.start())
        } else {
            format!("≤ {}", target.end())
        };
        (wanted, if target.contains(&pair.ratio) { "met" } else { "MISSED" })
    });
    println!("| {what} | {first} | {second} | {:.3} | {wanted} | {met} |", pair.ratio);
}

pub(crate) fn print_heading() {
    println!("| what | first µs | second µs | ratio | target | |\n|---|---|---|---|---|---|");
}

fn format_micros(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e6)
}
