//! The serialised form of events, answers, outcomes and reports.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests and their helpers")]

mod hostile;
mod page;
mod values;

use hookbox_model::{Answer, Event, HookReport, Json, Outcome, Record, Rewrite};
use proptest::prelude::*;

proptest! {
    #[test]
    fn every_event_reads_back_to_itself(event in values::any_event()) {
        reads_back(&event)?;
    }

    #[test]
    fn every_answer_reads_back_to_itself(answer in values::any_answer()) {
        reads_back(&answer)?;
    }

    #[test]
    fn every_report_reads_back_to_itself(report in values::any_report()) {
        reads_back(&report)?;
    }

    #[test]
    fn every_outcome_reads_back_to_itself(outcome in values::any_outcome()) {
        reads_back(&outcome)?;
    }
}

fn reads_back<T: Record + PartialEq + std::fmt::Debug>(value: &T) -> Result<(), TestCaseError> {
    let text = value.to_record();
    prop_assert_eq!(&T::from_record(&text).map_err(|error| TestCaseError::fail(error.to_string()))?, value);
    prop_assert!(!text.contains('\n'), "a record is one line: {}", text);
    Ok(())
}

/// Plain values keep their spelling; values that would break the line or lose their blanks become strings.
#[test]
fn json_in_a_record_is_the_senders_byte_for_byte() {
    for (text, written) in [
        (r#"{"b": 1.0e2,"a":[null, "\u00fc"]}"#, r#"{"b": 1.0e2,"a":[null, "\u00fc"]}"#),
        ("12345678901234567890123", "12345678901234567890123"),
        ("null", r#""null""#),
        (r#""text""#, r#""\"text\"""#),
        ("{\n \"a\": 1}", r#""{\n \"a\": 1}""#),
        (" {}", r#"" {}""#),
        ("{}\n", r#""{}\n""#),
    ] {
        let answer =
            Answer { rewrite: Some(Rewrite::Replace(Json::parse(text).unwrap())), ..Answer::default() };
        let record = answer.to_record();
        assert!(record.contains(&format!(r#""rewrite":{{"replace":{written}}}"#)), "{record}");
        assert_eq!(Answer::from_record(&record), Ok(answer));
    }
}

/// The record of one type does not parse as another type.
#[test]
fn a_record_names_its_type() {
    let outcome = Outcome::default().to_record();
    let error = |wanted| format!("the record holds `outcome`, and `{wanted}` was asked for");
    assert_eq!(Event::from_record(&outcome).unwrap_err().to_string(), error("event"));
    assert_eq!(HookReport::from_record(&outcome).unwrap_err().to_string(), error("report"));
    assert_eq!(Outcome::from_record(&outcome), Ok(Outcome::default()));
}
