//! `hookbox install` and `hookbox uninstall`: hookbox's entry in an agent's own settings.

use std::{
    fs::{self, File, Permissions},
    io::{Read, Write},
    os::unix::fs::{PermissionsExt, symlink},
    process::Stdio,
};

use insta::assert_snapshot;
use nix::pty::openpty;
use serde_json::Value;

use crate::{LS, Ran, TestBed, gate};

const CLAUDE: &str = "[HOME]/.claude/settings.json";
const GEMINI: &str = "[HOME]/.gemini/settings.json";

/// A bed in which agents find the command.
fn bed() -> TestBed {
    found(TestBed::new())
}

fn found(bed: TestBed) -> TestBed {
    let path = bed.real("[BIN]:/usr/bin:/bin");
    bed.with_variable("PATH", &path)
}

fn text(bed: &TestBed, file: &str) -> String {
    fs::read_to_string(bed.path(file)).unwrap()
}

fn is_there(bed: &TestBed, file: &str) -> bool {
    fs::symlink_metadata(bed.path(file)).is_ok()
}

fn install(bed: &TestBed, agent: &str, more: &[&str]) -> Ran {
    bed.hookbox(&[&["install", agent], more].concat())
}

/// Writes this file, expects that nothing is done about it, and returns what was said.
fn refusal(file: &str, written: &str, arguments: &[&str]) -> Ran {
    let bed = bed();
    bed.write(file, written);
    let ran = bed.hookbox(arguments);
    assert_eq!(text(&bed, file), bed.real(written));
    ran
}

#[test]
fn a_fresh_file_gets_one_entry_per_event_and_the_change_is_shown() {
    let bed = bed();
    assert_snapshot!(install(&bed, "claude-code", &["--events", "PreToolUse,SessionEnd", "--yes"]), @r#"
    exit code 0
    --- stdout
    --- [HOME]/.claude/settings.json
    +++ [HOME]/.claude/settings.json
    @@ -0,0 +1,25 @@
    +{
    +  "hooks": {
    +    "PreToolUse": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "hookbox run --agent claude-code",
    +            "timeout": 600
    +          }
    +        ]
    +      }
    +    ],
    +    "SessionEnd": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "hookbox run --agent claude-code"
    +          }
    +        ]
    +      }
    +    ]
    +  }
    +}
    installed for 2 events: [HOME]/.claude/settings.json
    --- stderr
    "#);
    assert_snapshot!(text(&bed, CLAUDE), @r#"
    {
      "hooks": {
        "PreToolUse": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "hookbox run --agent claude-code",
                "timeout": 600
              }
            ]
          }
        ],
        "SessionEnd": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "hookbox run --agent claude-code"
              }
            ]
          }
        ]
      }
    }
    "#);
}

#[test]
fn a_second_run_has_nothing_to_do_and_changes_nothing() {
    let bed = bed();
    assert_eq!(install(&bed, "claude-code", &["--yes"]).code, 0);
    let before = text(&bed, CLAUDE);
    assert_snapshot!(install(&bed, "claude-code", &["--yes"]), @"
    exit code 0
    --- stdout
    nothing to do: [HOME]/.claude/settings.json has it already
    --- stderr
    ");
    assert_eq!(text(&bed, CLAUDE), before);
}

#[test]
fn comments_order_and_odd_layout_stay_and_come_back() {
    let bed = bed();
    let written = "{\n   // mine\n   \"theme\": \"x\", /* and */ \"hooks\": {\n      \"BeforeTool\": [ // guard\n\n         \
                   { \"matcher\": \"a|b\", \"hooks\": [ {\"type\":\"command\", \"command\": \"mine\"} ] }\n      ]\n   }\n}";
    bed.write(GEMINI, written);
    assert_snapshot!(install(&bed, "gemini-cli", &["--events=BeforeTool,AfterAgent", "--yes"]), @r#"
    exit code 0
    --- stdout
    --- [HOME]/.gemini/settings.json
    +++ [HOME]/.gemini/settings.json
    @@ -3,7 +3,27 @@
        "theme": "x", /* and */ "hooks": {
           "BeforeTool": [ // guard
     
    -         { "matcher": "a|b", "hooks": [ {"type":"command", "command": "mine"} ] }
    +         { "matcher": "a|b", "hooks": [ {"type":"command", "command": "mine"} ] },
    +         {
    +            "hooks": [
    +               {
    +                  "type": "command",
    +                  "command": "hookbox run --agent gemini-cli",
    +                  "timeout": 60000
    +               }
    +            ]
    +         }
    +      ],
    +      "AfterAgent": [
    +         {
    +            "hooks": [
    +               {
    +                  "type": "command",
    +                  "command": "hookbox run --agent gemini-cli",
    +                  "timeout": 60000
    +               }
    +            ]
    +         }
           ]
        }
     }
    installed for 2 events: [HOME]/.gemini/settings.json
    --- stderr
    "#);
    assert_snapshot!(bed.hookbox(&["uninstall", "gemini-cli", "--yes"]), @r#"
    exit code 0
    --- stdout
    --- [HOME]/.gemini/settings.json
    +++ [HOME]/.gemini/settings.json
    @@ -3,27 +3,7 @@
        "theme": "x", /* and */ "hooks": {
           "BeforeTool": [ // guard
     
    -         { "matcher": "a|b", "hooks": [ {"type":"command", "command": "mine"} ] },
    -         {
    -            "hooks": [
    -               {
    -                  "type": "command",
    -                  "command": "hookbox run --agent gemini-cli",
    -                  "timeout": 60000
    -               }
    -            ]
    -         }
    -      ],
    -      "AfterAgent": [
    -         {
    -            "hooks": [
    -               {
    -                  "type": "command",
    -                  "command": "hookbox run --agent gemini-cli",
    -                  "timeout": 60000
    -               }
    -            ]
    -         }
    +         { "matcher": "a|b", "hooks": [ {"type":"command", "command": "mine"} ] }
           ]
        }
     }
    taken out of 2 events: [HOME]/.gemini/settings.json
    --- stderr
    "#);
    assert_eq!(text(&bed, GEMINI), written);
    assert_snapshot!(bed.hookbox(&["uninstall", "gemini-cli", "--yes"]), @"
    exit code 0
    --- stdout
    nothing to do: [HOME]/.gemini/settings.json has no entry of hookbox's
    --- stderr
    ");
}

#[test]
fn an_entry_with_another_path_is_known_again() {
    let bed = bed();
    let written = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/opt/hookbox run --agent claude-code --patience 5s"}]}]}}"#;
    bed.write(CLAUDE, written);
    let ran = install(&bed, "claude-code", &["--events", "Stop", "--yes"]);
    assert_eq!((ran.code, text(&bed, CLAUDE).as_str()), (0, written), "{ran}");
    assert_eq!(bed.hookbox(&["uninstall", "claude-code", "--yes"]).code, 0);
    assert_eq!(text(&bed, CLAUDE), "{}");
}

#[test]
fn a_dry_run_writes_nothing() {
    let bed = bed();
    let ran = install(&bed, "gemini-cli", &["--events", "BeforeTool", "--dry-run"]);
    assert!(ran.stdout.contains("+            \"timeout\": 60000"), "{ran}");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "nothing was written (--dry-run)\n"));
    assert!(!is_there(&bed, "[HOME]/.gemini"));
}

