//! The packages for npm: `@hookbox/cli` with a launcher, and the package of a platform with the programs, which it names as optional.

use anyhow::Result;
use serde_json::{Value, json};

use crate::artifacts::Artifact;
use crate::content::Content;
use crate::release::Release;
use crate::tarball::{Folders, compress_bytes, pack_tree};
use crate::tree::{DATA, PROGRAM, Tree};

/// The folder in each package of npm.
const ROOT: &str = "package";
/// Starts the program that is in the package of the platform.
const LAUNCHER: &str = include_str!("../files/hookbox.js");
const DESCRIPTION: &str = "One hook host for every coding agent.";

/// Packs `hookbox-cli-VERSION.tgz` and the package of the platform.
pub(crate) fn pack_npm(release: &Release, content: &Content) -> Result<Vec<Artifact>> {
    let (system, processor) = release.platform.npm;
    let platform = format!("cli-{system}-{processor}");
    let mut programs = content.notices.clone();
    add_manifest(&mut programs, &describe_platform(release, &platform))?;
    let mut launcher = content.notices.clone();
    add_manifest(&mut launcher, &describe_launcher(release, &platform))?;
    launcher.add_file("bin/hookbox.js", LAUNCHER.as_bytes(), PROGRAM);
    for (path, file) in content.installed.list_files() {
        programs.add_file(path, file.bytes.clone(), file.mode);
    }
    Ok(vec![pack_package(release, "cli", &launcher)?, pack_package(release, &platform, &programs)?])
}

fn pack_package(release: &Release, name: &str, files: &Tree) -> Result<Artifact> {
    let mut tree = Tree::default();
    tree.add_below(ROOT, files);
    let bytes = compress_bytes(&pack_tree(&tree, release.time, Folders::Implied)?)?;
    // The name that `npm pack` gives it.
    Ok(Artifact { name: format!("hookbox-{name}-{}.tgz", release.version), bytes })
}

fn add_manifest(tree: &mut Tree, manifest: &Value) -> Result<()> {
    let text = serde_json::to_string_pretty(manifest)? + "\n";
    tree.add_file("package.json", text.into_bytes(), DATA);
    Ok(())
}

fn describe_launcher(release: &Release, platform: &str) -> Value {
    json!({
        "name": "@hookbox/cli",
        "version": release.version,
        "description": DESCRIPTION,
        "license": "Apache-2.0",
        "bin": { "hookbox": "bin/hookbox.js" },
        "engines": { "node": ">=18" },
        "optionalDependencies": { (format!("@hookbox/{platform}")): release.version },
    })
}

fn describe_platform(release: &Release, platform: &str) -> Value {
    let (system, processor) = release.platform.npm;
    json!({
        "name": format!("@hookbox/{platform}"),
        "version": release.version,
        "description": format!("The programs of hookbox for {system} {processor}; install @hookbox/cli."),
        "license": "Apache-2.0",
        "os": [system],
        "cpu": [processor],
        "preferUnplugged": true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launcher_names_the_package_of_the_platform_in_its_version() {
        let release = Release::create_sample();
        let (launcher, platform) =
            (describe_launcher(&release, "cli-linux-x64"), describe_platform(&release, "cli-linux-x64"));
        let name = platform.pointer("/name").and_then(Value::as_str).unwrap();
        assert!(LAUNCHER.contains(&format!("\"linux x64\": \"{name}\"")), "{name}");
        let optional = launcher.get("optionalDependencies").and_then(|all| all.get(name)).unwrap();
        assert_eq!(optional, platform.pointer("/version").unwrap());
    }

    #[test]
    fn both_packages_have_the_names_that_npm_gives_them() {
        let artifacts = pack_npm(&Release::create_sample(), &Content::create_sample()).unwrap();
        let names: Vec<_> = artifacts.iter().map(|artifact| artifact.name.as_str()).collect();
        assert_eq!(names, ["hookbox-cli-1.2.3.tgz", "hookbox-cli-linux-x64-1.2.3.tgz"]);
    }
}
