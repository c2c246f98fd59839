//! C: zig's compiler, a single package with everything, or clang with a WASI sysroot.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{BuildJob, Language};
use crate::tool::{Call, Tool};

pub(super) static LANGUAGE: Language = Language {
    name: "c",
    source: "src/hook.c",
    endings: &["c", "h"],
    set_up: &["pip install ziglang==0.17.1              # once"],
    takes_time: false,
    build: build_module,
};

const COMPILERS: [Tool; 3] = [
    Tool {
        words: &["zig", "cc"],
        probe: &[],
        tried: "0.17.1",
        get: "install zig from https://ziglang.org/download",
    },
    Tool {
        // Without `-P`, a file `ziglang.py` of the project would be run in place of the tool.
        words: &["python3", "-P", "-m", "ziglang", "cc"],
        probe: &["-P", "-c", "import ziglang"],
        tried: "0.17.1",
        get: "pip install ziglang==0.17.1",
    },
    Tool {
        words: &["clang", "--sysroot=/usr"],
        probe: &[
            // The compiler is often there without the headers of wasi-libc.
            "--target=wasm32-wasi",
            "--sysroot=/usr",
            "-E",
            "-include",
            "stdlib.h",
            "-x",
            "c",
            "/dev/null",
        ],
        tried: "19",
        get: "install clang, lld and wasi-libc",
    },
];

/// Folder of the SDK in a project.
const SDK: &str = "hookbox";

fn build_module(job: &BuildJob<'_>) -> Result<PathBuf, String> {
    let compiler = Tool::find_first(&COMPILERS)?;
    let call = Call::new(&compiler, job.folder)
        // A reactor has no `main`: hookbox calls its export.
        .with_words(["-target", "wasm32-wasi", "-mexec-model=reactor", "-Os", "-s", "-I", SDK])
        // zig's default is 16 MiB, which each call would count as its memory.
        .with_words(["-Wl,-z,stack-size=262144"])
        .with_words([job.source])
        .with_words(list_sdk_sources(&job.folder.join(SDK))?)
        .with_words(["-o"])
        .with_words([job.made()]);
    call.run(job.printer)?;
    Ok(job.made())
}

/// Returns the files of the SDK that belong to the hook, among them the one with the type of the world.
fn list_sdk_sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: io::Error| format!("cannot read {}: {error}", folder.display());
    let entries: Vec<_> = fs::read_dir(folder).map_err(failed)?.collect::<Result<_, _>>().map_err(failed)?;
    let is_source =
        |file: &PathBuf| file.extension().is_some_and(|end| ["c", "S", "o"].iter().any(|of| end == *of));
    let names = entries.into_iter().map(|entry| Path::new(SDK).join(entry.file_name()));
    let mut names: Vec<_> = names.filter(is_source).collect();
    // The order of the files affects the module, which is to be reproducible.
    names.sort();
    Ok(names)
}
