//! `hookbox hooks`: Code-Forge's own hook file, listed and changed.

use std::fs;

use insta::assert_snapshot;

use crate::{Ran, TestBed};

const USER: &str = "[HOME]/.config/forge/hooks.json";

fn run_hooks(bed: &TestBed, words: &[&str]) -> Ran {
    bed.run_hookbox(&[&["hooks", words[0], "--agent", "code-forge"], &words[1..]].concat())
}

#[test]
fn a_hook_is_added_listed_run_and_removed() {
    let bed = TestBed::new();
    let ran = run_hooks(&bed, &["add", "session:start", "echo $FORGE_EVENT > $HOME/seen", "--timeout", "5"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "added `session:start`: [HOME]/.config/forge/hooks.json\n")
    );
    run_hooks(
        &bed,
        &[
            "add",
            "tool:*",
            "true",
            "--disabled",
            "--env",
            "A=b",
            "--working-dir",
            "/",
            "--description",
            "off",
        ],
    );
    assert_eq!(
        fs::read_to_string(bed.resolve_path(USER)).unwrap(),
        r#"{
  "hooks": [
    {
      "event": "session:start",
      "command": "echo $FORGE_EVENT > $HOME/seen",
      "timeout": 5.0
    },
    {
      "event": "tool:*",
      "command": "true",
      "working_dir": "/",
      "env": {
        "A": "b"
      },
      "enabled": false,
      "description": "off"
    }
  ]
}
"#
    );
    assert_snapshot!(run_hooks(&bed, &["list"]), @r"
    exit code 0
    --- stdout
    session:start
        echo $FORGE_EVENT > $HOME/seen
        5 s
    tool:*  (disabled)
        off
        true
        in /, A=b
    --- stderr
    2 hooks in [HOME]/.config/forge/hooks.json
    ");
    let words = ["run", "--agent", "code-forge", "--source", USER];
    bed.run_with_input(
        &mut bed.build_command(&words),
        br#"{"type":"session:start","timestamp":1,"data":{}}"#,
    );
    assert_eq!(fs::read_to_string(bed.resolve_path("[HOME]/seen")).unwrap(), "session:start\n");
    assert_eq!(
        run_hooks(&bed, &["remove", "tool:*"]).stdout,
        "removed `tool:*`: [HOME]/.config/forge/hooks.json\n"
    );
    let ran = run_hooks(&bed, &["remove", "tool:*"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (1, "error: no hook has the pattern `tool:*`; there are: session:start\n")
    );
    assert_eq!(run_hooks(&bed, &["clear"]).stdout, "removed 1 hook: [HOME]/.config/forge/hooks.json\n");
    assert_eq!(run_hooks(&bed, &["list", "--json"]).stdout, "[]\n");
}

#[test]
fn clearing_a_file_that_is_not_there_makes_none() {
    let bed = TestBed::new();
    let ran = run_hooks(&bed, &["clear"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "nothing to do: [HOME]/.config/forge/hooks.json has no hooks\n")
    );
    assert!(!bed.resolve_path(USER).exists());
    let empty = "{ \"hooks\": [] }";
    bed.write_file(USER, empty);
    assert_eq!(run_hooks(&bed, &["clear"]).code, 0);
    assert_eq!(fs::read_to_string(bed.resolve_path(USER)).unwrap(), empty);
}

#[test]
fn a_projects_file_is_its_own_and_what_hookbox_does_not_know_stays() {
    let bed = TestBed::new();
    let file = "[PROJECT]/.forge/hooks.json";
    bed.write_file(file, r#"{"$schema": "x", "hooks": [{"event": "*", "command": "true", "owner": "me"}]}"#);
    run_hooks(&bed, &["add", "--here", "llm:*", "false"]);
    let text = fs::read_to_string(bed.resolve_path(file)).unwrap();
    assert!(
        text.contains(r#""owner": "me""#) && text.contains(r#""$schema": "x""#) && text.contains("llm:*"),
        "{text}"
    );
    assert!(!bed.resolve_path(USER).exists());
}

#[test]
fn a_dry_run_shows_the_change_and_writes_nothing() {
    let bed = TestBed::new();
    assert_snapshot!(run_hooks(&bed, &["add", "--dry-run", "*", "true"]), @r#"
    exit code 0
    --- stdout
    --- [HOME]/.config/forge/hooks.json
    +++ [HOME]/.config/forge/hooks.json
    @@ -0,0 +1,8 @@
    +{
    +  "hooks": [
    +    {
    +      "event": "*",
    +      "command": "true"
    +    }
    +  ]
    +}
    --- stderr
    nothing was written (--dry-run)
    "#);
    assert!(!bed.resolve_path(USER).exists());
}

#[test]
fn what_code_forge_would_not_take_is_not_written() {
    let bed = TestBed::new();
    for (words, expected) in [
        (vec!["add", "tool:pre_exceute", "true"], "did you mean `tool:pre_execute`?"),
        (vec!["add", "*", " "], "the command is empty"),
        (vec!["add", "*", "true", "--timeout", "301"], "--timeout is 301 s, but must be from 0.1 to 300"),
        (vec!["add", "*", "true", "--timeout", "NaN"], "--timeout is NaN s"),
        (vec!["add", "*", "true", "--env", "=x"], "--env `=x` is not NAME=VALUE"),
    ] {
        let ran = run_hooks(&bed, &words);
        assert!(ran.code == 2 && ran.stderr.contains(expected), "{ran}");
    }
    assert!(!bed.resolve_path(USER).exists());
    bed.write_file(USER, r#"{"hooks": [{"event": "*"}]}"#);
    let ran = run_hooks(&bed, &["add", "*", "true"]);
    assert!(ran.code == 1 && ran.stderr.contains("`hooks[0]`: missing field `command`"), "{ran}");
    assert_eq!(fs::read_to_string(bed.resolve_path(USER)).unwrap(), r#"{"hooks": [{"event": "*"}]}"#);
    let ran = bed.run_hookbox(&["hooks", "list", "--agent", "claude-code"]);
    assert!(ran.code == 2 && ran.stderr.contains("does not edit the hooks of `claude-code`"), "{ran}");
}

#[test]
fn a_template_is_added_by_its_name_to_either_file_and_once() {
    let file: serde_json::Value = serde_json::from_str(
        &fs::read_to_string(
            std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("docs/reference/templates/code-forge-hooks.json"),
        )
        .unwrap(),
    )
    .unwrap();
    let bed = TestBed::new();
    for (name, event) in [
        ("audit-log", "*"),
        ("notification", "session:start,session:end"),
        ("git-commit", "tool:post_execute:write,tool:post_execute:edit"),
    ] {
        let ran = run_hooks(&bed, &["add", "--template", name]);
        assert_eq!((ran.code, ran.stdout), (0, format!("added `{event}`: {USER}\n")), "{}", ran.stderr);
        let again = run_hooks(&bed, &["add", "--template", name]);
        assert_eq!(
            (again.code, again.stderr),
            (1, format!("error: the file has this hook for `{event}` already\n"))
        );
    }
    let written: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(bed.resolve_path(USER)).unwrap()).unwrap();
    assert_eq!(written["hooks"].as_array().unwrap().len(), 3);
    for (added, template) in
        written["hooks"].as_array().unwrap().iter().zip(file["hooks"].as_array().unwrap())
    {
        assert_eq!((&added["event"], &added["command"]), (&template["event"], &template["command"]));
    }
    run_hooks(&bed, &["add", "--here", "--template", "git-commit", "--timeout", "60", "--disabled"]);
    let text = fs::read_to_string(bed.resolve_path("[PROJECT]/.forge/hooks.json")).unwrap();
    assert!(text.contains("\"timeout\": 60.0") && text.contains("\"enabled\": false"), "{text}");
    let ran = run_hooks(&bed, &["add", "--template", "nothing"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("[possible values: audit-log, notification, git-commit]"),
        "{ran}"
    );
    let ran = run_hooks(&bed, &["add"]);
    assert!(ran.code == 2 && ran.stderr.contains("<PATTERN>"), "{ran}");
}
