//! Guests in a process of their own: a stranger's, and those of hooks that ask for it.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, thread, time::Duration};

use hookbox::{
    HookSpec, Host, Origin, Target,
    handler::shell::confine::KernelSupport,
    hook::WasmSpec,
    model::{
        Event, EventName, Failure, FailureCode, HookReport, Layer, Limit, Limits, OnFailure, Outcome, Status,
        TrustLevel,
    },
    sandbox::{
        compile::Compiler,
        engine_settings::{Allocation, SETTINGS},
    },
};
use rustix::process::{Pid, Signal, kill_process};

use crate::{
    Bed, create_brief_limits, create_compiler, create_hook, dispatch_event, expect_failure,
    find_failure_code, guests, tool_event,
};

/// A hook of a project that nobody has reviewed.
fn untrusted_hook(bed: &Bed, guest: &str) -> HookSpec {
    let within = bed.join_path("");
    let calls = WasmSpec { confined_to: Some(within), ..WasmSpec::new(bed.write_plugin(guest)) };
    let origin = Origin::new(Layer::Project, TrustLevel::Untrusted);
    HookSpec { origin, ..HookSpec::new(guest, Target::Wasm(calls)).on([EventName::ToolBefore]) }
}

/// A hook of the user's own that runs apart.
fn create_isolated_hook(name: &str, component: &Path) -> HookSpec {
    let calls = WasmSpec { isolate: true, ..WasmSpec::new(component) };
    HookSpec { target: Target::Wasm(calls), ..create_hook(name, component) }
}

fn create_pooled_host(bed: &Bed, hooks: impl IntoIterator<Item = HookSpec>) -> Host {
    bed.builder().allocation(Allocation::POOLED).hooks(hooks).build()
}

fn read_proc(process: u32, what: &str) -> String {
    fs::read_to_string(format!("/proc/{process}/{what}")).unwrap_or_default()
}

/// The processes that run guests for this test, or pretend to and wait, and live.
fn list_workers() -> Vec<u32> {
    let processes =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    let processes = processes.filter_map(|name| name.parse().ok());
    let parent = format!("PPid:\t{}\n", std::process::id());
    let is_ours = |process: &u32| {
        let status = read_proc(*process, "status");
        status.contains(&parent)
            && !status.contains("State:\tZ")
            && ["\0--worker\0", "/bin/sleep\x001000\0"]
                .iter()
                .any(|words| read_proc(*process, "cmdline").contains(words))
    };
    processes.filter(is_ours).collect()
}

fn only_worker() -> u32 {
    let workers = list_workers();
    assert_eq!(workers.len(), 1, "{workers:?}");
    workers[0]
}

fn to_pid(process: u32) -> Pid {
    Pid::from_raw(process.try_into().unwrap()).unwrap()
}

fn kill_worker(process: u32) {
    kill_process(to_pid(process), Signal::KILL).unwrap();
    // Before that its command line is gone, and its end of the wire may still be there.
    let has_ended = || {
        let status = read_proc(process, "status");
        status.is_empty() || status.contains("State:\tZ")
    };
    while !has_ended() {
        thread::yield_now();
    }
}

fn find_first_report(outcome: &Outcome) -> &HookReport {
    &outcome.reports[0]
}

#[test]
fn untrusted_guests_answer_from_one_separate_process() {
    let bed = Bed::new();
    // Not of one event: a call that takes long has the next one start a second process.
    let second = untrusted_hook(&bed, "none").on([EventName::SessionStart]);
    let host = create_pooled_host(&bed, [untrusted_hook(&bed, "denies"), second]);
    assert_eq!(list_workers(), [0; 0]);
    assert_eq!(dispatch_event(&host, tool_event()).deciders(), ["project hook"]);
    let worker = only_worker();
    let begin = Event { name: EventName::SessionStart, tool: None, ..tool_event() };
    assert!(matches!(find_first_report(&dispatch_event(&host, begin)).status, Status::Answered(_)));
    assert_eq!(dispatch_event(&host, tool_event()).deciders(), ["project hook"]);
    assert_eq!(only_worker(), worker);
    drop(host);
    while !list_workers().is_empty() {
        thread::yield_now();
    }
}

#[test]
fn a_hook_of_the_users_own_runs_in_the_host_unless_it_asks() {
    let bed = Bed::new();
    let host = create_pooled_host(&bed, [bed.create_gate("denies")]);
    assert_eq!(dispatch_event(&host, tool_event()).deciders(), ["denies"]);
    assert_eq!(list_workers(), [0; 0]);
    let plugins = ["allows", "none"].map(|guest| create_isolated_hook(guest, &bed.write_plugin(guest)));
    let host = create_pooled_host(&bed, plugins);
    assert_eq!(dispatch_event(&host, tool_event()).deciders(), ["allows"]);
    assert_eq!(list_workers().len(), 2, "each of them is alone");
}

