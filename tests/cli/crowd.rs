//! Many first events at once.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Child,
};

use crate::{LS, TestBed, gate, testbed::HOOKBOX};

const CROWD: usize = 30;

/// A bed whose compiler leaves a line for each start.
fn counting() -> TestBed {
    let bed = TestBed::with(&gate("denies")).with_own_cache().without_compiler();
    let compiler = Path::new(HOOKBOX).with_file_name("hookbox-compile");
    let compiler = compiler.display();
    let script =
        format!("#!/bin/sh\necho start >> \"{}\"\nexec \"{compiler}\" \"$@\"\n", bed.real("[BIN]/starts"));
    let path = bed.write_bytes("[BIN]/hookbox-compile", script.as_bytes());
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    bed
}

fn starts(bed: &TestBed) -> usize {
    fs::read_to_string(bed.path("[BIN]/starts")).unwrap_or_default().lines().count()
}

fn answers_at_once(bed: &TestBed) -> Vec<String> {
    let begin = |_| -> Child {
        let mut command = bed.command(&["run", "--agent", "claude-code", "--patience", "60s"]);
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, bed.real(LS).as_bytes()).unwrap();
        child
    };
    let children: Vec<_> = (0..CROWD).map(begin).collect();
    children.into_iter().map(|child| bed.end(child).stdout).collect()
}

#[test]
fn a_crowd_compiles_a_component_once_and_everyone_is_answered() {
    let bed = counting();
    let answers = answers_at_once(&bed);
    let alone = bed.answer(LS).stdout;
    assert!(alone.contains("\"deny\"") && !alone.contains("not compiled"), "{alone}");
    assert_eq!(answers, vec![alone; CROWD]);
    assert_eq!(starts(&bed), 1);
}

/// Then everyone compiles, as before there was a cache.
#[test]
fn a_lock_that_cannot_be_had_keeps_nobody_from_compiling() {
    let bed = counting();
    bed.answer(LS);
    let cache = bed.path("[HOME]/.cache/hookbox/compiled");
    for entry in fs::read_dir(&cache).unwrap() {
        let path = entry.unwrap().path();
        fs::remove_file(&path).unwrap();
        if path.extension().is_some_and(|extension| extension == "lock") {
            symlink("/dev/full", &path).unwrap();
        }
    }
    assert!(bed.answer(LS).stdout.contains("\"deny\""));
    assert_eq!(starts(&bed), 2);
}
