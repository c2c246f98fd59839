//! The list of cases, as it is in the documentation.

use std::fmt::Write;

use crate::{case::Case, conflicts::Row};

/// What it must say.
pub(crate) fn format_page(cases: &[Case], rows: &[Row]) -> String {
    let mut text = String::from(HEAD);
    for Row { number, question, cases, open } in rows {
        let shown = if cases.is_empty() {
            format!("no case: {open}")
        } else {
            cases.iter().map(|case| format!("`{case}`")).collect::<Vec<_>>().join(", ")
        };
        writeln!(text, "| {number} | {question} | {shown} |").unwrap();
    }
    let mut dialect = "";
    for case in cases {
        if case.dialect != dialect {
            dialect = &case.dialect;
            write!(text, "\n## {dialect}\n\n| case | rule |\n|---|---|\n").unwrap();
        }
        writeln!(text, "| `{}` | {} |", case.name, case.file.rule.replace('|', "\\|")).unwrap();
    }
    text
}

const HEAD: &str = "\
# Conformance

What hookbox was seen to answer in each agent's place. A case is a file of `tests/conformance/cases/<dialect>/` with the
agent's own hook file (or a `hooks.toml`), an event, and the answer, byte for byte. `run --source FILE` runs an agent's own
hook file as the agent would. This page is written by the test that runs the cases.

## Where systems differ

| row | question | cases |
|---|---|---|
";
