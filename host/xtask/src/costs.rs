//! `costs`: counts the instructions of hookbox on a few paths with callgrind and compares them with the committed table, so that a
//! rise is seen in the change that causes it.

mod bed;
mod cases;
mod table;

use std::fs;

use anyhow::{Context, Result, bail, ensure};

use self::bed::Bed;
use self::cases::CASES;
use self::table::Table;
use crate::project::Project;
use crate::{build, plugins, process};

/// The committed table.
const TABLE: &str = "benches/costs.txt";

/// The build profile of the measured program.
const PROFILE: &str = "costs";

const USAGE: &str = "usage: cargo xtask costs [--write REASON]";

/// Fails unless valgrind is installed.
pub(crate) fn check_valgrind() -> Result<()> {
    ensure!(
        process::is_installed("valgrind")?,
        "valgrind is not installed; install the package `valgrind` (Debian: apt-get install valgrind)"
    );
    Ok(())
}

/// Counts each path and compares the counts with the table; after `--write` rewrites the rows that have changed.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    let reason = match words {
        [] => None,
        [word, reason] if word == "--write" => Some(table::check_reason(reason)?),
        _ => bail!("{USAGE}"),
    };
    check_valgrind()?;
    let file = project.root.join(TABLE);
    let table = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let table = Table::parse(&table)?;
    let counts = count_instructions(project)?;
    let tools = describe_tools(project)?;
    println!("\n{}", table.format_comparison(&counts));
    match reason {
        None => table.check_counts(&counts, &tools),
        Some(reason) => {
            let text = table.update_counts(&counts, reason, &tools).to_string();
            fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
        }
    }
}

/// Builds the required programs and counts each path.
fn count_instructions(project: &Project) -> Result<Vec<(&'static str, u64)>> {
    plugins::build_plugins(project)?;
    project.cargo_with_lints(["build", "--quiet", "--bin", "hookbox-compile"]).run()?;
    // An optimised build without link-time optimisation: its counts rise and fall with those of the release build.
    let words = ["rustc", "--profile", PROFILE, "--locked", "--bin", "hookbox"];
    project.cargo(words).args(build::program_flags()).run()?;
    let program = project.target.join(PROFILE).join("hookbox");
    let bed = Bed::make(project, &program)?;
    CASES
        .iter()
        .map(|case| {
            Ok((case.name, bed.count_instructions(case).with_context(|| format!("the path {}", case.name))?))
        })
        .collect()
}

/// Returns the versions on which the counts depend.
fn describe_tools(project: &Project) -> Result<String> {
    let valgrind = process::Process::new("valgrind").args(["--version"]).output()?;
    let verbose = project.rustc().args(["-vV"]).output()?;
    let field = |name: &str| {
        let mut lines = verbose.lines();
        lines.find_map(|line| line.strip_prefix(name)).unwrap_or("unknown").to_owned()
    };
    Ok(format!("{}, rustc {}, {}", valgrind.trim(), field("release: "), field("host: ")))
}
