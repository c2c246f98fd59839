//! The same hook in each language: a call in a long-running host against a start of the language's own interpreter as a shell hook, a whole
//! `hookbox run`, size, and the time and memory to compile.
#![expect(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark")]

#[path = "support/bed.rs"]
#[expect(dead_code, reason = "what other benchmarks want besides")]
mod bed;
#[path = "support/dispatches.rs"]
mod dispatches;
#[path = "support/extent.rs"]
mod extent;
#[path = "support/pairs.rs"]
mod pairs;

use std::{
    fs,
    io::Write,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant, SystemTime},
};

use bed::{create_builder, create_runtime, manifest_folder, read_event};
use dispatches::time_dispatches;
use extent::{Extent, built_path};
use hookbox::{
    HookSpec, Host, Target,
    hook::{Confinement, ShellSpec, WasmSpec},
    interfaces::Environment,
    model::EventName,
};
use pairs::{compare_sides, print_heading, print_row, time_each};
use tokio::runtime::Runtime;

/// A language, the shell hook that a user would write instead, and the required speed-up.
struct Language {
    name: &'static str,
    instead: &'static str,
    target: RangeInclusive<f64>,
}

const fn define_language(name: &'static str, instead: &'static str, least: f64) -> Language {
    Language { name, instead, target: least..=f64::INFINITY }
}

/// Command in the recorded event.
const RECORDED: &str = "rm -rf / --no-preserve-root";
const SHELL: &str = "cat >/dev/null";
const NODE: &str = "node -e 'process.stdin.resume()'";
const PYTHON: &str = "python3 -S -c 'import sys; sys.stdin.read()'";

const LANGUAGES: [Language; 7] = [
    define_language("rust", SHELL, 100.0),
    define_language("c", SHELL, 100.0),
    define_language("zig", SHELL, 100.0),
    define_language("assemblyscript", SHELL, 100.0),
    define_language("javascript", NODE, 150.0),
    define_language("typescript", NODE, 150.0),
    define_language("python", PYTHON, 10.0),
];

/// Programs for WASI: each call starts one.
const PROGRAMS: [&str; 4] = ["rust-command", "c-command", "cpp-command", "go"];

fn main() {
    let Some(extent) = Extent::of_this_run() else { return };
    let runtime = create_runtime();
    print_heading();
    for language in &LANGUAGES {
        against_a_shell_hook(&runtime, extent, language);
    }
    for program in PROGRAMS {
        against_a_shell_hook(&runtime, extent, &define_language(program, SHELL, 0.0));
    }
    go_against_its_own(&runtime, extent);
    measure_cold_runs(extent);
    what_it_takes(extent);
}

/// Returns the recorded call, exactly as the check denies it.
fn event_bytes() -> Vec<u8> {
    let recorded = String::from_utf8(bed::event_bytes(1 << 10)).unwrap();
    assert!(recorded.contains(RECORDED), "the recorded event has changed");
    recorded.replace(RECORDED, "rm -rf /").into_bytes()
}

fn component_path(language: &str) -> PathBuf {
    built_path(&format!("check/{language}.wasm"))
}

fn create_wasm_host(language: &str) -> Host {
    let target = Target::Wasm(WasmSpec::new(component_path(language)));
    let hook = HookSpec::new(language, target).on([EventName::ToolBefore]);
    create_builder().hooks([hook]).build()
}

fn create_shell_host(line: &str) -> Host {
    let spec = ShellSpec { confinement: Some(Confinement::default()), ..ShellSpec::from_line(line) };
    let environment = Environment::from_iter([("PATH", "/usr/local/bin:/usr/bin:/bin")]);
    let hook = HookSpec::new("shell", Target::Shell(spec)).on([EventName::ToolBefore]);
    Host::builder().environment(environment).hooks([hook]).build()
}

/// Compares the check in Go with a native program of the same source.
fn go_against_its_own(runtime: &Runtime, extent: Extent) {
    let native = format!("'{}'", built_path("check/go-native").display());
    let event = read_event(&event_bytes());
    let denied = runtime.block_on(create_shell_host(&native).dispatch(event));
    assert_eq!(denied.verdict.as_str(), "deny", "{:?}", denied.reports.first());
    measure_calls(runtime, extent, ("its own program", &native), &define_language("go", SHELL, 3.0));
}

/// Compares the hook with the shell hook that a user would write instead.
fn against_a_shell_hook(runtime: &Runtime, extent: Extent, language: &Language) {
    let instead = format!("`{}`", language.instead);
    measure_calls(runtime, extent, (&instead, language.instead), language);
}

