//! Values as hookbox makes them, odd ones first of all.

use std::time::Duration;

use hookbox_model::{
    Answer, CapabilityRefusal, Effect, Event, EventName, Exit, Failure, FailureCode, HandlerKind, HookReport,
    Json, Labelled, Layer, LogLevel, LogLine, OnFailure, Outcome, PluginId, PluginName, ProcessResult,
    ProfileName, Reason, Rewrite, Role, Start, Status, ToolCall, ToolClass, TrustLevel, Unreviewed, Usage,
    Verdict, Version, bounded_text,
};
use proptest::{collection::vec, option::of, prelude::*, sample::select};

/// Texts of agents, of any kind.
fn any_sent() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), Just("\u{0}\u{1b}\"\\\n\u{2028}".to_owned()), Just("ü".repeat(10_001))]
}

/// A text of a hook.
fn any_text() -> impl Strategy<Value = String> {
    any_sent().prop_map(|text| bounded_text(&text))
}

fn any_json() -> impl Strategy<Value = Json> {
    let known = ["null", "-0.0", "1e2", "\"\\u00fc\"", "{ \"a\" : [ ] }", "[1,\n2]", "\t{}", "{}\r\n"];
    let known = known.map(|text| Json::parse(text).expect("it is JSON"));
    let deep = Json::parse(&format!("{}{}", "[".repeat(100), "]".repeat(100))).expect("it is not too deep");
    let string = any::<String>().prop_map(|text| Json::from_value(&text.into()));
    prop_oneof![select(known.to_vec()), Just(deep), string, any_object()]
}

fn any_object() -> impl Strategy<Value = Json> {
    vec((any::<String>(), any::<Option<f64>>()), 0..3).prop_map(|members| {
        let value = |number: Option<f64>| number.map_or(serde_json::Value::Null, serde_json::Value::from);
        let members = members.into_iter().map(|(key, number)| (key, value(number)));
        Json::from_value(&serde_json::Value::Object(members.collect()))
    })
}

fn any_name() -> impl Strategy<Value = EventName> {
    let custom =
        "[A-Za-z0-9_.:-]{1,128}".prop_filter_map("a known name", |name| EventName::new_custom(&name));
    prop_oneof![select(EventName::KNOWN), custom, Just(EventName::Custom("custom:ü".into()))]
}

fn any_tool() -> impl Strategy<Value = ToolCall> {
    (
        any_sent(),
        select(&ToolClass::ALL[..]),
        of(any_sent()),
        vec(any_sent(), 0..3),
        any_json(),
        of(any_json()),
    )
        .prop_map(|(name, class, command, paths, input, output)| ToolCall {
            name,
            class,
            command,
            paths,
            input,
            output,
        })
}

pub(crate) fn any_event() -> impl Strategy<Value = Event> {
    let header = (any_sent(), any_sent(), any_sent(), any_sent(), any::<u64>(), "[!-~]{0,64}");
    (header, any_name(), of(any_tool()), any_object(), any_json()).prop_map(
        |(header, name, tool, payload, source)| {
            let (id, agent_event, session, cwd, time, agent) = header;
            Event { id, name, agent: agent.into(), agent_event, session, cwd, time, tool, payload, source }
        },
    )
}

fn any_reason() -> impl Strategy<Value = Reason> {
    ("[a-z0-9-]{0,65}", any_sent()).prop_map(|(code, text)| Reason::new(code, &text))
}

fn any_verdict() -> impl Strategy<Value = Verdict> {
    let made = select(vec![Verdict::Allow, Verdict::Ask, Verdict::Defer, Verdict::Deny]);
    prop_oneof![Just(Verdict::None), (made, any_reason()).prop_map(|(make, reason)| make(reason))]
}

fn any_profile() -> impl Strategy<Value = ProfileName> {
    "[A-Za-z0-9._][A-Za-z0-9._-]{0,63}".prop_map(|name| ProfileName::new(name).expect("it is a name"))
}

pub(crate) fn any_answer() -> impl Strategy<Value = Answer> {
    let rewrite = prop_oneof![any_json().prop_map(Rewrite::Replace), any_object().prop_map(Rewrite::Merge)];
    let texts = (of(any_text()), of(any_text()), of(any_text()));
    let parts =
        (any_verdict(), of(rewrite), of(any_profile()), texts, of(any_object()), any::<(bool, bool)>());
    parts.prop_map(|(verdict, rewrite, confine, (context, notice, stop), extra, (last, unseen))| Answer {
        verdict,
        rewrite,
        confine,
        context,
        notice,
        stop,
        extra,
        last,
        unseen,
    })
}

fn any_failure() -> impl Strategy<Value = Failure> {
    (select(&FailureCode::ALL[..]), any_sent(), of(any_sent()))
        .prop_map(|(code, message, notice)| Failure::new(code, &message).with_notice(notice.as_deref()))
}

