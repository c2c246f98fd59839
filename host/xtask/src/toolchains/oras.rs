//! `oras`, which pulls and pushes any file by the OCI protocol, as its package for Python. All of it is Python.

use std::path::Path;

use anyhow::Result;

use super::Toolchain;
use crate::environment::Environment;

pub(super) const TOOLCHAIN: Toolchain =
    Toolchain { name: "oras", program: "python", pins: include_str!("oras.txt"), install: install_client };

fn install_client(folder: &Path) -> Result<()> {
    Environment::with_wheels(folder, TOOLCHAIN.pins).map(|_| ())
}
