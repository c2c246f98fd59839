//! `hookbox plugin remove`: what is left when a plugin goes.

use std::fs;

use crate::{
    LS, TestBed,
    guests::{self, custom_section},
};

const FILE: &str = "[PROJECT]/guest.wasm";
const COPY: &str = "[HOME]/.config/hookbox/plugins/guest.wasm";
const HOOKS: &str = "[HOME]/.config/hookbox/hooks.toml";
const LOCK: &str = "[HOME]/.config/hookbox/hookbox.lock";

fn add_plugin(bed: &TestBed, name: &str, guest: &str) {
    bed.write_bytes(FILE, &guests::build_component(guest));
    let ran = bed.run_hookbox(&["plugin", "add", FILE, "--name", name, "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
}

fn read_text(bed: &TestBed, name: &str) -> String {
    fs::read_to_string(bed.resolve_path(name)).unwrap()
}

#[test]
fn a_file_changed_after_its_addition_is_kept_and_reported() {
    let bed = TestBed::new();
    add_plugin(&bed, "guest", "denies");
    let mine = [guests::build_component("none"), custom_section("mine", b"work")].concat();
    bed.write_bytes(COPY, &mine);
    let told = format!(
        "\nkept      {COPY} is another file than the one that was added, and stays; remove it if it is not needed\n"
    );
    let ran = bed.run_hookbox(&["plugin", "remove", "guest", "--dry-run"]);
    assert!(ran.code == 0 && ran.stdout.ends_with(&told), "{ran}");
    let ran = bed.run_hookbox(&["plugin", "remove", "guest", "--yes"]);
    assert!(ran.code == 0 && ran.stdout.ends_with(&format!("{told}removed `guest`\n")), "{ran}");
    assert!(fs::read(bed.resolve_path(COPY)).unwrap() == mine);
    assert_eq!(read_text(&bed, HOOKS), "# no hooks\n");
    assert!(!read_text(&bed, LOCK).contains("guest"));
    let answer = bed.answer_event(LS);
    assert!(answer.code == 0 && !answer.stdout.contains("deny"), "{answer}");
    // It is not hookbox's any more, so nothing takes its place unasked.
    let ran = bed.run_hookbox(&["plugin", "add", FILE, "--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("move it away, or pass --name NAME"), "{ran}");
}

#[test]
fn of_two_plugins_the_first_leaves_nothing_behind() {
    let (both, one) = (TestBed::new(), TestBed::new());
    add_plugin(&both, "first", "denies");
    add_plugin(&both, "second", "none");
    add_plugin(&one, "second", "none");
    let ran = both.run_hookbox(&["plugin", "remove", "first", "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(read_text(&both, HOOKS), read_text(&one, HOOKS));
    assert_eq!(read_text(&both, LOCK), read_text(&one, LOCK));
}

#[test]
fn only_where_something_can_be_granted_the_help_speaks_of_that() {
    let bed = TestBed::new();
    for (command, is_said) in [("add", true), ("remove", false)] {
        let ran = bed.run_hookbox(&["plugin", command, "--help"]);
        assert!(ran.code == 0 && ran.stdout.contains("Write without asking"), "{ran}");
        assert_eq!(ran.stdout.contains("; grants nothing"), is_said, "{ran}");
    }
}
