//! Components made to be expensive to compile, or damaged: the compiler is bounded, and the host goes on.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, time::Duration};

use hookbox::{
    HookSpec, Host, Target,
    hook::WasmSpec,
    model::{FailureCode, Limit, Limits, OnFailure, Status},
    sandbox::{
        cache::CacheDir, compile::Compiler, component_shape::check_parts, engine_settings::Allocation,
    },
};

use crate::{
    Bed, create_compiler, create_hook, dispatch_event, expect_failure, find_failure_code, guests, tool_event,
};

/// A section of a module or component.
fn encode_section(id: u8, content: &[u8]) -> Vec<u8> {
    [&[id][..], &encode_leb(content.len()), content].concat()
}

/// A number as wasm writes it.
fn encode_leb(mut number: usize) -> Vec<u8> {
    let mut bytes = vec![];
    while number > 0x7f {
        bytes.push(u8::try_from(number & 0x7f).unwrap() | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).unwrap());
    bytes
}

fn encode_component(sections: &[u8]) -> Vec<u8> {
    [b"\0asm\x0d\0\x01\0", sections].concat()
}

/// A component around one core module that has as many functions of this body; one local of type i32.
fn build_functions(count: usize, body: &[u8]) -> Vec<u8> {
    let code = [&[1, 1, 0x7f][..], body, &[0x0b]].concat();
    let code = [encode_leb(code.len()), code].concat();
    let module = [
        b"\0asm\x01\0\0\0".to_vec(),
        encode_section(1, &[1, 0x60, 0, 0]),
        encode_section(3, &[encode_leb(count), vec![0; count]].concat()),
        encode_section(10, &[encode_leb(count), code.repeat(count)].concat()),
    ];
    encode_component(&encode_section(1, &module.concat()))
}

/// `local = local + 1`, as often as that.
fn encode_additions(count: usize) -> Vec<u8> {
    [0x20, 0, 0x41, 1, 0x6a, 0x21, 0].repeat(count)
}

/// A jump with as many targets, all of them the same.
fn encode_jump(targets: usize) -> Vec<u8> {
    [vec![0x41, 0, 0x0e], encode_leb(targets), vec![0; targets + 1]].concat()
}

/// A component in a component, and so on.
fn nest_components(depth: usize) -> Vec<u8> {
    (0..depth).fold(encode_component(&[]), |inner, _| encode_component(&encode_section(4, &inner)))
}

/// A component around a core module with one section of many alike.
fn build_section_items(id: u8, count: usize, item: &[u8]) -> Vec<u8> {
    let content = encode_section(id, &[encode_leb(count), item.repeat(count)].concat());
    encode_component(&encode_section(1, &[b"\0asm\x01\0\0\0".to_vec(), content].concat()))
}

/// The compiler under lower limits than its own, as `ulimit` has them.
fn create_limited_compiler(bed: &Bed, limits: &str) -> Compiler {
    let compile = env!("CARGO_BIN_EXE_hookbox-compile");
    let path = bed.write_file("compiler", format!("#!/bin/sh\n{limits}\nexec '{compile}'\n").as_bytes());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    Compiler::Process(path)
}

fn create_gate(name: &str, path: &Path) -> HookSpec {
    HookSpec { on_failure: Some(OnFailure::Allow), ..create_hook(name, path) }
}

/// The compiler of this component is ended by its limit; the other hook answers.
fn expect_ended(component: &[u8], limit: &str) {
    let bed = Bed::new();
    let bomb = bed.write_file("bomb.wasm", component);
    let host = Host::builder()
        .cache(&bed.join_path("cache"))
        .compiler(create_limited_compiler(&bed, limit))
        .budget(Duration::from_mins(5))
        .hooks([create_gate("bomb", &bomb), bed.create_gate("denies")])
        .build();
    let outcome = dispatch_event(&host, tool_event());
    let failure = expect_failure(&outcome.reports[0]);
    assert_eq!(failure.code, FailureCode::NotCompiled);
    assert!(failure.message.contains("was ended by the system (signal: "), "{failure}");
    assert_eq!(outcome.deciders(), ["denies"]);
}

#[test]
fn a_component_whose_code_takes_too_long_ends_its_compiler_only() {
    expect_ended(&build_functions(99_000, &encode_additions(20)), "ulimit -S -t 1");
}

#[test]
fn a_component_whose_code_takes_too_much_memory_ends_its_compiler_only() {
    expect_ended(&build_functions(1, &encode_additions(590_000)), "ulimit -S -v 200000");
}

