//! `hookbox plugin inspect`: what is in a plugin's file, and what it would be given. Nothing of it runs.

use std::fs;

use insta::assert_snapshot;

use crate::{
    LS, TestBed, format_gate, gate_with,
    guests::{self, custom_section, encode_manifest, nest_component},
};

/// What is said of these bytes.
fn inspect_bytes(bytes: &[u8]) -> String {
    let bed = TestBed::new().with_own_cache();
    bed.write_bytes("[PROJECT]/it.wasm", bytes);
    let said = bed.run_hookbox(&["plugin", "inspect", "[PROJECT]/it.wasm"]).to_string();
    without_varying(&said)
}

/// The bytes of a guest, and what stands behind them.
fn append_sections(guest: &str, sections: &[u8]) -> Vec<u8> {
    [guests::build_component(guest), sections.to_vec()].concat()
}

/// Sizes and digests are those of the tools that make the guests; limits have tests of their own.
fn without_varying(said: &str) -> String {
    let varies =
        |line: &&str| !["size", "sha256", "limits", "  limits"].iter().any(|key| line.starts_with(key));
    said.lines().filter(varies).collect::<Vec<_>>().join("\n")
}

const ALL: &str = r#""seq":3,"description":"Tells the time.","world":"hookbox:hook/hook@0.1.0","min-host":"0.1.0",
    "events":["tool.before"],"effects":["ask","deny-code"],"homepage":"x",
    "capabilities":{"clock":true,"env":["LANG"],"fs":{"read":["project"]}}"#;

