//! The committed table: reading, comparing, writing.

use std::fmt;

use anyhow::{Context, Result, bail, ensure};

/// A larger rise fails, percent.
const LIMIT: f64 = 3.0;

/// Maximum difference that leaves a row unchanged when the table is rewritten, percent.
const NOISE: f64 = 0.5;

/// Prefix of the line with the versions of the tools.
const TOOLS: &str = "# Counted with ";

/// The counts of a run, in the order of the paths.
pub(super) type Counts = [(&'static str, u64)];

/// One path of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    name: String,
    count: u64,
    /// The reason of the last change.
    reason: String,
}

/// The table in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    /// The lines before the first row: the meaning of the counts, and the way to repeat them.
    head: Vec<String>,
    rows: Vec<Row>,
}

/// Rejects a reason that is blank or does not fit in a line.
pub(super) fn check_reason(reason: &str) -> Result<&str> {
    let reason = reason.trim();
    ensure!(!reason.is_empty() && !reason.contains('\n'), "the reason is one line that says why");
    Ok(reason)
}

impl Table {
    /// Reads the text of the file.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut table = Self::default();
        for (at, line) in text.lines().enumerate() {
            if line.starts_with('#') || line.is_empty() {
                table.head.push(line.to_owned());
            } else {
                let row = parse_row(line).with_context(|| format!("line {} of the table", at + 1))?;
                ensure!(table.find_row(&row.name).is_none(), "the path {} is in the table twice", row.name);
                table.rows.push(row);
            }
        }
        Ok(table)
    }

    fn find_row(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// Fails if a path costs more than the table allows, or if the table and the paths do not fit.
    pub(super) fn check_counts(&self, counts: &Counts, tools: &str) -> Result<()> {
        let mut failures = Vec::new();
        for &(name, count) in counts {
            match self.find_row(name) {
                None => failures.push(format!("the path {name} has no row in the table")),
                Some(row) if compute_change(row.count, count) > LIMIT => failures.push(format!(
                    "the path {name} costs {count} instructions, {:.1} % more than the {} in the table",
                    compute_change(row.count, count),
                    row.count
                )),
                Some(_) => {}
            }
        }
        let unknown = self.rows.iter().filter(|row| counts.iter().all(|(name, _)| *name != row.name));
        failures.extend(unknown.map(|row| format!("the table has a row for {}, which is no path", row.name)));
        if failures.is_empty() {
            return Ok(());
        }
        let made_with = self.head.iter().find_map(|line| line.strip_prefix(TOOLS)).unwrap_or("unknown tools");
        // Other versions of the tools are a likely cause.
        let versions = if made_with == format!("{tools}.") {
            String::new()
        } else {
            format!("\nThe table was made with {made_with} Here it is {tools}.")
        };
        bail!(
            "{}{versions}\nIf this is meant, run `cargo xtask costs --write \"why\"` and commit the table with the change.",
            failures.join("\n")
        )
    }

    /// Returns the table with the counts of each path that differs, for this reason.
    pub(super) fn update_counts(&self, counts: &Counts, reason: &str, tools: &str) -> Self {
        let rows = counts.iter().map(|&(name, count)| match self.find_row(name) {
            // Otherwise each update would change every row, and the reasons of earlier changes would be lost.
            Some(row) if compute_change(row.count, count).abs() <= NOISE => row.clone(),
            _ => Row { name: name.to_owned(), count, reason: reason.to_owned() },
        });
        let rows: Vec<_> = rows.collect();
        let head = self.head.iter().map(|line| match line.strip_prefix(TOOLS) {
            // The versions are those of the counts, and stay as long as the counts do.
            Some(_) if rows != self.rows => format!("{TOOLS}{tools}."),
            _ => line.clone(),
        });
        Self { head: head.collect(), rows }
    }

    /// Formats the comparison: each path with its counts and the difference, and a note for each path that costs less.
    pub(super) fn format_comparison(&self, counts: &Counts) -> String {
        let head = format!("{:<26} {:>12} {:>12} {:>8}", "path", "now", "table", "change");
        let (mut lines, mut notes) = (vec![head], Vec::new());
        for &(name, count) in counts {
            let before = self.find_row(name).map(|row| row.count);
            let change = before.map(|before| compute_change(before, count));
            let (shown, difference) =
                (before.map(|before| before.to_string()), change.map(|change| format!("{change:+.2} %")));
            let (shown, difference) =
                (shown.as_deref().unwrap_or("-"), difference.as_deref().unwrap_or("new"));
            lines.push(format!("{name:<26} {count:>12} {shown:>12} {difference:>8}"));
            if change.is_some_and(|change| change < -LIMIT) {
                notes.push(format!(
                    "note: the path {name} costs less than in the table; `cargo xtask costs --write \"why\"` keeps it so"
                ));
            }
        }
        lines.append(&mut notes);
        lines.join("\n")
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.head {
            writeln!(f, "{line}")?;
        }
        for Row { name, count, reason } in &self.rows {
            writeln!(f, "{name:<26} {count:>12}  {reason}")?;
        }
        Ok(())
    }
}