#[test]
fn a_compiler_that_is_still_at_work_when_the_time_is_over_is_ended() {
    let bed = Bed::new();
    let bomb = bed.write_file("bomb.wasm", &build_functions(99_000, &encode_additions(20)));
    let host = bed.builder().budget(Duration::from_millis(500)).hooks([create_hook("bomb", &bomb)]).build();
    let outcome = dispatch_event(&host, tool_event());
    let failure = expect_failure(&outcome.reports[0]);
    assert_eq!((outcome.verdict.as_str(), failure.code), ("deny", FailureCode::NotCompiled));
    assert!(failure.message.contains("compiling takes longer than the agent waits"), "{failure}");
    let children = fs::read_to_string("/proc/thread-self/children").unwrap();
    assert_eq!(children, "", "the compiler goes on");
}

/// A compiler that leaves a line in a file each time, then does this; and how often it was started.
fn create_counting_compiler(bed: &Bed, then: &str) -> (Compiler, impl Fn() -> usize + use<>) {
    let starts = bed.join_path("starts");
    let compiler = create_limited_compiler(bed, &format!("echo >> {}\n{then}", starts.display()));
    (compiler, move || fs::read_to_string(&starts).unwrap_or_default().lines().count())
}

#[test]
fn what_the_compiler_refused_is_not_tried_again_at_each_event() {
    let bed = Bed::new();
    let path = bed.write_file("many.wasm", &build_functions(100_001, &[]));
    let (compiler, starts) = create_counting_compiler(&bed, "");
    let run = || {
        let builder = Host::builder().cache(&bed.join_path("cache")).compiler(compiler.clone());
        let outcome = dispatch_event(&builder.hooks([create_hook("many", &path)]).build(), tool_event());
        expect_failure(&outcome.reports[0]).clone()
    };
    let first = run();
    assert_eq!(first.code, FailureCode::BadComponent);
    assert_eq!((run(), starts()), (first.clone(), 1));
    CacheDir::open(&bed.join_path("cache")).unwrap().try_again();
    assert_eq!((run(), starts()), (first.clone(), 2));
    // What is there now is something else.
    fs::copy(bed.write_plugin("denies"), &path).unwrap();
    let builder = Host::builder().cache(&bed.join_path("cache")).compiler(compiler.clone());
    let outcome = dispatch_event(&builder.hooks([create_hook("many", &path)]).build(), tool_event());
    assert_eq!((outcome.deciders(), starts()), (vec!["many"], 3));
}

#[test]
fn what_was_given_up_after_long_is_not_tried_again_at_each_event() {
    let bed = Bed::new();
    let path = bed.write_plugin("denies");
    let (compiler, starts) = create_counting_compiler(&bed, "while :; do :; done");
    let run = |confined_to, budget| {
        let builder = Host::builder().cache(&bed.join_path("cache")).compiler(compiler.clone());
        let target = Target::Wasm(WasmSpec { confined_to, ..WasmSpec::new(&path) });
        let host = builder.budget(budget).hooks([HookSpec { target, ..create_hook("slow", &path) }]).build();
        expect_failure(&dispatch_event(&host, tool_event()).reports[0]).clone()
    };
    let project = || Some(bed.join_path(""));
    let expected =
        "is not compiled yet (it took too long, and is not tried again for 10 min); run `hookbox check`";
    // On a busy machine it may not have had a processor for itself the first time.
    let blamed = (0..20).find_map(|_| {
        let failure = run(project(), Duration::from_secs(12));
        assert_eq!(failure.code, FailureCode::NotCompiled);
        failure.message.ends_with(expected).then(&starts)
    });
    let Some(tried) = blamed else { panic!("it is tried again and again") };
    run(project(), Duration::from_hours(1));
    assert_eq!(starts(), tried);
    // What a stranger's project brought is not held against the user's own.
    run(None, Duration::from_millis(500));
    assert_eq!(starts(), tried + 1);
}

/// As in a crowd of others that have the processors.
#[test]
fn what_had_no_processor_is_tried_again() {
    let bed = Bed::new();
    let path = bed.write_plugin("denies");
    let (compiler, starts) = create_counting_compiler(&bed, "exec sleep 3600");
    for tries in 1..3 {
        let builder = Host::builder().cache(&bed.join_path("cache")).compiler(compiler.clone());
        let host = builder.budget(Duration::from_secs(5)).hooks([create_hook("slow", &path)]).build();
        let failure = expect_failure(&dispatch_event(&host, tool_event()).reports[0]).clone();
        assert!(failure.message.contains("compiling takes longer than the agent waits"), "{failure}");
        assert_eq!(starts(), tries);
    }
}

