//! `packages`: builds the packages for other languages, installs them into empty environments, and tests them there.
//!
//! Their libraries are built as a part of the whole workspace, with the features of its tests: alone they would have others, and wasmtime
//! would be built once more. Published packages are built alone (`--release`), so that the compiler is not in them.

#[path = "../../../tests/support/case_archive.rs"]
#[expect(dead_code, unreachable_pub, reason = "other tests use more of it")]
mod case_archive;
mod node;
mod python;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::project::Project;
use crate::{build, plugins};

/// Folder in the target folder for the interpreters' environments and the packages that are installed into them.
const FOLDER: &str = "packages";
/// The one test program that is built along: with it, and not without, cargo chooses the features of tests.
const WITH_TESTS: [&str; 2] = ["--test", "house"];

/// Build of the host that a package contains.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// The one that the gate has anyway.
    Debug,
    /// The one to publish.
    Release,
}

/// Builds the plugins and the packages, and tests the latter; `--lock` alone writes the lock files of the tests' dependencies.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    let build = match words {
        [] => Build::Debug,
        [word] if word == "--release" => Build::Release,
        [word] if word == "--lock" => {
            return python::write_lock_files(project).and_then(|()| node::write_lock_files(project));
        }
        _ => anyhow::bail!("usage: cargo xtask packages [--release | --lock]"),
    };
    plugins::run(project)?;
    test_packages(project, build)
}

/// Tests the packages with the existing plugins.
pub(crate) fn test_packages(project: &Project, build: Build) -> Result<()> {
    let host = Built::new(project, build)?;
    unpack_cases(project)?;
    let claude_code = python::test_wheels(project, &host)?;
    node::test_packages(project, &host, &claude_code)
}

/// Returns the folder of the conformance cases, a folder each below their dialect's: the tests of the packages answer them, too.
fn cases_folder(project: &Project) -> PathBuf {
    project.target.join(FOLDER).join("cases")
}

fn unpack_cases(project: &Project) -> Result<()> {
    let folder = empty_folder(&cases_folder(project))?;
    let archives = project.root.join("tests/conformance/cases");
    for archive in case_archive::list_archives(&archives).context("cannot read the conformance cases")? {
        let case = archive.with_extension("");
        let case = folder.join(case.strip_prefix(&archives)?);
        case_archive::unpack_case(&archive, &case)
            .with_context(|| format!("cannot unpack {}", archive.display()))?;
    }
    Ok(())
}

/// The programs and libraries that packages carry.
struct Built {
    build: Build,
    /// Cargo's output folder for the libraries.
    libraries: PathBuf,
    compiler: PathBuf,
    plugins: PathBuf,
    /// The command, where the build has it along.
    program: Option<PathBuf>,
}

impl Built {
    fn new(project: &Project, build: Build) -> Result<Self> {
        let plugins = project.target.join(plugins::SHIPPED);
        if build == Build::Debug {
            build_host(project, &["hookbox", "hookbox-compile"])?;
            let folder = project.target.join("debug");
            let program = Some(folder.join(format!("hookbox{}", std::env::consts::EXE_SUFFIX)));
            return Ok(Self {
                build,
                compiler: folder.join(compiler_name()),
                libraries: folder,
                plugins,
                program,
            });
        }
        project.cargo(["build", "--release", "--locked"]).args(PACKAGES).run()?;
        let (process, folder) = build::create_compiler_command(project);
        process.run()?;
        let libraries = project.target.join("release");
        Ok(Self { build, libraries, compiler: folder.join(compiler_name()), plugins, program: None })
    }

    /// Adds to a package the files that hooks need in addition to the library.
    fn fill_package(&self, host: &Path) -> Result<()> {
        copy_tree(&self.compiler, &host.join("bin").join(compiler_name()))?;
        for entry in fs::read_dir(&self.plugins)? {
            let entry = entry?;
            copy_tree(&entry.path(), &host.join(plugins::SHIPPED).join(entry.file_name()))?;
        }
        Ok(())
    }

    /// Returns the file of a library.
    fn find_library_path(&self, name: &str) -> PathBuf {
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        self.libraries.join(format!("{prefix}{name}{suffix}"))
    }
}

/// Builds the libraries and these programs as `test` builds them, so that nothing is compiled twice.
pub(crate) fn build_host(project: &Project, programs: &[&str]) -> Result<()> {
    let programs = programs.iter().flat_map(|program| ["--bin", program]);
    project.cargo_with_lints(["build", "--quiet", "--lib"]).args(programs).args(WITH_TESTS).run()
}

/// Returns the file name of the compiler.
fn compiler_name() -> String {
    format!("hookbox-compile{}", std::env::consts::EXE_SUFFIX)
}

const PACKAGES: [&str; 4] = ["-p", "hookbox-python", "-p", "hookbox-node"];

/// Creates an empty folder in which a package is put together.
fn create_stage_folder(project: &Project, name: &str) -> Result<PathBuf> {
    empty_folder(&project.target.join(FOLDER).join(name))
}

/// Removes the folder's content, or creates the folder.
pub(crate) fn empty_folder(folder: &Path) -> Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder.to_owned())
}

/// Copies a file, or a folder with its content except for files that interpreters leave there.
pub(crate) fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            if name != "__pycache__" && name != "node_modules" {
                copy_tree(&from.join(&name), &to.join(&name))?;
            }
        }
        return Ok(());
    }
    let folder = to.parent().context("a file is in a folder")?;
    fs::create_dir_all(folder)?;
    fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}
