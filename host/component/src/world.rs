//! The world of a core module, in a custom section of it. Generated bindings contain it; for a language without a generator it is added
//! from the files.

use std::path::Path;

use wit_component::{StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

use crate::ComponentError;

/// Adds the world of this name, from the WIT files in `folder`, to the module. Its strings are UTF-8.
///
/// # Errors
///
/// The files cannot be read or parsed, or do not have the world; or the module is malformed.
pub fn embed_world(core: &[u8], folder: &Path, world: &str) -> Result<Vec<u8>, ComponentError> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_path(folder).map_err(ComponentError::from_error)?;
    let world = resolve.select_world(&[package], Some(world)).map_err(ComponentError::from_error)?;
    let mut module = core.to_vec();
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)
        .map_err(ComponentError::from_error)?;
    Ok(module)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{encode_module, list_imports};

    const WIT: &str = "package a:b@1.0.0;
        interface c { d: func(); }
        world e { import c; export f: func(); }";

    fn build_module() -> Vec<u8> {
        let text = r#"(module (import "a:b/c@1.0.0" "d" (func $d)) (func (export "f") (call $d)))"#;
        wat::parse_str(text).unwrap()
    }

    #[test]
    fn a_module_with_its_world_becomes_a_component_of_it() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.wit"), WIT).unwrap();
        let embedded = embed_world(&build_module(), folder.path(), "e").unwrap();
        assert_eq!(list_imports(&encode_module(&embedded).unwrap()).unwrap(), ["a:b/c@1.0.0"]);
    }

    #[test]
    fn a_world_that_is_not_in_the_files_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.wit"), WIT).unwrap();
        let message = embed_world(&build_module(), folder.path(), "x").unwrap_err().to_string();
        assert!(message.contains("World `x` not found"), "{message}");
        assert!(embed_world(&build_module(), &folder.path().join("none"), "e").is_err());
    }
}
