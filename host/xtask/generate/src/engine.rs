//! `engine`: the script-independent part of making a component from a script: `QuickJS`, hookbox's world and the module `hookbox`, linked
//! to one component that still waits for its source.
//!
//! `hookbox-compile` embeds it (`host/runtime/build.rs`), so it is made before the host is built.

mod loader;
mod runtime;

use std::fs;

use anyhow::{Context, Result};
use wasi_preview1_component_adapter_provider::{
    WASI_SNAPSHOT_PREVIEW1_ADAPTER_NAME as WASI, WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER as ADAPTER,
};
use wit_bindgen_core::wit_parser::Resolve;
use wit_component::{Linker, StringEncoding, embed_component_metadata};

use crate::component;
use xtask::project::Project;

/// The world that scripts are hooks of.
const WORLD: &str = "wit/0.2.0";

/// The module that they import.
const MODULE: &str = "sdk/javascript/hookbox.js";

/// Leaves `target/engines/javascript.wasm`.
pub(crate) fn build_engine(project: &Project) -> Result<()> {
    let path = project.root.join(MODULE);
    let source = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let runtime =
        loader::put_into(&runtime::get_runtime(project)?, &source).context("the runtime takes no loader")?;
    let engine = link_engine(project, &runtime).context("the runtime cannot be linked to hookbox's world")?;
    let made = project.target.join("engines/javascript.wasm");
    component::write_if_changed(&made, &engine)?;
    println!("javascript: {} bytes, waiting for a script", engine.len());
    Ok(())
}

fn link_engine(project: &Project, runtime: &[u8]) -> Result<Vec<u8>> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_path(project.root.join(WORLD)).context("cannot read wit/")?;
    let world = resolve.select_world(&[package], Some("hook"))?;
    let (mut glue, _) = wit_dylib::create_with_metadata(&resolve, world, None);
    embed_component_metadata(&mut glue, &resolve, world, StringEncoding::UTF8)?;
    let mut linker = Linker::default();
    linker.encoder().validate(true);
    linker.library("componentize_qjs_runtime.wasm", runtime, false)?;
    linker.library("wit-dylib.wasm", &glue, false)?;
    linker.encoder().adapter(WASI, ADAPTER)?;
    linker.encode()
}
