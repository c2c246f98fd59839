//! `plugin new`: all of a project or nothing.

use std::fs;

use insta::assert_snapshot;

use crate::{TOML, create_bed, guests, list_files, testbed::TestBed};

#[test]
fn a_project_in_rust_has_all_that_it_needs_and_its_name_in_it() {
    let bed = create_bed();
    assert_snapshot!(bed.run_hookbox(&["plugin", "new", "acme/my-guard", "--lang", "rust"]), @"
    exit code 0
    --- stdout
    created my-guard/: the plugin acme/my-guard in rust, 22 files
    next:
      cd my-guard
      rustup target add wasm32-unknown-unknown # once
      hookbox plugin build                     # build/my-guard.wasm
      hookbox plugin test                      # each tests/*.json, in the sandbox
      hookbox plugin add build/my-guard.wasm
    --- stderr
    ");
    let folder = bed.resolve_path("[PROJECT]/my-guard");
    assert_snapshot!(list_files(&folder).join("\n"), @"
    .gitignore
    Cargo.toml
    README.md
    hookbox/Cargo.toml
    hookbox/README.md
    hookbox/src/answer.rs
    hookbox/src/bindings.rs
    hookbox/src/event.rs
    hookbox/src/events.rs
    hookbox/src/facts.rs
    hookbox/src/http.rs
    hookbox/src/json.rs
    hookbox/src/kv.rs
    hookbox/src/lib.rs
    hookbox/src/log.rs
    hookbox/src/memory.rs
    hookbox/src/testing.rs
    hookbox/src/testing/kv.rs
    plugin.toml
    src/lib.rs
    tests/allows.json
    tests/denies.json
    ");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("plugin.toml").starts_with("name = \"acme/my-guard\"\n"));
    assert!(read("Cargo.toml").starts_with("[package]\nname = \"hook-my-guard\"\n"));
    assert!(read("README.md").starts_with("# my-guard\n"));
    let left: Vec<_> = list_files(&folder).into_iter().filter(|name| read(name).contains("{{")).collect();
    assert_eq!(left, [""; 0]);
}

/// Those that `[build]` of plugin.toml may name.
#[test]
fn there_is_a_project_in_every_language() {
    let bed = create_bed();
    for language in ["rust", "javascript", "typescript", "python", "c", "zig", "assemblyscript", "go"] {
        let ran = bed.run_hookbox(&["plugin", "new", &format!("in-{language}"), "--lang", language]);
        assert_eq!(ran.code, 0, "{ran}");
        let folder = bed.resolve_path(&format!("[PROJECT]/in-{language}"));
        let toml = fs::read_to_string(folder.join("plugin.toml")).unwrap();
        assert!(toml.contains(&format!("[build]\nlanguage = \"{language}\"\n")), "{toml}");
        for needed in ["README.md", ".gitignore", "hookbox/README.md"] {
            assert!(folder.join(needed).is_file(), "{language}: {needed}");
        }
        assert!(list_files(&folder).iter().any(|name| name.starts_with("tests/")), "{language}");
    }
}

#[test]
fn what_a_language_needs_first_is_among_what_comes_next() {
    let bed = create_bed();
    let next = |language: &str| {
        let ran = bed.run_hookbox(&["plugin", "new", &format!("in-{language}"), "--lang", language]);
        let line = ran.stdout.lines().skip_while(|line| !line.starts_with("  cd ")).nth(1);
        line.unwrap_or_default().trim_start().to_owned()
    };
    for (language, tool) in [
        ("rust", "rustup target add"),
        ("python", "pip install componentize-py=="),
        ("c", "pip install ziglang=="),
        ("zig", "pip install ziglang=="),
        ("assemblyscript", "npm install "),
        ("go", "go version "),
    ] {
        assert!(next(language).starts_with(tool), "{language}");
    }
    for language in ["javascript", "typescript"] {
        assert!(next(language).starts_with("hookbox plugin build "), "{language}");
    }
}

