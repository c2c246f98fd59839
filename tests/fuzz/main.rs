//! What the fuzz targets do, over their seeds: the same code as `cargo xtask fuzz` runs.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests and their helpers")]
#![expect(unreachable_pub, reason = "the fuzz targets are a crate of their own")]

#[path = "../../fuzz/src/answers.rs"]
mod answers;
#[path = "../../fuzz/src/bus.rs"]
mod bus;
#[path = "../../fuzz/src/components.rs"]
mod components;
#[path = "../../fuzz/src/configuration.rs"]
mod configuration;
#[path = "../../fuzz/src/control.rs"]
mod control;
#[path = "../../fuzz/src/events.rs"]
mod events;
#[expect(dead_code, reason = "what other tests want besides")]
#[path = "../support/guests.rs"]
mod guests;
#[path = "../../fuzz/src/json.rs"]
mod json;
#[path = "../../fuzz/src/layouts.rs"]
mod layouts;
#[path = "../../fuzz/src/own_hooks.rs"]
mod own_hooks;
#[path = "../../fuzz/src/revocations.rs"]
mod revocations;
#[path = "../../fuzz/src/seeds.rs"]
mod seeds;
#[path = "../../fuzz/src/settings.rs"]
mod settings;
#[path = "../../fuzz/src/signatures.rs"]
mod signatures;
#[path = "../../fuzz/src/statements.rs"]
mod statements;
#[path = "../../fuzz/src/trust_files.rs"]
mod trust_files;
#[path = "../../fuzz/src/yaml.rs"]
mod yaml;

use std::fs;

/// Runs a target over all of its seeds.
fn all_seeds(target: &str, run: fn(&[u8])) {
    let seeds = seeds::of(&guests::repository_folder(""), target).unwrap();
    assert!(!seeds.is_empty(), "{target} has no seeds");
    for seed in &seeds {
        run(seed);
    }
}

#[test]
fn no_answer_of_a_hook_is_a_panic_in_any_contract() {
    all_seeds("answers", answers::run);
}

#[test]
fn whatever_is_published_on_the_bus_has_one_response_at_most() {
    all_seeds("bus", bus::run);
}

#[test]
fn an_untrusted_configuration_is_harmless_whatever_its_content() {
    all_seeds("configuration", configuration::run);
}

#[test]
fn whatever_claude_code_sends_to_callbacks_each_line_is_answered_once_at_most() {
    all_seeds("control", control::run);
}

#[test]
fn every_dialect_says_a_deny_to_whatever_it_reads() {
    all_seeds("events", events::run);
}

#[test]
fn json_means_the_same_when_it_is_read_again() {
    all_seeds("json", json::run);
}

#[test]
fn what_is_imported_from_any_agents_file_can_be_read() {
    all_seeds("own_hooks", own_hooks::run);
    all_seeds("yaml", yaml::run);
}

#[test]
fn what_is_installed_in_any_settings_can_be_taken_out() {
    all_seeds("settings", settings::run);
}

#[test]
fn what_is_said_of_a_release_has_one_reading() {
    all_seeds("statements", statements::run);
}

#[test]
fn signatures_signers_and_revocations_are_read_or_refused() {
    all_seeds("signatures", signatures::run);
    all_seeds("revocations", revocations::run);
}

#[test]
fn policies_and_lock_files_mean_what_they_say() {
    all_seeds("trust_files", trust_files::run);
}

#[test]
fn what_is_found_in_a_layout_is_what_its_digest_says() {
    all_seeds("layouts", layouts::run);
}

#[test]
fn no_guest_is_a_panic_of_the_compiler() {
    for guest in guests::list_guests() {
        components::run(&guests::build_component(&guest));
    }
}

#[test]
fn every_target_is_a_program_and_a_module() {
    let read = |name: &str| fs::read_to_string(guests::repository_folder("fuzz").join(name)).unwrap();
    let (manifest, modules) = (read("Cargo.toml"), read("src/lib.rs"));
    let programs = fs::read_dir(guests::repository_folder("fuzz/fuzz_targets")).unwrap();
    let names: Vec<_> = programs
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(manifest.matches("[[bin]]").count(), names.len());
    for name in names {
        assert!(
            manifest.contains(&format!("name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"")),
            "{name}"
        );
        assert!(modules.contains(&format!("pub mod {name};")), "{name}");
        assert!(read(&format!("fuzz_targets/{name}.rs")).contains(&format!("::{name}::run(data)")), "{name}");
    }
}
