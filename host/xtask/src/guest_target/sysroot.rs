//! A side sysroot: another compiler's library built for guests, in a folder laid out as that compiler expects it.
//!
//! It belongs to one exact compiler, so its folder is named after that compiler's version output.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::{PROGRAMS, debian};
use crate::process::Process;
use crate::project::Project;

/// Incremented when the build of one compiler's library changes.
const RECIPE: &str = "1";

/// Folder of the compiler's own sysroot that the side sysroot shares.
const SHARED: &str = "/usr/lib/rustlib";

/// A crate without content: building it builds the library.
const MANIFEST: &str = r#"[package]
name = "empty"
version = "0.0.0"
edition = "2024"

[profile.release]
opt-level = "s"
panic = "abort"
codegen-units = 1

[workspace]
"#;

/// The compiler with this sysroot, wherever the folder is moved to.
const COMPILER: &str = r#"#!/bin/sh
exec /usr/bin/rustc --sysroot "${0%/*}" "$@"
"#;

/// One complete side sysroot.
pub(super) struct Sysroot(PathBuf);

impl Sysroot {
    /// Returns the sysroot for the current compiler, if an earlier run built it.
    pub(super) fn find_existing(folder: &Path, triple: &str) -> Result<Option<Self>> {
        let path = folder.join(compute_key(triple)?);
        Ok(has_core(&find_library_path(&path, triple)).then_some(Self(path)))
    }

    /// Builds the sysroot in a temporary folder and renames it: an existing one is complete.
    pub(super) fn build_sysroot(project: &Project, folder: &Path, triple: &str) -> Result<Self> {
        fs::create_dir_all(folder)?;
        // Held until the return: a second run waits, and then finds the sysroot of the first one.
        let lock = File::create(folder.join("lock"))?;
        lock.lock()?;
        if let Some(existing) = Self::find_existing(folder, triple)? {
            return Ok(existing);
        }
        let draft = folder.join("draft");
        if draft.exists() {
            fs::remove_dir_all(&draft)?;
        }
        lay_out(&draft, triple)?;
        build_library(project, &draft, triple)?;
        let path = folder.join(compute_key(triple)?);
        fs::rename(&draft, &path)?;
        Ok(Self(path))
    }

    /// Returns the folder.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the program to use as `rustc`.
    pub(super) fn compiler(&self) -> PathBuf {
        compiler_path(&self.0)
    }
}

/// Returns true if this library folder has `core`.
pub(super) fn has_core(library: &Path) -> bool {
    let Ok(entries) = fs::read_dir(library) else {
        return false;
    };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
}

fn compiler_path(sysroot: &Path) -> PathBuf {
    sysroot.join("rustc")
}

fn find_library_path(sysroot: &Path, triple: &str) -> PathBuf {
    sysroot.join("lib/rustlib").join(triple).join("lib")
}

/// Returns the folder's name: `1.96.0-ac68faa20c58cbccd01ee7208bf3b6e93a7d7f96-x86_64-unknown-linux-gnu-wasm32-unknown-unknown-1`
fn compute_key(triple: &str) -> Result<String> {
    let answer = Process::new(debian::COMPILER).args(["-vV"]).output()?;
    let words = ["release: ", "commit-hash: ", "host: "]
        .map(|label| answer.lines().find_map(|line| line.strip_prefix(label)).unwrap_or("unknown"));
    Ok(format!("{}-{triple}-{RECIPE}", words.join("-")))
}

fn lay_out(sysroot: &Path, triple: &str) -> Result<()> {
    let shared = sysroot.join("lib/rustlib");
    fs::create_dir_all(&shared)?;
    for entry in fs::read_dir(SHARED).with_context(|| format!("cannot read {SHARED}"))? {
        let entry = entry?;
        if entry.file_name() != triple {
            // Build scripts and macros are compiled for this machine, whose library is in the same place.
            symlink(entry.path(), shared.join(entry.file_name()))?;
        }
    }
    if triple == PROGRAMS {
        let place = find_library_path(sysroot, triple).join("self-contained");
        fs::create_dir_all(&place)?;
        for file in ["crt1-command.o", "crt1-reactor.o", "libc.a"] {
            symlink(Path::new(debian::WASI_LIBRARY).join(file), place.join(file))?;
        }
    }
    fs::write(compiler_path(sysroot), COMPILER)?;
    fs::set_permissions(compiler_path(sysroot), fs::Permissions::from_mode(0o755))?;
    Ok(())
}

fn build_library(project: &Project, sysroot: &Path, triple: &str) -> Result<()> {
    let source = sysroot.join("empty");
    fs::create_dir_all(source.join("src"))?;
    fs::write(source.join("Cargo.toml"), MANIFEST)?;
    fs::write(source.join("src/lib.rs"), "")?;
    println!("guest target: building the library for {triple}, once");
    project
        .cargo(["build", "--quiet", "--release", "-Z", "build-std=std,panic_abort"])
        .args(["--target", triple, "--manifest-path"])
        .args([source.join("Cargo.toml")])
        .args(["--target-dir"])
        .args([source.join("target")])
        .without_env("LD_LIBRARY_PATH")
        // Guests are built with link-time optimisation, which needs the library's bitcode.
        .env("RUSTFLAGS", "-Cembed-bitcode=yes")
        // `-Z build-std` is for nightly compilers; this variable permits it to a stable one.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTC", compiler_path(sysroot))
        .run()?;
    move_libraries(
        &source.join("target").join(triple).join("release/deps"),
        &find_library_path(sysroot, triple),
    )?;
    fs::remove_dir_all(&source)?;
    Ok(())
}

/// Moves the library's parts to where the compiler looks for them.
fn move_libraries(built: &Path, library: &Path) -> Result<()> {
    fs::create_dir_all(library)?;
    for entry in fs::read_dir(built)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let own = name.to_string_lossy().starts_with("libempty");
        if path.extension().is_some_and(|kind| kind == "rlib") && !own {
            fs::rename(&path, library.join(name))?;
        }
    }
    ensure!(has_core(library), "the library has been built, but has no core");
    Ok(())
}
