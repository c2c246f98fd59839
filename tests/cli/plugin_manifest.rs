//! `hookbox plugin manifest`: what `plugin.toml` says, into the plugin's file. What would be refused is not written.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
};

use insta::assert_snapshot;

use crate::{
    TestBed,
    guests::{self, custom_section, encode_manifest, nest_component},
};

const TOML: &str = r#"name = "acme/guard"
version = "1.2.0"
seq = 12
description = "Keeps deployments within office hours."
events = ["tool.before"]
effects = ["ask", "deny-code"]

[capabilities]
clock = true
"#;

/// A bed with this plugin and `plugin.toml`.
fn create_bed(plugin: &[u8], toml: &str) -> TestBed {
    let bed = TestBed::new().with_own_cache();
    bed.write_bytes("[PROJECT]/it.wasm", plugin);
    bed.write_file("[PROJECT]/plugin.toml", toml);
    bed
}

/// What is said, without what varies with the tools that make the guests.
fn write_manifest(bed: &TestBed, more: &[&str]) -> String {
    let arguments = [&["plugin", "manifest", "it.wasm", "plugin.toml"], more].concat();
    let said = bed.run_hookbox(&arguments).to_string();
    let lines = said.lines().filter(|line| !line.starts_with("sha256"));
    let lines: Vec<_> = lines
        .map(|line| line.split(" (").next().filter(|_| line.ends_with(" bytes)")).unwrap_or(line))
        .collect();
    lines.join("\n")
}

fn read_bytes(bed: &TestBed, name: &str) -> Vec<u8> {
    fs::read(bed.resolve_path(name)).unwrap()
}

/// The line of `inspect` that begins so.
fn inspect_line(bed: &TestBed, file: &str, key: &str) -> String {
    let said = bed.run_hookbox(&["plugin", "inspect", file]).to_string();
    said.lines().find(|line| line.starts_with(key)).unwrap_or_default().to_owned()
}

