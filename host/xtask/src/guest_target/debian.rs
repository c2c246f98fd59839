//! Debian's packages: a compiler that comes with its library's source, and a linker for wasm.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::debian;

/// The compiler.
pub(super) const COMPILER: &str = "/usr/bin/rustc";
/// The linker.
pub(super) const LINKER: &str = "/usr/bin/wasm-ld-19";
/// The source of the compiler's library.
const LIBRARY: &str = "/usr/lib/rustlib/src/rust/library/core";
/// What brings the three.
const PACKAGES: [&str; 3] = ["rustc-web", "rust-web-src", "lld-19"];

/// Whether everything is there.
pub(super) fn is_ready() -> bool {
    [COMPILER, LINKER, LIBRARY].iter().all(|path| Path::new(path).exists())
}

/// Installs what is not there.
pub(super) fn make_ready() -> Result<()> {
    if is_ready() {
        return Ok(());
    }
    debian::install(&PACKAGES)?;
    ensure!(is_ready(), "{PACKAGES:?} have been installed, but are not where they are looked for");
    Ok(())
}
