//! The packages that are part of the shipped programs and plugins, from cargo's own lists.
//!
//! `cargo tree` decides which packages these are: it resolves the features of the chosen packages alone, where `cargo metadata` resolves those
//! of the whole workspace with its tests. The metadata has their licences.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use xtask::project::Project;

/// The package of the programs.
const PROGRAMS: &str = "hookbox-cli";
/// Features of all delivered programs together.
const FEATURES: &str = "program,compiler,author,bundle";
/// Target of the plugins.
const GUEST_TARGET: &str = "wasm32-unknown-unknown";

/// Name and version of a package.
pub(crate) type Key = (String, String);

/// Packages by name and version.
pub(crate) type Packages = BTreeMap<Key, Package>;

/// A package that is compiled into a program or a plugin.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Package {
    /// An expression of SPDX.
    pub(crate) licence: String,
    /// False for a package of hookbox itself.
    pub(crate) is_from_registry: bool,
    /// The packages that it uses.
    pub(crate) uses: BTreeSet<Key>,
}

/// Chosen packages of a workspace.
struct Chosen<'a> {
    manifest: &'a str,
    target: &'a str,
    packages: Vec<&'a str>,
    /// Features of the one chosen package, in place of its default features.
    features: Option<&'a str>,
}

/// Returns all packages that are in the programs and in the plugins.
pub(crate) fn list_shipped(project: &Project, plugins: &[String], triple: &str) -> Result<Packages> {
    let programs =
        Chosen { manifest: "Cargo.toml", target: triple, packages: vec![PROGRAMS], features: Some(FEATURES) };
    let plugins = Chosen {
        manifest: "plugins/Cargo.toml",
        target: GUEST_TARGET,
        packages: plugins.iter().map(String::as_str).collect(),
        features: None,
    };
    let mut packages = list_packages(project, &programs)?;
    for (key, package) in list_packages(project, &plugins)? {
        let uses = package.uses.clone();
        packages.entry(key).or_insert(package).uses.extend(uses);
    }
    Ok(packages)
}

fn list_packages(project: &Project, chosen: &Chosen<'_>) -> Result<Packages> {
    let Chosen { manifest, target, packages, features } = chosen;
    let words =
        ["tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"];
    let tree = project.cargo(words).args(["--manifest-path", *manifest, "--target", *target]);
    let tree = tree.args(packages.iter().flat_map(|package| ["--package", *package]));
    let chosen_features =
        features.iter().flat_map(|features| ["--no-default-features", "--features", *features]);
    let shipped = parse_tree(&tree.args(chosen_features).output()?);
    let words = ["metadata", "--locked", "--format-version", "1"];
    let metadata = project.cargo(words).args(["--manifest-path", *manifest, "--filter-platform", *target]);
    let metadata = metadata.args(features.iter().flat_map(|features| ["--features", *features])).output()?;
    let metadata: Value =
        serde_json::from_str(&metadata).context("cannot read what `cargo metadata` wrote")?;
    select_packages(&metadata, &shipped).with_context(|| format!("cannot list the packages of {manifest}"))
}

/// Parses lines such as `serde v1.0.229` and `hookbox v0.1.0 (/folder) (*)`.
fn parse_tree(tree: &str) -> BTreeSet<Key> {
    let keys = tree.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
        Some((name.to_owned(), version.to_owned()))
    });
    keys.collect()
}

