//! `plugin build` by a command of the project, and of a core module that another tool made.

use std::{fs, os::unix::fs::PermissionsExt};

use wit_component::{StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

use crate::{
    TOML, TOOLS, create_bed, guests, list_files, mask_measurements, testbed::TestBed, write_fixture,
    write_tool, zig_project, zig_that_makes,
};

/// A core module without a world.
fn build_module() -> Vec<u8> {
    let file = guests::repository_folder("tests/guests").join("denies.wat");
    wat::parse_str(fs::read_to_string(file).unwrap()).unwrap()
}

/// The same with its world in a custom section, as `wit-bindgen` makes it.
fn build_module_with_world() -> Vec<u8> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(guests::repository_folder("wit/0.1.0")).unwrap();
    let world = resolve.select_world(&[package], Some("hook")).unwrap();
    let mut module = build_module();
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
    module
}

/// A project that the tool `weave` builds, and a `weave` that makes this file.
fn woven_project(bed: &TestBed, wasm: &[u8]) {
    let build = "[build]\ncommand = [\"weave\", \"--out\", \"my hook.wasm\"]\noutput = \"my hook.wasm\"\n";
    bed.write_file("[PROJECT]/plugin.toml", &format!("{TOML}{build}"));
    bed.write_bytes(&format!("{TOOLS}/made.wasm"), wasm);
    write_tool(bed, "weave", r#"cp "${0%/*}/made.wasm" "$2""#);
}

/// The last error of a build that fails, without the earlier plugin being changed.
fn report_failed_build(bed: &TestBed) -> String {
    bed.write_file("[PROJECT]/build/guard.wasm", "the old one");
    let ran = bed.run_hookbox(&["plugin", "build"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{ran}");
    assert_eq!(fs::read(bed.resolve_path("[PROJECT]/build/guard.wasm")).unwrap(), b"the old one");
    let at = ran.stderr.find("error: ").unwrap();
    ran.stderr[at..].to_owned()
}

#[test]
fn a_command_of_the_project_makes_the_plugin() {
    let bed = create_bed();
    woven_project(&bed, &guests::build_component("denies"));
    let ran = bed.run_hookbox(&["plugin", "build"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(ran.stderr, "$ weave --out my hook.wasm\n");
    let made = fs::read(bed.resolve_path("[PROJECT]/build/guard.wasm")).unwrap();
    assert!(made.starts_with(&guests::build_component("denies")));
    assert_eq!(list_files(&bed.resolve_path("[PROJECT]/build")), [".built", ".lock", "guard.wasm"]);
    let inspected = bed.run_hookbox(&["plugin", "inspect", "build/guard.wasm"]);
    assert!(inspected.stdout.contains("acme/guard"), "{inspected}");
}

#[test]
fn a_core_module_that_a_command_makes_becomes_a_component() {
    let bed = create_bed();
    woven_project(&bed, &build_module_with_world());
    let ran = bed.run_hookbox(&["plugin", "build"]);
    assert!(ran.code == 0 && ran.stdout.contains("kind      typed hook"), "{ran}");
}

#[test]
fn a_command_is_a_program_of_the_project_by_its_path() {
    let bed = create_bed();
    bed.write_file(
        "[PROJECT]/plugin.toml",
        &format!("{TOML}[build]\ncommand = [\"./tools/make it\", \"$HOME;\"]\noutput = \"out/a.wasm\"\n"),
    );
    bed.write_bytes("[PROJECT]/in.wasm", &guests::build_component("denies"));
    // The words come as they are, since no shell reads them.
    let script = "#!/bin/sh\n[ \"$1\" = '$HOME;' ] && mkdir out && cp in.wasm out/a.wasm\n";
    let tool = bed.write_file("[PROJECT]/tools/make it", script);
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    let ran = bed.run_hookbox(&["plugin", "build"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(bed.resolve_path("[PROJECT]/build/guard.wasm").exists());
}

#[test]
fn a_command_that_makes_no_plugin_is_reported_and_the_earlier_plugin_is_kept() {
    let bed = create_bed();
    woven_project(&bed, b"no wasm");
    assert_eq!(report_failed_build(&bed), "error: the plugin build/guard.wasm is not a wasm component\n");
    write_tool(&bed, "weave", "echo no thread; exit 3");
    assert_eq!(report_failed_build(&bed), "error: `weave` failed with exit status: 3; its output is above\n");
    fs::remove_file(bed.resolve_path("[PROJECT]/my hook.wasm")).unwrap();
    write_tool(&bed, "weave", "exit 0");
    assert_eq!(
        report_failed_build(&bed),
        "error: the command did not write the file [PROJECT]/my hook.wasm\n\
         help: name the file that it writes in plugin.toml: [build] output = \"…\"\n"
    );
    // A device has no end.
    write_tool(&bed, "weave", "ln -s /dev/zero \"$2\"");
    assert!(report_failed_build(&bed).contains("the command did not write the file"));
    fs::remove_file(bed.resolve_path(&format!("{TOOLS}/weave"))).unwrap();
    assert_eq!(
        report_failed_build(&bed),
        "error: `weave` of `command` in plugin.toml is not on PATH\n\
         help: install it, or write the path of a program in the project: command = [\"./weave\"]\n"
    );
}

#[test]
fn a_command_may_not_make_the_finished_plugin_itself() {
    let bed = create_bed();
    bed.write_file(
        "[PROJECT]/plugin.toml",
        &format!("{TOML}[build]\ncommand = [\"weave\"]\noutput = \"build/guard.wasm\"\n"),
    );
    write_tool(&bed, "weave", "echo new > build/guard.wasm");
    assert_eq!(
        report_failed_build(&bed),
        "error: `output` of plugin.toml is build/guard.wasm, where hookbox writes the finished plugin\n\
         help: let the command write another file: output = \"hook.wasm\"\n"
    );
}

#[test]
fn a_timeout_is_refused_for_a_command() {
    let bed = create_bed();
    woven_project(&bed, &guests::build_component("denies"));
    let ran = bed.run_hookbox(&["plugin", "build", "--timeout", "10"]);
    assert!(ran.code == 2 && ran.stderr.contains("a build by a command has no time limit"), "{ran}");
}

#[test]
fn a_file_that_a_command_has_made_since_the_build_must_be_built() {
    let bed = create_bed();
    woven_project(&bed, &guests::build_component("denies"));
    write_fixture(&bed, "a", r#""answer": { "verdict": "deny", "code": "no", "reason": "because" }"#);
    assert_eq!(bed.run_hookbox(&["plugin", "build"]).code, 0);
    let ran = bed.run_hookbox(&["plugin", "test"]);
    assert_eq!(ran.code, 0, "{ran}");
    bed.write_bytes("[PROJECT]/my hook.wasm", &guests::build_component("none"));
    let ran = bed.run_hookbox(&["plugin", "test"]);
    assert!(ran.code == 1 && ran.stderr.contains("my hook.wasm has changed since"), "{ran}");
}

#[test]
fn a_core_module_with_a_world_becomes_a_component_next_to_it() {
    let bed = create_bed();
    let module = build_module_with_world();
    bed.write_bytes("[PROJECT]/my core.wasm", &module);
    let ran = bed.run_hookbox(&["plugin", "build", "my core.wasm"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
    let built = mask_measurements(&ran.stdout);
    assert_eq!(built, "built     [PROJECT]/my core.component.wasm (N bytes) in N s");
    assert_eq!(fs::read(bed.resolve_path("[PROJECT]/my core.wasm")).unwrap(), module);
    let inspected = bed.run_hookbox(&["plugin", "inspect", "my core.component.wasm"]);
    assert!(inspected.code == 0 && inspected.stdout.contains("typed hook"), "{inspected}");
    let ran = bed.run_hookbox(&["plugin", "build", "my core.wasm", "--out", "other.wasm", "--json"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(
        list_files(&bed.resolve_path("[PROJECT]")),
        ["my core.component.wasm", "my core.wasm", "other.wasm"]
    );
}

#[test]
fn a_wasm_file_that_cannot_be_made_a_hook_is_reported_with_the_next_step() {
    let bed = create_bed();
    bed.write_bytes("[PROJECT]/core.wasm", &build_module());
    bed.write_bytes("[PROJECT]/guard.wasm", &guests::build_component("denies"));
    bed.write_bytes("[PROJECT]/carries.wasm", &build_module_with_world());
    let report = |words: &[&str], code| {
        let ran = bed.run_hookbox(&[&["plugin", "build"], words].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{ran}");
        ran.stderr
    };
    assert_eq!(
        report(&["core.wasm"], 1),
        "error: core.wasm is a core module without a world: it has no section `component-type`, which wit-bindgen writes\n\
         help: hookbox plugin wit --out wit && wasm-tools component embed wit core.wasm --world hook -o embedded.wasm\n"
    );
    assert_eq!(
        report(&["guard.wasm"], 2),
        "error: guard.wasm is a typed hook (a component that exports `handle`) and needs no build\n\
         help: hookbox plugin add guard.wasm\n"
    );
    assert_eq!(
        report(&["carries.wasm", "--out", "carries.wasm"], 2),
        "error: --out is the input carries.wasm; name another file\n"
    );
    assert_eq!(list_files(&bed.resolve_path("[PROJECT]")), ["carries.wasm", "core.wasm", "guard.wasm"]);
}

/// The line in the message is true.
#[test]
fn a_module_without_a_world_is_built_after_the_files_of_the_world_were_written() {
    let bed = create_bed();
    zig_project(&bed, TOML);
    zig_that_makes(&bed, &build_module());
    let ran = bed.run_hookbox(&["plugin", "build"]);
    assert!(ran.code == 1 && ran.stderr.contains("help: hookbox plugin wit --out hookbox/wit"), "{ran}");
    let ran = bed.run_hookbox(&["plugin", "wit", "--version", "0.1.0", "--out", "hookbox/wit"]);
    assert_eq!(ran.code, 0, "{ran}");
    let ran = bed.run_hookbox(&["plugin", "build"]);
    assert!(ran.code == 0 && ran.stdout.contains("kind      typed hook"), "{ran}");
}