/// As many sections of this kind.
fn build_sections(count: usize, id: u8, content: &[u8]) -> Vec<u8> {
    encode_component(&encode_section(id, content).repeat(count))
}

#[test]
fn too_many_items_of_one_kind_are_reported_before_compilation() {
    let (empty, more) = (b"\0asm\x01\0\0\0", 100_001);
    for (bytes, expected) in [
        (build_functions(more, &encode_additions(0)), "100001 functions, but may have 100000"),
        (build_section_items(1, 20_001, &[0x60, 0, 0]), "20001 types, but may have 20000"),
        (build_sections(20_001, 7, &[1, 0x7f]), "20001 types, but may have 20000"),
        (build_section_items(2, more, &[0, 0, 3, 0x7f, 0]), "100001 imports, but may have 100000"),
        (build_section_items(7, more, &[0, 0, 0]), "100001 exports, but may have 100000"),
        (build_section_items(6, more, &[0x7f, 0, 0x41, 0, 0x0b]), "100001 globals, but may have 100000"),
        (build_section_items(5, 1_001, &[0, 1]), "1001 memories and tables, but may have 1000"),
        (build_section_items(11, more, &[1, 0]), "100001 segments of data and elements, but may have 100000"),
        (build_sections(1_001, 1, empty), "1001 modules and components within, but may have 1000"),
        (build_instances(1_001), "instances, but may have 1000"),
        (
            build_sections(more, 6, &[1, 0, 0, 0, 0]),
            "100001 aliases and lifted or lowered functions, but may have 100000",
        ),
        (build_sections(1_001, 0, &[1, b'a']), "1001 custom sections, but may have 1000"),
        (nest_components(17), "17 components within one another, but may have 16"),
        (
            build_functions(1, &encode_additions(600_000)),
            "4200004 bytes in its largest function, but may have 4194304",
        ),
    ] {
        let message = check_parts(&bytes).unwrap_err().to_string();
        assert!(message.starts_with("the component has ") && message.ends_with(expected), "{message}");
    }
}

#[test]
fn a_component_of_too_many_functions_fails_with_their_number() {
    let bed = Bed::new();
    let bomb = bed.write_file("bomb.wasm", &build_functions(100_001, &encode_additions(0)));
    let failure = expect_failure(
        &dispatch_event(&bed.builder().hooks([create_gate("bomb", &bomb)]).build(), tool_event()).reports[0],
    );
    assert_eq!(failure.code, FailureCode::BadComponent);
    let expected = "cannot be compiled: the component has 100001 functions, but may have 100000";
    assert!(failure.message.contains(expected), "{failure}");
}

#[test]
fn components_that_are_excessive_in_one_respect_are_refused_unlike_plugins() {
    let bed = Bed::new();
    for (name, bytes) in [
        ("functions", build_functions(5_000, &encode_additions(1))),
        ("a long function", build_functions(1, &encode_additions(20_000))),
        ("a long jump", build_functions(1, &encode_jump(60_000))),
        ("a jump that is too long", build_functions(1, &encode_jump(200_000))),
        ("types", build_section_items(1, 100_000, &[0x60, 0, 0])),
        ("too many types", build_section_items(1, 1_100_000, &[0x60, 0, 0])),
        ("imports", build_section_items(2, 50_000, &[0, 0, 3, 0x7f, 0])),
        ("memories", build_section_items(5, 65_536, &[0, 1])),
        ("nested", nest_components(1_000)),
    ] {
        let path = bed.write_file(&format!("{name}.wasm"), &bytes);
        let limited = create_limited_compiler(&bed, "ulimit -S -t 60");
        let host = Host::builder().compiler(limited).budget(Duration::from_mins(5));
        let host = host.hooks([create_hook("it", &path)]).build();
        assert_eq!(
            find_failure_code(&dispatch_event(&host, tool_event()).reports[0]),
            FailureCode::BadComponent,
            "{name}"
        );
    }
}

/// A component that imports a thing of this name twice.
fn imports_twice(name: &str) -> Vec<u8> {
    let import = [&[0][..], &encode_leb(name.len()), name.as_bytes(), &[3, 1]].concat();
    encode_component(&encode_section(10, &[&[2][..], &import, &import].concat()))
}

