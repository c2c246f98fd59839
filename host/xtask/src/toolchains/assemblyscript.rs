//! The compiler of `AssemblyScript`, from npm.

use std::path::Path;

use anyhow::Result;

use super::{Toolchain, npm, write_script};

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    name: "assemblyscript",
    program: "asc",
    // npm's own file of versions and checksums.
    pins: include_str!("assemblyscript/package-lock.json"),
    install: install_compiler,
};

const PACKAGE: &str = include_str!("assemblyscript/package.json");

fn install_compiler(folder: &Path) -> Result<()> {
    npm::install_packages(folder, PACKAGE, TOOLCHAIN.pins, &[])?;
    let program = folder.join("node_modules/assemblyscript/bin/asc.js");
    let script = format!("#!/bin/sh\nexec node '{}' \"$@\"\n", program.display());
    write_script(&folder.join("bin").join(TOOLCHAIN.program), &script)
}