fn any_status() -> impl Strategy<Value = Status> {
    prop_oneof![
        any_answer().prop_map(Status::Answered),
        any_failure().prop_map(Status::Failed),
        Just(Status::Skipped)
    ]
}

/// Durations of all lengths.
fn any_duration() -> impl Strategy<Value = Duration> {
    (any::<u64>(), 0..1_000_000_000_u32).prop_map(|(seconds, nanos)| Duration::new(seconds, nanos))
}

fn any_usage() -> impl Strategy<Value = Usage> {
    let counts = any::<(Option<u64>, Option<u64>, Option<u64>, u64, u64, u64)>();
    (any_duration(), counts, of(select(&Start::ALL[..]))).prop_map(|(wall, counts, start)| {
        let mut usage = Usage { wall, start, ..Usage::default() };
        (
            usage.fuel,
            usage.peak_memory,
            usage.host_calls,
            usage.requests,
            usage.log_bytes,
            usage.log_dropped,
        ) = counts;
        usage
    })
}

fn any_process() -> impl Strategy<Value = ProcessResult> {
    let exit = prop_oneof![any::<i32>().prop_map(Exit::Code), any::<i32>().prop_map(Exit::Signal)];
    (exit, any_text()).prop_map(|(exit, stdout)| ProcessResult { exit, stdout })
}

fn any_plugin() -> impl Strategy<Value = PluginId> {
    let name = of("[a-z0-9-]{1,8}(/[a-z0-9-]{1,8}){0,2}".prop_map(|name| PluginName::parse(&name).unwrap()));
    let version = of((any::<u64>(), any::<u64>()).prop_map(|(major, minor)| Version::new(major, minor, 0)));
    ("[0-9a-f]{64}", name, version).prop_map(|(digest, name, version)| PluginId { digest, name, version })
}

pub(crate) fn any_report() -> impl Strategy<Value = HookReport> {
    let refusal = (select(vec!["http", "fs.write"]), any_sent(), any_sent(), of(any_sent())).prop_map(
        |(capability, value, reason, line)| {
            CapabilityRefusal::new(capability, &value, &reason, line.as_deref())
        },
    );
    let line = (select(&LogLevel::ALL[..]), any_sent()).prop_map(|(level, text)| LogLine::new(level, &text));
    let whose = (select(&HandlerKind::ALL[..]), select(&Role::ALL[..]), select(&Layer::ALL[..]));
    let trust = (select(&TrustLevel::ALL[..]), select(&OnFailure::ALL[..]));
    let effects = vec(select(&Effect::ALL[..]), 0..3);
    let came_to = (any_status(), of(any_answer()), effects, vec(refusal, 0..3), vec(line, 0..3));
    let theirs = (any_sent(), any_status()).prop_map(|(name, status)| Unreviewed { name, status });
    let rest = (any_usage(), of(any_process()), of(any_plugin()), of(theirs));
    (any_sent(), whose, trust, came_to, rest).prop_map(|(hook, whose, trust, came_to, rest)| {
        let mut report = HookReport::of_host(&hook, Answer::default());
        (report.kind, report.role, report.layer) = whose;
        (report.trust_level, report.on_failure) = trust;
        let (status, raw, clamped, refused, log) = came_to;
        (report.status, report.clamped, report.refused, report.log) = (status, clamped, refused, log);
        let (usage, process, plugin, unreviewed) = rest;
        (report.usage, report.process, report.plugin) = (usage, process, plugin);
        report.raw = raw.map(Box::new);
        report.unreviewed = unreviewed.map(Box::new);
        report
    })
}

fn with_label<T: std::fmt::Debug>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Labelled<T>> {
    (any_sent(), value).prop_map(|(hook, value)| Labelled { hook, value })
}

/// Agents that join the texts of their hooks set no bound to them.
fn any_joined() -> impl Strategy<Value = String> {
    vec(any_text(), 0..3).prop_map(|texts| texts.join("\n"))
}

pub(crate) fn any_outcome() -> impl Strategy<Value = Outcome> {
    let texts = (
        vec(with_label(any_joined()), 0..3),
        vec(with_label(any_joined()), 0..3),
        of(with_label(any_joined())),
    );
    let confine = vec(with_label(any_profile()), 0..3);
    let parts =
        (vec(with_label(any_reason()), 0..3), of(any_json()), confine, vec(with_label(any_object()), 0..3));
    (any_verdict(), texts, parts, vec(any_report(), 0..3), any_duration()).prop_map(
        |(verdict, (contexts, notices, stop), (reasons, rewrite, confine, extras), reports, wall)| Outcome {
            verdict,
            reasons,
            rewrite,
            confine,
            contexts,
            notices,
            stop,
            extras,
            reports,
            wall,
        },
    )
}
