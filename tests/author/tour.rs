//! The tour of the first page: in Rust with its real toolchain, and in the languages that need none.

use std::{env, fs, path::Path};

use crate::{guests, testbed::TestBed};

/// What the machine has for cargo, and a folder for what it builds that stays.
const HANDED_ON: [&str; 7] = [
    "PATH",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "RUSTC",
    "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER",
    "LD_LIBRARY_PATH",
];

fn create_bed() -> TestBed {
    let handed_on = HANDED_ON.into_iter().filter_map(|name| Some((name, env::var(name).ok()?)));
    let bed = handed_on.fold(TestBed::new(), |bed, (name, value)| bed.with_variable(name, &value));
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("author");
    bed.with_variable("CARGO_HOME", &tool_home("CARGO_HOME", ".cargo"))
        .with_variable("RUSTUP_HOME", &tool_home("RUSTUP_HOME", ".rustup"))
        .with_variable("CARGO_TARGET_DIR", target.to_str().unwrap())
}

/// Returns the folder of cargo or of rustup: that of the variable, or this one in the home folder, with HOME or without.
fn tool_home(variable: &str, name: &str) -> String {
    env::var(variable).unwrap_or_else(|_| env::home_dir().unwrap().join(name).display().to_string())
}

#[test]
fn a_new_project_in_rust_is_built_tested_and_added_and_then_denies() {
    let bed = create_bed();
    let run = |words: &[&str]| {
        let ran = bed.run_hookbox(&[&["plugin"], words].concat());
        assert_eq!(ran.code, 0, "{words:?}: {ran}");
        ran
    };
    run(&["new", "acme/tour", "--lang", "rust"]);
    // The versions that the plugins here are built with.
    fs::copy(guests::repository_folder("plugins/Cargo.lock"), bed.resolve_path("[PROJECT]/tour/Cargo.lock"))
        .unwrap();
    let built = run(&["build", "tour"]);
    assert!(built.stdout.contains("plugin    acme/tour 0.1.0, release 1"), "{built}");
    let made = fs::read(bed.resolve_path("[PROJECT]/tour/build/tour.wasm")).unwrap();
    for folder in [bed.expand_placeholders("[PROJECT]"), tool_home("CARGO_HOME", ".cargo")] {
        assert!(!made.windows(folder.len()).any(|window| window == folder.as_bytes()), "{folder}");
    }
    let tested = run(&["test", "tour"]);
    assert!(tested.stdout.ends_with("2 passed, 0 failed\n"), "{tested}");
    let inspected = run(&["inspect", "tour/build/tour.wasm"]);
    assert!(inspected.stdout.contains("asks for  nothing"), "{inspected}");
    run(&["add", "tour/build/tour.wasm", "--yes"]);
    expect_deny(&bed);
}

/// The hook `tour` that was added has the last word about the worst command, and none about another.
fn expect_deny(bed: &TestBed) {
    let tried =
        |command: &str| bed.run_hookbox(&["try", "tool.before", "--tool", "Bash", "--command", command]);
    let (worst, other) = (tried("rm -rf /"), tried("ls"));
    assert!(worst.stdout.contains("decision deny by tour (denied-command)\n"), "{worst}");
    assert!(other.code == 0 && !other.stdout.contains(" deny by "), "{other}");
}

/// What `setup` has written for whoever has come as far on the first page.
const GUARDS: &str = "\
[[hook]]
name = \"guard-shell\"
on = \"tool.before\"
tool = { class = [\"shell\", \"mcp\"] }
wasm = { plugin = \"guard-shell\" }

[[hook]]
name = \"guard-paths\"
on = \"tool.before\"
tool = { class = [\"file-read\", \"file-write\", \"search\", \"shell\", \"mcp\"] }
wasm = { plugin = \"guard-paths\" }
";

/// The lines of the first page from a new project to an event, as a script for a shell where nobody can be asked.
fn first_page() -> String {
    let page = fs::read_to_string(guests::repository_folder("README.md")).unwrap();
    let (_, tour) = page.split_once("\nhookbox plugin new ").unwrap();
    let (tour, event) = tour.split_once("\nhookbox try ").unwrap();
    let event = event.lines().next().unwrap();
    let script = format!("set -e\nhookbox plugin new {tour}\nhookbox try {event}\n");
    script.replace("hookbox plugin add ", "hookbox plugin add --yes ").replace("hookbox ", "\"$0\" ")
}

#[test]
fn on_the_first_page_it_is_the_new_hook_that_denies_and_no_guard() {
    let bed = TestBed::with_config(GUARDS);
    // As `setup` does. A slow machine takes longer to compile these than an agent waits.
    let checked = bed.run_hookbox(&["check"]);
    assert_eq!(checked.code, 0, "{checked}");
    let ran = bed.run_with_input(&mut bed.build_shell_command(&first_page()), b"");
    assert!(ran.code == 0 && ran.stdout.contains("decision deny by guard (denied-command)\n"), "{ran}");
    assert_eq!(ran.stdout.matches("\n     deny ").count(), 1, "{ran}");
}

#[test]
fn the_denial_on_the_first_page_is_the_output_of_hookbox() {
    let bed = TestBed::with_config(GUARDS);
    let checked = bed.run_hookbox(&["check"]);
    assert_eq!(checked.code, 0, "{checked}");
    let page = fs::read_to_string(guests::repository_folder("README.md")).unwrap();
    let (_, block) = page.split_once("```console\n$ hookbox ").unwrap();
    let (command, block) = block.split_once('\n').unwrap();
    let (shown, _) = block.split_once("```").unwrap();
    let ran = bed.run_with_input(&mut bed.build_shell_command(&format!("\"$0\" {command}")), b"");
    let mut rest = ran.stdout.as_str();
    for part in shown.split("[…]") {
        let part = part.trim_end();
        let at = rest.find(part).unwrap_or_else(|| panic!("{part:?} is not in {ran}"));
        rest = rest.split_at(at + part.len()).1;
    }
}

#[test]
fn a_new_project_in_a_script_is_built_tested_and_added_and_then_denies() {
    for language in ["typescript", "javascript"] {
        let bed = TestBed::new();
        for words in [
            &["new", "tour", "--lang", language][..],
            &["build", "tour"],
            &["test", "tour"],
            &["add", "tour/build/tour.wasm", "--yes"],
        ] {
            let ran = bed.run_hookbox(&[&["plugin"], words].concat());
            assert_eq!(ran.code, 0, "{language}: {words:?}: {ran}");
        }
        expect_deny(&bed);
    }
}
