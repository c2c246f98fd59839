//! Child processes as hooks, most of them hostile.
#![expect(clippy::unwrap_used, reason = "a helper of a test that cannot go on fails the test")]

use std::{
    fs,
    os::fd::AsRawFd as _,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use crate::handlers::{Bed, block_on, format_reply};
use hookbox::{
    agents::native::NativeContract,
    handler::shell::{ShellHandler, ShellSpecError},
    hook::{Confinement, ShellCommand, ShellSpec},
    interfaces::{Environment, Handler},
    model::{HandlerKind, Json, Limit, Reason, Verdict},
};

/// More than any pipe holds.
const TEN_MEGABYTES: usize = 10 << 20;

fn make_spec(command: ShellCommand) -> ShellSpec {
    ShellSpec { confinement: Some(Confinement::default()), ..ShellSpec::new(command) }
}

fn make_environment() -> Environment {
    Environment::from_iter([
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("TOKEN", "canary-1"),
        ("LD_PRELOAD", "canary-2"),
    ])
}

fn make_handler(spec: ShellSpec) -> ShellHandler {
    ShellHandler::new(spec, &make_environment(), &NativeContract).unwrap()
}

fn sh_handler(line: &str) -> ShellHandler {
    make_handler(make_spec(ShellCommand::Line(line.to_owned())))
}

fn argv_handler(words: &[&str]) -> ShellHandler {
    make_handler(make_spec(ShellCommand::Argv(words.iter().map(|word| (*word).to_owned()).collect())))
}

fn result_of(line: &str) -> String {
    format_reply(&Bed::new().call_handler(&sh_handler(line)))
}

fn bed_in(folder: &Path) -> Bed {
    let mut bed = Bed::new();
    folder.to_str().unwrap().clone_into(&mut bed.event.cwd);
    bed
}

fn big_bed() -> Bed {
    let mut bed = Bed::new();
    bed.event.payload = Json::parse(&format!(r#"{{"text":"{}"}}"#, "x".repeat(TEN_MEGABYTES))).unwrap();
    bed
}

/// Waits for a condition, and fails if it never holds.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while !holds() {
        assert!(Instant::now() < deadline, "never: {what}");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Returns true if the process has ended, reaped or not.
pub(crate) fn is_gone(pid: &str) -> bool {
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => stat.rsplit(')').next().unwrap().trim_start().starts_with(['Z', 'X']),
        Err(_) => true,
    }
}

fn read_pids(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    text.split_whitespace().map(str::to_owned).collect()
}

/// Calls a hook that writes the file `pids` in its folder, drops the call when the file is there, and waits for the
/// end of all processes in it.
fn all_end_when_dropped(line: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pids");
    let (bed, hook) = (bed_in(folder.path()), sh_handler(line));
    block_on(async {
        let started = async {
            while !file.exists() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let call = hook.call(bed.call());
        drop(futures_util::future::select(call, Box::pin(started)).await);
    });
    let pids = read_pids(&file);
    assert!(pids.len() >= 2, "{pids:?}");
    for pid in pids {
        wait_until(&format!("{pid} ends"), || is_gone(&pid));
    }
}

#[test]
fn the_event_comes_in_as_json_and_the_answer_goes_out_as_json() {
    let hook =
        sh_handler(r#"input=$(cat); case $input in \{*tool.before*) echo '{"context":"seen"}';; esac"#);
    assert_eq!(hook.kind(), HandlerKind::Shell);
    assert_eq!(format_reply(&Bed::new().call_handler(&hook)), r#"context Some("seen")"#);
}

#[test]
fn the_exit_code_decides() {
    for (line, expected) in [
        ("exit 0", "no opinion"),
        ("echo; exit 0", "no opinion"),
        ("echo 'not today' >&2; exit 2", "deny [exit-2] not today"),
        ("echo 'not today'; exit 2", "deny [exit-2] not today"),
        (r#"echo '{"context":"x"}'; echo no >&2; exit 2"#, "deny [exit-2] no"),
        ("exit 2", "deny [exit-2] the hook exited with code 2 without a reason"),
        ("echo; echo one >&2; echo two >&2; exit 1", "exit: the hook ended with exit code 1: one"),
        ("echo '{}'; exit 3", "exit: the hook ended with exit code 3: it wrote nothing to standard error"),
        ("echo aargh >&2; kill -9 $$", "signal: the hook was killed by signal 9: aargh"),
        ("echo hello", r#"bad-output: the hook answered "hello", which is not a JSON object"#),
    ] {
        assert_eq!(result_of(line), expected, "{line}");
    }
    assert!(result_of("echo '{\"context\":'").starts_with("bad-output: the hook was not understood: "));
    assert!(
        result_of("printf '\\377'").starts_with("bad-output: the hook answered with text that is not UTF-8")
    );
}

#[test]
fn the_exit_code_outranks_the_output() {
    let (allow, deny) =
        (r#"echo '{"verdict":"allow","reason":"fine"}'"#, r#"echo '{"verdict":"deny","reason":"bad"}'"#);
    for (line, expected) in [
        (format!("{deny}; exit 0"), "deny [unspecified] bad"),
        (format!("{allow}; echo no >&2; exit 2"), "deny [exit-2] no"),
        (
            format!("{deny}; exit 1"),
            "exit: the hook ended with exit code 1: it wrote nothing to standard error",
        ),
        (
            format!("{allow}; kill -9 $$"),
            "signal: the hook was killed by signal 9: it wrote nothing to standard error",
        ),
        (format!("{allow}; echo and more"), "bad-output: the hook was not understood: "),
        (format!("{allow}{allow}"), "bad-output: the hook was not understood: "),
    ] {
        let result = result_of(&line);
        assert!(result.starts_with(expected), "{line}: {result}");
    }
}

#[test]
fn thirty_two_concurrent_hooks_that_flood_or_hang_leave_nothing_behind() {
    let (floods, hangs) = (sh_handler("yes"), sh_handler("trap '' TERM HUP; while :; do sleep 1000; done"));
    let bed = Bed::new();
    block_on(async {
        let hanging: Vec<_> = (0..16).map(|_| start_call(hook_call(&hangs, &bed))).collect();
        let flooding = futures_util::future::join_all((0..16).map(|_| hook_call(&floods, &bed)));
        for reply in flooding.await {
            assert!(format_reply(&reply).starts_with("output: "), "{}", format_reply(&reply));
        }
        drop(hanging);
    });
    wait_until("every child is reaped", || count_children() == 0);
    assert_eq!(result_of("exit 2"), "deny [exit-2] the hook exited with code 2 without a reason");
}

/// Polls a call once: its process is started.
fn start_call(mut call: hookbox::interfaces::CallFuture<'_>) -> hookbox::interfaces::CallFuture<'_> {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(call.as_mut().poll(&mut context).is_pending());
    call
}

#[test]
fn a_denial_is_a_verdict_with_a_stable_code() {
    let reply = Bed::new().call_handler(&sh_handler("echo no >&2; exit 2"));
    assert_eq!(reply.result.unwrap().verdict, Verdict::Deny(Reason::new("exit-2", "no")));
}

#[test]
fn standard_error_goes_to_the_log_and_not_into_the_answer() {
    let reply =
        Bed::new().call_handler(&sh_handler(r#"printf 'one\n\033[31mtwo\n' >&2; echo '{"context":"x"}'"#));
    assert_eq!(format_reply(&reply), r#"context Some("x")"#);
    let lines: Vec<_> = reply.log.iter().map(|line| (line.level.as_str(), line.message.as_str())).collect();
    assert_eq!(lines, [("info", "one"), ("info", "[31mtwo")]);
    assert_eq!((reply.usage.log_bytes, reply.usage.log_dropped), (10, 0));
}

#[test]
fn a_program_that_cannot_run_is_named_with_its_hook() {
    let format_result = |words: &[&str]| format_reply(&Bed::new().call_handler(&argv_handler(words)));
    assert_eq!(
        format_result(&["no-such-program"]),
        "missing: hook `the-hook` is to run `no-such-program`, which does not exist: install it or correct the command"
    );
    assert_eq!(
        format_result(&["/etc/passwd"]),
        "spawn: hook `the-hook` cannot run `/etc/passwd`: Permission denied (os error 13)"
    );
}

#[test]
fn a_hook_runs_in_its_configured_folder_or_that_of_the_event_or_the_root() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let line = r#"echo "{\"context\":\"$(pwd -P)\"}""#;
    let place = |folder: &Path| format!("context Some({:?})", folder.canonicalize().unwrap());
    let configured = |cwd: &Path| {
        let command = ShellCommand::Line(line.to_owned());
        make_handler(ShellSpec { cwd: Some(cwd.to_owned()), ..make_spec(command) })
    };
    assert_eq!(
        format_reply(&bed_in(here.path()).call_handler(&configured(there.path()))),
        place(there.path())
    );
    assert_eq!(format_reply(&bed_in(here.path()).call_handler(&sh_handler(line))), place(here.path()));
    for nowhere in ["", "relative", "/no/such/folder", "/etc/passwd"] {
        assert_eq!(
            format_reply(&bed_in(Path::new(nowhere)).call_handler(&sh_handler(line))),
            place(Path::new("/"))
        );
    }
    assert_eq!(
        format_reply(&Bed::new().call_handler(&configured(Path::new("/no/such/folder")))),
        "missing: hook `the-hook` is to run in `/no/such/folder`, which is not a folder: create it or change `cwd`"
    );
}

#[test]
fn nothing_is_substituted_into_a_command() {
    let folder = tempfile::tempdir().unwrap();
    let mut bed = bed_in(folder.path());
    let attack = "$(touch canary) `touch canary`; touch canary\ntouch canary";
    bed.event.session = attack.to_owned();
    bed.event.tool.as_mut().unwrap().name = attack.to_owned();
    bed.event.tool.as_mut().unwrap().command = Some(attack.to_owned());
    let words = argv_handler(&[
        "/bin/echo",
        "$(touch canary)",
        "`touch canary`",
        "${HOOKBOX_TOOL}",
        "; touch canary",
    ]);
    assert_eq!(
        format_reply(&bed.call_handler(&words)),
        r#"bad-output: the hook answered "$(touch canary) `touch canary` ${HOOKBOX_TOOL} ; touch canary", which is not a JSON object"#
    );
    assert_eq!(
        format_reply(&bed.call_handler(&sh_handler("cat >/dev/null; : $HOOKBOX_TOOL $HOOKBOX_SESSION"))),
        "no opinion"
    );
    assert!(!folder.path().join("canary").exists());
}

#[test]
fn a_hook_gets_a_clean_environment_and_what_it_was_promised() {
    let folder = tempfile::tempdir().unwrap();
    let command = ShellCommand::Line("env > variables".to_owned());
    let hook = make_handler(ShellSpec { env: vec!["TOKEN".to_owned()], ..make_spec(command) });
    assert_eq!(format_reply(&bed_in(folder.path()).call_handler(&hook)), "no opinion");
    let variables = fs::read_to_string(folder.path().join("variables")).unwrap();
    let mut names: Vec<_> = variables.lines().map(|line| line.split('=').next().unwrap()).collect();
    // Variables that a shell sets itself.
    names.retain(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name));
    names.sort_unstable();
    let expected = [
        "HOOKBOX_AGENT",
        "HOOKBOX_CALLERS",
        "HOOKBOX_CWD",
        "HOOKBOX_EVENT",
        "HOOKBOX_HOOK",
        "HOOKBOX_SESSION",
        "HOOKBOX_TOOL",
        "PATH",
        "TOKEN",
    ];
    assert_eq!(names, expected);
    assert!(variables.contains("HOOKBOX_TOOL=Bash\n") && variables.contains("TOKEN=canary-1\n"));
}

#[test]
fn event_text_that_no_variable_can_hold_is_left_out() {
    let mut bed = Bed::new();
    bed.event.session = "nul\0".to_owned();
    bed.event.tool.as_mut().unwrap().name = "x".repeat(3 << 20);
    let line = r#"test -z "${HOOKBOX_SESSION+set}${HOOKBOX_TOOL+set}" && test "$HOOKBOX_HOOK" = the-hook"#;
    assert_eq!(format_reply(&bed.call_handler(&sh_handler(line))), "no opinion");
}

#[test]
fn neither_log_nor_failure_shows_a_secret() {
    let command = ShellCommand::Line(r#"echo "$TOKEN, password=hunter2" >&2; exit 1"#.to_owned());
    let hook = make_handler(ShellSpec { env: vec!["TOKEN".to_owned()], ..make_spec(command) });
    let reply = Bed::new().call_handler(&hook);
    assert_eq!(
        format_reply(&reply),
        "exit: the hook ended with exit code 1: [redacted], password=[redacted]"
    );
    assert_eq!(reply.log[0].message, "[redacted], password=[redacted]");
}

#[test]
fn a_failure_that_shows_the_beginning_of_a_text_shows_no_half_of_a_secret() {
    let blanks = ".".repeat(75);
    for line in [format!("echo {blanks}$TOKEN >&2; exit 1"), format!("echo {blanks}$TOKEN")] {
        let command = ShellCommand::Line(line);
        let hook = make_handler(ShellSpec { env: vec!["TOKEN".to_owned()], ..make_spec(command) });
        let message = format_reply(&Bed::new().call_handler(&hook));
        assert!(message.contains(".[reda") && !message.contains("cana"), "{message}");
    }
}

#[test]
fn debug_shows_no_value_of_a_variable() {
    let command = ShellCommand::Line("true".to_owned());
    let hook = make_handler(ShellSpec { env: vec!["TOKEN".to_owned()], ..make_spec(command) });
    let shown = format!("{hook:?} {:?}", make_environment());
    assert!(shown.contains("TOKEN") && !shown.contains("canary"), "{shown}");
}

#[test]
fn a_spec_that_cannot_run_is_an_error() {
    let refused = |spec| ShellHandler::new(spec, &make_environment(), &NativeContract).unwrap_err();
    for command in [
        ShellCommand::Line(" ".to_owned()),
        ShellCommand::Argv(Vec::new()),
        ShellCommand::Argv(vec![String::new(), "x".to_owned()]),
    ] {
        assert_eq!(refused(make_spec(command)), ShellSpecError::EmptyCommand);
    }
    assert_eq!(refused(make_spec(ShellCommand::Line("a\0b".to_owned()))), ShellSpecError::NulInCommand);
    let command = ShellCommand::Line("true".to_owned());
    let error = refused(ShellSpec { env: vec!["LD_PRELOAD".to_owned()], ..make_spec(command) });
    assert_eq!(
        error.to_string(),
        "`LD_PRELOAD` is never passed on to a hook, since it changes which code programs run: remove it from `env`"
    );
}

#[test]
fn a_hook_that_closes_or_ignores_a_large_input_is_answered() {
    let bed = big_bed();
    for line in ["exec <&-; echo '{\"context\":\"x\"}'", "echo '{\"context\":\"x\"}'"] {
        assert_eq!(format_reply(&bed.call_handler(&sh_handler(line))), r#"context Some("x")"#, "{line}");
    }
}

#[test]
fn a_large_input_and_a_large_output_flow_at_the_same_time() {
    let mut bed = big_bed();
    bed.limits = bed.limits.with_limit(Limit::Output, 16 << 20).unwrap();
    let reply = bed.call_handler(&sh_handler("cat"));
    assert!(format_reply(&reply).starts_with("bad-output: the hook was not understood: "));
}

#[test]
fn input_that_is_read_arrives_whole() {
    let bed = big_bed();
    let line = format!(r#"test "$(wc -c)" -gt {TEN_MEGABYTES}"#);
    assert_eq!(format_reply(&bed.call_handler(&sh_handler(&line))), "no opinion");
}

#[test]
fn output_may_be_as_long_as_its_limit_and_not_a_byte_longer() {
    let mut bed = Bed::new();
    bed.limits = bed.limits.with_limit(Limit::Output, 1024).unwrap();
    let blanks = |count: usize| sh_handler(&format!("printf '%{count}s' ''"));
    assert_eq!(format_reply(&bed.call_handler(&blanks(1024))), "no opinion");
    let over = "output: the hook wrote more than 1024 bytes to standard output (its limit `output`) and was killed: make it write less";
    assert_eq!(format_reply(&bed.call_handler(&blanks(1025))), over);
    assert_eq!(format_reply(&bed.call_handler(&sh_handler("yes"))), over);
}

#[test]
fn a_flood_on_standard_error_is_thrown_away_and_an_endless_one_is_ended() {
    let long = Bed::new().call_handler(&sh_handler("yes | head -c 1000000 >&2"));
    assert_eq!(format_reply(&long), "no opinion");
    assert_eq!((long.log.len(), long.usage.log_dropped), (100, (64 << 10) / 2 - 100));
    assert_eq!(
        result_of("yes >&2"),
        "output: the hook wrote more than 16777216 bytes to standard error and was killed: make it write less"
    );
}

#[test]
fn a_hook_that_closes_its_outputs_and_goes_on_is_waited_for() {
    assert_eq!(
        result_of("exec >&- 2>&-; sleep 0.05; exit 2"),
        "deny [exit-2] the hook exited with code 2 without a reason"
    );
}

#[test]
fn a_daemon_that_keeps_the_output_open_does_not_hold_the_call_and_does_not_outlive_it() {
    let folder = tempfile::tempdir().unwrap();
    let line = r#"(trap '' HUP TERM; sleep 1000) & echo $! $! > pids; echo '{"context":"x"}'"#;
    assert_eq!(format_reply(&bed_in(folder.path()).call_handler(&sh_handler(line))), r#"context Some("x")"#);
    for pid in read_pids(&folder.path().join("pids")) {
        wait_until("the daemon ends", || is_gone(&pid));
    }
}

#[test]
fn a_process_that_escaped_the_group_does_not_hold_the_call() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pids");
    let line = r#"setsid sh -c 'echo $$ > tmp; mv tmp pids; exec sleep 60' & until test -e pids; do :; done; echo '{"context":"x"}'"#;
    assert_eq!(format_reply(&bed_in(folder.path()).call_handler(&sh_handler(line))), r#"context Some("x")"#);
    let escaped = read_pids(&file);
    assert!(!is_gone(&escaped[0]));
    let pid = rustix::process::Pid::from_raw(escaped[0].parse().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

#[test]
fn dropping_a_call_ends_children_and_grandchildren() {
    all_end_when_dropped(
        "sleep 1000 & a=$!; (sleep 1000 & echo $! > inner; wait) & until test -s inner; do :; done; echo $$ $a $! $(cat inner) > tmp; mv tmp pids; wait",
    );
}

#[test]
fn dropping_a_call_ends_processes_that_ignore_signals_or_are_stopped() {
    all_end_when_dropped(
        "trap '' TERM HUP INT; sleep 1000 & kill -STOP $!; echo $$ $! > tmp; mv tmp pids; while :; do sleep 1; done",
    );
}

#[test]
fn dropping_a_call_ends_a_pipeline_and_a_double_fork() {
    all_end_when_dropped(
        "(sleep 1000 & echo $! > one); sleep 1000 | cat & echo $$ $! $(cat one) > tmp; mv tmp pids; wait",
    );
}

#[test]
fn a_call_that_was_never_polled_starts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (bed, hook) = (bed_in(folder.path()), sh_handler("touch canary"));
    drop(hook.call(bed.call()));
    assert!(!folder.path().join("canary").exists());
}

#[test]
fn a_hook_receives_three_streams_and_no_file_or_socket_of_hookbox() {
    let folder = tempfile::tempdir().unwrap();
    let _file = fs::File::create(folder.path().join("canary")).unwrap();
    let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let descriptor = socket.as_raw_fd();
    let ours = fs::read_link(format!("/proc/self/fd/{descriptor}")).unwrap();
    assert_eq!(
        format_reply(&bed_in(folder.path()).call_handler(&sh_handler("ls -l /proc/$$/fd > fds"))),
        "no opinion"
    );
    let fds = fs::read_to_string(folder.path().join("fds")).unwrap();
    assert!(!fds.contains("canary") && !fds.contains(ours.to_str().unwrap()), "{fds}");
}

#[test]
fn two_hundred_calls_leave_no_zombie_and_no_descriptor() {
    let (bed, hook) = (Bed::new(), sh_handler("exit 0"));
    let forever = sh_handler("sleep 1000");
    let descriptors = || fs::read_dir("/proc/self/fd").unwrap().count();
    let before = descriptors();
    block_on(async {
        for round in 0..200 {
            if round % 2 == 0 {
                assert_eq!(format_reply(&hook.call(bed.call()).await), "no opinion");
            } else {
                let mut call = hook_call(&forever, &bed);
                let started = std::future::poll_fn(|context| {
                    std::task::Poll::Ready(call.as_mut().poll(context).is_pending())
                });
                assert!(started.await);
            }
        }
    });
    // Other tests of this process open some descriptors concurrently; a leak would be hundreds.
    assert!(descriptors() < before + 100, "{before} descriptors became {}", descriptors());
    wait_until("every child is reaped", || count_zombies() == 0);
}

fn hook_call<'a>(hook: &'a ShellHandler, bed: &'a Bed) -> hookbox::interfaces::CallFuture<'a> {
    hook.call(bed.call())
}

/// Counts child processes, ended or not.
fn count_children() -> usize {
    let tasks = fs::read_dir("/proc/self/task").unwrap().flatten();
    let of = |task: fs::DirEntry| fs::read_to_string(task.path().join("children")).unwrap_or_default();
    tasks.map(|task| of(task).split_whitespace().count()).sum()
}

/// Counts child processes that have ended and are not reaped.
fn count_zombies() -> usize {
    let ours = format!(") Z {} ", std::process::id());
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let stats = processes.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    stats.filter(|stat| stat.contains(&ours)).count()
}
