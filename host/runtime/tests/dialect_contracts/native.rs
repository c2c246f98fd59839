//! hookbox's native JSON, both ways.

use hookbox::{
    Clock,
    agents::{
        Dialect,
        native::{Native, event_json},
    },
    interfaces::Call,
};
use hookbox_model::{
    Effect, EventName, Failure, FailureCode, HandlerKind, HookReport, Json, Layer, Limits, Outcome, Role,
    Status, TrustLevel, Verdict,
};

use super::{
    blocks_event, format_answer, outcome_with_extra, outcome_with_rewrite, outcome_with_texts,
    outcome_with_verdict, parse_json, read_event,
};

fn make_report(hook: &str, status: Status, clamped: Vec<Effect>) -> HookReport {
    let mut report = HookReport::new(hook, HandlerKind::Wasm, Role::Gate, status);
    (report.layer, report.trust_level, report.clamped) = (Layer::User, TrustLevel::Own, clamped);
    report
}

fn answer_to(outcome: &Outcome) -> String {
    let event = read_event(&Native, r#"{"event":"custom:any"}"#).unwrap();
    format_answer(&Native.write(&event, outcome))
}

#[test]
fn what_the_event_has_no_place_for_is_named_and_left_out() {
    let written = |event: &str, outcome: &Outcome| {
        let event = read_event(&Native, &format!(r#"{{"event":"{event}"}}"#)).unwrap();
        format_answer(&Native.write(&event, outcome))
    };
    assert_eq!(
        written("session.start", &outcome_with_verdict(Verdict::Deny)),
        r#"0 {"verdict":"none","lost":["deny"],"hooks":[]} | lost deny"#
    );
    assert_eq!(
        written("session.end", &Outcome { stop: None, notices: Vec::new(), ..outcome_with_texts() }),
        r#"0 {"verdict":"none","lost":["context"],"hooks":[]} | lost context"#
    );
}

#[test]
fn a_shell_hook_reads_the_whole_event() {
    let text = r#"{"event":"tool.before","id":"7","agent_event":"Call","session":"s","cwd":"/p","time":5,
        "tool":{"name":"Bash","input":{"command": "ls"}},"payload":{"n":1.50}}"#;
    let event = read_event(&Native, text).unwrap();
    let original = parse_json(r#"{"command":"rm"}"#);
    let mut outcome = outcome_with_verdict(Verdict::Deny);
    let failure = Failure::new(FailureCode::Trap, "it trapped");
    outcome.reports = vec![make_report("broken", Status::Failed(failure), Vec::new())];
    outcome.rewrite = Some(parse_json("{}"));
    let (config, limits) = (Json::empty_object(), Limits::default());
    let call = Call {
        hook: "h",
        event: &event,
        original: Some(&original),
        outcome: Some(&outcome),
        config: &config,
        limits: &limits,
        clock: Clock::machine(),
        facts: None,
    };
    assert_eq!(
        event_json(&call),
        "{\"event\":\"tool.before\",\"id\":\"7\",\"agent\":\"native\",\"agent_event\":\"Call\",\"session\":\"s\",\
         \"cwd\":\"/p\",\"time\":5,\"tool\":{\"name\":\"Bash\",\"class\":\"shell\",\"command\":\"ls\",\"paths\":[],\
         \"input\":{\"command\": \"ls\"}},\"payload\":{\"n\":1.50},\"original\":{\"command\":\"rm\"},\
         \"outcome\":{\"verdict\":\"deny\",\"deciders\":[\"guard-shell\"],\"rewritten\":{},\"failed\":[\"broken\"]}}"
    );
}

#[test]
fn an_event_needs_only_the_required_members_of_its_schema() {
    let event = read_event(&Native, r#"{"event":"custom:deploy"}"#).unwrap();
    assert_eq!(event.name, EventName::Custom("deploy".into()));
    assert_eq!((event.id.as_str(), event.time, event.cwd.as_str()), ("e1", 1_700_000_000_000, "/arrived"));
    assert_eq!((event.agent.as_ref(), event.agent_event.as_str()), ("native", "custom:deploy"));
    assert_eq!((event.payload.as_str(), event.tool), ("{}", None));
}

#[test]
fn a_custom_tool_states_its_class() {
    let text = r#"{"event":"tool.before","cwd":"/p","tool":{"name":"exec","class":"shell","command":"ls",
        "paths":["a","/b/../c"],"input":{}}}"#;
    let tool = read_event(&Native, text).unwrap().tool.unwrap();
    assert_eq!((tool.class.as_str(), tool.command.as_deref()), ("shell", Some("ls")));
    assert_eq!(tool.paths, ["/p/a", "/c"]);
}

#[test]
fn invalid_input_names_the_event_and_the_field() {
    for (text, expected) in [
        ("{}", ", field `event`: it is missing; it must be a string that is not empty"),
        (
            r#"{"event":"tool.befor"}"#,
            ", field `event`: `tool.befor` is not an event; did you mean `tool.before`?",
        ),
        (
            r#"{"event":"custom:tool.before"}"#,
            ", field `event`: `custom:tool.before` is not an event; an event of your own is `custom:` and a plain \
             name that hookbox does not know",
        ),
        (
            r#"{"event":"custom:x","paylod":{}}"#,
            " in custom:x, field `paylod`: it is not known here; did you mean `payload`?",
        ),
        (r#"{"event":"tool.before"}"#, " in tool.before, field `tool`: it is missing; it must be an object"),
        (
            r#"{"event":"tool.before","tool":{"name":"x"}}"#,
            " in tool.before, field `tool.input`: it is missing; it must be an object",
        ),
        (
            r#"{"event":"tool.after","tool":{"name":"x","input":{}}}"#,
            " in tool.after, field `tool.output`: it is missing; it must be there",
        ),
        (
            r#"{"event":"tool.before","tool":{"name":"x","input":{},"class":"bash"}}"#,
            " in tool.before, field `tool.class`: \"bash\" is not one of shell, file-read, file-write, search, web, \
             mcp, agent, other",
        ),
        (
            r#"{"event":"tool.before","tool":{"name":"x","input":{},"paths":[1]}}"#,
            " in tool.before, field `tool.paths`: it must be an array of strings",
        ),
        (
            r#"{"event":"prompt.submit","payload":{}}"#,
            " in prompt.submit, field `payload.prompt`: it is missing; it must be a string",
        ),
        (
            r#"{"event":"session.start","payload":[]}"#,
            " in session.start, field `payload`: it is an array, but must be an object",
        ),
        (
            r#"{"event":"session.start","time":-1}"#,
            " in session.start, field `time`: it must be a number of milliseconds since the Unix epoch",
        ),
    ] {
        let error = read_event(&Native, text).unwrap_err().to_string();
        assert_eq!(error, format!("VALIDATION_FAILURE{expected}"), "{text}");
    }
}

#[test]
fn the_outcome_is_written_with_what_became_of_each_hook() {
    assert_eq!(answer_to(&Outcome::default()), r#"0 {"verdict":"none","hooks":[]}"#);
    let mut outcome = outcome_with_verdict(Verdict::Deny);
    let failure = Failure::new(FailureCode::Timeout, "no answer in 250 ms");
    outcome.reports = vec![
        make_report("guard-shell", Status::Answered(hookbox_model::Answer::default()), vec![Effect::Rewrite]),
        make_report("slow", Status::Failed(failure), Vec::new()),
        make_report("late", Status::Skipped, Vec::new()),
    ];
    assert_eq!(
        answer_to(&outcome),
        "2 {\"verdict\":\"deny\",\
         \"reasons\":[{\"hook\":\"guard-shell\",\"code\":\"rm-root\",\"text\":\"this erases the disk\"}],\
         \"hooks\":[{\"hook\":\"guard-shell\",\"status\":\"answered\",\"clamped\":[\"rewrite\"]},\
         {\"hook\":\"slow\",\"status\":\"failed\",\"code\":\"timeout\",\"message\":\"no answer in 250 ms\"},\
         {\"hook\":\"late\",\"status\":\"skipped\"}]} | guard-shell: this erases the disk (rm-root)"
    );
}

#[test]
fn every_other_part_of_an_outcome_is_written_with_its_hook() {
    for (outcome, expected) in [
        (outcome_with_rewrite(r#"{"n": 1.50}"#), r#"0 {"verdict":"none","rewrite":{"n": 1.50},"hooks":[]}"#),
        (
            outcome_with_texts(),
            r#"0 {"verdict":"none","contexts":[{"hook":"house-rules","text":"Be kind."}],"notices":[{"hook":"watcher","text":"I saw it."}],"stop":{"hook":"budget","text":"Enough."},"hooks":[]}"#,
        ),
        (
            outcome_with_extra(r#"{"a":1}"#),
            r#"0 {"verdict":"none","extras":[{"hook":"extras","value":{"a":1}}],"hooks":[]}"#,
        ),
    ] {
        assert_eq!(answer_to(&outcome), expected);
    }
}

#[test]
fn a_failure_denies_whatever_can_be_blocked() {
    for event in EventName::KNOWN {
        let failure = Native.write_failure(Some(event.as_str()), "broken");
        assert_eq!(blocks_event(&failure), event.traits().block, "{event}");
    }
    let shown = format_answer(&Native.write_failure(None, "broken"));
    assert_eq!(shown, r#"2 {"verdict":"deny","failure":"broken","hooks":[]} | broken"#);
}
