//! A project's own file: a stranger's, until someone trusts it. It can only make things stricter.

use std::{fs, os::unix::fs::symlink, path::Path};

use insta::assert_snapshot;
use rustix::fs::{Gid, Uid, chown};

use crate::{LS, Ran, TestBed, bad_config::make_fifo, format_gate, gate_with, guests, shell_gate};

const CONFIG: &str = "[PROJECT]/.hookbox/hooks.toml";

/// A project with this configuration and these guests in it.
fn create_project(config: &str, guests: &[&str]) -> TestBed {
    let bed = TestBed::new().with_own_cache();
    bed.write_file(CONFIG, &config.replace("[GUESTS]", "plugins"));
    for guest in guests {
        bed.write_bytes(&format!("[PROJECT]/.hookbox/plugins/{guest}.wasm"), &guests::build_component(guest));
    }
    bed
}

/// The answer to an event of a project whose file is what `make` puts there; the user has a gate that denies.
fn denied_beside(make: impl FnOnce(&TestBed, &Path)) -> Ran {
    let bed = TestBed::with_config(&format_gate("denies"));
    fs::create_dir(bed.resolve_path("[PROJECT]/.hookbox")).unwrap();
    make(&bed, &bed.resolve_path(CONFIG));
    bed.answer_event(LS)
}

