//! The progress of a cargo build: counts the packages that cargo reports as compiled.

use std::collections::HashSet;
use std::io::{BufRead, IsTerminal as _, Write as _, stdout};
use std::time::{Duration, Instant};

use crate::steps::format_minutes;

/// Interval at which the count is printed: on a terminal on one line, in a log on separate lines.
const ON_TERMINAL: Duration = Duration::from_millis(500);
const IN_LOG: Duration = Duration::from_secs(15);

/// The beginning of the message with which cargo reports a compiled target; the package follows in quotes.
const ARTIFACT: &str = r#"{"reason":"compiler-artifact","package_id":""#;

/// Reads cargo's messages (`--message-format json`) to their end and prints how many of `total` packages are compiled.
pub(crate) fn report_progress(messages: impl BufRead, total: usize) {
    let (begun, is_terminal) = (Instant::now(), stdout().is_terminal());
    let every = if is_terminal { ON_TERMINAL } else { IN_LOG };
    let (mut compiled, mut printed) = (HashSet::new(), begun);
    for message in messages.lines().map_while(Result::ok) {
        let Some(package) = compiled_package(&message) else { continue };
        compiled.insert(package.to_owned());
        if printed.elapsed() >= every {
            printed = Instant::now();
            print_line(&format_line(compiled.len(), total, begun.elapsed()), is_terminal);
        }
    }
    if is_terminal {
        println!();
    }
}

/// Returns the id of the package whose target was compiled; `None` for other messages.
fn compiled_package(message: &str) -> Option<&str> {
    message.strip_prefix(ARTIFACT)?.split('"').next()
}

fn format_line(compiled: usize, total: usize, time: Duration) -> String {
    format!("  {compiled} of {} crates compiled, {}", total.max(compiled), format_minutes(time))
}

fn print_line(line: &str, is_terminal: bool) {
    if is_terminal {
        print!("\r{line}");
        // Failing to print the count must not stop the build.
        let _ = stdout().flush();
    } else {
        println!("{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_compiled_targets_count() {
        let artifact = format!(r#"{ARTIFACT}registry+x#itoa@1.0.0","target":{{}}}}"#);
        assert_eq!(compiled_package(&artifact), Some("registry+x#itoa@1.0.0"));
        assert_eq!(compiled_package(r#"{"reason":"build-finished","success":true}"#), None);
        assert_eq!(compiled_package("running 3 tests"), None);
    }

    #[test]
    fn the_total_is_never_less_than_the_count() {
        assert_eq!(format_line(3, 10, Duration::from_secs(61)), "  3 of 10 crates compiled, 1:01");
        assert_eq!(format_line(11, 10, Duration::ZERO), "  11 of 11 crates compiled, 0:00");
    }
}
