//! Glue of crates that also run in browsers: exports that describe browser functions, and imports of them. Hooks have no browser: the
//! exports are removed, and an import that is still reachable traps if it is ever called.

use std::borrow::Cow;

use crate::{ComponentError, contains_name};

/// Prefix of all names of the glue.
const GLUE: &str = "__wbindgen";

pub(crate) fn remove_glue(core: &[u8]) -> Result<Cow<'_, [u8]>, ComponentError> {
    // walrus writes a module anew, so one without glue is not passed through it.
    if !contains_name(core, GLUE) {
        return Ok(Cow::Borrowed(core));
    }
    let mut module = walrus::Module::from_buffer(core).map_err(ComponentError::from_error)?;
    let is_glue = |export: &&walrus::Export| export.name.starts_with(GLUE);
    let glue: Vec<_> = module.exports.iter().filter(is_glue).map(walrus::Export::id).collect();
    for export in glue {
        module.exports.delete(export);
    }
    let is_glue = |import: &&walrus::Import| import.module.starts_with(GLUE);
    let glue: Vec<_> = module.imports.iter().filter(is_glue).map(|import| import.kind.clone()).collect();
    for import in glue {
        if let walrus::ImportKind::Function(function) = import {
            let trap = module.replace_imported_func(function, |(body, _)| {
                body.unreachable();
            });
            trap.map_err(ComponentError::from_error)?;
        }
    }
    module.customs.remove_raw("__wasm_bindgen_unstable");
    // Functions that only removed exports used would keep their imports, which hookbox refuses.
    walrus::passes::gc::run(&mut module);
    Ok(Cow::Owned(module.emit_wasm()))
}
