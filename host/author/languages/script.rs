//! JavaScript and TypeScript: one file, made a component by the engine in hookbox. Neither Node nor npm is needed.

use std::{fs::File, path::PathBuf};

use hookbox::sandbox::{compile::COMPONENT, script::SCRIPT};

use super::{BuildJob, Language};
use crate::{
    environment,
    tool::{Call, FoundTool},
};

pub(super) static JAVASCRIPT: Language = Language {
    name: "javascript",
    source: "hook.js",
    endings: &["js", "mjs"],
    set_up: &[],
    takes_time: false,
    build: |job| make_component(job, "javascript"),
};

pub(super) static TYPESCRIPT: Language = Language {
    name: "typescript",
    source: "hook.ts",
    endings: &["ts", "mts"],
    set_up: &[],
    takes_time: false,
    build: |job| make_component(job, "typescript"),
};

/// Makes the component with the compiler's program, which runs the script's top level within limits.
fn make_component(job: &BuildJob<'_>, language: &str) -> Result<PathBuf, String> {
    let compiler = FoundTool::from_path(environment::compiler_program()?);
    let source = job.folder.join(job.source);
    // Opened here, since the compiler gives up all access to files before it reads the script.
    let script = File::open(&source).map_err(|error| format!("cannot read {}: {error}", source.display()))?;
    let call = Call::new(&compiler, job.folder).with_words([COMPONENT, SCRIPT, language, job.source]);
    let component = call.with_input(script).run_for_output(job.printer)?;
    crate::plugin_assembly::write_file(&job.made(), &component)?;
    Ok(job.made())
}
