//! Tools that suites need and that cargo does not bring.

use anyhow::{Result, ensure};

use crate::process::is_installed;
use crate::toolchains::npm;
use crate::{costs, faults, interpreters};

/// A tool, and the check that finds it.
#[derive(Debug)]
pub(super) struct Requirement {
    pub(super) name: &'static str,
    check: fn() -> Result<()>,
}

pub(super) const PYTHON: Requirement =
    Requirement { name: "python3", check: || interpreters::find_python().map(drop) };
pub(super) const NPM: Requirement = Requirement { name: "npm", check: npm::make_ready };
pub(super) const TRACER: Requirement = Requirement { name: "strace, ptrace", check: faults::check_tracer };
pub(super) const VALGRIND: Requirement = Requirement { name: "valgrind", check: costs::check_valgrind };
pub(super) const DPKG: Requirement = Requirement { name: "dpkg-deb", check: check_dpkg };
pub(super) const APT: Requirement = Requirement { name: "apt", check: check_apt };

/// Checks each requirement once; the error lists all that are not met.
pub(super) fn check_all<'a>(requirements: impl Iterator<Item = &'a Requirement>) -> Result<()> {
    let (mut names, mut problems) = (Vec::new(), Vec::new());
    for requirement in requirements {
        if names.contains(&requirement.name) {
            continue;
        }
        names.push(requirement.name);
        problems.extend((requirement.check)().err().map(|error| format!("{error:#}")));
    }
    ensure!(problems.is_empty(), "{}", problems.join("\n"));
    Ok(())
}

/// Signing tools of others are unpacked from Debian's packages.
fn check_apt() -> Result<()> {
    ensure!(
        is_installed("apt-get")? && is_installed("dpkg-deb")?,
        "apt-get and dpkg-deb are not installed; run the suite `registries` on Debian, whose packages it unpacks"
    );
    Ok(())
}

/// Debian's own program unpacks the package for Debian.
fn check_dpkg() -> Result<()> {
    ensure!(
        is_installed("dpkg-deb")?,
        "dpkg-deb is not installed; install the package dpkg of your distribution, whose program unpacks a .deb"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    #[test]
    fn the_error_names_each_requirement_that_is_not_met_once() {
        const MET: Requirement = Requirement { name: "a", check: || Ok(()) };
        const MISSING: Requirement = Requirement { name: "b", check: || bail!("b is not installed") };
        const OLD: Requirement = Requirement { name: "c", check: || bail!("c is too old") };
        let error = check_all([&MET, &MISSING, &OLD, &MISSING].into_iter()).unwrap_err().to_string();
        assert_eq!(error, "b is not installed\nc is too old");
        check_all([&MET].into_iter()).unwrap();
    }
}
