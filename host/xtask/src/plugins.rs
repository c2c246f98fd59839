//! `plugins`: builds every shipped plugin to a component.

use std::fs;

use anyhow::{Context, Result};

use crate::component;
use crate::guest_target::{GuestTarget, TRIPLE};
use crate::project::Project;

/// Leaves `target/plugins/<name>.wasm` for each plugin.
pub(crate) fn run(project: &Project) -> Result<()> {
    let names = project.plugins()?;
    compile(project, &GuestTarget::find(project)?)?;
    let folder = project.target.join("plugins");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for name in names {
        let file = format!("{}.wasm", name.replace('-', "_"));
        let module = project.guests().join(TRIPLE).join("release").join(file);
        let size = component::make(&module, &folder.join(format!("{name}.wasm")))?;
        println!("{name}: {size} bytes");
    }
    Ok(())
}

fn compile(project: &Project, target: &GuestTarget) -> Result<()> {
    let process = project.guest_cargo(["build", "--quiet", "--release", "--locked", "--target", TRIPLE]);
    target.apply(process).run()
}
