//! Guests made to break out of the contract: each ends as a failure with its code, alone and many at once.

use std::{collections::HashMap, fs, sync::Arc, thread, time::Duration};

use hookbox::{
    Counts, HookSpec, Origin, PROJECT_HOOKS, ToolMatcher,
    model::{
        Event, FailureCode, HookReport, Json, Layer, Limit, Limits, OnFailure, Role, Status, TrustLevel,
    },
    sandbox::engine_settings::Allocation,
};

use crate::{
    Bed,
    attacks::{self, ATTACKS},
    create_brief_limits, create_hook, create_runtime, dispatch_event, expect_failure, find_failure_code,
    guests, share_host, tool_event,
};

#[test]
fn a_guest_that_keeps_its_answer_to_itself_ends_at_the_timeout() {
    assert_eq!(Bed::new().run_to_failure("loops_in_post_return").code, FailureCode::Timeout);
}

#[test]
fn a_host_call_while_an_argument_is_handed_over_is_a_trap() {
    let report = Bed::new().run("logs_in_realloc", &create_brief_limits());
    assert_eq!((find_failure_code(&report), report.log), (FailureCode::Trap, vec![]));
}

#[test]
fn an_argument_cannot_be_taken_where_none_can_be() {
    for guest in ["takes_unaligned", "takes_out_of_bounds"] {
        assert_eq!(Bed::new().run_to_failure(guest).code, FailureCode::Trap, "{guest}");
    }
}

#[test]
fn recursion_by_way_of_others_ends_at_the_end_of_the_stack_too() {
    for guest in ["recurses_mutually", "recurses_by_table"] {
        assert_eq!(Bed::new().run_to_failure(guest).code, FailureCode::Stack, "{guest}");
    }
}

#[test]
fn every_kind_of_trap_is_a_failure_that_says_which() {
    for (guest, kind) in [
        ("traps", "wasm `unreachable` instruction executed"),
        ("divides_by_zero", "integer divide by zero"),
        ("reads_out_of_bounds", "out of bounds memory access"),
        ("calls_null", "uninitialized element"),
        ("calls_wrong_type", "indirect call type mismatch"),
    ] {
        let failure = Bed::new().run_to_failure(guest);
        assert_eq!(failure.to_string(), format!("trap: the guest trapped: wasm trap: {kind}"), "{guest}");
    }
}

#[test]
fn a_value_that_its_type_does_not_have_is_a_trap() {
    for guest in [
        "returns_bad_result",
        "returns_bad_option",
        "returns_bad_variant",
        "returns_surrogate",
        "logs_bad_level",
        "logs_bad_text",
        "logs_out_of_bounds",
    ] {
        assert_eq!(Bed::new().run_to_failure(guest).code, FailureCode::Trap, "{guest}");
    }
}

#[test]
fn a_length_that_no_memory_has_is_refused_before_anything_is_copied() {
    let failure = Bed::new().run_to_failure("returns_4_gib");
    assert_eq!(failure.code, FailureCode::Trap, "{failure}");
}

#[test]
fn deeply_nested_json_is_not_an_answer() {
    let failure = Bed::new().run_to_failure("returns_deep_json");
    assert_eq!(failure.code, FailureCode::BadOutput);
    assert!(failure.message.contains("deep"), "{failure}");
}

#[test]
fn a_log_line_that_is_longer_than_a_host_call_may_be_ends_the_call() {
    let report = Bed::new().run("logs_megabytes", &create_brief_limits());
    assert_eq!((find_failure_code(&report), report.log), (FailureCode::Output, vec![]));
}

#[test]
fn endless_questions_end_at_the_number_of_host_calls() {
    let report = Bed::new().run("asks_without_end", &create_brief_limits());
    assert_eq!((find_failure_code(&report), report.usage.host_calls), (FailureCode::HostCalls, Some(1_001)));
}

#[test]
fn questions_that_take_long_to_answer_end_at_the_timeout() {
    let bed = Bed::new();
    let event =
        Event { source: Json::parse(&format!("\"{}\"", "x".repeat(30 << 20))).unwrap(), ..tool_event() };
    let spec = HookSpec { limits: create_brief_limits(), ..bed.create_gate("reads_without_end") };
    for allocation in [Allocation::OnDemand, Allocation::POOLED] {
        let host = bed.builder().allocation(allocation).hooks([spec.clone()]).build();
        let report = dispatch_event(&host, event.clone()).reports.remove(0);
        assert_eq!(find_failure_code(&report), FailureCode::Timeout);
        assert!(report.usage.host_calls.is_none_or(|calls| calls < 1_000), "{:?}", report.usage);
    }
}

