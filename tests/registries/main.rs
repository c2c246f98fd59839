//! Plugins on their way through registries and folders, as `hookbox plugin push` and `pull` and as `hookbox plugin add` asks for them.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests and their helpers")]
#![expect(clippy::disallowed_methods, reason = "the command is a process")]

#[path = "../support/guests.rs"]
#[expect(dead_code, reason = "other tests make more of them")]
mod guests;
#[path = "../support/story.rs"]
mod story;
#[path = "../support/testbed.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod testbed;
mod tls;
#[path = "../../host/registry/tests/stock/tools.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod tools;
mod transcript;

use std::{fs, path::Path};

use insta::assert_snapshot;

use crate::{
    testbed::{HOOKBOX, Ran, TestBed},
    tools::{Registry, run_skopeo},
};

/// What a plugin says of itself.
fn format_manifest(name: &str, version: &str) -> String {
    format!("name = \"{name}\"\nversion = \"{version}\"\nseq = 12\nevents = [\"tool.before\"]\n")
}

/// A bed with a key, who is known by it, and a plugin of this version that is signed with it.
fn create_bed(version: &str) -> TestBed {
    let bed = TestBed::new();
    let key = bed.resolve_path("[PROJECT]/key");
    let words = ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key.to_str().unwrap()];
    expect_success(&bed.run_with_input(&mut bed.command_of(Path::new("/usr/bin/ssh-keygen"), &words), b""));
    let public = fs::read_to_string(bed.resolve_path("[PROJECT]/key.pub")).unwrap();
    bed.write_file(
        "[PROJECT]/signers",
        &format!("release@acme.example namespaces=\"release@hookbox\" {public}"),
    );
    write_plugin(&bed, "guard", "acme/guard", version);
    expect_success(&bed.run_hookbox(&["plugin", "sign", "guard.wasm", "--key", "key"]));
    bed
}

/// A plugin with this manifest.
fn write_plugin(bed: &TestBed, file: &str, name: &str, version: &str) {
    bed.write_bytes(&format!("[PROJECT]/{file}.wasm"), &guests::build_component("denies"));
    bed.write_file("[PROJECT]/plugin.toml", &format_manifest(name, version));
    expect_success(&bed.run_hookbox(&["plugin", "manifest", &format!("{file}.wasm"), "plugin.toml"]));
}

fn expect_success(ran: &Ran) {
    assert_eq!(ran.code, 0, "{ran}");
}

/// What was said, without what differs from time to time.
fn mask_output(ran: &Ran, registry: &str) -> String {
    let mut text = ran.to_string().replace(registry, "[REGISTRY]");
    for (begins, digits, stands) in
        [("SHA256:", 43, "[KEY]"), ("sha256:", 64, "[DIGEST]"), ("sha256    ", 64, "[DIGEST]")]
    {
        let parts: Vec<_> = text.split(begins).map(str::to_owned).collect();
        let rest = parts[1..].iter().map(|part| format!("{begins}{stands}{}", &part[digits..]));
        text = [parts[0].clone()].into_iter().chain(rest).collect();
    }
    text
}

fn fetch_plugin(bed: &TestBed, source: &str, into: &str) -> Ran {
    let program = Path::new(HOOKBOX).with_file_name("hookbox-bundle");
    fs::create_dir_all(bed.resolve_path(into)).unwrap();
    let words = ["fetch", source, "--into", into, "--allowed-signers", "signers"];
    bed.run_with_input(&mut bed.command_of(&program, &words), b"")
}

fn read_bytes(bed: &TestBed, name: &str) -> Vec<u8> {
    fs::read(bed.resolve_path(name)).unwrap()
}

fn hash_bytes(bytes: &[u8]) -> String {
    hookbox::Sha256Digest::of_content(bytes).as_str().to_owned()
}

