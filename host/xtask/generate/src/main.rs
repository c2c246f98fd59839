//! Generators that `cargo xtask` starts: bindings and event types of the SDKs, plugins as components, the script engine, fuzz seeds.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program talks to its user")]

mod bindings;
mod component;
mod engine;
mod event_types;
mod fuzz_seeds;
mod manifest;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use xtask::project::Project;

/// Commands of this program.
const USAGE: &str = "usage: xtask-generate bindings [--check] | event-types [--check] | engine |
       components SOURCES MODULES FOLDER NAME… | fuzz-seeds TARGET FOLDER";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask-generate: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command in the arguments.
fn run(words: &[String]) -> Result<()> {
    let project = Project::open()?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["bindings"] => bindings::write_files(&project),
        ["bindings", "--check"] => bindings::check_files(&project),
        ["event-types"] => event_types::write_files(&project),
        ["event-types", "--check"] => event_types::check_files(&project),
        ["engine"] => engine::build_engine(&project),
        ["components", sources, modules, folder, names @ ..] => {
            write_components(Path::new(sources), Path::new(modules), Path::new(folder), names)
        }
        ["fuzz-seeds", target, folder] => fuzz_seeds::write_seeds(&project, target, Path::new(folder)),
        _ => bail!("{USAGE}"),
    }
}

/// Writes a component with its manifest into `folder` for each named plugin below `sources`, of the core modules in `modules`.
fn write_components(sources: &Path, modules: &Path, folder: &Path, names: &[&str]) -> Result<()> {
    for name in names {
        let module = modules.join(format!("{}.wasm", name.replace('-', "_")));
        let manifest = manifest::read_manifest(&sources.join(name))?;
        let size = component::make_component(&module, &manifest, &folder.join(format!("{name}.wasm")))?;
        println!("{name}: {size} bytes");
    }
    Ok(())
}
