//! The bindings of the SDK for C: the generator's output, and the type of the world as text.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use wit_bindgen_c::Opts;
use wit_bindgen_core::Files;
use wit_bindgen_core::wit_parser::{Resolve, WorldId};
use wit_component::StringEncoding;

/// WIT version that the SDK implements.
const WIT: &str = "wit/0.2.0";
const FOLDER: &str = "sdk/c";
/// Section in which componentizers look for the type of the world.
const SECTION: &str = "component-type:hook";
/// Bytes in a line of text.
const WIDTH: usize = 20;

/// Returns each file with its content.
pub(super) fn generate_files(root: &Path) -> Result<Vec<(PathBuf, String)>> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_path(root.join(WIT)).with_context(|| format!("cannot read {WIT}"))?;
    let world = resolve.select_world(&[package], Some(super::WORLD))?;
    let world_type = world_type(&resolve, world)?;
    let mut files = Files::default();
    // The object file with the type would be binary.
    let options = Opts { no_object_file: true, ..Opts::default() };
    options.build().generate(&mut resolve, world, &mut files)?;
    let mut texts = Vec::new();
    for (name, text) in files.iter() {
        texts.push((root.join(FOLDER).join(name), String::from_utf8(text.to_vec())?));
    }
    texts.push((root.join(FOLDER).join("hook_world.c"), world_type));
    Ok(texts)
}

fn world_type(resolve: &Resolve, world: WorldId) -> Result<String> {
    let bytes = wit_component::metadata::encode(resolve, world, StringEncoding::UTF8, None)?;
    let mut text = format!(
        "// Generated from {WIT}: the type of the world, for whoever makes a component of the module.\n\n\
         // The bindings call it, so that no linker leaves this file out.\n\
         void __component_type_object_force_link_hook(void);\n\
         void __component_type_object_force_link_hook(void) {{\n}}\n\n\
         __asm__(\".section \\\".custom_section.{SECTION}\\\",\\\"\\\",@\\n\""
    );
    for line in bytes.chunks(WIDTH) {
        let numbers: Vec<_> = line.iter().map(ToString::to_string).collect();
        write!(text, "\n        \".byte {}\\n\"", numbers.join(","))?;
    }
    text.push_str(");\n");
    Ok(text)
}