#[test]
fn a_typed_hook_gets_the_manifest_at_its_end_and_can_be_called_as_before() {
    let plugin = guests::build_component("denies");
    let bed = create_bed(&plugin, TOML);
    assert_snapshot!(write_manifest(&bed, &[]), @"
    exit code 0
    --- stdout
    wrote     it.wasm
    manifest  acme/guard 1.2.0, release 12
    --- stderr
    ");
    let json = r#"{"schema":1,"capabilities":{"clock":true},"description":"Keeps deployments within office hours.","effects":["ask","deny-code"],"events":["tool.before"],"name":"acme/guard","seq":12,"version":"1.2.0","world":"hookbox:hook/hook@0.1.0"}"#;
    let expected = [plugin, custom_section("hookbox:manifest", json.as_bytes())].concat();
    assert_eq!(read_bytes(&bed, "[PROJECT]/it.wasm"), expected);
    assert_eq!(inspect_line(&bed, "it.wasm", "asks for"), "asks for  clock");
}

#[test]
fn another_manifest_takes_the_place_of_the_first_and_the_same_one_changes_nothing() {
    let plugin =
        [guests::build_component("denies"), encode_manifest(""), encode_manifest(r#""seq":1"#)].concat();
    let bed = create_bed(&plugin, TOML);
    fs::set_permissions(bed.resolve_path("[PROJECT]/it.wasm"), fs::Permissions::from_mode(0o640)).unwrap();
    write_manifest(&bed, &[]);
    bed.write_file("[PROJECT]/plugin.toml", &TOML.replace("seq = 12", "seq = 13"));
    assert_snapshot!(write_manifest(&bed, &[]), @"
    exit code 0
    --- stdout
    wrote     it.wasm
    manifest  acme/guard 1.2.0, release 13
    before    acme/guard 1.2.0, release 12
    --- stderr
    ");
    let before = fs::metadata(bed.resolve_path("[PROJECT]/it.wasm")).unwrap();
    assert_snapshot!(write_manifest(&bed, &[]), @"
    exit code 0
    --- stdout
    unchanged it.wasm
    manifest  acme/guard 1.2.0, release 13
    --- stderr
    ");
    let after = fs::metadata(bed.resolve_path("[PROJECT]/it.wasm")).unwrap();
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());
    assert_eq!(after.permissions().mode() & 0o777, 0o640);
}

#[test]
fn with_an_output_the_plugin_itself_stays() {
    let plugin = guests::build_component("denies");
    let bed = create_bed(&plugin, TOML);
    assert!(
        write_manifest(&bed, &["--output", "dist/out.wasm"])
            .starts_with("exit code 0\n--- stdout\nwrote     dist/out.wasm")
    );
    assert_eq!(read_bytes(&bed, "[PROJECT]/it.wasm"), plugin);
    assert_eq!(
        inspect_line(&bed, "dist/out.wasm", "manifest"),
        "manifest  acme/guard 1.2.0, release 12: unverified, stated by the plugin"
    );
    assert_snapshot!(write_manifest(&bed, &["--output", "plugin.toml"]), @"
    exit code 1
    --- stdout
    --- stderr
    error: plugin.toml exists and is not a wasm file; name another file by --output
    ");
    assert_eq!(read_bytes(&bed, "[PROJECT]/plugin.toml"), TOML.as_bytes());
}

#[test]
fn a_link_to_a_plugin_stays_a_link() {
    let bed = create_bed(b"", TOML);
    bed.write_bytes("[HOME]/real.wasm", &guests::build_component("denies"));
    fs::remove_file(bed.resolve_path("[PROJECT]/it.wasm")).unwrap();
    symlink(bed.resolve_path("[HOME]/real.wasm"), bed.resolve_path("[PROJECT]/it.wasm")).unwrap();
    write_manifest(&bed, &[]);
    assert!(fs::symlink_metadata(bed.resolve_path("[PROJECT]/it.wasm")).unwrap().is_symlink());
    assert!(inspect_line(&bed, "[HOME]/real.wasm", "manifest").starts_with("manifest  acme/guard 1.2.0"));
}

#[test]
fn a_program_is_of_no_world_unless_its_author_says_so() {
    let bed = create_bed(&guests::build_component("program_denies"), TOML);
    write_manifest(&bed, &[]);
    assert_eq!(inspect_line(&bed, "it.wasm", "world"), "");
    bed.write_file("[PROJECT]/plugin.toml", &format!("world = \"hookbox:hook/hook@0.1.0\"\n{TOML}"));
    let said = write_manifest(&bed, &[]);
    let warning =
        "\nwarning   the plugin's manifest names the world hookbox:hook/hook@0.1.0, but it is a program";
    assert!(said.contains(warning), "{said}");
}

#[test]
fn mistakes_of_plugin_toml_are_reported_at_their_lines_and_nothing_is_written() {
    let plugin = guests::build_component("denies");
    let told = |toml: &str| {
        let bed = create_bed(&plugin, toml);
        let said = write_manifest(&bed, &[]);
        assert_eq!(read_bytes(&bed, "[PROJECT]/it.wasm"), plugin);
        assert!(said.starts_with("exit code 1"), "{said}");
        said
    };
    assert_snapshot!(told(&TOML.replace("clock", "clok").replace("seq", "sequence")), @"
    exit code 1
    --- stdout
    --- stderr
    plugin.toml:3:1: error: unknown key `sequence`
      3 | sequence = 12
        | ^^^^^^^^
      help: allowed: name, version, seq, description, world, min-host, events, effects, capabilities, build
    plugin.toml:9:1: error: unknown key `clok`
      9 | clok = true
        | ^^^^
      help: did you mean `clock`? allowed: clock, random, env, fs, http, secret, kv
    ");
    assert_snapshot!(told(&TOML.replace("deny-code", "fly")), @r#"
    exit code 1
    --- stdout
    --- stderr
    plugin.toml:6:19: error: its `effects` name `fly`, which is not one: observe, ask, deny-code, context, deny-text, rewrite, allow
      6 | effects = ["ask", "fly"]
        |                   ^^^^^
      help: for example effects = ["ask", "deny-code"]
    "#);
    assert_snapshot!(told(&TOML.replace("1.2.0", "1.2")), @r#"
    exit code 1
    --- stdout
    --- stderr
    plugin.toml:2:11: error: its `version` is no version (three numbers, as in 1.2.0)
      2 | version = "1.2"
        |           ^^^^^
      help: for example version = "1.2.0"
    "#);
    assert_snapshot!(told(&TOML.replace("version", "# version")), @r#"
    exit code 1
    --- stdout
    --- stderr
    plugin.toml: error: it has no `version`
      help: for example version = "1.2.0"
    "#);
    assert_snapshot!(told(&TOML.replace("[capabilities]", "[capabilities")), @"
    exit code 1
    --- stdout
    --- stderr
    plugin.toml:8:14: error: this is not TOML: unclosed table, expected `]`
      8 | [capabilities
        |              ^
    ");
    assert_snapshot!(told(&format!("min-host = \"99.0.0\"\n{TOML}")), @"
    exit code 1
    --- stdout
    --- stderr
    error: the manifest of the plugin it.wasm is refused: it asks for hookbox 99.0.0 or later, and this is 0.1.0: update hookbox
    ");
}

#[test]
fn a_file_that_is_not_a_plugin_gets_no_manifest() {
    let told = |plugin: &[u8]| {
        let bed = create_bed(plugin, TOML);
        let said = write_manifest(&bed, &[]);
        assert_eq!(read_bytes(&bed, "[PROJECT]/it.wasm"), plugin);
        said
    };
    let whole = guests::build_component("denies");
    let all = [
        told(b"hello"),
        told(&whole[..whole.len() - 1]),
        told(&guests::build_component("core_module")),
        told(&guests::build_component("other_world")),
        told(&[whole, nest_component(&encode_manifest(""))].concat()),
    ];
    assert_snapshot!(all.join("\n"), @"
    exit code 1
    --- stdout
    --- stderr
    error: the plugin it.wasm is not a wasm component
    exit code 1
    --- stdout
    --- stderr
    error: the plugin it.wasm cannot be read: unexpected end-of-file (at offset 0x44f)
    exit code 1
    --- stdout
    --- stderr
    error: it.wasm is no hook: a core module without `_start`; make a component of it first: wasm-tools component new it.wasm -o component.wasm
    exit code 1
    --- stdout
    --- stderr
    error: it.wasm is no hook: a component that exports neither `handle` nor `wasi:cli/run`; build it for hookbox's world (see `hookbox plugin inspect`)
    exit code 1
    --- stdout
    --- stderr
    error: the plugin it.wasm has a manifest in a component or module within it, where it does not count; it must be at the top of the file (custom section `hookbox:manifest`)
    ");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let bed = create_bed(&guests::build_component("denies"), TOML);
    fs::remove_file(bed.resolve_path("[PROJECT]/plugin.toml")).unwrap();
    assert_snapshot!(write_manifest(&bed, &[]), @"
    exit code 1
    --- stdout
    --- stderr
    error: cannot read plugin.toml: No such file or directory (os error 2)
    ");
    fs::create_dir(bed.resolve_path("[PROJECT]/plugin.toml")).unwrap();
    assert_snapshot!(write_manifest(&bed, &[]), @"
    exit code 1
    --- stdout
    --- stderr
    error: cannot read plugin.toml: it is not a plain file
    ");
    fs::remove_dir(bed.resolve_path("[PROJECT]/plugin.toml")).unwrap();
    bed.write_file("[PROJECT]/plugin.toml", &"#".repeat((64 << 10) + 1));
    assert_snapshot!(write_manifest(&bed, &[]), @"
    exit code 1
    --- stdout
    --- stderr
    plugin.toml: error: the file has 65537 bytes, but may have 65536
    ");
}
