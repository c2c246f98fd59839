//! Settings that several programs write at the same time: what each of them wrote is there afterwards.

use std::{
    fs,
    path::Path,
    process::{Child, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use serde_json::{Value, json};

use crate::testbed::TestBed;

const SETTINGS: &str = "[HOME]/.claude/settings.json";
const CHANGES: usize = 200;

fn create_bed() -> TestBed {
    let bed = TestBed::new();
    bed.write_file(SETTINGS, "{}");
    bed
}

/// Another program's change of a setting: it reads the file, adds a member, and lets `write` write it.
fn change_setting(path: &Path, number: usize, write: fn(&Path, &str)) {
    let mut settings: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    settings[format!("change-{number}")] = json!(number);
    write(path, &format!("{settings:#}"));
}

fn by_rename(path: &Path, text: &str) {
    let temporary = path.with_extension("theirs");
    fs::write(&temporary, text).unwrap();
    fs::rename(temporary, path).unwrap();
}

fn in_place(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
}

/// Puts hookbox in and takes it out until told to end.
fn install_again_and_again(bed: &TestBed, end: &AtomicBool) -> usize {
    let mut done = 0;
    while !end.load(Ordering::Relaxed) {
        for verb in ["install", "uninstall"] {
            done += usize::from(bed.run_hookbox(&[verb, "claude-code", "--yes"]).code == 0);
        }
    }
    done
}

fn all_changes_are_kept(write: fn(&Path, &str)) {
    let bed = create_bed();
    let end = AtomicBool::new(false);
    let installed = thread::scope(|scope| {
        let installing = [(); 3].map(|()| scope.spawn(|| install_again_and_again(&bed, &end)));
        for number in 0..CHANGES {
            change_setting(&bed.resolve_path(SETTINGS), number, write);
            // So that they are spread over many installs.
            thread::yield_now();
            drop(bed.build_command(&["schema"]).stdin(Stdio::null()).output());
        }
        end.store(true, Ordering::Relaxed);
        installing.into_iter().map(|installing| installing.join().unwrap()).sum::<usize>()
    });
    assert!(installed > 0, "nothing was installed meanwhile");
    let left: Value = serde_json::from_str(&fs::read_to_string(bed.resolve_path(SETTINGS)).unwrap()).unwrap();
    let lost: Vec<_> =
        (0..CHANGES).filter(|number| left[format!("change-{number}")] != json!(number)).collect();
    assert_eq!(lost, Vec::<usize>::new(), "{installed} installs");
    no_other_file_is_left(&bed);
}

fn no_other_file_is_left(bed: &TestBed) {
    let entries = fs::read_dir(bed.resolve_path("[HOME]/.claude")).unwrap();
    let names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["settings.json"]);
}

#[test]
fn no_change_of_a_program_that_renames_its_file_into_place_is_lost() {
    all_changes_are_kept(by_rename);
}

/// Such a program may read its own file while hookbox has exchanged it, but never half of one.
#[test]
fn no_change_of_a_program_that_writes_its_file_in_place_is_lost() {
    all_changes_are_kept(in_place);
}

#[test]
fn one_of_many_concurrent_installs_writes_and_each_reports_its_result() {
    let bed = create_bed();
    let begin = |_| -> Child { bed.build_command(&["install", "claude-code", "--yes"]).spawn().unwrap() };
    let children: Vec<_> = (0..20).map(begin).collect();
    let ran: Vec<_> = children.into_iter().map(|child| bed.wait_for(child)).collect();
    assert!(ran.iter().all(|ran| ran.code == 0));
    let wrote = ran.iter().filter(|ran| ran.stdout.contains("\ninstalled for ")).count();
    let not = |words: &str| ran.iter().filter(|ran| ran.stdout.contains(words)).count();
    assert_eq!(wrote, 1);
    assert_eq!(not("nothing to do: ") + not("nothing is left to do: "), 19);
    let settings = fs::read_to_string(bed.resolve_path(SETTINGS)).unwrap();
    assert!(settings.contains("\"claude-code\""), "{settings}");
    no_other_file_is_left(&bed);
}