fn parse_row(line: &str) -> Result<Row> {
    const FORM: &str = "a row is NAME COUNT REASON";
    let (name, rest) = line.split_once(' ').context(FORM)?;
    let (count, reason) = rest.trim_start().split_once(' ').context(FORM)?;
    let count = count.parse().context(FORM)?;
    Ok(Row { name: name.to_owned(), count, reason: check_reason(reason)?.to_owned() })
}

/// Returns the difference, in percent of the old value.
#[expect(clippy::cast_precision_loss, reason = "counts of less than 2^52")]
fn compute_change(before: u64, now: u64) -> f64 {
    100.0 * (now as f64 - before as f64) / before as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# Instructions.
# Counted with valgrind-3.19.0.

cold-find-text                  2000000  the first count
warm-1-KiB                        50000  a second log line
";

    const TOOLS_NOW: &str = "valgrind-3.19.0";

    fn parse_table() -> Table {
        Table::parse(TEXT).unwrap()
    }

    fn check_failure(counts: &Counts) -> String {
        parse_table().check_counts(counts, TOOLS_NOW).unwrap_err().to_string()
    }

    #[test]
    fn a_table_is_written_as_it_was_read() {
        assert_eq!(parse_table().to_string(), TEXT);
    }

    #[test]
    fn a_row_without_a_count_or_a_reason_is_an_error() {
        for text in ["name", "name 12", "name many reason", "name 12  "] {
            let error = format!("{:#}", Table::parse(&format!("# head\n{text}")).unwrap_err());
            assert!(error.starts_with("line 2 of the table: "), "{error}");
        }
    }

    #[test]
    fn a_path_that_is_twice_in_the_table_is_an_error() {
        let error = Table::parse("a 1 x\na 2 x").unwrap_err().to_string();
        assert_eq!(error, "the path a is in the table twice");
    }

    #[test]
    fn a_rise_of_three_percent_passes_and_a_larger_rise_fails() {
        parse_table().check_counts(&[("cold-find-text", 2_060_000), ("warm-1-KiB", 1)], TOOLS_NOW).unwrap();
        let message = check_failure(&[("cold-find-text", 2_062_000), ("warm-1-KiB", 50_000)]);
        assert_eq!(
            message,
            "the path cold-find-text costs 2062000 instructions, 3.1 % more than the 2000000 in the table\n\
             If this is meant, run `cargo xtask costs --write \"why\"` and commit the table with the change."
        );
    }

    #[test]
    fn a_failure_names_versions_that_differ() {
        let error =
            parse_table().check_counts(&[("cold-find-text", 1)], "valgrind-3.24.0").unwrap_err().to_string();
        assert!(error.contains("made with valgrind-3.19.0. Here it is valgrind-3.24.0."), "{error}");
    }

    #[test]
    fn a_path_without_a_row_and_a_row_without_a_path_fail() {
        let message = check_failure(&[("cold-find-text", 2_000_000), ("new", 1)]);
        assert!(message.starts_with("the path new has no row in the table\n"), "{message}");
        assert!(message.contains("the table has a row for warm-1-KiB, which is no path"), "{message}");
    }

    #[test]
    fn an_update_gives_the_reason_to_changed_rows_only() {
        let counts = [("cold-find-text", 2_000_100), ("warm-1-KiB", 52_000), ("new", 7)];
        let text = parse_table().update_counts(&counts, "why", "valgrind-3.24.0").to_string();
        let rows: Vec<Vec<&str>> =
            text.lines().skip(3).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(
            rows,
            [
                vec!["cold-find-text", "2000000", "the", "first", "count"],
                vec!["warm-1-KiB", "52000", "why"],
                vec!["new", "7", "why"]
            ]
        );
        assert!(text.contains("# Counted with valgrind-3.24.0.\n"), "{text}");
    }

    #[test]
    fn a_comparison_shows_both_counts_and_notes_a_fall() {
        let text = parse_table().format_comparison(&[
            ("cold-find-text", 1_900_000),
            ("warm-1-KiB", 50_500),
            ("new", 7),
        ]);
        for line in ["1900000 2000000 -5.00 %", "50500 50000 +1.00 %", "7 - new"] {
            let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(shown.contains(line), "{text}");
        }
        assert!(text.contains("note: the path cold-find-text costs less"), "{text}");
    }

    #[test]
    fn a_reason_is_one_line() {
        assert_eq!(check_reason(" why ").unwrap(), "why");
        assert!(check_reason(" ").is_err() && check_reason("a\nb").is_err());
    }
}
