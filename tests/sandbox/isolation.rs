//! Guests in a process of their own: a stranger's, and those of hooks that ask for it.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, thread, time::Duration};

use hookbox::{
    HookSpec, Host, Origin, Target,
    handler::shell::confine::KernelSupport,
    hook::{Provenance, WasmSpec},
    model::{
        Event, EventName, Failure, FailureCode, HookReport, Layer, Limit, Limits, OnFailure, Outcome, Status,
        Tier,
    },
    sandbox::{
        compile::Compiler,
        settings::{Allocation, SETTINGS},
    },
};
use rustix::process::{Pid, Signal, kill_process};

use crate::{Bed, brief, code, compiler, dispatch, failure, guests, hook, tool_event};

/// A hook of a project that nobody has reviewed.
fn untrusted_hook(bed: &Bed, guest: &str) -> HookSpec {
    let within = bed.path("");
    let calls = WasmSpec { provenance: Provenance::Untrusted { within }, ..WasmSpec::new(bed.plugin(guest)) };
    let origin = Origin::new(Layer::Project, Tier::Unknown);
    HookSpec { origin, ..HookSpec::new(guest, Target::Wasm(calls)).on([EventName::ToolBefore]) }
}

/// A hook of the user's own that runs apart.
fn apart(name: &str, component: &Path) -> HookSpec {
    let calls = WasmSpec { isolate: true, ..WasmSpec::new(component) };
    HookSpec { target: Target::Wasm(calls), ..hook(name, component) }
}

fn pooled(bed: &Bed, hooks: impl IntoIterator<Item = HookSpec>) -> Host {
    bed.builder().allocation(Allocation::POOLED).hooks(hooks).build()
}

fn read(process: u32, what: &str) -> String {
    fs::read_to_string(format!("/proc/{process}/{what}")).unwrap_or_default()
}

/// The processes that run guests for this test, or pretend to and wait, and live.
fn workers() -> Vec<u32> {
    let processes =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    let processes = processes.filter_map(|name| name.parse().ok());
    let parent = format!("PPid:\t{}\n", std::process::id());
    let is_ours = |process: &u32| {
        let status = read(*process, "status");
        status.contains(&parent)
            && !status.contains("State:\tZ")
            && ["\0--worker\0", "/bin/sleep\x001000\0"]
                .iter()
                .any(|words| read(*process, "cmdline").contains(words))
    };
    processes.filter(is_ours).collect()
}

fn only_worker() -> u32 {
    let workers = workers();
    assert_eq!(workers.len(), 1, "{workers:?}");
    workers[0]
}

fn pid(process: u32) -> Pid {
    Pid::from_raw(process.try_into().unwrap()).unwrap()
}

fn kill(process: u32) {
    kill_process(pid(process), Signal::KILL).unwrap();
    // Before that its command line is gone, and its end of the wire may still be there.
    let has_ended = || {
        let status = read(process, "status");
        status.is_empty() || status.contains("State:\tZ")
    };
    while !has_ended() {
        thread::yield_now();
    }
}

fn first(outcome: &Outcome) -> &HookReport {
    &outcome.reports[0]
}

#[test]
fn a_strangers_guest_answers_from_one_process_of_its_own() {
    let bed = Bed::new();
    // Not of one event: a call that takes long has the next one start a second process.
    let second = untrusted_hook(&bed, "none").on([EventName::SessionStart]);
    let host = pooled(&bed, [untrusted_hook(&bed, "denies"), second]);
    assert_eq!(workers(), [0; 0]);
    assert_eq!(dispatch(&host, tool_event()).deciders(), ["project hook"]);
    let worker = only_worker();
    let begin = Event { name: EventName::SessionStart, tool: None, ..tool_event() };
    assert!(matches!(first(&dispatch(&host, begin)).status, Status::Answered(_)));
    assert_eq!(dispatch(&host, tool_event()).deciders(), ["project hook"]);
    assert_eq!(only_worker(), worker);
    drop(host);
    while !workers().is_empty() {
        thread::yield_now();
    }
}

#[test]
fn a_hook_of_the_users_own_runs_in_the_host_unless_it_asks() {
    let bed = Bed::new();
    let host = pooled(&bed, [bed.gate("denies")]);
    assert_eq!(dispatch(&host, tool_event()).deciders(), ["denies"]);
    assert_eq!(workers(), [0; 0]);
    let plugins = ["allows", "none"].map(|guest| apart(guest, &bed.plugin(guest)));
    let host = pooled(&bed, plugins);
    assert_eq!(dispatch(&host, tool_event()).deciders(), ["allows"]);
    assert_eq!(workers().len(), 2, "each of them is alone");
}

