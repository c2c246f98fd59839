//! Records that are none.

use hookbox_model::{Answer, Event, HookReport, MAX_RECORD_BYTES, Outcome, Record, RecordErrorKind};

use RecordErrorKind::{DuplicateMember, MissingMember, TooLong, UnknownMember, UnknownVersion, Value};

fn wrap_event(with: &str) -> String {
    format!(r#"{{"version":1,"event":{{{with}}}}}"#)
}

const EVENT: &str = r#""id":"1","name":"tool.before","agent":"native","agent_event":"","session":"","cwd":"","time":0,"tool":null,"payload":{},"source":{}"#;

const REPORT: &str = r#"{"version":1,"report":{"hook":"h","kind":"wasm","role":"gate","layer":"user","trust_level":"own","on_failure":"deny","status":"skipped","clamped":[],"refused":[],"usage":{"wall_ns":0,"requests":0,"log_bytes":0,"log_dropped":0},"log":[]}}"#;

fn answer_kind(text: &str) -> RecordErrorKind {
    Answer::from_record(text).expect_err(text).kind
}

/// In an answer that is whole otherwise.
fn read_answer_error(members: &str) -> String {
    Answer::from_record(&add_defaults(members)).expect_err(members).to_string()
}

fn add_defaults(members: &str) -> String {
    let rest = [("verdict", "\"none\""), ("last", "false"), ("unseen", "false")];
    let rest = rest.iter().filter(|(key, _)| !members.contains(&format!("\"{key}\":")));
    let rest: Vec<_> = rest.map(|(key, value)| format!("\"{key}\":{value}")).collect();
    format!(
        r#"{{"version":1,"answer":{{{members}{}{}}}}}"#,
        if rest.is_empty() { "" } else { "," },
        rest.join(",")
    )
}

#[test]
fn the_least_of_each_is_read() {
    assert_eq!(Answer::from_record(&add_defaults("\"context\":null")), Ok(Answer::default()));
    assert_eq!(Event::from_record(&wrap_event(EVENT)).unwrap().id, "1");
    assert_eq!(HookReport::from_record(REPORT).unwrap().hook, "h");
}

#[test]
fn another_version_is_named_before_anything_else_is_looked_at() {
    for version in ["0", "2", "1.0", "\"1\"", "null", "[1]"] {
        let text = format!(r#"{{"answer":{{"colour":1}},"mode":7,"version":{version}}}"#);
        assert_eq!(answer_kind(&text), UnknownVersion(version.to_owned()));
    }
    assert_eq!(
        Answer::from_record(r#"{"version":2}"#).unwrap_err().to_string(),
        "the record is of version 2, and this hookbox reads version 1; read it with the one that wrote it"
    );
    assert_eq!(answer_kind(r#"{"answer":{}}"#), MissingMember("version".into()));
}

#[test]
fn a_record_has_two_members_and_each_once() {
    assert_eq!(answer_kind(r#"{"version":1}"#), MissingMember("answer".into()));
    assert_eq!(answer_kind(r#"{"version":1,"mode":1,"answer":{}}"#), UnknownMember("mode".into()));
    assert_eq!(answer_kind(r#"{"version":1,"version":1,"answer":{}}"#), DuplicateMember("version".into()));
    assert_eq!(answer_kind(r#"{"version":1,"answer":{},"answer":{}}"#), DuplicateMember("answer".into()));
}

#[test]
fn an_invalid_record_is_an_error_with_its_place() {
    for (text, expected) in [
        ("", "the record is not a JSON object: it ends too early, at line 1 column 0"),
        ("{\"version\":1", "the record is not a JSON object: it ends too early, at line 1 column 12"),
        ("{\"version\":1} {}", "the record is not a JSON object: trailing characters, at line 1 column 15"),
    ] {
        assert_eq!(Answer::from_record(text).unwrap_err().to_string(), expected);
    }
    assert!(Answer::from_record("[]").is_err());
    assert!(Answer::from_record(&"[".repeat(1_000_000)).is_err());
}

#[test]
fn a_member_is_known_there_and_stands_there_once() {
    assert_eq!(
        read_answer_error(r#""colour":1"#),
        "the record has a member \"colour\" that version 1 does not have, at line 1 column 31"
    );
    assert_eq!(
        read_answer_error(r#""last":true,"last":true"#),
        "the record has the member \"last\" twice, at line 1 column 41"
    );
    let hidden =
        Answer::from_record(&add_defaults(&format!("\"\\u001b{}\":1", "x".repeat(1000)))).unwrap_err();
    assert_eq!(hidden.kind, UnknownMember(format!("{}…", "x".repeat(500))));
    let text = REPORT.replace(r#""requests":0"#, r#""requests":0,"cost":1"#);
    assert_eq!(HookReport::from_record(&text).unwrap_err().kind, UnknownMember("cost".into()));
    let text = REPORT.replace(r#","log":[]"#, "");
    assert_eq!(HookReport::from_record(&text).unwrap_err().kind, MissingMember("log".into()));
}

#[test]
fn a_text_of_a_hook_is_no_longer_than_hookbox_makes_them_and_hides_nothing() {
    let bounded = "this text is longer than 10000 characters or has some that cannot be seen";
    for text in
        ["a".repeat(10_001), format!("{}… [cut: x more characters]", "a".repeat(10_000)), r"\u202e".into()]
    {
        for member in ["context", "notice", "stop"] {
            assert!(read_answer_error(&format!(r#""{member}":"{text}""#)).contains(bounded), "{member}");
        }
        let verdict = format!(r#""verdict":{{"deny":{{"code":"a","text":"{text}"}}}}"#);
        assert!(read_answer_error(&verdict).contains(bounded), "{verdict}");
    }
    let outcome = Outcome::default().to_record();
    let with = |text: &str| {
        outcome.replace(r#""contexts":[]"#, &format!(r#""contexts":[{{"hook":"","value":"{text}"}}]"#))
    };
    assert!(Outcome::from_record(&with(&"a".repeat(20_000))).is_ok());
    assert!(Outcome::from_record(&with(r"\u0000")).unwrap_err().to_string().contains("cannot be seen"));
}

#[test]
fn a_code_is_one_that_a_reason_can_have() {
    for code in ["", "Rm", "a b", &"x".repeat(65)] {
        let error = read_answer_error(&format!(r#""verdict":{{"ask":{{"code":"{code}","text":""}}}}"#));
        assert!(error.contains("is not lower-case words joined by hyphens, at most 64 bytes"), "{error}");
    }
}

#[test]
fn a_word_is_one_of_those_that_there_are() {
    assert!(read_answer_error(r#""verdict":"maybe""#).contains("unknown variant `maybe`"));
    assert!(read_answer_error(r#""verdict":{"deny":{"code":"a","text":""},"ask":null}"#).contains("line 1"));
    for (known, other) in [("\"wasm\"", "\"lua\""), ("\"own\"", "\"Own\""), ("\"skipped\"", "\"none\"")] {
        let error = HookReport::from_record(&REPORT.replace(known, other)).unwrap_err();
        assert!(matches!(error.kind, Value(_)), "{error}");
    }
}

#[test]
fn json_in_a_record_has_the_bounds_of_all_json() {
    let deep = format!("{}{}", "[".repeat(101), "]".repeat(101));
    for (json, problem) in [
        (deep.as_str(), "nested deeper than 100 levels"),
        (&format!("\"{deep}\""), "nested deeper than 100 levels"),
        (r#"{"a":1,"a":2}"#, r#"the key "a" appears twice"#),
        (r#""{\"a\":1,\"a\":2}""#, r#"the key "a" appears twice"#),
        (r#""not JSON""#, "hookbox cannot read this JSON"),
        ("1e999", "number out of range"),
    ] {
        let error = read_answer_error(&format!(r#""extra":{json}"#));
        assert!(error.contains(problem), "{error}");
    }
    let flat =
        Event::from_record(&wrap_event(&EVENT.replace(r#""payload":{}"#, r#""payload":[]"#))).unwrap_err();
    assert!(flat.to_string().contains("this must be an object"), "{flat}");
}

#[test]
fn a_name_is_one_that_hookbox_gives() {
    let long = format!("custom:{}", "x".repeat(129));
    for name in ["", "Tool.before", "custom:", "custom:tool.before", "custom:a b", r"custom:a\u0007", &long] {
        let text = wrap_event(&EVENT.replace("tool.before", name));
        let error = Event::from_record(&text).expect_err(name);
        assert!(error.to_string().contains("is not the name of an event"), "{error}");
    }
    for agent in ["a b", r"\u001b[31m", &"x".repeat(65)] {
        let text = wrap_event(&EVENT.replace("native", agent));
        assert!(Event::from_record(&text).unwrap_err().to_string().contains("this name"), "{agent}");
    }
    for plugin in ["", "0", &"F".repeat(64), &"g".repeat(64)] {
        let text = REPORT.replace(r#""log":[]"#, &format!(r#""log":[],"plugin":{{"digest":"{plugin}"}}"#));
        assert!(HookReport::from_record(&text).unwrap_err().to_string().contains("64 hexadecimal digits"));
    }
    for name in ["", "A", "a//b", &"x".repeat(129)] {
        let plugin = format!(r#"{{"digest":"{}","name":"{name}"}}"#, "0".repeat(64));
        let text = REPORT.replace(r#""log":[]"#, &format!(r#""log":[],"plugin":{plugin}"#));
        assert!(HookReport::from_record(&text).unwrap_err().to_string().contains("not a plugin name"));
    }
    for line in [r"a\nb", &"x".repeat(502)] {
        let refusal = format!(r#"[{{"capability":"http","value":"{line}","reason":"","line":null}}]"#);
        let text = REPORT.replace(r#""refused":[]"#, &format!(r#""refused":{refusal}"#));
        assert!(HookReport::from_record(&text).unwrap_err().to_string().contains("one line of 500"));
    }
}

#[test]
fn a_number_is_one_that_fits() {
    for time in ["-1", "1.5", "18446744073709551616", "\"0\""] {
        let text = wrap_event(&EVENT.replace(r#""time":0"#, &format!(r#""time":{time}"#)));
        assert!(matches!(Event::from_record(&text).unwrap_err().kind, Value(_)), "{time}");
    }
    let longest = u128::from(u64::MAX) * 1_000_000_000 + 999_999_999;
    let wall = |ns: u128| REPORT.replace(r#""wall_ns":0"#, &format!(r#""wall_ns":{ns}"#));
    assert!(HookReport::from_record(&wall(longest)).is_ok());
    let error = HookReport::from_record(&wall(longest + 1)).unwrap_err();
    assert!(error.to_string().contains("longer than any duration"), "{error}");
}

#[test]
fn a_record_has_a_length_that_it_may_not_exceed() {
    let mut text = add_defaults("\"context\":null");
    text.push_str(&" ".repeat(MAX_RECORD_BYTES - text.len()));
    assert_eq!(Answer::from_record(&text), Ok(Answer::default()));
    text.push(' ');
    assert_eq!(answer_kind(&text), TooLong(MAX_RECORD_BYTES + 1));
}
