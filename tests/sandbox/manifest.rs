//! What a plugin says of itself: what it does not ask for it is not given, and what could be read in two ways is refused.

use std::{fs, path::PathBuf};

use hookbox::{
    HookSpec, Host, Sha256Digest, Target,
    hook::WasmSpec,
    model::{Effect, FailureCode, Grants, PluginId, Role, Status},
};

use crate::{
    Bed, create_hook, dispatch_event, expect_failure, find_failure_code, guests,
    guests::{custom_section, encode_manifest, nest_component},
    tool_event,
};

fn grant_all() -> Grants {
    Grants { clock: true, random: true, ..Grants::default() }
}

fn create_host(bed: &Bed, guest: &str, bytes: &[u8], grants: Grants) -> Host {
    bed.write_file(&format!("{guest}.wasm"), bytes);
    of_file(bed, guest, grants)
}

/// The same with the file that is there.
fn of_file(bed: &Bed, guest: &str, grants: Grants) -> Host {
    let path = bed.join_path(&format!("{guest}.wasm"));
    let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(&path) });
    bed.builder().hooks([HookSpec { target, ..create_hook(guest, &path) }]).build()
}

/// What the guest logs for an event of the time 5, with everything granted.
fn run_and_read_log(bed: &Bed, guest: &str, bytes: &[u8]) -> String {
    let mut event = tool_event();
    event.time = 5;
    dispatch_event(&create_host(bed, guest, bytes, grant_all()), event)
        .reports
        .remove(0)
        .log
        .remove(0)
        .message
}

/// How a guest with these sections at its end fails.
fn expect_sections_refusal(sections: &[Vec<u8>]) -> String {
    let bed = Bed::new();
    let bytes = [guests::build_component("none"), sections.concat()].concat();
    let report =
        dispatch_event(&create_host(&bed, "none", &bytes, Grants::default()), tool_event()).reports.remove(0);
    assert_eq!(find_failure_code(&report), FailureCode::BadComponent);
    expect_failure(&report).message.replace(&bed.join_path("none.wasm").display().to_string(), "none.wasm")
}

