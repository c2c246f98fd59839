//! A sequence of named steps: prints which step runs, and at the end how long each took.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::project::Project;

/// A step: its name and its function.
pub(crate) type Step = (&'static str, fn(&Project) -> Result<()>);

/// Runs the steps in order and stops at the first that fails.
pub(crate) fn run(project: &Project, steps: &[Step]) -> Result<()> {
    let begun = Instant::now();
    let mut taken = Vec::new();
    for (at, (name, step)) in steps.iter().enumerate() {
        let step_begun = Instant::now();
        println!("step {} of {}, {} elapsed: {name}", at + 1, steps.len(), format_minutes(begun.elapsed()));
        step(project).with_context(|| format!("the step `{name}` failed"))?;
        taken.push((*name, step_begun.elapsed()));
    }
    println!("{} steps passed in {}:", steps.len(), format_minutes(begun.elapsed()));
    for (name, time) in taken {
        println!("{:>7}  {name}", format_minutes(time));
    }
    Ok(())
}

/// Formats a duration as `m:ss`.
pub(crate) fn format_minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_in_minutes_and_seconds() {
        assert_eq!(format_minutes(Duration::from_secs(0)), "0:00");
        assert_eq!(format_minutes(Duration::from_millis(754_900)), "12:34");
    }
}
