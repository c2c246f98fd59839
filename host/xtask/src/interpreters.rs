//! Interpreters that the tests need: hook functions of some agents are Python, and so is the class for a proxy; the plugin for opencode is
//! JavaScript. Also OpenSSH, which signs plugins and checks signatures of hookbox.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use crate::debian;
use crate::process::Process;

/// A program and its package.
struct Interpreter {
    package: &'static str,
    /// Places where the tests look for the interpreter.
    places: [&'static str; 2],
    version: Option<Version>,
}

/// The oldest version that serves, and the arguments with which an interpreter prints two lines: its own path and its version.
struct Version {
    name: &'static str,
    least: (u32, u32),
    question: [&'static str; 2],
}

const PYTHON: Version = Version {
    name: "Python",
    least: (3, 11),
    question: [
        "-c",
        "import os, platform, sys; print(os.path.realpath(sys.executable)); print(platform.python_version())",
    ],
};
const NODE: Version = Version {
    name: "Node.js",
    least: (20, 0),
    question: ["-p", "process.execPath + '\\n' + process.versions.node"],
};

const ALL: [Interpreter; 3] = [
    Interpreter {
        package: "python3",
        places: ["/usr/local/bin/python3", "/usr/bin/python3"],
        version: Some(PYTHON),
    },
    Interpreter { package: "nodejs", places: ["/usr/local/bin/node", "/usr/bin/node"], version: Some(NODE) },
    Interpreter {
        package: "openssh-client",
        places: ["/usr/local/bin/ssh-keygen", "/usr/bin/ssh-keygen"],
        version: None,
    },
];

/// Installs missing interpreters; an interpreter that is too old is an error.
pub(crate) fn make_ready() -> Result<()> {
    ALL.iter().try_for_each(Interpreter::make_ready)
}

/// Returns the Python interpreter itself, where `python3` on `PATH` may be the shim of a version manager, which starts another one in each
/// folder.
pub(crate) fn find_python() -> Result<PathBuf> {
    PYTHON.find_interpreter(&["python3", "/usr/local/bin/python3", "/usr/bin/python3"])
}

/// Finds Node.js.
pub(crate) fn find_node() -> Result<PathBuf> {
    NODE.find_interpreter(&["node", "/usr/local/bin/node", "/usr/bin/node"])
}

impl Interpreter {
    fn make_ready(&self) -> Result<()> {
        let Self { package, places, version } = self;
        if self.place().is_none() {
            debian::install_packages(&[package])?;
        }
        let Some(place) = self.place() else {
            bail!("the tests look for {package} at {}; install it there", places.join(" or "))
        };
        version.as_ref().map_or(Ok(()), |version| version.find_interpreter(&[place]).map(drop))
    }

    fn place(&self) -> Option<&'static str> {
        self.places.into_iter().find(|place| Path::new(place).exists())
    }
}

impl Version {
    /// Returns the interpreter behind the first of these programs that is new enough.
    fn find_interpreter(&self, programs: &[&str]) -> Result<PathBuf> {
        let mut old = Vec::new();
        for program in programs {
            // The shim of a version manager fails where no version is selected.
            let Ok(answer) = Process::new(program).args(self.question).output() else { continue };
            let mut lines = answer.lines().map(str::trim);
            let (Some(path), Some(version)) = (lines.next(), lines.next()) else { continue };
            if parse_version(version).is_some_and(|version| version >= self.least) {
                return Ok(PathBuf::from(path));
            }
            old.push(format!("{path} is version {version}"));
        }
        let Self { name, least: (major, minor), .. } = self;
        ensure!(
            old.is_empty(),
            "{name} {major}.{minor} or newer is needed, and {}; install a newer one, first on `PATH`",
            old.join(", ")
        );
        bail!("{name} {major}.{minor} or newer is needed, and there is no {}", programs.join(" or "))
    }
}

/// Parses 3 and 11 from `3.11.7`.
fn parse_version(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a requirement of this minimum version, for a fake interpreter that reports 3.9.7.
    const fn create_requirement(least: (u32, u32)) -> Version {
        Version { name: "Echo", least, question: ["/real/echo\n3.9.7", ""] }
    }

    #[test]
    fn an_interpreter_that_is_too_old_or_missing_is_an_error_with_the_required_version() {
        assert_eq!(create_requirement((3, 9)).find_interpreter(&["echo"]).unwrap(), Path::new("/real/echo"));
        let error = |programs: &[&str]| {
            create_requirement((3, 11)).find_interpreter(programs).unwrap_err().to_string()
        };
        assert_eq!(
            error(&["echo"]),
            "Echo 3.11 or newer is needed, and /real/echo is version 3.9.7; install a newer one, first on `PATH`"
        );
        assert_eq!(error(&["hookbox-none"]), "Echo 3.11 or newer is needed, and there is no hookbox-none");
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(parse_version("3.11.7"), Some((3, 11)));
        assert!(parse_version("20.9.0") < parse_version("20.10.0"));
        assert_eq!(parse_version("twenty"), None);
    }
}