#[test]
fn without_a_terminal_it_does_not_write_unasked() {
    let bed = bed();
    let ran = install(&bed, "claude-code", &["--events", "Stop"]);
    let said = "error: nothing was written: there is no terminal to ask on; say --yes to write this\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (2, said));
    assert!(!is_there(&bed, "[HOME]/.claude"));
}

/// Answers the question on a terminal.
fn reply(bed: &TestBed, reply: &str) -> String {
    let terminal = openpty(None, None).unwrap();
    let end = || Stdio::from(terminal.slave.try_clone().unwrap());
    let mut command = bed.command(&["install", "claude-code", "--events", "Stop"]);
    command.stdin(end()).stdout(end()).stderr(end());
    let mut child = command.spawn().unwrap();
    drop((command, terminal.slave));
    let mut master = File::from(terminal.master);
    master.write_all(reply.as_bytes()).unwrap();
    let mut shown = Vec::new();
    drop(master.read_to_end(&mut shown));
    child.wait().unwrap();
    String::from_utf8(shown).unwrap()
}

#[test]
fn on_a_terminal_it_asks_and_only_a_yes_is_one() {
    for (said, written) in [("y\n", true), ("yes\n", true), ("n\n", false), ("\n", false), ("yess\n", false)]
    {
        let bed = bed();
        let shown = reply(&bed, said);
        assert!(shown.contains("? [y/N] "), "{shown}");
        assert_eq!(is_there(&bed, CLAUDE), written, "{said:?}: {shown}");
    }
}

#[test]
fn a_project_has_settings_of_its_own() {
    let bed = bed();
    let ran = install(&bed, "claude-code", &["--project", "--events", "Stop", "--yes"]);
    assert!(ran.stdout.ends_with("installed for 1 event: [PROJECT]/.claude/settings.json\n"), "{ran}");
    assert!(is_there(&bed, "[PROJECT]/.claude/settings.json") && !is_there(&bed, CLAUDE));
}

#[test]
fn no_link_leads_out_of_a_project() {
    for link in ["[PROJECT]/.claude", "[PROJECT]/.claude/settings.json"] {
        let bed = bed();
        let kept = bed.write("[HOME]/elsewhere/settings.json", "{}");
        let target = if link.ends_with("json") { kept.clone() } else { kept.parent().unwrap().to_owned() };
        fs::create_dir_all(bed.path(link).parent().unwrap()).unwrap();
        symlink(target, bed.path(link)).unwrap();
        let ran = install(&bed, "claude-code", &["--project", "--yes"]);
        assert!(ran.code == 1 && ran.stderr.contains("symbolic link"), "{link}: {ran}");
        assert_eq!(fs::read_to_string(kept).unwrap(), "{}");
    }
}

