//! Guests from text: `tests/guests/<name>.wat` as a component.

use std::{
    fs,
    path::{Path, PathBuf},
};

use wasi_preview1_component_adapter_provider::WASI_SNAPSHOT_PREVIEW1_COMMAND_ADAPTER;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// The component of this guest. A core module becomes a component of the hook world, or of the
/// one with HTTP; a component stays as it is.
pub(crate) fn component(name: &str) -> Vec<u8> {
    let text = folder("tests/guests").join(name).with_extension("wat");
    let text = fs::read_to_string(&text).unwrap_or_else(|error| panic!("{}: {error}", text.display()));
    let is_hook = !text.contains("$core") && !text.contains(PREVIEW1);
    let world = if text.contains("wasi:http") { "sender" } else { "hook" };
    encode(&wat::parse_str(&text).unwrap(), is_hook.then_some(world))
}

/// What programs for WASI import as core modules.
const PREVIEW1: &str = "wasi_snapshot_preview1";

/// A program, which is a core module, as a component.
pub(crate) fn command(name: &str) -> Vec<u8> {
    let module = component(name);
    let mut encoder = ComponentEncoder::default().module(&module).unwrap();
    encoder = encoder.adapter(PREVIEW1, WASI_SNAPSHOT_PREVIEW1_COMMAND_ADAPTER).unwrap();
    encoder.encode().unwrap()
}

fn encode(wasm: &[u8], world: Option<&str>) -> Vec<u8> {
    let Some(world) = world.filter(|_| wasm[4] != 0x0d) else { return wasm.to_vec() };
    let mut resolve = Resolve::default();
    let packages = ["wit", "tests/wit/sender.wit"].map(|path| resolve.push_path(folder(path)).unwrap().0);
    let package = packages.into_iter().find(|package| resolve.packages[*package].worlds.contains_key(world));
    let world = resolve.select_world(&[package.unwrap()], Some(world)).unwrap();
    let mut module = wasm.to_vec();
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
    ComponentEncoder::default().module(&module).unwrap().encode().unwrap()
}

/// A folder of this repository.
pub(crate) fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Every guest that there is.
pub(crate) fn all() -> Vec<String> {
    let entries = fs::read_dir(folder("tests/guests")).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
