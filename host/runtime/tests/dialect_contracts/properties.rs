//! Properties that hold for any content of an outcome or an event.

use hookbox::{
    Clock,
    agents::{self, Dialect, Part},
    hookfile::Source,
    interfaces::{Call, Contract, ProcessEnd},
    model::Exit,
};
use hookbox_model::{
    Answer, Event, EventName, Failure, Json, Layer, Limits, Outcome, Reason, Rewrite, TrustLevel, Verdict,
};
use proptest::prelude::*;

use super::{
    blocks_event, label_value, native_event, outcome_with_verdict, parse_json, read_event,
    samples::{CLAUDE_CODE, CODEX, GEMINI_CLI, LITELLM, make_input},
    schemas,
};

fn any_member() -> impl Strategy<Value = Json> {
    let leaf =
        prop_oneof![Just("null".to_owned()), Just("-1.50".to_owned()), "[ -~é]{0,8}".prop_map(quote_text)];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let list = proptest::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            list.prop_map(|items| format!("[{}]", items.join(","))),
            inner.prop_map(|item| format!("{{\"a\":{item}}}")),
        ]
    })
    .prop_map(|text| parse_json(&text))
}

fn quote_text(text: String) -> String {
    serde_json::Value::String(text).to_string()
}

fn any_text() -> impl Strategy<Value = String> {
    "[ -~é\\n\u{1b}]{0,20}"
}

/// Generates a deny, with any other parts of an outcome.
fn any_denial() -> impl Strategy<Value = Outcome> {
    let option = || proptest::option::of(any_text());
    (any_text(), option(), option(), option(), proptest::option::of(any_member())).prop_map(
        |(why, context, notice, stop, extra)| {
            let reason = Reason::new("no", &why);
            Outcome {
                verdict: Verdict::Deny(reason.clone()),
                reasons: vec![label_value("gate", reason)],
                contexts: context.map(|text| label_value("a", text)).into_iter().collect(),
                notices: notice.map(|text| label_value("b", text)).into_iter().collect(),
                stop: stop.map(|text| label_value("c", text)),
                extras: extra
                    .map(|value| label_value("d", parse_json(&format!("{{\"x\":{}}}", value.as_str()))))
                    .into_iter()
                    .collect(),
                ..Outcome::default()
            }
        },
    )
}

/// Generates a part of an event, a part of an answer, or any other JSON, as hooks may give it.
fn any_part() -> impl Strategy<Value = Json> {
    let likely = [
        r#"{"command":"ls"}"#,
        r#""text""#,
        r#"{"action":"accept","content":{}}"#,
        r#"{"model":"m","messages":[]}"#,
        r#"{"candidates":[]}"#,
        r#"{"mode":"ANY","allowedFunctionNames":["a"]}"#,
        r#"{"resultType":"success","textResultForLlm":"b"}"#,
    ];
    prop_oneof![proptest::sample::select(likely.to_vec()).prop_map(parse_json), any_member()]
}

