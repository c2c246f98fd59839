//! Runs the fuzz target `shell_words` over its seeds.
#![expect(unreachable_pub, reason = "the fuzz targets are a crate of their own")]

#[path = "../../../fuzz/src/seeds.rs"]
mod seeds;
#[path = "../../../fuzz/src/shell_words.rs"]
mod shell_words;

use std::path::Path;

#[test]
fn any_command_line_is_judged() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let seeds = seeds::of(&root, "shell_words").unwrap();
    assert!(seeds.len() > 10);
    for seed in seeds {
        shell_words::run(&seed);
    }
}