/// Measures twenty calls of each, alternating, in a long-running host.
fn measure_calls(runtime: &Runtime, extent: Extent, (called, instead): (&str, &str), language: &Language) {
    let Language { name, target, .. } = language;
    let (wasm, shell, event) =
        (create_wasm_host(name), create_shell_host(instead), read_event(&event_bytes()));
    // Python's 18 MB take longer to compile than a call may.
    let ready = runtime.block_on(wasm.prepare());
    assert!(ready.iter().all(|(_, ready)| ready.is_ok()), "{name}: {ready:?}");
    let denied = runtime.block_on(wasm.dispatch(event.clone()));
    assert_eq!(denied.verdict.as_str(), "deny", "{name}: {:?}", denied.reports.first());
    let pair = compare_sides(
        extent.limit_rounds(30),
        20,
        time_dispatches(runtime, &shell, &event),
        time_dispatches(runtime, &wasm, &event),
    );
    let promised = (*target.start() > 0.0).then(|| target.clone());
    print_row(&format!("{called} ÷ {name}"), &pair, promised);
}

/// Measures a whole process for one event.
fn measure_cold_runs(extent: Extent) {
    let homes = ["rust", "javascript", "python"].map(|language| {
        let home = tempfile::tempdir().unwrap();
        install_check(extent, home.path(), &component_path(language));
        (language, home)
    });
    // A file younger than this is looked at again, whatever it is.
    thread::sleep(Duration::from_secs(4));
    let [(_, rust), others @ ..] = &homes;
    for (language, home) in others {
        let run = |home: &Path| cold_run(extent, home);
        let pair = compare_sides(
            extent.limit_rounds(100),
            1,
            time_each(|| run(home.path())),
            time_each(|| run(rust.path())),
        );
        let target = (*language == "javascript").then_some(0.0..=3.0);
        print_row(&format!("cold `hookbox run`, {language} ÷ rust"), &pair, target);
    }
}

fn build_command(extent: Extent, home: &Path) -> Command {
    let mut command = Command::new(extent.program_path("hookbox"));
    command.env_clear().env("HOME", home).env("PATH", "/usr/local/bin:/usr/bin:/bin").current_dir(home);
    command
}

fn install_check(extent: Extent, home: &Path, plugin: &Path) {
    let folder = home.join(".config/hookbox");
    fs::create_dir_all(&folder).unwrap();
    let text = format!(
        "[[hook]]\nname = \"check\"\non = \"tool.before\"\nwasm = {{ path = \"{}\" }}\n",
        plugin.display()
    );
    let file = folder.join("hooks.toml");
    fs::write(&file, text).unwrap();
    // A file that has just changed is read twice.
    let hour = Duration::from_hours(1);
    fs::File::open(&file).unwrap().set_modified(SystemTime::now() - hour).unwrap();
    assert!(build_command(extent, home).arg("check").stdout(Stdio::null()).status().unwrap().success());
}

fn cold_run(extent: Extent, home: &Path) {
    let mut command = build_command(extent, home);
    command.args(["run", "--agent", "claude-code", "--home"]).arg(home);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&event_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
}

/// Measures size and compile time of each, and the cost of a changed script.
fn what_it_takes(extent: Extent) {
    println!("\n| language | bytes | to native code, ms |\n|---|---|---|");
    let languages = LANGUAGES.iter().map(|language| language.name).chain(PROGRAMS);
    for language in languages {
        let component = fs::read(component_path(language)).unwrap();
        let time = time_compile(extent, &[], &component);
        println!("| {language} | {} | {} |", component.len(), time.as_millis());
    }
    for (language, source) in [("javascript", "hook.js"), ("typescript", "hook.ts")] {
        let script = manifest_folder().join("examples/check").join(language).join(source);
        let time = time_compile(extent, &["--script", language, source], &fs::read(script).unwrap());
        let met = if time <= Duration::from_secs(2) { "met" } else { "MISSED" };
        println!("\na changed {source}, to native code: {} ms (target ≤ 2,000 ms, {met})", time.as_millis());
    }
}

fn time_compile(extent: Extent, words: &[&str], input: &[u8]) -> Duration {
    let started = Instant::now();
    let mut command = Command::new(extent.program_path("hookbox-compile"));
    command.args(words).env_clear().stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    assert!(child.wait().unwrap().success());
    started.elapsed()
}
