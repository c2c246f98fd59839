//! A project's own file: a stranger's, until someone trusts it. It can only make things stricter.

use std::{fs, os::unix::fs::symlink, path::Path};

use insta::assert_snapshot;
use rustix::fs::{Gid, Uid, chown};

use crate::{LS, Ran, TestBed, bad_config::fifo, gate, gate_with, guests, shell_gate};

const CONFIG: &str = "[PROJECT]/.hookbox/hooks.toml";

/// A project with this configuration and these guests in it.
fn project(config: &str, guests: &[&str]) -> TestBed {
    let bed = TestBed::new().with_own_cache();
    bed.write(CONFIG, &config.replace("[GUESTS]", "plugins"));
    for guest in guests {
        bed.write_bytes(&format!("[PROJECT]/.hookbox/plugins/{guest}.wasm"), &guests::component(guest));
    }
    bed
}

/// The answer to an event of a project whose file is what `make` puts there; the user has a gate that denies.
fn denied_beside(make: impl FnOnce(&TestBed, &Path)) -> Ran {
    let bed = TestBed::with(&gate("denies"));
    fs::create_dir(bed.path("[PROJECT]/.hookbox")).unwrap();
    make(&bed, &bed.path(CONFIG));
    bed.answer(LS)
}

#[test]
fn a_shell_hook_is_left_out_and_told() {
    let bed = project(&shell_gate("touch [HOME]/ran; exit 2", ""), &[]);
    assert_snapshot!(bed.answer(LS), @r#"
    exit code 0
    --- stdout
    {"systemMessage":"project-hooks: 1 hook of this project waits for you: `hookbox trust` at a terminal shows it, and nothing of it runs before"}
    --- stderr
    hookbox: 1 hook of this project waits for you: `hookbox trust` at a terminal shows it, and nothing of it runs before
    "#);
    assert!(!bed.path("[HOME]/ran").exists());
    assert_snapshot!(bed.hookbox(&["check"]), @"
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
fn a_webhook_is_left_out_and_told() {
    let bed =
        project("[[hook]]\nname = \"web\"\non = \"*\"\nwebhook = { url = \"http://127.0.0.1:9/\" }\n", &[]);
    assert_snapshot!(bed.answer(LS), @r#"
    exit code 0
    --- stdout
    {"systemMessage":"project-hooks: 1 hook of this project waits for you: `hookbox trust` at a terminal shows it, and nothing of it runs before"}
    --- stderr
    hookbox: 1 hook of this project waits for you: `hookbox trust` at a terminal shows it, and nothing of it runs before
    "#);
}

#[test]
fn a_deny_counts_and_its_name_its_code_and_its_text_are_ours() {
    assert_snapshot!(project(&gate("denies"), &["denies"]).answer(LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"project hook 1: an untrusted rule of this project"}}
    --- stderr
    "#);
}

#[test]
fn an_allow_a_rewrite_and_every_text_are_taken_out_and_the_report_says_so() {
    let config = gate_with("allows", "role = \"transform\"");
    let bed = project(&config, &["allows"]);
    assert_snapshot!(bed.answer(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    ");
    let ran = bed.feed(&mut bed.command(&["explain", "--json"]), bed.real(LS).as_bytes());
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
    assert_snapshot!(project(&config, &["traps"]).answer(LS), @"
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
        let ran = project(&config, &[]).answer(LS);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, "{}\n"));
        assert_eq!(ran.stderr, "hookbox: the project's hook file has 1 problem; see `hookbox check`\n");
    }
}

#[test]
fn a_link_out_of_the_project_is_not_followed_to_a_component() {
    let bed = project(&gate("denies"), &[]);
    bed.write_bytes("[HOME]/denies.wasm", &guests::component("denies"));
    let plugins = bed.path("[PROJECT]/.hookbox/plugins");
    fs::create_dir(&plugins).unwrap();
    symlink(bed.path("[HOME]/denies.wasm"), plugins.join("denies.wasm")).unwrap();
    assert_snapshot!(bed.answer(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the hook `project hook 1` failed: bad-component: a hook of this project failed; `hookbox explain` shows how
    ");

    fs::remove_file(plugins.join("denies.wasm")).unwrap();
    bed.write_bytes("[PROJECT]/tools/denies.wasm", &guests::component("denies"));
    symlink("../../tools/denies.wasm", plugins.join("denies.wasm")).unwrap();
    assert!(bed.answer(LS).stdout.contains("\"permissionDecision\":\"deny\""));
}

#[test]
fn a_file_of_the_project_neither_replaces_nor_silences_a_hook_of_the_user() {
    let bed = TestBed::with(&gate("denies"));
    bed.write(CONFIG, &gate_with("denies", "enabled = false").replace("[GUESTS]", "plugins"));
    assert!(bed.answer(LS).stdout.contains("denies: because (no)"));
}

#[test]
fn it_is_found_from_a_folder_inside_of_the_project() {
    let bed = project(&gate("denies"), &["denies"]);
    fs::create_dir_all(bed.path("[PROJECT]/src/deep")).unwrap();
    let ran = bed.answer(&LS.replace("[PROJECT]", "[PROJECT]/src/deep"));
    assert!(ran.stdout.contains("project hook 1: "), "{ran}");
}

#[test]
fn a_repository_ends_the_search() {
    let bed = project(&gate("denies"), &["denies"]);
    fs::create_dir_all(bed.path("[PROJECT]/vendor/other/.git")).unwrap();
    // A submodule or a worktree has a file in its place.
    bed.write("[PROJECT]/vendor/module/.git", "gitdir: ../../.git/modules/module\n");
    for inner in ["other", "module"] {
        assert_eq!(bed.answer(&LS.replace("[PROJECT]", &format!("[PROJECT]/vendor/{inner}"))).stdout, "{}\n");
    }
}

#[test]
fn the_home_folder_ends_the_search() {
    let bed = TestBed::new();
    fs::create_dir_all(bed.path("[HOME]/work")).unwrap();
    let above = bed.path("[HOME]").parent().unwrap().join(".hookbox");
    fs::create_dir_all(&above).unwrap();
    fs::write(above.join("hooks.toml"), "no toml").unwrap();
    let ran = bed.answer(&LS.replace("[PROJECT]", "[HOME]/work"));
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("{}\n", ""));
}

#[test]
fn a_file_with_mistakes_costs_the_project_its_hook_and_nobody_else() {
    let bed = project("[[hook]\n", &[]);
    assert_snapshot!(bed.answer(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    ");
}

#[test]
fn a_fifo_is_told_and_not_waited_for() {
    let bed = project("", &[]);
    fs::remove_file(bed.path(CONFIG)).unwrap();
    fifo(&bed.path(CONFIG));
    assert_snapshot!(bed.answer(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    ");
    assert!(denied_beside(|_, path| fifo(path)).stdout.contains("because"));
}

#[test]
fn whatever_its_priority_and_role_it_stands_behind_the_users_own() {
    for role in ["gate", "transform"] {
        let bed = TestBed::with(&gate("denies"));
        let theirs = gate("none").replace("[GUESTS]", "plugins");
        bed.write(CONFIG, &format!("{theirs}priority = 1000\nrole = \"{role}\"\n"));
        bed.write_bytes("[PROJECT]/.hookbox/plugins/none.wasm", &guests::component("none"));
        let listed = bed.hookbox(&["list"]).stdout;
        let at = |name: &str| listed.find(&format!("{name}  gate")).unwrap_or_else(|| panic!("{listed}"));
        assert!(at("denies") < at("none"), "{listed}");
        assert!(bed.answer(LS).stdout.contains("because"));
    }
}

#[test]
fn a_link_is_told_and_not_followed() {
    let bed = project("", &["denies"]);
    fs::remove_file(bed.path(CONFIG)).unwrap();
    let elsewhere = gate("denies").replace("[GUESTS]", "plugins");
    symlink(bed.write("[HOME]/elsewhere.toml", &elsewhere), bed.path(CONFIG)).unwrap();
    assert_snapshot!(bed.answer(LS), @"
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
    let bed = project("", &[]);
    let folder = bed.path("[PROJECT]/.hookbox");
    fs::rename(&folder, bed.path("[HOME]/elsewhere")).unwrap();
    symlink(bed.path("[HOME]/elsewhere"), &folder).unwrap();
    assert_snapshot!(bed.answer(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    ");
}

#[test]
fn a_folder_is_told() {
    let bed = project("", &[]);
    fs::remove_file(bed.path(CONFIG)).unwrap();
    fs::create_dir(bed.path(CONFIG)).unwrap();
    assert_snapshot!(bed.answer(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    ");
}

/// Only root can give a file away.
#[test]
fn a_file_of_another_user_is_told_and_not_used() {
    let bed = project(&gate("denies"), &["denies"]);
    if !rustix::process::geteuid().is_root() {
        assert!(chown(bed.path(CONFIG), Some(Uid::from_raw(65_534)), None::<Gid>).is_err());
        return;
    }
    chown(bed.path(CONFIG), Some(Uid::from_raw(65_534)), None::<Gid>).unwrap();
    assert_snapshot!(bed.answer(LS), @"
    exit code 0
    --- stdout
    {}
    --- stderr
    hookbox: the project's hook file has 1 problem; see `hookbox check`
    ");
}

#[test]
fn a_file_of_more_than_64_kib_is_told_and_not_used() {
    let bed = project("", &[]);
    bed.write_bytes(CONFIG, &vec![b'#'; (64 << 10) + 1]);
    assert_snapshot!(bed.answer(LS), @"
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
    assert_snapshot!(project(config, &[]).hookbox(&["check"]), @r#"
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