/// Returns the shipped packages among those that the metadata describes.
fn select_packages(metadata: &Value, shipped: &BTreeSet<Key>) -> Result<Packages> {
    let (mut packages, mut keys) = (Packages::new(), BTreeMap::new());
    for package in list_at(metadata, "/packages") {
        let key = (text_at(package, "/name")?.to_owned(), text_at(package, "/version")?.to_owned());
        keys.insert(text_at(package, "/id")?, key.clone());
        if shipped.contains(&key) {
            let licence = text_at(package, "/license")
                .with_context(|| format!("the package {} {} names no licence", key.0, key.1))?;
            let is_from_registry = package.pointer("/source").is_some_and(Value::is_string);
            let licence = normalize_licence(licence);
            packages.insert(key, Package { licence, is_from_registry, uses: BTreeSet::new() });
        }
    }
    for node in list_at(metadata, "/resolve/nodes") {
        let key = keys.get(text_at(node, "/id")?);
        let Some(package) = key.and_then(|key| packages.get_mut(key)) else { continue };
        let used = list_at(node, "/deps").filter(|dependency| is_normal(dependency));
        let used = used.filter_map(|dependency| keys.get(dependency.pointer("/pkg")?.as_str()?));
        package.uses.extend(used.filter(|key| shipped.contains(*key)).cloned());
    }
    if let Some((name, version)) = shipped.iter().find(|key| !packages.contains_key(*key)) {
        bail!("`cargo tree` lists {name} {version}, and `cargo metadata` does not");
    }
    Ok(packages)
}

/// Returns true unless the dependency is only one of tests or of a build script.
fn is_normal(dependency: &Value) -> bool {
    list_at(dependency, "/dep_kinds").any(|kind| kind.pointer("/kind").is_some_and(Value::is_null))
}

/// Returns an expression of SPDX for the older form with a slash, `MIT/Apache-2.0`.
fn normalize_licence(licence: &str) -> String {
    licence.replace(" / ", "/").replace('/', " OR ")
}

fn list_at<'a>(value: &'a Value, pointer: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

fn text_at<'a>(value: &'a Value, pointer: &str) -> Result<&'a str> {
    let text = value.pointer(pointer).and_then(Value::as_str);
    text.with_context(|| format!("`cargo metadata` wrote no text at {pointer}"))
}

#[cfg(test)]
impl Package {
    /// Returns a package of a registry for tests.
    pub(crate) fn create_sample(licence: &str, uses: &[(&str, &str)]) -> Self {
        let uses = uses.iter().map(|(name, version)| ((*name).to_owned(), (*version).to_owned()));
        Self { licence: licence.to_owned(), is_from_registry: true, uses: uses.collect() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn create_key(name: &str) -> Key {
        (name.to_owned(), "1.0.0".to_owned())
    }

    #[test]
    fn a_tree_lists_each_package_once() {
        let tree = "a v1.0.0 (/home/dev/a)\nb v1.0.0\n\na v1.0.0 (/home/dev/a) (*)\n";
        assert_eq!(parse_tree(tree), BTreeSet::from([create_key("a"), create_key("b")]));
    }

    #[test]
    fn only_shipped_packages_and_their_normal_dependencies_are_listed() {
        let package = |name: &str, source: Value| json!({ "id": format!("#{name}"), "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0", "source": source });
        let used =
            |name: &str, kind: Value| json!({ "pkg": format!("#{name}"), "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [package("a", Value::Null), package("b", json!("registry")), package("c", json!("registry"))],
            "resolve": { "nodes": [
                { "id": "#a", "deps": [used("b", Value::Null), used("c", json!("dev"))] },
                { "id": "#b", "deps": [used("c", Value::Null)] },
                { "id": "#c", "deps": [] },
            ] },
        });
        let select =
            |names: &[&str]| select_packages(&metadata, &names.iter().map(|name| create_key(name)).collect());
        let packages = select(&["a", "b"]).unwrap();
        let a = Package {
            is_from_registry: false,
            ..Package::create_sample("MIT OR Apache-2.0", &[("b", "1.0.0")])
        };
        let b = Package::create_sample("MIT OR Apache-2.0", &[]);
        assert_eq!(packages, Packages::from([(create_key("a"), a), (create_key("b"), b)]));
        let error = select(&["a", "x"]).unwrap_err().to_string();
        assert_eq!(error, "`cargo tree` lists x 1.0.0, and `cargo metadata` does not");
    }

    #[test]
    fn a_slash_between_licences_is_a_choice() {
        for licence in ["MIT/Apache-2.0", "MIT / Apache-2.0", "MIT OR Apache-2.0"] {
            assert_eq!(normalize_licence(licence), "MIT OR Apache-2.0");
        }
    }
}
