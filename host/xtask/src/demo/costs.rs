//! The cost of each kind of hook: in a process of its own, and as a later call in one process.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::home::Home;
use crate::project::Project;

/// Events in processes of their own, of which the median is shown.
const PROCESSES: usize = 15;
/// Calls in one process; the first is not counted.
const CALLS: &str = "200";

/// Measures the hooks that this event calls and prints a line for each.
pub(super) fn print_costs(project: &Project, home: &Home, event: &Path) -> Result<()> {
    let input = home.read_event(event)?;
    let explain = |calls: &str| -> Result<Vec<Value>> {
        let arguments = ["explain", "--agent", "claude-code", "--call-all", "--json", "--calls", calls];
        let text = home.create_hookbox_process(project, &arguments).answer_input(&input)?;
        let report: Value = serde_json::from_str(&text).context("`hookbox explain --json` wrote no JSON")?;
        Ok(report.get("hooks").and_then(Value::as_array).cloned().unwrap_or_default())
    };
    let processes: Vec<_> = (0..PROCESSES).map(|_| explain("1")).collect::<Result<_>>()?;
    println!(
        "\ncost of a call, in this unoptimised build (docs/internals/benchmarks.md has the figures of the release build):"
    );
    println!("  {:<14} {:<8} {:>22} {:>24}", "hook", "kind", "in a new process", "later, in one process");
    for hook in explain(CALLS)? {
        let name = text_at(&hook, "hook");
        let first = processes.iter().flatten().filter(|hook| text_at(hook, "hook") == name);
        let first = find_median(first.filter_map(|hook| hook.pointer("/used/wall_us")?.as_u64()).collect());
        let later = hook.get("later_us").and_then(Value::as_u64);
        // A hook that this event does not call has no times.
        if let (Some(first), Some(later)) = (first, later) {
            println!(
                "  {name:<14} {:<8} {:>22} {:>24}",
                text_at(&hook, "handler"),
                format_micros(first),
                format_micros(later)
            );
        }
    }
    Ok(())
}

fn text_at<'a>(hook: &'a Value, key: &str) -> &'a str {
    hook.get(key).and_then(Value::as_str).unwrap_or("")
}

fn find_median(mut times: Vec<u64>) -> Option<u64> {
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

/// Formats microseconds, from one millisecond on as milliseconds.
fn format_micros(micros: u64) -> String {
    if micros < 1000 {
        format!("{micros} µs")
    } else {
        format!("{}.{:02} ms", micros / 1000, micros % 1000 / 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_the_unit_that_reads_best() {
        assert_eq!(
            [format_micros(45), format_micros(999), format_micros(1000), format_micros(2345)],
            ["45 µs", "999 µs", "1.00 ms", "2.34 ms"]
        );
    }
}
