//! `book`: the manual as a book, without a warning. Links are checked by `tests/house/links.rs`.

use std::{fs, time::Duration};

use anyhow::{Result, ensure};

use crate::cargo_tool::CargoTool;
use crate::process::Process;
use crate::project::Project;

/// The tool that builds the book; serving and searching are left out.
const BUILDER: CargoTool =
    CargoTool { name: "mdbook", version: "0.5.4", arguments: &["--no-default-features"] };

/// Time for one build, which takes a second.
const LIMIT: Duration = Duration::from_mins(2);

/// Builds the book in the target folder.
///
/// # Errors
///
/// The book cannot be built, or the build prints a warning, as for an unclosed tag.
pub(crate) fn run(project: &Project) -> Result<()> {
    let builder = BUILDER.find_or_build(project)?;
    let folder = project.target.join("book");
    let build = Process::new(&builder).args(["build", "docs", "--dest-dir"]).args([&folder]);
    let record = project.target.join("book.log");
    let status = build.directory(&project.root).run_recorded(&record, LIMIT)?;
    let output = fs::read_to_string(&record)?;
    ensure!(status.success() && !output.contains("WARN"), "the book has faults:\n{output}");
    println!("the manual is in {}", folder.join("index.html").display());
    Ok(())
}
