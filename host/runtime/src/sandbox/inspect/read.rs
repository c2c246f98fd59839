//! Parses a wasm file, in the compiler's process.

use std::collections::BTreeSet;

use wasmparser::{ComponentTypeRef, FuncValidatorAllocations, Parser, Payload, ValidPayload, Validator};

use super::{Anatomy, Kind, MAX_NAMES};
use crate::sandbox::{engine_settings, link::RUN};

/// The bytes are not a valid component or core module.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct InvalidWasm(wasmparser::Error);

/// Returns the parts of a valid component or core module.
pub fn read_anatomy(wasm: &[u8]) -> Result<Anatomy, InvalidWasm> {
    read_valid(wasm).map_err(InvalidWasm)
}

fn read_valid(wasm: &[u8]) -> wasmparser::Result<Anatomy> {
    let (mut found, mut validator) =
        (WasmFacts::default(), Validator::new_with_features(engine_settings::accepted_features()));
    let mut allocations = FuncValidatorAllocations::default();
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload?;
        if let ValidPayload::Func(function, body) = validator.payload(&payload)? {
            let mut function = function.into_validator(allocations);
            // Without this, a module that no engine of hookbox accepts would be described as a plugin.
            function.validate(&body)?;
            allocations = function.into_allocations();
        }
        found.add_payload(&payload)?;
    }
    Ok(found.into_anatomy(hookbox_manifest::sections::is_component(wasm)))
}

#[derive(Default)]
struct WasmFacts {
    depth: u64,
    imports: BTreeSet<String>,
    exports: BTreeSet<String>,
    /// Exports that determine the ways of calling it.
    handle: bool,
    run: bool,
    start: bool,
    functions: u64,
    nested: u64,
}

impl WasmFacts {
    fn add_payload(&mut self, payload: &Payload<'_>) -> wasmparser::Result<()> {
        match payload {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => {
                self.depth += 1;
                self.nested += 1;
            }
            Payload::End(_) => self.depth = self.depth.saturating_sub(1),
            Payload::FunctionSection(section) => self.functions += u64::from(section.count()),
            // Names within nested modules are their wiring; the plugin does not import or export them.
            _ if self.depth == 0 => self.add_names(payload)?,
            _ => {}
        }
        Ok(())
    }

    fn add_names(&mut self, payload: &Payload<'_>) -> wasmparser::Result<()> {
        match payload {
            Payload::ComponentImportSection(section) => {
                for import in section.clone() {
                    let import = import?;
                    // A type names something that an interface defines.
                    if !matches!(import.ty, ComponentTypeRef::Type(_)) {
                        keep_name(&mut self.imports, import.name.name);
                    }
                }
            }
            Payload::ComponentExportSection(section) => {
                for export in section.clone() {
                    self.add_export(export?.name.name);
                }
            }
            Payload::ImportSection(section) => {
                for import in section.clone().into_imports() {
                    keep_name(&mut self.imports, import?.module);
                }
            }
            Payload::ExportSection(section) => {
                for export in section.clone() {
                    self.add_export(export?.name);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add_export(&mut self, name: &str) {
        self.handle |= name == "handle";
        self.run |= name.starts_with(RUN);
        self.start |= name == "_start";
        keep_name(&mut self.exports, name);
    }

    fn into_anatomy(self, is_component: bool) -> Anatomy {
        let kind = match (is_component, self.handle, self.run, self.start) {
            (true, true, ..) => Kind::Hook,
            (true, false, true, _) => Kind::Program,
            (true, false, false, _) => Kind::Component,
            (false, .., true) => Kind::CoreProgram,
            (false, .., false) => Kind::CoreModule,
        };
        let Self { imports, exports, functions, nested, .. } = self;
        let (imports, exports) = (imports.into_iter().collect(), exports.into_iter().collect());
        Anatomy { kind, imports, exports, functions, nested }
    }
}

/// Adds a name once, up to the maximum.
fn keep_name(names: &mut BTreeSet<String>, name: &str) {
    if names.len() < MAX_NAMES {
        names.insert(name.to_owned());
    }
}
