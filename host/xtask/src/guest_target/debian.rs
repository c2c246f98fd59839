//! Debian's packages: a compiler with its library's source, and a linker for wasm.

use std::path::Path;

use anyhow::{Result, ensure};

use super::PROGRAMS;
use crate::debian;

/// The compiler.
pub(super) const COMPILER: &str = "/usr/bin/rustc";
/// The linker.
pub(super) const LINKER: &str = "/usr/bin/wasm-ld-19";
/// The source of the compiler's library.
const LIBRARY: &str = "/usr/lib/rustlib/src/rust/library/core";
/// The library of C that programs for WASI begin with.
pub(super) const WASI_LIBRARY: &str = "/usr/lib/wasm32-wasi";

/// Returns the packages that this target needs.
pub(super) fn list_packages(triple: &str) -> Vec<&'static str> {
    let mut packages = vec!["rustc-web", "rust-web-src", "lld-19"];
    if triple == PROGRAMS {
        packages.push("wasi-libc");
    }
    packages
}

/// Returns true if everything is installed.
pub(super) fn is_ready(triple: &str) -> bool {
    let wasi = [WASI_LIBRARY].into_iter().filter(|_| triple == PROGRAMS);
    [COMPILER, LINKER, LIBRARY].into_iter().chain(wasi).all(|path| Path::new(path).exists())
}

/// Installs missing packages.
pub(super) fn make_ready(triple: &str) -> Result<()> {
    if is_ready(triple) {
        return Ok(());
    }
    let packages = list_packages(triple);
    debian::install_packages(&packages)?;
    ensure!(is_ready(triple), "{packages:?} have been installed, but are not where they are looked for");
    Ok(())
}
