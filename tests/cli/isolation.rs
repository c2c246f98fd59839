//! Hooks that run in a process of their own: those that a project brings, and those that ask for it.

use std::{fs, os::unix::fs::PermissionsExt};

use hookbox::sandbox::worker::WORKER;

use crate::{LS, TestBed, format_gate, guests, processes::list_processes};

/// A project with this guest in it, and a command whose processes are nobody else's.
fn create_project(guest: &str) -> TestBed {
    let bed = TestBed::new().with_own_cache().with_program_beside("nothing", "");
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", &format_gate(guest).replace("[GUESTS]", "plugins"));
    bed.write_bytes(&format!("[PROJECT]/.hookbox/plugins/{guest}.wasm"), &guests::build_component(guest));
    bed
}

fn left_behind(bed: &TestBed) -> usize {
    list_processes(bed.program().parent().unwrap().join("hookbox-compile").to_str().unwrap()).len()
}

#[test]
fn a_run_leaves_no_process_behind_whatever_the_guest_does() {
    for (guest, denies) in [("denies", true), ("traps", false), ("loops", false)] {
        let bed = create_project(guest);
        let ran = bed.answer_event(LS);
        assert_eq!(left_behind(&bed), 0, "{guest}");
        assert_eq!(ran.stdout.contains("\"permissionDecision\":\"deny\""), denies, "{ran}");
    }
}

#[test]
fn list_reports_isolated_hooks() {
    let bed = create_project("denies");
    let own = format_gate("none").replace("none.wasm\"", "none.wasm\", isolate = true");
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", &format!("{own}{}", format_gate("allows")));
    let listed = bed.run_hookbox(&["list"]).stdout;
    let apart: Vec<_> =
        listed.split("\n    isolated: in a process without files, network and environment").collect();
    assert_eq!(apart.len(), 3, "{listed}");
    assert!(apart[0].contains("none.wasm") && apart[1].contains("denies.wasm"), "{listed}");
    assert!(apart[1].contains("allows.wasm"), "{listed}");
    let json = bed.run_hookbox(&["list", "--json"]).stdout;
    assert_eq!(json.matches("\"apart\": true").count(), 2, "{json}");
}

#[test]
fn a_compiler_that_runs_no_guests_fails_an_isolated_hook() {
    let bed = create_project("denies");
    let real = bed.resolve_path("[PROJECT]").parent().unwrap().join("bin/real");
    let compile = bed.program().parent().unwrap().join("hookbox-compile");
    fs::rename(&compile, &real).unwrap();
    let script = format!("#!/bin/sh\n[ \"$1\" = {WORKER} ] && exit 1\nexec {} \"$@\"\n", real.display());
    fs::write(&compile, script).unwrap();
    fs::set_permissions(&compile, fs::Permissions::from_mode(0o755)).unwrap();
    let ran = bed.answer_event(LS);
    assert_eq!(ran.stdout, "{}\n", "{ran}");
    let told = bed
        .run_with_input(&mut bed.build_command(&["explain"]), bed.expand_placeholders(LS).as_bytes())
        .stdout;
    assert!(told.contains("does not run isolated guests (exit status: 1)"), "{told}");
}
