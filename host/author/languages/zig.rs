//! Zig: without a generator and a C library; the world is embedded afterwards.

use std::path::PathBuf;

use super::{BuildJob, Language};
use crate::tool::{Call, Tool};

pub(super) struct Zig;

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

impl Language for Zig {
    fn name(&self) -> &'static str {
        "zig"
    }

    fn source(&self) -> &'static str {
        "src/hook.zig"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["zig"]
    }

    fn set_up(&self) -> &'static [&'static str] {
        &["pip install ziglang==0.17.1              # once"]
    }

    fn build(&self, job: &BuildJob<'_>) -> Result<PathBuf, String> {
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
}
