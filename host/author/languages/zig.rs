//! Zig: without a generator and a C library; the world is embedded afterwards.

use std::path::PathBuf;

use super::{BuildJob, Language};
use crate::tool::{Call, Tool};

pub(super) static LANGUAGE: Language = Language {
    name: "zig",
    source: "src/hook.zig",
    endings: &["zig"],
    set_up: &["pip install ziglang==0.17.1              # once"],
    takes_time: false,
    build: build_module,
};

const ZIG: [Tool; 2] = [
    Tool {
        words: &["zig"],
        probe: &[],
        tried: "0.17.1",
        get: "install zig from https://ziglang.org/download",
    },
    Tool {
        // Without `-P`, a file `ziglang.py` of the project would be run in place of the tool.
        words: &["python3", "-P", "-m", "ziglang"],
        probe: &["-P", "-c", "import ziglang"],
        tried: "0.17.1",
        get: "pip install ziglang==0.17.1",
    },
];

fn build_module(job: &BuildJob<'_>) -> Result<PathBuf, String> {
    let zig = Tool::find_first(&ZIG)?;
    // With checks: an index out of bounds fails the hook, and does not read arbitrary memory.
    let call = Call::new(&zig, job.folder)
        .with_words([
            "build-exe",
            "-target",
            "wasm32-freestanding",
            "-fno-entry",
            "-rdynamic",
            "-O",
            "ReleaseSafe",
        ])
        .with_words(["-fstrip", "--dep", "hookbox"])
        .with_words([format!("-Mroot={}", job.source), "-Mhookbox=hookbox/hookbox.zig".to_owned()])
        .with_words([format!("-femit-bin={}", job.made().display())]);
    call.run(job.printer)?;
    Ok(job.made())
}
