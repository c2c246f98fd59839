//! Conversion of core modules to components, and the imports of components.
//!
//! Toolchains make core modules; hookbox calls components. Functions take and return bytes; only [`embed_world`] reads files, those of the
//! world that a module is for.

mod glue;
mod world;

use std::{error::Error, fmt};

use wit_component::{ComponentEncoder, DecodedWasm};
use wit_parser::WorldItem;

pub use self::world::embed_world;

/// Prefix of all imports of a typed hook.
pub const IMPORTS: [&str; 1] = ["hookbox:hook/"];

/// Prefixes of the imports of a hook that uses a library for `wasi:http`.
pub const HTTP: [&str; 4] = ["hookbox:hook/", "wasi:http/", "wasi:io/", "wasi:clocks/"];

/// Module name of imports of the first version of WASI.
const PREVIEW1: &str = "wasi_snapshot_preview1";

/// Reason why there is no component: the error of the underlying tool, with its context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentError(String);

impl ComponentError {
    /// Wraps an error of one of the underlying crates, with its causes.
    fn from_error(error: impl fmt::Display) -> Self {
        Self(format!("{error:#}"))
    }
}

impl fmt::Display for ComponentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for ComponentError {}

/// Converts a core module that contains its world, as the SDKs make it, to a validated component.
///
/// # Errors
///
/// The module is malformed, imports items that its world does not have, or lacks exports of its world.
pub fn encode_module(core: &[u8]) -> Result<Vec<u8>, ComponentError> {
    let module = glue::remove_glue(core)?;
    let mut encoder = ComponentEncoder::default();
    encoder.validate(true).module(&module).map_err(ComponentError::from_error)?;
    if contains_name(&module, PREVIEW1) {
        let adapter = wasi_preview1_component_adapter_provider::WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER;
        encoder.adapter(PREVIEW1, adapter).map_err(ComponentError::from_error)?;
    }
    encoder.encode().map_err(ComponentError::from_error)
}

/// Returns the names of a component's imports; types are left out, since they only name definitions of an interface.
///
/// # Errors
///
/// The bytes are not a component.
pub fn list_imports(component: &[u8]) -> Result<Vec<String>, ComponentError> {
    let DecodedWasm::Component(resolve, world) =
        wit_component::decode(component).map_err(ComponentError::from_error)?
    else {
        return Err(ComponentError("this is a package of interfaces".to_owned()));
    };
    let world =
        resolve.worlds.get(world).ok_or_else(|| ComponentError("the component has no world".to_owned()))?;
    let imports = world.imports.iter().filter(|(_, item)| !matches!(item, WorldItem::Type { .. }));
    Ok(imports.map(|(key, _)| resolve.name_world_key(key)).collect())
}

/// Returns the first import of a component whose name begins with none of these prefixes.
///
/// # Errors
///
/// The bytes are not a component.
pub fn import_beyond(component: &[u8], allowed: &[&str]) -> Result<Option<String>, ComponentError> {
    let imports = list_imports(component)?;
    Ok(imports.into_iter().find(|name| !allowed.iter().any(|prefix| name.starts_with(prefix))))
}

/// Returns true if the bytes contain this name. A quick check: the bytes may have another meaning.
fn contains_name(bytes: &[u8], name: &str) -> bool {
    bytes.windows(name.len()).any(|window| window == name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &[u8] = b"\0asm\x01\0\0\0";

    /// A module with one import: the function `b` of `a`.
    const ASKING: &[u8] = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02\x07\x01\x01a\x01b\0\0";

    /// A component with one import: the empty instance `wasi:http/types@0.2.12`.
    const SENDING: &str =
        r#"(component (type (instance)) (import "wasi:http/types@0.2.12" (instance (type 0))))"#;

    #[test]
    fn a_module_without_imports_makes_a_component() {
        assert_eq!(import_beyond(&encode_module(EMPTY).unwrap(), &IMPORTS), Ok(None));
    }

    #[test]
    fn an_import_from_elsewhere_is_named() {
        let component = wat::parse_str(SENDING).unwrap();
        assert_eq!(import_beyond(&component, &HTTP), Ok(None));
        assert_eq!(import_beyond(&component, &IMPORTS), Ok(Some("wasi:http/types@0.2.12".to_owned())));
    }

    #[test]
    fn a_module_with_an_import_of_its_own_makes_none() {
        assert!(encode_module(ASKING).is_err());
    }

    #[test]
    fn a_module_that_knows_wasi_of_its_first_version_makes_one_that_imports_wasi() {
        let module = r#"(module
            (import "wasi_snapshot_preview1" "random_get" (func $get (param i32 i32) (result i32)))
            (memory (export "memory") 1)
            (func (export "_initialize") (drop (call $get (i32.const 0) (i32.const 8)))))"#;
        let component = encode_module(&wat::parse_str(module).unwrap()).unwrap();
        let imports = list_imports(&component).unwrap();
        assert!(imports.iter().any(|name| name.starts_with("wasi:random/random@")), "{imports:?}");
    }

    #[test]
    fn bytes_that_are_not_wasm_are_refused() {
        assert!(encode_module(b"").is_err());
        assert!(list_imports(b"#!/bin/sh").is_err());
    }
}
