//! `componentize-py`, which has an interpreter in it, as its package for Python.

use std::path::Path;

use anyhow::Result;

use super::Toolchain;
use crate::environment::Environment;

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    name: "componentize-py",
    program: "componentize-py",
    pins: include_str!("python.txt"),
    install: install_compiler,
};

fn install_compiler(folder: &Path) -> Result<()> {
    Environment::with_wheels(folder, TOOLCHAIN.pins).map(|_| ())
}
