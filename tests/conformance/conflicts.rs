//! Where the agents' systems differ (docs/reference/agents/README.md), and the cases that show it.

use std::fs;

use serde_json::Value;

use crate::case::{Case, manifest_folder};

/// A row of the table.
pub(crate) struct Row {
    pub(crate) number: u64,
    pub(crate) question: String,
    /// `dialect/case`.
    pub(crate) cases: Vec<String>,
    /// Why there is no case.
    pub(crate) open: String,
}

pub(crate) fn read_rows() -> Vec<Row> {
    let text = fs::read_to_string(manifest_folder().join("tests/conformance/conflicts.json")).unwrap();
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
    rows.iter().map(parse_row).collect()
}

fn parse_row(row: &Value) -> Row {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Row {
        number: row["row"].as_u64().unwrap(),
        question: text(&row["question"]),
        cases: row["cases"].as_array().unwrap().iter().map(text).collect(),
        open: row.get("open").map(text).unwrap_or_default(),
    }
}

impl Row {
    /// Those of its cases that do not exist.
    pub(crate) fn find_missing_cases<'r>(&'r self, cases: &[Case]) -> Vec<&'r str> {
        let is = |name: &str, case: &Case| format!("{}/{}", case.dialect, case.name) == name;
        let missing = self.cases.iter().filter(|name| !cases.iter().any(|case| is(name, case)));
        missing.map(String::as_str).collect()
    }

    /// Does it show two systems that differ, or say why not?
    pub(crate) fn is_settled(&self) -> bool {
        let dialects = |name: &String| name.split_once('/').map(|(dialect, _)| dialect.to_owned());
        let mut shown: Vec<_> = self.cases.iter().filter_map(dialects).collect();
        shown.dedup();
        shown.len() > 1 || (self.cases.is_empty() && !self.open.is_empty())
    }
}
