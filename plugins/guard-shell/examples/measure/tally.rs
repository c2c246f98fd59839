//! Numbers of lines by verdict, and the time of each.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use guard_shell::{Decision, Severity};

/// Some lines, and how many of them are stopped.
#[derive(Default)]
struct Part {
    lines: usize,
    stopped: usize,
}

impl Part {
    fn add(&mut self, is_stopped: bool) {
        self.lines += 1;
        self.stopped += usize::from(is_stopped);
    }

    fn format_share(&self) -> String {
        match self.lines {
            0 => "–".to_owned(),
            lines => format!("{} of {lines}, {}", self.stopped, percent(self.stopped, lines)),
        }
    }
}

/// The verdicts on the lines of one source.
#[derive(Default)]
pub(crate) struct Tally {
    codes: BTreeMap<&'static str, usize>,
    deny: usize,
    ask: usize,
    /// Lines that their source allows.
    allowed: Part,
    /// Lines whose source expects that they are stopped.
    expected: Part,
    times: Vec<Duration>,
}

impl Tally {
    /// Column headings of the table.
    pub(crate) const HEADER: &str = "| lines of | lines | deny | ask | stopped | of the allowed | of the others | p50 | p99 | codes |\n\
                                     |---|---|---|---|---|---|---|---|---|---|";

    /// Runs something and notes how long it took: the least of three times, since the others are those of a machine that does something
    /// else as well.
    pub(crate) fn time<T>(&mut self, run: impl Fn() -> T) -> T {
        let timed = || {
            let start = Instant::now();
            std::hint::black_box(run());
            start.elapsed()
        };
        self.times.push(timed().min(timed()).min(timed()));
        run()
    }

    /// Counts a verdict on a line of which its source may say whether it is to be stopped.
    pub(crate) fn add(&mut self, decision: Option<&Decision>, is_expected: Option<bool>) {
        match is_expected {
            Some(true) => self.expected.add(decision.is_some()),
            Some(false) => self.allowed.add(decision.is_some()),
            None => {}
        }
        let Some(decision) = decision else { return };
        match decision.severity {
            Severity::Deny => self.deny += 1,
            Severity::Ask | Severity::Confine => self.ask += 1,
            Severity::Off => {}
        }
        *self.codes.entry(decision.code).or_default() += 1;
    }

    /// The row of a table.
    pub(crate) fn row(mut self, name: &str) -> String {
        self.times.sort();
        let lines = self.times.len().max(1);
        let at = |percent: usize| {
            let time = self.times.get((lines * percent / 100).min(lines - 1)).copied().unwrap_or_default();
            format!("{:.2} ms", time.as_secs_f64() * 1000.0)
        };
        let mut codes: Vec<_> = self.codes.iter().collect();
        codes.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let codes: Vec<String> = codes.iter().map(|(code, count)| format!("{code} {count}")).collect();
        format!(
            "| {name} | {lines} | {} | {} | {} | {} | {} | {} | {} | {} |",
            self.deny,
            self.ask,
            percent(self.deny + self.ask, lines),
            self.allowed.format_share(),
            self.expected.format_share(),
            at(50),
            at(99),
            codes.join(", ")
        )
    }
}

/// A part of a whole, to hundredths.
fn percent(part: usize, whole: usize) -> String {
    let hundredths = part * 10_000 / whole.max(1);
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}
