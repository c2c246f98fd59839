//! `bindings`: the view of `wit/` that the SDKs for Rust and C have, generated and checked in, so that a plugin's author builds no
//! generator.

mod c;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use wit_bindgen_core::wit_parser::Resolve;
use wit_bindgen_core::{Files, WorldGenerator};
use wit_bindgen_rust::Opts;

use xtask::project::Project;

/// The world that a hook is written against.
const WORLD: &str = "hook";

/// Writes the bindings.
pub(crate) fn write_files(project: &Project) -> Result<()> {
    for (file, text) in generate_files(project)? {
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        println!("bindings: wrote {}", file.display());
    }
    Ok(())
}

/// Fails if the committed bindings differ from the ones that `wit/` generates.
pub(crate) fn check_files(project: &Project) -> Result<()> {
    for (file, text) in generate_files(project)? {
        let found = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        ensure!(
            found == text,
            "{} is not what wit/ says; run `cargo xtask bindings` and commit the file",
            file.display()
        );
    }
    println!("bindings: up to date");
    Ok(())
}

fn generate_files(project: &Project) -> Result<Vec<(PathBuf, String)>> {
    let mut files = c::generate_files(&project.root)?;
    files.push((rust_path(project), generate_rust(project)?));
    Ok(files)
}

fn rust_path(project: &Project) -> PathBuf {
    project.root.join("sdk/rust/src/bindings.rs")
}

fn generate_rust(project: &Project) -> Result<String> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_path(project.root.join("wit/0.2.0")).context("cannot read wit/")?;
    let world = resolve.select_world(&[package], Some(WORLD))?;
    let mut files = Files::default();
    create_options().build().generate(&mut resolve, world, &mut files)?;
    let mut texts = files.iter().map(|(_, text)| text.to_vec());
    match (texts.next(), texts.next()) {
        (Some(text), None) => Ok(String::from_utf8(text)?),
        _ => bail!("the generator made more or less than one file"),
    }
}

fn create_options() -> Opts {
    Opts {
        format: true,
        runtime_path: Some("wit_bindgen::rt".into()),
        pub_export_macro: true,
        additional_derive_attributes: vec!["PartialEq".into()],
        ..Opts::default()
    }
}
