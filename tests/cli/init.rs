//! `hookbox init`: a commented file for a project's hooks. `hookbox version` is next to it.

use std::{collections::BTreeSet, fs};

use serde_json::Value;

use crate::{TestBed, guests};

const FILE: &str = "[PROJECT]/.hookbox/hooks.toml";
/// Keys that have no effect in a project's file.
const OF_USERS: [&str; 4] = ["confine", "log", "project", "projects"];

/// Returns the keys in the file, with or without a `#` in front of the line.
fn read_keys(text: &str) -> BTreeSet<String> {
    let lines = text.lines().map(|line| line.strip_prefix('#').unwrap_or(line));
    let keys = lines.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split_once(" = "));
    keys.map(|(key, _)| key.to_owned()).collect()
}

#[test]
fn init_writes_a_comment_for_each_key_of_the_schema() {
    let bed = TestBed::new();
    let ran = bed.run_hookbox(&["init"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "written: [PROJECT]/.hookbox/hooks.toml\n"), "{ran}");
    let text = fs::read_to_string(bed.resolve_path(FILE)).unwrap();
    let schema = fs::read_to_string(guests::repository_folder("docs/reference/hooks.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let names = |properties: &Value| -> BTreeSet<String> {
        properties.as_object().unwrap().keys().cloned().collect()
    };
    let mut wanted = names(&schema["properties"]);
    wanted.retain(|key| !OF_USERS.contains(&key.as_str()) && key != "hook");
    wanted.extend(names(&schema["properties"]["hook"]["items"]["properties"]));
    assert_eq!(read_keys(&text), wanted);
    for (line, key) in text.lines().zip(text.lines().skip(1)) {
        let is_key = key.strip_prefix('#').unwrap_or(key).starts_with(|c: char| c.is_ascii_lowercase());
        assert!(!is_key || line.starts_with("# "), "no comment is in front of {key}");
    }
    let checked = bed.run_hookbox(&["check"]);
    assert!(checked.code == 0 && checked.stdout.contains("0 errors, 0 warnings"), "{checked}");
}

/// A hook of the file's lines, with one handler, is a hook.
#[test]
fn the_lines_of_the_new_file_are_valid_with_each_handler() {
    for handler in ["wasm", "shell", "webhook", "python"] {
        let bed = TestBed::new();
        bed.run_hookbox(&["init"]);
        let text = fs::read_to_string(bed.resolve_path(FILE)).unwrap();
        let others = ["wasm", "shell", "webhook", "python", "grant", "limits"];
        let is_other =
            |line: &str| others.iter().any(|key| *key != handler && line.starts_with(&format!("#{key} = ")));
        let lines = text.lines().filter(|line| !is_other(line)).map(|line| match line.strip_prefix('#') {
            Some(rest) if !rest.starts_with(' ') => format!("{rest}\n"),
            _ => format!("{line}\n"),
        });
        bed.write_file("[HOME]/.config/hookbox/hooks.toml", &lines.collect::<String>());
        let ran = bed.run_hookbox(&["list"]);
        assert!(ran.stdout.starts_with("no-force-push  gate, user"), "{handler}: {ran}");
    }
}

#[test]
fn init_never_replaces_a_file() {
    let bed = TestBed::new();
    bed.write_file(FILE, "# mine\n");
    let ran = bed.run_hookbox(&["init"]);
    let error = "error: nothing was written: [PROJECT]/.hookbox/hooks.toml exists; edit it, or move it away and run \
                 `hookbox init` again\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (1, error));
    assert_eq!(fs::read_to_string(bed.resolve_path(FILE)).unwrap(), "# mine\n");
}

#[test]
fn init_writes_into_the_named_project_and_not_into_the_home() {
    let bed = TestBed::new();
    fs::create_dir_all(bed.resolve_path("[PROJECT]/other")).unwrap();
    fs::create_dir_all(bed.resolve_path("[PROJECT]/other/.git")).unwrap();
    let ran = bed.run_hookbox(&["init", "--project", "other"]);
    assert_eq!(ran.stdout, "written: [PROJECT]/other/.hookbox/hooks.toml\n", "{ran}");
    let ran = bed.run_hookbox(&["init", "--project", "[HOME]"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (2, "error: the home folder is not a project; go into one\n"),
        "{ran}"
    );
    assert!(!bed.resolve_path("[HOME]/.hookbox").exists());
}

#[test]
fn the_command_version_prints_the_version() {
    let bed = TestBed::new();
    let (command, option) = (bed.run_hookbox(&["version"]), bed.run_hookbox(&["--version"]));
    assert_eq!((command.code, command.stdout), (0, option.stdout));
}