#[test]
fn a_hook_finds_nothing_of_the_hook_before_it_in_the_same_slot() {
    let bed = Bed::new();
    let hooks = ["first", "second"].map(|name| create_hook(name, &bed.write_plugin("keeps_state")));
    let pool = Allocation::Pooled { slots: 1, scan: true };
    let host = bed.builder().allocation(pool).hooks(hooks).build();
    for _ in 0..20 {
        assert_eq!(dispatch_event(&host, tool_event()).failed(), Vec::<&str>::new());
    }
}

#[test]
fn a_hundred_looping_untrusted_hooks_do_not_keep_the_users_hooks_from_answering() {
    let bed = Bed::new();
    let loops = bed.write_plugin("loops");
    let strange = Origin::new(Layer::Project, TrustLevel::Untrusted);
    let theirs = (0..100).map(|at| {
        let hook = create_hook(&format!("theirs-{at}"), &loops);
        HookSpec { limits: create_brief_limits(), origin: strange.clone(), ..hook }
    });
    let ours = ["logs_a_lot", "none"].map(|guest| bed.create_gate(guest));
    let host = bed.builder().allocation(Allocation::POOLED).hooks(theirs.chain(ours)).build();
    let outcome = dispatch_event(&host, tool_event());
    let of_hooks: Vec<_> = outcome.reports.iter().filter(|report| report.hook != PROJECT_HOOKS).collect();
    let answered = of_hooks.iter().filter(|report| matches!(report.status, Status::Answered(_)));
    assert_eq!(answered.map(|report| report.hook.as_str()).collect::<Vec<_>>(), ["logs_a_lot", "none"]);
    assert_eq!((of_hooks.len(), outcome.verdict.as_str()), (102, "none"));
}

#[test]
fn a_hundred_looping_untrusted_hooks_take_a_short_time_of_one_event_and_none_of_the_next() {
    let bed = Bed::new();
    let loops = bed.write_plugin("loops");
    let file = Some("/p/.hookbox/hooks.toml".into());
    let strange = Origin { file, line: 1, number: 1, ..Origin::new(Layer::Project, TrustLevel::Untrusted) };
    let theirs = |role: Role| {
        let (loops, strange) = (loops.clone(), strange.clone());
        (0..50).map(move |at| {
            let hook = create_hook(&format!("{role}-{at}"), &loops);
            // Each might take ten seconds, and a thousand million instructions.
            HookSpec { role, limits: Limits::default(), origin: strange.clone(), ..hook }
        })
    };
    let host = || bed.builder().hooks(theirs(Role::Gate).chain(theirs(Role::Observe)));
    let first = host().build();
    let outcome = dispatch_event(&first, tool_event());
    let codes: Vec<_> = outcome.reports.iter().take(100).map(find_failure_code).collect();
    assert_eq!(codes, [FailureCode::Budget; 100]);
    let told: Vec<_> = outcome.notices.iter().map(|notice| notice.hook.as_str()).collect();
    assert_eq!(told, [PROJECT_HOOKS]);

    // Neither the same host nor a later process calls them again, and neither tells it again.
    let counts = first.machine().counts();
    let later = host().counts(counts.clone()).build();
    for host in [&first, &later] {
        let outcome = dispatch_event(host, tool_event());
        assert_eq!(
            outcome.reports.iter().map(find_failure_code).collect::<Vec<_>>(),
            [FailureCode::Tripped; 100]
        );
        assert!(outcome.reports.iter().all(|report| report.usage.start.is_none()));
        assert_eq!(outcome.notices, []);
        assert!(host.hooks().all(|hook| hook.out_for.is_some()));
    }
    let overruns = HashMap::from([("/q/hooks.toml".to_owned(), counts.overruns["/p/.hookbox/hooks.toml"])]);
    let other = host().counts(Counts { overruns, ..counts });
    assert!(other.build().hooks().all(|hook| hook.out_for.is_none()));
}

#[test]
fn every_attack_of_the_soak_results_in_its_failure() {
    let bed = Bed::new();
    let spec = HookSpec { limits: attacks::create_low_limits(), ..bed.create_gate("attacks_in_turns") };
    let come_to = |attack: usize| {
        let host = bed.builder().allocation(Allocation::POOLED).hooks([spec.clone()]).build();
        dispatch_event(&host, Event { time: attack as u64, ..tool_event() }).reports.remove(0)
    };
    assert!(matches!(come_to(0).status, Status::Answered(_)));
    let codes: Vec<_> = (1..=ATTACKS.len()).map(|attack| find_failure_code(&come_to(attack))).collect();
    assert_eq!(codes, ATTACKS);
}

/// What each guest comes to, with limits that machines under load do not change.
const AT_ONCE: [(&str, FailureCode); 10] = [
    ("loops", FailureCode::Fuel),
    ("fills", FailureCode::Timeout),
    ("traps", FailureCode::Trap),
    ("recurses", FailureCode::Stack),
    ("grows_memory", FailureCode::Memory),
    ("takes_out_of_bounds", FailureCode::Trap),
    ("returns_megabytes", FailureCode::Output),
    ("returns_bad_variant", FailureCode::Trap),
    ("returns_deep_json", FailureCode::BadOutput),
    ("logs_without_end", FailureCode::HostCalls),
];

