//! A plugin that is one file in Python: built beside it, or added at once.

use std::fs;

use insta::assert_snapshot;

use crate::{TOOLS, bed, files, guests, steady, testbed::TestBed, tool};

const SCRIPT: &str = "[PROJECT]/my guard.py";

/// A `componentize-py` that makes this, and tells where it stood and what was there.
fn componentize_that_makes(bed: &TestBed, wasm: &[u8]) {
    bed.write_bytes(&format!("{TOOLS}/made.wasm"), wasm);
    let told =
        "ls; cat app.py; ls hookbox/wit hookbox/hookbox_sdk/__init__.py; echo RUST_BACKTRACE=$RUST_BACKTRACE";
    let copy = r#"for word; do out=$word; done; cp "${0%/*}/made.wasm" "$out""#;
    tool(bed, "componentize-py", &format!("{{ {told}; }} >&2; {copy}"));
}

/// Without the lines that show how a tool was called, in a folder of another name each time.
fn without_tools(text: &str) -> String {
    let steady = steady(text);
    let lines = steady.split_inclusive('\n');
    lines.filter(|line| !line.starts_with("$ ")).collect()
}

#[test]
fn one_file_is_built_beside_itself_and_no_other_file_has_a_say() {
    let bed = bed();
    bed.write(SCRIPT, "# the hook\n");
    bed.write("[PROJECT]/json.py", "a module that Python needs, of the same name\n");
    componentize_that_makes(&bed, &guests::component("denies"));
    let ran = bed.hookbox(&["plugin", "build", "my guard.py"]);
    assert_snapshot!(without_tools(&ran.to_string()), @"
    exit code 0
    --- stdout
    built     [PROJECT]/my guard.wasm (N bytes) in N s
    --- stderr
    my guard.py is built as app.py
    app.py
    hookbox
    # the hook
    hookbox/hookbox_sdk/__init__.py

    hookbox/wit:
    clock.wit
    config.wit
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
    assert_eq!(files(&bed.path("[PROJECT]")), ["json.py", "my guard.py", "my guard.wasm"]);
    assert_eq!(fs::read(bed.path("[PROJECT]/my guard.wasm")).unwrap(), guests::component("denies"));
}

#[test]
fn where_it_goes_can_be_said_for_one_file_alone() {
    let bed = bed();
    bed.write(SCRIPT, "");
    componentize_that_makes(&bed, &guests::component("denies"));
    assert_eq!(bed.hookbox(&["plugin", "build", "my guard.py", "--out", "other.wasm", "--json"]).code, 0);
    assert_eq!(files(&bed.path("[PROJECT]")), ["my guard.py", "other.wasm"]);
    let ran = bed.hookbox(&["plugin", "build", "--out", "other.wasm"]);
    let why = "error: --out is for one file in Python; a project is built in its folder `build`\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (2, why));
}

#[test]
fn what_cannot_be_built_leaves_what_was_there() {
    let bed = bed();
    bed.write(SCRIPT, "");
    bed.write("[PROJECT]/my guard.wasm", "the one before");
    let mut told = String::new();
    let mut build = || {
        let ran = bed.hookbox(&["plugin", "build", "my guard.py"]);
        assert_eq!(ran.code, 1, "{ran}");
        told += &ran.stderr;
    };
    build();
    tool(&bed, "componentize-py", "echo SyntaxError >&2; exit 1");
    build();
    tool(&bed, "componentize-py", r#"for word; do out=$word; done; echo no wasm > "$out""#);
    build();
    assert_snapshot!(without_tools(&told), @"
    my guard.py is built as app.py
    error: `componentize-py` is not on PATH; to get it:
      pip install componentize-py==0.25.1   # tried with 0.25.1
    my guard.py is built as app.py
    SyntaxError
    error: `componentize-py` ended with exit status: 1; it says why above
    my guard.py is built as app.py
    error: the plugin [PROJECT]/my guard.wasm is not a wasm component
    ");
    assert_eq!(fs::read_to_string(bed.path("[PROJECT]/my guard.wasm")).unwrap(), "the one before");
    bed.write(SCRIPT, &" ".repeat((1 << 20) + 1));
    let ran = bed.hookbox(&["plugin", "build", "my guard.py"]);
    assert_eq!((ran.code, ran.stderr.contains("longer than 1048576 bytes")), (2, true), "{ran}");
}

#[test]
fn one_file_in_python_is_added_like_any_other_plugin() {
    let bed = bed();
    bed.write(SCRIPT, "");
    componentize_that_makes(&bed, &guests::component("denies"));
    let ran = bed.hookbox(&["plugin", "add", "my guard.py", "--name", "mine", "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    let lock = fs::read_to_string(bed.path("[HOME]/.config/hookbox/hookbox.lock")).unwrap();
    assert!(
        lock.contains("source = \"file:my guard.py\"") && lock.contains("file = \"plugins/mine.wasm\""),
        "{lock}"
    );
    assert_eq!(files(&bed.path("[PROJECT]")), ["my guard.py"]);
    tool(&bed, "componentize-py", "exit 1");
    let ran = bed.hookbox(&["plugin", "add", "my guard.py", "--name", "other", "--yes"]);
    let last = ran.stderr.lines().last();
    assert_eq!(
        last,
        Some("error: nothing was added: no plugin could be built of [PROJECT]/my guard.py, as told above"),
        "{ran}"
    );
}
