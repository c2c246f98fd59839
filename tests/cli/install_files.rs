//! `install` and `uninstall` for Cline's executable files and cocode's TOML.

use std::{fs, os::unix::fs::PermissionsExt};

use insta::assert_snapshot;

use crate::TestBed;

const CLINE: &str = "[HOME]/Documents/Cline/Hooks";
const COCODE: &str = "[HOME]/.config/cocode/hooks.toml";

fn list_files(bed: &TestBed, folder: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir(bed.resolve_path(folder)) else { return Vec::new() };
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The built command by its bare name, as Cline's environment would find it.
fn with_command_path(bed: TestBed) -> TestBed {
    let path = bed.expand_placeholders("[BIN]:/usr/bin:/bin");
    bed.with_variable("PATH", &path)
}

#[test]
fn clines_files_are_written_run_and_taken_away_again() {
    let bed = with_command_path(TestBed::with_config(
        "[[hook]]\nname = \"guard\"\non = \"tool.before\"\nwasm = { plugin = \"guard-shell\" }\n",
    ));
    let ran = bed.run_hookbox(&["install", "cline", "--yes"]);
    assert!(
        ran.code == 0 && ran.stdout.ends_with("installed for 8 events: [HOME]/Documents/Cline/Hooks\n"),
        "{ran}"
    );
    let all = [
        "PostToolUse",
        "PreCompact",
        "PreToolUse",
        "TaskCancel",
        "TaskComplete",
        "TaskResume",
        "TaskStart",
        "UserPromptSubmit",
    ];
    assert_eq!(list_files(&bed, CLINE), all);
    let hook = bed.resolve_path(&format!("{CLINE}/PreToolUse"));
    assert_eq!(fs::metadata(&hook).unwrap().permissions().mode() & 0o777, 0o755);
    // As Cline runs it: by its path, with the event on standard input.
    let event = r#"{"clineVersion":"3","hookName":"PreToolUse","timestamp":"1","taskId":"t","workspaceRoots":["[PROJECT]"],
        "userId":"u","preToolUse":{"toolName":"execute_command","parameters":{"command":"rm -rf / --no-preserve-root"}}}"#;
    let answer =
        bed.run_with_input(&mut bed.command_of(&hook, &[]), bed.expand_placeholders(event).as_bytes());
    assert!(answer.stdout.contains(r#""cancel":true"#) && answer.stdout.contains("rm-root"), "{answer}");
    let ran = bed.run_hookbox(&["install", "cline", "--yes"]);
    assert_eq!(ran.stdout, "nothing to do: [HOME]/Documents/Cline/Hooks has it already\n");
    let ran = bed.run_hookbox(&["uninstall", "cline", "--yes"]);
    assert!(ran.stdout.ends_with("removed from 8 events: [HOME]/Documents/Cline/Hooks\n"), "{ran}");
    assert_eq!(list_files(&bed, CLINE), Vec::<String>::new());
    let ran = bed.run_hookbox(&["uninstall", "cline", "--yes"]);
    assert_eq!(ran.stdout, "nothing to do: [HOME]/Documents/Cline/Hooks has no entry of hookbox's\n");
}

#[test]
fn a_hook_of_somebody_elses_stays_and_then_no_file_is_written() {
    let bed = TestBed::new();
    bed.write_file(&format!("{CLINE}/PreToolUse"), "#!/bin/sh\necho mine\n");
    let ran = bed.run_hookbox(&["install", "cline", "--yes"]);
    assert_snapshot!(ran, @"
    exit code 1
    --- stdout
    --- stderr
    error: [HOME]/Documents/Cline/Hooks/PreToolUse: it is another program's hook, and Cline calls one file for each name in a folder; call it from hooks.toml instead (`shell`), or select the other events with --events; nothing was changed
    ");
    assert_eq!(list_files(&bed, CLINE), ["PreToolUse"]);
    let ran = bed.run_hookbox(&["install", "cline", "--yes", "--events", "PostToolUse,TaskError"]);
    assert!(ran.stdout.contains("installed for 2 events"), "{ran}");
    bed.run_hookbox(&["uninstall", "cline", "--yes"]);
    assert_eq!(list_files(&bed, CLINE), ["PreToolUse"]);
    assert_eq!(
        fs::read_to_string(bed.resolve_path(&format!("{CLINE}/PreToolUse"))).unwrap(),
        "#!/bin/sh\necho mine\n"
    );
}

#[test]
fn a_projects_files_are_in_its_own_folder_and_a_link_there_leads_nowhere() {
    let bed = TestBed::new();
    let ran = bed.run_hookbox(&["install", "cline", "--here", "--yes", "--events", "PreToolUse"]);
    assert!(ran.stdout.ends_with("installed for 1 event: [PROJECT]/.clinerules/hooks\n"), "{ran}");
    assert_eq!(list_files(&bed, "[PROJECT]/.clinerules/hooks"), ["PreToolUse"]);
    fs::remove_dir_all(bed.resolve_path("[PROJECT]/.clinerules")).unwrap();
    fs::create_dir_all(bed.resolve_path("[HOME]/elsewhere")).unwrap();
    std::os::unix::fs::symlink(
        bed.resolve_path("[HOME]/elsewhere"),
        bed.resolve_path("[PROJECT]/.clinerules"),
    )
    .unwrap();
    let ran = bed.run_hookbox(&["install", "cline", "--here", "--yes", "--events", "PreToolUse"]);
    assert!(ran.code == 1 && ran.stderr.contains("symbolic link"), "{ran}");
    assert_eq!(list_files(&bed, "[HOME]/elsewhere"), Vec::<String>::new());
}

#[test]
fn nothing_is_written_without_a_yes_and_an_event_must_be_one() {
    let bed = TestBed::new();
    for agent in ["cline", "cocode"] {
        let ran = bed.run_hookbox(&["install", agent, "--dry-run"]);
        assert!(ran.code == 0 && ran.stderr.ends_with("nothing was written (--dry-run)\n"), "{ran}");
        assert_eq!(bed.run_hookbox(&["install", agent]).code, 2);
        let ran = bed.run_hookbox(&["install", agent, "--events", "PreToolUze"]);
        assert!(ran.code == 2 && ran.stderr.contains("did you mean `PreToolUse`?"), "{ran}");
    }
    assert_eq!(
        (list_files(&bed, CLINE), list_files(&bed, "[HOME]/.config/cocode")),
        (Vec::new(), Vec::new())
    );
    let ran = bed.run_hookbox(&["install", "cocode", "--here", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("no hook file of a project"), "{ran}");
}

#[test]
fn the_cocode_file_gets_additional_entries_and_is_restored_on_uninstall() {
    let bed = with_command_path(TestBed::with_config(
        "[[hook]]\nname = \"guard\"\non = \"tool.before\"\nwasm = { plugin = \"guard-shell\" }\n",
    ));
    let mine = "# mine\n[[hooks]]\nevent = \"SessionStart\" # at first\n[hooks.shell]\ncommand = \"true\"\n";
    bed.write_file(COCODE, mine);
    let ran = bed.run_hookbox(&["install", "cocode", "--yes", "--events", "PreToolUse"]);
    assert_snapshot!(ran, @r#"
    exit code 0
    --- stdout
    --- [HOME]/.config/cocode/hooks.toml
    +++ [HOME]/.config/cocode/hooks.toml
    @@ -3,3 +3,7 @@
     event = "SessionStart" # at first
     [hooks.shell]
     command = "true"
    +
    +[[hooks]]
    +event = "PreToolUse"
    +shell = { command = "[BIN]/hookbox run --agent cocode --home [HOME] --cache-home [CACHE]", pass_context = true, parse_result = true }
    installed for 1 event: [HOME]/.config/cocode/hooks.toml
    --- stderr
    "#);
    // As cocode runs it: hookbox plays cocode here.
    let event = r#"{"event":"PreToolUse","session_id":"s","cwd":"[PROJECT]","env":{},"tool_name":"Bash",
        "tool_input":{"command":"rm -rf / --no-preserve-root"}}"#;
    let words = ["run", "--agent", "cocode", "--source", COCODE];
    let answer =
        bed.run_with_input(&mut bed.build_command(&words), bed.expand_placeholders(event).as_bytes());
    assert!(answer.stdout.contains("Reject") && answer.stdout.contains("rm-root"), "{answer}");
    assert!(
        bed.run_hookbox(&["install", "cocode", "--yes", "--events", "PreToolUse"])
            .stdout
            .starts_with("nothing to do")
    );
    let imported = bed.run_hookbox(&["import", "cocode"]).stdout;
    assert!(imported.contains("; true\"") && !imported.contains("hookbox run"), "{imported}");
    bed.run_hookbox(&["uninstall", "cocode", "--yes"]);
    assert_eq!(fs::read_to_string(bed.resolve_path(COCODE)).unwrap(), mine);
}

#[test]
fn a_file_that_was_not_there_before_is_gone_again_and_a_bad_one_is_left_alone() {
    let bed = TestBed::new();
    assert!(bed.run_hookbox(&["install", "cocode", "--yes"]).stdout.contains("installed for 10 events"));
    bed.run_hookbox(&["uninstall", "cocode", "--yes"]);
    assert_eq!(list_files(&bed, "[HOME]/.config/cocode"), Vec::<String>::new());
    bed.write_file(COCODE, "[[hooks]\n");
    let ran = bed.run_hookbox(&["install", "cocode", "--yes"]);
    assert!(
        ran.code == 1 && ran.stderr.contains("line 1, column") && ran.stderr.contains("nothing was changed"),
        "{ran}"
    );
    assert_eq!(fs::read_to_string(bed.resolve_path(COCODE)).unwrap(), "[[hooks]\n");
}

#[test]
fn a_hook_file_that_is_not_executable_is_made_executable_again() {
    let bed = TestBed::new();
    bed.run_hookbox(&["install", "cline", "--yes"]);
    let hook = bed.resolve_path(&format!("{CLINE}/PreToolUse"));
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o644)).unwrap();
    assert_snapshot!(bed.run_hookbox(&["install", "cline", "--yes"]), @"
    exit code 0
    --- stdout
    [HOME]/Documents/Cline/Hooks/PreToolUse is to be executable again
    installed for 1 event: [HOME]/Documents/Cline/Hooks
    --- stderr
    ");
    assert_eq!(fs::metadata(&hook).unwrap().permissions().mode() & 0o777, 0o755);
    assert!(bed.run_hookbox(&["install", "cline", "--yes"]).stdout.starts_with("nothing to do"));
}
