//! The lock file of the fuzz targets: not committed, but made of those that are, so that what is fuzzed is what ships.

use std::collections::HashSet;
use std::fs;

use anyhow::{Context, Result};

use crate::project::Project;

const ENTRY: &str = "[[package]]\n";

/// Writes it. Cargo drops what is not needed and adds what is needed besides.
pub(super) fn write(project: &Project) -> Result<()> {
    let read = |name: &str| {
        fs::read_to_string(project.root.join(name)).with_context(|| format!("cannot read {name}"))
    };
    let joined = joined(&read("Cargo.lock")?, &read("plugins/Cargo.lock")?);
    fs::write(project.root.join("fuzz/Cargo.lock"), joined).context("cannot write fuzz/Cargo.lock")
}

/// All of the host's packages, and those of the guests' that it does not have.
fn joined(host: &str, guests: &str) -> String {
    let known: HashSet<_> = host.split(ENTRY).map(package).collect();
    let more = guests.split(ENTRY).skip(1).filter(|entry| !known.contains(&package(entry)));
    more.fold(host.trim_end().to_owned(), |lock, entry| format!("{lock}\n\n{ENTRY}{}", entry.trim_end()))
        + "\n"
}

/// An entry's name and version.
fn package(entry: &str) -> Vec<&str> {
    entry.lines().take(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_of_both_is_there_once() {
        let entry =
            |name: &str, version: u8| format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n");
        let host = format!("version = 4\n\n{}", entry("a", 1));
        let guests = format!("version = 4\n\n{}\n{}\n{}", entry("a", 1), entry("a", 2), entry("b", 1));
        let all = [entry("a", 1), entry("a", 2), entry("b", 1)].join("\n");
        assert_eq!(joined(&host, &guests), format!("version = 4\n\n{all}"));
    }
}
