//! Cost of checking the files that each call writes, and of trusting a project's hooks.
#![expect(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark")]

#[path = "support/extent.rs"]
mod extent;
#[path = "support/pairs.rs"]
mod pairs;

use std::{
    fmt::Write as _,
    fs,
    hint::black_box,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant, SystemTime},
};

use extent::{Extent, built_path};
use hookbox::{
    Host, Request, ShippedPlugins,
    agents::{self, ReadContext},
    sandbox::compile::Compiler,
};
use hookbox_app::{
    FolderHooks, HookFiles, Surroundings,
    places::{NamedPlaces, Places},
    trust_candidates,
    trusted_hooks::TrustStore,
};
use pairs::{compare_sides, print_heading, print_row, time_each};
use tokio::runtime::Runtime;

/// Hooks of the project that one page shows.
const MANY: usize = 100;

fn main() {
    let Some(extent) = Extent::of_this_run() else { return };
    own_files(extent);
    measure_one_file(extent);
    print_heading();
    measure_warm_calls(extent);
    measure_cold_runs(extent);
}

/// A home with a project in it.
struct Bed(tempfile::TempDir);

impl Bed {
    fn new() -> Self {
        let bed = Self(tempfile::tempdir().unwrap());
        bed.write_file(".config/hookbox/hooks.toml", "# no hooks\n");
        fs::create_dir_all(bed.join_path("project/.git")).unwrap();
        bed
    }

