//! Compiles components to native code in this process.

use hookbox_model::{Limits, Proposals};

use crate::sandbox::engine_settings::config_with;

/// The engine refuses a component: the engine's message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PrecompileError(String);

impl PrecompileError {
    fn from_engine(error: &wasmtime::Error) -> Self {
        Self(format!("{error:#}"))
    }
}

/// Compiles a component, or a core module, in this process.
pub fn precompile_component(component: &[u8]) -> Result<Vec<u8>, PrecompileError> {
    precompile_with(component, Proposals::NONE)
}

/// Compiles a component, or a core module, that needs these proposals.
pub fn precompile_with(component: &[u8], proposals: Proposals) -> Result<Vec<u8>, PrecompileError> {
    precompile_by(&config_of(proposals), component)
}

/// Compiles a component, or a core module, for each processor of this architecture.
pub fn precompile_baseline(component: &[u8], proposals: Proposals) -> Result<Vec<u8>, PrecompileError> {
    let mut config = config_of(proposals);
    let target = format!("{}-unknown-{}-gnu", std::env::consts::ARCH, std::env::consts::OS);
    // With an explicit target, wasmtime does not detect the features of the processor that it runs on.
    config.target(&target).map_err(|error| PrecompileError::from_engine(&error))?;
    precompile_by(&config, component)
}

fn config_of(proposals: Proposals) -> wasmtime::Config {
    config_with(proposals, &Limits::default())
}

fn precompile_by(config: &wasmtime::Config, component: &[u8]) -> Result<Vec<u8>, PrecompileError> {
    // The version in the header: 1 for a core module, while a component has a layer of 1 in its upper half.
    let is_module = component.get(4..8) == Some(&[1, 0, 0, 0]);
    wasmtime::Engine::new(config)
        .and_then(|engine| {
            if is_module {
                engine.precompile_module(component)
            } else {
                engine.precompile_component(component)
            }
        })
        .map_err(|error| PrecompileError::from_engine(&error))
}
