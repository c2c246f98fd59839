//! Virtual environments of Python.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::process::Process;
use crate::{debian, interpreters};

/// Limit of one installation: a registry that sends a byte now and then would never run into pip's own timeout.
const LIMIT: Duration = Duration::from_mins(20);
/// Seconds without an answer and repetitions, unless the user has set their own.
const NETWORK: [(&str, &str); 2] = [("PIP_DEFAULT_TIMEOUT", "60"), ("PIP_RETRIES", "3")];

/// A virtual environment.
pub(crate) struct Environment {
    pub(crate) interpreter: PathBuf,
}

impl Environment {
    /// Opens an existing environment.
    pub(crate) fn open_existing(place: &Path) -> Self {
        Self { interpreter: place.join("bin/python") }
    }

    /// Makes an environment without packages.
    pub(crate) fn new(place: &Path) -> Result<Self> {
        let python = interpreters::find_python()?;
        // Debian's Python has `venv` without `ensurepip`, and then makes no environment.
        let has_venv = || Process::new(&python).args(["-c", "import ensurepip"]).run_for_success();
        if !has_venv()? {
            debian::install_packages(&["python3-venv"])?;
            ensure!(has_venv()?, "{} has no `venv`; install one that has", python.display());
        }
        // Remains of an interrupted installation must not stay.
        Process::new(&python).args(["-m", "venv", "--clear"]).args([place]).run()?;
        Ok(Self::open_existing(place))
    }

    /// Makes an environment with exactly these wheels: nothing is built, and a wheel with another checksum is an error.
    pub(crate) fn with_wheels(place: &Path, pins: &str) -> Result<Self> {
        let environment = Self::new(place)?;
        let file = place.join("requirements.txt");
        fs::write(&file, pins).with_context(|| format!("cannot write {}", file.display()))?;
        let words = ["install", "--require-hashes", "--only-binary=:all:", "--no-deps", "--requirement"];
        environment.create_pip_process(&words).args([&file]).run_within(LIMIT).context(
            "Python packages cannot be installed; check the connection to the package index and run the command again",
        )?;
        Ok(environment)
    }

    /// Starts the environment's interpreter.
    pub(crate) fn python(&self) -> Process {
        Process::new(&self.interpreter)
    }

    /// Starts the environment's `pip`.
    pub(crate) fn create_pip_process(&self, words: &[&str]) -> Process {
        let python = NETWORK
            .into_iter()
            .filter(|(name, _)| std::env::var_os(name).is_none())
            .fold(self.python(), |python, (name, value)| python.quiet_env(name, value));
        python.args(["-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check"]).args(words)
    }
}
