//! `plugins`: builds every shipped plugin to a component with its manifest, and the examples in other languages; and what the
//! host makes components of scripts with.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::guest_target::{GuestTarget, TRIPLE};
use crate::programs;
use crate::project::Project;
use crate::{component, engine, manifest};

/// Where an installation has the plugins, from the folder above that of its programs.
pub(crate) const SHIPPED: &str = "share/hookbox/plugins";

/// Leaves `target/plugins/<name>.wasm` for each plugin, and the same where programs in `target/<folder>` look for them.
pub(crate) fn run(project: &Project) -> Result<()> {
    let names = project.plugins()?;
    compile(project, &GuestTarget::find(project)?)?;
    let folder = project.target.join("plugins");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for name in &names {
        let file = format!("{}.wasm", name.replace('-', "_"));
        let module = project.guests().join(TRIPLE).join("release").join(file);
        let manifest = manifest::read(&project.root.join("plugins").join(name))?;
        let size = component::make(&module, &manifest, &folder.join(format!("{name}.wasm")))?;
        println!("{name}: {size} bytes");
    }
    ship(&folder, &project.target.join(SHIPPED), &names)?;
    programs::run(project)?;
    engine::make(project)
}

/// Copies what changed: a program is built anew when a plugin that it is to know is.
fn ship(from: &Path, to: &Path, names: &[String]) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    let files: Vec<_> = names.iter().map(|name| format!("{name}.wasm")).collect();
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        if !files.iter().any(|file| entry.file_name() == file.as_str()) {
            fs::remove_file(entry.path())?;
        }
    }
    for file in files {
        let (made, there) = (fs::read(from.join(&file))?, fs::read(to.join(&file)).ok());
        if there.as_ref() != Some(&made) {
            fs::write(to.join(&file), made).with_context(|| format!("cannot write {file}"))?;
        }
    }
    Ok(())
}

fn compile(project: &Project, target: &GuestTarget) -> Result<()> {
    let process = project.guest_cargo(["build", "--quiet", "--release", "--locked", "--target", TRIPLE]);
    target.apply(process).quiet_env(FLAGS, without_paths(project)).run()
}

/// Where cargo looks for the target's flags.
const FLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// Panic messages name source files; without the builder's folders in them, every machine builds the same component.
fn without_paths(project: &Project) -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let remap = |folder: &Path, name: &str| format!("--remap-path-prefix={}={name}", folder.display());
    let home = home.map(|home| remap(&home, "cargo")).unwrap_or_default();
    format!("{} {home}", remap(&project.root, "hookbox")).trim_end().to_owned()
}
