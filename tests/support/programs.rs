//! Programs from text as components.

use wasi_preview1_component_adapter_provider::WASI_SNAPSHOT_PREVIEW1_COMMAND_ADAPTER;
use wit_component::ComponentEncoder;

use crate::guests;

/// Returns a program, which is a core module, as a component.
pub(crate) fn build_program(name: &str) -> Vec<u8> {
    let module = guests::build_component(name);
    let mut encoder = ComponentEncoder::default().module(&module).unwrap();
    encoder = encoder.adapter(guests::PREVIEW1, WASI_SNAPSHOT_PREVIEW1_COMMAND_ADAPTER).unwrap();
    encoder.encode().unwrap()
}
