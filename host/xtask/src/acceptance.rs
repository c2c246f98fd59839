//! `acceptance`: named suites that `test` does not run, since they take long, need tools or packages of others, or repeat a build.

mod requirements;
pub(crate) mod suites;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use self::requirements::{APT, DPKG, NPM, PYTHON, Requirement, TRACER, VALGRIND};
use crate::project::Project;
use crate::steps::format_minutes;
use crate::{bench, book, dependencies, dist, features, platforms};

/// One suite.
struct Suite {
    name: &'static str,
    /// Purpose of the suite.
    about: &'static str,
    /// Requirements of the suite besides the Rust toolchain and the package registries, all checked before the first suite runs: a suite
    /// builds for minutes before it uses them.
    needs: &'static [Requirement],
    run: fn(&Project) -> Result<()>,
}

/// Suites that need only this machine and the package registries, in the order in which they run.
static SUITES: [Suite; 15] = [
    Suite {
        name: "costs",
        about: "no path takes more instructions than the table allows",
        needs: &[VALGRIND],
        run: suites::count_costs,
    },
    Suite {
        name: "documentation",
        about: "the documentation of each crate, without a warning",
        needs: &[],
        run: suites::build_documentation,
    },
    Suite { name: "book", about: "the manual as a book, without a warning", needs: &[], run: book::run },
    Suite {
        name: "platforms",
        about: "the code for other systems compiles and refuses",
        needs: &[],
        run: platforms::run,
    },
    Suite {
        name: "registries",
        about: "plugins through registries and signing tools of others",
        needs: &[APT, PYTHON, NPM],
        run: suites::exchange_plugins,
    },
    Suite {
        name: "packages",
        about: "the packages for Python and Node.js, installed alone",
        needs: &[PYTHON, NPM],
        run: suites::test_packages,
    },
    Suite {
        name: "dist",
        about: "each artifact of a release, installed alone, and packed again",
        needs: &[PYTHON, NPM, DPKG],
        run: dist::trial::try_artifacts,
    },
    Suite {
        name: "languages",
        about: "a hook in each language, built by the language's own tools",
        needs: &[PYTHON, NPM],
        run: suites::test_languages,
    },
    Suite {
        name: "properties",
        about: "property tests with a random seed, which is printed",
        needs: &[],
        run: suites::test_properties,
    },
    Suite { name: "benches", about: "each benchmark once", needs: &[], run: bench::run_once },
    Suite {
        name: "faults",
        about: "each system call, disk and limit fails, many processes at the same time",
        needs: &[TRACER],
        run: suites::inject_faults,
    },
    Suite {
        name: "features",
        about: "the library with each choice of features",
        needs: &[],
        run: features::run,
    },
    Suite {
        name: "reproducible",
        about: "a second build in another folder gives the same bytes",
        needs: &[PYTHON, NPM],
        run: suites::rebuild_outputs,
    },
    Suite { name: "fuzz", about: "each fuzz target for 30 s", needs: &[], run: suites::fuzz_each },
    Suite {
        name: "clients",
        about: "real agents ask hookbox and obey",
        needs: &[PYTHON, NPM],
        run: suites::run_clients,
    },
];

/// Suites with further requirements, which run only by name.
static BY_NAME: [Suite; 1] = [Suite {
    name: "advisories",
    about: "licences, versions, sources and known vulnerabilities of the dependencies, by the advisory database",
    needs: &[],
    run: dependencies::run,
}];

/// The suites of the gate, each with the reason why it is one.
const GATE: [(&str, &str); 4] = [
    ("costs", "a rise is cheap to find in the change that causes it, and seen by nothing else"),
    ("documentation", "a broken link is seen nowhere else"),
    ("platforms", "code for other systems is compiled nowhere else"),
    ("packages", "the packages of other languages share the host's code and break with it"),
];

const USAGE: &str = "usage: cargo xtask acceptance [--list | --gate | SUITE…]";

/// Runs the named suites; without a name all that need only the package registries.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--list"] => {
            print_suites(project);
            Ok(())
        }
        ["--gate"] => run_suites(project, &find_all(GATE.iter().map(|(name, _)| *name))?),
        [] => run_suites(project, &SUITES.iter().collect::<Vec<_>>()),
        names if names.iter().any(|name| name.starts_with('-')) => bail!("{USAGE}"),
        names => run_suites(project, &find_all(names.iter().copied())?),
    }
}

/// Runs each suite, also after one has failed, and prints how long each took.
fn run_suites(project: &Project, suites: &[&Suite]) -> Result<()> {
    requirements::check_all(suites.iter().flat_map(|suite| suite.needs))?;
    let mut failed = Vec::new();
    for (at, suite) in suites.iter().enumerate() {
        println!("suite {} of {}: {}: {}", at + 1, suites.len(), suite.name, suite.about);
        let begun = Instant::now();
        match (suite.run)(project) {
            // The duration of a failed run does not predict the next one.
            Ok(()) => keep_time(project, suite, begun.elapsed())?,
            Err(error) => {
                println!("suite {} failed: {error:#}", suite.name);
                failed.push(suite.name);
            }
        }
        println!("suite {}: {}", suite.name, format_minutes(begun.elapsed()));
    }
    ensure!(
        failed.is_empty(),
        "suites that failed: {names}; run them again with `cargo xtask acceptance {names}`",
        names = failed.join(" ")
    );
    Ok(())
}

fn find_all<'a>(names: impl Iterator<Item = &'a str>) -> Result<Vec<&'static Suite>> {
    names.map(find_suite).collect()
}

fn find_suite(name: &str) -> Result<&'static Suite> {
    let known = || SUITES.iter().chain(&BY_NAME);
    known().find(|suite| suite.name == name).with_context(|| {
        let names: Vec<_> = known().map(|suite| suite.name).collect();
        format!("no suite is called `{name}`; there are {}", names.join(", "))
    })
}

/// Prints each suite with its requirements and the duration of its last run in this clone.
fn print_suites(project: &Project) {
    println!("{:<14} {:>6}  {:<5} {:<24} shows", "suite", "last", "gate", "needs");
    for suite in SUITES.iter().chain(&BY_NAME) {
        let last = fs::read_to_string(time_file(project, suite)).ok();
        let gate = if GATE.iter().any(|(name, _)| *name == suite.name) { "yes" } else { "" };
        let last = last.as_deref().unwrap_or("-");
        let needs = suite.needs.iter().map(|need| need.name).collect::<Vec<_>>().join(", ");
        println!("{:<14} {last:>6}  {gate:<5} {needs:<24} {}", suite.name, suite.about);
    }
}

fn keep_time(project: &Project, suite: &Suite, time: Duration) -> Result<()> {
    let file = time_file(project, suite);
    file.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(&file, format_minutes(time)).with_context(|| format!("cannot write {}", file.display()))
}

fn time_file(project: &Project, suite: &Suite) -> PathBuf {
    project.target.join("acceptance").join(suite.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_suite_is_an_error_that_lists_the_known_ones() {
        let error = find_suite("langauges").err().unwrap().to_string();
        assert!(error.starts_with("no suite is called `langauges`; there are costs, "), "{error}");
    }

    #[test]
    fn each_suite_of_the_gate_is_a_suite() {
        for (name, _) in GATE {
            find_suite(name).unwrap();
        }
    }
}
