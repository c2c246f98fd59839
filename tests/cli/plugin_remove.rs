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

fn added(bed: &TestBed, name: &str, guest: &str) {
    bed.write_bytes(FILE, &guests::component(guest));
    let ran = bed.hookbox(&["plugin", "add", FILE, "--name", name, "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
}

fn text(bed: &TestBed, name: &str) -> String {
    fs::read_to_string(bed.path(name)).unwrap()
}

#[test]
fn a_file_that_was_changed_since_it_was_added_stays_and_that_is_told() {
    let bed = TestBed::new();
    added(&bed, "guest", "denies");
    let mine = [guests::component("none"), custom_section("mine", b"work")].concat();
    bed.write_bytes(COPY, &mine);
    let told = format!(
        "\nkept      {COPY} is another file than the one that was added, and stays; remove it if it is not needed\n"
    );
    let ran = bed.hookbox(&["plugin", "remove", "guest", "--dry-run"]);
    assert!(ran.code == 0 && ran.stdout.ends_with(&told), "{ran}");
    let ran = bed.hookbox(&["plugin", "remove", "guest", "--yes"]);
    assert!(ran.code == 0 && ran.stdout.ends_with(&format!("{told}removed `guest`\n")), "{ran}");
    assert!(fs::read(bed.path(COPY)).unwrap() == mine);
    assert_eq!(text(&bed, HOOKS), "# no hooks\n");
    assert!(!text(&bed, LOCK).contains("guest"));
    let answer = bed.answer(LS);
    assert!(answer.code == 0 && !answer.stdout.contains("deny"), "{answer}");
    // It is not hookbox's any more, so nothing takes its place unasked.
    let ran = bed.hookbox(&["plugin", "add", FILE, "--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("move it away, or say --name NAME"), "{ran}");
}

#[test]
fn of_two_plugins_the_first_leaves_nothing_behind() {
    let (both, one) = (TestBed::new(), TestBed::new());
    added(&both, "first", "denies");
    added(&both, "second", "none");
    added(&one, "second", "none");
    let ran = both.hookbox(&["plugin", "remove", "first", "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(text(&both, HOOKS), text(&one, HOOKS));
    assert_eq!(text(&both, LOCK), text(&one, LOCK));
}

#[test]
fn only_where_something_can_be_granted_the_help_speaks_of_that() {
    let bed = TestBed::new();
    for (command, is_said) in [("add", true), ("remove", false)] {
        let ran = bed.hookbox(&["plugin", command, "--help"]);
        assert!(ran.code == 0 && ran.stdout.contains("Write without asking"), "{ran}");
        assert_eq!(ran.stdout.contains("; grants nothing"), is_said, "{ran}");
    }
}