/// Generates fields of answers, of valid and invalid kinds.
fn any_extras() -> impl Strategy<Value = Json> {
    let keys = [
        "terminalSequence",
        "sessionTitle",
        "watchPaths",
        "retry",
        "updatedPermissions",
        "interrupt",
        "clearContext",
        "classifierContext",
        "tailToolCallRequest",
        "updatedMCPToolOutput",
        "continue",
        "decision",
        "llm_response",
        "hookEventName",
        "from_the_future",
    ];
    let values = prop_oneof![
        Just("true".to_owned()),
        Just("[]".to_owned()),
        Just(r#"{"name":"n","args":{}}"#.to_owned()),
        Just(r#""\u001b]0;t\u0007""#.to_owned()),
        any_member().prop_map(|value| value.as_str().to_owned()),
    ];
    (proptest::sample::select(keys.to_vec()), values)
        .prop_map(|(key, value)| parse_json(&format!(r#"{{"{key}":{value}}}"#)))
}

/// Generates any outcome.
fn any_outcome() -> impl Strategy<Value = Outcome> {
    let verdict = (0..5, any_text()).prop_map(|(rank, why)| {
        let reason = Reason::new("no", &why);
        match rank {
            0 => Verdict::None,
            1 => Verdict::Allow(reason),
            2 => Verdict::Ask(reason),
            3 => Verdict::Defer(reason),
            _ => Verdict::Deny(reason),
        }
    });
    let option = proptest::option::of;
    (verdict, any_denial(), option(any_part()), proptest::collection::vec(any_extras(), 0..3)).prop_map(
        |(verdict, denied, rewrite, extras)| Outcome {
            reasons: verdict.reason().map(|reason| label_value("gate", reason.clone())).into_iter().collect(),
            verdict,
            rewrite,
            extras: extras.into_iter().map(|value| label_value("e", value)).collect(),
            ..denied
        },
    )
}

/// Returns a sample of every event of every dialect that writes JSON with `hook_event_name`, and LiteLLM's.
fn sample_inputs() -> Vec<(&'static dyn Dialect, String)> {
    let named = |name: &str| agents::find_dialect(name).unwrap();
    let of = |name: &str, rows: &[(&str, &str)]| {
        rows.iter().map(|(event, members)| (named(name), make_input(event, members))).collect::<Vec<_>>()
    };
    let litellm = LITELLM.iter().map(|(method, members, _)| {
        (named("litellm"), format!(r#"{{"litellm_hook":"{method}","cwd":"/p",{members}}}"#))
    });
    let mut all = [
        of("claude-code", &CLAUDE_CODE),
        of("codex", &CODEX),
        of("gemini-cli", &GEMINI_CLI),
        of("llxprt", &GEMINI_CLI),
    ]
    .concat();
    all.extend(litellm);
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_dialect_loses_a_deny_silently(outcome in any_denial()) {
        for (dialect, text) in sample_inputs() {
            let event = read_event(dialect, &text).unwrap();
            let written = dialect.write(&event, &outcome);
            let is_reported = written.unexpressed.contains(&Part::Deny);
            let support = dialect.support(&event.agent_event, &event.name).block;
            let who = format!("{} {}: {written:?}", dialect.name(), event.agent_event);
            prop_assert_eq!(is_reported, !support, "{}", who);
            if support && dialect.name() != "litellm" {
                prop_assert!(blocks_event(&written) || stops_run(&written), "{}", who);
            }
        }
    }

    #[test]
    fn every_answer_is_one_that_its_agent_takes(outcome in any_outcome()) {
        for (dialect, text) in sample_inputs() {
            let event = read_event(dialect, &text).unwrap();
            let written = dialect.write(&event, &outcome);
            let problem = schemas::find_problem(dialect.name(), &event.name, &written.stdout);
            prop_assert_eq!(problem, None, "{}", dialect.name());
            let failed = dialect.write_failure(Some(&event.agent_event), "a failure");
            let problem = schemas::find_problem(dialect.name(), &event.name, &failed.stdout);
            prop_assert_eq!(problem, None, "{}", dialect.name());
        }
    }

    #[test]
    fn an_agent_reads_back_the_deny_that_is_written_for_it(outcome in any_denial()) {
        for (dialect, text) in sample_inputs() {
            let event = read_event(dialect, &text).unwrap();
            let Some(contract) = own_contract(dialect, &event.agent_event) else { continue };
            if !dialect.support(&event.agent_event, &event.name).block { continue }
            let answer = read_back(contract, &event, dialect, &outcome);
            let held = match &answer {
                Ok(answer) => {
                    matches!(answer.verdict, Verdict::Deny(_)) || answer.stop.is_some() || declines_elicitation(answer)
                }
                // Events that a failed hook blocks.
                Err(_) => event.name == EventName::WorktreeCreate,
            };
            prop_assert!(held, "{} {}: {answer:?}", dialect.name(), event.agent_event);
        }
    }

    #[test]
    fn unknown_members_of_an_event_are_kept(value in any_member()) {
        for (dialect, text) in sample_inputs() {
            let text = text.replacen('{', &format!("{{\"from_the_future\":{},", value.as_str()), 1);
            let event = read_event(dialect, &text).unwrap();
            prop_assert_eq!(event.source.as_str(), text.as_str());
            let native = native_event(&event);
            if dialect.name() != "litellm" || event.name != EventName::ModelLog {
                let kept = event.payload.to_value()["from_the_future"].clone();
                prop_assert_eq!(&kept, &value.to_value(), "{} {}", dialect.name(), text);
            }
            prop_assert_eq!(native.payload, event.payload);
            prop_assert_eq!(native.tool, event.tool);
            prop_assert_eq!((native.name, native.cwd, native.session), (event.name, event.cwd, event.session));
        }
    }
}

/// Returns true if the answer declines: an elicitation is answered, not blocked.
fn declines_elicitation(answer: &Answer) -> bool {
    matches!(&answer.rewrite, Some(Rewrite::Replace(part)) if part.as_str().contains(r#""action":"decline""#))
}

/// Returns an outcome whose rewrite is the unchanged part, which every agent that supports a rewrite must accept; for a
/// permission request in addition to an allow.
fn outcome_with_same_rewrite(event: &Event) -> Option<Outcome> {
    let base = match event.name {
        EventName::PermissionRequest => outcome_with_verdict(Verdict::Allow),
        _ => Outcome::default(),
    };
    event.rewritable().map(|part| Outcome { rewrite: Some(part), ..base })
}

#[test]
fn an_ask_and_a_rewrite_are_written_exactly_where_the_dialect_supports_them() {
    for (dialect, text) in sample_inputs() {
        let event = read_event(dialect, &text).unwrap();
        let who = format!("{} {}", dialect.name(), event.agent_event);
        let support = dialect.support(&event.agent_event, &event.name);
        let asked = dialect.write(&event, &outcome_with_verdict(Verdict::Ask));
        if support.ask {
            assert!(
                !blocks_event(&asked) && !asked.unexpressed.contains(&Part::Ask),
                "{who} asks: {asked:?}"
            );
        } else if support.block && dialect.name() != "litellm" {
            // Codex asks by an empty answer when the user is about to be asked anyway.
            let silent = event.name == EventName::PermissionRequest;
            assert!(blocks_event(&asked) || stops_run(&asked) || silent, "{who} does not ask: {asked:?}");
        }
        if let Some(outcome) = outcome_with_same_rewrite(&event) {
            let written = dialect.write(&event, &outcome);
            assert_eq!(!written.unexpressed.contains(&Part::Rewrite), support.rewrite, "{who}: {written:?}");
        }
    }
}

fn stops_run(written: &hookbox::agents::Written) -> bool {
    written.stdout.contains(r#""continue":false"#)
}

/// Returns the contract of a hook in the agent's own file for this event, as `--source` would run it.
fn own_contract(dialect: &dyn Dialect, event: &str) -> Option<&'static dyn Contract> {
    let text = format!(r#"{{"hooks":{{"{event}":[{{"hooks":[{{"type":"command","command":"x"}}]}}]}}}}"#);
    let source = Source {
        layer: Layer::Session,
        trust_level: TrustLevel::Own,
        file: None,
        root: None,
        plugins: hookbox::ShippedPlugins::default(),
        text,
    };
    dialect.hook_file()?.load(&source).hooks.first()?.contract
}

/// Reads hookbox's output for the agent as the output of one of the agent's own hooks.
fn read_back(
    contract: &'static dyn Contract,
    event: &Event,
    dialect: &dyn Dialect,
    outcome: &Outcome,
) -> Result<Answer, Failure> {
    let written = dialect.write(event, outcome);
    let (config, limits) = (Json::empty_object(), Limits::default());
    let call = Call {
        hook: "h",
        event,
        original: None,
        outcome: None,
        config: &config,
        limits: &limits,
        clock: Clock::machine(),
        facts: None,
    };
    let end = ProcessEnd {
        exit: Exit::Code(written.exit.into()),
        stdout: written.stdout.as_bytes(),
        stderr: &written.stderr,
    };
    contract.end(&call, &end)
}