#[test]
fn a_compiler_message_of_any_length_and_text_is_reported_and_truncated() {
    let bed = Bed::new();
    for name in ["a".repeat(90_000), "é".repeat(45_000), "aé".repeat(30_000)] {
        let path = bed.write_file("it.wasm", &imports_twice(&name));
        let host = bed.builder().budget(Duration::from_mins(1)).hooks([create_hook("it", &path)]).build();
        let failure = expect_failure(&dispatch_event(&host, tool_event()).reports[0]);
        assert_eq!(failure.code, FailureCode::BadComponent, "{failure:.300}");
        assert!(failure.message.contains("it.wasm cannot be compiled: "), "{failure:.300}");
    }
}

/// A good plugin with as many more core instances, of an empty module.
fn build_instances(count: usize) -> Vec<u8> {
    let instantiate = [encode_leb(count), [0, 1, 0].repeat(count)].concat();
    [
        guests::build_component("denies"),
        encode_section(1, b"\0asm\x01\0\0\0"),
        encode_section(2, &instantiate),
    ]
    .concat()
}

#[test]
fn more_instances_than_a_call_may_have_are_refused() {
    let bed = Bed::new();
    for (count, expected) in
        [(100, FailureCode::Memory), (900, FailureCode::Memory), (10_000, FailureCode::BadComponent)]
    {
        let path = bed.write_file(&format!("{count}.wasm"), &build_instances(count));
        for allocation in [Allocation::OnDemand, Allocation::POOLED] {
            let host = bed.builder().allocation(allocation.clone()).hooks([create_hook("it", &path)]).build();
            let failure = expect_failure(&dispatch_event(&host, tool_event()).reports[0]);
            assert_eq!(failure.code, expected, "{count}, {allocation}: {failure}");
        }
    }
}

/// Python's standard library comes as some forty modules.
#[test]
fn a_plugin_of_as_many_instances_as_python_needs_is_called() {
    let bed = Bed::new();
    let path = bed.write_file("it.wasm", &build_instances(50));
    for allocation in [Allocation::OnDemand, Allocation::POOLED] {
        let host = bed.builder().allocation(allocation).hooks([create_hook("it", &path)]).build();
        assert_eq!(dispatch_event(&host, tool_event()).deciders(), ["it"]);
    }
}

/// Two components within that hand a text from one memory to the other, as those of componentize-qjs do.
const COMPOSED: &str = r#"(component (component $both
  (component $taker
    (core module $m (memory (export "memory") 1)
      (func (export "realloc") (param i32 i32 i32 i32) (result i32) i32.const 16)
      (func (export "take") (param i32 i32)))
    (core instance $i (instantiate $m))
    (func (export "take") (param "text" string)
      (canon lift (core func $i "take") (memory (core memory $i "memory")) (realloc (core func $i "realloc")))))
  (component $giver
    (import "take" (func $take (param "text" string)))
    (core module $memory (memory (export "memory") 1))
    (core instance $memory (instantiate $memory))
    (core func $take (canon lower (func $take) (memory (core memory $memory "memory"))))
    (core module $m (import "" "take" (func (param i32 i32)))
      (func $start (call 0 (i32.const 0) (i32.const 1))) (start $start))
    (core instance (instantiate $m (with "" (instance (export "take" (func $take)))))))
  (instance $taker (instantiate $taker))
  (instance (instantiate $giver (with "take" (func $taker "take")))))
  (instance (instantiate $both)))"#;

#[test]
fn a_plugin_of_components_that_call_each_other_is_called() {
    let bed = Bed::new();
    let composed = wat::parse_str(COMPOSED).unwrap();
    let path =
        bed.write_file("it.wasm", &[guests::build_component("denies"), composed[8..].to_vec()].concat());
    for allocation in [Allocation::OnDemand, Allocation::POOLED] {
        let host = bed.builder().allocation(allocation).hooks([create_hook("it", &path)]).build();
        let outcome = dispatch_event(&host, tool_event());
        assert_eq!(outcome.deciders(), ["it"]);
        assert!(matches!(outcome.reports[0].status, Status::Answered(_)), "{outcome:?}");
    }
}

