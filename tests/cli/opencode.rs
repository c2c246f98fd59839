//! The plugin for opencode, `integrations/opencode`, has tests in its own language.

use std::{fs, process::Command};

use crate::{TestBed, format_gate, guests};

#[test]
fn the_plugin_for_opencode_does_what_the_answers_say() {
    let tests = guests::repository_folder("integrations/opencode/test_hookbox.mjs");
    let mut node = Command::new("node");
    let like_tap = ["--test", "--test-reporter=tap"];
    let ran = node.args(like_tap).arg(tests).env("HOOKBOX", env!("CARGO_BIN_EXE_hookbox")).output().unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    let whole = ["\n# pass 17\n", "\n# fail 0\n", "\n# skipped 0\n", "\n# todo 0\n"];
    assert!(ran.status.success() && whole.iter().all(|line| said.contains(line)), "{said}");
}

const FILE: &str = "[HOME]/.config/opencode/plugins/hookbox.js";

#[test]
fn the_plugin_is_put_where_opencode_looks_and_taken_away_again() {
    let bed = TestBed::with_config(&format_gate("none"));
    let ran = bed.run_hookbox(&["install", "opencode", "--yes"]);
    assert!(ran.code == 0 && ran.stdout.ends_with(&format!("installed for 7 events: {FILE}\n")), "{ran}");
    let text = fs::read_to_string(bed.resolve_path(FILE)).unwrap();
    let command = bed.expand_placeholders(
        "const COMMAND = [\"[BIN]/hookbox\",\"run\",\"--agent\",\"opencode\",\"--home\",\"[HOME]\"",
    );
    assert!(text.contains(&command), "{text}");
    assert!(bed.run_hookbox(&["install", "opencode"]).stdout.starts_with("nothing to do: "));
    let doctor = bed.run_hookbox(&["doctor"]);
    assert!(doctor.stdout.contains(&format!("opencode: {FILE} calls hookbox for 7 events")), "{doctor}");
    // Moved since: another program would be asked.
    bed.write_file(FILE, &text.replace("/hookbox\",", "/gone\","));
    let doctor = bed.run_hookbox(&["doctor"]);
    assert!(
        doctor.code == 1 && doctor.stdout.contains("/gone does not exist, so hookbox is not called"),
        "{doctor}"
    );
    assert_eq!(bed.run_hookbox(&["install", "opencode", "--yes"]).code, 0);
    assert_eq!(fs::read_to_string(bed.resolve_path(FILE)).unwrap(), text);
    assert_eq!(bed.run_hookbox(&["uninstall", "opencode", "--yes"]).code, 0);
    assert!(!bed.resolve_path(FILE).exists());
}

#[test]
fn a_plugin_that_another_hookbox_has_written_is_wrong() {
    let bed = TestBed::with_config(&format_gate("none"));
    assert_eq!(bed.run_hookbox(&["install", "opencode", "--yes"]).code, 0);
    let text = fs::read_to_string(bed.resolve_path(FILE)).unwrap();
    bed.write_file(FILE, &text.replace("MAX_BATCH_CALLS = 32", "MAX_BATCH_CALLS = 99"));
    let doctor = bed.run_hookbox(&["doctor"]);
    let wrong = format!(
        "wrong   opencode: {FILE} is not the plugin that comes with this hookbox; `hookbox install opencode` fixes it"
    );
    assert!(doctor.code == 1 && doctor.stdout.contains(&wrong), "{doctor}");
    assert_eq!(bed.run_hookbox(&["install", "opencode", "--yes"]).code, 0);
    assert_eq!(fs::read_to_string(bed.resolve_path(FILE)).unwrap(), text);
    assert_eq!(bed.run_hookbox(&["doctor"]).code, 0);
}

#[test]
fn a_plugin_of_somebody_elses_stays() {
    let bed = TestBed::with_config(&format_gate("none"));
    bed.write_file(FILE, "export const Mine = async () => ({})\n");
    let ran = bed.run_hookbox(&["install", "opencode", "--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("somebody else's"), "{ran}");
    assert!(bed.run_hookbox(&["uninstall", "opencode", "--yes"]).stdout.starts_with("nothing to do: "));
    assert_eq!(fs::read_to_string(bed.resolve_path(FILE)).unwrap(), "export const Mine = async () => ({})\n");
}

#[test]
fn a_plugin_of_a_project_that_opencode_loads_instead_is_wrong() {
    let plugins = [
        "[PROJECT]/.opencode/plugins/hookbox.js",
        "[PROJECT]/.opencode/plugin/hookbox.js",
        "[PROJECT]/.opencode/plugins/hookbox.ts",
    ];
    let configured = ["file:///tmp/hookbox.js", "./hookbox.ts", "hookbox", "hookbox@1.0.0"];
    let configured = configured.map(|plugin| format!("{{\n// mine\n\"plugin\": [\"a\", {plugin:?}],\n}}"));
    let files =
        plugins.map(|file| (file, "export const Hookbox = async () => ({})\n".to_owned())).into_iter();
    let places = ["[PROJECT]/opencode.json", "[PROJECT]/.opencode/opencode.jsonc"];
    let configs = places.into_iter().flat_map(|file| configured.iter().map(move |text| (file, text.clone())));
    for (file, text) in files.chain(configs) {
        let bed = TestBed::with_config(&format_gate("none"));
        assert_eq!(bed.run_hookbox(&["install", "opencode", "--yes"]).code, 0);
        assert_eq!(bed.run_hookbox(&["doctor"]).code, 0);
        bed.write_file(file, &text);
        let doctor = bed.run_hookbox(&["doctor"]);
        let wrong = format!("wrong   opencode: {file} takes the place of {FILE}");
        assert!(doctor.code == 1 && doctor.stdout.contains(&wrong), "{text}: {doctor}");
    }
}

#[test]
fn a_plugin_of_a_project_under_another_name_or_the_same_as_the_users_is_not_wrong() {
    let bed = TestBed::with_config(&format_gate("none"));
    assert_eq!(bed.run_hookbox(&["install", "opencode", "--yes"]).code, 0);
    bed.write_file(
        "[PROJECT]/opencode.json",
        r#"{"plugin": ["file:///tmp/other.js", "hookbox-theme"], "mcp": {"hookbox": {}}}"#,
    );
    bed.write_file(
        "[PROJECT]/.opencode/plugins/hookbox.js",
        &fs::read_to_string(bed.resolve_path(FILE)).unwrap(),
    );
    let doctor = bed.run_hookbox(&["doctor"]);
    assert!(doctor.code == 0 && !doctor.stdout.contains("takes the place"), "{doctor}");
}
