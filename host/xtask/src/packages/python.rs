//! The wheel.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::{Built, copy, emptied};
use crate::debian;
use crate::process::Process;
use crate::project::Project;

/// What puts wheels together. `maturin` says what is in one, `wheel` makes the file.
const TOOLS: [&str; 2] = ["maturin==1.16.0", "wheel==0.48.0"];
/// What runs its tests.
const TESTERS: [&str; 1] = ["pytest==9.2.0"];

/// Builds the wheel, installs it into an environment that has nothing else, and runs its tests there.
pub(super) fn test(project: &Project, built: &Built) -> Result<()> {
    let wheel = wheel(project, built)?;
    let place = emptied(project, "python-environment")?;
    let environment = Environment::new(&place)?;
    environment.install(TESTERS)?;
    environment.pip(&["install", "--no-index", "--no-deps"]).args([&wheel]).run()?;
    let tests = project.root.join("sdk/python/tests");
    let words = ["-m", "pytest", "--quiet", "-p", "no:cacheprovider"];
    environment.python().args(words).args([tests]).env("PYTHONDONTWRITEBYTECODE", "1").directory(&place).run()
}

/// `target/packages/hookbox-….whl`.
fn wheel(project: &Project, built: &Built) -> Result<PathBuf> {
    let tools = tools(project)?;
    let stage = emptied(project, "wheel")?;
    let package = stage.join("hookbox");
    copy(&project.root.join("sdk/python/hookbox"), &package)?;
    copy(&built.library("hookbox_python"), &package.join("_native.abi3.so"))?;
    built.fill(&package.join("_host"))?;
    let words = ["-m", "maturin", "pep517", "write-dist-info", "--interpreter"];
    let facts = tools.python().args(words).args([&tools.interpreter]).args(["--metadata-directory"]);
    facts.args([&stage]).directory(&project.root.join("sdk/python")).run()?;
    let wheels = emptied(project, "python")?;
    tools.python().args(["-m", "wheel", "pack", "--dest-dir"]).args([&wheels, &stage]).run()?;
    let mut files = fs::read_dir(&wheels)?;
    Ok(files.next().context("no wheel was made")??.path())
}

/// The environment of what is needed to build, kept from one time to the next.
fn tools(project: &Project) -> Result<Environment> {
    let place = project.target.join("tools/python");
    let marker = place.join("installed");
    let wanted = TOOLS.join("\n");
    if fs::read_to_string(&marker).ok().as_ref() == Some(&wanted) {
        return Ok(Environment::at(&place));
    }
    let environment = Environment::new(&place)?;
    environment.install(TOOLS)?;
    fs::write(marker, wanted)?;
    Ok(environment)
}

/// A virtual environment.
struct Environment {
    interpreter: PathBuf,
}

impl Environment {
    fn at(place: &Path) -> Self {
        Self { interpreter: place.join("bin/python") }
    }

    /// A new one, which has nothing in it.
    fn new(place: &Path) -> Result<Self> {
        if !Process::new("python3").args(["-c", "import ensurepip"]).succeeds()? {
            debian::install(&["python3-venv"]).context("the Python package needs python3 with `venv`")?;
        }
        Process::new("python3").args(["-m", "venv", "--clear"]).args([place]).run()?;
        let environment = Self::at(place);
        ensure!(environment.interpreter.exists(), "{} has no interpreter", place.display());
        Ok(environment)
    }

    fn python(&self) -> Process {
        Process::new(&self.interpreter)
    }

    fn pip(&self, words: &[&str]) -> Process {
        self.python().args(["-m", "pip", "--quiet", "--disable-pip-version-check"]).args(words)
    }

    fn install<const N: usize>(&self, packages: [&str; N]) -> Result<()> {
        self.pip(&["install"]).args(packages).run()
    }
}
