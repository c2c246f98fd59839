//! From core module to component, on disk.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use hookbox_manifest::section;
use hookbox_model::{Manifest, RequestedHttp};
use wit_bindgen_core::wit_parser::WorldItem;
use wit_component::{ComponentEncoder, DecodedWasm};

/// Where everything that a typed hook may import comes from.
const IMPORTS: [&str; 1] = ["hookbox:hook/"];

/// What a library for `wasi:http` imports beside.
const HTTP: [&str; 4] = ["hookbox:hook/", "wasi:http/", "wasi:io/", "wasi:clocks/"];

/// Makes the validated component of one core module, with its manifest, and returns its size in bytes.
///
/// A file that already holds it is not touched, and a reader never sees half of one.
pub(crate) fn make(module: &Path, manifest: &[u8], component: &Path) -> Result<usize> {
    let core = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    let allowed = if asks_for_http(manifest)? { &HTTP[..] } else { &IMPORTS };
    let mut bytes = encode(&core)
        .and_then(|bytes| check_imports(&bytes, allowed).map(|()| bytes))
        .with_context(|| format!("{} makes no hook", module.display()))?;
    bytes = section::put(&bytes, manifest).map_err(|_| anyhow!("{} is damaged", module.display()))?;
    keep(component, &bytes)?;
    Ok(bytes.len())
}

/// Writes the file, and the folders above it, unless it holds these bytes already: who depends on it is not built anew.
pub(crate) fn keep(file: &Path, bytes: &[u8]) -> Result<()> {
    if existing(file)?.as_deref() != Some(bytes) {
        file.parent().map_or(Ok(()), fs::create_dir_all)?;
        replace(file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

fn encode(core: &[u8]) -> Result<Vec<u8>> {
    ComponentEncoder::default().validate(true).module(&without_browser_glue(core)?)?.encode()
}

/// Crates that also run in browsers leave glue in a module: exports that describe browser functions, and imports of
/// them. No hook has a browser: the exports go, and an import that is still reachable traps if it is ever called.
fn without_browser_glue(core: &[u8]) -> Result<Vec<u8>> {
    const GLUE: &str = "__wbindgen";
    if !core.windows(GLUE.len()).any(|bytes| bytes == GLUE.as_bytes()) {
        return Ok(core.to_vec());
    }
    let mut module = walrus::Module::from_buffer(core)?;
    let is_glue = |export: &&walrus::Export| export.name.starts_with(GLUE);
    let glue: Vec<_> = module.exports.iter().filter(is_glue).map(walrus::Export::id).collect();
    for export in glue {
        module.exports.delete(export);
    }
    let is_glue = |import: &&walrus::Import| import.module.starts_with(GLUE);
    let glue: Vec<_> = module.imports.iter().filter(is_glue).map(|import| import.kind.clone()).collect();
    for import in glue {
        if let walrus::ImportKind::Function(function) = import {
            module.replace_imported_func(function, |(body, _)| {
                body.unreachable();
            })?;
        }
    }
    module.customs.remove_raw("__wasm_bindgen_unstable");
    walrus::passes::gc::run(&mut module);
    Ok(module.emit_wasm())
}

fn asks_for_http(manifest: &[u8]) -> Result<bool> {
    let manifest = Manifest::parse(manifest).map_err(|error| anyhow!("{error}"))?;
    Ok(manifest.asks.http != RequestedHttp::default())
}

/// A plugin that we ship reaches nothing but the host of hooks, and what it says that it asks for.
fn check_imports(component: &[u8], allowed: &[&str]) -> Result<()> {
    let DecodedWasm::Component(resolve, world) = wit_component::decode(component)? else {
        bail!("this is a package of interfaces");
    };
    let world = resolve.worlds.get(world).context("the component has no world")?;
    for (key, item) in &world.imports {
        let name = resolve.name_world_key(key);
        // A type is a name for something that an interface defines.
        let is_type = matches!(item, WorldItem::Type { .. });
        let is_allowed = is_type || allowed.iter().any(|prefix| name.starts_with(prefix));
        ensure!(is_allowed, "it imports `{name}`, which its manifest does not ask for");
    }
    Ok(())
}

fn existing(file: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(file) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

fn replace(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let new = file.with_extension(format!("wasm.{}", std::process::id()));
    fs::write(&new, bytes)?;
    fs::rename(&new, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with nothing in it.
    const EMPTY: &[u8] = b"\0asm\x01\0\0\0";

    /// The same, with one import: the function `b` of `a`.
    const ASKING: &[u8] = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02\x07\x01\x01a\x01b\0\0";

    /// A component with one import: the empty instance `wasi:http/types@0.2.12`.
    const SENDING: &str =
        r#"(component (type (instance)) (import "wasi:http/types@0.2.12" (instance (type 0))))"#;

    fn manifest(asks: &str) -> Vec<u8> {
        let text = r#"{"schema":1,"name":"a/b","version":"1.0.0","capabilities":{ASKS}}"#;
        text.replace("ASKS", asks).into_bytes()
    }

    #[test]
    fn a_module_without_imports_makes_a_component() {
        assert!(check_imports(&encode(EMPTY).unwrap(), &IMPORTS).is_ok());
    }

    #[test]
    fn http_is_imported_by_those_whose_manifest_asks_for_it_alone() {
        let component = wat::parse_str(SENDING).unwrap();
        assert!(check_imports(&component, &HTTP).is_ok());
        let error = check_imports(&component, &IMPORTS).unwrap_err().to_string();
        assert_eq!(error, "it imports `wasi:http/types@0.2.12`, which its manifest does not ask for");
        let asks =
            [r#""http":["*"]"#, r#""kv":["session"]"#].map(|asks| asks_for_http(&manifest(asks)).unwrap());
        assert_eq!(asks, [true, false]);
    }

    #[test]
    fn a_module_with_an_import_of_its_own_makes_none() {
        assert!(encode(ASKING).is_err());
    }

    #[test]
    fn an_unchanged_component_is_not_written_again() {
        let folder = std::env::temp_dir().join(format!("xtask-component-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (module, component) = (folder.join("a.module"), folder.join("a.wasm"));
        fs::write(&module, EMPTY).unwrap();
        let written = || {
            make(&module, &manifest(""), &component).unwrap();
            fs::metadata(&component).unwrap().modified().unwrap()
        };
        assert_eq!(written(), written());
        fs::remove_dir_all(&folder).unwrap();
    }
}