#[test]
fn that_process_has_no_environment_no_files_and_no_way_to_get_any() {
    let bed = Bed::new();
    let host = pooled(&bed, [untrusted_hook(&bed, "denies")]);
    // Not closed in a new program, as descriptors of an embedding program may be.
    let _leaks = rustix::io::fcntl_dupfd_cloexec(fs::File::open("/").unwrap(), 50).inspect(|leak| {
        rustix::io::fcntl_setfd(leak, rustix::io::FdFlags::empty()).unwrap();
    });
    dispatch(&host, tool_event());
    let worker = only_worker();
    assert_eq!(read(worker, "environ"), "");
    assert_eq!(fs::read_link(format!("/proc/{worker}/cwd")).unwrap(), Path::new("/"));
    let open = fs::read_dir(format!("/proc/{worker}/fd")).unwrap();
    let open = open.map(|entry| fs::read_link(entry.unwrap().path()).unwrap().display().to_string());
    for open in open {
        assert!(open.starts_with("socket:") || open == "/dev/null", "{open}");
    }
    let (status, limits, here) = (read(worker, "status"), read(worker, "limits"), KernelSupport::here());
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
fn told(report: &HookReport) -> String {
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
fn whatever_a_guest_does_comes_to_the_same_here_and_there() {
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
        let plugin = bed.plugin(guest);
        // Those that no limit ends but that of time have little of it.
        let limits =
            if guest.contains("loops") || guest.contains("sleeps") { brief() } else { Limits::default() };
        for allocation in [Allocation::OnDemand, Allocation::POOLED] {
            let [here, there] = [hook(guest, &plugin), apart(guest, &plugin)].map(|spec| {
                let spec = HookSpec { limits: limits.clone(), ..spec };
                let host = bed.builder().allocation(allocation.clone()).hooks([spec]).build();
                let reports = dispatch(&host, tool_event()).reports;
                // Once more, in an instance and a slot that were used.
                [reports, dispatch(&host, tool_event()).reports].map(|reports| told(&reports[0]))
            });
            assert_eq!(here, there, "{guest}, {allocation}");
        }
    }
}

#[test]
fn a_process_that_was_killed_is_started_anew() {
    let bed = Bed::new();
    let host = pooled(&bed, [untrusted_hook(&bed, "denies")]);
    dispatch(&host, tool_event());
    let worker = only_worker();
    kill(worker);
    assert_eq!(dispatch(&host, tool_event()).deciders(), ["project hook"]);
    assert_ne!(only_worker(), worker);
}

#[test]
fn a_call_that_is_given_up_ends_its_process_and_no_other_call() {
    let bed = Bed::new();
    let late = HookSpec { limits: brief(), ..untrusted_hook(&bed, "none") };
    let host = pooled(&bed, [late, untrusted_hook(&bed, "denies")]);
    dispatch(&host, tool_event());
    while workers().len() > 1 {
        kill(workers()[0]);
    }
    // It looks at no clock any more, and the first call is the first to have it.
    let stopped = only_worker();
    kill_process(pid(stopped), Signal::STOP).unwrap();
    let outcome = dispatch(&host, tool_event());
    assert_eq!(outcome.deciders(), ["project hook"]);
    assert!(matches!(code(first(&outcome)), FailureCode::Timeout | FailureCode::Budget));
    while workers().contains(&stopped) {
        thread::yield_now();
    }
}

#[test]
fn without_a_program_for_it_a_strangers_guest_runs_here_and_who_asks_is_refused() {
    let bed = Bed::new();
    let asks = HookSpec { on_failure: Some(OnFailure::Allow), ..apart("none", &bed.plugin("none")) };
    let hooks = [untrusted_hook(&bed, "denies"), asks];
    // What was compiled before is in the cache.
    dispatch(&pooled(&bed, [untrusted_hook(&bed, "denies"), bed.gate("none")]), tool_event());
    let host = Host::builder().cache(&bed.path("cache")).compiler(Compiler::None).hooks(hooks).build();
    let outcome = dispatch(&host, tool_event());
    let (theirs, own): (Vec<_>, Vec<_>) =
        outcome.reports.iter().partition(|report| report.tier == Tier::Unknown);
    assert!(matches!(&theirs[0].status, Status::Answered(_)), "{:?}", theirs[0].status);
    let refused = failure(own[0]);
    assert_eq!(refused.code, FailureCode::Refused);
    assert!(refused.message.starts_with("`isolate = true` is not available"), "{refused}");
    assert_eq!(workers(), [0; 0]);
}

/// A message as it stands on the wire.
fn frame(json: &str) -> Vec<u8> {
    let number = |length: usize| u32::try_from(length).unwrap().to_le_bytes();
    [&number(json.len() + 8)[..], &number(json.len()), json.as_bytes()].concat()
}

fn hello() -> Vec<u8> {
    let build = format!("{} {SETTINGS}", env!("CARGO_PKG_VERSION"));
    frame(&format!(r#"{{"build":"{build}","held":[],"missing":[],"trouble":null}}"#))
}

fn had() -> Vec<u8> {
    frame(r#"{"Ok":"hook"}"#)
}

fn said(result: &str) -> Vec<u8> {
    let usage = r#"{"wall_ns":0,"fuel":null,"peak_memory":null,"host_calls":null,"requests":0,"log_bytes":0,"log_dropped":0,"start":null}"#;
    frame(&format!(r#"{{"result":{result},"refused":[],"usage":{usage},"log":[],"end":null}}"#))
}

/// A compiler that compiles, and whose worker hears that it shall begin, says this, does that, and hears nothing more.
fn fake(bed: &Bed, words: &[u8], then: &str) -> Compiler {
    let Compiler::Process(real) = compiler() else { panic!("the tests' compiler is a program") };
    let (words, real) = (bed.file("words", words), real.display().to_string());
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --worker ] || exec '{real}' \"$@\"\n/usr/bin/head -c 8 >/dev/null\n/bin/cat {} >&0\n{then}\n",
        words.display()
    );
    let path = bed.file("fake", script.as_bytes());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    Compiler::Process(path)
}

/// What a hook fails with whose worker is such a fake; the other hook, which is not of it, answers in any case.
fn fails(words: &[Vec<u8>], then: &str) -> Failure {
    fails_within((30_000, Duration::from_mins(1)), words, then)
}

/// Within a timeout of the hook, ms, and a budget of the chain.
fn fails_within((timeout, budget): (u64, Duration), words: &[Vec<u8>], then: &str) -> Failure {
    let bed = Bed::new();
    let limits = Limits::default().with(Limit::Timeout, timeout).unwrap();
    let on_failure = Some(OnFailure::Allow);
    let fooled = HookSpec { limits, on_failure, ..apart("none", &bed.plugin("none")) };
    let host = Host::builder()
        .cache(&bed.path("cache"))
        .compiler(fake(&bed, &words.concat(), then))
        .budget(budget)
        .hooks([fooled, bed.gate("denies")])
        .build();
    let outcome = dispatch(&host, tool_event());
    assert!(outcome.deciders().contains(&"denies"));
    failure(first(&outcome))
}

const WAITS: &str = "exec /bin/sleep 1000";

#[test]
fn a_process_that_is_no_worker_of_ours_is_told() {
    let ends = fails(&[], "exit 3");
    assert_eq!(ends.code, FailureCode::Internal);
    assert!(ends.message.contains("does not run isolated guests (exit status: 3): install"), "{ends}");
    let other = frame(r#"{"build":"0.0.1","held":[],"missing":[],"trouble":null}"#);
    let other = fails(&[other], WAITS);
    assert!(other.message.contains("does not fit this hookbox"), "{other}");
    assert_eq!(fails(&[b"no length that there is".to_vec()], WAITS).code, FailureCode::Internal);
}

#[test]
fn a_worker_that_says_nonsense_fails_its_hook_only() {
    for nonsense in [
        b"\xff\xff\xff\xff\xff\xff\xff\xff".to_vec(),
        b"\x00\x00\x00\x00\x00\x00\x00\x00".to_vec(),
        frame("[]"),
        frame("{"),
        had(),
        said(r#"{"Ok":{"verdict":"allowed"}}"#),
        [frame("[]"), vec![0; 1 << 20]].concat(),
    ] {
        let failure = fails(&[hello(), had(), nonsense.clone()], WAITS);
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
    assert_eq!(fails(&[hello(), had(), said(&deferred)], WAITS).code, FailureCode::BadOutput);
    let tripped = r#"{"Err":{"code":"tripped","message":"","notice":null}}"#;
    assert_eq!(fails(&[hello(), had(), said(tripped)], WAITS).code, FailureCode::Internal);

    let bed = Bed::new();
    let denied = answer(r#"{"deny":{"code":"forged","text":"forged"}}"#, "");
    let words = [hello(), had(), said(&denied)].concat();
    let hooks = [untrusted_hook(&bed, "none")];
    let host = Host::builder().cache(&bed.path("cache")).compiler(fake(&bed, &words, WAITS)).hooks(hooks);
    let outcome = dispatch(&host.build(), tool_event());
    assert_eq!(outcome.deciders(), ["project hook"]);
    assert!(!format!("{:?}", outcome.verdict).contains("forged"), "{:?}", outcome.verdict);
}

#[test]
fn a_worker_that_ends_in_a_call_fails_it_with_how_it_ended() {
    let failure = fails(&[hello(), had()], "kill -SEGV $$");
    assert_eq!(failure.code, FailureCode::Trap);
    assert!(failure.message.contains("ended before it answered"), "{failure}");
}

#[test]
fn a_worker_that_never_answers_is_ended_at_the_timeout() {
    let soon = (300, Duration::from_secs(3));
    assert_eq!(fails_within(soon, &[hello(), had()], WAITS).code, FailureCode::Timeout);
    // One that is never ready is waited for as long as the chain waits.
    assert_eq!(fails_within(soon, &[], WAITS).code, FailureCode::NotCompiled);
    while !workers().is_empty() {
        thread::yield_now();
    }
}

#[test]
fn a_worker_that_writes_without_end_is_cut_off_at_the_length_it_said() {
    let endless = "while :; do /bin/cat /dev/zero >&0; done";
    let length = 10_000_000_u32.to_le_bytes();
    let begun = [&length[..], &length[..]].concat();
    assert_eq!(fails(&[hello(), had(), begun], endless).code, FailureCode::BadOutput);
}

#[test]
fn a_guest_that_is_not_a_plugin_is_refused_in_the_same_words() {
    let bed = Bed::new();
    let plugin = bed.file("other.wasm", &guests::component("other_world"));
    let [here, there] = [hook("other", &plugin), apart("other", &plugin)]
        .map(|spec| failure(first(&dispatch(&pooled(&bed, [spec]), tool_event()))));
    assert_eq!(here, there);
}

/// The component of this guest, made `size` bytes long by a section without meaning.
fn padded(bed: &Bed, guest: &str, size: usize) -> std::path::PathBuf {
    let mut component = guests::component(guest);
    let rest = size - component.len() - 1 - 5;
    component.push(0);
    component.extend((0..5).map(|at| {
        let bits = u8::try_from(rest >> (7 * at) & 0x7f).unwrap();
        if at < 4 { bits | 0x80 } else { bits }
    }));
    // An empty name, and zeros.
    component.resize(size, 0);
    bed.file(&format!("{guest}.wasm"), &component)
}

fn untrusted(bed: &Bed, name: &str, component: &Path) -> HookSpec {
    let within = bed.path("");
    let calls = WasmSpec { provenance: Provenance::Untrusted { within }, ..WasmSpec::new(component) };
    let origin = Origin::new(Layer::Project, Tier::Unknown);
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
    let (first, second) = (padded(&bed, "none", size), padded(&bed, "denies", size));
    let hooks = [untrusted(&bed, "first", &first), untrusted(&bed, "second", &second)];
    let outcome = dispatch(&pooled(&bed, hooks), tool_event());
    let failures: Vec<_> = outcome.reports.iter().filter_map(failure_of_untrusted).collect();
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert_eq!(failures[0].code, FailureCode::BadComponent);
    let tail = format!(
        "has {size} bytes, and the untrusted plugins of a project may have 67108864 bytes together, of which {size} are used; review the \
         project with `hookbox trust`, or remove plugins"
    );
    assert!(failures[0].message.ends_with(&tail), "{}", failures[0].message);

    let trusted = [hook("first", &first), hook("second", &second)];
    let outcome = dispatch(&pooled(&bed, trusted), tool_event());
    assert_eq!(outcome.failed(), Vec::<&str>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn the_thread_that_answers_reads_nothing_of_an_untrusted_component() {
    let bed = Bed::new();
    let size = 4 << 20;
    let component = padded(&bed, "none", size);
    let read_by_this_thread = || {
        let counts = fs::read_to_string("/proc/thread-self/io").unwrap();
        counts.lines().find_map(|line| line.strip_prefix("rchar: ")?.parse::<usize>().ok()).unwrap()
    };
    let reads = |host: &Host| {
        let before = read_by_this_thread();
        assert_eq!(dispatch(host, tool_event()).failed(), Vec::<&str>::new());
        read_by_this_thread() - before
    };
    let host = || pooled(&bed, [untrusted(&bed, "theirs", &component)]);
    let (compiled, kept) = (reads(&host()), reads(&host()));
    assert!(compiled < size / 4 && kept < size / 4, "{compiled} and {kept} bytes");
}
