//! Zig, which compiles C as well, as its package for Python.

use std::path::Path;

use anyhow::Result;

use super::{Toolchain, write_script};
use crate::environment::Environment;

pub(super) const TOOLCHAIN: Toolchain =
    Toolchain { name: "zig", program: "zig", pins: include_str!("zig.txt"), install: install_compiler };

fn install_compiler(folder: &Path) -> Result<()> {
    let environment = Environment::with_wheels(folder, TOOLCHAIN.pins)?;
    let question = "import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent / 'zig')";
    let program = environment.python().args(["-c", question]).output()?;
    // Zig compiles its libraries once into a cache, which is kept here as well.
    let cache = folder.join("cache");
    let script = format!(
        "#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR=\"${{ZIG_GLOBAL_CACHE_DIR:-{}}}\"\nexec '{}' \"$@\"\n",
        cache.display(),
        program.trim()
    );
    write_script(&folder.join("bin").join(TOOLCHAIN.program), &script)
}
