//! `fuzz`: builds the fuzz targets with coverage counters and runs them, one after another.
//!
//! What `cargo fuzz` would pass to the compiler, without its sanitizers: so any toolchain will do, and it is twice as
//! fast. The one file with `unsafe` in it loads native code, which no target does.

mod lock;
mod plan;
#[path = "../../../fuzz/src/seeds.rs"]
#[expect(unreachable_pub, reason = "the fuzz targets' tests read it too")]
mod seeds;
mod start;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use self::plan::Plan;
use crate::process::Process;
use crate::project::Project;

/// Counters on every edge, and what is compared with what: libFuzzer's eyes.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// Seconds that one input may take, bytes that it may have, MiB that the target may have.
const BOUNDS: [&str; 3] = ["-timeout=10", "-max_len=65536", "-rss_limit_mb=4096"];

/// Builds all targets and runs those that the words name.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    let plan = Plan::of(words, &targets(project)?)?;
    let programs = build(project)?;
    for target in &plan.targets {
        start::write_seeds(project, target)?;
        let folder = |name: &str| -> Result<PathBuf> {
            let folder = folder(project).join(name).join(target);
            fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
            Ok(folder)
        };
        // The first folder gets what is found.
        let (found, seeds, crashes) = (folder("corpus")?, folder("seeds")?, folder("crashes")?);
        Process::new(programs.join(target))
            .args([&found, &seeds])
            .args(BOUNDS)
            .args([format!("-max_total_time={}", plan.seconds)])
            .args([format!("-artifact_prefix={}/", crashes.display())])
            .args(["-print_final_stats=1", "-reload=0"])
            .run()?;
    }
    Ok(())
}

/// Every target, in order.
fn targets(project: &Project) -> Result<Vec<String>> {
    let folder = project.root.join("fuzz/fuzz_targets");
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry?.path().file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// The folder of the programs.
fn build(project: &Project) -> Result<PathBuf> {
    lock::write(project)?;
    let triple = triple()?;
    project
        .cargo(["build", "--release", "--bins", "--manifest-path", "fuzz/Cargo.toml"])
        // Named, so that build scripts and macros are built without the flags.
        .args(["--target", &triple, "--target-dir"])
        .args([folder(project)])
        .env("RUSTFLAGS", FLAGS)
        .run()?;
    Ok(folder(project).join(triple).join("release"))
}

/// Where everything of this is.
fn folder(project: &Project) -> PathBuf {
    project.target.join("fuzz")
}

/// The machine that this runs on, as the compiler calls it.
fn triple() -> Result<String> {
    let told = Process::new("rustc").args(["-vV"]).output()?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not tell its host")?.to_owned())
}
