//! Virtual environments of Python.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::debian;
use crate::process::Process;

/// A virtual environment.
pub(crate) struct Environment {
    pub(crate) interpreter: PathBuf,
}

impl Environment {
    /// The one that is there.
    pub(crate) fn at(place: &Path) -> Self {
        Self { interpreter: place.join("bin/python") }
    }

    /// A new one, which has nothing in it.
    pub(crate) fn new(place: &Path) -> Result<Self> {
        if !Process::new("python3").args(["-c", "import ensurepip"]).succeeds()? {
            debian::install(&["python3-venv"]).context("python3 is needed, with `venv`")?;
        }
        Process::new("python3").args(["-m", "venv", "--clear"]).args([place]).run()?;
        let environment = Self::at(place);
        ensure!(environment.interpreter.exists(), "{} has no interpreter", place.display());
        Ok(environment)
    }

    /// Its interpreter.
    pub(crate) fn python(&self) -> Process {
        Process::new(&self.interpreter)
    }

    /// Its `pip`.
    pub(crate) fn pip(&self, words: &[&str]) -> Process {
        self.python().args(["-m", "pip", "--quiet", "--disable-pip-version-check"]).args(words)
    }
}
