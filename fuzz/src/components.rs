//! Bytes that are said to be a component, through everything that the compiler's process does with them.

use hookbox::sandbox::{compile::precompile_component, shape};

/// The bytes are what a plugin's file may hold.
pub fn run(data: &[u8]) {
    let compiled = shape::check_parts(data).and_then(|()| precompile_component(data));
    if let Err(problem) = compiled {
        assert!(!problem.is_empty());
    }
}
