//! Output folders of the workspaces' documentation.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Two targets would write, and clear, one folder concurrently: the build of the documentation would fail now and then.
#[test]
fn no_two_targets_are_documented_in_one_folder() {
    for manifest in ["Cargo.toml", "plugins/Cargo.toml"] {
        let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (package, target) in list_documented(manifest) {
            folders.entry(target.replace('-', "_")).or_default().push(package);
        }
        assert!(folders.len() > 5, "{manifest}: only {folders:?} are documented");
        folders.retain(|_, packages| packages.len() > 1);
        assert_eq!(folders, BTreeMap::new(), "{manifest}: write `doc = false` for the program among them");
    }
}

/// Returns package and target of everything that `cargo doc` documents.
#[expect(clippy::disallowed_methods, reason = "a test asks cargo")]
fn list_documented(manifest: &str) -> Vec<(String, String)> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(manifest);
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"])
        .arg(manifest);
    let told: Value = serde_json::from_slice(&cargo.output().unwrap().stdout).unwrap();
    let name = |value: &Value| value["name"].as_str().unwrap().to_owned();
    let packages = told["packages"].as_array().unwrap().iter();
    packages
        .flat_map(|package| {
            package["targets"].as_array().unwrap().iter().map(move |target| (package, target))
        })
        .filter(|(_, target)| target["doc"] == true)
        .map(|(package, target)| (name(package), name(target)))
        .collect()
}
