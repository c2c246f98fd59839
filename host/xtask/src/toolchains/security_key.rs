//! A software security key: the one that OpenSSH has for its own tests, from Debian's package, unpacked and not installed. apt checks it.
//! Its client (`ssh-sk-helper`) comes with `ssh-keygen` and `ssh-agent`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::Toolchain;
use crate::debian;

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    name: "security-key",
    program: "sk-dummy.so",
    pins: "openssh-tests",
    install: unpack_library,
};

/// Path in the package.
const LIBRARY: &str = "usr/lib/openssh/regress/misc/sk-dummy/sk-dummy.so";

fn unpack_library(folder: &Path) -> Result<()> {
    debian::unpack_packages(&[TOOLCHAIN.pins], folder)?;
    let programs = folder.join("bin");
    fs::create_dir_all(&programs)?;
    let file = folder.join(LIBRARY);
    fs::copy(&file, programs.join(TOOLCHAIN.program))
        .with_context(|| format!("{} is not in its package", file.display()))?;
    Ok(())
}