#[test]
fn that_process_has_no_environment_no_files_and_no_way_to_get_any() {
    let bed = Bed::new();
    let host = create_pooled_host(&bed, [untrusted_hook(&bed, "denies")]);
    // Not closed in a new program, as descriptors of an embedding program may be.
    let _leaks = rustix::io::fcntl_dupfd_cloexec(fs::File::open("/").unwrap(), 50).inspect(|leak| {
        rustix::io::fcntl_setfd(leak, rustix::io::FdFlags::empty()).unwrap();
    });
    dispatch_event(&host, tool_event());
    let worker = only_worker();
    assert_eq!(read_proc(worker, "environ"), "");
    assert_eq!(fs::read_link(format!("/proc/{worker}/cwd")).unwrap(), Path::new("/"));
    let open = fs::read_dir(format!("/proc/{worker}/fd")).unwrap();
    let open = open.map(|entry| fs::read_link(entry.unwrap().path()).unwrap().display().to_string());
    for open in open {
        assert!(open.starts_with("socket:") || open == "/dev/null", "{open}");
    }
    let (status, limits, here) =
        (read_proc(worker, "status"), read_proc(worker, "limits"), KernelSupport::detect_features());
    assert!(status.contains("NoNewPrivs:\t1\n"), "{status}");
    assert_eq!(status.contains("Seccomp:\t2\n"), here.seccomp, "{status}");
    for limit in ["Max core file size", "Max file size"] {
        let line = limits.lines().find(|line| line.starts_with(limit)).unwrap();
        assert_eq!(line[limit.len()..].split_whitespace().next(), Some("0"), "{line}");
    }
    let threads = fs::read_dir(format!("/proc/{worker}/task")).unwrap().count();
    assert!(threads <= 2, "{threads}");
}

/// What is told of a call but for the time that it took.
fn describe_report(report: &HookReport) -> String {
    let HookReport { status, refused, usage, log, .. } = report;
    let status = match status {
        // A call that is ended by the clock is ended by whoever looks at it first.
        Status::Failed(failure) if failure.code == FailureCode::Timeout => return "timeout".to_owned(),
        status => status,
    };
    // There a guest pays fuel for what is in its memory at first, which is copied and not mapped.
    let used = (usage.peak_memory, usage.host_calls, usage.log_bytes, usage.log_dropped);
    format!("{status:?} {refused:?} {used:?} {log:?}")
}

#[test]
fn a_guest_has_the_same_result_in_the_host_and_in_a_separate_process() {
    let bed = Bed::new();
    for guest in [
        "allows",
        "asks_ungranted",
        "calls_null",
        "core_module",
        "denies",
        "draws",
        "fills",
        "grows_memory",
        "keeps",
        "loops",
        "loops_in_start",
        "logs_a_lot",
        "logs_bad_text",
        "logs_without_end",
        "looks",
        "none",
        "program_asks_without_end",
        "program_blocks_and_allows",
        "program_denies",
        "program_denies_and_fails",
        "program_exits_2",
        "program_exits_3",
        "program_floods",
        "program_looks_around",
        "program_sleeps",
        "program_tells_time",
        "recurses",
        "returns_4_gib",
        "returns_bad_json",
        "returns_deep_json",
        "returns_megabytes",
        "says_error",
        "sends",
        "tells_time",
        "traps",
        "wants_memory",
        "wants_table",
    ] {
        let plugin = bed.write_plugin(guest);
        // Those that no limit ends but that of time have little of it.
        let limits = if guest.contains("loops") || guest.contains("sleeps") {
            create_brief_limits()
        } else {
            Limits::default()
        };
        for allocation in [Allocation::OnDemand, Allocation::POOLED] {
            let [here, there] =
                [create_hook(guest, &plugin), create_isolated_hook(guest, &plugin)].map(|spec| {
                    let spec = HookSpec { limits: limits.clone(), ..spec };
                    let host = bed.builder().allocation(allocation.clone()).hooks([spec]).build();
                    let reports = dispatch_event(&host, tool_event()).reports;
                    // Once more, in an instance and a slot that were used.
                    [reports, dispatch_event(&host, tool_event()).reports]
                        .map(|reports| describe_report(&reports[0]))
                });
            assert_eq!(here, there, "{guest}, {allocation}");
        }
    }
}

