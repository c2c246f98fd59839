//! Go: a program for WASI, which reads the event and writes the answer. It stays a core module.

use std::path::PathBuf;

use super::{BuildJob, Language};
use crate::tool::{Call, Tool};

pub(super) static LANGUAGE: Language = Language {
    name: "go",
    // The module file; its folder has the program.
    source: "go.mod",
    endings: &["go", "mod"],
    set_up: &["go version                               # 1.21 or later; from https://go.dev/dl"],
    takes_time: false,
    build: build_module,
};

const GO: Tool = Tool {
    words: &["go"],
    probe: &[],
    tried: "1.27.3",
    get: "install Go from https://go.dev/dl (1.21 or later)",
};

fn build_module(job: &BuildJob<'_>) -> Result<PathBuf, String> {
    let go = Tool::find_first(&[GO])?;
    let module = job.folder.join(job.source);
    let folder = module.parent().unwrap_or(job.folder);
    let call = Call::new(&go, folder)
        .with_variable("GOOS", "wasip1")
        .with_variable("GOARCH", "wasm")
        // A module would record whether and from which state of a checkout it was built; the signed statement is the better
        // place.
        .with_words(["build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o"])
        .with_words([job.made()])
        .with_words(["."]);
    call.run(job.printer)?;
    Ok(job.made())
}
