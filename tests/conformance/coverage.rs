//! The list of cases, as it is in the documentation.

use std::{fmt::Write, fs};

use crate::case::{Case, blessing, root};

/// What the documentation says; written anew first if that is asked for.
pub(crate) fn written() -> String {
    let file = root().join("docs/conformance.md");
    if blessing() {
        fs::write(&file, of(&Case::all())).unwrap();
    }
    fs::read_to_string(file).unwrap_or_default()
}

/// What it must say.
pub(crate) fn of(cases: &[Case]) -> String {
    let mut text = String::from(HEAD);
    let mut dialect = "";
    for case in cases {
        if case.dialect != dialect {
            dialect = &case.dialect;
            write!(text, "\n## {dialect}\n\n| case | rule |\n|---|---|\n").unwrap();
        }
        writeln!(text, "| `{}` | {} |", case.name, case.rule.replace('|', "\\|")).unwrap();
    }
    text
}

const HEAD: &str = "\
# Conformance

What hookbox was seen to answer in each agent's place. A case is a folder of `tests/conformance/cases/<dialect>/` with the
agent's own hook file (or a `hooks.toml`), an event, and the answer, byte for byte. `run --source FILE` runs an agent's own
hook file as the agent would. This page is written by the test that runs the cases.
";
