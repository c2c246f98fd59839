//! Events and answers of llxprt-code, Gemini CLI's fork, where they differ from Gemini CLI.

use hookbox::dialect::{self, Dialect, gemini_cli::GeminiCli, llxprt::Llxprt};
use hookbox_embed::ProcessedHookResult;
use hookbox_model::{
    Answer, Event, HandlerKind, HookReport, Layer, Outcome, Reason, Rewrite, Role, Status, Tier, Verdict,
};

use super::{blocks, extra, json, read, recognised, rewrite, said, samples, shown, texts, verdict};

fn event(name: &str) -> Event {
    let known = samples::GEMINI_CLI.iter().find(|(sample, _)| *sample == name);
    read(&Llxprt, &samples::input(name, known.map_or(r#""x":1"#, |(_, members)| members))).unwrap()
}

fn told(name: &str, outcome: &Outcome) -> String {
    shown(&Llxprt.write(&event(name), outcome))
}

/// Returns a report of a hook that gave this answer.
pub(crate) fn answered(hook: &str, answer: Answer) -> HookReport {
    let status = Status::Answered(answer);
    let mut report = HookReport::new(hook, HandlerKind::Callback, Role::Transform, status);
    (report.layer, report.tier) = (Layer::User, Tier::Own);
    report
}

#[test]
fn every_event_reads_as_gemini_cli_s_does_but_for_the_agent() {
    for (name, members) in samples::GEMINI_CLI {
        let input = samples::input(name, members);
        let [ours, theirs] = [&Llxprt as &dyn Dialect, &GeminiCli].map(|d| read(d, &input).unwrap());
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
        assert_eq!(recognised(&text), Some(expected));
    }
    assert_eq!(dialect::named("llxprt").unwrap().name(), "llxprt");
}

#[test]
fn a_session_may_start_after_a_compression() {
    let event = read(&Llxprt, &samples::input("SessionStart", r#""source":"compress""#)).unwrap();
    assert_eq!(event.payload.as_str(), r#"{"source":"compress"}"#);
}

#[test]
fn an_empty_outcome_is_an_empty_object() {
    for (name, _) in samples::GEMINI_CLI {
        assert_eq!(told(name, &Outcome::default()), "0 {}", "{name}");
    }
}

#[test]
fn an_ask_is_a_deny_because_it_cannot_be_said() {
    const REASON: &str = r#""reason":"guard-shell: this erases the disk (rm-root)""#;
    let deny = format!(r#"0 {{"decision":"deny",{REASON}}}"#);
    for word in [Verdict::Ask as fn(_) -> _, Verdict::Defer, Verdict::Deny] {
        assert_eq!(told("BeforeTool", &verdict(word)), deny);
        assert_eq!(told("AfterTool", &verdict(word)), deny);
    }
    let allow = format!(r#"0 {{"decision":"allow",{REASON}}}"#);
    assert_eq!(told("BeforeTool", &verdict(Verdict::Allow)), allow);
}

#[test]
fn every_answer_exits_with_0_because_json_counts_there_only() {
    let names = samples::GEMINI_CLI.iter().map(|(name, _)| *name).chain(["FutureEvent"]);
    for name in names {
        for outcome in [verdict(Verdict::Deny), verdict(Verdict::Ask), texts(), rewrite("{}")] {
            assert_eq!(Llxprt.write(&event(name), &outcome).exit, 0, "{name}");
        }
    }
    assert_eq!(
        told("FutureEvent", &verdict(Verdict::Deny)),
        r#"0 {"decision":"deny","reason":"guard-shell: this erases the disk (rm-root)"}"#
    );
}

#[test]
fn a_deny_and_a_failure_block_whatever_can_be_blocked() {
    let names = samples::GEMINI_CLI.iter().map(|(name, _)| *name).chain(["FutureEvent"]);
    for name in names {
        let event = event(name);
        // llxprt-code does not wait for the answer to PreCompress.
        let can = event.name.traits().block && name != "PreCompress";
        let deny = Llxprt.write(&event, &verdict(Verdict::Deny));
        assert_eq!((blocks(&deny), deny.unexpressed.is_empty()), (can, can), "{name}");
        let failure = Llxprt.write_failure(Some(name), "broken");
        // A failure blocks only with exit code 2, with stderr as the reason.
        assert_eq!((failure.exit, failure.stderr.as_str()), (if can { 2 } else { 1 }, "broken\n"), "{name}");
    }
    assert_eq!(
        shown(&Llxprt.write_failure(None, "broken")),
        r#"2 {"decision":"deny","reason":"broken"} | broken"#
    );
}

#[test]
fn the_boundary_of_a_rewritten_request_is_passed_whatever_it_is() {
    let boundary = r#"{"llm_request_boundary":{"pendingMessageStartIndex":2}}"#;
    assert_eq!(
        told("BeforeModel", &extra(boundary)),
        r#"0 {"hookSpecificOutput":{"hookEventName":"BeforeModel","llm_request_boundary":{"pendingMessageStartIndex":2}}}"#
    );
    for malformed in ["2", "null"] {
        assert_eq!(
            told("BeforeModel", &extra(&format!(r#"{{"llm_request_boundary":{malformed}}}"#))),
            format!(
                r#"0 {{"hookSpecificOutput":{{"hookEventName":"BeforeModel","llm_request_boundary":{malformed}}}}}"#
            )
        );
    }
    assert_eq!(told("AfterModel", &extra(boundary)), "0 {} | lost extra");
    assert_eq!(
        told("AfterAgent", &extra(r#"{"clearContext":true}"#)),
        r#"0 {"hookSpecificOutput":{"hookEventName":"AfterAgent","clearContext":true}}"#
    );
}

fn selection(config: &str) -> String {
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
            |part: &&str| Answer { rewrite: Some(Rewrite::Replace(json(part))), ..Answer::default() };
        let reports = hooks.iter().map(|part| answered("h", answer(part))).collect();
        let outcome = Outcome { reports, ..rewrite(last) };
        assert_eq!(told("BeforeToolSelection", &outcome), selection(expected));
    }
    assert_eq!(told("BeforeToolSelection", &rewrite("[]")), "0 {} | lost rewrite");
}

#[test]
fn a_patch_restricts_the_tools_too() {
    let patch = json(r#"{"allowedFunctionNames":["a"]}"#);
    let answer = Answer { rewrite: Some(Rewrite::Merge(patch)), ..Answer::default() };
    let outcome =
        Outcome { reports: vec![answered("h", answer)], ..rewrite(r#"{"allowedFunctionNames":["a","b"]}"#) };
    assert_eq!(told("BeforeToolSelection", &outcome), selection(r#"{"allowedFunctionNames":["a"]}"#));
}

fn processed(outcome: &Outcome) -> ProcessedHookResult {
    ProcessedHookResult::new(&event("BeforeTool"), outcome)
}

#[test]
fn nothing_said_is_processed_to_going_on() {
    assert_eq!(processed(&Outcome::default()), ProcessedHookResult::default());
    let denied = processed(&verdict(Verdict::Deny));
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
            answered("h", Answer { verdict: deny(text), stop: stop.map(str::to_owned), ..Answer::default() })
        };
        let reports = vec![of("not mine", None), of(reason, Some(stop)), of("later", Some("later"))];
        let processed = processed(&Outcome { reports, ..Outcome::default() });
        assert_eq!((processed.should_stop, processed.stop_reason.as_deref()), (true, Some(expected)));
    }
}

/// Returns hooks with a notice each, and a setting about the output.
fn noticed(hooks: [(&str, &str); 3]) -> Outcome {
    let hook = |(notice, extra): (&str, &str)| {
        let extra = Some(extra).filter(|extra| !extra.is_empty()).map(json);
        answered("h", Answer { notice: Some(notice.to_owned()), extra, ..Answer::default() })
    };
    let extras = hooks.iter().filter(|(_, extra)| !extra.is_empty()).map(|(_, extra)| said("h", json(extra)));
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
        let outcome = noticed([(" ", HIDE), ("Look.", first), ("And here.", second)]);
        let processed = processed(&outcome);
        assert_eq!(
            (processed.system_message.as_deref(), processed.suppress_output),
            (Some("Look."), expected)
        );
        // An agent that calls without `processed` receives the setting of any hook.
        let hidden = Llxprt.write(&event("BeforeTool"), &outcome).stdout.contains(r#""suppressOutput":true"#);
        assert!(hidden);
    }
    let silent = noticed([("", HIDE), ("", HIDE), ("", "")]);
    let silent = processed(&silent);
    assert_eq!((silent.system_message, silent.suppress_output), (None, false));
}
