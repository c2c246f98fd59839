//! `build`: the two programs that users get.

use std::fs;

use anyhow::{Context, Result};

use crate::project::Project;

/// The only targets where a static program can still be position independent and find its C library.
const STATIC: bool =
    cfg!(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")));

/// Leaves `hookbox` and `hookbox-compile` in `target/release`.
///
/// Two builds in two folders: features unify within one build, and the host must not carry the compiler.
pub(crate) fn run(project: &Project) -> Result<()> {
    let flags: &[&str] = if STATIC { &["--", "-C", "target-feature=+crt-static"] } else { &[] };
    project.cargo(["rustc", "--release", "--locked", "--bin", "hookbox"]).args(flags).run()?;
    let folder = project.target.join("compiler");
    project
        .cargo(["build", "--release", "--locked", "--features", "compiler"])
        .args(["--bin", "hookbox-compile", "--target-dir"])
        .args([&folder])
        .run()?;
    let name = format!("hookbox-compile{}", std::env::consts::EXE_SUFFIX);
    let (from, to) = (folder.join("release").join(&name), project.target.join("release").join(&name));
    fs::copy(&from, &to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}
