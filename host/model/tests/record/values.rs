//! Values as hookbox makes them, odd ones first of all.

use std::time::Duration;

use hookbox_model::{
    Answer, Effect, Event, EventName, Exit, Failure, FailureCode, HandlerKind, HookReport, Json, Labelled,
    Layer, LogLevel, LogLine, OnFailure, Outcome, PluginId, PluginName, ProcessResult, ProfileName, Reason,
    Refusal, Rewrite, Role, Start, Status, Tier, ToolCall, ToolClass, Unreviewed, Usage, Verdict, Version,
    bounded_text,
};
use proptest::{collection::vec, option::of, prelude::*, sample::select};

/// Texts of agents, of any kind.
fn sent() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), Just("\u{0}\u{1b}\"\\\n\u{2028}".to_owned()), Just("ü".repeat(10_001))]
}

/// A text of a hook.
fn text() -> impl Strategy<Value = String> {
    sent().prop_map(|text| bounded_text(&text))
}

fn json() -> impl Strategy<Value = Json> {
    let known = ["null", "-0.0", "1e2", "\"\\u00fc\"", "{ \"a\" : [ ] }", "[1,\n2]", "\t{}", "{}\r\n"];
    let known = known.map(|text| Json::parse(text).expect("it is JSON"));
    let deep = Json::parse(&format!("{}{}", "[".repeat(100), "]".repeat(100))).expect("it is not too deep");
    let string = any::<String>().prop_map(|text| Json::from_value(&text.into()));
    prop_oneof![select(known.to_vec()), Just(deep), string, object()]
}

fn object() -> impl Strategy<Value = Json> {
    vec((any::<String>(), any::<Option<f64>>()), 0..3).prop_map(|members| {
        let value = |number: Option<f64>| number.map_or(serde_json::Value::Null, serde_json::Value::from);
        let members = members.into_iter().map(|(key, number)| (key, value(number)));
        Json::from_value(&serde_json::Value::Object(members.collect()))
    })
}

fn name() -> impl Strategy<Value = EventName> {
    let custom = "[A-Za-z0-9_.:-]{1,128}".prop_filter_map("a known name", |name| EventName::custom(&name));
    prop_oneof![select(EventName::KNOWN), custom, Just(EventName::Custom("custom:ü".into()))]
}

fn tool() -> impl Strategy<Value = ToolCall> {
    (sent(), select(&ToolClass::ALL[..]), of(sent()), vec(sent(), 0..3), json(), of(json())).prop_map(
        |(name, class, command, paths, input, output)| ToolCall {
            name,
            class,
            command,
            paths,
            input,
            output,
        },
    )
}

pub(crate) fn event() -> impl Strategy<Value = Event> {
    let header = (sent(), sent(), sent(), sent(), any::<u64>(), "[!-~]{0,64}");
    (header, name(), of(tool()), object(), json()).prop_map(|(header, name, tool, payload, source)| {
        let (id, agent_event, session, cwd, time, agent) = header;
        Event { id, name, agent: agent.into(), agent_event, session, cwd, time, tool, payload, source }
    })
}

fn reason() -> impl Strategy<Value = Reason> {
    ("[a-z0-9-]{0,65}", sent()).prop_map(|(code, text)| Reason::new(code, &text))
}

fn verdict() -> impl Strategy<Value = Verdict> {
    let made = select(vec![Verdict::Allow, Verdict::Ask, Verdict::Defer, Verdict::Deny]);
    prop_oneof![Just(Verdict::None), (made, reason()).prop_map(|(make, reason)| make(reason))]
}

fn profile() -> impl Strategy<Value = ProfileName> {
    "[A-Za-z0-9._][A-Za-z0-9._-]{0,63}".prop_map(|name| ProfileName::new(name).expect("it is a name"))
}