/// What an instance holds of its module, whatever memory it may have.
#[test]
fn instances_of_a_module_with_much_to_hold_are_refused() {
    let module = format!(
        r"(core module $m {} (table 20000 funcref) (elem (i32.const 0) {}))",
        "(func)".repeat(19_000),
        "func 0 ".to_owned() + &(1..19_000).map(|index| index.to_string()).collect::<Vec<_>>().join(" ")
    );
    let of = |instances: usize| {
        let instances = "(core instance (instantiate $m))".repeat(instances);
        wat::parse_str(format!("(component {module} {instances})")).unwrap()
    };
    assert_eq!(check_parts(&of(50)), Ok(()));
    assert_eq!(
        check_parts(&of(60)).unwrap_err().to_string(),
        "the component has 1140000 things for its instances to hold, but may have 1000000"
    );
    // One that is made more often than it is written.
    let twice = format!(
        "(component (component $c {module} (core instance (instantiate $m)))
         (instance (instantiate $c)) (instance (instantiate $c)))"
    );
    assert_eq!(
        check_parts(&wat::parse_str(twice).unwrap()).unwrap_err().to_string(),
        "the component has 4864000 things for its instances to hold, but may have 1000000"
    );
}

/// A small host that compiles in its own process and gives guests little.
fn fails_or_answers(bed: &Bed, bytes: &[u8]) -> Option<FailureCode> {
    let limits = Limits::default().with_limit(Limit::Fuel, 100_000).unwrap();
    let spec = HookSpec { limits, ..create_hook("it", &bed.write_file("it.wasm", bytes)) };
    let host = Host::builder().compiler(Compiler::InProcess).hooks([spec]).build();
    let report = dispatch_event(&host, tool_event()).reports.remove(0);
    match report.status {
        Status::Answered(_) => None,
        _ => Some(find_failure_code(&report)),
    }
}

#[test]
fn every_beginning_of_a_component_is_refused() {
    let (bed, good) = (Bed::new(), guests::build_component("denies"));
    for length in (0..good.len()).step_by(7) {
        let code = fails_or_answers(&bed, &good[..length]);
        assert_eq!(code, Some(FailureCode::BadComponent), "the first {length} bytes");
    }
}

/// Bits of a guest that are turned over, one at a time.
const FLIPS: u32 = 150;

#[test]
fn a_component_with_any_bit_turned_over_fails_with_a_code_or_answers() {
    let bed = Bed::new();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for guest in ["denies", "logs_a_lot", "recurses_by_table"] {
        let good = guests::build_component(guest);
        let mut refused = 0;
        for _ in 0..FLIPS {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let bit = usize::try_from(random >> 8).unwrap() % (good.len() * 8);
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let code = fails_or_answers(&bed, &bytes);
            let ours =
                matches!(code, Some(FailureCode::Panic | FailureCode::Internal | FailureCode::NotCompiled));
            assert!(!ours, "{guest}, bit {bit}: {code:?}");
            refused += u32::from(code == Some(FailureCode::BadComponent));
        }
        assert!(refused > FLIPS / 10, "{guest}: {refused} of {FLIPS} were refused");
    }
}

#[test]
fn the_compiler_of_these_tests_compiles_what_is_good() {
    let bed = Bed::new();
    assert_eq!(fails_or_answers(&bed, &guests::build_component("denies")), None);
    let host = Host::builder().compiler(create_compiler()).hooks([bed.create_gate("denies")]).build();
    assert_eq!(dispatch_event(&host, tool_event()).verdict.as_str(), "deny");
}

/// The soft limit of this name that a process has, once it is not the one that this process has.
#[cfg(target_os = "linux")]
fn limit_of(process: u32, name: &str) -> String {
    let limit = |process: &str| {
        let limits = fs::read_to_string(format!("/proc/{process}/limits")).unwrap();
        let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().next().unwrap().to_owned()
    };
    let (process, ours) = (process.to_string(), limit("self"));
    let started = std::time::Instant::now();
    while limit(&process) == ours && started.elapsed() < Duration::from_mins(1) {
        std::thread::yield_now();
    }
    limit(&process)
}

#[cfg(target_os = "linux")]
#[test]
#[expect(clippy::disallowed_methods, reason = "what is looked at is the program")]
fn the_compiler_has_two_minutes_of_processor_time_six_gibibytes_and_no_core_file() {
    let Compiler::Process(program) = create_compiler() else { panic!("the tests' compiler is a program") };
    let mut command = std::process::Command::new(program);
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
    let limits = ["Max cpu time", "Max address space"].map(|name| limit_of(child.id(), name));
    assert_eq!(limits, ["120", "6442450944"]);
    // It was set last.
    let mut written = String::new();
    while !written.contains("Max core file size        0 ") {
        written = fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
    }
    drop(child.stdin.take());
    child.wait().unwrap();
}
