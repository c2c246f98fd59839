//! A command that is kept from what its profile does not give it. As for confined hooks, what is asked for holds or nothing is run.

use std::fs;

use hookbox::handler::shell::confine::KernelSupport;

use crate::{Ran, TestBed};

/// Runs a line in the project, confined.
fn run_confined(bed: &TestBed, more: &[&str], line: &str) -> Ran {
    let line = bed.expand_placeholders(line);
    let home = bed.expand_placeholders("[HOME]");
    let words = [&["confine", "--home", &home], more, &["--", "sh", "-c", &line]].concat();
    let mut command = bed.build_command(&words);
    command.current_dir(bed.resolve_path("[PROJECT]"));
    bed.run_with_input(&mut command, b"typed\n")
}

/// A home and a project that are not below what everybody may write.
fn create_bed() -> TestBed {
    let bed = TestBed::with_config("# no hooks\n");
    bed.write_file("[HOME]/.ssh/id", "secret");
    bed.write_file("[PROJECT]/.git/HEAD", "ref: refs/heads/main\n");
    bed
}

/// What every profile here leaves out is where the tests' own folders are, so they name theirs.
const TESTS: &str =
    "[confine.tests]\nread = [\"project\", \"/usr\", \"/etc\"]\nwrite = [\"project\"]\nnetwork = false\n";

#[test]
fn it_writes_the_project_and_reads_no_secret() {
    let bed = create_bed();
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", TESTS);
    let line = "echo made > made; cat '[HOME]/.ssh/id'; echo evil > '[HOME]/.bashrc'; echo end";
    let ran = run_confined(&bed, &["--profile", "tests"], line);
    assert_eq!(ran.stdout, "end\n", "{ran}");
    assert_eq!(fs::read_to_string(bed.resolve_path("[PROJECT]/made")).unwrap(), "made\n");
    assert!(!bed.resolve_path("[HOME]/.bashrc").exists());
}

#[test]
fn exit_codes_signals_and_input_are_the_commands_own() {
    let bed = create_bed();
    for (line, code, stdout) in [("exit 7", 7, ""), ("cat", 0, "typed\n"), ("kill -TERM $$", -1, "")] {
        let ran = run_confined(&bed, &[], line);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, stdout), "{line}: {ran}");
    }
    let words = ["confine", "--", "no-such-program"];
    let ran = bed.run_hookbox(&words);
    assert!(ran.code == 127 && ran.stderr.contains("there is no program `no-such-program`"), "{ran}");
}

#[test]
fn it_has_no_network_unless_its_profile_says_so() {
    let bed = create_bed();
    let line = "python3 -S -c 'import socket; socket.socket(); print(\"open\")'";
    assert_eq!(run_confined(&bed, &[], line).stdout, "");
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", "[confine.open]\n");
    assert_eq!(run_confined(&bed, &["--profile", "open"], line).stdout, "open\n");
}

/// Limits and priorities of others: an agent that may start no process can ask no hook.
#[test]
fn it_changes_no_other_process() {
    let bed = create_bed();
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", "[confine.open]\n");
    let calls = [
        ("os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)", "1"),
        ("os.setpriority(os.PRIO_PGRP, 0, 19)", "1"),
        ("os.setpriority(os.PRIO_USER, 0, 19)", "1"),
        ("os.sched_setaffinity(os.getppid(), {0})", "1"),
        ("os.sched_setscheduler(os.getppid(), os.SCHED_BATCH, os.sched_param(0))", "1"),
        ("resource.prlimit(os.getppid(), resource.RLIMIT_NPROC, (1, 1))", "1"),
        ("resource.prlimit(os.getppid(), resource.RLIMIT_NPROC)", "done"),
        ("resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))", "done"),
        ("os.nice(1)", "done"),
        ("os.sched_setaffinity(0, {0})", "done"),
    ];
    for (call, expected) in calls {
        // The parent is the shell, and not the program that tests run in.
        let line = format!(
            "python3 -S -c 'import os, resource\ntry: {call}; print(\"done\")\nexcept OSError as error: print(error.errno)'; true"
        );
        for more in [&[][..], &["--profile", "open"]] {
            assert_eq!(run_confined(&bed, more, &line).stdout, format!("{expected}\n"), "{call} {more:?}");
        }
    }
}

/// Programs of the desktop listen at such sockets, and no folder protects them. Landlock bounds them since its version 6.
#[cfg(target_os = "linux")]
#[test]
fn it_reaches_no_abstract_socket_of_another_process() {
    use std::os::{linux::net::SocketAddrExt as _, unix::net};

    let name = format!("hookbox-tests-{}", std::process::id());
    let address = net::SocketAddr::from_abstract_name(&name).unwrap();
    let _listener = net::UnixListener::bind_addr(&address).unwrap();
    let line = format!(
        "python3 -S -c 'import socket\ntry: socket.socket(socket.AF_UNIX).connect(\"\\0{name}\"); print(\"open\")\nexcept OSError as error: print(error.errno)'"
    );
    let is_bounded = KernelSupport::detect_features().landlock.is_some_and(|version| version >= 6);
    let expected = if is_bounded { "1\n" } else { "open\n" };
    assert_eq!(run_confined(&create_bed(), &[], &line).stdout, expected);
}

