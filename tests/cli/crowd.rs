//! Many first events at once.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Child,
};

use crate::{LS, TestBed, format_gate, testbed::HOOKBOX};

const CROWD: usize = 30;

/// A bed whose compiler leaves a line for each start.
fn create_counting_bed() -> TestBed {
    let bed = TestBed::with_config(&format_gate("denies")).with_own_cache().without_compiler();
    let compiler = Path::new(HOOKBOX).with_file_name("hookbox-compile");
    let compiler = compiler.display();
    let script = format!(
        "#!/bin/sh\necho start >> \"{}\"\nexec \"{compiler}\" \"$@\"\n",
        bed.expand_placeholders("[BIN]/starts")
    );
    let path = bed.write_bytes("[BIN]/hookbox-compile", script.as_bytes());
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    bed
}

fn count_starts(bed: &TestBed) -> usize {
    fs::read_to_string(bed.resolve_path("[BIN]/starts")).unwrap_or_default().lines().count()
}

fn answers_at_once(bed: &TestBed) -> Vec<String> {
    let begin = |_| -> Child {
        let mut command = bed.build_command(&["run", "--agent", "claude-code", "--agent-timeout", "60s"]);
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, bed.expand_placeholders(LS).as_bytes()).unwrap();
        child
    };
    let children: Vec<_> = (0..CROWD).map(begin).collect();
    children.into_iter().map(|child| bed.wait_for(child).stdout).collect()
}

#[test]
fn a_crowd_compiles_a_component_once_and_everyone_is_answered() {
    let bed = create_counting_bed();
    let answers = answers_at_once(&bed);
    let alone = bed.answer_event(LS).stdout;
    assert!(alone.contains("\"deny\"") && !alone.contains("not compiled"), "{alone}");
    assert_eq!(answers, vec![alone; CROWD]);
    assert_eq!(count_starts(&bed), 1);
}

/// Then everyone compiles, as before there was a cache.
#[test]
fn a_lock_that_cannot_be_taken_prevents_no_compilation() {
    let bed = create_counting_bed();
    bed.answer_event(LS);
    let cache = bed.resolve_path("[HOME]/.cache/hookbox/compiled");
    for entry in fs::read_dir(&cache).unwrap() {
        let path = entry.unwrap().path();
        fs::remove_file(&path).unwrap();
        if path.extension().is_some_and(|extension| extension == "lock") {
            symlink("/dev/full", &path).unwrap();
        }
    }
    assert!(bed.answer_event(LS).stdout.contains("\"deny\""));
    assert_eq!(count_starts(&bed), 2);
}
