//! From a core module to a component, and what a component imports.
//!
//! What a toolchain makes is a core module; what hookbox calls is a component. Bytes in, bytes out; only [`embed`] reads files, those of
//! the world that a module is for.

mod glue;
mod world;

use std::{error::Error, fmt};

use wit_component::{ComponentEncoder, DecodedWasm};
use wit_parser::WorldItem;

pub use self::world::embed;

/// Where everything that a typed hook may import comes from.
pub const IMPORTS: [&str; 1] = ["hookbox:hook/"];

/// What a library for `wasi:http` imports beside.
pub const HTTP: [&str; 4] = ["hookbox:hook/", "wasi:http/", "wasi:io/", "wasi:clocks/"];

/// From where a module imports WASI of its first version.
const PREVIEW1: &str = "wasi_snapshot_preview1";

/// Why there is no component: in words of whoever looked at it, with what was being done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit(String);

impl Unfit {
    /// An error of one of the crates below, all of it.
    fn of(error: impl fmt::Display) -> Self {
        Self(format!("{error:#}"))
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Unfit {}

/// The validated component of a core module that carries its world, as the SDKs have it.
///
/// # Errors
///
/// A module that is none, imports what its world does not have, or lacks what its world exports.
pub fn encode(core: &[u8]) -> Result<Vec<u8>, Unfit> {
    let module = glue::removed(core)?;
    let mut encoder = ComponentEncoder::default();
    encoder.validate(true).module(&module).map_err(Unfit::of)?;
    if holds(&module, PREVIEW1) {
        let adapter = wasi_preview1_component_adapter_provider::WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER;
        encoder.adapter(PREVIEW1, adapter).map_err(Unfit::of)?;
    }
    encoder.encode().map_err(Unfit::of)
}

/// The names of what a component imports; a type is a name for something that an interface defines, and left out.
///
/// # Errors
///
/// What is no component.
pub fn imports(component: &[u8]) -> Result<Vec<String>, Unfit> {
    let DecodedWasm::Component(resolve, world) = wit_component::decode(component).map_err(Unfit::of)? else {
        return Err(Unfit("this is a package of interfaces".to_owned()));
    };
    let world = resolve.worlds.get(world).ok_or_else(|| Unfit("the component has no world".to_owned()))?;
    let imports = world.imports.iter().filter(|(_, item)| !matches!(item, WorldItem::Type { .. }));
    Ok(imports.map(|(key, _)| resolve.name_world_key(key)).collect())
}

/// The first import of a component whose name begins with none of these.
///
/// # Errors
///
/// What is no component.
pub fn import_beyond(component: &[u8], allowed: &[&str]) -> Result<Option<String>, Unfit> {
    let imports = imports(component)?;
    Ok(imports.into_iter().find(|name| !allowed.iter().any(|prefix| name.starts_with(prefix))))
}

/// Do the bytes hold this name? A quick look: that they do is no proof that they mean it.
fn holds(bytes: &[u8], name: &str) -> bool {
    bytes.windows(name.len()).any(|window| window == name.as_bytes())
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

    #[test]
    fn a_module_without_imports_makes_a_component() {
        assert_eq!(import_beyond(&encode(EMPTY).unwrap(), &IMPORTS), Ok(None));
    }

    #[test]
    fn an_import_from_elsewhere_is_named() {
        let component = wat::parse_str(SENDING).unwrap();
        assert_eq!(import_beyond(&component, &HTTP), Ok(None));
        assert_eq!(import_beyond(&component, &IMPORTS), Ok(Some("wasi:http/types@0.2.12".to_owned())));
    }

    #[test]
    fn a_module_with_an_import_of_its_own_makes_none() {
        assert!(encode(ASKING).is_err());
    }

    #[test]
    fn a_module_that_knows_wasi_of_its_first_version_makes_one_that_imports_wasi() {
        let module = r#"(module
            (import "wasi_snapshot_preview1" "random_get" (func $get (param i32 i32) (result i32)))
            (memory (export "memory") 1)
            (func (export "_initialize") (drop (call $get (i32.const 0) (i32.const 8)))))"#;
        let component = encode(&wat::parse_str(module).unwrap()).unwrap();
        let imports = imports(&component).unwrap();
        assert!(imports.iter().any(|name| name.starts_with("wasi:random/random@")), "{imports:?}");
    }

    #[test]
    fn what_is_no_wasm_is_refused() {
        assert!(encode(b"").is_err());
        assert!(imports(b"#!/bin/sh").is_err());
    }
}
