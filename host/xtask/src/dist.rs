//! `dist`: builds the programs and plugins, and packs them as artifacts of a release into `target/dist-artifacts`.
//!
//! The packer is `xtask-dist`, a separate program because of its libraries for archives.

pub(crate) mod trial;

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::build;
use crate::project::Project;

/// The target that this machine builds for, if there are packages for it.
const TARGET: Option<&str> = if cfg!(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")) {
    Some("x86_64-unknown-linux-gnu")
} else {
    None
};

/// Builds and packs for this machine's target, the only one that can be built so far.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    let target = choose_target(words, TARGET)?;
    build::run(project)?;
    project.build_program("xtask-dist")?.args([target]).run()
}

/// Returns the folder of the artifacts.
fn artifacts_folder(project: &Project) -> PathBuf {
    project.target.join("dist-artifacts")
}

/// Returns this machine's target if all named targets are this one.
fn choose_target(words: &[String], own: Option<&'static str>) -> Result<&'static str> {
    let Some(own) = own else {
        bail!("cannot pack a release on this machine: packages exist for x86_64-unknown-linux-gnu only")
    };
    match words.iter().find(|word| word.as_str() != own) {
        None => Ok(own),
        Some(word) => bail!(
            "cannot pack a release for `{word}`: only {own} is built so far\nhelp: `cargo xtask dist {own}`"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_target_of_this_machine_is_packed() {
        let choose = |words: &[&str], own| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            choose_target(&words, own).map_err(|error| error.to_string())
        };
        assert_eq!(choose(&[], Some("a")), Ok("a"));
        assert_eq!(choose(&["a"], Some("a")), Ok("a"));
        assert_eq!(
            choose(&["a", "b"], Some("a")).unwrap_err(),
            "cannot pack a release for `b`: only a is built so far\nhelp: `cargo xtask dist a`"
        );
        assert!(choose(&[], None).unwrap_err().contains("x86_64-unknown-linux-gnu only"));
    }
}
