//! A registry and `skopeo`, which copies from one to another: Debian's packages, unpacked and not installed. apt checks them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::{Toolchain, write_script};
use crate::debian;

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    name: "registry",
    program: "skopeo",
    pins: include_str!("registry.txt"),
    install: unpack_registry,
};

fn unpack_registry(folder: &Path) -> Result<()> {
    let packages: Vec<_> = TOOLCHAIN.pins.split_whitespace().collect();
    debian::unpack_packages(&packages, folder)?;
    let libraries = find_library_folder(folder)?;
    for program in ["docker-registry", "skopeo"] {
        let file = folder.join("usr/bin").join(program);
        ensure!(file.exists(), "{} is not in its package", file.display());
        // The packages are not installed, so the system's loader does not find their libraries.
        let script = format!("#!/bin/sh\nLD_LIBRARY_PATH='{libraries}' exec '{}' \"$@\"\n", file.display());
        write_script(&folder.join("bin").join(program), &script)?;
    }
    Ok(())
}

/// Returns the folder of libraries that is named after the machine.
fn find_library_folder(folder: &Path) -> Result<String> {
    let all = fs::read_dir(folder.join("usr/lib"))?.filter_map(Result::ok).map(|entry| entry.path());
    let mut of_machine = all.filter(|path| path.to_string_lossy().ends_with("-linux-gnu"));
    let library = of_machine.next().context("the packages bring no libraries")?;
    Ok(library.display().to_string())
}