#[test]
fn granted_but_not_asked_is_not_given() {
    let bed = Bed::new();
    let tells_time = guests::build_component("tells_time");
    assert_ne!(
        run_and_read_log(&bed, "tells_time", &tells_time),
        "5",
        "without a manifest the grant alone counts"
    );
    let asking = |capabilities| [tells_time.clone(), encode_manifest(capabilities)].concat();
    assert_eq!(run_and_read_log(&bed, "tells_time", &asking(r#""capabilities":{"random":true}"#)), "5");
    assert_ne!(run_and_read_log(&bed, "tells_time", &asking(r#""capabilities":{"clock":true}"#)), "5");
    let draws =
        [guests::build_component("draws"), encode_manifest(r#""capabilities":{"clock":true}"#)].concat();
    assert_eq!(run_and_read_log(&bed, "draws", &draws), run_and_read_log(&bed, "draws", &draws));
}

#[test]
fn nor_is_it_when_the_plugin_comes_from_the_cache() {
    let bed = Bed::new();
    let bytes = [guests::build_component("tells_time"), encode_manifest(r#""seq":1"#)].concat();
    for _ in 0..3 {
        assert_eq!(run_and_read_log(&bed, "tells_time", &bytes), "5");
    }
    let asking =
        [guests::build_component("tells_time"), encode_manifest(r#""capabilities":{"clock":true}"#)].concat();
    assert_ne!(
        run_and_read_log(&bed, "tells_time", &asking),
        "5",
        "another file in its place is another plugin"
    );
}

#[test]
fn a_report_tells_which_plugin_was_called_by_its_digest_and_what_it_says_of_itself() {
    let bed = Bed::new();
    let told = |bytes: &[u8]| {
        let host = create_host(&bed, "none", bytes, Grants::default());
        dispatch_event(&host, tool_event()).reports.remove(0).plugin.unwrap()
    };
    let silent = guests::build_component("none");
    let digest = |bytes: &[u8]| Sha256Digest::of_content(bytes).as_str().to_owned();
    assert_eq!(told(&silent), PluginId { digest: digest(&silent), name: None, version: None });
    let speaks = [silent, encode_manifest(r#""seq":1"#)].concat();
    let id = told(&speaks);
    let said = (id.name.unwrap().to_string(), id.version.unwrap().to_string());
    assert_eq!((id.digest, said), (digest(&speaks), ("acme/guest".to_owned(), "1.2.0".to_owned())));
}

#[test]
fn a_stop_that_was_not_asked_for_keeps_its_effect_and_loses_its_text() {
    let bed = Bed::new();
    let bytes = [guests::build_component("program_stops"), encode_manifest(r#""effects":[]"#)].concat();
    let outcome =
        dispatch_event(&create_host(&bed, "program_stops", &bytes, Grants::default()), tool_event());
    assert_eq!(outcome.stop.unwrap().value, "");
}

/// A file that is older than its memo by more than the clocks of file systems may differ is not read again.
#[test]
fn nor_is_it_when_its_file_is_known_and_not_read_again() {
    let bed = Bed::new();
    let bytes =
        [guests::build_component("tells_time"), encode_manifest(r#""description":"a \"b\"""#)].concat();
    assert_eq!(run_and_read_log(&bed, "tells_time", &bytes), "5");
    let path = find_memo(&bed);
    let mut memo: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert!(memo["manifest"].as_str().unwrap().contains(r#""description":"a \"b\"""#), "{memo}");
    memo["component"]["seen"] = (memo["component"]["seen"].as_i64().unwrap() + 10).into();
    // Who could write here could write native code as well; it shows who was asked.
    memo["manifest"] = memo["manifest"]
        .as_str()
        .unwrap()
        .replace("\"name\"", "\"capabilities\":{\"clock\":true},\"name\"")
        .into();
    fs::write(&path, memo.to_string()).unwrap();
    let mut event = tool_event();
    event.time = 5;
    let report = dispatch_event(&of_file(&bed, "tells_time", grant_all()), event).reports.remove(0);
    assert_ne!(report.log[0].message, "5");
}

fn find_memo(bed: &Bed) -> PathBuf {
    let mut entries = fs::read_dir(bed.join_path("cache")).unwrap().map(|entry| entry.unwrap().path());
    entries.find(|path| path.extension().is_some_and(|extension| extension == "memo")).unwrap()
}

#[test]
fn asked_but_not_granted_is_not_given_either() {
    let bed = Bed::new();
    let bytes =
        [guests::build_component("tells_time"), encode_manifest(r#""capabilities":{"clock":true}"#)].concat();
    let mut event = tool_event();
    event.time = 5;
    let report =
        dispatch_event(&create_host(&bed, "tells_time", &bytes, Grants::default()), event).reports.remove(0);
    assert_eq!(report.log[0].message, "5");
}

#[test]
fn a_program_has_its_manifest_as_a_component_and_as_a_module() {
    let bed = Bed::new();
    let two = [encode_manifest(""), encode_manifest("")].concat();
    for program in [guests::build_component("program_denies"), crate::build_program("program_denies")] {
        let said = |sections: &[u8]| {
            let bytes = [program.as_slice(), sections].concat();
            dispatch_event(&create_host(&bed, "program", &bytes, Grants::default()), tool_event())
                .reports
                .remove(0)
        };
        assert!(matches!(said(&encode_manifest("")).status, Status::Answered(_)));
        assert_eq!(find_failure_code(&said(&two)), FailureCode::BadComponent);
    }
}

#[test]
fn two_manifests_are_refused_and_so_is_one_within_another_component() {
    assert_eq!(
        expect_sections_refusal(&[encode_manifest(""), encode_manifest("")]),
        "the plugin none.wasm has several manifests (custom sections `hookbox:manifest`); it must have one"
    );
    let within = "the plugin none.wasm has a manifest in a component or module within it, where it does not count; it \
                  must be at the top of the file (custom section `hookbox:manifest`)";
    assert_eq!(expect_sections_refusal(&[nest_component(&encode_manifest(""))]), within);
    assert_eq!(
        expect_sections_refusal(&[
            encode_manifest(""),
            nest_component(&nest_component(&encode_manifest("")))
        ]),
        within
    );
}

#[test]
fn an_invalid_manifest_is_refused() {
    for (content, problem) in [
        ("", "it is not valid JSON: it is empty"),
        ("{}", "it has no `schema`"),
        (
            r#"{"schema":1,"name":"a","version":"1.0.0","seq":1,"seq":2}"#,
            "it is not valid JSON: the key \"seq\" appears twice, at line 1 column 54",
        ),
        (
            r#"{"schema":1,"name":"a","version":"1.0.0","capabilities":{"camera":true}}"#,
            "its `capabilities` has the unknown member `camera`",
        ),
        (
            r#"{"schema":1,"name":"a","version":"1.0.0","min-host":"99.0.0"}"#,
            "it asks for hookbox 99.0.0 or later, and this is 0.1.0: update hookbox",
        ),
    ] {
        assert_eq!(
            expect_sections_refusal(&[custom_section("hookbox:manifest", content.as_bytes())]),
            format!("the manifest of the plugin none.wasm is refused: {problem}")
        );
    }
}

#[test]
fn a_manifest_may_be_64_kib_long_and_not_a_byte_longer() {
    let of_size = |size: usize| {
        let head = r#"{"schema":1,"name":"a","version":"1.0.0","x":""#;
        let content = format!("{head}{}\"}}", "a".repeat(size - head.len() - 2));
        custom_section("hookbox:manifest", content.as_bytes())
    };
    let bed = Bed::new();
    let bytes = [guests::build_component("none"), of_size(64 << 10)].concat();
    let report =
        dispatch_event(&create_host(&bed, "none", &bytes, Grants::default()), tool_event()).reports.remove(0);
    assert!(matches!(report.status, Status::Answered(_)), "{report:?}");
    assert_eq!(
        expect_sections_refusal(&[of_size((64 << 10) + 1)]),
        "the manifest of the plugin none.wasm is refused: it is longer than 65536 bytes"
    );
}

#[test]
fn an_effect_that_is_not_asked_for_is_taken_out_unless_it_is_stricter() {
    let bed = Bed::new();
    let clamped = |guest: &str, members: &str| {
        let bytes = [guests::build_component(guest), encode_manifest(members)].concat();
        let report = dispatch_event(&create_host(&bed, guest, &bytes, Grants::default()), tool_event())
            .reports
            .remove(0);
        assert_eq!(report.role, Role::Gate);
        report.clamped
    };
    let all = [Effect::Allow, Effect::Rewrite, Effect::Context, Effect::DenyText];
    assert_eq!(clamped("allows", r#""effects":[]"#), all);
    assert_eq!(
        clamped("allows", r#""effects":["allow","context","deny-text","rewrite"]"#),
        [Effect::Rewrite]
    );
    assert_eq!(clamped("denies", r#""effects":[]"#), [Effect::DenyText]);
}
