//! `bench`: measures the programs that users get.

use anyhow::Result;

use crate::project::Project;
use crate::{build, languages, toolchains};

/// Benchmarks that measure; `soak` has a verb of its own.
const MEASURES: [&str; 7] = ["cold", "ratios", "limits", "dispatch", "signed", "trust", "languages"];

/// Runs each thing that a benchmark measures once, in the build of the tests: only shows that no benchmark is broken.
pub(crate) fn run_once(project: &Project) -> Result<()> {
    languages::run(project, &[])?;
    toolchains::fetch_registries(project)?;
    println!("each benchmark once, as a debug build: what it prints says nothing but that it runs");
    for bench in MEASURES.into_iter().chain(["soak"]) {
        let words = ["bench", "--quiet", "--profile", "dev", "--bench", bench];
        project.cargo_with_lints(words).args(["--", "--test"]).run()?;
    }
    Ok(())
}

/// Builds the programs and runs every benchmark; the tables go to standard output.
pub(crate) fn run(project: &Project) -> Result<()> {
    build::run(project)?;
    // Tools that the last benchmark measures.
    languages::run(project, &[])?;
    toolchains::fetch_registries(project)?;
    for bench in MEASURES {
        project.cargo(["bench", "--locked", "--bench", bench]).run()?;
    }
    Ok(())
}
