//! Tools that make and verify sigstore bundles, from npm: a `node` that finds these packages.

use std::path::Path;

use anyhow::Result;

use super::{Toolchain, npm, write_script};

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    name: "sigstore",
    program: "sigstore-node",
    pins: include_str!("sigstore/package-lock.json"),
    install: install_tools,
};

const PACKAGE: &str = include_str!("sigstore/package.json");

fn install_tools(folder: &Path) -> Result<()> {
    npm::install_packages(folder, PACKAGE, TOOLCHAIN.pins, &[])?;
    let modules = folder.join("node_modules");
    let script = format!("#!/bin/sh\nNODE_PATH='{}' exec node \"$@\"\n", modules.display());
    write_script(&folder.join("bin").join(TOOLCHAIN.program), &script)
}
