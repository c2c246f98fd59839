//! `plugin test --watch`.

use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::process::ExitStatusExt,
    process::Child,
};

use rustix::process::{Pid, Signal, kill_process};

use crate::{COPY, TOML, TOOLS, create_bed, guests, write_fixture, write_tool, zig_project, zig_that_makes};

#[test]
fn a_change_of_a_fixture_runs_it_again_and_one_of_a_source_builds_first() {
    let bed = create_bed();
    zig_project(&bed, TOML);
    zig_that_makes(&bed, &guests::build_component("denies"));
    write_tool(&bed, "zig", &format!("echo built >> \"${{0%/*}}/log\"; {COPY}"));
    let good = r#""answer": { "verdict": "deny", "code": "no", "reason": "because" }"#;
    write_fixture(&bed, "a", good);
    let mut watching = Watching(bed.build_command(&["plugin", "test", "--watch"]).spawn().unwrap());
    let mut lines = BufReader::new(watching.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut next = || lines.find(|line| line.ends_with(" failed")).unwrap();
    let builds = || fs::read_to_string(bed.resolve_path(&format!("{TOOLS}/log"))).unwrap().lines().count();
    assert_eq!((next(), builds()), ("1 passed, 0 failed".to_owned(), 1));
    write_fixture(&bed, "a", r#""answer": {}"#);
    assert_eq!((next(), builds()), ("0 passed, 1 failed".to_owned(), 1));
    bed.write_bytes(&format!("{TOOLS}/made.wasm"), &guests::build_component("none"));
    bed.write_file("[PROJECT]/src/hook.zig", "// changed");
    assert_eq!((next(), builds()), ("1 passed, 0 failed".to_owned(), 2));
    kill_process(Pid::from_child(&watching.0), Signal::INT).unwrap();
    let ended = watching.0.wait().unwrap();
    assert_eq!(ended.signal(), Some(Signal::INT.as_raw()));
}

/// Ends with its test, however that ends.
struct Watching(Child);

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
