//! Seeds of a fuzz target, written to the folder in which libFuzzer looks for them.

#[path = "../../../../fuzz/src/seeds.rs"]
#[expect(unreachable_pub, reason = "the fuzz targets' tests read it too")]
mod seeds;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use hookbox_component::{embed_world, encode_module};

use xtask::project::Project;

/// Writes a file per seed of this target into the folder, which it empties first.
pub(crate) fn write_seeds(project: &Project, target: &str, folder: &Path) -> Result<()> {
    let mut all = seeds::of(&project.root, target).context("cannot read the seeds")?;
    if target == "components" {
        all.extend(read_guests(&project.root)?);
    }
    ensure!(!all.is_empty(), "the fuzz target `{target}` has no seeds");
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(folder)?;
    for (at, seed) in all.iter().enumerate() {
        fs::write(folder.join(format!("{at:04}")), seed)?;
    }
    println!("{target}: {} seeds", all.len());
    Ok(())
}

/// Returns the guests of the tests, as components where their text is a hook.
fn read_guests(root: &Path) -> Result<Vec<Vec<u8>>> {
    let mut components = Vec::new();
    for entry in fs::read_dir(root.join("tests/guests"))? {
        let file = entry?.path();
        let wasm = wat::parse_file(&file)?;
        // A module that is not a hook is used as a seed unchanged.
        components.push(build_component(root, &wasm).unwrap_or(wasm));
    }
    Ok(components)
}

fn build_component(root: &Path, module: &[u8]) -> Result<Vec<u8>> {
    Ok(encode_module(&embed_world(module, &root.join("wit/0.1.0"), "hook")?)?)
}
