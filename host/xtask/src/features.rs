//! `features`: checks that the library builds with every choice of its cargo features, and refuses use of those that were left out; and
//! that each program builds with the features that it is delivered with.
//!
//! Implemented as a loop here: `cargo hack` would have to be installed first, and would need a list of the features that others imply, or
//! check the same build twice.

use std::time::Instant;

use anyhow::{Context, Result};

use crate::{
    build::{DELIVERED, Delivered},
    project::Project,
};

/// Features that need no other.
const FREE: [&str; 3] = ["shell", "webhook", "dialects"];

/// Every choice of the sandbox and its options.
const SANDBOX: [&[&str]; 5] =
    [&[], &["wasm"], &["wasm", "kv"], &["wasm", "guest-http"], &["wasm", "kv", "guest-http"]];

/// Checks each combination and each program without a warning; then tests a build without hooks of any kind.
pub(crate) fn run(project: &Project) -> Result<()> {
    let (begin, combinations) = (Instant::now(), list_combinations());
    for features in &combinations {
        check_library(project, features)?;
    }
    for program in &DELIVERED {
        check_programs(project, program)?;
    }
    println!(
        "{} combinations of features and {} of programs in {:.0} s",
        combinations.len(),
        DELIVERED.len(),
        begin.elapsed().as_secs_f32()
    );
    let words = ["test", "--quiet", "-p", "hookbox", "--no-default-features", "--test", "left_out"];
    project.cargo(words).run()
}

fn check_library(project: &Project, features: &str) -> Result<()> {
    let begin = Instant::now();
    let words = ["clippy", "--quiet", "-p", "hookbox", "--lib", "--no-default-features", "--features"];
    let process = project.cargo(words).args([features, "--", "-D", "warnings"]);
    process.output().with_context(|| format!("the library with these features alone: [{features}]"))?;
    println!("{:5.1} s  [{features}]", begin.elapsed().as_secs_f32());
    Ok(())
}

/// Checks one delivered build: the tests are built with all features together, and would not notice what a single program lacks.
fn check_programs(project: &Project, (features, programs): &Delivered) -> Result<()> {
    let begin = Instant::now();
    let words = ["clippy", "--quiet", "--locked", "--no-default-features", "--features", features];
    let programs = programs.iter().flat_map(|program| ["--bin", program]);
    let process = project.cargo(words).args(programs).args(["--", "-D", "warnings"]);
    process.output().with_context(|| format!("the programs that are delivered with [{features}]"))?;
    println!("{:5.1} s  [{features}]", begin.elapsed().as_secs_f32());
    Ok(())
}

fn list_combinations() -> Vec<String> {
    let mut chosen = vec![Vec::new()];
    for feature in FREE {
        let with = chosen.iter().map(|features: &Vec<&str>| [&features[..], &[feature]].concat());
        chosen.extend(with.collect::<Vec<_>>());
    }
    let with =
        |sandbox: &'static [&str]| chosen.iter().map(move |free| [&free[..], sandbox].concat().join(","));
    SANDBOX.into_iter().flat_map(with).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Otherwise users would be the first to build an untested feature of the library.
    #[test]
    fn every_feature_is_in_some_combination_and_missing_in_another() {
        let combinations = list_combinations();
        assert_eq!(combinations.iter().collect::<HashSet<_>>().len(), 40);
        let manifest: toml::Table = include_str!("../../runtime/Cargo.toml").parse().unwrap();
        let all = manifest.get("features").and_then(|features| features.get("default")).unwrap();
        for feature in all.as_array().unwrap() {
            let feature = feature.as_str().unwrap();
            let with = combinations.iter().filter(|features| features.split(',').any(|one| one == feature));
            assert!((1..40).contains(&with.count()), "{feature}");
        }
    }
}