#[test]
fn an_untrusted_shell_hook_is_skipped_and_reported() {
    let bed = create_project(&shell_gate("touch [HOME]/ran; exit 2", ""), &[]);
    assert_snapshot!(bed.answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"systemMessage":"project-hooks: 1 hook of this project waits for you: `hookbox trust` at a terminal shows it, and nothing of it runs before"}
    --- stderr
    hookbox: 1 hook of this project waits for you: `hookbox trust` at a terminal shows it, and nothing of it runs before
    "#);
    assert!(!bed.resolve_path("[HOME]/ran").exists());
    assert_snapshot!(bed.run_hookbox(&["check"]), @"
    exit code 0
    --- stdout
    0 hooks checked: 0 errors, 1 warning, 0 that cannot run
    --- stderr
    [PROJECT]/.hookbox/hooks.toml:4:1: warning: `sh` is left out: it is a shell hook
      4 | shell = { command = '''touch [HOME]/ran; exit 2''' }
        | ^^^^^
      help: `hookbox trust` shows it to you, and it runs once you say so
    checked in [TIME]
    ");
}

#[test]
fn an_untrusted_webhook_is_skipped_and_reported() {
    let bed = create_project(
        "[[hook]]\nname = \"web\"\non = \"*\"\nwebhook = { url = \"http://127.0.0.1:9/\" }\n",
        &[],
    );
    assert_snapshot!(bed.answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"systemMessage":"project-hooks: 1 hook of this project waits for you: `hookbox trust` at a terminal shows it, and nothing of it runs before"}
    --- stderr
    hookbox: 1 hook of this project waits for you: `hookbox trust` at a terminal shows it, and nothing of it runs before
    "#);
}

#[test]
fn a_deny_counts_and_its_name_its_code_and_its_text_are_ours() {
    assert_snapshot!(create_project(&format_gate("denies"), &["denies"]).answer_event(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"project hook 1: an untrusted rule of this project"}}
    --- stderr
    "#);
}

#[test]
fn an_allow_a_rewrite_and_every_text_are_taken_out_and_the_report_says_so() {
    let config = gate_with("allows", "role = \"transform\"");
    let bed = create_project(&config, &["allows"]);
    assert_snapshot!(bed.answer_event(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    ");
    let ran = bed.run_with_input(
        &mut bed.build_command(&["explain", "--json"]),
        bed.expand_placeholders(LS).as_bytes(),
    );
    let clamped = ran.stdout.split("\"clamped\": ").nth(1).unwrap().split(']').next().unwrap();
    assert_snapshot!(clamped, @r#"
    [
            "allow",
            "rewrite",
            "context",
            "deny-text"
    "#);
}

#[test]
fn a_hook_that_fails_is_passed_over_whatever_it_says_about_that() {
    let config = gate_with("traps", "on-failure = \"deny\"");
    assert_snapshot!(create_project(&config, &["traps"]).answer_event(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    hookbox: the hook `project hook 1` failed: trap: a hook of this project failed; `hookbox explain` shows how
    ");
}

#[test]
fn a_component_outside_of_the_project_is_left_out() {
    for path in ["/etc/x.wasm", "../../x.wasm", "a/../../../x.wasm"] {
        let config =
            format!("[[hook]]\nname = \"x\"\non = \"tool.before\"\nwasm = {{ path = \"{path}\" }}\n");
        let ran = create_project(&config, &[]).answer_event(LS);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, "{}\n"));
        assert_eq!(ran.stderr, "hookbox: the project's hook file has 1 problem; see `hookbox check`\n");
    }
}

#[test]
fn a_link_out_of_the_project_is_not_followed_to_a_component() {
    let bed = create_project(&format_gate("denies"), &[]);
    bed.write_bytes("[HOME]/denies.wasm", &guests::build_component("denies"));
    let plugins = bed.resolve_path("[PROJECT]/.hookbox/plugins");
    fs::create_dir(&plugins).unwrap();
    symlink(bed.resolve_path("[HOME]/denies.wasm"), plugins.join("denies.wasm")).unwrap();
    assert_snapshot!(bed.answer_event(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the hook `project hook 1` failed: bad-component: a hook of this project failed; `hookbox explain` shows how
    ");

    fs::remove_file(plugins.join("denies.wasm")).unwrap();
    bed.write_bytes("[PROJECT]/tools/denies.wasm", &guests::build_component("denies"));
    symlink("../../tools/denies.wasm", plugins.join("denies.wasm")).unwrap();
    assert!(bed.answer_event(LS).stdout.contains("\"permissionDecision\":\"deny\""));
}

#[test]
fn a_file_of_the_project_neither_replaces_nor_silences_a_hook_of_the_user() {
    let bed = TestBed::with_config(&format_gate("denies"));
    bed.write_file(CONFIG, &gate_with("denies", "enabled = false").replace("[GUESTS]", "plugins"));
    assert!(bed.answer_event(LS).stdout.contains("denies: because (no)"));
}

#[test]
fn it_is_found_from_a_folder_inside_of_the_project() {
    let bed = create_project(&format_gate("denies"), &["denies"]);
    fs::create_dir_all(bed.resolve_path("[PROJECT]/src/deep")).unwrap();
    let ran = bed.answer_event(&LS.replace("[PROJECT]", "[PROJECT]/src/deep"));
    assert!(ran.stdout.contains("project hook 1: "), "{ran}");
}

#[test]
fn a_repository_ends_the_search() {
    let bed = create_project(&format_gate("denies"), &["denies"]);
    fs::create_dir_all(bed.resolve_path("[PROJECT]/vendor/other/.git")).unwrap();
    // A submodule or a worktree has a file in its place.
    bed.write_file("[PROJECT]/vendor/module/.git", "gitdir: ../../.git/modules/module\n");
    for inner in ["other", "module"] {
        assert_eq!(
            bed.answer_event(&LS.replace("[PROJECT]", &format!("[PROJECT]/vendor/{inner}"))).stdout,
            "{}\n"
        );
    }
}

#[test]
fn the_home_folder_ends_the_search() {
    let bed = TestBed::new();
    fs::create_dir_all(bed.resolve_path("[HOME]/work")).unwrap();
    let above = bed.resolve_path("[HOME]").parent().unwrap().join(".hookbox");
    fs::create_dir_all(&above).unwrap();
    fs::write(above.join("hooks.toml"), "no toml").unwrap();
    let ran = bed.answer_event(&LS.replace("[PROJECT]", "[HOME]/work"));
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("{}\n", ""));
}

#[test]
fn a_project_file_with_mistakes_disables_only_the_hooks_of_the_project() {
    let bed = create_project("[[hook]\n", &[]);
    assert_snapshot!(bed.answer_event(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    ");
}

#[test]
fn a_fifo_in_the_place_of_the_project_file_is_reported_without_waiting() {
    let bed = create_project("", &[]);
    fs::remove_file(bed.resolve_path(CONFIG)).unwrap();
    make_fifo(&bed.resolve_path(CONFIG));
    assert_snapshot!(bed.answer_event(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    ");
    assert!(denied_beside(|_, path| make_fifo(path)).stdout.contains("because"));
}

#[test]
fn whatever_its_priority_and_role_it_stands_behind_the_users_own() {
    for role in ["gate", "transform"] {
        let bed = TestBed::with_config(&format_gate("denies"));
        let theirs = format_gate("none").replace("[GUESTS]", "plugins");
        bed.write_file(CONFIG, &format!("{theirs}priority = 1000\nrole = \"{role}\"\n"));
        bed.write_bytes("[PROJECT]/.hookbox/plugins/none.wasm", &guests::build_component("none"));
        let listed = bed.run_hookbox(&["list"]).stdout;
        let at = |name: &str| listed.find(&format!("{name}  gate")).unwrap_or_else(|| panic!("{listed}"));
        assert!(at("denies") < at("none"), "{listed}");
        assert!(bed.answer_event(LS).stdout.contains("because"));
    }
}

#[test]
fn a_link_in_the_place_of_the_project_file_is_reported_and_not_followed() {
    let bed = create_project("", &["denies"]);
    fs::remove_file(bed.resolve_path(CONFIG)).unwrap();
    let elsewhere = format_gate("denies").replace("[GUESTS]", "plugins");
    symlink(bed.write_file("[HOME]/elsewhere.toml", &elsewhere), bed.resolve_path(CONFIG)).unwrap();
    assert_snapshot!(bed.answer_event(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    ");
    assert!(denied_beside(|_, path| symlink("/etc/shadow", path).unwrap()).stdout.contains("because"));
}

#[test]
fn a_link_in_the_place_of_the_folder_is_not_followed_either() {
    let bed = create_project("", &[]);
    let folder = bed.resolve_path("[PROJECT]/.hookbox");
    fs::rename(&folder, bed.resolve_path("[HOME]/elsewhere")).unwrap();
    symlink(bed.resolve_path("[HOME]/elsewhere"), &folder).unwrap();
    assert_snapshot!(bed.answer_event(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    ");
}

#[test]
fn a_folder_in_the_place_of_the_project_file_is_reported() {
    let bed = create_project("", &[]);
    fs::remove_file(bed.resolve_path(CONFIG)).unwrap();
    fs::create_dir(bed.resolve_path(CONFIG)).unwrap();
    assert_snapshot!(bed.answer_event(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    ");
}

/// Only root can give a file away.
#[test]
fn a_project_file_of_another_user_is_reported_and_not_used() {
    let bed = create_project(&format_gate("denies"), &["denies"]);
    if !rustix::process::geteuid().is_root() {
        assert!(chown(bed.resolve_path(CONFIG), Some(Uid::from_raw(65_534)), None::<Gid>).is_err());
        return;
    }
    chown(bed.resolve_path(CONFIG), Some(Uid::from_raw(65_534)), None::<Gid>).unwrap();
    assert_snapshot!(bed.answer_event(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    ");
}

#[test]
fn a_project_file_of_more_than_64_kib_is_reported_and_not_used() {
    let bed = create_project("", &[]);
    bed.write_bytes(CONFIG, &vec![b'#'; (64 << 10) + 1]);
    assert_snapshot!(bed.answer_event(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    ");
}

#[test]
fn a_path_that_would_forge_a_line_is_refused() {
    let config =
        "[[hook]]\nname = \"x\"\non = \"tool.before\"\nwasm = { path = \"a\\nok all is sound.wasm\" }\n";
    assert_snapshot!(create_project(config, &[]).run_hookbox(&["check"]), @r#"
    exit code 1
    --- stdout
    0 hooks checked: 1 error, 0 warnings, 0 that cannot run
    --- stderr
    [PROJECT]/.hookbox/hooks.toml:4:17: error: a path with a control character
      4 | wasm = { path = "a\nok all is sound.wasm" }
        |                 ^^^^^^^^^^^^^^^^^^^^^^^^^
      help: rename the file
    checked in [TIME]
    "#);
}
