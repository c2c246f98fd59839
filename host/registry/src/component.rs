//! Configuration of a component in a registry: its imports and exports.

use serde::Serialize;
use wasmparser::{Parser, Payload};

use crate::{
    digest::Digest,
    error::{Error, ErrorKind},
};

/// Largest component, bytes: larger ones are never compiled.
pub const MAX_COMPONENT: u64 = 64 << 20;

/// Creation time: `oci-wasm` reads no configuration without one.
const CREATED: &str = "1970-01-01T00:00:00Z";

#[derive(Serialize)]
struct Configuration {
    created: &'static str,
    architecture: &'static str,
    os: &'static str,
    #[serde(rename = "layerDigests")]
    layer_digests: [Digest; 1],
    component: Interfaces,
}

/// Names of imports and exports.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Interfaces {
    exports: Vec<String>,
    imports: Vec<String>,
}

/// Returns the text of the configuration. Its time is constant, so that a component always has one configuration.
pub(crate) fn build_configuration(component: &[u8]) -> Result<Vec<u8>, Error> {
    let interfaces = list_interfaces(component)
        .ok_or_else(|| Error::new(ErrorKind::Usage, "the file is not a WebAssembly component"))?;
    let configuration = Configuration {
        created: CREATED,
        architecture: "wasm",
        os: "wasip2",
        layer_digests: [Digest::of_content(component)],
        component: interfaces,
    };
    Ok(serde_json::to_vec(&configuration).unwrap_or_default())
}

/// Returns the imports and exports of the component itself, not of nested ones.
fn list_interfaces(component: &[u8]) -> Option<Interfaces> {
    if !Parser::is_component(component) {
        return None;
    }
    let mut found = Interfaces::default();
    let mut depth = 0_u32;
    for payload in Parser::new(0).parse_all(component) {
        match payload.ok()? {
            // The parser also reports the sections of nested modules and components, whose imports are not
            // the plugin's.
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(imports) if depth == 0 => {
                for import in imports {
                    found.imports.push(import.ok()?.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(exports) if depth == 0 => {
                for export in exports {
                    found.exports.push(export.ok()?.name.name.to_owned());
                }
            }
            _ => {}
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_lists_the_imports_and_exports_of_the_component() {
        let component = wat::parse_str(
            r#"(component
                (import "a:b/c@1.0.0" (instance))
                (component (import "inner" (func)))
                (core module (import "m" "n" (func)))
                (instance $i)
                (export "d:e/f" (instance $i)))"#,
        )
        .unwrap();
        let text = String::from_utf8(build_configuration(&component).unwrap()).unwrap();
        let digest = Digest::of_content(&component);
        assert_eq!(
            text,
            format!(
                r#"{{"created":"1970-01-01T00:00:00Z","architecture":"wasm","os":"wasip2","layerDigests":["{digest}"],"component":{{"exports":["d:e/f"],"imports":["a:b/c@1.0.0"]}}}}"#
            )
        );
    }

    #[test]
    fn a_module_or_any_other_file_is_not_a_component() {
        for other in [wat::parse_str("(module)").unwrap(), b"\0asm".to_vec(), Vec::new()] {
            assert_eq!(
                build_configuration(&other).unwrap_err().to_string(),
                "the file is not a WebAssembly component"
            );
        }
    }
}