#[test]
fn inspect_describes_a_plugin_that_no_hook_calls() {
    assert_snapshot!(inspect_bytes(&append_sections("tells_time", &encode_manifest(ALL))), @"
    exit code 0
    --- stdout
    file      [PROJECT]/it.wasm
    compiled  no: `hookbox check` does it
    kind      typed hook (a component that exports `handle`)
    inside    functions 3, modules and components 3
    imports   hookbox:hook/clock@0.1.0  the event's time; with the grant `clock`, the time of day
    imports   hookbox:hook/log@0.1.0  always there
    imports   hookbox:hook/types@0.1.0  always there
    exports   handle
    manifest  acme/guest 1.2.0, release 3: unverified, stated by the plugin
    about     Tells the time.
    world     hookbox:hook/hook@0.1.0
    hookbox   0.1.0 or later
    events    tool.before
    effects   ask, deny-code
    asks for  clock, env LANG, fs.read project
    unknown   `homepage` in the manifest means nothing to hookbox
    signed    not signed
    hooks     none calls it; it would be granted nothing
    --- stderr
    ");
}

#[test]
fn a_plugin_without_a_manifest() {
    assert_snapshot!(inspect_bytes(&guests::build_component("denies")), @"
    exit code 0
    --- stdout
    file      [PROJECT]/it.wasm
    compiled  no: `hookbox check` does it
    kind      typed hook (a component that exports `handle`)
    inside    functions 2, modules and components 1
    imports   hookbox:hook/types@0.1.0  always there
    exports   handle
    manifest  none: it has the granted capabilities
    signed    not signed
    hooks     none calls it; it would be granted nothing
    --- stderr
    ");
}

#[test]
fn a_plugin_that_hooks_call() {
    let config = gate_with("tells_time", "grant = { clock = true, random = true }")
        + &gate_with("tells_time", "").replace("name = \"tells_time\"", "name = \"other\"");
    let bed = TestBed::with_config(&config.replace("[GUESTS]", "plugins")).with_own_cache();
    let file = "[HOME]/.config/hookbox/plugins/tells_time.wasm";
    bed.write_bytes(file, &append_sections("tells_time", &encode_manifest(ALL)));
    assert_snapshot!(bed.run_hookbox(&["check"]), @r#"
    exit code 0
    --- stdout
    ok    tells_time: wasm [HOME]/.config/hookbox/plugins/tells_time.wasm
          note: the plugin asks for env LANG, fs.read project, which is not granted; to grant it, write into the hook's entry: grant = { clock = true, random = true, env = ["LANG"], fs = { read = ["project"] } }
    ok    other: wasm [HOME]/.config/hookbox/plugins/tells_time.wasm
          note: the plugin asks for clock, env LANG, fs.read project, which is not granted; to grant it, write into the hook's entry: grant = { clock = true, env = ["LANG"], fs = { read = ["project"] } }
    2 hooks checked: 0 errors, 0 warnings, 0 that cannot run
    --- stderr
    checked in [TIME]
    "#);
    assert_snapshot!(without_varying(&bed.run_hookbox(&["plugin", "inspect", file]).to_string()), @r#"
    exit code 0
    --- stdout
    file      [HOME]/.config/hookbox/plugins/tells_time.wasm
    compiled  yes: native code is kept
    kind      typed hook (a component that exports `handle`)
    inside    functions 3, modules and components 3
    imports   hookbox:hook/clock@0.1.0  the event's time; with the grant `clock`, the time of day
    imports   hookbox:hook/log@0.1.0  always there
    imports   hookbox:hook/types@0.1.0  always there
    exports   handle
    manifest  acme/guest 1.2.0, release 3: unverified, stated by the plugin
    about     Tells the time.
    world     hookbox:hook/hook@0.1.0
    hookbox   0.1.0 or later
    events    tool.before
    effects   ask, deny-code
    asks for  clock, env LANG, fs.read project
    unknown   `homepage` in the manifest means nothing to hookbox
    signed    not signed
    hook      tells_time, [HOME]/.config/hookbox/hooks.toml:1
      given   clock
      missing the plugin asks for env LANG, fs.read project, which is not granted; to grant it, write into the hook's entry: grant = { clock = true, random = true, env = ["LANG"], fs = { read = ["project"] } }
      pinned  no; to have it fail if the file is replaced, write this `sha256` into its `wasm`
    hook      other, [HOME]/.config/hookbox/hooks.toml:6
      given   nothing
      missing the plugin asks for clock, env LANG, fs.read project, which is not granted; to grant it, write into the hook's entry: grant = { clock = true, env = ["LANG"], fs = { read = ["project"] } }
      pinned  no; to have it fail if the file is replaced, write this `sha256` into its `wasm`
    --- stderr
    "#);
}

#[test]
fn programs_and_what_they_import() {
    let told = |bytes: &[u8]| inspect_bytes(bytes).lines().skip(4).take(6).collect::<Vec<_>>().join("\n");
    assert_snapshot!(told(&guests::build_component("program_denies")), @"
    kind      program (a core module that exports `_start`)
    inside    functions 1, modules and components 0
    imports   wasi_snapshot_preview1  WASI: sees nothing without a grant
    exports   _start
    exports   memory
    manifest  none: it has the granted capabilities
    ");
    let asks = r#"(module (import "hookbox:hook/host@0.2.0" "ask" (func (param i32 i32) (result i32))) (func (export "_start")))"#;
    assert_snapshot!(told(&wat::parse_str(asks).unwrap()), @"
    kind      program (a core module that exports `_start`)
    inside    functions 1, modules and components 0
    imports   hookbox:hook/host@0.2.0  always there; it keeps nothing without the grant `kv`, and sends nothing without `http`
    exports   _start
    manifest  none: it has the granted capabilities
    signed    not signed
    ");
    assert_snapshot!(told(&crate::programs_as_components::build_program("program_denies")), @"
    kind      program (a component that exports `wasi:cli/run`)
    inside    functions 39, modules and components 5
    imports   wasi:cli/stderr@0.2.12  WASI: sees nothing without a grant
    imports   wasi:cli/stdin@0.2.12  WASI: sees nothing without a grant
    imports   wasi:cli/stdout@0.2.12  WASI: sees nothing without a grant
    imports   wasi:clocks/wall-clock@0.2.12  WASI: sees nothing without a grant
    ");
}

#[test]
fn inspect_describes_files_that_are_not_a_plugin() {
    let told = |guest: &str| inspect_bytes(&guests::build_component(guest));
    assert_snapshot!(told("core_module"), @"
    exit code 1
    --- stdout
    file      [PROJECT]/it.wasm
    compiled  no: `hookbox check` does it
    kind      no hook: a core module without `_start`
    inside    functions 1, modules and components 0
    exports   handle
    manifest  none: it has the granted capabilities
    signed    not signed
    hooks     none calls it; it would be granted nothing
    --- stderr
    ");
    assert_snapshot!(told("other_world"), @"
    exit code 1
    --- stdout
    file      [PROJECT]/it.wasm
    compiled  no: `hookbox check` does it
    kind      no hook: a component that exports neither `handle` nor `wasi:cli/run`
    inside    functions 1, modules and components 1
    exports   f
    manifest  none: it has the granted capabilities
    signed    not signed
    hooks     none calls it; it would be granted nothing
    --- stderr
    ");
    assert_snapshot!(told("asks_ungranted"), @"
    exit code 1
    --- stdout
    file      [PROJECT]/it.wasm
    compiled  no: `hookbox check` does it
    kind      no hook: a component that exports neither `handle` nor `wasi:cli/run`
    inside    functions 1, modules and components 1
    imports   wasi:keyvalue/store@0.2.0  hookbox does not have it
    exports   f
    broken    the plugin [PROJECT]/it.wasm imports `wasi:keyvalue/store@0.2.0`, which hookbox does not have: build it without, or against hookbox's world
    manifest  none: it has the granted capabilities
    signed    not signed
    hooks     none calls it; it would be granted nothing
    --- stderr
    ");
}

#[test]
fn inspect_refuses_files_that_are_not_wasm() {
    let bed = TestBed::new();
    let whole = guests::build_component("denies");
    bed.write_bytes("[PROJECT]/empty.wasm", b"");
    bed.write_bytes("[PROJECT]/text.wasm", b"hello");
    bed.write_bytes("[PROJECT]/half.wasm", &whole[..whole.len() / 2]);
    fs::create_dir(bed.resolve_path("[PROJECT]/folder.wasm")).unwrap();
    let file = fs::File::create(bed.resolve_path("[PROJECT]/large.wasm")).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    let said = |name: &str| {
        without_varying(
            &bed.run_hookbox(&["plugin", "inspect", &format!("[PROJECT]/{name}.wasm")]).to_string(),
        )
    };
    let all = ["gone", "empty", "text", "half", "folder", "large"].map(said).join("\n\n");
    assert_snapshot!(all, @"
    exit code 1
    --- stdout
    --- stderr
    error: cannot read the plugin [PROJECT]/gone.wasm: No such file or directory (os error 2)

    exit code 1
    --- stdout
    --- stderr
    error: the plugin [PROJECT]/empty.wasm is empty

    exit code 1
    --- stdout
    --- stderr
    error: the plugin [PROJECT]/text.wasm is not a wasm component

    exit code 1
    --- stdout
    file      [PROJECT]/half.wasm
    compiled  no: `hookbox check` does it
    broken    the plugin [PROJECT]/half.wasm cannot be read: unexpected end-of-file (at offset 0x23f)
    broken    the plugin [PROJECT]/half.wasm is cut off or damaged: its sections do not add up
    signed    not signed
    hooks     none calls it; it would be granted nothing
    --- stderr

    exit code 1
    --- stdout
    --- stderr
    error: the plugin [PROJECT]/folder.wasm is a directory; name the .wasm file in it

    exit code 1
    --- stdout
    --- stderr
    error: the plugin [PROJECT]/large.wasm is 67108865 bytes long; the most is 67108864
    ");
}

#[test]
fn manifests_that_are_refused() {
    let broken = |sections: &[u8]| {
        let said = inspect_bytes(&append_sections("none", sections));
        assert!(said.starts_with("exit code 1"), "{said}");
        said.lines().find(|line| line.starts_with("broken")).unwrap().to_owned()
    };
    let two = [encode_manifest(""), encode_manifest("")].concat();
    let long = encode_manifest(&format!("\"x\":\"{}\"", "a".repeat(64 << 10)));
    let all = [
        two,
        nest_component(&encode_manifest("")),
        long,
        encode_manifest(r#""seq":1,"seq":1"#),
        encode_manifest(r#""capabilities":{"camera":true}"#),
        custom_section("hookbox:manifest", b"\x1b[2J"),
    ];
    assert_snapshot!(all.map(|sections| broken(&sections)).join("\n"), @r#"
    broken    the plugin [PROJECT]/it.wasm has several manifests (custom sections `hookbox:manifest`); it must have one
    broken    the plugin [PROJECT]/it.wasm has a manifest in a component or module within it, where it does not count; it must be at the top of the file (custom section `hookbox:manifest`)
    broken    the manifest of the plugin [PROJECT]/it.wasm is refused: it is longer than 65536 bytes
    broken    the manifest of the plugin [PROJECT]/it.wasm is refused: it is not valid JSON: the key "seq" appears twice, at line 1 column 63
    broken    the manifest of the plugin [PROJECT]/it.wasm is refused: its `capabilities` has the unknown member `camera`
    broken    the manifest of the plugin [PROJECT]/it.wasm is refused: it is not valid JSON: expected value, at line 1 column 1
    "#);
}

#[test]
fn every_guest_can_be_inspected() {
    let bed = TestBed::new();
    for guest in guests::list_guests() {
        bed.write_bytes("[PROJECT]/it.wasm", &guests::build_component(&guest));
        let ran = bed.run_hookbox(&["plugin", "inspect", "--json", "[PROJECT]/it.wasm"]);
        let told: serde_json::Value =
            serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{guest}: {ran}"));
        let lacks = ran.stdout.contains("\"hookbox does not have it\"");
        assert_eq!(told["problems"].as_array().unwrap().len(), usize::from(lacks), "{guest}: {ran}");
        assert_eq!(ran.code == 0, told["anatomy"]["plugin"] == true && !lacks, "{guest}: {ran}");
    }
}

#[test]
fn nothing_of_a_file_disturbs_a_terminal() {
    let import = "(component (import \"a:b/c\" (instance)) (export \"x\" (instance 0)))";
    let bytes = [wat::parse_str(import).unwrap(), encode_manifest("\"ho\\u001b[2Jme\":\"x\"")].concat();
    let said = inspect_bytes(&bytes);
    assert!(said.contains("`ho[2Jme` in the manifest") && !said.contains('\u{1b}'), "{said}");
}

#[test]
fn as_json_it_is_for_programs() {
    let bed = TestBed::new().with_own_cache();
    bed.write_bytes("[PROJECT]/it.wasm", &append_sections("tells_time", &encode_manifest(ALL)));
    let ran = bed.run_hookbox(&["plugin", "inspect", "--json", "[PROJECT]/it.wasm"]);
    let mut told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((told["sha256"].take().as_str().unwrap().len(), told["size"].take().is_u64()), (64, true));
    assert_snapshot!(format!("{told:#}"), @r#"
    {
      "file": "[PROJECT]/it.wasm",
      "script": null,
      "size": null,
      "sha256": null,
      "compiled": false,
      "anatomy": {
        "kind": "hook",
        "plugin": true,
        "imports": [
          {
            "name": "hookbox:hook/clock@0.1.0",
            "means": "the event's time; with the grant `clock`, the time of day"
          },
          {
            "name": "hookbox:hook/log@0.1.0",
            "means": "always there"
          },
          {
            "name": "hookbox:hook/types@0.1.0",
            "means": "always there"
          }
        ],
        "exports": [
          "handle"
        ],
        "functions": 3,
        "nested": 3
      },
      "manifest": {
        "name": "acme/guest",
        "version": "1.2.0",
        "seq": 3,
        "description": "Tells the time.",
        "world": "hookbox:hook/hook@0.1.0",
        "min_host": "0.1.0",
        "events": [
          "tool.before"
        ],
        "effects": [
          "ask",
          "deny-code"
        ],
        "asks": [
          "clock",
          "env LANG",
          "fs.read project"
        ],
        "unknown": [
          "homepage"
        ],
        "vouched_for": false
      },
      "doubt": null,
      "signed": null,
      "installed": [],
      "hooks": [],
      "problems": []
    }
    "#);
}

#[test]
fn without_the_compiler_it_tells_what_it_can() {
    let bed = TestBed::new().with_own_cache().without_compiler();
    bed.write_bytes("[PROJECT]/it.wasm", &append_sections("none", &encode_manifest("")));
    assert_snapshot!(without_varying(&bed.run_hookbox(&["plugin", "inspect", "[PROJECT]/it.wasm"]).to_string()), @"
    exit code 1
    --- stdout
    file      [PROJECT]/it.wasm
    compiled  no: `hookbox check` does it
    broken    what the plugin [PROJECT]/it.wasm is made of is not known: the compiler [BIN]/hookbox-compile cannot be started: No such file or directory (os error 2); install it next to hookbox
    manifest  acme/guest 1.2.0, release 0: unverified, stated by the plugin
    events    *
    effects   nothing
    asks for  nothing
    signed    not signed
    hooks     none calls it; it would be granted nothing
    --- stderr
    ");
}

#[test]
fn a_plugin_that_imports_what_hookbox_does_not_have_is_broken_as_for_check() {
    let unknown = "which hookbox does not have: build it without, or against hookbox's world";
    let newer = "of a version of hookbox's world that this hookbox does not have (it has 0.1.0 and 0.2.0): update hookbox, or \
                 build it for one of these";
    for (import, what) in [
        ("acme:other/thing@1.0.0", unknown),
        ("hookbox:hook/camera@0.1.0", unknown),
        ("hookbox:hook/http@0.1.0", unknown),
        ("hookbox:hook/log@0.3.0", newer),
        ("hookbox:hook/log@9.0.0", newer),
        ("wasi:cli/exit@0.9.0", unknown),
    ] {
        let bed = TestBed::with_config(&gate_with("it", "").replace("[GUESTS]", "[PROJECT]"));
        let text = format!(
            r#"(component
                (import "{import}" (instance (export "f" (func))))
                (core module $m (func (export "handle")))
                (core instance $i (instantiate $m))
                (func (export "handle") (canon lift (core func $i "handle"))))"#
        );
        bed.write_bytes("[PROJECT]/it.wasm", &wat::parse_str(text).unwrap());
        let why = format!("the plugin [PROJECT]/it.wasm imports `{import}`, {what}");
        let inspected = bed.run_hookbox(&["plugin", "inspect", "[PROJECT]/it.wasm"]);
        assert!(inspected.stdout.contains(&format!("\nbroken    {why}\n")), "{inspected}");
        let json = bed.run_hookbox(&["plugin", "inspect", "--json", "[PROJECT]/it.wasm"]);
        assert!(json.stdout.contains(&why), "{json}");
        let checked = bed.run_hookbox(&["check"]);
        assert!(checked.stdout.contains(&format!("broken it: refused: {why}\n")), "{checked}");
        assert_eq!([inspected.code, json.code, checked.code], [1, 1, 1]);
    }
}

#[test]
fn a_replaced_plugin_is_reported_with_the_line_that_accepts_it() {
    let bed = TestBed::new().with_own_cache();
    let file = "[HOME]/.config/hookbox/it.wasm";
    bed.write_bytes(file, &guests::build_component("denies"));
    let digest = |bed: &TestBed| {
        let shown = bed.run_hookbox(&["plugin", "inspect", "--json", file]).stdout;
        let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
        shown["sha256"].as_str().unwrap().to_owned()
    };
    let pinned = |digest: &str| {
        let wasm = format!("wasm = {{ path = \"it.wasm\", sha256 = \"{digest}\" }}");
        format!("[[hook]]\nname = \"it\"\non = \"tool.before\"\n{wasm}\n")
    };
    let config = "[HOME]/.config/hookbox/hooks.toml";
    let good = digest(&bed);
    bed.write_file(config, &pinned(&good.to_uppercase()));
    assert!(bed.answer_event(LS).stdout.contains("it: because (no)"));
    assert!(bed.run_hookbox(&["list"]).stdout.contains("it.wasm (pinned)"));

    bed.write_bytes(file, &guests::build_component("allows"));
    let why = format!(
        "replaced: the plugin {file} was replaced: its SHA-256 is not {good}, the digest in its hook's entry; if that was you, \
         write `sha256 = \"{}\"`",
        digest(&bed)
    );
    let ran = bed.answer_event(LS);
    let json_why = why.replace('"', "\\\"");
    assert!(
        ran.stdout.contains("\"permissionDecision\":\"deny\"") && ran.stdout.contains(&json_why),
        "{ran}"
    );
    let checked = bed.run_hookbox(&["check"]);
    assert!(checked.stdout.contains(&format!("broken it: {why}\n")), "{checked}");
    assert_eq!(checked.code, 1);
    let inspected = bed.run_hookbox(&["plugin", "inspect", file]);
    assert!(
        inspected.stdout.contains(&format!("to another file, so it fails: sha256 = \"{good}\"")),
        "{inspected}"
    );
    bed.write_file(config, &pinned(&digest(&bed)));
    assert!(bed.answer_event(LS).stdout.contains("allow"));
}

#[test]
fn an_invalid_digest_is_reported_and_denies() {
    for digest in ["", "e3b0", "sha256:e3b0", "x"] {
        let config = format_gate("none").replace(".wasm\"", &format!(".wasm\", sha256 = \"{digest}\""));
        let bed = TestBed::with_config(&config);
        let checked = bed.run_hookbox(&["check"]);
        assert!(checked.stderr.contains("is not a SHA-256") && checked.code == 1, "{checked}");
        assert!(bed.answer_event(LS).stdout.contains("\"permissionDecision\":\"deny\""));
    }
}

#[test]
fn an_added_plugin_is_found_by_another_copy_of_its_file_and_by_its_digest() {
    let bed = TestBed::new().with_own_cache();
    let (file, added) = ("[PROJECT]/it.wasm", "[HOME]/.config/hookbox/plugins/it.wasm");
    bed.write_bytes(file, &guests::build_component("denies"));
    assert_eq!(bed.run_hookbox(&["plugin", "add", file, "--yes"]).code, 0);
    let shown: serde_json::Value =
        serde_json::from_str(&bed.run_hookbox(&["plugin", "inspect", "--json", file]).stdout).unwrap();
    assert_eq!(shown["hooks"][0]["calls"], added);
    let digest = shown["sha256"].as_str().unwrap();
    let uses = |name: &str| {
        let ran = bed.run_hookbox(&["plugin", "inspect", name]);
        assert_eq!(ran.code, 0, "{ran}");
        let keys = ["file", "signed", "installed", "hook", "  calls", "  given", "  pinned"];
        let lines = ran.stdout.lines().filter(|line| keys.iter().any(|key| line.starts_with(key)));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(uses(file), @"
    file      [PROJECT]/it.wasm
    signed    not signed
    installed `it`, in [HOME]/.config/hookbox, unsigned
    hook      it, [HOME]/.config/hookbox/hooks.toml:2
      calls   [HOME]/.config/hookbox/plugins/it.wasm, which has the same content
      given   nothing
      pinned  yes: with any other content it fails
    ");
    let lines = uses(file).replace(file, added);
    let lines: Vec<_> = lines.lines().filter(|line| !line.starts_with("  calls")).collect();
    let by_digest = lines.join("\n");
    for name in [digest.to_owned(), format!("sha256:{digest}"), format!("sha256:{}", digest.to_uppercase())] {
        assert_eq!(uses(&name), by_digest, "{name}");
    }
    // A changed copy has another content, which no hook calls.
    bed.write_bytes(file, &guests::build_component("allows"));
    let other = bed.run_hookbox(&["plugin", "inspect", file]);
    assert!(other.stdout.contains("\nhooks     none calls it; it would be granted nothing\n"), "{other}");
}

#[test]
fn a_hook_without_a_pin_is_found_by_the_content_of_its_file() {
    let bed = TestBed::with_config(&format_gate("it").replace("[GUESTS]", "plugins")).with_own_cache();
    for file in ["[HOME]/.config/hookbox/plugins/it.wasm", "[PROJECT]/copy.wasm"] {
        bed.write_bytes(file, &guests::build_component("denies"));
    }
    let ran = bed.run_hookbox(&["plugin", "inspect", "[PROJECT]/copy.wasm"]);
    let line = "  calls   [HOME]/.config/hookbox/plugins/it.wasm, which has the same content";
    assert!(ran.stdout.contains(line), "{ran}");
}

#[test]
fn signatures_are_not_verified_without_the_program_for_signed_plugins() {
    let bed = TestBed::new().without_compiler();
    bed.write_bytes("[PROJECT]/it.wasm", &guests::build_component("denies"));
    bed.write_file("[PROJECT]/it.wasm.statement.json", "{}");
    let ran = bed.run_hookbox(&["plugin", "inspect", "[PROJECT]/it.wasm"]);
    let signed: Vec<_> = ran.stdout.lines().filter(|line| line.starts_with("signed")).collect();
    assert_eq!(
        signed,
        [
            "signed    not verified: [BIN]/hookbox-bundle does not exist, and it verifies signatures; install hookbox-bundle of the same version next to hookbox"
        ],
        "{ran}"
    );
}

#[test]
fn a_digest_that_is_not_installed_or_not_complete_is_reported() {
    let bed = TestBed::new();
    let digest = "0".repeat(64);
    let ran = bed.run_hookbox(&["plugin", "inspect", &format!("sha256:{digest}")]);
    assert_eq!(
        (ran.code, ran.stderr),
        (
            1,
            format!(
                "error: no installed plugin has the SHA-256 {digest}: none of hookbox.lock, of the store and of the hooks\nhelp: \
                 `hookbox plugin list` shows the digests of the added plugins\n"
            )
        )
    );
    let ran = bed.run_hookbox(&["plugin", "inspect", "sha256:01b7"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            1,
            "error: `sha256:01b7` is not a SHA-256\nhelp: write its 64 hexadecimal digits, as `hookbox plugin list` shows them\n"
        )
    );
}

#[test]
fn an_unknown_plugin_name_is_reported_with_the_nearest_known_name() {
    let ran = TestBed::new().run_hookbox(&["plugin", "inspect", "guard-shel"]);
    let said = "error: no file and no built-in plugin is called `guard-shel`; did you mean `guard-shell`? ";
    assert!(ran.code == 1 && ran.stderr.starts_with(said), "{ran}");
}

/// Files that no hook may call, whatever the rest of them says: `check` and `inspect` are of one mind.
#[test]
fn a_file_that_check_refuses_is_refused_by_inspect_too() {
    for (what, text) in [
        ("memory of 64 bits", r#"(module (memory (export "memory") i64 1) (func (export "_start")))"#),
        ("shared memory", r#"(module (memory (export "memory") 1 1 shared) (func (export "_start")))"#),
        (
            "relaxed instructions",
            r#"(module (func (export "_start") (drop (i8x16.relaxed_swizzle (v128.const i64x2 0 0) (v128.const i64x2 0 0)))))"#,
        ),
        ("a body that is not valid", r#"(module (func (export "_start") i32.add))"#),
    ] {
        let bed = TestBed::with_config(&format_gate("x").replace("[GUESTS]", "[HOME]"));
        let wasm = wat::parse_str(text).unwrap();
        bed.write_bytes("[HOME]/x.wasm", &wasm);
        let (check, inspect) =
            (bed.run_hookbox(&["check"]), bed.run_hookbox(&["plugin", "inspect", "[HOME]/x.wasm"]));
        assert_eq!((check.code, inspect.code), (1, 1), "{what}: {check} {inspect}");
    }
}
