#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hookbox_fuzz::own_hooks::run(data));
