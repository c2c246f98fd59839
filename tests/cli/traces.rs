//! `HOOKBOX_LOG`: traces on standard error, as `docs/reference/tracing.md` lists them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use serde_json::{Value, json};

use crate::{LS, Ran, TestBed, format_gate, gate_with, shell_gate};

const REQUEST: &str = r#"{"type":"HOOK_EXECUTION_REQUEST","payload":{"eventName":"BeforeTool","correlationId":"1",
    "input":{"tool_name":"read_file","tool_input":{"path":"/tmp/test.txt"}}}}"#;

/// A span or an event: its target, its name, its level, its fields.
type Traced = (String, String, String, BTreeSet<String>);

fn with_debug_traces(bed: TestBed) -> TestBed {
    bed.with_variable("HOOKBOX_LOG", "debug").with_variable("HOOKBOX_LOG_FORMAT", "json")
}

/// Runs `hookbox bus` for one request.
fn run_bus(bed: &TestBed, arguments: &[&str]) -> Ran {
    let words: Vec<_> = ["bus"].iter().chain(arguments).copied().collect();
    bed.run_with_input(&mut bed.build_command(&words), REQUEST.replace('\n', " ").as_bytes())
}

/// Runs `hookbox explain` for a call of `ls`.
fn run_explain(bed: &TestBed, event: &str) -> Ran {
    bed.run_with_input(&mut bed.build_command(&["explain", "--call-all"]), event.as_bytes())
}

/// The lines of JSON among these.
fn parse_traces(ran: &Ran) -> Vec<Value> {
    ran.stderr.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn collect_member_names(value: &Value) -> BTreeSet<String> {
    let members = value.as_object().unwrap().keys();
    members.filter(|key| !["message", "name"].contains(&key.as_str())).cloned().collect()
}

/// The events in these lines. A hook's own lines have the level that the hook gives them.
fn collect_events(traces: &[Value]) -> BTreeSet<Traced> {
    let events = traces.iter().map(|trace| {
        let text = |pointer: &str| trace.pointer(pointer).unwrap().as_str().unwrap().to_owned();
        let name = text("/fields/message");
        let level = if name == "logged" { "the line's".to_owned() } else { text("/level").to_lowercase() };
        (text("/target"), name, level, collect_member_names(&trace["fields"]))
    });
    events.collect()
}

/// The names of the spans around each event, and the fields of each.
fn collect_spans(traces: &[Value]) -> BTreeMap<String, BTreeSet<String>> {
    let spans = traces.iter().flat_map(|trace| trace["spans"].as_array().into_iter().flatten());
    spans.map(|span| (span["name"].as_str().unwrap().to_owned(), collect_member_names(span))).collect()
}

/// The rows of the table below this heading, by cells.
fn read_table(heading: &str) -> Vec<Vec<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/tracing.md");
    let page = fs::read_to_string(page).unwrap();
    let section = page.split("\n## ").find(|section| section.starts_with(heading)).unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
    rows.map(|row| row.split(" | ").map(|cell| cell.replace('`', "")).collect()).collect()
}

fn split_words(cell: &str) -> BTreeSet<String> {
    cell.split(' ').map(str::to_owned).collect()
}

#[test]
fn the_page_lists_what_is_traced_with_its_level_and_its_fields_and_nothing_else() {
    let config = [
        gate_with("traps", "on-failure = \"allow\"\npriority = 2"),
        gate_with("looks", "priority = 1"),
        shell_gate(
            "echo seen >&2; echo '{\"verdict\":\"none\",\"rewrite\":{\"replace\":{}}}'",
            "priority = 3",
        ),
        format_gate("denies"),
        format_gate("none"),
        "[[hook]]\nname = \"odd\"\non = \"tool.before\"\ntypo = 1\n".to_owned(),
    ];
    let bed = with_debug_traces(TestBed::with_config(&config[..5].concat()));
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", &config[5]);
    let mut traced = parse_traces(&run_bus(&bed, &[]));
    traced.extend(parse_traces(&run_explain(&bed, LS)));
    let server = "config = { server = '127.0.0.1:1', path = '/x', name = 'authorization', value = 'Bearer ${secret:api}' }";
    let asks = gate_with("asks_a_server", &format!("{server}\ngrant = {{ http = ['http://127.0.0.1:1'] }}"));
    let bed = with_debug_traces(TestBed::with_config(&(asks + &format_gate("asks_facts"))));
    traced.extend(parse_traces(&run_explain(&bed, &bed.expand_placeholders(LS))));
    traced.extend(parse_traces(&run_explain(&bed, "{")));
    let listed: BTreeSet<Traced> = read_table("Events")
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone(), row[2].clone(), split_words(&row[3])))
        .collect();
    assert_eq!(collect_events(&traced), listed);
    let listed: BTreeMap<_, _> =
        read_table("Spans").into_iter().map(|row| (row[1].clone(), split_words(&row[2]))).collect();
    assert_eq!(collect_spans(&traced), listed);
}

