//! `soak`: one host under a million calls.

use anyhow::Result;

use crate::project::Project;

/// Builds and runs `benches/soak.rs`, which parses the arguments. Uses the compiler's target folder, whose crates it shares.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    let bench = ["bench", "--profile", "compiler", "--locked", "--features", "compiler", "--bench", "soak"];
    let folder = project.target.join("compiler");
    project.cargo(bench).args(["--target-dir"]).args([&folder]).args(["--"]).args(words).run()
}