/// Threads that attack at the same time.
const ATTACKERS: usize = 32;

#[test]
fn thirty_two_concurrent_attacks_end_alike_and_leave_the_host_unchanged() {
    let bed = Bed::new();
    let attacks = (0..ATTACKERS).flat_map(|at| AT_ONCE.map(|(guest, _)| create_attack(&bed, guest, at)));
    let good = HookSpec { tool: Some(match_tool("good")), ..bed.create_gate("denies") };
    let builder = bed.builder().budget(Duration::from_mins(5)).allocation(Allocation::POOLED);
    let host = share_host(builder.hooks(attacks.chain([good])));
    let runtime = create_runtime();
    let before = everything_open(|| {
        for tool in ["attack-0", "good"] {
            let _ = runtime.block_on(host.dispatch(of_tool(tool)));
        }
    });
    let threads: Vec<_> = (1..ATTACKERS)
        .map(|at| {
            let host = Arc::clone(&host);
            thread::spawn(move || all_ten(dispatch_event(&host, of_tool(&format!("attack-{at}"))).reports))
        })
        .collect();
    for thread in threads {
        for (report, (guest, expected)) in thread.join().unwrap().iter().zip(AT_ONCE) {
            assert_eq!(expect_failure(report).code, expected, "{guest}: {}", expect_failure(report));
        }
    }
    let after = everything_open(|| {
        for _ in 0..100 {
            let outcome = runtime.block_on(host.dispatch(of_tool("good")));
            assert_eq!(outcome.reasons[0].value.code(), "no");
        }
    });
    assert_eq!(before, wait_until_settled(&before, after));
}

/// What is open, once threads that have ended are gone: the kernel takes a moment for that.
fn wait_until_settled(before: &Open, mut now: Open) -> Open {
    for _ in 0..100_000 {
        if now == *before {
            break;
        }
        thread::yield_now();
        now = everything_open(|| ());
    }
    now
}

/// One thread's hook of this guest.
fn create_attack(bed: &Bed, guest: &str, at: usize) -> HookSpec {
    let path = bed.join_path(&format!("{guest}.wasm"));
    if !path.exists() {
        bed.write_file(&format!("{guest}.wasm"), &guests::build_component(guest));
    }
    let patient = Limits::default().with_limit(Limit::Timeout, 60_000).unwrap();
    let limits = match guest {
        "loops" => patient.with_limit(Limit::Fuel, 3_000_000).unwrap(),
        "fills" => create_brief_limits(),
        _ => patient,
    };
    HookSpec {
        name: format!("{guest}-{at}"),
        tool: Some(match_tool(&format!("attack-{at}"))),
        on_failure: Some(OnFailure::Allow),
        limits,
        ..create_hook(guest, &path)
    }
}

fn match_tool(tool: &str) -> ToolMatcher {
    ToolMatcher { names: vec![tool.to_owned()], ..ToolMatcher::default() }
}

fn of_tool(name: &str) -> Event {
    let mut event = tool_event();
    name.clone_into(&mut event.tool.as_mut().unwrap().name);
    event
}

fn all_ten(reports: Vec<HookReport>) -> Vec<HookReport> {
    assert_eq!(reports.len(), AT_ONCE.len());
    reports
}

/// Descriptors, threads and children.
type Open = (usize, usize, usize);

/// What this process has after `work`.
fn everything_open(work: impl FnOnce()) -> Open {
    work();
    let count = |folder: &str| fs::read_dir(folder).unwrap().count();
    (count("/proc/self/fd"), count("/proc/self/task"), count_children())
}

fn count_children() -> usize {
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let of = |task: fs::DirEntry| fs::read_to_string(task.path().join("children")).unwrap_or_default();
    tasks.map(|task| of(task.unwrap()).split_whitespace().count()).sum()
}

#[test]
fn after_every_attack_a_good_call_of_the_same_host_answers() {
    let bed = Bed::new();
    for (guest, _) in AT_ONCE {
        let bad = HookSpec {
            limits: create_brief_limits(),
            on_failure: Some(OnFailure::Allow),
            ..bed.create_gate(guest)
        };
        let good = HookSpec { priority: -1, ..bed.create_gate("denies") };
        let host = bed.builder().allocation(Allocation::POOLED).hooks([bad, good]).build();
        let outcome = dispatch_event(&host, tool_event());
        assert!(matches!(outcome.reports[0].status, Status::Failed(_)), "{guest}");
        assert_eq!(outcome.reasons[0].value.code(), "no", "{guest}");
    }
}
