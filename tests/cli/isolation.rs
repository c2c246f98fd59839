//! Hooks that run in a process of their own: those that a project brings, and those that ask for it.

use std::{fs, os::unix::fs::PermissionsExt};

use hookbox::sandbox::worker::WORKER;

use crate::{LS, TestBed, gate, guests, processes::running};

/// A project with this guest in it, and a command whose processes are nobody else's.
fn project(guest: &str) -> TestBed {
    let bed = TestBed::new().with_own_cache().with_program_beside("nothing", "");
    bed.write("[PROJECT]/.hookbox/hooks.toml", &gate(guest).replace("[GUESTS]", "plugins"));
    bed.write_bytes(&format!("[PROJECT]/.hookbox/plugins/{guest}.wasm"), &guests::component(guest));
    bed
}

fn left_behind(bed: &TestBed) -> usize {
    running(bed.program().parent().unwrap().join("hookbox-compile").to_str().unwrap()).len()
}

#[test]
fn a_run_leaves_no_process_behind_whatever_the_guest_does() {
    for (guest, denies) in [("denies", true), ("traps", false), ("loops", false)] {
        let bed = project(guest);
        let ran = bed.answer(LS);
        assert_eq!(left_behind(&bed), 0, "{guest}");
        assert_eq!(ran.stdout.contains("\"permissionDecision\":\"deny\""), denies, "{ran}");
    }
}

#[test]
fn what_runs_apart_is_told() {
    let bed = project("denies");
    let own = gate("none").replace("none.wasm\"", "none.wasm\", isolate = true");
    bed.write("[HOME]/.config/hookbox/hooks.toml", &format!("{own}{}", gate("allows")));
    let listed = bed.hookbox(&["list"]).stdout;
    let apart: Vec<_> =
        listed.split("\n    isolated: in a process without files, network and environment").collect();
    assert_eq!(apart.len(), 3, "{listed}");
    assert!(apart[0].contains("none.wasm") && apart[1].contains("denies.wasm"), "{listed}");
    assert!(apart[1].contains("allows.wasm"), "{listed}");
    let json = bed.hookbox(&["list", "--json"]).stdout;
    assert_eq!(json.matches("\"apart\": true").count(), 2, "{json}");
}

#[test]
fn a_compiler_that_runs_no_guests_fails_a_hook_that_runs_apart() {
    let bed = project("denies");
    let real = bed.path("[PROJECT]").parent().unwrap().join("bin/real");
    let compile = bed.program().parent().unwrap().join("hookbox-compile");
    fs::rename(&compile, &real).unwrap();
    let script = format!("#!/bin/sh\n[ \"$1\" = {WORKER} ] && exit 1\nexec {} \"$@\"\n", real.display());
    fs::write(&compile, script).unwrap();
    fs::set_permissions(&compile, fs::Permissions::from_mode(0o755)).unwrap();
    let ran = bed.answer(LS);
    assert_eq!(ran.stdout, "{}\n", "{ran}");
    let told = bed.feed(&mut bed.command(&["explain"]), bed.real(LS).as_bytes()).stdout;
    assert!(told.contains("does not run isolated guests (exit status: 1)"), "{told}");
}
