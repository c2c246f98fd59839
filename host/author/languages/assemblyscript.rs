//! `AssemblyScript`: the project's own `asc`, or one on PATH.

use std::path::PathBuf;

use super::{BuildJob, Language};
use crate::tool::{Call, FoundTool, Tool};

pub(super) static LANGUAGE: Language = Language {
    name: "assemblyscript",
    source: "src/hook.ts",
    endings: &["ts"],
    set_up: &["npm install                              # once"],
    takes_time: false,
    build: build_module,
};

const ASC: Tool = Tool { words: &["asc"], probe: &[], tried: "0.28.20", get: "npm install" };

fn build_module(job: &BuildJob<'_>) -> Result<PathBuf, String> {
    // The version of this one is pinned by the project.
    let own = job.folder.join("node_modules/.bin/asc");
    let asc = if own.is_file() { FoundTool::from_path(own) } else { Tool::find_first(&[ASC])? };
    let call = Call::new(&asc, job.folder)
        .with_words([job.source, "hookbox/exports.ts", "-O", "--runtime", "minimal"])
        // By default `abort` is imported from the host, and no hook may have such an import.
        .with_words(["--use", "abort=hookbox/exports/stopped", "-o"])
        .with_words([job.made()]);
    call.run(job.printer)?;
    Ok(job.made())
}
