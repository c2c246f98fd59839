//! `plugins`: builds every shipped plugin to a component with its manifest, the examples in other languages, and the script engine.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::generator;
use crate::guest_target::{GuestTarget, TRIPLE};
use crate::packages::{copy_tree, empty_folder};
use crate::programs;
use crate::project::Project;

/// Folder of the plugins in an installation, relative to the folder above that of its programs.
pub(crate) const SHIPPED: &str = "share/hookbox/plugins";

/// Builds all plugins, the examples in C and the script engine.
pub(crate) fn run(project: &Project) -> Result<()> {
    build_plugins(project)?;
    programs::run(project)?;
    generator::build_generator(project)?.args(["engine"]).run()
}

/// Writes `target/plugins/<name>.wasm` for each plugin, and copies the files to where programs in `target/<folder>` look for shipped
/// plugins.
pub(crate) fn build_plugins(project: &Project) -> Result<()> {
    let (names, folder) = (project.plugins()?, project.target.join("plugins"));
    make_components(project, &project.root, &names, &folder)?;
    ship_plugins(&folder, &project.target.join(SHIPPED), &names)
}

/// Builds the plugins twice, first from a copy of the sources in another folder. Checks that both builds give the same bytes, without any
/// folder of this machine in them.
///
/// External crates are compiled once: they take minutes, and their sources are in one place both times.
pub(crate) fn run_twice(project: &Project) -> Result<()> {
    let (names, elsewhere) = (project.plugins()?, project.target.join(COPY_FOLDER));
    let sources = empty_folder(&elsewhere.join("plugins"))?;
    copy_tree(&project.root.join("plugins"), &sources)?;
    make_components(project, &elsewhere, &names, &elsewhere.join("made"))?;
    run(project)?;
    for file in names.iter().map(|name| format!("{name}.wasm")) {
        let read =
            |folder: &Path| fs::read(folder.join(&file)).with_context(|| format!("cannot read {file}"));
        let (first, second) = (read(&elsewhere.join("made"))?, read(&project.target.join(SHIPPED))?);
        ensure!(first == second, "{file} came out otherwise when it was built of {}", elsewhere.display());
        for folder in [Some(project.root.clone()), cargo_home()].into_iter().flatten() {
            let name = folder.as_os_str().as_encoded_bytes();
            let is_in = second.windows(name.len()).any(|window| window == name);
            ensure!(!is_in, "{file} has the folder {} of this machine in it", folder.display());
        }
    }
    println!("{} plugins: the same bytes again", names.len());
    Ok(())
}

/// Makes the components of these plugins in a folder.
fn make_components(project: &Project, sources: &Path, names: &[String], folder: &Path) -> Result<()> {
    compile_modules(project, sources, &GuestTarget::find_for_components(project)?)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let modules = project.guests().join(TRIPLE).join("release");
    let folders = [&sources.join("plugins"), &modules, folder];
    generator::build_generator(project)?.args(["components"]).args(folders).args(names).run()
}

/// Copies changed plugins only: a program is rebuilt when a plugin changes whose digest it contains.
fn ship_plugins(from: &Path, to: &Path, names: &[String]) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    let files: Vec<_> = names.iter().map(|name| format!("{name}.wasm")).collect();
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        if !files.iter().any(|file| entry.file_name() == file.as_str()) {
            // A plugin that was renamed must not be shipped under its former name as well.
            fs::remove_file(entry.path())?;
        }
    }
    for file in files {
        let (made, there) = (fs::read(from.join(&file))?, fs::read(to.join(&file)).ok());
        if there.as_ref() != Some(&made) {
            fs::write(to.join(&file), made).with_context(|| format!("cannot write {file}"))?;
        }
    }
    Ok(())
}

fn compile_modules(project: &Project, sources: &Path, target: &GuestTarget) -> Result<()> {
    let selections: [&[&str]; 2] = [&[], &WITH_FACTS];
    for packages in selections {
        let words = ["build", "--quiet", "--release", "--locked", "--target", TRIPLE, "--manifest-path"];
        let process = project.cargo(words).args([sources.join("plugins/Cargo.toml")]);
        let process = process.args(["--target-dir"]).args([project.guests()]).args(packages);
        target.apply_to(process).quiet_env(FLAGS, without_paths(project)).run()?;
    }
    Ok(())
}

/// The plugins that are built separately: in one build with the guards, cargo would turn on their feature of `shell-commands` for them, too.
const WITH_FACTS: [&str; 4] = ["--package", "shell-facts", "--package", "allow-safe"];

/// Folder for the copy of the sources, in the target folder.
const COPY_FOLDER: &str = "again";

/// Variable in which cargo looks for the target's flags.
const FLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// Returns compiler flags that remove the builder's folders from panic messages, which name source files: every machine then builds the
/// same component. The flags are equal for both places, so that external crates are compiled once.
fn without_paths(project: &Project) -> String {
    let remap = |folder: &Path, name: &str| format!("--remap-path-prefix={}={name}", folder.display());
    let elsewhere = project.target.join(COPY_FOLDER);
    let ours = [&project.root, &elsewhere].map(|folder| remap(folder, "hookbox"));
    ours.into_iter().chain(cargo_home().map(|home| remap(&home, "cargo"))).collect::<Vec<_>>().join(" ")
}

fn cargo_home() -> Option<PathBuf> {
    let named = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    named.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))
}
