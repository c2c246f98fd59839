//! `build`: builds the programs that users get.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::plugins;
use crate::process::{self, Process};
use crate::project::Project;

/// The only targets where a static program can still be position independent and find its C library.
const STATIC: bool =
    cfg!(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")));

/// Linker flags for a fast cold start, which is spent on loading: no dynamic libraries, and relocations in a hundredth of the space. Still
/// position independent: the program runs untrusted code.
const LEAN: &[&str] =
    &["--", "-C", "target-feature=+crt-static", "-C", "link-arg=-Wl,-z,pack-relative-relocs"];

/// Compiler flags of the other programs, so that they run on a machine with an older C library, or another one.
const STATIC_FLAGS: &[&str] = if STATIC { &["--", "-C", "target-feature=+crt-static"] } else { &[] };

/// Entry point of the program: `host/cli/start.rs`.
const START: &[&str] =
    if cfg!(target_arch = "x86_64") { &["-C", "link-arg=-Wl,-e,hookbox_start"] } else { &[] };

/// Features of the root package, and the programs that are delivered with these and no others.
pub(crate) type Delivered = (&'static str, &'static [&'static str]);

pub(crate) const DELIVERED: [Delivered; 3] = [
    ("program", &["hookbox"]),
    ("compiler", &["hookbox-compile"]),
    ("author,bundle", &["hookbox-author", "hookbox-bundle"]),
];

/// Builds `hookbox`, `hookbox-compile`, `hookbox-author`, `hookbox-bundle` and `guard-shell` into `target/dist`, and the plugins into
/// `target/share/hookbox/plugins`. The plugins come first: the program contains the digests of those that it was built with.
///
/// Uses separate folders: features unify within one build, and no program must contain the other's parts. The builds can also run
/// concurrently, which helps because the last step of one, linking, uses one core. The two programs for people, whose size and start do not
/// count, share a folder, and most of their dependencies.
pub(crate) fn run(project: &Project) -> Result<()> {
    plugins::run(project)?;
    let program = project.cargo(["rustc", "--release", "--locked", "--bin", "hookbox"]).args(program_flags());
    let (compiler, built) = create_compiler_command(project);
    let (author, tooled) = create_own_build(project, DELIVERED[2].0, "hookbox-author", TOOLS);
    let (bundle, _) = create_own_build(project, DELIVERED[2].0, "hookbox-bundle", TOOLS);
    let judge = project.guest_cargo(["build", "--release", "--locked", "-p", "judge-lines"]);
    process::run_together([program, compiler, judge])?;
    author.run()?;
    bundle.run()?;
    deliver_program(&project.target.join("release"), project, "hookbox")?;
    deliver_program(&built, project, "hookbox-compile")?;
    deliver_program(&tooled, project, "hookbox-author")?;
    deliver_program(&tooled, project, "hookbox-bundle")?;
    deliver_program(&project.guests().join("release"), project, "guard-shell")
}

/// Returns additional compiler flags for `hookbox`.
pub(crate) fn program_flags() -> Vec<&'static str> {
    if STATIC { [LEAN, START].concat() } else { vec![] }
}

/// Profile and folder of the compiler's build.
const COMPILER: (&str, &str) = ("compiler", "compiler");
/// Profile and folder of the build of the programs for authors and publishers.
const TOOLS: (&str, &str) = ("tools", "author");

/// Returns the command that builds the compiler, and its output folder.
pub(crate) fn create_compiler_command(project: &Project) -> (Process, PathBuf) {
    create_own_build(project, DELIVERED[1].0, "hookbox-compile", COMPILER)
}

/// Returns the command that builds a program whose start time is irrelevant, with exactly these features, and its output folder.
fn create_own_build(
    project: &Project,
    features: &str,
    program: &str,
    (profile, folder): (&str, &str),
) -> (Process, PathBuf) {
    let folder = project.target.join(folder);
    let words = ["rustc", "--profile", profile, "--locked", "--no-default-features", "--features", features];
    let process = project.cargo(words).args(["--bin", program, "--target-dir"]).args([&folder]);
    (process.args(STATIC_FLAGS), folder.join(profile))
}

fn deliver_program(built: &Path, project: &Project, program: &str) -> Result<()> {
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let folder = project.target.join("dist");
    fs::create_dir_all(&folder)?;
    let (from, to) = (built.join(&name), folder.join(&name));
    // Renamed and not overwritten: the old one may be running.
    let new = folder.join(format!(".{name}.new"));
    fs::copy(&from, &new)
        .and_then(|_| fs::rename(&new, &to))
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}
