//! `hookbox run` as a whole process against `sh -c 'cat >/dev/null'`, and `hookbox confine -- true` against `sh -c true`, in strict pairs,
//! as users get them.
#![expect(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark")]

#[path = "support/extent.rs"]
mod extent;
#[path = "support/pairs.rs"]
mod pairs;

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use extent::{Extent, built_path};
use pairs::{compare_sides, print_heading, print_row, time_each};

/// Argument with which this program calls itself, before the command and a home, to measure the peak memory of a run in that home.
const PEAK: &str = "--peak-in";

fn main() {
    let mut words = std::env::args_os().skip_while(|argument| argument != PEAK).skip(1);
    if let (Some(hookbox), Some(home)) = (words.next(), words.next()) {
        return print_peak(Path::new(&hookbox), Path::new(&home));
    }
    let Some(extent) = Extent::of_this_run() else { return };
    let (hookbox, plugin) = (extent.program_path("hookbox"), built_path("plugins/find-text.wasm"));
    let home = tempfile::tempdir().unwrap();
    install_hook(home.path(), &plugin, "");
    let alone = tempfile::tempdir().unwrap();
    install_hook(alone.path(), &plugin, ", isolate = true");
    let run = |event: &[u8]| cold_run(&hookbox, home.path(), event);
    for home in [&home, &alone] {
        let mut check = Command::new(&hookbox);
        assert!(
            clear_environment(check.arg("check"), home.path())
                .stdout(Stdio::null())
                .status()
                .unwrap()
                .success()
        );
    }
    // A file younger than this is looked at again, whatever it is.
    thread::sleep(Duration::from_secs(4));
    let peak = measure_peak_memory(&hookbox, home.path());

    print_heading();
    for (name, size, rounds) in [("1 KiB", 1 << 10, 400), ("64 KiB", 64 << 10, 200), ("1 MiB", 1 << 20, 100)]
    {
        let event = read_padded_event(size);
        let shell = || {
            let mut command = Command::new("sh");
            command.args(["-c", "cat >/dev/null"]);
            run_to_end(clear_environment(&mut command, home.path()), &event);
        };
        let pair = compare_sides(extent.limit_rounds(rounds), 1, time_each(|| run(&event)), time_each(shell));
        let target = if size == 1 << 10 { Some(0.0..=1.0) } else { None };
        print_row(&format!("cold `hookbox run` ÷ `sh`, {name}"), &pair, target);
    }
    let event = read_padded_event(1 << 10);
    let apart = || cold_run(&hookbox, alone.path(), &event);
    let pair = compare_sides(extent.limit_rounds(200), 1, time_each(apart), time_each(|| run(&event)));
    print_row("cold `hookbox run`, its hook apart ÷ in the host, 1 KiB", &pair, None);
    let project = home.path().join("project");
    fs::create_dir(&project).unwrap();
    let end = |program: &Path, words: &[&str]| {
        let mut command = Command::new(program);
        let command = clear_environment(command.args(words), home.path()).current_dir(&project);
        assert!(command.stdin(Stdio::null()).status().unwrap().success());
    };
    let place = home.path().display().to_string();
    let confined = || end(&hookbox, &["confine", "--home", &place, "--", "true"]);
    let pair = compare_sides(
        extent.limit_rounds(400),
        1,
        time_each(confined),
        time_each(|| end(Path::new("sh"), &["-c", "true"])),
    );
    print_row("`hookbox confine -- true` ÷ `sh -c true`", &pair, Some(0.0..=1.3));
    let met = if peak <= 15 << 10 { "met" } else { "MISSED" };
    println!("\npeak memory of the cold run: {:.1} MiB (target ≤ 15 MiB, {met})", f64::from(peak) / 1024.0);
}

fn cold_run(hookbox: &Path, home: &Path, event: &[u8]) {
    let mut command = Command::new(hookbox);
    command.args(["run", "--agent", "claude-code", "--home"]).arg(home);
    run_to_end(clear_environment(&mut command, home), event);
}

/// Returns the largest memory of three runs, in KiB. A process only knows the maximum over its children, and a child's value includes the
/// memory of its parent before exec: so a small process that does nothing else starts the runs.
fn measure_peak_memory(hookbox: &Path, home: &Path) -> u32 {
    let mut measured = Command::new(std::env::current_exe().unwrap());
    let output = measured.arg(PEAK).args([hookbox, home]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}

fn print_peak(hookbox: &Path, home: &Path) {
    for _ in 0..3 {
        cold_run(hookbox, home, &read_padded_event(1 << 10));
    }
    let usage = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN).unwrap();
    println!("{}", usage.max_rss());
}

/// Creates a home with one hook, the check of the other benchmarks.
fn install_hook(home: &Path, plugin: &Path, more: &str) {
    let folder = home.join(".config/hookbox");
    fs::create_dir_all(&folder).unwrap();
    let plugin = plugin.display();
    let text = format!(
        "[[hook]]\nname = \"find-text\"\non = \"tool.before\"\ntool = {{ class = \"shell\" }}\n\
         wasm = {{ path = \"{plugin}\"{more} }}\nconfig = {{ deny = [\"rm -rf /\"] }}\n"
    );
    let file = folder.join("hooks.toml");
    fs::write(&file, text).unwrap();
    // A file that has just changed is read twice.
    let hour = std::time::Duration::from_hours(1);
    fs::File::open(&file).unwrap().set_modified(std::time::SystemTime::now() - hour).unwrap();
}

fn clear_environment<'a>(command: &'a mut Command, home: &Path) -> &'a mut Command {
    command.env_clear().env("HOME", home).env("PATH", "/usr/local/bin:/usr/bin:/bin").current_dir(home)
}

fn run_to_end(command: &mut Command, event: &[u8]) {
    // Not /dev/null: a deny that cannot be delivered results in an exit code.
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(event).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
}

fn read_padded_event(size: usize) -> Vec<u8> {
    let recorded = "tests/data/events/claude-code/14-PreToolUse-Bash-blocked.json";
    let recorded = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(recorded)).unwrap();
    let padding = "x".repeat(size.saturating_sub(recorded.len()));
    recorded.replace("\"Clean\"", &format!("\"Clean{padding}\"")).into_bytes()
}
