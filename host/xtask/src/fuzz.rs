//! `fuzz`: builds the fuzz targets with coverage counters and runs them, one after another.
//!
//! Passes the flags of `cargo fuzz` to the compiler, without its sanitizers: so any toolchain will do, and it is twice as fast. The one
//! file with `unsafe` in it loads native code, which no target does.

mod cargo_lock;
mod plan;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use self::plan::{Plan, RunLength};
use crate::generator;
use crate::process::Process;
use crate::project::Project;

/// Counters on every edge, and traces of comparisons, for libFuzzer.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// Limits of a target: seconds for one input, bytes of an input, MiB of memory.
const BOUNDS: [&str; 3] = ["-timeout=10", "-max_len=65536", "-rss_limit_mb=4096"];

/// Builds all targets and runs the named ones. A finding ends the run of its target, and of no other.
///
/// `--lock` alone rewrites the lock file of the targets.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    if words == ["--lock"] {
        return cargo_lock::write_cargo_lock(project);
    }
    let plan = Plan::parse_words(words, &list_targets(project)?)?;
    let programs = build_targets(project, plan.turn)?;
    let mut broken = Vec::new();
    for target in &plan.targets {
        let seeds = output_folder(project).join("seeds").join(target);
        generator::build_generator(project)?.args(["fuzz-seeds", target.as_str()]).args([&seeds]).run()?;
        if let Err(error) = fuzz_target(project, &programs.join(target), plan.turn) {
            println!("{target}: {error:#}");
            broken.push(target.as_str());
        }
    }
    let crashes = output_folder(project).join("crashes");
    ensure!(
        broken.is_empty(),
        "there are findings in {}: {}; each input is a file below {}",
        if broken.len() == 1 { "one target" } else { "several targets" },
        broken.join(", "),
        crashes.display()
    );
    Ok(())
}

/// Runs one target.
fn fuzz_target(project: &Project, program: &Path, turn: RunLength) -> Result<()> {
    let target = program.file_name().unwrap_or_default();
    let folder = |name: &str| -> Result<PathBuf> {
        let folder = output_folder(project).join(name).join(target);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder)
    };
    // The first folder receives the findings. A reproducible run does not continue from the one before.
    let found = match turn {
        RunLength::Seconds(_) => folder("corpus")?,
        RunLength::Runs(_) => empty_folder(folder("runs")?)?,
    };
    let (seeds, crashes) = (folder("seeds")?, folder("crashes")?);
    Process::new(program)
        .args([&found, &seeds])
        .args(BOUNDS)
        .args(turn.arguments())
        .args([format!("-artifact_prefix={}/", crashes.display())])
        // No other process adds to the corpus meanwhile, so libFuzzer need not read it again.
        .args(["-print_final_stats=1", "-reload=0"])
        .run()
}

fn empty_folder(folder: PathBuf) -> Result<PathBuf> {
    fs::remove_dir_all(&folder).and_then(|()| fs::create_dir(&folder))?;
    Ok(folder)
}

/// Returns every target, in order.
fn list_targets(project: &Project) -> Result<Vec<String>> {
    let folder = project.root.join("fuzz/fuzz_targets");
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry?.path().file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// Builds the targets for such a turn; the folder that they are in.
fn build_targets(project: &Project, turn: RunLength) -> Result<PathBuf> {
    let triple = find_host_triple()?;
    project
        .cargo(["build", "--locked", "--release", "--bins", "--manifest-path", "fuzz/Cargo.toml"])
        // Named, so that build scripts and macros are built without the flags.
        .args(["--target", &triple, "--target-dir"])
        .args([output_folder(project)])
        .env("RUSTFLAGS", FLAGS)
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", turn.optimisation())
        .run()?;
    Ok(output_folder(project).join(triple).join("release"))
}

/// Returns the folder for all files of this command.
fn output_folder(project: &Project) -> PathBuf {
    project.target.join("fuzz")
}

/// Returns the compiler's name of this machine.
fn find_host_triple() -> Result<String> {
    let output = Process::new("rustc").args(["-vV"]).output()?;
    let host = output.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not tell its host")?.to_owned())
}
