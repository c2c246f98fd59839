//! Hooks that keep an agent from stopping, in a host that lives on.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use hookbox::{
    Callback, CallbackHook, Host, HostBuilder, MAX_CONSECUTIVE_STOPS, Origin, STOP_LOOP,
    model::{Answer, Event, EventName, Json, Outcome, Reason, Role, TrustLevel, Verdict},
};

use crate::{create_hook, dispatch_event, tool_event};

/// An event of a session; `told` is what its payload tells.
fn create_event(name: EventName, session: &str, told: &str) -> Event {
    let payload = Json::parse_object(told).unwrap();
    Event { name, session: session.to_owned(), tool: None, payload, ..tool_event() }
}

fn create_stop_event(told: &str) -> Event {
    create_event(EventName::AgentStop, "s", told)
}

/// The answer to every stop; how often it was given is counted.
fn create_answering_builder(answer: Answer, trust_level: TrustLevel) -> (HostBuilder, Arc<AtomicU32>) {
    let calls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&calls);
    let callback = Callback::sync(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(answer.clone())
    });
    (Host::builder().callback(create_callback_hook("stubborn", trust_level), callback), calls)
}

fn create_callback_hook(name: &str, trust_level: TrustLevel) -> CallbackHook {
    let base = create_hook(name, std::path::Path::new("/"));
    let origin = Origin { trust_level, ..base.origin.clone() };
    let events = vec![EventName::AgentStop, EventName::SubagentStop, EventName::ToolBefore];
    CallbackHook::from(hookbox::HookSpec { events, origin, role: Role::Gate, ..base })
}

fn create_denial() -> Answer {
    Answer::deny("tests", "the tests fail")
}

fn create_denying_host() -> Host {
    create_answering_builder(create_denial(), TrustLevel::Own).0.build()
}

fn is_kept(outcome: &Outcome) -> bool {
    outcome.verdict != Verdict::None || !outcome.contexts.is_empty()
}

/// How often in a row an agent is kept that goes on until it may stop.
fn count_turns(host: &Host, event: &Event) -> u32 {
    let mut turns = 0;
    while is_kept(&dispatch_event(host, event.clone())) {
        turns += 1;
        assert!(turns < 100, "it is kept for ever");
    }
    turns
}

#[test]
fn an_agent_is_kept_from_stopping_so_often_and_then_let_go() {
    let (builder, calls) = create_answering_builder(create_denial(), TrustLevel::Own);
    let host = builder.build();
    let mut kept = 0;
    let last = loop {
        let outcome = dispatch_event(&host, create_stop_event("{}"));
        if !is_kept(&outcome) {
            break outcome;
        }
        kept += 1;
        assert!(kept < 100, "it is kept for ever");
    };
    assert_eq!((kept, calls.load(Ordering::Relaxed)), (MAX_CONSECUTIVE_STOPS, MAX_CONSECUTIVE_STOPS + 1));
    let told: Vec<_> =
        last.notices.iter().map(|notice| (notice.hook.as_str(), notice.value.as_str())).collect();
    assert_eq!(
        told,
        [(
            STOP_LOOP,
            "hooks kept the agent from stopping 8 times in a row; now hookbox lets it stop, though it is still kept by \
             stubborn (tests)"
        )]
    );
    let reports: Vec<_> = last.reports.iter().map(|report| report.hook.as_str()).collect();
    assert_eq!((reports, last.deciders()), (vec!["stubborn", STOP_LOOP], vec![]));
    assert_eq!(
        count_turns(&host, &create_stop_event("{}")),
        MAX_CONSECUTIVE_STOPS,
        "and then it begins anew"
    );
}

