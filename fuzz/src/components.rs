//! Bytes that are said to be a component, through everything that the compiler's process does with them.

use hookbox::sandbox::{compile::precompile_component, component_shape};

/// The bytes are what a plugin's file may hold.
pub fn run(data: &[u8]) {
    let checked = component_shape::check_parts(data).map_err(|error| error.to_string());
    let compiled = checked.and_then(|()| precompile_component(data).map_err(|error| error.to_string()));
    if let Err(problem) = compiled {
        assert!(!problem.is_empty());
    }
}
