//! The examples of `docs/reference/records.md` parse, and equal the written form.

use std::{fs, path::Path};

use hookbox_model::{Event, Outcome, Record};

/// The blocks of JSON of the page, without the blanks that make them easy to read.
fn read_examples() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/records.md");
    let page = fs::read_to_string(page).unwrap();
    let blocks = page.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.map(|block| block.lines().map(str::trim).collect()).collect()
}

#[test]
fn the_examples_of_the_page_are_read_and_written_as_they_stand_there() {
    let [event, outcome] = <[String; 2]>::try_from(read_examples()).unwrap();
    assert_eq!(Event::from_record(&event).unwrap().to_record(), event);
    let read = Outcome::from_record(&outcome).unwrap();
    assert_eq!(read.to_record(), outcome);
    assert!(read.reports.iter().any(|report| report.raw.is_some()), "the page shows a raw answer");
}