#[test]
fn a_name_that_could_lead_elsewhere_makes_nothing() {
    let bed = create_bed();
    for name in
        ["", "..", "../x", "/x", "a//b", "A", "a b", "a_b", "-x", "a/..", "a\u{1b}[2J", &"a".repeat(129)]
    {
        let ran = bed.run_hookbox(&["plugin", "new", "--lang", "rust", "--", name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{name}: {ran}");
        assert!(ran.stderr.contains("is not a plugin name"), "{name}: {ran}");
        assert!(!ran.stderr.contains('\u{1b}'), "{ran}");
    }
    assert_eq!(list_files(&bed.resolve_path("[PROJECT]")), [""; 0]);
}

#[test]
fn an_unknown_language_is_reported_with_the_nearest_known_language() {
    assert_snapshot!(create_bed().run_hookbox(&["plugin", "new", "x", "--lang", "rsut"]).stderr, @"
    error: no template for `rsut`; did you mean `rust`? allowed: rust, javascript, typescript, python, c, zig, assemblyscript, go
    ");
}

#[test]
fn a_language_is_known_by_the_names_that_people_type() {
    let bed = create_bed();
    for (typed, meant) in [
        ("rs", "rust"),
        ("Rust", "rust"),
        ("js", "javascript"),
        ("JS", "javascript"),
        ("node", "javascript"),
        ("javascrip", "javascript"),
        ("ts", "typescript"),
        ("typscript", "typescript"),
        ("py", "python"),
        ("pyhton", "python"),
        ("C", "c"),
        ("zgi", "zig"),
        ("as", "assemblyscript"),
        ("assembly-script", "assemblyscript"),
        ("golang", "go"),
    ] {
        let told = bed.run_hookbox(&["plugin", "new", "x", "--lang", typed]).stderr;
        assert!(told.contains(&format!("for `{typed}`; did you mean `{meant}`? allowed: ")), "{told}");
        bed.write_file("[PROJECT]/plugin.toml", &format!("{TOML}[build]\nlanguage = \"{typed}\"\n"));
        let told = bed.run_hookbox(&["plugin", "build"]).stderr;
        assert!(told.contains(&format!("help: did you mean `{meant}`? allowed: ")), "{told}");
    }
    for typed in ["cobol", "java", "kotlin"] {
        let told = bed.run_hookbox(&["plugin", "new", "x", "--lang", typed]).stderr;
        assert!(told.contains("`; allowed: rust, "), "{told}");
    }
    assert_eq!(list_files(&bed.resolve_path("[PROJECT]")), ["plugin.toml"]);
}

#[test]
fn what_is_there_stays_as_it_is() {
    let bed = create_bed();
    bed.write_file("[PROJECT]/guard/notes.txt", "mine");
    bed.write_file("[PROJECT]/file", "mine");
    std::os::unix::fs::symlink("nowhere", bed.resolve_path("[PROJECT]/link")).unwrap();
    for name in ["guard", "file", "link"] {
        let ran = bed.run_hookbox(&["plugin", "new", name, "--lang", "rust"]);
        assert_eq!(ran.code, 1, "{ran}");
        assert!(ran.stderr.contains("exists and is not an empty folder; nothing was written"), "{ran}");
    }
    assert_eq!(list_files(&bed.resolve_path("[PROJECT]")), ["file", "guard/notes.txt", "link"]);
}

#[test]
fn an_empty_folder_becomes_the_project() {
    let bed = create_bed();
    fs::create_dir(bed.resolve_path("[PROJECT]/guard")).unwrap();
    let ran = bed.run_hookbox(&["plugin", "new", "guard", "--lang", "rust"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(bed.resolve_path("[PROJECT]/guard/plugin.toml").is_file());
}

#[test]
fn a_project_that_cannot_be_written_leaves_nothing_behind() {
    let bed = create_bed();
    // The template's files fit, but not one of them may be this long.
    let mut command = bed.build_shell_command("ulimit -f 0; exec \"$0\" plugin new guard --lang rust");
    let ran = bed.run_with_input(&mut command, b"");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{ran}");
    assert_eq!(list_files(&bed.resolve_path("[PROJECT]")), [""; 0]);
    assert!(
        fs::read_dir(bed.resolve_path("[PROJECT]"))
            .unwrap()
            .all(|entry| entry.unwrap().file_name() == ".git")
    );
}

#[test]
fn without_the_program_next_to_it_hookbox_reports_what_to_install() {
    let ran = TestBed::new().without_compiler().run_hookbox(&["plugin", "build", "--json"]);
    assert_snapshot!(ran, @"
    exit code 1
    --- stdout
    --- stderr
    error: [BIN]/hookbox-author does not exist, and `hookbox plugin build` needs it; install hookbox-author of the same version next to hookbox
    ");
}

#[test]
fn help_is_that_of_the_program_that_does_it() {
    let ran = create_bed().run_hookbox(&["plugin", "test", "--help"]);
    assert!(ran.code == 0 && ran.stdout.contains("Usage: hookbox plugin test"), "{ran}");
}

/// The SDK's own manifest belongs to a workspace, and a project's does not.
#[test]
fn the_sdk_in_a_project_needs_what_the_sdk_needs() {
    let read = |path: &str| {
        let text = fs::read_to_string(guests::repository_folder(path)).unwrap();
        text.parse::<toml::Table>().unwrap()
    };
    let (sdk, copy) = (read("sdk/rust/Cargo.toml"), read("sdk/rust/template/hookbox/Cargo.toml"));
    let workspace = read("plugins/Cargo.toml")["workspace"]["dependencies"].clone();
    let dependencies = sdk["dependencies"].as_table().unwrap().iter().map(|(name, said)| {
        let is_inherited = said.get("workspace").is_some();
        (name.clone(), if is_inherited { workspace[name].clone() } else { said.clone() })
    });
    assert_eq!(copy["dependencies"], toml::Value::Table(dependencies.collect()));
    for part in ["target", "features"] {
        assert_eq!(sdk.get(part), copy.get(part), "{part}");
    }
    assert_eq!(sdk["package"]["version"], copy["package"]["version"]);
}
