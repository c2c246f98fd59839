//! How long each step of the gate took: whoever finds it slow sees where.

use std::time::{Duration, Instant};

use anyhow::Result;

/// The steps so far.
pub(super) struct Steps {
    begun: Instant,
    taken: Vec<(&'static str, Duration)>,
}

impl Steps {
    pub(super) fn begin() -> Self {
        Self { begun: Instant::now(), taken: Vec::new() }
    }

    /// Takes one, and says what it is first.
    pub(super) fn take(&mut self, name: &'static str, step: impl FnOnce() -> Result<()>) -> Result<()> {
        let begun = Instant::now();
        println!("{} {name}", minutes(self.begun.elapsed()));
        step()?;
        self.taken.push((name, begun.elapsed()));
        Ok(())
    }

    /// A line for each, the longest first.
    pub(super) fn end(mut self) {
        self.taken.sort_by_key(|(_, took)| std::cmp::Reverse(*took));
        println!("{} all passed; of that", minutes(self.begun.elapsed()));
        for (name, took) in self.taken {
            println!("{} {name}", minutes(took));
        }
    }
}

/// `mm:ss`, right-aligned.
fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{:3}:{:02}", seconds / 60, seconds % 60)
}
