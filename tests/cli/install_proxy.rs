//! `hookbox install` and `uninstall` for proxies: a name in their configuration.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt, symlink},
};

use insta::assert_snapshot;

use crate::{Ran, TestBed};

const HERE: &str = "[PROJECT]/config.yaml";
const MODELS: &str = "model_list: []\n";
const NAMED: &str = "model_list: []\nlitellm_settings:\n  callbacks: hookbox_litellm.hookbox\n";

fn read_text(bed: &TestBed, file: &str) -> String {
    fs::read_to_string(bed.resolve_path(file)).unwrap()
}

fn run_install(bed: &TestBed, agent: &str, more: &[&str]) -> Ran {
    bed.run_hookbox(&[&["install", agent, "--yes"], more].concat())
}

fn run_uninstall(bed: &TestBed, agent: &str, more: &[&str]) -> Ran {
    bed.run_hookbox(&[&["uninstall", agent, "--yes"], more].concat())
}

#[test]
fn the_callback_is_added_to_others_after_a_diff_and_removed_again() {
    let bed = TestBed::new();
    let before = "# Ours.\nlitellm_settings:   # of the proxy\n  callbacks: my.handler  # first\n  drop_params: true\n";
    bed.write_file(HERE, before);
    assert_snapshot!(run_install(&bed, "litellm", &[]), @"
    exit code 0
    --- stdout
    --- [PROJECT]/config.yaml
    +++ [PROJECT]/config.yaml
    @@ -1,4 +1,4 @@
     # Ours.
     litellm_settings:   # of the proxy
    -  callbacks: my.handler  # first
    +  callbacks: [my.handler, hookbox_litellm.hookbox]  # first
       drop_params: true
    installed for litellm: [PROJECT]/config.yaml
    --- stderr
    the proxy's Python needs the package hookbox-litellm, which is not published yet: run `cargo xtask packages --release` in a clone of hookbox and `pip install target/packages/python/*.whl target/packages/litellm/*.whl`; then start the proxy again
    ");
    let after = read_text(&bed, HERE);
    assert_snapshot!(run_install(&bed, "litellm", &[]), @"
    exit code 0
    --- stdout
    nothing to do: [PROJECT]/config.yaml names hookbox_litellm.hookbox
    --- stderr
    the proxy's Python needs the package hookbox-litellm, which is not published yet: run `cargo xtask packages --release` in a clone of hookbox and `pip install target/packages/python/*.whl target/packages/litellm/*.whl`; then start the proxy again
    ");
    assert_eq!(read_text(&bed, HERE), after);
    assert_snapshot!(run_uninstall(&bed, "litellm", &[]), @"
    exit code 0
    --- stdout
    --- [PROJECT]/config.yaml
    +++ [PROJECT]/config.yaml
    @@ -1,4 +1,4 @@
     # Ours.
     litellm_settings:   # of the proxy
    -  callbacks: [my.handler, hookbox_litellm.hookbox]  # first
    +  callbacks: my.handler  # first
       drop_params: true
    removed from litellm: [PROJECT]/config.yaml
    --- stderr
    start the proxy again
    ");
    assert_eq!(read_text(&bed, HERE), before);
    assert_snapshot!(run_uninstall(&bed, "litellm", &[]).stdout, @"nothing to do: [PROJECT]/config.yaml does not name hookbox_litellm.hookbox");
}

#[test]
fn every_form_of_a_configuration_comes_back_byte_for_byte() {
    for before in [
        "",
        "# nothing yet",
        "model_list: []\r\nlitellm_settings:\r\n",
        "litellm_settings:\n  callbacks:\n",
        "litellm_settings:\n  callbacks:\n  - a\n",
        "litellm_settings: {}\n",
        "{\"litellm_settings\": {\"callbacks\": \"a\"}}",
        "\u{feff}litellm_settings:\n  callbacks: []\n",
    ] {
        let bed = TestBed::new();
        bed.write_file("[PROJECT]/my config.yaml", before);
        for agent in ["litellm", "run-claude"] {
            assert_eq!(run_install(&bed, agent, &["--file", "my config.yaml"]).code, 0, "{before:?}");
        }
        let both = read_text(&bed, "[PROJECT]/my config.yaml");
        assert!(
            both.contains("hookbox_litellm.hookbox") && both.contains("hookbox_litellm.run_claude"),
            "{both}"
        );
        for agent in ["run-claude", "litellm"] {
            assert_eq!(run_uninstall(&bed, agent, &["--file", "my config.yaml"]).code, 0, "{before:?}");
        }
        assert_eq!(read_text(&bed, "[PROJECT]/my config.yaml"), before);
    }
}

#[test]
fn nothing_is_written_without_a_yes() {
    let bed = TestBed::new();
    bed.write_file(HERE, MODELS);
    let ran = bed.run_hookbox(&["install", "litellm", "--dry-run"]);
    assert!(ran.stdout.ends_with("+litellm_settings:\n+  callbacks: hookbox_litellm.hookbox\n"), "{ran}");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "nothing was written (--dry-run)\n"));
    let ran = bed.run_hookbox(&["install", "litellm"]);
    let said = "error: nothing was written: the question needs a terminal; pass --yes to write this\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (2, said));
    assert_eq!(read_text(&bed, HERE), MODELS);
    let by_an_agent = TestBed::new().with_variable("CLAUDECODE", "1");
    by_an_agent.write_file(HERE, NAMED);
    assert_eq!(run_uninstall(&by_an_agent, "litellm", &[]).code, 2);
    assert_eq!(read_text(&by_an_agent, HERE), NAMED);
}

#[test]
fn run_claudes_configuration_is_where_run_claude_has_it() {
    let bed = TestBed::new();
    let place = "[HOME]/.config/run-claude/litellm_config.yaml";
    assert_snapshot!(run_install(&bed, "run-claude", &[]), @"
    exit code 1
    --- stdout
    --- stderr
    error: [HOME]/.config/run-claude/litellm_config.yaml is not there: run-claude creates it when it first starts its proxy: do that, or name another file with --file
    ");
    let before =
        "general_settings:\n  master_key: sk-1\nlitellm_settings:\n  drop_params: true\nmodel_list: []\n";
    bed.write_file(place, before);
    assert_eq!(run_install(&bed, "run-claude", &[]).code, 0);
    assert_snapshot!(read_text(&bed, place), @"
    general_settings:
      master_key: sk-1
    litellm_settings:
      callbacks: hookbox_litellm.run_claude
      drop_params: true
    model_list: []
    ");
    assert_eq!(run_uninstall(&bed, "run-claude", &[]).code, 0);
    assert_eq!(read_text(&bed, place), before);
    let moved = TestBed::new()
        .with_variable("RUN_CLAUDE_HOME", &bed.resolve_path("[HOME]/elsewhere").display().to_string());
    bed.write_file("[HOME]/elsewhere/litellm_config.yaml", before);
    assert_eq!(run_install(&moved, "run-claude", &[]).code, 0);
    assert!(read_text(&bed, "[HOME]/elsewhere/litellm_config.yaml").contains("hookbox_litellm.run_claude"));
}

#[test]
fn litellms_configuration_is_the_one_that_is_here_or_the_one_that_is_named() {
    let bed = TestBed::new();
    bed.write_file(HERE, "services: {}\n");
    assert_snapshot!(run_install(&bed, "litellm", &[]), @"
    exit code 2
    --- stdout
    --- stderr
    error: no configuration of LiteLLM's proxy is in [PROJECT]; name it by --file
    ");
    bed.write_file("[PROJECT]/litellm_config.yaml", MODELS);
    assert_eq!(run_install(&bed, "litellm", &[]).code, 0);
    assert_eq!(read_text(&bed, "[PROJECT]/litellm_config.yaml"), NAMED);
    bed.write_file("[PROJECT]/proxy_config.yaml", MODELS);
    assert_snapshot!(run_install(&bed, "litellm", &[]).stderr, @"error: [PROJECT]/litellm_config.yaml and [PROJECT]/proxy_config.yaml are both a proxy's configuration; name one by --file");
    let told = TestBed::new().with_variable(
        "CONFIG_FILE_PATH",
        &bed.resolve_path("[PROJECT]/proxy_config.yaml").display().to_string(),
    );
    assert_eq!(run_install(&told, "litellm", &[]).code, 0);
    assert_eq!(read_text(&bed, "[PROJECT]/proxy_config.yaml"), NAMED);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let bed = TestBed::new();
    bed.write_file(HERE, MODELS);
    for (more, said) in [
        (&["--file", "none.yaml"][..], "none.yaml is not there: --file must name an existing configuration"),
        (&["--file", "."], "cannot be read"),
        (&["--here"], "litellm has no configuration of a project; name the file by --file"),
        (
            &["--events", "async_pre_call_hook"],
            "litellm calls hookbox for every event that has a hook; omit --events",
        ),
    ] {
        let ran = run_install(&bed, "litellm", more);
        assert!(ran.code > 0 && ran.stderr.contains(said), "{more:?}: {ran}");
    }
    let ran = run_install(&bed, "claude-code", &["--file", "config.yaml"]);
    let said = "error: --file names the configuration of a proxy (litellm, run-claude), and the settings of claude-code are where";
    assert!(ran.code == 2 && ran.stderr.starts_with(said), "{ran}");
    assert_eq!(run_uninstall(&bed, "codex", &["--file", "config.yaml"]).code, 2);
    assert_eq!(read_text(&bed, HERE), MODELS);
}

#[test]
fn a_file_that_cannot_be_edited_is_unchanged_and_the_line_to_write_is_reported() {
    for (before, said) in [
        ("a: 1\n---\nb: 2\n", "several YAML documents"),
        ("words\n", "the file is not a YAML mapping; nothing was changed"),
        (
            "x: &x [a]\nlitellm_settings:\n  callbacks: *x\n",
            "write it into `litellm_settings.callbacks` by hand; nothing was changed",
        ),
        ("litellm_settings:\n\tcallbacks: a\n", "line 2, column "),
        (
            "litellm_settings: [\n",
            "write `hookbox_litellm.hookbox` into `litellm_settings.callbacks` by hand",
        ),
        (
            "litellm_settings:\n  callbacks: 'a'\n  callbacks: b\n",
            "the key callbacks is there twice, and at most one of them counts: put both into one",
        ),
    ] {
        let bed = TestBed::new();
        bed.write_file(HERE, before);
        let ran = run_install(&bed, "litellm", &["--file", "config.yaml"]);
        assert!(ran.code == 1 && ran.stderr.contains(said), "{before:?}: {ran}");
        assert!(ran.stderr.starts_with("error: [PROJECT]/config.yaml: "), "{ran}");
        assert_eq!(read_text(&bed, HERE), before);
    }
}

#[test]
fn a_file_that_is_not_utf_8_or_very_long_is_unchanged() {
    let bed = TestBed::new();
    bed.write_bytes(HERE, b"a: \xff\n");
    let ran = run_install(&bed, "litellm", &["--file", "config.yaml"]);
    assert!(ran.code == 1 && ran.stderr.contains("it is not UTF-8 (byte 3)"), "{ran}");
    // Without blocks on the disk.
    let file = fs::File::create(bed.resolve_path(HERE)).unwrap();
    file.set_len(100 << 20).unwrap();
    let ran = run_install(&bed, "litellm", &["--file", "config.yaml"]);
    assert!(ran.code == 1 && ran.stderr.contains("it is longer than 2097152 bytes"), "{ran}");
    assert_eq!(fs::metadata(bed.resolve_path(HERE)).unwrap().len(), 100 << 20);
}

#[test]
fn a_link_is_edited_where_it_leads_and_modes_stay() {
    let bed = TestBed::new();
    let real = bed.write_file("[HOME]/kept.yaml", MODELS);
    fs::set_permissions(&real, Permissions::from_mode(0o440)).unwrap();
    symlink(&real, bed.resolve_path(HERE)).unwrap();
    assert_eq!(run_install(&bed, "litellm", &[]).code, 0);
    assert_eq!(read_text(&bed, "[HOME]/kept.yaml"), NAMED);
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o440);
    assert!(fs::symlink_metadata(bed.resolve_path(HERE)).unwrap().is_symlink());
    assert_eq!(run_uninstall(&bed, "litellm", &["--file", real.to_str().unwrap()]).code, 0);
    assert_eq!(read_text(&bed, "[HOME]/kept.yaml"), MODELS);
    fs::remove_file(&real).unwrap();
    let ran = run_install(&bed, "litellm", &["--file", "config.yaml"]);
    assert!(
        ran.code == 1 && ran.stderr.contains("it is a symbolic link to a file that does not exist"),
        "{ran}"
    );
}

#[test]
fn a_configuration_with_includes_is_warned_of() {
    let bed = TestBed::new();
    bed.write_file(HERE, "include: [models.yaml]\nmodel_list: []\n");
    let ran = run_install(&bed, "litellm", &[]);
    assert!(ran.code == 0 && ran.stderr.contains("warning: the configuration has `include`"), "{ran}");
}
