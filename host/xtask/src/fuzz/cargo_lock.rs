//! The lock file of the fuzz targets: has each package of the host and of the guests in their version, so that the fuzzed code is the
//! shipped code.

use std::collections::HashSet;
use std::fs;

use anyhow::{Context, Result};

use crate::project::Project;

const ENTRY: &str = "[[package]]\n";
const FILE: &str = "fuzz/Cargo.lock";

/// Rewrites the lock file from those of the host and of the guests; packages that only fuzz targets have keep their versions.
pub(super) fn write_cargo_lock(project: &Project) -> Result<()> {
    let read = |name: &str| {
        fs::read_to_string(project.root.join(name)).with_context(|| format!("cannot read {name}"))
    };
    let joined = join_packages(&read("Cargo.lock")?, &read("plugins/Cargo.lock")?, &read(FILE)?);
    fs::write(project.root.join(FILE), joined).with_context(|| format!("cannot write {FILE}"))?;
    // Cargo drops packages that no target needs, and adds those that are missing.
    let words = ["metadata", "--format-version", "1", "--manifest-path", "fuzz/Cargo.toml"];
    project.cargo(words).output().map(drop)
}

/// Joins all packages of the host, those of the guests that the host lacks, and the targets' packages with other names than both.
fn join_packages(host: &str, guests: &str, own: &str) -> String {
    let mut lock = host.trim_end().to_owned();
    let versions: HashSet<_> = split_entries(host).map(name_and_version).collect();
    let names: HashSet<_> =
        split_entries(host).chain(split_entries(guests)).map(|entry| name_and_version(entry).0).collect();
    let of_guests = split_entries(guests).filter(|entry| !versions.contains(&name_and_version(entry)));
    for entry in
        of_guests.chain(split_entries(own).filter(|entry| !names.contains(name_and_version(entry).0)))
    {
        lock = format!("{lock}\n\n{ENTRY}{}", entry.trim_end());
    }
    lock + "\n"
}

fn split_entries(lock: &str) -> impl Iterator<Item = &str> {
    lock.split(ENTRY).skip(1)
}

/// Returns the lines of an entry with its name and its version.
fn name_and_version(entry: &str) -> (&str, &str) {
    let mut lines = entry.lines();
    (lines.next().unwrap_or_default(), lines.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format_entry(name: &str, version: u8) -> String {
        format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n")
    }

    /// Packages of `own` that the host or the guests have, in versions that neither has.
    fn find_strays<'a>(host: &str, guests: &str, own: &'a str) -> Vec<(&'a str, &'a str)> {
        let versions: HashSet<_> =
            split_entries(host).chain(split_entries(guests)).map(name_and_version).collect();
        let names: HashSet<_> = versions.iter().map(|(name, _)| *name).collect();
        let shared = split_entries(own).map(name_and_version).filter(|(name, _)| names.contains(name));
        shared.filter(|package| !versions.contains(package)).collect()
    }

    #[test]
    fn the_fuzz_targets_have_the_versions_that_ship() {
        let (host, guests) =
            (include_str!("../../../../Cargo.lock"), include_str!("../../../../plugins/Cargo.lock"));
        let own = include_str!("../../../../fuzz/Cargo.lock");
        assert!(split_entries(own).count() > 300);
        assert_eq!(find_strays(host, guests, own), [], "run `cargo xtask fuzz --lock`");
    }

    #[test]
    fn another_version_of_a_shared_package_is_a_stray() {
        let (host, guests) = (format_entry("a", 1), format_entry("b", 1));
        let own = [format_entry("a", 2), format_entry("b", 1), format_entry("c", 1)].join("\n");
        assert_eq!(find_strays(&host, &guests, &own), [("name = \"a\"", "version = \"2\"")]);
    }

    #[test]
    fn a_joined_lock_file_has_each_package_once_and_keeps_those_of_the_targets_alone() {
        let lock = |entries: &[String]| format!("version = 4\n\n{}", entries.join("\n"));
        let host = lock(&[format_entry("a", 1)]);
        let guests = lock(&[format_entry("a", 1), format_entry("a", 2), format_entry("b", 1)]);
        let own = lock(&[format_entry("a", 0), format_entry("b", 0), format_entry("c", 7)]);
        let all =
            lock(&[format_entry("a", 1), format_entry("a", 2), format_entry("b", 1), format_entry("c", 7)]);
        assert_eq!(join_packages(&host, &guests, &own), all);
    }
}