#[test]
fn a_process_that_was_killed_is_started_anew() {
    let bed = Bed::new();
    let host = create_pooled_host(&bed, [untrusted_hook(&bed, "denies")]);
    dispatch_event(&host, tool_event());
    let worker = only_worker();
    kill_worker(worker);
    assert_eq!(dispatch_event(&host, tool_event()).deciders(), ["project hook"]);
    assert_ne!(only_worker(), worker);
}

#[test]
fn a_call_that_is_given_up_ends_its_process_and_no_other_call() {
    let bed = Bed::new();
    let late = HookSpec { limits: create_brief_limits(), ..untrusted_hook(&bed, "none") };
    let host = create_pooled_host(&bed, [late, untrusted_hook(&bed, "denies")]);
    dispatch_event(&host, tool_event());
    while list_workers().len() > 1 {
        kill_worker(list_workers()[0]);
    }
    // It looks at no clock any more, and the first call is the first to have it.
    let stopped = only_worker();
    kill_process(to_pid(stopped), Signal::STOP).unwrap();
    let outcome = dispatch_event(&host, tool_event());
    assert_eq!(outcome.deciders(), ["project hook"]);
    assert!(matches!(
        find_failure_code(find_first_report(&outcome)),
        FailureCode::Timeout | FailureCode::Budget
    ));
    while list_workers().contains(&stopped) {
        thread::yield_now();
    }
}

#[test]
fn without_a_worker_untrusted_guests_run_in_the_host_and_a_configured_isolation_is_refused() {
    let bed = Bed::new();
    let asks = HookSpec {
        on_failure: Some(OnFailure::Allow),
        ..create_isolated_hook("none", &bed.write_plugin("none"))
    };
    let hooks = [untrusted_hook(&bed, "denies"), asks];
    // What was compiled before is in the cache.
    dispatch_event(
        &create_pooled_host(&bed, [untrusted_hook(&bed, "denies"), bed.create_gate("none")]),
        tool_event(),
    );
    let host = Host::builder().cache(&bed.join_path("cache")).compiler(Compiler::None).hooks(hooks).build();
    let outcome = dispatch_event(&host, tool_event());
    let (theirs, own): (Vec<_>, Vec<_>) =
        outcome.reports.iter().partition(|report| report.trust_level == TrustLevel::Untrusted);
    assert!(matches!(&theirs[0].status, Status::Answered(_)), "{:?}", theirs[0].status);
    let refused = expect_failure(own[0]);
    assert_eq!(refused.code, FailureCode::Refused);
    assert!(refused.message.starts_with("`isolate = true` is not available"), "{refused}");
    assert_eq!(list_workers(), [0; 0]);
}

/// A message as it stands on the wire.
fn encode_frame(json: &str) -> Vec<u8> {
    let number = |length: usize| u32::try_from(length).unwrap().to_le_bytes();
    [&number(json.len() + 8)[..], &number(json.len()), json.as_bytes()].concat()
}

