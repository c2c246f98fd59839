//! Confinement of a child process, tested by the actions that it still permits. If the machine lacks a required
//! feature, the hook must be refused, and the test checks that instead.
#![expect(clippy::unwrap_used, reason = "a helper of a test that cannot go on fails the test")]

use std::{
    fs, io,
    net::TcpListener,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::handlers::{Bed, format_reply};
use hookbox::{
    agents::native::NativeContract,
    handler::shell::{ShellHandler, confine::KernelSupport},
    hook::{Confinement, FileRules, Place, ResourceLimits, ShellCommand, ShellSpec},
    interfaces::Environment,
};

const CANARY: &str = "canary-6f1d";

fn make_environment(home: &Path) -> Environment {
    Environment::from_iter([("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", home.to_str().unwrap())])
}

fn make_command(line: &str) -> ShellSpec {
    ShellSpec { confinement: Some(Confinement::default()), ..ShellSpec::from_line(line) }
}

/// A hook's folder, and one that it may not access.
struct Folders {
    project: tempfile::TempDir,
    outside: tempfile::TempDir,
}

impl Folders {
    fn new() -> Self {
        let (project, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(project.path().join("inside"), "inside").unwrap();
        fs::write(outside.path().join("secret"), CANARY).unwrap();
        Self { project, outside }
    }

    /// Returns the result of a call of `line`, in which `OUTSIDE` is replaced by the other folder.
    fn call_line(&self, line: &str, confinement: Confinement) -> String {
        let spec = make_command(&line.replace("OUTSIDE", self.outside.path().to_str().unwrap()));
        self.call_spec(ShellSpec { confinement: Some(confinement), ..spec })
    }

    fn call_spec(&self, spec: ShellSpec) -> String {
        let mut bed = Bed::new();
        self.project.path().to_str().unwrap().clone_into(&mut bed.event.cwd);
        let hook = ShellHandler::new(spec, &make_environment(self.outside.path()), &NativeContract).unwrap();
        format_reply(&bed.call_handler(&hook))
    }

    fn secret(&self) -> String {
        fs::read_to_string(self.outside.path().join("secret")).unwrap()
    }
}

/// Returns a command that answers with the output of `line`.
fn say_output(line: &str) -> String {
    format!("cat >/dev/null; said=$({line}); echo \"{{\\\"context\\\":\\\"$said\\\"}}\"")
}

fn context_of(text: &str) -> String {
    format!("context Some({text:?})")
}

fn confine_files(read: &[Place], write: &[Place]) -> Confinement {
    let files = Some(FileRules { read: read.to_vec(), write: write.to_vec() });
    Confinement { files, ..Confinement::default() }
}

fn confine_limits(limits: ResourceLimits) -> Confinement {
    Confinement { limits, ..Confinement::default() }
}

/// Expects the answer, or the refusal if this machine has no Landlock.
fn expect_confined(result: &str, expected: &str) {
    if KernelSupport::detect_features().confines_files() {
        assert_eq!(result, expected);
    } else {
        let refused =
            "refused: hook `the-hook` is not run unconfined: `confine.read` and `write` need Landlock";
        assert!(result.starts_with(refused), "{result}");
    }
}

/// Returns a field of `/proc/self/status` or `limits` of this process.
fn own_status(file: &str, field: &str) -> String {
    let text = fs::read_to_string(format!("/proc/self/{file}")).unwrap();
    let line = text.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn limit_of_child(name: &str) -> String {
    say_output(&format!("grep '^{name}' /proc/self/limits | tr -s ' '"))
}

const SESSION: &str = "read pid name state parent group session terminal rest </proc/$$/stat; \
     test $session = $$ && echo own; test $terminal = 0 && echo , none; (: </dev/tty) 2>/dev/null && echo , open";

#[test]
fn a_hook_has_a_session_of_its_own_and_no_terminal() {
    assert_eq!(
        Folders::new()
            .call_line(&say_output(&format!("{{ {SESSION}; }} | tr -d '\\n'")), Confinement::default()),
        context_of("own, none")
    );
}

#[test]
fn a_hook_gains_no_privileges_unless_it_may() {
    let folders = Folders::new();
    let line = say_output("grep ^NoNewPrivs: /proc/self/status | tr '\\t' ' '");
    assert_eq!(folders.call_line(&line, Confinement::default()), context_of("NoNewPrivs: 1"));
    let allowed = Confinement { privileges: Some(true), ..Confinement::default() };
    assert_eq!(folders.call_line(&line, allowed), context_of(&own_status("status", "NoNewPrivs:")));
}

#[test]
fn a_hook_has_limits_that_only_a_runaway_meets() {
    let folders = Folders::new();
    for (name, expected) in [
        ("Max core file size", "Max core file size 0 0 bytes "),
        ("Max file size", "Max file size 68719476736 68719476736 bytes "),
        ("Max data size", "Max data size 17179869184 17179869184 bytes "),
        ("Max cpu time", "Max cpu time 3600 3601 seconds "),
    ] {
        assert_eq!(folders.call_line(&limit_of_child(name), Confinement::default()), context_of(expected));
    }
}

#[test]
fn a_hook_of_another_systems_file_keeps_session_privileges_and_limits() {
    let folders = Folders::new();
    let foreign = |line: &str| folders.call_spec(ShellSpec { confinement: None, ..make_command(line) });
    assert_eq!(
        foreign(&say_output("read a b c d e session rest </proc/$$/stat; test $session = $$ || echo ours")),
        context_of("ours")
    );
    let privileges = say_output("grep ^NoNewPrivs: /proc/self/status | tr '\\t' ' '");
    assert_eq!(foreign(&privileges), context_of(&own_status("status", "NoNewPrivs:")));
    let limit = format!("{} ", own_status("limits", "Max file size"));
    assert_eq!(foreign(&limit_of_child("Max file size")), context_of(&limit));
}

#[test]
fn a_file_is_not_written_longer_than_its_limit() {
    let folders = Folders::new();
    let limits = ResourceLimits { file_size: Some(100_000), ..ResourceLimits::default() };
    let result =
        folders.call_line("cat >/dev/null; exec head -c 200000 /dev/zero >big", confine_limits(limits));
    assert_eq!(result, "signal: the hook was killed by signal 25: it wrote nothing to standard error");
    assert_eq!(fs::metadata(folders.project.path().join("big")).unwrap().len(), 100_000);
}

#[test]
fn memory_is_not_taken_beyond_its_limit() {
    let folders = Folders::new();
    // One line, which `tail` has to keep.
    let line = say_output(
        "head -c 200000000 /dev/zero | tail -n 1 2>/dev/null >/dev/null && echo taken || echo none",
    );
    let limits = ResourceLimits { memory: Some(64 << 20), ..ResourceLimits::default() };
    assert_eq!(folders.call_line(&line, confine_limits(limits)), context_of("none"));
    assert_eq!(folders.call_line(&line, Confinement::default()), context_of("taken"));
}

#[test]
fn an_endless_loop_ends_when_its_processor_time_does() {
    let limits = ResourceLimits { cpu: Some(Duration::from_secs(1)), ..ResourceLimits::default() };
    assert_eq!(
        Folders::new().call_line("cat >/dev/null; while :; do :; done", confine_limits(limits)),
        "signal: the hook was killed by signal 24: it wrote nothing to standard error"
    );
}

#[test]
fn for_root_a_limit_on_processes_is_refused() {
    let limits = ResourceLimits { processes: Some(1), ..ResourceLimits::default() };
    let result = Folders::new()
        .call_line("cat >/dev/null; (sleep 1000 & sleep 1000 &); touch bomb", confine_limits(limits));
    if KernelSupport::detect_features().counts_processes {
        assert!(result.contains("fork"), "{result}");
    } else {
        assert_eq!(
            result,
            "refused: hook `the-hook` is not run unconfined: `confine.processes` has no effect on root, and hookbox runs as root: run it where it can hold, or take the setting out"
        );
    }
}

#[test]
fn a_file_outside_is_not_read_by_whatever_name() {
    let folders = Folders::new();
    std::os::unix::fs::symlink(folders.outside.path(), folders.project.path().join("link")).unwrap();
    for file in
        ["OUTSIDE/secret", "link/secret", "/proc/self/cwd/link/secret", "/etc/passwd", "/proc/1/environ"]
    {
        let result = folders.call_line(
            &say_output(&format!("cat {file} 2>/dev/null || echo closed")),
            confine_files(&[Place::Project], &[]),
        );
        expect_confined(&result, &context_of("closed"));
    }
    let result = folders.call_line(
        &say_output("ls OUTSIDE 2>/dev/null || echo closed"),
        confine_files(&[Place::Project], &[]),
    );
    expect_confined(&result, &context_of("closed"));
    assert_eq!(
        folders.call_line(&say_output("cat OUTSIDE/secret"), Confinement::default()),
        context_of(CANARY)
    );
}

#[test]
fn nothing_outside_is_changed_in_any_way() {
    let folders = Folders::new();
    let line = "cat >/dev/null; { echo x >OUTSIDE/secret; echo x >>OUTSIDE/secret; truncate -s 0 OUTSIDE/secret; \
         rm OUTSIDE/secret; mv OUTSIDE/secret here; ln OUTSIDE/secret here; mv inside OUTSIDE/new; mkdir OUTSIDE/new; \
         touch OUTSIDE/new; ln -s inside OUTSIDE/new; } 2>/dev/null; echo '{\"context\":\"tried\"}'";
    let result = folders.call_line(line, confine_files(&[Place::Project], &[Place::Project]));
    expect_confined(&result, &context_of("tried"));
    assert_eq!(folders.secret(), CANARY);
    let names: Vec<_> =
        fs::read_dir(folders.outside.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["secret"]);
}

#[test]
fn what_is_granted_can_be_read_and_written_and_no_more() {
    let folders = Folders::new();
    let (project, write) = ([Place::Project], Vec::new());
    let result = folders.call_line(
        &say_output("cat inside; touch new 2>/dev/null || echo , closed"),
        confine_files(&project, &write),
    );
    expect_confined(&result, &context_of("inside, closed"));
    let result = folders
        .call_line(&say_output("echo new >new; mv new other; cat other"), confine_files(&[], &project));
    expect_confined(&result, &context_of("new"));
    let run =
        say_output("printf '#!/bin/sh\\necho ran\\n' >run; chmod +x run; ./run 2>/dev/null || echo not run");
    expect_confined(&folders.call_line(&run, confine_files(&[], &project)), &context_of("not run"));
    expect_confined(&folders.call_line(&run, confine_files(&project, &project)), &context_of("ran"));
}

#[test]
fn a_file_that_is_granted_is_granted_alone() {
    let folders = Folders::new();
    fs::write(folders.outside.path().join("other"), CANARY).unwrap();
    let one = Place::Path(folders.outside.path().join("secret"));
    let line = say_output("cat OUTSIDE/secret; cat OUTSIDE/other 2>/dev/null || echo , closed");
    expect_confined(
        &folders.call_line(&line, confine_files(&[one], &[])),
        &context_of(&format!("{CANARY}, closed")),
    );
}

#[test]
fn a_place_below_home_is_the_users_own() {
    let folders = Folders::new();
    let home = Place::Home(PathBuf::from("secret"));
    expect_confined(
        &folders.call_line(&say_output("cat OUTSIDE/secret"), confine_files(&[home], &[])),
        &context_of(CANARY),
    );
}

#[test]
fn a_place_that_is_not_there_fails_the_hook() {
    let nowhere = Place::Path(PathBuf::from("/no/such/folder"));
    let result = Folders::new().call_line("true", confine_files(&[], &[nowhere]));
    expect_confined(
        &result,
        "missing: hook `the-hook` is granted `/no/such/folder` by `confine.write`, which does not exist: create it or take it out",
    );
}

#[test]
fn an_event_without_a_folder_grants_none() {
    let folders = Folders::new();
    let hook = ShellSpec {
        confinement: Some(confine_files(&[Place::Project], &[])),
        ..make_command(&say_output("cat /etc/passwd 2>/dev/null || echo closed"))
    };
    for cwd in ["", "relative", "/no/such/folder"] {
        let mut bed = Bed::new();
        cwd.clone_into(&mut bed.event.cwd);
        let hook =
            ShellHandler::new(hook.clone(), &make_environment(folders.outside.path()), &NativeContract)
                .unwrap();
        expect_confined(&format_reply(&bed.call_handler(&hook)), &context_of("closed"));
    }
}

#[test]
fn its_own_program_needs_no_grant_and_another_one_does() {
    let folders = Folders::new();
    let program = folders.outside.path().join("hook");
    fs::copy("/bin/sh", &program).unwrap();
    let words = [program.to_str().unwrap(), "-c", "cat >/dev/null; echo '{\"context\":\"ran\"}'"];
    let argv = ShellCommand::Argv(words.map(str::to_owned).to_vec());
    let closed = Some(confine_files(&[], &[]));
    let spec = ShellSpec { command: argv, confinement: closed.clone(), ..make_command("") };
    expect_confined(&folders.call_spec(spec), &context_of("ran"));
    let line = ShellCommand::Line(format!("exec {}", program.display()));
    let result = folders.call_spec(ShellSpec { command: line, confinement: closed, ..make_command("") });
    // The shell's code for a program that it may not start. Its message is cut off if the path is long.
    assert!(
        !KernelSupport::detect_features().confines_files() || result.contains("exit code 126"),
        "{result}"
    );
}

/// Returns a command that connects by bash, which every test machine has.
fn connect_command(port: u16) -> String {
    say_output(&format!(
        "bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port} && echo open' 2>/dev/null || echo closed"
    ))
}

#[test]
fn a_hook_without_network_opens_no_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let (folders, line) = (Folders::new(), connect_command(listener.local_addr().unwrap().port()));
    let result = folders.call_line(&line, Confinement { network: false, ..Confinement::default() });
    if KernelSupport::detect_features().seccomp {
        assert_eq!(result, context_of("closed"));
    } else {
        assert!(result.starts_with("refused: "), "{result}");
    }
    assert_eq!(listener.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock);
    // The call with the network, to exclude other reasons for the failed connection.
    assert_eq!(folders.call_line(&line, Confinement::default()), context_of("open"));
    listener.accept().unwrap();
}

#[test]
fn a_hook_with_rules_for_files_sends_no_signal_to_us() {
    let rules = FileRules { read: vec![Place::Project], write: Vec::new() };
    let confinement = Confinement { files: Some(rules), ..Confinement::default() };
    let line = "kill -0 $PPID 2>/dev/null && echo '{\"context\":\"can\"}' || echo '{\"context\":\"cannot\"}'";
    let result = Folders::new().call_line(line, confinement);
    // Landlock restricts this since its version 6.
    let expected = if KernelSupport::detect_features().landlock.is_some_and(|version| version >= 6) {
        "cannot"
    } else {
        "can"
    };
    if KernelSupport::detect_features().confines_files() {
        assert_eq!(result, format!("context Some({expected:?})"));
    }
}
