//! `plugin profile`.

use std::fs;

use insta::assert_snapshot;

use crate::{TOML, create_bed, guests, write_built, write_fixture, zig_project, zig_that_makes};

#[test]
fn each_fixture_is_a_row_of_what_its_calls_cost() {
    let bed = create_bed();
    write_built(&bed, "logs_a_lot", "");
    write_fixture(&bed, "logs", r#""answer": {}"#);
    write_fixture(&bed, "other", r#""answer": {}"#);
    let ran = bed.run_hookbox(&["plugin", "profile", "--calls", "3", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &said["calls"]), (0, &3.into()), "{ran}");
    assert!(said["compile_ms"].as_f64().unwrap() > 0.0 && said["bytes"].as_u64().unwrap() > 0, "{said}");
    let row = &said["fixtures"][0];
    assert_eq!(
        (&row["name"], &row["host_calls"], &row["memory"]),
        (&"logs".into(), &500.into(), &65536.into())
    );
    for key in ["fuel", "cold_ms", "warm_median_ms", "warm_p99_ms"] {
        assert!(row[key].as_f64().unwrap() > 0.0, "{key}: {row}");
    }
    let table = bed.run_hookbox(&["plugin", "profile", "--calls", "3", "--fixture", "logs"]).stdout;
    let first: Vec<_> =
        table.lines().map(|line| line.split_whitespace().next().unwrap_or_default()).collect();
    assert_eq!(first, ["size", "compile", "calls", "fuel", "logs"]);
}

#[test]
fn a_call_that_fails_is_not_measured_unless_its_fixture_expects_it() {
    let bed = create_bed();
    write_built(&bed, "says_error", "");
    write_fixture(&bed, "bad", r#""answer": {}"#);
    write_fixture(&bed, "good", r#""error": "sorry""#);
    let ran = bed.run_hookbox(&["plugin", "profile", "--calls", "1"]);
    assert!(ran.code == 1 && ran.stdout.contains("FAIL tests/bad.json: the call failed: sorry"), "{ran}");
    assert!(ran.stdout.lines().any(|line| line.starts_with("good ")), "{ran}");
    assert_eq!(bed.run_hookbox(&["plugin", "profile", "--calls", "0"]).code, 2);
}

#[test]
fn nothing_is_measured_that_is_older_than_its_sources() {
    let bed = create_bed();
    zig_project(&bed, TOML);
    zig_that_makes(&bed, &guests::build_component("denies"));
    write_fixture(&bed, "a", r#""answer": {}"#);
    assert_eq!(bed.run_hookbox(&["plugin", "build"]).code, 0);
    let profile = |more: &[&str]| bed.run_hookbox(&[&["plugin", "profile", "--calls", "1"], more].concat());
    assert_eq!(profile(&[]).code, 0);
    fs::write(bed.resolve_path("[PROJECT]/src/hook.zig"), "// another").unwrap();
    assert_snapshot!(profile(&[]), @"
    exit code 1
    --- stdout
    --- stderr
    error: [PROJECT]/src/hook.zig has changed since [PROJECT]/build/guard.wasm was built; build it first: hookbox plugin build
    ");
    // Who names the file means the file.
    assert_eq!(profile(&["build/guard.wasm"]).code, 0);
}