#[test]
fn every_way_to_keep_it_counts() {
    let failing = Callback::sync(|_| Err("broken".into()));
    let host = Host::builder().callback(create_callback_hook("fails", TrustLevel::Own), failing).build();
    assert_eq!(count_turns(&host, &create_stop_event("{}")), MAX_CONSECUTIVE_STOPS);
    for verdict in [Verdict::Ask(Reason::new("a", "")), Verdict::Defer(Reason::new("a", ""))] {
        let host = create_answering_builder(verdict.into(), TrustLevel::Own).0.build();
        assert_eq!(
            count_turns(&host, &create_event(EventName::SubagentStop, "s", "{}")),
            MAX_CONSECUTIVE_STOPS
        );
    }
    let context = Answer { context: Some("look again".to_owned()), ..Answer::default() };
    let host = create_answering_builder(context, TrustLevel::Own).0.build();
    assert_eq!(count_turns(&host, &create_stop_event(r#"{"stop_hook_active":true}"#)), MAX_CONSECUTIVE_STOPS);
}

#[test]
fn a_stop_that_is_not_kept_a_prompt_and_a_first_stop_begin_anew() {
    let calls = AtomicU32::new(0);
    let callback = Callback::sync(move |_| {
        let passed = calls.fetch_add(1, Ordering::Relaxed) % 4 == 3;
        Ok(if passed { Answer::default() } else { create_denial() })
    });
    let host = Host::builder().callback(create_callback_hook("sometimes", TrustLevel::Own), callback).build();
    for round in 0..20 {
        let outcome = dispatch_event(&host, create_stop_event("{}"));
        assert_eq!((is_kept(&outcome), outcome.notices.len()), (round % 4 != 3, 0), "{round}");
    }

    let host = create_denying_host();
    let anew = [
        create_event(EventName::PromptSubmit, "s", r#"{"prompt":"go"}"#),
        create_event(EventName::SessionEnd, "s", "{}"),
    ];
    for event in anew {
        for _ in 0..MAX_CONSECUTIVE_STOPS {
            assert!(is_kept(&dispatch_event(&host, create_stop_event("{}"))));
        }
        dispatch_event(&host, event);
    }
    assert_eq!(count_turns(&host, &create_stop_event("{}")), MAX_CONSECUTIVE_STOPS);
    for told in [r#"{"stop_hook_active":false}"#, r#"{"loop_count":0}"#] {
        for _ in 0..20 {
            assert!(is_kept(&dispatch_event(&host, create_stop_event(told))), "{told}");
        }
    }
}

#[test]
fn sessions_agents_and_events_are_counted_separately() {
    let host = create_denying_host();
    let all = [
        create_stop_event("{}"),
        create_event(EventName::AgentStop, "other", "{}"),
        create_event(EventName::SubagentStop, "s", r#"{"agent_id":"1"}"#),
        create_event(EventName::SubagentStop, "s", r#"{"agent_id":"2"}"#),
        Event { agent: "codex".into(), ..create_stop_event("{}") },
    ];
    for _ in 0..MAX_CONSECUTIVE_STOPS {
        assert!(all.iter().all(|event| is_kept(&dispatch_event(&host, event.clone()))));
    }
    assert!(!all.iter().any(|event| is_kept(&dispatch_event(&host, event.clone()))));
}

#[test]
fn an_untrusted_hook_does_not_use_up_the_limit_of_the_users_hooks() {
    let strangers = Callback::sync(|_| Ok(create_denial()));
    let strict = Arc::new(AtomicU32::new(0));
    let is_strict = Arc::clone(&strict);
    let own = Callback::sync(move |_| {
        Ok(if is_strict.load(Ordering::Relaxed) == 1 { create_denial() } else { Answer::default() })
    });
    let host = Host::builder()
        .callback(create_callback_hook("stranger", TrustLevel::Untrusted), strangers)
        .callback(create_callback_hook("own", TrustLevel::Own), own)
        .build();
    for _ in 0..MAX_CONSECUTIVE_STOPS {
        assert!(is_kept(&dispatch_event(&host, create_stop_event("{}"))));
    }
    strict.store(1, Ordering::Relaxed);
    assert_eq!(count_turns(&host, &create_stop_event("{}")), MAX_CONSECUTIVE_STOPS);
}

#[test]
fn other_events_and_agents_without_a_session_are_not_counted() {
    let host = create_denying_host();
    for _ in 0..20 {
        assert!(is_kept(&dispatch_event(&host, Event { session: "s".to_owned(), ..tool_event() })));
        assert!(is_kept(&dispatch_event(&host, create_event(EventName::AgentStop, "", "{}"))));
    }
    assert!(host.machine().counts().stops.is_empty());
}

#[test]
fn sequences_without_end_take_no_memory_without_end() {
    let host = create_denying_host();
    for session in 0..1100 {
        dispatch_event(
            &host,
            create_event(EventName::AgentStop, &format!("{session}{}", "x".repeat(1000)), "{}"),
        );
    }
    let kept = host.machine().counts().stops;
    assert!(kept.len() == 1024 && kept.keys().all(|key| key.len() < 128), "{}", kept.len());
}

#[test]
fn a_count_outlives_its_host() {
    let host = create_denying_host();
    for _ in 0..3 {
        dispatch_event(&host, create_stop_event("{}"));
    }
    let host =
        create_answering_builder(create_denial(), TrustLevel::Own).0.counts(host.machine().counts()).build();
    assert_eq!(count_turns(&host, &create_stop_event("{}")), MAX_CONSECUTIVE_STOPS - 3);
}