pub(crate) fn answer() -> impl Strategy<Value = Answer> {
    let rewrite = prop_oneof![json().prop_map(Rewrite::Replace), object().prop_map(Rewrite::Merge)];
    let texts = (of(text()), of(text()), of(text()));
    let parts = (verdict(), of(rewrite), of(profile()), texts, of(object()), any::<(bool, bool)>());
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

fn failure() -> impl Strategy<Value = Failure> {
    (select(&FailureCode::ALL[..]), sent(), of(sent()))
        .prop_map(|(code, message, notice)| Failure::new(code, &message).with_notice(notice.as_deref()))
}

fn status() -> impl Strategy<Value = Status> {
    prop_oneof![
        answer().prop_map(Status::Answered),
        failure().prop_map(Status::Failed),
        Just(Status::Skipped)
    ]
}

/// Durations of all lengths.
fn duration() -> impl Strategy<Value = Duration> {
    (any::<u64>(), 0..1_000_000_000_u32).prop_map(|(seconds, nanos)| Duration::new(seconds, nanos))
}

fn usage() -> impl Strategy<Value = Usage> {
    let counts = any::<(Option<u64>, Option<u64>, Option<u64>, u64, u64, u64)>();
    (duration(), counts, of(select(&Start::ALL[..]))).prop_map(|(wall, counts, start)| {
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

fn process() -> impl Strategy<Value = ProcessResult> {
    let exit = prop_oneof![any::<i32>().prop_map(Exit::Code), any::<i32>().prop_map(Exit::Signal)];
    (exit, text()).prop_map(|(exit, stdout)| ProcessResult { exit, stdout })
}

fn plugin() -> impl Strategy<Value = PluginId> {
    let name = of("[a-z0-9-]{1,8}(/[a-z0-9-]{1,8}){0,2}".prop_map(|name| PluginName::parse(&name).unwrap()));
    let version = of((any::<u64>(), any::<u64>()).prop_map(|(major, minor)| Version::new(major, minor, 0)));
    ("[0-9a-f]{64}", name, version).prop_map(|(digest, name, version)| PluginId { digest, name, version })
}

pub(crate) fn report() -> impl Strategy<Value = HookReport> {
    let refusal = (select(vec!["http", "fs.write"]), sent(), sent(), of(sent())).prop_map(
        |(capability, value, reason, line)| Refusal::new(capability, &value, &reason, line.as_deref()),
    );
    let line = (select(&LogLevel::ALL[..]), sent()).prop_map(|(level, text)| LogLine::new(level, &text));
    let whose = (select(&HandlerKind::ALL[..]), select(&Role::ALL[..]), select(&Layer::ALL[..]));
    let trust = (select(&Tier::ALL[..]), select(&OnFailure::ALL[..]));
    let effects = vec(select(&Effect::ALL[..]), 0..3);
    let came_to = (status(), of(answer()), effects, vec(refusal, 0..3), vec(line, 0..3));
    let theirs = (sent(), status()).prop_map(|(name, status)| Unreviewed { name, status });
    let rest = (usage(), of(process()), of(plugin()), of(theirs));
    (sent(), whose, trust, came_to, rest).prop_map(|(hook, whose, trust, came_to, rest)| {
        let mut report = HookReport::of_host(&hook, Answer::default());
        (report.kind, report.role, report.layer) = whose;
        (report.tier, report.on_failure) = trust;
        let (status, raw, clamped, refused, log) = came_to;
        (report.status, report.clamped, report.refused, report.log) = (status, clamped, refused, log);
        let (usage, process, plugin, unreviewed) = rest;
        (report.usage, report.process, report.plugin) = (usage, process, plugin);
        report.raw = raw.map(Box::new);
        report.unreviewed = unreviewed.map(Box::new);
        report
    })
}

fn labelled<T: std::fmt::Debug>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Labelled<T>> {
    (sent(), value).prop_map(|(hook, value)| Labelled { hook, value })
}

/// Agents that join the texts of their hooks set no bound to them.
fn joined() -> impl Strategy<Value = String> {
    vec(text(), 0..3).prop_map(|texts| texts.join("\n"))
}

pub(crate) fn outcome() -> impl Strategy<Value = Outcome> {
    let texts = (vec(labelled(joined()), 0..3), vec(labelled(joined()), 0..3), of(labelled(joined())));
    let confine = vec(labelled(profile()), 0..3);
    let parts = (vec(labelled(reason()), 0..3), of(json()), confine, vec(labelled(object()), 0..3));
    (verdict(), texts, parts, vec(report(), 0..3), duration()).prop_map(
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