#[test]
fn it_has_no_descriptor_but_the_three_streams() {
    let bed = create_bed();
    let home = bed.expand_placeholders("[HOME]");
    let hookbox = bed.program().display().to_string();
    let line = format!(
        "exec 9<'{home}/.ssh/id'; exec '{hookbox}' confine --home '{home}' -- sh -c 'cat <&9; echo end'"
    );
    let mut command = bed.build_shell_command(&line);
    command.current_dir(bed.resolve_path("[PROJECT]"));
    let ran = bed.run_with_input(&mut command, b"");
    assert_eq!(ran.stdout, "end\n", "{ran}");
}

/// The shell that waits at the terminal would run what is typed, and nothing confines that.
#[test]
fn it_types_nothing_into_the_terminal_whatever_its_profile_gives() {
    let bed = create_bed();
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", "[confine.open]\n");
    for request in ["0x5412", "0x541c"] {
        let line = format!(
            "python3 -S -c 'import fcntl\ntry: fcntl.ioctl(0, {request}, b\"x\")\nexcept OSError as error: print(error.errno)'"
        );
        for more in [&[][..], &["--profile", "open"]] {
            assert_eq!(run_confined(&bed, more, &line).stdout, "1\n", "{request} {more:?}");
        }
    }
}

#[test]
fn what_cannot_be_confined_is_not_run() {
    let bed = create_bed();
    let refused = |more: &[&str], said: &str| {
        let ran = run_confined(&bed, more, "touch '[HOME]/ran'");
        assert!(ran.code == 125 && ran.stderr.contains(said), "{ran}");
        assert!(!bed.resolve_path("[HOME]/ran").exists());
    };
    refused(&["--profile", "projekt"], "unknown profile `projekt`; did you mean `project`?");
    refused(&["--project", "/"], "contains your home folder, and is not a project");
    let home = bed.expand_placeholders("[HOME]");
    refused(&["--project", &home], "contains your home folder, and is not a project");
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", "[confine.a]\nread = [\"/not/there\"]\n");
    refused(&["--profile", "a"], "`/not/there` by `confine.read`, which does not exist");
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", "[confine.a]\nraed = []\n");
    refused(&["--profile", "a"], "unknown key `raed`");
}

#[test]
fn a_project_makes_no_profile() {
    let bed = create_bed();
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", "[confine.project]\n[confine.theirs]\n");
    let line = "python3 -S -c 'import socket; socket.socket(); print(\"open\")'";
    assert_eq!(run_confined(&bed, &[], line).stdout, "");
    assert_eq!(run_confined(&bed, &["--profile", "theirs"], line).code, 125);
    let checked = bed.run_hookbox(&["check"]);
    assert!(checked.stderr.contains("confine has no effect here"), "{checked}");
}

/// Who is confined to a project may write it.
#[test]
fn the_folders_of_hookbox_and_their_parents_are_not_a_project() {
    let bed = create_bed();
    bed.write_file("[HOME]/.config/hookbox/below/x", "");
    for folder in ["[HOME]/.config/hookbox", "[HOME]/.config/hookbox/below", "[HOME]/.config"] {
        let mut command = bed.build_command(&[
            "confine",
            "--home",
            &bed.expand_placeholders("[HOME]"),
            "--",
            "touch",
            "made",
        ]);
        command.current_dir(bed.resolve_path(folder));
        let ran = bed.run_with_input(&mut command, b"");
        let said = "is not a project: hookbox's own files are in [HOME]/.config/hookbox; go into one, or name it by `--project DIR`";
        assert!(ran.code == 125 && ran.stderr.contains(said), "{folder}: {ran}");
        assert!(!bed.resolve_path(folder).join("made").exists(), "{folder}");
    }
    // Its programs are files that decide, too.
    let words = [
        "confine",
        "--home",
        &bed.expand_placeholders("[HOME]"),
        "--project",
        &bed.expand_placeholders("[BIN]"),
        "--",
        "true",
    ];
    let ran = bed.run_hookbox(&words);
    let said = "is not a project: hookbox's own files are in [BIN]";
    assert!(ran.code == 125 && ran.stderr.contains(said), "{ran}");
}

#[test]
fn an_option_that_is_not_known_is_said_and_one_of_the_command_is_its_own() {
    let bed = create_bed();
    let ran = bed.run_hookbox(&["confine", "--bad", "--", "true"]);
    assert!(ran.code == 2 && ran.stderr.contains("unexpected argument '--bad' found"), "{ran}");
    let mut command =
        bed.build_command(&["confine", "--home", &bed.expand_placeholders("[HOME]"), "sh", "-c", "exit 7"]);
    command.current_dir(bed.resolve_path("[PROJECT]"));
    assert_eq!(bed.run_with_input(&mut command, b"").code, 7);
}