#[test]
fn a_signed_plugin_goes_to_a_registry_and_comes_back_with_what_was_said_of_it() {
    let (bed, registry) = (create_bed("1.2.0"), Registry::start());
    let place = format!("oci://{}", registry.name_repository("acme/guard"));
    assert_snapshot!(mask_output(&bed.run_hookbox(&["plugin", "push", "guard.wasm", &place]), &registry.address), @"
    exit code 0
    --- stdout
    pushed    acme/guard 1.2.0
    to        oci://[REGISTRY]/acme/guard:1.2.0
    manifest  sha256:[DIGEST]
    --- stderr
    ");
    fs::create_dir(bed.resolve_path("[PROJECT]/back")).unwrap();
    let pulled = bed.run_hookbox(&["plugin", "pull", &place, "--into", "back"]);
    assert_snapshot!(mask_output(&pulled, &registry.address), @"
    exit code 0
    --- stdout
    pulled    back/guard.wasm (acme/guard 1.2.0, release 12)
    from      oci://[REGISTRY]/acme/guard@sha256:[DIGEST]
    sha256    [DIGEST]
    signed    not verified; run: hookbox plugin verify back/guard.wasm
    --- stderr
    ");
    for name in ["guard.wasm", "guard.wasm.statement.json", "guard.wasm.statement.json.sig"] {
        assert_eq!(
            read_bytes(&bed, &format!("[PROJECT]/{name}")),
            read_bytes(&bed, &format!("[PROJECT]/back/{name}"))
        );
    }
    expect_success(&bed.run_hookbox(&[
        "plugin",
        "verify",
        "back/guard.wasm",
        "--allowed-signers",
        "signers",
    ]));
    // The second time it is there; other files with these names stay.
    expect_success(&bed.run_hookbox(&["plugin", "pull", &place, "--into", "back"]));
    bed.write_file("[PROJECT]/back/guard.wasm", "something else");
    let again = bed.run_hookbox(&["plugin", "pull", &place, "--into", "back"]);
    assert_snapshot!(again.to_string(), @"
    exit code 1
    --- stdout
    --- stderr
    error: back/guard.wasm exists with other content; pass --replace to replace it
    ");
    expect_success(&bed.run_hookbox(&["plugin", "pull", &place, "--into", "back", "--replace"]));
}

#[test]
fn what_is_pulled_in_the_place_of_another_release_has_no_signature_of_that() {
    let bed = create_bed("1.2.0");
    let key = ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", "other"];
    expect_success(&bed.run_with_input(&mut bed.command_of(Path::new("/usr/bin/ssh-keygen"), &key), b""));
    expect_success(&bed.run_hookbox(&["plugin", "sign", "guard.wasm", "--key", "other"]));
    expect_success(&bed.run_hookbox(&["plugin", "push", "guard.wasm", "oci-layout:out"]));
    write_plugin(&bed, "guard", "acme/guard", "1.3.0");
    expect_success(&bed.run_hookbox(&["plugin", "sign", "guard.wasm", "--key", "key"]));
    expect_success(&bed.run_hookbox(&["plugin", "push", "guard.wasm", "oci-layout:out"]));
    write_plugin(&bed, "guard", "acme/guard", "1.4.0");
    fs::remove_file(bed.resolve_path("[PROJECT]/guard.wasm.statement.json")).unwrap();
    expect_success(&bed.run_hookbox(&["plugin", "push", "guard.wasm", "oci-layout:out", "--unsigned"]));
    fs::create_dir(bed.resolve_path("[PROJECT]/back")).unwrap();
    let beside = [".statement.json", ".statement.json.sig", ".statement.json.sig.1"];
    for (version, there) in
        [("1.2.0", [true, true, true]), ("1.3.0", [true, true, false]), ("1.4.0", [false, false, false])]
    {
        let place = format!("oci-layout:out:{version}");
        expect_success(&bed.run_hookbox(&["plugin", "pull", &place, "--into", "back", "--replace"]));
        let is_there = |end: &str| bed.resolve_path(&format!("[PROJECT]/back/guard.wasm{end}")).exists();
        assert_eq!(beside.map(is_there), there, "{version}");
    }
}

#[test]
fn a_fetched_plugin_is_reported_with_its_signer() {
    let (bed, registry) = (create_bed("1.2.0"), Registry::start());
    let place = format!("oci://{}", registry.name_repository("acme/guard:1.2.0"));
    expect_success(&bed.run_hookbox(&["plugin", "push", "guard.wasm", &place]));
    let ran = fetch_plugin(&bed, &place, "[PROJECT]/got");
    let issued = ran.stdout.split("\"issued\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let size = read_bytes(&bed, "[PROJECT]/guard.wasm").len().to_string();
    let line = mask_output(&ran, &registry.address)
        .replace(&issued, "[TIME]")
        .replace(&format!("\"size\":{size}"), "\"size\":[SIZE]");
    assert_snapshot!(line, @r#"
    exit code 0
    --- stdout
    {"source":"oci://[REGISTRY]/acme/guard@sha256:[DIGEST]","manifest":"sha256:[DIGEST]","component":"sha256:[DIGEST]","size":[SIZE],"statement":"sha256:[DIGEST]","signatures":[{"key":"SHA256:[KEY]","type":"ssh-ed25519","point":"sha256:[DIGEST]","principals":["release@acme.example"],"verified":true,"why":null}],"release":{"name":"acme/guard","version":"1.2.0","seq":12,"channel":"stable","issued":"[TIME]"},"tag_moved":false}
    --- stderr
    "#);
    let component = read_bytes(&bed, "[PROJECT]/got/component.wasm");
    assert!(ran.stdout.contains(&format!("\"component\":\"sha256:{}\"", hash_bytes(&component))));
    let statement = read_bytes(&bed, "[PROJECT]/got/statement.json");
    assert!(ran.stdout.contains(&format!("\"statement\":\"sha256:{}\"", hash_bytes(&statement))));
    assert_eq!(
        read_bytes(&bed, "[PROJECT]/got/statement.json.sig"),
        read_bytes(&bed, "[PROJECT]/guard.wasm.statement.json.sig")
    );
    // The same from a folder, and from the file.
    expect_success(&bed.run_hookbox(&["plugin", "push", "guard.wasm", "oci-layout:out"]));
    for source in ["oci-layout:out", "oci-layout:out:1.2.0", "guard.wasm"] {
        let ran = fetch_plugin(&bed, source, "[PROJECT]/other");
        assert!(ran.stdout.contains("\"principals\":[\"release@acme.example\"],\"verified\":true"), "{ran}");
    }
}

#[test]
fn a_fetched_plugin_without_a_known_signer_is_reported_as_such() {
    let bed = create_bed("1.2.0");
    let signers = String::from_utf8(read_bytes(&bed, "[PROJECT]/signers")).unwrap();
    bed.write_file("[PROJECT]/signers", "# nobody\n");
    let ran = fetch_plugin(&bed, "guard.wasm", "[PROJECT]/got");
    assert!(
        ran.code == 0 && ran.stdout.contains("\"principals\":[],\"verified\":true,\"why\":null"),
        "{ran}"
    );
    // One who was known until 2020 is no stranger whose key is taken at first sight.
    bed.write_file("[PROJECT]/signers", &signers.replace("\" ssh-", "\",valid-before=\"20200101\" ssh-"));
    let ran = fetch_plugin(&bed, "guard.wasm", "[PROJECT]/got");
    assert!(
        ran.code == 0 && ran.stdout.contains("\"principals\":[],\"verified\":false,\"why\":\"line 1 of"),
        "{ran}"
    );
    // A statement about another file says nothing about this one.
    write_plugin(&bed, "guard", "acme/guard", "1.3.0");
    let ran = fetch_plugin(&bed, "guard.wasm", "[PROJECT]/got");
    assert!(
        ran.code == 0 && ran.stdout.contains("\"verified\":false,\"why\":\"the statement is about the file"),
        "{ran}"
    );
    assert!(ran.stdout.contains("\"release\":null"), "{ran}");
}

#[test]
fn a_plugin_that_is_unsigned_or_signed_as_another_is_not_pushed_by_accident() {
    let bed = create_bed("1.2.0");
    write_plugin(&bed, "plain", "acme/plain", "1.0.0");
    let push = |words: &[&str]| bed.run_hookbox(&[&["plugin", "push"], words].concat()).to_string();
    assert_snapshot!(push(&["plain.wasm", "oci-layout:out"]), @"
    exit code 1
    --- stdout
    --- stderr
    error: plain.wasm is not signed; sign it with `hookbox plugin sign plain.wasm --key KEY`, or pass --unsigned
    ");
    assert!(
        push(&["plain.wasm", "oci-layout:out", "--unsigned"])
            .contains("pushed    acme/plain 1.0.0, unsigned")
    );
    assert_snapshot!(push(&["guard.wasm", "oci-layout:other:1.3.0"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: the plugin has version 1.2.0 and cannot be pushed as 1.3.0
    ");
    assert_snapshot!(push(&["guard.wasm", "plain.wasm", "oci-layout:other", "--unsigned"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: a pack needs a version, as in `oci-layout:other:1.0.0`
    ");
    assert_snapshot!(push(&["guard.wasm", "registry.example/acme/guard"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: `registry.example/acme/guard` is not a location; write oci://HOST/NAME or oci-layout:FOLDER
    ");
    write_plugin(&bed, "guard", "acme/guard", "1.3.0");
    let stale = push(&["guard.wasm", "oci-layout:other"]);
    assert!(
        stale.contains("cannot push guard.wasm: the statement is about the file with the SHA-256"),
        "{stale}"
    );
    assert!(!bed.resolve_path("[PROJECT]/other").exists());
}

#[test]
fn a_tag_that_says_another_version_than_the_plugin_is_refused() {
    let (bed, registry) = (create_bed("1.2.0"), Registry::start());
    let (old, new) =
        (registry.name_repository("acme/guard:1.2.0"), registry.name_repository("acme/guard:1.3.0"));
    expect_success(&bed.run_hookbox(&["plugin", "push", "guard.wasm", &format!("oci://{old}")]));
    let insecure = ["copy", "--src-tls-verify=false", "--dest-tls-verify=false"];
    run_skopeo(&[&insecure[..], &[&format!("docker://{old}"), &format!("docker://{new}")]].concat());
    let ran = fetch_plugin(&bed, &format!("oci://{new}"), "[PROJECT]/got");
    assert_snapshot!(mask_output(&ran, &registry.address), @"
    exit code 1
    --- stdout
    --- stderr
    error: the tag of oci://[REGISTRY]/acme/guard@sha256:[DIGEST] is 1.3.0, and the plugin has version 1.2.0
    ");
    assert!(!bed.resolve_path("[PROJECT]/got/component.wasm").exists());
    let newest =
        bed.run_hookbox(&["plugin", "pull", &format!("oci://{}", registry.name_repository("acme/guard"))]);
    assert_eq!(newest.code, 1, "{newest}");
}

#[test]
fn a_pack_is_pulled_as_a_whole_and_added_one_by_one() {
    let (bed, registry) = (create_bed("1.2.0"), Registry::start());
    write_plugin(&bed, "plain", "acme/plain", "1.0.0");
    let place = format!("oci://{}", registry.name_repository("acme/pack:2026.11.0"));
    expect_success(&bed.run_hookbox(&["plugin", "push", "guard.wasm", "plain.wasm", &place, "--unsigned"]));
    fs::create_dir(bed.resolve_path("[PROJECT]/back")).unwrap();
    expect_success(&bed.run_hookbox(&["plugin", "pull", &place, "--into", "back"]));
    for file in ["guard.wasm", "plain.wasm"] {
        assert_eq!(
            read_bytes(&bed, &format!("[PROJECT]/{file}")),
            read_bytes(&bed, &format!("[PROJECT]/back/{file}"))
        );
    }
    assert_snapshot!(mask_output(&fetch_plugin(&bed, &place, "[PROJECT]/got"), &registry.address), @"
    exit code 1
    --- stdout
    --- stderr
    error: oci://[REGISTRY]/acme/pack:2026.11.0 is a pack of 2 plugins; add each plugin separately:
      hookbox plugin add oci://[REGISTRY]/acme/pack@sha256:[DIGEST]   # guard
      hookbox plugin add oci://[REGISTRY]/acme/pack@sha256:[DIGEST]   # plain
    ");
}

#[test]
fn a_folder_takes_one_version_after_another_and_keeps_each() {
    let bed = create_bed("1.2.0");
    let push = || bed.run_hookbox(&["plugin", "push", "guard.wasm", "oci-layout:out", "--unsigned"]);
    expect_success(&push());
    let first = read_bytes(&bed, "[PROJECT]/guard.wasm");
    fs::remove_file(bed.resolve_path("[PROJECT]/guard.wasm.statement.json")).unwrap();
    write_plugin(&bed, "guard", "acme/guard", "1.3.0");
    expect_success(&push());
    for (source, expected) in
        [("oci-layout:out", read_bytes(&bed, "[PROJECT]/guard.wasm")), ("oci-layout:out:1.2.0", first)]
    {
        expect_success(&fetch_plugin(&bed, source, "[PROJECT]/got"));
        assert_eq!(read_bytes(&bed, "[PROJECT]/got/component.wasm"), expected, "{source}");
    }
    bed.write_bytes("[PROJECT]/guard.wasm", &guests::build_component("allows"));
    bed.write_file("[PROJECT]/plugin.toml", &format_manifest("acme/guard", "1.3.0"));
    expect_success(&bed.run_hookbox(&["plugin", "manifest", "guard.wasm", "plugin.toml"]));
    assert_snapshot!(push().to_string(), @"
    exit code 1
    --- stdout
    --- stderr
    error: `1.3.0` exists with other content; write another version, or pass --replace
    ");
}

#[test]
fn a_layout_is_the_same_one_wherever_hookbox_is_started() {
    let bed = create_bed("1.2.0");
    expect_success(&bed.run_hookbox(&["plugin", "push", "guard.wasm", "oci-layout:out"]));
    expect_success(&bed.run_hookbox(&["plugin", "add", "oci-layout:out", "--yes"]));
    // Another project has a folder of the same name.
    let elsewhere = bed.resolve_path("[HOME]/elsewhere");
    fs::create_dir_all(elsewhere.join("out")).unwrap();
    let mut outdated = bed.build_command(&["plugin", "outdated"]);
    assert_snapshot!(bed.run_with_input(outdated.current_dir(&elsewhere), b""), @"
    exit code 0
    --- stdout
    guard  1.2.0 (release 12) is the newest
    --- stderr
    ");
}

#[test]
fn a_plugin_of_a_pack_is_followed_by_its_name() {
    let bed = create_bed("1.2.0");
    write_plugin(&bed, "limits", "acme/limits", "1.0.0");
    expect_success(&bed.run_hookbox(&["plugin", "sign", "limits.wasm", "--key", "key"]));
    expect_success(&bed.run_hookbox(&[
        "plugin",
        "push",
        "guard.wasm",
        "limits.wasm",
        "oci-layout:out:1.0.0",
    ]));
    let listed = bed.run_hookbox(&["plugin", "add", "oci-layout:out", "--yes"]);
    let line = listed.stderr.lines().find(|line| line.ends_with("# limits")).unwrap();
    let source = line.split_whitespace().nth(3).unwrap();
    expect_success(&bed.run_hookbox(&["plugin", "add", source, "--yes"]));
    let outdated = || bed.run_hookbox(&["plugin", "outdated"]);
    assert_snapshot!(outdated(), @"
    exit code 0
    --- stdout
    limits  1.0.0 (release 12) is the newest
    --- stderr
    ");
    bed.write_file(
        "[PROJECT]/plugin.toml",
        &format_manifest("acme/limits", "1.1.0").replace("seq = 12", "seq = 13"),
    );
    expect_success(&bed.run_hookbox(&["plugin", "manifest", "limits.wasm", "plugin.toml"]));
    expect_success(&bed.run_hookbox(&["plugin", "sign", "limits.wasm", "--key", "key"]));
    expect_success(&bed.run_hookbox(&[
        "plugin",
        "push",
        "guard.wasm",
        "limits.wasm",
        "oci-layout:out:1.1.0",
    ]));
    assert_snapshot!(outdated(), @"
    exit code 1
    --- stdout
    limits  1.0.0 (release 12) -> 1.1.0 (release 13)
    --- stderr
    ");
    let ran = bed.run_hookbox(&["plugin", "update"]);
    assert!(ran.stdout.contains("updated `limits`: 1.0.0 (release 12) -> 1.1.0 (release 13)"), "{ran}");
}
