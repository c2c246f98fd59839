//! Events and answers of llxprt-code, Gemini CLI's fork, where they differ from Gemini CLI.

use hookbox::agents::{self, Dialect, gemini_cli::GeminiCli, llxprt::Llxprt};
use hookbox_embed::ProcessedHookResult;
use hookbox_model::{
    Answer, Event, HandlerKind, HookReport, Layer, Outcome, Reason, Rewrite, Role, Status, TrustLevel,
    Verdict,
};

use super::{
    blocks_event, detect_agent, format_answer, label_value, outcome_with_extra, outcome_with_rewrite,
    outcome_with_texts, outcome_with_verdict, parse_json, read_event, samples,
};

fn sample_event(name: &str) -> Event {
    let known = samples::GEMINI_CLI.iter().find(|(sample, _)| *sample == name);
    read_event(&Llxprt, &samples::make_input(name, known.map_or(r#""x":1"#, |(_, members)| members))).unwrap()
}

fn answer_to(name: &str, outcome: &Outcome) -> String {
    format_answer(&Llxprt.write(&sample_event(name), outcome))
}

/// Returns a report of a hook that gave this answer.
pub(crate) fn report_answer(hook: &str, answer: Answer) -> HookReport {
    let status = Status::Answered(answer);
    let mut report = HookReport::new(hook, HandlerKind::Callback, Role::Transform, status);
    (report.layer, report.trust_level) = (Layer::User, TrustLevel::Own);
    report
}

#[test]
fn every_event_reads_as_gemini_cli_s_does_but_for_the_agent() {
    for (name, members) in samples::GEMINI_CLI {
        let input = samples::make_input(name, members);
        let [ours, theirs] = [&Llxprt as &dyn Dialect, &GeminiCli].map(|d| read_event(d, &input).unwrap());
        assert_eq!((ours.agent.as_ref(), theirs.agent.as_ref()), ("llxprt", "gemini-cli"));
        assert_eq!(
            (ours.name, ours.payload, ours.tool),
            (theirs.name, theirs.payload, theirs.tool),
            "{name}"
        );
    }
    assert_eq!(Llxprt.events(), GeminiCli.events());
}

#[test]
fn it_is_recognised_by_the_folder_of_its_transcripts_alone() {
    let input = |folder: &str| {
        format!(
            r#"{{"hook_event_name":"BeforeTool","timestamp":"2026-11-21T20:53:55.314Z","transcript_path":"{folder}"}}"#
        )
    };
    for (folder, expected) in [
        ("/home/dev/.llxprt/tmp/chats/session.json", "llxprt"),
        ("/home/dev/.gemini/tmp/chats/session.json", "gemini-cli"),
        ("", "gemini-cli"),
    ] {
        let text = input(folder);
        assert_eq!(detect_agent(&text), Some(expected));
    }
    assert_eq!(agents::find_dialect("llxprt").unwrap().name(), "llxprt");
}

#[test]
fn a_session_may_start_after_a_compression() {
    let event = read_event(&Llxprt, &samples::make_input("SessionStart", r#""source":"compress""#)).unwrap();
    assert_eq!(event.payload.as_str(), r#"{"source":"compress"}"#);
}

#[test]
fn an_empty_outcome_is_an_empty_object() {
    for (name, _) in samples::GEMINI_CLI {
        assert_eq!(answer_to(name, &Outcome::default()), "0 {}", "{name}");
    }
}

#[test]
fn an_ask_is_a_deny_because_it_cannot_be_written() {
    const REASON: &str = r#""reason":"guard-shell: this erases the disk (rm-root)""#;
    let deny = format!(r#"0 {{"decision":"deny",{REASON}}}"#);
    for word in [Verdict::Ask as fn(_) -> _, Verdict::Defer, Verdict::Deny] {
        assert_eq!(answer_to("BeforeTool", &outcome_with_verdict(word)), deny);
        assert_eq!(answer_to("AfterTool", &outcome_with_verdict(word)), deny);
    }
    let allow = format!(r#"0 {{"decision":"allow",{REASON}}}"#);
    assert_eq!(answer_to("BeforeTool", &outcome_with_verdict(Verdict::Allow)), allow);
}

#[test]
fn every_answer_exits_with_0_because_json_counts_there_only() {
    let names = samples::GEMINI_CLI.iter().map(|(name, _)| *name).chain(["FutureEvent"]);
    for name in names {
        for outcome in [
            outcome_with_verdict(Verdict::Deny),
            outcome_with_verdict(Verdict::Ask),
            outcome_with_texts(),
            outcome_with_rewrite("{}"),
        ] {
            assert_eq!(Llxprt.write(&sample_event(name), &outcome).exit, 0, "{name}");
        }
    }
    assert_eq!(
        answer_to("FutureEvent", &outcome_with_verdict(Verdict::Deny)),
        r#"0 {"decision":"deny","reason":"guard-shell: this erases the disk (rm-root)"}"#
    );
}

#[test]
fn a_deny_and_a_failure_block_whatever_can_be_blocked() {
    let names = samples::GEMINI_CLI.iter().map(|(name, _)| *name).chain(["FutureEvent"]);
    for name in names {
        let event = sample_event(name);
        // llxprt-code does not wait for the answer to PreCompress.
        let can = event.name.traits().block && name != "PreCompress";
        let deny = Llxprt.write(&event, &outcome_with_verdict(Verdict::Deny));
        assert_eq!((blocks_event(&deny), deny.unexpressed.is_empty()), (can, can), "{name}");
        let failure = Llxprt.write_failure(Some(name), "broken");
        // A failure blocks only with exit code 2, with stderr as the reason.
        assert_eq!((failure.exit, failure.stderr.as_str()), (if can { 2 } else { 1 }, "broken\n"), "{name}");
    }
    assert_eq!(
        format_answer(&Llxprt.write_failure(None, "broken")),
        r#"2 {"decision":"deny","reason":"broken"} | broken"#
    );
}

#[test]
fn the_boundary_of_a_rewritten_request_is_passed_whatever_it_is() {
    let boundary = r#"{"llm_request_boundary":{"pendingMessageStartIndex":2}}"#;
    assert_eq!(
        answer_to("BeforeModel", &outcome_with_extra(boundary)),
        r#"0 {"hookSpecificOutput":{"hookEventName":"BeforeModel","llm_request_boundary":{"pendingMessageStartIndex":2}}}"#
    );
    for malformed in ["2", "null"] {
        assert_eq!(
            answer_to(
                "BeforeModel",
                &outcome_with_extra(&format!(r#"{{"llm_request_boundary":{malformed}}}"#))
            ),
            format!(
                r#"0 {{"hookSpecificOutput":{{"hookEventName":"BeforeModel","llm_request_boundary":{malformed}}}}}"#
            )
        );
    }
    assert_eq!(answer_to("AfterModel", &outcome_with_extra(boundary)), "0 {} | lost extra");
    assert_eq!(
        answer_to("AfterAgent", &outcome_with_extra(r#"{"clearContext":true}"#)),
        r#"0 {"hookSpecificOutput":{"hookEventName":"AfterAgent","clearContext":true}}"#
    );
}

fn format_selection(config: &str) -> String {
    format!(r#"0 {{"hookSpecificOutput":{{"hookEventName":"BeforeToolSelection","toolConfig":{config}}}}}"#)
}

#[test]
fn a_tool_list_is_what_all_hooks_allow() {
    for (hooks, last, expected) in [
        // A missing list restricts nothing.
        (&[][..], r#"{"mode":"ANY"}"#, r#"{"mode":"ANY"}"#),
        (&[r#"{"mode":"ANY"}"#], r#"{"mode": "ANY"}"#, r#"{"mode": "ANY"}"#),
        // A hook cannot restore a function that an earlier hook removed.
        (
            &[r#"{"allowedFunctionNames":["a","b"]}"#],
            r#"{"mode":"ANY","allowedFunctionNames":["b","c","b"]}"#,
            r#"{"mode":"ANY","allowedFunctionNames":["b"]}"#,
        ),
        (
            &[r#"{"allowedFunctionNames":["a","b"]}"#],
            r#"{"mode":"AUTO"}"#,
            r#"{"mode":"AUTO","allowedFunctionNames":["a","b"]}"#,
        ),
        // An empty list allows nothing, and so does NONE.
        (
            &[r#"{"allowedFunctionNames":[]}"#],
            r#"{"allowedFunctionNames":["a"]}"#,
            r#"{"allowedFunctionNames":[]}"#,
        ),
        (&[], r#"{"mode":"NONE"}"#, r#"{"mode":"NONE","allowedFunctionNames":[]}"#),
        (
            &[r#"{"mode":"NONE"}"#],
            r#"{"mode":"AUTO","allowedFunctionNames":["a"]}"#,
            r#"{"mode":"AUTO","allowedFunctionNames":[]}"#,
        ),
        // An element that is not a name allows no tool.
        (&[], r#"{"allowedFunctionNames":["a",1,null]}"#, r#"{"allowedFunctionNames":["a"]}"#),
    ] {
        let answer =
            |part: &&str| Answer { rewrite: Some(Rewrite::Replace(parse_json(part))), ..Answer::default() };
        let reports = hooks.iter().map(|part| report_answer("h", answer(part))).collect();
        let outcome = Outcome { reports, ..outcome_with_rewrite(last) };
        assert_eq!(answer_to("BeforeToolSelection", &outcome), format_selection(expected));
    }
    assert_eq!(answer_to("BeforeToolSelection", &outcome_with_rewrite("[]")), "0 {} | lost rewrite");
}

#[test]
fn a_patch_restricts_the_tools_too() {
    let patch = parse_json(r#"{"allowedFunctionNames":["a"]}"#);
    let answer = Answer { rewrite: Some(Rewrite::Merge(patch)), ..Answer::default() };
    let outcome = Outcome {
        reports: vec![report_answer("h", answer)],
        ..outcome_with_rewrite(r#"{"allowedFunctionNames":["a","b"]}"#)
    };
    assert_eq!(
        answer_to("BeforeToolSelection", &outcome),
        format_selection(r#"{"allowedFunctionNames":["a"]}"#)
    );
}

fn process_outcome(outcome: &Outcome) -> ProcessedHookResult {
    ProcessedHookResult::new(&sample_event("BeforeTool"), outcome)
}

#[test]
fn an_empty_answer_is_processed_to_a_continuation() {
    assert_eq!(process_outcome(&Outcome::default()), ProcessedHookResult::default());
    let denied = process_outcome(&outcome_with_verdict(Verdict::Deny));
    assert_eq!((denied.should_stop, denied.stop_reason), (false, None));
}

#[test]
fn the_stop_reason_is_the_hook_s_reason_then_its_stop_then_a_set_phrase() {
    for (reason, stop, expected) in [
        ("  over budget \n", "Enough.", "over budget"),
        (" ", " Enough. ", "Enough."),
        ("", "", "Hook requested stop"),
    ] {
        let deny = |text| Verdict::Deny(Reason::new("budget", text));
        let of = |text, stop: Option<&str>| {
            report_answer(
                "h",
                Answer { verdict: deny(text), stop: stop.map(str::to_owned), ..Answer::default() },
            )
        };
        let reports = vec![of("not mine", None), of(reason, Some(stop)), of("later", Some("later"))];
        let processed = process_outcome(&Outcome { reports, ..Outcome::default() });
        assert_eq!((processed.should_stop, processed.stop_reason.as_deref()), (true, Some(expected)));
    }
}

/// Returns hooks with a notice each, and a setting about the output.
fn outcome_with_notices(hooks: [(&str, &str); 3]) -> Outcome {
    let hook = |(notice, extra): (&str, &str)| {
        let extra = Some(extra).filter(|extra| !extra.is_empty()).map(parse_json);
        report_answer("h", Answer { notice: Some(notice.to_owned()), extra, ..Answer::default() })
    };
    let extras = hooks
        .iter()
        .filter(|(_, extra)| !extra.is_empty())
        .map(|(_, extra)| label_value("h", parse_json(extra)));
    Outcome { extras: extras.collect(), reports: hooks.map(hook).into(), ..Outcome::default() }
}

const HIDE: &str = r#"{"suppressOutput":true}"#;

#[test]
fn the_first_notice_counts_and_whether_its_own_hook_suppresses_output() {
    for (first, second, expected) in [
        (HIDE, "", true),
        (r#"{"suppressOutput":false}"#, HIDE, false),
        (r#"{"suppressOutput":1}"#, HIDE, false),
        ("", HIDE, false),
    ] {
        let outcome = outcome_with_notices([(" ", HIDE), ("Look.", first), ("And here.", second)]);
        let processed = process_outcome(&outcome);
        assert_eq!(
            (processed.system_message.as_deref(), processed.suppress_output),
            (Some("Look."), expected)
        );
        // An agent that calls without `processed` receives the setting of any hook.
        let hidden =
            Llxprt.write(&sample_event("BeforeTool"), &outcome).stdout.contains(r#""suppressOutput":true"#);
        assert!(hidden);
    }
    let silent = outcome_with_notices([("", HIDE), ("", HIDE), ("", "")]);
    let silent = process_outcome(&silent);
    assert_eq!((silent.system_message, silent.suppress_output), (None, false));
}