#[test]
fn a_link_of_the_users_own_is_edited_where_it_leads() {
    let bed = bed();
    let kept = bed.write("[HOME]/dotfiles/claude.json", "{}");
    fs::create_dir_all(bed.path("[HOME]/.claude")).unwrap();
    symlink(&kept, bed.path(CLAUDE)).unwrap();
    assert_eq!(install(&bed, "claude-code", &["--yes"]).code, 0);
    assert!(fs::symlink_metadata(bed.path(CLAUDE)).unwrap().is_symlink());
    assert!(fs::read_to_string(kept).unwrap().contains("hookbox run --agent claude-code"));
}

#[test]
fn the_mode_of_a_file_stays_and_no_other_file_is_left() {
    let bed = bed();
    let file = bed.write(CLAUDE, "{}");
    fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    assert_eq!(install(&bed, "claude-code", &["--yes"]).code, 0);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o600);
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_file_that_is_not_understood_stays_as_it_is() {
    let said = |written| refusal(CLAUDE, written, &["install", "claude-code", "--yes"]);
    assert_snapshot!(said("{\n  \"a\": 1,\n}\n"), @"
    exit code 1
    --- stdout
    --- stderr
    error: [HOME]/.claude/settings.json: line 2, column 9: Trailing commas are not allowed; nothing was changed
    ");
    assert_snapshot!(said("{ // c\n}\n").stderr + &said("{\"hooks\": []}").stderr, @"
    error: [HOME]/.claude/settings.json: line 1, column 3: plain JSON is wanted, without comments; nothing was changed
    error: [HOME]/.claude/settings.json: hooks is not an object; nothing was changed
    ");
    let ran = refusal(CLAUDE, "{", &["uninstall", "claude-code", "--yes"]);
    assert_eq!(ran.code, 1, "{ran}");
    let ran = said(&format!("{{}}{}", " ".repeat(2 << 20)));
    assert!(ran.code == 1 && ran.stderr.contains("longer than 2097152 bytes"), "{ran}");
}

#[test]
fn a_folder_that_cannot_be_written_is_told() {
    let bed = bed();
    // A file where the folder should be stops even root.
    bed.write("[HOME]/.claude", "");
    let ran = install(&bed, "claude-code", &["--yes"]);
    assert!(
        ran.code == 1 && ran.stderr.starts_with("error: [HOME]/.claude/settings.json cannot be "),
        "{ran}"
    );
}

#[test]
fn what_is_not_known_is_refused_with_what_is() {
    let said = |arguments: &[&str]| bed().hookbox(arguments);
    assert_snapshot!(said(&["install", "claude-cod", "--yes"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: no settings of an agent `claude-cod` are known; did you mean `claude-code`? allowed: claude-code, gemini-cli, codex, llxprt, code-forge, cursor, copilot, windsurf, cline, cocode
    ");
    assert_snapshot!(said(&["install", "gemini-cli", "--events", "BeforeTools", "--yes"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: gemini-cli has no event `BeforeTools`; did you mean `BeforeTool`? allowed: BeforeTool, AfterTool, BeforeAgent, AfterAgent, BeforeModel, AfterModel, BeforeToolSelection, SessionStart, SessionEnd, PreCompress, Notification
    ");
    assert_eq!(said(&["install", "claude-code", "--yes", "--dry-run"]).code, 2);
    assert_eq!(said(&["install", "claude-code", "--user", "--project"]).code, 2);
}

#[test]
fn every_agent_whose_settings_are_known_gets_hookbox_and_loses_it_again() {
    let agents =
        ["claude-code", "gemini-cli", "codex", "llxprt", "code-forge", "cursor", "copilot", "windsurf"];
    for agent in agents {
        for place in ["--user", "--project"] {
            let bed = bed();
            let ran = install(&bed, agent, &["--yes", place]);
            assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{agent} {place}");
            assert!(install(&bed, agent, &[place]).stdout.starts_with("nothing to do: "), "{agent} {place}");
            assert_eq!(bed.hookbox(&["uninstall", agent, "--yes", place]).code, 0, "{agent} {place}");
            let again = bed.hookbox(&["uninstall", agent, "--yes", place]);
            assert!(again.stdout.starts_with("nothing to do: "), "{agent} {place}");
        }
    }
}

#[test]
fn a_command_that_the_agent_would_not_find_is_warned_of() {
    let ran = install(&TestBed::new(), "claude-code", &["--yes"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.starts_with("warning: `hookbox` is in no folder of your PATH"), "{ran}");
}

#[test]
fn what_is_installed_answers_the_agent() {
    let bed = found(TestBed::with(&gate("denies")));
    assert_eq!(install(&bed, "claude-code", &["--yes"]).code, 0);
    let settings: Value = serde_json::from_str(&text(&bed, CLAUDE)).unwrap();
    let line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
    let event = fs::read_to_string(crate::guests::folder(
        "tests/data/events/claude-code/14-PreToolUse-Bash-blocked.json",
    ));
    for event in [event.unwrap(), bed.real(LS)] {
        let ran = bed.feed(&mut bed.shell(line), event.as_bytes());
        assert!(ran.code == 0 && ran.stdout.contains("\"permissionDecision\":\"deny\""), "{ran}");
    }
}
