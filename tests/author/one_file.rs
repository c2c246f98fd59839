//! A plugin that is one file in Python: built beside it, or added at once.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::{Path, PathBuf},
};

use insta::assert_snapshot;
use rustix::{
    fs::{CWD, FileType, Mode, mknodat},
    process::{Pid, Signal, kill_process_group},
};

use crate::{TOOLS, create_bed, guests, list_files, mask_measurements, testbed::TestBed, write_tool};

const SCRIPT: &str = "[PROJECT]/my guard.py";
/// As much of a hook as is looked for before it is built.
const HOOK: &str = "@hook\n";

/// A bed whose temporary files are in a folder of its own, and that folder.
fn bed_with_temporary_folder() -> (TestBed, PathBuf) {
    let bed = create_bed();
    let folder = bed.resolve_path("[HOME]/tmp");
    fs::create_dir(&folder).unwrap();
    (bed.with_variable("TMPDIR", &folder.display().to_string()), folder)
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

/// A pipe beside the tools, by its name.
fn make_fifo(bed: &TestBed, name: &str) -> PathBuf {
    let file = bed.resolve_path(&format!("{TOOLS}/{name}"));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    mknodat(CWD, &file, FileType::Fifo, Mode::RWXU, 0).unwrap();
    file
}

/// A `componentize-py` that makes this, and tells where it stood and what was there.
fn componentize_that_makes(bed: &TestBed, wasm: &[u8]) {
    bed.write_bytes(&format!("{TOOLS}/made.wasm"), wasm);
    let report =
        "ls; cat app.py; ls hookbox/wit hookbox/hookbox_sdk/__init__.py; echo RUST_BACKTRACE=$RUST_BACKTRACE";
    let copy = r#"for word; do out=$word; done; cp "${0%/*}/made.wasm" "$out""#;
    write_tool(bed, "componentize-py", &format!("{{ {report}; }} >&2; {copy}"));
}

/// Without the lines that show how a tool was called, in a folder of another name each time.
fn without_tools(text: &str) -> String {
    let steady = mask_measurements(text);
    let lines = steady.split_inclusive('\n');
    lines.filter(|line| !line.starts_with("$ ")).collect()
}

#[test]
fn a_single_file_is_built_next_to_itself_and_no_other_file_has_an_effect() {
    let bed = create_bed();
    bed.write_file(SCRIPT, HOOK);
    bed.write_file("[PROJECT]/json.py", "a module that Python needs, of the same name\n");
    componentize_that_makes(&bed, &guests::build_component("denies"));
    let ran = bed.run_hookbox(&["plugin", "build", "my guard.py"]);
    assert_snapshot!(without_tools(&ran.to_string()), @"
    exit code 0
    --- stdout
    built     [PROJECT]/my guard.wasm (N bytes) in N s
    --- stderr
    my guard.py is built as app.py
    app.py
    hookbox
    @hook
    hookbox/hookbox_sdk/__init__.py

    hookbox/wit:
    clock.wit
    config.wit
    facts.wit
    http.wit
    json.wit
    kv.wit
    log.wit
    random.wit
    source.wit
    types.wit
    world.wit
    RUST_BACKTRACE=0
    ");
    assert_eq!(list_files(&bed.resolve_path("[PROJECT]")), ["json.py", "my guard.py", "my guard.wasm"]);
    assert_eq!(
        fs::read(bed.resolve_path("[PROJECT]/my guard.wasm")).unwrap(),
        guests::build_component("denies")
    );
}

#[test]
fn help_names_it_wherever_a_hook_can_be_one_file() {
    for verb in ["new", "build", "add"] {
        let ran = create_bed().run_hookbox(&["plugin", verb, "--help"]);
        assert!(ran.code == 0 && ran.stdout.contains("guard.py"), "{ran}");
    }
}

#[test]
fn where_it_goes_can_be_said_for_one_file_alone() {
    let bed = create_bed();
    bed.write_file(SCRIPT, HOOK);
    componentize_that_makes(&bed, &guests::build_component("denies"));
    assert_eq!(bed.run_hookbox(&["plugin", "build", "my guard.py", "--out", "other.wasm", "--json"]).code, 0);
    assert_eq!(list_files(&bed.resolve_path("[PROJECT]")), ["my guard.py", "other.wasm"]);
    let ran = bed.run_hookbox(&["plugin", "build", "--out", "other.wasm"]);
    let why = "error: --out is for a single file; a project is built in its folder `build`\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (2, why));
}

#[test]
fn what_cannot_be_built_leaves_what_was_there() {
    let bed = create_bed();
    bed.write_file(SCRIPT, HOOK);
    bed.write_file("[PROJECT]/my guard.wasm", "the one before");
    let mut messages = String::new();
    let mut build = || {
        let ran = bed.run_hookbox(&["plugin", "build", "my guard.py"]);
        assert_eq!(ran.code, 1, "{ran}");
        messages += &ran.stderr;
    };
    build();
    write_tool(&bed, "componentize-py", "echo SyntaxError >&2; exit 1");
    build();
    write_tool(&bed, "componentize-py", r#"for word; do out=$word; done; echo no wasm > "$out""#);
    build();
    assert_snapshot!(without_tools(&messages), @"
    my guard.py is built as app.py
    error: `componentize-py` is not on PATH; to get it:
      pip install componentize-py==0.25.1   # tried with 0.25.1
    my guard.py is built as app.py
    SyntaxError
    error: `componentize-py` failed with exit status: 1; its output is above
    my guard.py is built as app.py
    error: the plugin [PROJECT]/my guard.wasm is not a wasm component
    ");
    assert_eq!(fs::read_to_string(bed.resolve_path("[PROJECT]/my guard.wasm")).unwrap(), "the one before");
    bed.write_file(SCRIPT, &" ".repeat((1 << 20) + 1));
    let ran = bed.run_hookbox(&["plugin", "build", "my guard.py"]);
    assert_eq!((ran.code, ran.stderr.contains("longer than 1048576 bytes")), (2, true), "{ran}");
}

#[test]
fn one_file_in_python_is_added_like_any_other_plugin() {
    let bed = create_bed();
    bed.write_file(SCRIPT, HOOK);
    componentize_that_makes(&bed, &guests::build_component("denies"));
    let ran = bed.run_hookbox(&["plugin", "add", "my guard.py", "--name", "mine", "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    let lock = fs::read_to_string(bed.resolve_path("[HOME]/.config/hookbox/hookbox.lock")).unwrap();
    assert!(
        lock.contains("source = \"file:my guard.py\"") && lock.contains("file = \"plugins/mine.wasm\""),
        "{lock}"
    );
    assert_eq!(list_files(&bed.resolve_path("[PROJECT]")), ["my guard.py"]);
    write_tool(&bed, "componentize-py", "exit 1");
    let ran = bed.run_hookbox(&["plugin", "add", "my guard.py", "--name", "other", "--yes"]);
    let last = ran.stderr.lines().last();
    assert_eq!(
        last,
        Some(
            "error: nothing was added: no plugin could be built from [PROJECT]/my guard.py, as reported above"
        ),
        "{ran}"
    );
}

#[test]
fn a_file_whose_top_level_never_ends_is_ended_with_all_that_it_started() {
    let (bed, temporary) = bed_with_temporary_folder();
    bed.write_file(SCRIPT, HOOK);
    bed.write_file("[PROJECT]/my guard.wasm", "the one before");
    // Who outlived it would keep the stream open, and the command would not end for this test.
    write_tool(&bed, "componentize-py", r#"mkdir "$TMPDIR/left"; sleep 1000 & sleep 1000"#);
    let ran = bed.run_hookbox(&["plugin", "build", "my guard.py", "--timeout", "1"]);
    let last = ran.stderr.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: `componentize-py` was stopped after the time limit of "), "{ran}");
    let message = " s: the build runs the top level of my guard.py, outside of its functions, which must end";
    assert!(last.contains(message) && last.ends_with("hookbox plugin build --timeout SECONDS"), "{ran}");
    assert_eq!(ran.code, 1, "{ran}");
    assert_eq!(fs::read_to_string(bed.resolve_path("[PROJECT]/my guard.wasm")).unwrap(), "the one before");
    assert!(is_empty(&temporary));
}

#[test]
fn a_build_in_python_that_is_interrupted_ends_its_tool_and_leaves_no_folder() {
    for verb in ["build", "add"] {
        let (bed, temporary) = bed_with_temporary_folder();
        bed.write_file(SCRIPT, HOOK);
        let begun = make_fifo(&bed, "begun");
        write_tool(&bed, "componentize-py", r#"echo > "${0%/*}/begun"; sleep 1000"#);
        let mut command = bed.build_command(&["plugin", verb, "my guard.py"]);
        let child = command.process_group(0).spawn().unwrap();
        drop(fs::read(begun).unwrap());
        // As a terminal does it: `add` and the program that builds for it are both told.
        kill_process_group(Pid::from_child(&child), Signal::INT).unwrap();
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.signal(), Some(Signal::INT.as_raw()), "{verb}: {ended:?}");
        assert!(is_empty(&temporary), "{verb}");
    }
}

#[test]
fn a_file_without_a_marked_function_is_reported_before_the_build() {
    let bed = create_bed();
    write_tool(&bed, "componentize-py", "echo started >&2; exit 1");
    let is_built = |text: &str| {
        bed.write_file(SCRIPT, text);
        let ran = bed.run_hookbox(&["plugin", "build", "my guard.py"]);
        assert_eq!(ran.code, 1, "{ran}");
        let unmarked = "error: no function in my guard.py is marked `@hook`; write `from hookbox_sdk import hook` at the top, and `@hook` \
                        above the function that takes the event\n";
        if ran.stderr == unmarked {
            return false;
        }
        assert!(ran.stderr.contains("\nstarted\n"), "{ran}");
        true
    };
    for text in [
        "",
        "def handle(event):\n    return None\n",
        "\"\"\"A hook of mine.\"\"\"\nfrom hookbox_sdk import deny, hook\n# @hook\ndef handle(event): ...\n",
        "@webhook\ndef handle(event): ...\n",
        "@hooks.before\ndef handle(event): ...\n",
    ] {
        assert!(!is_built(text), "{text}");
    }
    for text in [
        "@hook\ndef handle(event): ...\n",
        "@ hookbox_sdk.hook  # mine\ndef handle(event): ...\n",
        "from hookbox_sdk import hook as guards\n@guards\ndef handle(event): ...\n",
        "def handle(event): ...\nhook (handle)\n",
        "class WitWorld: ...\n",
    ] {
        assert!(is_built(text), "{text}");
    }
}

#[test]
fn the_second_of_two_concurrent_builds_of_a_file_waits_and_builds_the_current_content() {
    let bed = create_bed();
    let script = bed.write_file(SCRIPT, HOOK);
    bed.write_bytes(&format!("{TOOLS}/made.wasm"), &guests::build_component("denies"));
    let go = make_fifo(&bed, "go");
    let log = r#"cat app.py >> "${0%/*}/log"; cat "${0%/*}/go" > /dev/null; echo end >> "${0%/*}/log""#;
    let copy = r#"for word; do out=$word; done; cp "${0%/*}/made.wasm" "$out""#;
    write_tool(&bed, "componentize-py", &format!("{log}; {copy}"));
    let build = || bed.build_command(&["plugin", "build", "my guard.py"]).spawn().unwrap();
    let written = || fs::read_to_string(bed.resolve_path(&format!("{TOOLS}/log"))).unwrap();
    let first = build();
    // The tool of the first is under way once somebody opens the other end.
    let held = fs::OpenOptions::new().write(true).open(&go).unwrap();
    let mut second = build();
    let mut errors = BufReader::new(second.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert_eq!(line, "another build of this plugin is under way; waiting for it to end\n");
    assert_eq!(written(), "@hook\n");
    // As editors save: by another file of the same name.
    fs::rename(bed.write_file("[PROJECT]/saved", "@hook\n# anew\n"), script).unwrap();
    drop(held);
    let first = bed.wait_for(first);
    assert_eq!(first.code, 0, "{first}");
    drop(fs::OpenOptions::new().write(true).open(&go).unwrap());
    errors.read_to_string(&mut line).unwrap();
    let second = bed.wait_for(second);
    assert_eq!(second.code, 0, "{second}{line}");
    assert_eq!(written(), "@hook\nend\n@hook\n# anew\nend\n");
    assert_eq!(list_files(&bed.resolve_path("[PROJECT]")), ["my guard.py", "my guard.wasm"]);
}

#[test]
fn the_second_of_two_concurrent_additions_of_a_python_file_builds_after_the_first() {
    let bed = create_bed();
    bed.write_file(SCRIPT, HOOK);
    bed.write_bytes(&format!("{TOOLS}/made.wasm"), &guests::build_component("denies"));
    let (go, done) = (make_fifo(&bed, "go"), make_fifo(&bed, "done"));
    let log = r#"echo begin >> "${0%/*}/log"; cat "${0%/*}/go" > /dev/null; echo end >> "${0%/*}/log""#;
    let copy = r#"for word; do out=$word; done; cp "${0%/*}/made.wasm" "$out"; echo > "${0%/*}/done""#;
    write_tool(&bed, "componentize-py", &format!("{log}; {copy}"));
    let add = |name: &str, event: &str| {
        let words = ["plugin", "add", "my guard.py", "--name", name, "--on", event, "--yes"];
        bed.build_command(&words).spawn().unwrap()
    };
    let written = || fs::read_to_string(bed.resolve_path(&format!("{TOOLS}/log"))).unwrap();
    let first = add("one", "tool.before");
    // The tool of the first is under way once somebody opens the other end.
    let held = fs::OpenOptions::new().write(true).open(&go).unwrap();
    let mut second = add("other", "session.start");
    let mut errors = BufReader::new(second.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert_eq!(line, "another hookbox is adding or removing a plugin; waiting for it to end\n");
    assert_eq!(written(), "begin\n");
    drop(held);
    drop(fs::read(&done).unwrap());
    drop(fs::OpenOptions::new().write(true).open(&go).unwrap());
    drop(fs::read(&done).unwrap());
    errors.read_to_string(&mut line).unwrap();
    for ran in [first, second].map(|child| bed.wait_for(child)) {
        assert_eq!(ran.code, 0, "{ran}{line}");
    }
    assert_eq!(written(), "begin\nend\nbegin\nend\n");
}
