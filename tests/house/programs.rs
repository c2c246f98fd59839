//! Test programs: a target without a test program or without doc tests has no tests, and every file of tests is compiled.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// Returns the targets of both workspaces, as `cargo metadata` describes them.
#[expect(clippy::disallowed_methods, reason = "a test asks cargo")]
fn list_targets() -> Vec<Value> {
    let mut found = Vec::new();
    for manifest in ["Cargo.toml", "plugins/Cargo.toml"] {
        let mut cargo = std::process::Command::new(env!("CARGO"));
        cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"]);
        let output = cargo.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(manifest)).output().unwrap();
        let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
        for package in metadata["packages"].as_array().unwrap() {
            found.extend(package["targets"].as_array().unwrap().iter().cloned());
        }
    }
    assert!(found.len() > 50, "{} targets were found", found.len());
    found
}

fn source_path(target: &Value) -> PathBuf {
    target["src_path"].as_str().unwrap().into()
}

fn has_kind(target: &Value, kinds: &[&str]) -> bool {
    target["kind"].as_array().unwrap().iter().any(|kind| kinds.contains(&kind.as_str().unwrap()))
}

/// Returns every Rust source in the folder and below it, with its text.
fn read_sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(read_sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    found
}

/// Returns the sources of these targets that contain one of the words.
fn sources_with(words: &[&str], left_out: impl Fn(&Value) -> bool) -> Vec<PathBuf> {
    let targets: Vec<_> = list_targets().into_iter().filter(left_out).collect();
    assert!(!targets.is_empty(), "no target leaves anything out");
    let sources = targets.iter().flat_map(|target| read_sources(source_path(target).parent().unwrap()));
    let is_one = |text: &str| words.iter().any(|word| text.contains(word));
    sources.filter(|(_, text)| is_one(text)).map(|(path, _)| path).collect()
}

#[test]
fn a_target_without_a_test_program_has_no_unit_tests() {
    let words = ["#[test]", "::test]", "\n    proptest! {", "\nproptest! {"];
    let left_out =
        |target: &Value| has_kind(target, &["lib", "cdylib", "rlib", "bin"]) && target["test"] == false;
    assert_eq!(sources_with(&words, left_out), Vec::<PathBuf>::new());
}

#[test]
fn a_library_without_doc_tests_has_no_examples_in_its_documentation() {
    let left_out = |target: &Value| has_kind(target, &["lib", "rlib"]) && target["doctest"] == false;
    assert_eq!(sources_with(&["/// ```", "//! ```"], left_out), Vec::<PathBuf>::new());
}

#[test]
fn every_file_of_tests_is_a_program_or_a_module_of_one() {
    let targets: Vec<_> =
        list_targets().iter().filter(|target| has_kind(target, &["test"])).map(source_path).collect();
    let mut folders: Vec<_> = targets
        .iter()
        .filter_map(|path| path.ancestors().find(|folder| folder.ends_with("tests")).map(Path::to_owned))
        .collect();
    folders.sort();
    folders.dedup();
    assert!(folders.len() > 10, "{folders:?}");
    // Templates and cases are data.
    let is_data =
        |path: &Path| ["data", "cases", "oci"].iter().any(|name| path.iter().any(|part| part == *name));
    let mut lost = Vec::new();
    for folder in folders {
        let sources = read_sources(&folder);
        let is_module = |path: &Path| {
            let (stem, file) = (path.file_stem().unwrap().display(), path.file_name().unwrap().display());
            let (module, named) = (format!("mod {stem};"), format!("/{file}\"]"));
            sources.iter().any(|(_, text)| text.contains(&module) || text.contains(&named))
        };
        let is_lost = |path: &PathBuf| !is_data(path) && !targets.contains(path) && !is_module(path);
        lost.extend(sources.iter().map(|(path, _)| path.clone()).filter(is_lost));
    }
    assert_eq!(lost, Vec::<PathBuf>::new());
}

/// Runs with other inputs set another number: `.cargo/config.toml` has the default.
#[test]
#[expect(clippy::disallowed_methods, reason = "the seed is a variable")]
fn property_tests_draw_inputs_of_a_seed_that_is_known_and_write_no_files() {
    let seed = std::env::var("PROPTEST_RNG_SEED").unwrap();
    assert!(seed.parse::<u64>().is_ok(), "{seed}");
    assert!(std::env::var("PROPTEST_DISABLE_FAILURE_PERSISTENCE").is_ok());
}
