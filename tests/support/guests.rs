//! Guests from text: `tests/guests/<name>.wat` as a component.

use std::{
    fs,
    path::{Path, PathBuf},
};

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// Returns the component of this guest. A core module becomes a component of the hook world, or of the one with HTTP or sockets; a
/// component stays unchanged.
pub(crate) fn build_component(name: &str) -> Vec<u8> {
    let text = repository_folder("tests/guests").join(name).with_extension("wat");
    let text = fs::read_to_string(&text).unwrap_or_else(|error| panic!("{}: {error}", text.display()));
    let is_hook = !text.contains("$core") && !text.contains(PREVIEW1);
    let world = match () {
        () if text.contains("wasi:http") => "sender",
        () if text.contains("wasi:sockets") => "connector",
        () => "hook",
    };
    encode_component(&wat::parse_str(&text).unwrap(), is_hook.then_some(world))
}

/// Module that WASI programs import as core modules.
pub(crate) const PREVIEW1: &str = "wasi_snapshot_preview1";

/// Returns a manifest with these members in addition to the required ones, as the section to append to a plugin.
pub(crate) fn encode_manifest(members: &str) -> Vec<u8> {
    let comma = if members.is_empty() { "" } else { "," };
    let text = format!(r#"{{"schema":1,"name":"acme/guest","version":"1.2.0"{comma}{members}}}"#);
    custom_section("hookbox:manifest", text.as_bytes())
}

/// Encodes a custom section.
pub(crate) fn custom_section(name: &str, content: &[u8]) -> Vec<u8> {
    encode_section(0, &[encode_leb(name.len()), name.as_bytes().to_vec(), content.to_vec()].concat())
}

/// Encodes a component that holds these sections, as the section of another one.
pub(crate) fn nest_component(sections: &[u8]) -> Vec<u8> {
    encode_section(4, &[b"\0asm\x0d\0\x01\0", sections].concat())
}

fn encode_section(number: u8, content: &[u8]) -> Vec<u8> {
    [vec![number], encode_leb(content.len()), content.to_vec()].concat()
}

fn encode_leb(value: usize) -> Vec<u8> {
    let low = u8::try_from(value & 0x7f).unwrap();
    if value < 0x80 { vec![low] } else { [vec![low | 0x80], encode_leb(value >> 7)].concat() }
}

fn encode_component(wasm: &[u8], world: Option<&str>) -> Vec<u8> {
    let Some(world) = world.filter(|_| wasm[4] != 0x0d) else { return wasm.to_vec() };
    let mut resolve = Resolve::default();
    let versions = find_versions(wasm);
    let world = if versions.len() > 1 { "both-versions" } else { world };
    let packages = versions.iter().map(|version| resolve.push_path(repository_folder(version)).unwrap().0);
    let mut package = packages.last().unwrap();
    if world != "hook" {
        package =
            resolve.push_path(repository_folder("tests/wit").join(world).with_extension("wit")).unwrap().0;
    }
    let world = resolve.select_world(&[package], Some(world)).unwrap();
    let mut module = wasm.to_vec();
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
    ComponentEncoder::default().module(&module).unwrap().encode().unwrap()
}

/// Returns the folders of the world versions that a module imports; a module without such imports is of the first version.
fn find_versions(module: &[u8]) -> Vec<&'static str> {
    let text = String::from_utf8_lossy(module);
    let imports = |version: &str| {
        let mut imports = text.split("hookbox:hook/").skip(1);
        imports.any(|import| import.split_once('@').is_some_and(|(_, rest)| rest.starts_with(version)))
    };
    let both = [("0.1.0", "wit/0.1.0"), ("0.2.0", "wit/0.2.0")];
    let mut found: Vec<_> =
        both.iter().filter(|(version, _)| imports(version)).map(|(_, path)| *path).collect();
    if found.is_empty() {
        found.push("wit/0.1.0");
    }
    found
}

/// Returns a folder of this repository.
pub(crate) fn repository_folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns every guest.
pub(crate) fn list_guests() -> Vec<String> {
    let entries = fs::read_dir(repository_folder("tests/guests")).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
