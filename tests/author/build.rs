//! `plugin build`, by tools that are scripts: what they leave, and what becomes of it.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
};

use insta::assert_snapshot;

use crate::{
    TOML, TOOLS, create_bed, guests, list_files, mask_measurements, write_tool, zig_project, zig_that_makes,
};

/// A core module that carries no world.
fn assemble_module(name: &str) -> Vec<u8> {
    let text = fs::read_to_string(guests::repository_folder("tests/guests").join(name).with_extension("wat"))
        .unwrap();
    wat::parse_str(text).unwrap()
}

#[test]
fn a_core_module_becomes_a_component_of_the_world_in_its_project() {
    let bed = create_bed().with_own_cache();
    zig_project(&bed, TOML);
    zig_that_makes(&bed, &assemble_module("denies"));
    for file in
        fs::read_dir(guests::repository_folder("wit/0.1.0")).unwrap().map(|entry| entry.unwrap().path())
    {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        bed.write_bytes(&format!("[PROJECT]/hookbox/wit/{name}"), &fs::read(&file).unwrap());
    }
    assert_snapshot!(mask_measurements(&bed.run_hookbox(&["plugin", "build"]).to_string()), @"
    exit code 0
    --- stdout
    built     build/guard.wasm (N bytes) in N s
    plugin    acme/guard 0.1.0, release 0
    kind      typed hook (a component that exports `handle`)
    imports   hookbox:hook/types@0.1.0  always there
    asks for  nothing
    compiled  to native code in [TIME]
    --- stderr
    $ zig build-exe -target wasm32-freestanding -fno-entry -rdynamic -O ReleaseSafe -fstrip --dep hookbox -Mroot=src/hook.zig -Mhookbox=hookbox/hookbox.zig -femit-bin=[PROJECT]/build/.work-[N]/made.wasm
    ");
    let inspected = bed.run_hookbox(&["plugin", "inspect", "build/guard.wasm"]);
    assert!(inspected.stdout.contains("world     hookbox:hook/hook@0.1.0"), "{inspected}");
    assert_eq!(list_files(&bed.resolve_path("[PROJECT]/build")), [".built", ".lock", "guard.wasm"]);
}

#[test]
fn a_component_stays_what_it_is_and_gets_its_manifest() {
    let bed = create_bed();
    zig_project(&bed, TOML);
    zig_that_makes(&bed, &guests::build_component("logs_a_lot"));
    let ran = bed.run_hookbox(&["plugin", "build", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(said["imports"], serde_json::json!(["hookbox:hook/log@0.1.0", "hookbox:hook/types@0.1.0"]));
    assert_eq!((&said["name"], &said["kind"]), (&"acme/guard".into(), &"hook".into()));
    let made = fs::read(bed.resolve_path("[PROJECT]/build/guard.wasm")).unwrap();
    assert!(made.starts_with(&guests::build_component("logs_a_lot")));
    assert_eq!(said["bytes"], made.len());
}

#[test]
fn a_program_for_wasi_stays_a_program() {
    let bed = create_bed();
    zig_project(&bed, TOML);
    zig_that_makes(&bed, &guests::build_component("program_denies"));
    let ran = bed.run_hookbox(&["plugin", "build"]);
    assert!(ran.stdout.contains("kind      program (a core module that exports `_start`)"), "{ran}");
}

#[test]
fn a_missing_build_tool_is_reported_with_how_to_install_it() {
    let bed = crate::testbed::TestBed::new().with_variable("PATH", "/nonexistent:relative");
    zig_project(&bed, TOML);
    assert_snapshot!(bed.run_hookbox(&["plugin", "build"]), @"
    exit code 1
    --- stdout
    --- stderr
    error: neither `zig` nor `python3 -P -m ziglang` is on PATH; to get one of them:
      install zig from https://ziglang.org/download   # tried with 0.17.1
      pip install ziglang==0.17.1   # tried with 0.17.1
    ");
}

#[test]
fn the_output_of_a_failing_tool_is_shown_and_the_earlier_plugin_is_kept() {
    let bed = create_bed();
    zig_project(&bed, TOML);
    bed.write_file("[PROJECT]/build/guard.wasm", "the old one");
    write_tool(&bed, "zig", "echo 'src/hook.zig:1:1: error: expected a function'; exit 3");
    assert_snapshot!(mask_measurements(&bed.run_hookbox(&["plugin", "build"]).stderr), @"
    $ zig build-exe -target wasm32-freestanding -fno-entry -rdynamic -O ReleaseSafe -fstrip --dep hookbox -Mroot=src/hook.zig -Mhookbox=hookbox/hookbox.zig -femit-bin=[PROJECT]/build/.work-[N]/made.wasm
    src/hook.zig:1:1: error: expected a function
    error: `zig` failed with exit status: 3; its output is above
    ");
    assert_eq!(fs::read(bed.resolve_path("[PROJECT]/build/guard.wasm")).unwrap(), b"the old one");
    assert_eq!(list_files(&bed.resolve_path("[PROJECT]/build")), [".lock", "guard.wasm"]);
}

#[test]
fn a_build_result_that_is_not_a_hook_is_refused_and_the_earlier_plugin_is_kept() {
    let bed = create_bed();
    bed.write_file("[PROJECT]/build/guard.wasm", "the old one");
    let refused = |toml: &str, wasm: &[u8]| {
        zig_project(&bed, toml);
        zig_that_makes(&bed, wasm);
        let ran = bed.run_hookbox(&["plugin", "build"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{ran}");
        assert_eq!(fs::read(bed.resolve_path("[PROJECT]/build/guard.wasm")).unwrap(), b"the old one");
        ran.stderr.lines().find_map(|line| line.strip_prefix("error: ")).unwrap().to_owned()
    };
    assert_snapshot!(refused(TOML, b"no wasm"), @"the plugin build/guard.wasm is not a wasm component");
    assert_snapshot!(refused(TOML, &guests::build_component("core_module")), @"
    the build output is a core module without a world, and the project has none in hookbox/wit
    ");
    assert_snapshot!(refused(TOML, &guests::build_component("asks_a_server")), @r#"
    the plugin imports wasi:http/outgoing-handler@0.2.0, and plugin.toml does not request it; write below [capabilities]: http = ["https://api.example.com/"]
    "#);
    assert_snapshot!(refused(&format!("world = \"wasi:cli/command\"\n{TOML}"), &guests::build_component("denies")), @r#"
    the plugin's manifest names the world wasi:cli/command, but it is a typed hook (a component that exports `handle`); write world = "hookbox:hook/hook@0.1.0" into plugin.toml, or remove `world`
    "#);
    assert_snapshot!(refused(&format!("min-host = \"99.0.0\"\n{TOML}"), &guests::build_component("denies")), @"
    the manifest of the plugin build/guard.wasm is refused: it asks for hookbox 99.0.0 or later, and this is 0.1.0: update hookbox
    ");
}

#[test]
fn a_component_that_imports_what_the_world_of_its_manifest_has_not_is_refused() {
    let bed = create_bed();
    zig_that_makes(&bed, &guests::build_component("all_of_0_2"));
    let build = |version: &str| {
        zig_project(&bed, &format!("world = \"hookbox:hook/hook@{version}\"\n{TOML}"));
        bed.run_hookbox(&["plugin", "build"])
    };
    let ran = build("0.1.0");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{ran}");
    assert_snapshot!(ran.stderr.lines().last().unwrap(), @r#"error: the plugin's manifest names the world hookbox:hook/hook@0.1.0, but it imports hookbox:hook/clock@0.2.0, which is not in that; write world = "hookbox:hook/hook@0.2.0" into plugin.toml, or remove `world`"#);
    assert!(!bed.resolve_path("[PROJECT]/build/guard.wasm").exists());
    let ran = build("0.2.0");
    assert!(ran.code == 0 && bed.resolve_path("[PROJECT]/build/guard.wasm").exists(), "{ran}");
    // It may import less than its world has.
    zig_that_makes(&bed, &guests::build_component("denies"));
    assert_eq!(build("0.2.0").code, 0);
}

#[test]
fn a_capability_that_is_asked_for_and_not_used_is_a_warning() {
    let bed = create_bed();
    zig_project(&bed, &format!("{TOML}[capabilities]\nkv = [\"session\"]\n"));
    zig_that_makes(&bed, &guests::build_component("denies"));
    let ran = bed.run_hookbox(&["plugin", "build"]);
    assert!(ran.code == 0 && ran.stderr.contains("warning: plugin.toml requests `kv`"), "{ran}");
}

#[test]
fn a_folder_of_this_machine_in_the_plugin_is_a_warning() {
    let bed = create_bed();
    zig_project(&bed, TOML);
    let folder = bed.resolve_path("[PROJECT]/src/hook.zig").display().to_string();
    let length = |more: usize| u8::try_from(folder.len() + more).unwrap();
    assert!(length(2) < 0x80, "{folder}");
    let section = [&[0, length(2), 1, b'x'], folder.as_bytes()].concat();
    zig_that_makes(&bed, &[guests::build_component("denies"), section].concat());
    let ran = bed.run_hookbox(&["plugin", "build"]);
    let warning = "warning: the plugin contains the path [PROJECT] of this machine, so the build is not reproducible elsewhere";
    assert!(ran.code == 0 && ran.stderr.contains(warning), "{ran}");
}

#[test]
fn cargos_folder_is_looked_for_where_cargo_builds_and_nowhere_else() {
    let bed = create_bed();
    let home = bed.resolve_path("[HOME]/.cargo");
    let crates = guests::custom_section("x", home.join("registry/src").as_os_str().as_encoded_bytes());
    zig_that_makes(&bed, &[guests::build_component("denies"), crates].concat());
    zig_project(&bed, TOML);
    let ran = bed.run_hookbox(&["plugin", "build"]);
    assert!(ran.code == 0 && !ran.stderr.contains("warning"), "{ran}");
    write_tool(&bed, "cargo", r#"echo "{\"filenames\":[\"${0%/*}/made.wasm\"]}""#);
    bed.write_file("[PROJECT]/Cargo.toml", "");
    bed.write_file("[PROJECT]/plugin.toml", &format!("{TOML}\n[build]\nlanguage = \"rust\"\n"));
    let ran = bed.run_hookbox(&["plugin", "build"]);
    let warning = "warning: the plugin contains the path [HOME]/.cargo of this machine";
    assert!(ran.code == 0 && ran.stderr.contains(warning), "{ran}");
}

#[test]
fn missing_entries_of_plugin_toml_are_reported() {
    let bed = create_bed();
    assert_snapshot!(bed.run_hookbox(&["plugin", "build"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: cannot read [PROJECT]/plugin.toml: No such file or directory (os error 2); create a project with `hookbox plugin new NAME --lang LANGUAGE`
    ");
    bed.write_file("[PROJECT]/plugin.toml", TOML);
    assert_snapshot!(bed.run_hookbox(&["plugin", "build"]).stderr, @r#"
    error: plugin.toml has no [build] with the plugin's language; add [build] and below it language = "rust" (or another of rust, javascript, typescript, python, c, zig, assemblyscript, go), or the command of another tool and the file that it writes: command = ["make", "hook.wasm"] and output = "hook.wasm"
    "#);
    bed.write_file("[PROJECT]/plugin.toml", &format!("{TOML}[build]\nlanguage = \"cobol\"\n"));
    assert_snapshot!(bed.run_hookbox(&["plugin", "build"]).stderr, @r#"
    error: plugin.toml is wrong
    plugin.toml:6:12: error: `language` is `cobol`, which `hookbox plugin build` does not know
      6 | language = "cobol"
        |            ^^^^^^^
      help: allowed: rust, javascript, typescript, python, c, zig, assemblyscript, go
    "#);
    bed.write_file(
        "[PROJECT]/plugin.toml",
        &format!("{TOML}[build]\nlanguage = \"zig\"\nsource = \"a.zig\"\n"),
    );
    assert_snapshot!(bed.run_hookbox(&["plugin", "build"]).stderr, @r#"
    error: the source [PROJECT]/a.zig does not exist; name it in plugin.toml: [build] source = "…"
    "#);
}

#[test]
fn a_file_in_the_place_of_a_project_folder_is_reported_with_the_next_step() {
    let bed = create_bed();
    let refused = |at: &str| {
        let ran = bed.run_hookbox(&["plugin", "build", at]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran}");
        ran.stderr
    };
    bed.write_file("[PROJECT]/hook.ts", "");
    assert_snapshot!(refused("hook.ts"), @"
    error: hook.ts is a script, which hookbox runs without a build: hookbox plugin add hook.ts
    ");
    bed.write_file("[PROJECT]/hook.zig", "");
    assert_snapshot!(refused("hook.zig"), @"error: hook.zig is a file without a plugin.toml next to it, and only Python (`.py`) and core modules (`.wasm`) can be built from a single file; create a project with `hookbox plugin new NAME --lang LANGUAGE`");
    bed.write_file("[PROJECT]/plugin.toml", TOML);
    assert_snapshot!(refused("hook.ts"), @"
    error: hook.ts is a file, and this command needs the project's folder: hookbox plugin build .
    ");
    bed.write_file("[PROJECT]/guard/plugin.toml", TOML);
    assert_snapshot!(refused("guard/plugin.toml"), @"
    error: guard/plugin.toml is a file, and this command needs the project's folder: hookbox plugin build guard
    ");
}

#[test]
fn a_timeout_that_the_build_would_ignore_is_refused() {
    let bed = create_bed();
    for language in ["rust", "javascript", "typescript", "c", "zig", "assemblyscript", "go"] {
        bed.write_file("[PROJECT]/plugin.toml", &format!("{TOML}[build]\nlanguage = \"{language}\"\n"));
        let ran = bed.run_hookbox(&["plugin", "build", "--timeout", "10"]);
        let why = format!(
            "error: --timeout is for Python, whose tool runs the top level of a hook; a build in {language} has no time limit: omit \
             --timeout\n"
        );
        assert_eq!((ran.code, ran.stderr), (2, why));
    }
}

#[test]
fn the_second_of_two_concurrent_builds_waits() {
    let bed = create_bed();
    zig_project(&bed, TOML);
    zig_that_makes(&bed, &guests::build_component("denies"));
    let fifo = bed.resolve_path(&format!("{TOOLS}/go"));
    let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU);
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, kind, mode, 0).unwrap();
    let log = bed.resolve_path(&format!("{TOOLS}/log"));
    let waits = "echo begin >> \"${0%/*}/log\"; cat \"${0%/*}/go\" > /dev/null";
    write_tool(&bed, "zig", &format!("{waits}; {}; echo end >> \"${{0%/*}}/log\"", crate::COPY));
    let mut first = bed.build_command(&["plugin", "build"]).spawn().unwrap();
    // The tool of the first is under way once somebody opens the other end.
    let go = fs::OpenOptions::new().write(true).open(&fifo).unwrap();
    let mut second = bed.build_command(&["plugin", "build"]).spawn().unwrap();
    let mut errors = BufReader::new(second.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert_eq!(line, "another build of this plugin is under way; waiting for it to end\n");
    assert_eq!(fs::read_to_string(&log).unwrap(), "begin\n");
    drop(go);
    let first = first.wait().unwrap();
    drop(fs::OpenOptions::new().write(true).open(&fifo).unwrap());
    errors.read_to_string(&mut line).unwrap();
    assert!(first.success() && second.wait().unwrap().success(), "{line}");
    assert_eq!(fs::read_to_string(&log).unwrap(), "begin\nend\nbegin\nend\n");
}

/// How each language's tool is started. A tool that is a script tells its words, and fails.
#[test]
fn each_language_starts_its_own_tool_without_a_shell() {
    let bed = create_bed();
    let mut messages = String::new();
    for (language, source, names) in [
        ("python", "my app.py", &["componentize-py"][..]),
        ("c", "src/hook.c", &["zig"]),
        ("zig", "src/$(x).zig", &["zig"]),
        ("assemblyscript", "src/hook.ts", &["asc"]),
        ("go", "cmd/go.mod", &["go"]),
        ("rust", "Cargo.toml", &["cargo"]),
    ] {
        for name in names {
            write_tool(
                &bed,
                name,
                "printf '[%s]' \"${PWD##*/}\" \"$GOOS$GOARCH\" \"$@\" >&2; echo >&2; exit 1",
            );
        }
        bed.write_file(&format!("[PROJECT]/{source}"), "");
        bed.write_file("[PROJECT]/hookbox/hook.c", "");
        let build = format!("[build]\nlanguage = \"{language}\"\nsource = \"{source}\"\n");
        bed.write_file("[PROJECT]/plugin.toml", &format!("{TOML}{build}"));
        let said = mask_measurements(&bed.run_hookbox(&["plugin", "build"]).stderr);
        let words = said.lines().find(|line| line.starts_with('[')).unwrap_or_default();
        messages.extend([language, " ", words, "\n"]);
    }
    assert_snapshot!(messages, @r#"
    python [project][][-d][hookbox/wit][-w][hook][componentize][--stub-wasi][-p][.][-p][hookbox][my app][-o][[PROJECT]/build/.work-[N]/made.wasm]
    c [project][][cc][-target][wasm32-wasi][-mexec-model=reactor][-Os][-s][-I][hookbox][-Wl,-z,stack-size=262144][src/hook.c][hookbox/hook.c][-o][[PROJECT]/build/.work-[N]/made.wasm]
    zig [project][][build-exe][-target][wasm32-freestanding][-fno-entry][-rdynamic][-O][ReleaseSafe][-fstrip][--dep][hookbox][-Mroot=src/$(x).zig][-Mhookbox=hookbox/hookbox.zig][-femit-bin=[PROJECT]/build/.work-[N]/made.wasm]
    assemblyscript [project][][src/hook.ts][hookbox/exports.ts][-O][--runtime][minimal][--use][abort=hookbox/exports/stopped][-o][[PROJECT]/build/.work-[N]/made.wasm]
    go [cmd][wasip1wasm][build][-trimpath][-buildvcs=false][-ldflags=-s -w][-o][[PROJECT]/build/.work-[N]/made.wasm][.]
    rust [project][][build][--release][--target][wasm32-unknown-unknown][--message-format][json-render-diagnostics][--manifest-path][Cargo.toml][--config][build.rustflags=["--remap-path-prefix=[HOME]/.cargo=/cargo"]]
    "#);
}

#[test]
fn a_failed_rust_build_names_the_missing_target() {
    let bed = create_bed();
    bed.write_file("[PROJECT]/Cargo.toml", "");
    bed.write_file("[PROJECT]/plugin.toml", &format!("{TOML}[build]\nlanguage = \"rust\"\n"));
    write_tool(&bed, "cargo", "exit 101");
    let build_error = || {
        let ran = bed.run_hookbox(&["plugin", "build"]);
        assert_eq!(ran.code, 1, "{ran}");
        ran.stderr.lines().last().unwrap_or_default().to_owned()
    };
    let library = bed.resolve_path("[HOME]/wasm32-unknown-unknown/lib");
    write_tool(&bed, "rustc", &format!("echo '{}'", library.display()));
    assert_snapshot!(build_error(), @"error: `cargo` failed with exit status: 101; its output is above. This Rust has no target wasm32-unknown-unknown; to get it: rustup target add wasm32-unknown-unknown");
    fs::create_dir_all(library).unwrap();
    assert_snapshot!(build_error(), @"error: `cargo` failed with exit status: 101; its output is above");
    write_tool(&bed, "rustc", "exit 1");
    assert_snapshot!(build_error(), @"error: `cargo` failed with exit status: 101; its output is above");
}

#[test]
fn a_source_that_would_be_an_option_is_refused() {
    let bed = create_bed();
    for source in ["-fplugin=evil.so", "@args"] {
        bed.write_file(&format!("[PROJECT]/{source}"), "");
        bed.write_file(
            "[PROJECT]/plugin.toml",
            &format!("{TOML}\n[build]\nlanguage = \"c\"\nsource = \"{source}\"\n"),
        );
        let ran = bed.run_hookbox(&["plugin", "build"]);
        let why = format!(
            "error: a compiler would read the source `{source}` as an option: choose a name that begins with a letter\n"
        );
        assert_eq!((ran.code, ran.stderr), (1, why));
    }
}

#[test]
fn a_build_folder_that_leads_elsewhere_is_refused() {
    let bed = create_bed();
    zig_project(&bed, TOML);
    zig_that_makes(&bed, &assemble_module("denies"));
    let elsewhere = bed.resolve_path("[HOME]/elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, bed.resolve_path("[PROJECT]/build")).unwrap();
    let ran = bed.run_hookbox(&["plugin", "build"]);
    assert_eq!(
        (ran.code, &*ran.stderr),
        (1, "error: [PROJECT]/build is a link, and the build would write to its target: remove the link\n")
    );
    assert_eq!(crate::list_files(&elsewhere), Vec::<String>::new());
}

#[test]
fn no_module_of_the_folder_is_run_to_find_a_tool() {
    let bed = create_bed();
    bed.write_file("[PROJECT]/ziglang.py", "open('ran', 'w').close()\n");
    zig_project(&bed, TOML);
    let ran = bed.run_hookbox(&["plugin", "build"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(!bed.resolve_path("[PROJECT]/ran").exists(), "{ran}");
}
