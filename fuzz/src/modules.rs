//! Valid modules made of any bytes, each in a component: the code generator does not panic, whatever code it is given.

use hookbox::{
    model::{Proposal, Proposals},
    sandbox::{compile::precompile_with, component_shape},
};
use libfuzzer_sys::arbitrary::{Arbitrary, Unstructured};
use wasm_smith::{Config, Module};

/// The bytes are choices: which sections, which instructions.
pub fn run(data: &[u8]) {
    let mut choices = Unstructured::new(data);
    let Ok(mut config) = Config::arbitrary(&mut choices) else { return };
    let proposals = proposals(&mut choices);
    only_what_is_switched_on(&mut config, proposals);
    let Ok(module) = Module::new(config, &mut choices) else { return };
    let component = component(&module.to_bytes());
    let checked = component_shape::check_parts(&component).map_err(|error| error.to_string());
    let compiled =
        checked.and_then(|()| precompile_with(&component, proposals).map_err(|error| error.to_string()));
    if let Err(problem) = compiled {
        // What the validator says is our mistake; but for `externref`, which comes with the types that are switched on.
        let mistaken =
            problem.contains("Invalid input WebAssembly") && !problem.contains("gc types are disallowed");
        assert!(!mistaken, "{problem}");
    }
}

/// None for half of them.
fn proposals(choices: &mut Unstructured<'_>) -> Proposals {
    let chosen = choices.arbitrary::<u8>().unwrap_or_default();
    let is_chosen = |proposal: &Proposal| chosen & 4 != 0 && chosen & (1 << *proposal as u8) != 0;
    Proposal::ALL.into_iter().filter(is_chosen).collect()
}

fn only_what_is_switched_on(config: &mut Config, proposals: Proposals) {
    config.threads_enabled = false;
    config.shared_everything_threads_enabled = false;
    config.memory64_enabled = false;
    config.relaxed_simd_enabled = false;
    config.exceptions_enabled = proposals.has(Proposal::Exceptions);
    config.tail_call_enabled = false;
    config.gc_enabled = proposals.has(Proposal::Gc);
    config.custom_page_sizes_enabled = false;
    config.wide_arithmetic_enabled = false;
    config.max_memories = 1;
}

/// A component with this module in it.
fn component(module: &[u8]) -> Vec<u8> {
    let mut bytes = b"\0asm\x0d\0\x01\0\x01".to_vec();
    let mut length = module.len();
    while length > 0x7f {
        bytes.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend_from_slice(module);
    bytes
}
