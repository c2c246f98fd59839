//! Go, as its package for Python: the whole distribution, with the compiler for WASI.

use std::path::Path;

use anyhow::Result;

use super::{Toolchain, write_script};
use crate::environment::Environment;

pub(super) const TOOLCHAIN: Toolchain =
    Toolchain { name: "go", program: "go", pins: include_str!("go.txt"), install: install_compiler };

fn install_compiler(folder: &Path) -> Result<()> {
    let environment = Environment::with_wheels(folder, TOOLCHAIN.pins)?;
    let question =
        "import pathlib, sysconfig; print(pathlib.Path(sysconfig.get_path('purelib')) / 'go/bin/go')";
    let program = environment.python().args(["-c", question]).output()?;
    // Nothing is downloaded: neither another toolchain, as a project's `go.mod` may request, nor a module.
    let cache = folder.join("cache");
    let script = format!(
        "#!/bin/sh\nexport GOTOOLCHAIN=local GOPROXY=off\n\
         export GOCACHE=\"${{GOCACHE:-{}}}\"\nexec '{}' \"$@\"\n",
        cache.display(),
        program.trim()
    );
    write_script(&folder.join("bin").join(TOOLCHAIN.program), &script)
}