fn encode_hello() -> Vec<u8> {
    let build = format!("{} {SETTINGS}", env!("CARGO_PKG_VERSION"));
    encode_frame(&format!(r#"{{"build":"{build}","held":[],"missing":[],"trouble":null}}"#))
}

fn encode_hook() -> Vec<u8> {
    encode_frame(r#"{"Ok":"hook"}"#)
}

fn encode_result(result: &str) -> Vec<u8> {
    let usage = r#"{"wall_ns":0,"fuel":null,"peak_memory":null,"host_calls":null,"requests":0,"log_bytes":0,"log_dropped":0,"start":null}"#;
    encode_frame(&format!(
        r#"{{"result":{result},"refused":[],"usage":{usage},"log":[],"end":null,"needs_facts":false}}"#
    ))
}

/// A compiler that compiles, and whose worker hears that it shall begin, says this, does that, and hears nothing more.
fn write_fake_compiler(bed: &Bed, words: &[u8], then: &str) -> Compiler {
    let Compiler::Process(real) = create_compiler() else { panic!("the tests' compiler is a program") };
    let (words, real) = (bed.write_file("words", words), real.display().to_string());
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --worker ] || exec '{real}' \"$@\"\n/usr/bin/head -c 8 >/dev/null\n/bin/cat {} >&0\n{then}\n",
        words.display()
    );
    let path = bed.write_file("fake", script.as_bytes());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    Compiler::Process(path)
}

/// What a hook fails with whose worker is such a fake; the other hook, which is not of it, answers in any case.
fn fail_with_fake(words: &[Vec<u8>], then: &str) -> Failure {
    fails_within((30_000, Duration::from_mins(1)), words, then)
}

/// Within a timeout of the hook, ms, and a budget of the chain.
fn fails_within((timeout, budget): (u64, Duration), words: &[Vec<u8>], then: &str) -> Failure {
    let bed = Bed::new();
    let limits = Limits::default().with_limit(Limit::Timeout, timeout).unwrap();
    let on_failure = Some(OnFailure::Allow);
    let fooled = HookSpec { limits, on_failure, ..create_isolated_hook("none", &bed.write_plugin("none")) };
    let host = Host::builder()
        .cache(&bed.join_path("cache"))
        .compiler(write_fake_compiler(&bed, &words.concat(), then))
        .budget(budget)
        .hooks([fooled, bed.create_gate("denies")])
        .build();
    let outcome = dispatch_event(&host, tool_event());
    assert!(outcome.deciders().contains(&"denies"));
    expect_failure(find_first_report(&outcome))
}

const WAITS: &str = "exec /bin/sleep 1000";

#[test]
fn a_process_that_is_not_a_hookbox_worker_is_reported() {
    let ends = fail_with_fake(&[], "exit 3");
    assert_eq!(ends.code, FailureCode::Internal);
    assert!(ends.message.contains("does not run isolated guests (exit status: 3): install"), "{ends}");
    let other = encode_frame(r#"{"build":"0.0.1","held":[],"missing":[],"trouble":null}"#);
    let other = fail_with_fake(&[other], WAITS);
    assert!(other.message.contains("does not fit this hookbox"), "{other}");
    assert_eq!(fail_with_fake(&[b"no length that there is".to_vec()], WAITS).code, FailureCode::Internal);
}

#[test]
fn a_worker_that_says_nonsense_fails_its_hook_only() {
    for nonsense in [
        b"\xff\xff\xff\xff\xff\xff\xff\xff".to_vec(),
        b"\x00\x00\x00\x00\x00\x00\x00\x00".to_vec(),
        encode_frame("[]"),
        encode_frame("{"),
        encode_hook(),
        encode_result(r#"{"Ok":{"verdict":"allowed"}}"#),
        [encode_frame("[]"), vec![0; 1 << 20]].concat(),
    ] {
        let failure = fail_with_fake(&[encode_hello(), encode_hook(), nonsense.clone()], WAITS);
        assert_eq!(failure.code, FailureCode::BadOutput, "{nonsense:?}: {failure}");
    }
}

#[test]
fn a_worker_that_forges_an_answer_forges_what_a_guest_could_say_and_no_more() {
    let answer = |verdict: &str, more: &str| {
        format!(
            r#"{{"Ok":{{"verdict":{verdict},"rewrite":null,"context":null,"notice":null,"stop":null,"extra":null,"last":false,"unseen":false{more}}}}}"#
        )
    };
    let deferred = answer(r#"{"defer":{"code":"x","text":""}}"#, "");
    assert_eq!(
        fail_with_fake(&[encode_hello(), encode_hook(), encode_result(&deferred)], WAITS).code,
        FailureCode::BadOutput
    );
    let tripped = r#"{"Err":{"code":"tripped","message":"","notice":null}}"#;
    assert_eq!(
        fail_with_fake(&[encode_hello(), encode_hook(), encode_result(tripped)], WAITS).code,
        FailureCode::Internal
    );

    let bed = Bed::new();
    let denied = answer(r#"{"deny":{"code":"forged","text":"forged"}}"#, "");
    let words = [encode_hello(), encode_hook(), encode_result(&denied)].concat();
    let hooks = [untrusted_hook(&bed, "none")];
    let host = Host::builder()
        .cache(&bed.join_path("cache"))
        .compiler(write_fake_compiler(&bed, &words, WAITS))
        .hooks(hooks);
    let outcome = dispatch_event(&host.build(), tool_event());
    assert_eq!(outcome.deciders(), ["project hook"]);
    assert!(!format!("{:?}", outcome.verdict).contains("forged"), "{:?}", outcome.verdict);
}

#[test]
fn a_worker_that_ends_in_a_call_fails_it_with_how_it_ended() {
    let failure = fail_with_fake(&[encode_hello(), encode_hook()], "kill -SEGV $$");
    assert_eq!(failure.code, FailureCode::Trap);
    assert!(failure.message.contains("ended before it answered"), "{failure}");
}

#[test]
fn a_worker_that_never_answers_is_ended_at_the_timeout() {
    let soon = (300, Duration::from_secs(3));
    assert_eq!(fails_within(soon, &[encode_hello(), encode_hook()], WAITS).code, FailureCode::Timeout);
    // One that is never ready is waited for as long as the chain waits.
    assert_eq!(fails_within(soon, &[], WAITS).code, FailureCode::NotCompiled);
    while !list_workers().is_empty() {
        thread::yield_now();
    }
}

#[test]
fn a_worker_that_writes_without_end_is_cut_off_at_the_length_it_said() {
    let endless = "while :; do /bin/cat /dev/zero >&0; done";
    let length = 10_000_000_u32.to_le_bytes();
    let begun = [&length[..], &length[..]].concat();
    assert_eq!(fail_with_fake(&[encode_hello(), encode_hook(), begun], endless).code, FailureCode::BadOutput);
}

#[test]
fn a_guest_that_is_not_a_plugin_is_refused_in_the_same_words() {
    let bed = Bed::new();
    let plugin = bed.write_file("other.wasm", &guests::build_component("other_world"));
    let [here, there] = [create_hook("other", &plugin), create_isolated_hook("other", &plugin)].map(|spec| {
        expect_failure(find_first_report(&dispatch_event(&create_pooled_host(&bed, [spec]), tool_event())))
    });
    assert_eq!(here, there);
}

/// The component of this guest, made `size` bytes long by a section without meaning.
fn pad_component(bed: &Bed, guest: &str, size: usize) -> std::path::PathBuf {
    let mut component = guests::build_component(guest);
    let rest = size - component.len() - 1 - 5;
    component.push(0);
    component.extend((0..5).map(|at| {
        let bits = u8::try_from(rest >> (7 * at) & 0x7f).unwrap();
        if at < 4 { bits | 0x80 } else { bits }
    }));
    // An empty name, and zeros.
    component.resize(size, 0);
    bed.write_file(&format!("{guest}.wasm"), &component)
}

fn create_untrusted(bed: &Bed, name: &str, component: &Path) -> HookSpec {
    let within = bed.join_path("");
    let calls = WasmSpec { confined_to: Some(within), ..WasmSpec::new(component) };
    let origin = Origin::new(Layer::Project, TrustLevel::Untrusted);
    HookSpec { origin, ..HookSpec::new(name, Target::Wasm(calls)).on([EventName::ToolBefore]) }
}

fn failure_of_untrusted(report: &HookReport) -> Option<Failure> {
    match &report.unreviewed.as_ref().unwrap().status {
        Status::Failed(failure) => Some(failure.clone()),
        _ => None,
    }
}

#[test]
fn untrusted_components_of_a_project_have_sixty_four_mebibytes_together() {
    let bed = Bed::new();
    let size = 40 << 20;
    let (first, second) = (pad_component(&bed, "none", size), pad_component(&bed, "denies", size));
    let hooks = [create_untrusted(&bed, "first", &first), create_untrusted(&bed, "second", &second)];
    let outcome = dispatch_event(&create_pooled_host(&bed, hooks), tool_event());
    let failures: Vec<_> = outcome.reports.iter().filter_map(failure_of_untrusted).collect();
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert_eq!(failures[0].code, FailureCode::BadComponent);
    let tail = format!(
        "has {size} bytes, and the untrusted plugins of a project may have 67108864 bytes together, of which {size} are used; review the \
         project with `hookbox trust`, or remove plugins"
    );
    assert!(failures[0].message.ends_with(&tail), "{}", failures[0].message);

    let trusted = [create_hook("first", &first), create_hook("second", &second)];
    let outcome = dispatch_event(&create_pooled_host(&bed, trusted), tool_event());
    assert_eq!(outcome.failed(), Vec::<&str>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn the_thread_that_answers_reads_nothing_of_an_untrusted_component() {
    let bed = Bed::new();
    let size = 4 << 20;
    let component = pad_component(&bed, "none", size);
    let read_by_this_thread = || {
        let counts = fs::read_to_string("/proc/thread-self/io").unwrap();
        counts.lines().find_map(|line| line.strip_prefix("rchar: ")?.parse::<usize>().ok()).unwrap()
    };
    let reads = |host: &Host| {
        let before = read_by_this_thread();
        assert_eq!(dispatch_event(host, tool_event()).failed(), Vec::<&str>::new());
        read_by_this_thread() - before
    };
    let host = || create_pooled_host(&bed, [create_untrusted(&bed, "theirs", &component)]);
    let (compiled, kept) = (reads(&host()), reads(&host()));
    assert!(compiled < size / 4 && kept < size / 4, "{compiled} and {kept} bytes");
}