#[test]
fn spans_say_on_which_event_and_in_which_hook_something_happened() {
    let bed = with_debug_traces(TestBed::with_config(&format_gate("denies")));
    let traces = parse_traces(&run_bus(&bed, &["--session", "of-mine"]));
    let answered = traces
        .iter()
        .find(|trace| trace["target"] == "hookbox::hook" && trace["fields"]["message"] == "answered");
    let spans = answered.unwrap()["spans"].as_array().unwrap();
    let names: Vec<_> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["event", "chain", "hook"]);
    assert_eq!((&spans[0]["event"], &spans[0]["session"]), (&json!("tool.before"), &json!("of-mine")));
    assert_eq!((&spans[2]["hook"], &spans[2]["layer"]), (&json!("denies"), &json!("user")));
}

/// Whoever names a session could else write lines of the log.
#[test]
fn a_value_is_one_bounded_line_in_which_nothing_is_hidden() {
    let bed = TestBed::with_config(&format_gate("denies")).with_variable("HOOKBOX_LOG", "debug");
    let session = format!("a\nforged\u{1b}[31m\u{202e}{}", "x".repeat(5000));
    let ran = run_bus(&bed, &["--session", &session]);
    let line = ran.stderr.lines().find(|line| line.contains("hookbox::hook: answered")).unwrap();
    assert!(line.contains(r"session=a\nforged\u{1b}[31m\u{202e}xxx"), "{line}");
    assert!(line.contains("xxx…}:chain{"), "{line}");
    assert!(line.len() < 2000, "{line}");
    assert!(!ran.stderr.contains('\u{1b}'), "{ran}");
}

#[test]
fn without_the_variable_and_for_run_there_are_no_traces() {
    let quiet = TestBed::with_config(&format_gate("denies"));
    assert_eq!(run_bus(&quiet, &[]).stderr, "");
    assert_eq!(run_bus(&quiet.with_variable("HOOKBOX_LOG", ""), &[]).stderr, "");
    let silent = TestBed::with_config(&format_gate("denies"));
    let loud = with_debug_traces(TestBed::with_config(&format_gate("denies")));
    let run = |bed: &TestBed| {
        bed.run_with_input(&mut bed.build_command(&["run"]), LS.replace("[PROJECT]", "/").as_bytes())
    };
    assert_eq!(run(&loud).to_string(), run(&silent).to_string());
}

#[test]
fn a_level_is_for_everything_of_hookbox_or_for_one_target() {
    let bed = TestBed::with_config(&format_gate("denies")).with_variable("HOOKBOX_LOG_FORMAT", "json");
    let bed = bed.with_variable("HOOKBOX_LOG", "off, hookbox::hook=debug,hookbox::chain=off");
    let traces = parse_traces(&run_bus(&bed, &[]));
    let targets: BTreeSet<_> = traces.iter().map(|trace| trace["target"].as_str().unwrap()).collect();
    assert_eq!(targets, BTreeSet::from(["hookbox::hook"]));
}

#[test]
fn an_invalid_value_of_a_log_variable_is_reported_and_the_command_continues() {
    for (name, value, expected) in [
        (
            "HOOKBOX_LOG",
            "loud",
            "warning: HOOKBOX_LOG has the level \"loud\"; levels are off, error, warn, info, debug and trace, as in \
             `HOOKBOX_LOG=debug` or `HOOKBOX_LOG=hookbox::chain=debug`\n",
        ),
        (
            "HOOKBOX_LOG_FORMAT",
            "xml",
            "warning: HOOKBOX_LOG_FORMAT is \"xml\"; set it to `text` or `json`, or leave it out\n",
        ),
    ] {
        let bed = TestBed::with_config(&format_gate("denies"));
        let bed = if name == "HOOKBOX_LOG" { bed } else { bed.with_variable("HOOKBOX_LOG", "debug") };
        let ran = run_bus(&bed.with_variable(name, value), &[]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, expected));
        assert!(ran.stdout.contains("\"decision\":\"deny\""), "{ran}");
    }
}