    fn join_path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn write_file(&self, name: &str, text: &str) {
        let file = self.join_path(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        // A file that has just changed is read twice.
        let hour = Duration::from_hours(1);
        fs::File::open(&file).unwrap().set_modified(SystemTime::now() - hour).unwrap();
    }

    fn places(&self) -> Places {
        Places::of_account(&NamedPlaces { home: Some(self.join_path("")), ..NamedPlaces::default() })
    }

    fn read_hooks(&self, extent: Extent) -> FolderHooks {
        let surroundings = Surroundings {
            places: self.places(),
            shipped: ShippedPlugins::default(),
            program: None,
            compiler: Compiler::Process(extent.program_path("hookbox-compile")),
            variables: Vec::new(),
            session_folders: Vec::new(),
        };
        FolderHooks::read_files(
            surroundings,
            HookFiles::Layers { folder: &self.join_path("project"), session: None },
        )
    }

    /// Trusts all that the project brings, as a user would.
    fn trust(&self) {
        let (places, shipped) = (self.places(), ShippedPlugins::default());
        let store = TrustStore::of_user(&places).unwrap();
        let (root, hooks, _) =
            trust_candidates((&places, &shipped), &store, &self.join_path("project")).unwrap();
        for hook in hooks {
            store.trust_hook(&root, &hook.hook.name, &hook.closure.unwrap()).unwrap();
        }
    }

    /// Returns Claude Code's event before this call.
    fn format_event(&self, tool: &str, input: &str) -> String {
        format!(
            r#"{{"session_id":"s","transcript_path":"/t","cwd":"{}","hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{input},"tool_use_id":"t"}}"#,
            self.join_path("project").display()
        )
    }
}

fn read_question(event: &str) -> Request {
    let read = Request::parse_input(
        agents::find_dialect("claude-code"),
        event.as_bytes().to_vec(),
        &ReadContext::default(),
    );
    read.map_err(|unread| unread.message).unwrap()
}

fn create_runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Measures a dispatch of a long-running host without hooks: it only examines the files that the call writes.
fn own_files(extent: Extent) {
    let bed = Bed::new();
    let (folder_hooks, runtime) = (bed.read_hooks(extent), create_runtime());
    let host = folder_hooks.build_host(folder_hooks.hooks());
    let long = "cd /srv/app && git status --short | head -20 && cargo test --workspace 2>&1 | tee target/log.txt | tail -50; \
                for f in src/*.rs; do wc -l \\\"$f\\\" >> counts.txt; done; cp -r docs build/docs && rm -rf build/tmp";
    println!("| a call | µs |\n|---|---|");
    for (what, tool, input) in [
        ("`Read`", "Read", r#"{"file_path":"/srv/app/main.rs"}"#.to_owned()),
        ("`Bash`: `ls`", "Bash", r#"{"command":"ls -la"}"#.to_owned()),
        ("`Bash`: 250 bytes of pipes, loops and copies", "Bash", format!(r#"{{"command":"{long}"}}"#)),
        (
            "`Write`, in the project",
            "Write",
            format!(r#"{{"file_path":"{}","content":""}}"#, bed.join_path("project/main.rs").display()),
        ),
    ] {
        let question = read_question(&bed.format_event(tool, &input));
        let calls = if extent == Extent::Full { 20_000 } else { 1 };
        println!(
            "| {what} | {:.2} |",
            time_micros(calls, || drop(black_box(runtime.block_on(host.dispatch(&question.event)))))
        );
    }
    println!();
}

fn time_micros(calls: u32, mut work: impl FnMut()) -> f64 {
    for _ in 0..calls / 10 {
        work();
    }
    let started = Instant::now();
    for _ in 0..calls {
        work();
    }
    started.elapsed().as_secs_f64() * 1e6 / f64::from(calls)
}

/// Measures one file with many hooks, each with a script of its own.
fn measure_one_file(extent: Extent) {
    let bed = Bed::new();
    let mut hooks = String::new();
    for number in 0..MANY {
        let _ = writeln!(
            hooks,
            "[[hook]]\nname = \"h{number}\"\non = \"tool.before\"\nshell = {{ argv = [\"sh\", \"scripts/{number}.sh\"] }}"
        );
        bed.write_file(&format!("project/scripts/{number}.sh"), &"echo a line of a script\n".repeat(40));
    }
    bed.write_file("project/.hookbox/hooks.toml", &hooks);
    let started = Instant::now();
    let mut command = Command::new(extent.program_path("hookbox"));
    command
        .args(["trust", "--review"])
        .current_dir(bed.join_path("project"))
        .env_clear()
        .env("HOME", bed.join_path(""));
    let page = command.output().unwrap();
    let took = started.elapsed();
    assert!(page.status.success(), "{}", String::from_utf8_lossy(&page.stderr));
    println!(
        "the page of {MANY} hooks: {} ms, {} KiB (target ≤ 1000 ms)\n",
        took.as_millis(),
        page.stdout.len() >> 10
    );
}

/// Compares a component as the user's hook with the component as a project's trusted hook.
fn measure_warm_calls(extent: Extent) {
    let (own, trusted) = (Bed::new(), Bed::new());
    let plugin = built_path("plugins/find-text.wasm");
    let hook = |path: &str| {
        format!(
            "[[hook]]\nname = \"find\"\non = \"tool.before\"\nwasm = {{ path = \"{path}\" }}\nconfig = {{ deny = [\"rm -rf /\"] }}\n"
        )
    };
    own.write_file(".config/hookbox/hooks.toml", &hook(&plugin.display().to_string()));
    let project = "project/find-text.wasm";
    fs::copy(&plugin, trusted.join_path(project)).unwrap();
    trusted.write_file("project/.hookbox/hooks.toml", &hook("../find-text.wasm"));
    trusted.trust();
    let runtime = create_runtime();
    let ready = |bed: &Bed| -> (Host, Request) {
        let folder_hooks = bed.read_hooks(extent);
        assert_eq!(folder_hooks.loaded.waiting, 0, "{:?}", folder_hooks.loaded.problems);
        let (host, question) = (
            folder_hooks.build_host(folder_hooks.hooks()),
            read_question(&bed.format_event("Read", r#"{"file_path":"/srv/x"}"#)),
        );
        runtime.block_on(host.dispatch(&question.event));
        (host, question)
    };
    let ((theirs, asked), (ours, question)) = (ready(&trusted), ready(&own));
    let dispatch = |host: &Host, question: &Request| drop(runtime.block_on(host.dispatch(&question.event)));
    let pair = compare_sides(
        extent.limit_rounds(60),
        200,
        time_each(|| dispatch(&theirs, &asked)),
        time_each(|| dispatch(&ours, &question)),
    );
    print_row("warm dispatch of a trusted hook ÷ of the user's own", &pair, Some(0.0..=1.02));
}

const HOOK: &str =
    "[[hook]]\nname = \"guard\"\non = \"session.end\"\nshell = { argv = [\"sh\", \"guard.sh\"] }\n";

/// Measures whole processes in a project whose hooks are for other events: trusted, and untrusted.
fn measure_cold_runs(extent: Extent) {
    let (trusted, own, waits) = (Bed::new(), Bed::new(), Bed::new());
    for bed in [&trusted, &own, &waits] {
        bed.write_file("project/guard.sh", "exit 0\n");
        bed.write_file("project/.hookbox/hooks.toml", HOOK);
    }
    trusted.trust();
    own.write_file(".config/hookbox/hooks.toml", &HOOK.replace("guard", "own"));
    let hookbox = extent.program_path("hookbox");
    let run = |bed: &Bed| {
        run_event(&hookbox, &bed.join_path(""), &bed.format_event("Read", r#"{"file_path":"/srv/x"}"#));
    };
    // One-time reports are not printed again.
    run(&own);
    run(&waits);
    let measured = |other: &Bed| {
        compare_sides(extent.limit_rounds(400), 1, time_each(|| run(&trusted)), time_each(|| run(other)))
    };
    // Either has one hook that may run, and reads the project's file.
    print_row(
        "cold `hookbox run`, a project's hook is trusted ÷ it waits, and the user has the same",
        &measured(&own),
        Some(0.0..=1.02),
    );
    print_row("cold `hookbox run`, a project's hook is trusted ÷ it waits", &measured(&waits), None);
}

fn run_event(hookbox: &Path, home: &Path, event: &str) {
    let mut command = Command::new(hookbox);
    command.args(["run", "--agent", "claude-code", "--home"]).arg(home).current_dir(home);
    command.env_clear().env("HOME", home).env("PATH", "/usr/bin:/bin");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
}
