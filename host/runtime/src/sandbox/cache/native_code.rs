//! Loads native code from a file of the cache, or from the compiler's output.

use std::{fs::File, path::Path};

use hookbox_model::{Failure, FailureCode};
use hookbox_platform::file::path_of_open;
use wasmtime::{Engine, Module, Precompiled, component::Component};

use super::form::read_content;

pub(in crate::sandbox) enum Code {
    Component(Component),
    Module(Module),
}

#[expect(
    unsafe_code,
    reason = "the file is in a directory that only this user can write, and is what was written"
)]
pub(super) fn from_file(engine: &Engine, file: &File) -> Option<Code> {
    // By descriptor, not by name: the file that was checked is the file that is mapped.
    let mapped = path_of_open(file).and_then(|path| unsafe {
        // Most plugins are components; wasmtime rejects the other kind.
        let component = Component::deserialize_file(engine, &path).map(Code::Component);
        component.or_else(|_| Module::deserialize_file(engine, &path).map(Code::Module)).ok()
    });
    mapped.or_else(|| from_copy(engine, file))
}

/// Copies the code. Without `/proc` a descriptor has no name that could be mapped.
fn from_copy(engine: &Engine, file: &File) -> Option<Code> {
    from_bytes(engine, Path::new(""), &read_content(file)?).ok()
}

#[expect(
    unsafe_code,
    reason = "the bytes come from our own compiler, in this very call or by a file that was checked"
)]
pub(in crate::sandbox) fn from_bytes(engine: &Engine, path: &Path, code: &[u8]) -> Result<Code, Failure> {
    let loaded = unsafe {
        match Engine::detect_precompiled(code) {
            Some(Precompiled::Module) => Module::deserialize(engine, code).map(Code::Module),
            _ => Component::deserialize(engine, code).map(Code::Component),
        }
    };
    loaded.map_err(|error| {
        let (path, message) = (path.display(), format!("{error:#}"));
        // With a pool, wasmtime compares the declared memories and tables of a component with the limits when
        // it loads the code. Then the component is at fault, and not the installation.
        if message.contains("pooling allocator") {
            let message = format!("the plugin {path} asks for more than its `limits` give: {message}");
            return Failure::new(FailureCode::Memory, &message);
        }
        Failure::new(
            FailureCode::Internal,
            &format!(
                "the compiler does not fit this hookbox ({path}): {message}; install both from one build"
            ),
        )
    })
}
