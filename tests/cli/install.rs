//! `hookbox install` and `hookbox uninstall`: hookbox's entry in an agent's own settings.

use std::{
    fs::{self, File, Permissions},
    io::{Read, Write},
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use hookbox::agents::settings;
use insta::assert_snapshot;
use nix::pty::openpty;
use rustix::fs::{Gid, Uid};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{Ran, TestBed, format_gate};

const CLAUDE: &str = "[HOME]/.claude/settings.json";
const GEMINI: &str = "[HOME]/.gemini/settings.json";
const LLXPRT: &str = "[HOME]/.llxprt/settings.json";

/// A bed in which agents find the command.
fn create_bed() -> TestBed {
    with_command_path(TestBed::new())
}

fn with_command_path(bed: TestBed) -> TestBed {
    let path = bed.expand_placeholders("[BIN]:/usr/bin:/bin");
    bed.with_variable("PATH", &path)
}

fn read_text(bed: &TestBed, file: &str) -> String {
    fs::read_to_string(bed.resolve_path(file)).unwrap()
}

fn is_there(bed: &TestBed, file: &str) -> bool {
    fs::symlink_metadata(bed.resolve_path(file)).is_ok()
}

fn run_install(bed: &TestBed, agent: &str, more: &[&str]) -> Ran {
    bed.run_hookbox(&[&["install", agent], more].concat())
}

/// Writes this file, expects that nothing is done about it, and returns what was said.
fn expect_refusal(file: &str, written: &str, arguments: &[&str]) -> Ran {
    let bed = create_bed();
    bed.write_file(file, written);
    let ran = bed.run_hookbox(arguments);
    assert_eq!(read_text(&bed, file), bed.expand_placeholders(written));
    ran
}

#[test]
fn a_fresh_file_gets_one_entry_per_event_and_the_change_is_shown() {
    let bed = create_bed();
    assert_snapshot!(run_install(&bed, "claude-code", &["--events", "PreToolUse,SessionEnd", "--yes"]), @r#"
    exit code 0
    --- stdout
    --- [HOME]/.claude/settings.json
    +++ [HOME]/.claude/settings.json
    @@ -0,0 +1,28 @@
    +{
    +  "hooks": {
    +    "PreToolUse": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[BIN]/hookbox",
    +            "args": ["run", "--agent", "claude-code", "--home", "[HOME]", "--cache-home", "[CACHE]"],
    +            "timeout": 60,
    +            "onFailure": "block"
    +          }
    +        ]
    +      }
    +    ],
    +    "SessionEnd": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[BIN]/hookbox",
    +            "args": ["run", "--agent", "claude-code", "--home", "[HOME]", "--cache-home", "[CACHE]"]
    +          }
    +        ]
    +      }
    +    ]
    +  }
    +}
    installed for 2 events: [HOME]/.claude/settings.json
    --- stderr
    "#);
    assert_snapshot!(bed.mask_paths(&read_text(&bed, CLAUDE)), @r#"
    {
      "hooks": {
        "PreToolUse": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "[BIN]/hookbox",
                "args": ["run", "--agent", "claude-code", "--home", "[HOME]", "--cache-home", "[CACHE]"],
                "timeout": 60,
                "onFailure": "block"
              }
            ]
          }
        ],
        "SessionEnd": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "[BIN]/hookbox",
                "args": ["run", "--agent", "claude-code", "--home", "[HOME]", "--cache-home", "[CACHE]"]
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
    let bed = create_bed();
    assert_eq!(run_install(&bed, "claude-code", &["--yes"]).code, 0);
    let before = read_text(&bed, CLAUDE);
    assert_snapshot!(run_install(&bed, "claude-code", &["--yes"]), @"
    exit code 0
    --- stdout
    nothing to do: [HOME]/.claude/settings.json has it already
    --- stderr
    ");
    assert_eq!(read_text(&bed, CLAUDE), before);
}

#[test]
fn comments_order_and_odd_layout_stay_and_come_back() {
    let bed = create_bed();
    let written = "{\n   // mine\n   \"theme\": \"x\", /* and */ \"hooks\": {\n      \"BeforeTool\": [ // guard\n\n         \
                   { \"matcher\": \"a|b\", \"hooks\": [ {\"type\":\"command\", \"command\": \"mine\"} ] }\n      ]\n   }\n}";
    bed.write_file(LLXPRT, written);
    assert_snapshot!(run_install(&bed, "llxprt", &["--events=BeforeTool,AfterAgent", "--yes"]), @r#"
    exit code 0
    --- stdout
    --- [HOME]/.llxprt/settings.json
    +++ [HOME]/.llxprt/settings.json
    @@ -3,7 +3,27 @@
        "theme": "x", /* and */ "hooks": {
           "BeforeTool": [ // guard
     
    -         { "matcher": "a|b", "hooks": [ {"type":"command", "command": "mine"} ] }
    +         { "matcher": "a|b", "hooks": [ {"type":"command", "command": "mine"} ] },
    +         {
    +            "hooks": [
    +               {
    +                  "type": "command",
    +                  "command": "trap '[ $? = 0 ] || exit 2' 0; [BIN]/hookbox run --agent llxprt --home [HOME] --cache-home [CACHE] || { [ $? = 2 ] || echo 'hookbox gave no answer' >&2; exit 2; }",
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
    +                  "command": "[BIN]/hookbox run --agent llxprt --home [HOME] --cache-home [CACHE]",
    +                  "timeout": 60000
    +               }
    +            ]
    +         }
           ]
        }
     }
    installed for 2 events: [HOME]/.llxprt/settings.json
    --- stderr
    "#);
    assert_snapshot!(bed.run_hookbox(&["uninstall", "llxprt", "--yes"]), @r#"
    exit code 0
    --- stdout
    --- [HOME]/.llxprt/settings.json
    +++ [HOME]/.llxprt/settings.json
    @@ -3,27 +3,7 @@
        "theme": "x", /* and */ "hooks": {
           "BeforeTool": [ // guard
     
    -         { "matcher": "a|b", "hooks": [ {"type":"command", "command": "mine"} ] },
    -         {
    -            "hooks": [
    -               {
    -                  "type": "command",
    -                  "command": "trap '[ $? = 0 ] || exit 2' 0; [BIN]/hookbox run --agent llxprt --home [HOME] --cache-home [CACHE] || { [ $? = 2 ] || echo 'hookbox gave no answer' >&2; exit 2; }",
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
    -                  "command": "[BIN]/hookbox run --agent llxprt --home [HOME] --cache-home [CACHE]",
    -                  "timeout": 60000
    -               }
    -            ]
    -         }
    +         { "matcher": "a|b", "hooks": [ {"type":"command", "command": "mine"} ] }
           ]
        }
     }
    removed from 2 events: [HOME]/.llxprt/settings.json
    --- stderr
    "#);
    assert_eq!(read_text(&bed, LLXPRT), written);
    assert_snapshot!(bed.run_hookbox(&["uninstall", "llxprt", "--yes"]), @"
    exit code 0
    --- stdout
    nothing to do: [HOME]/.llxprt/settings.json has no entry of hookbox's
    --- stderr
    ");
}

#[test]
fn an_old_entry_is_fixed_with_a_diff_and_a_second_run_changes_nothing() {
    let bed = create_bed();
    let written = r#"{"hooks": {"Stop": [{"hooks": [
  {"type": "command", "command": "hookbox run --agent claude-code --agent-timeout 5s"}
]}]}}"#;
    bed.write_file(CLAUDE, written);
    assert_snapshot!(run_install(&bed, "claude-code", &["--events", "Stop", "--yes"]), @r#"
    exit code 0
    --- stdout
    --- [HOME]/.claude/settings.json
    +++ [HOME]/.claude/settings.json
    @@ -1,3 +1,3 @@
     {"hooks": {"Stop": [{"hooks": [
    -  {"type": "command", "command": "hookbox run --agent claude-code --agent-timeout 5s"}
    +  {"type": "command", "command": "[BIN]/hookbox", "args": ["run","--agent","claude-code","--home","[HOME]","--cache-home","[CACHE]","--agent-timeout","5s"], "onFailure": "block"}
     ]}]}}
    installed for 1 event: [HOME]/.claude/settings.json
    --- stderr
    "#);
    let again = run_install(&bed, "claude-code", &["--events", "Stop"]);
    assert!(again.stdout.starts_with("nothing to do: "), "{again}");
    assert_eq!(bed.run_hookbox(&["uninstall", "claude-code", "--yes"]).code, 0);
    assert_eq!(read_text(&bed, CLAUDE), "{}");
}

#[test]
fn places_that_follow_from_the_user_database_are_not_written() {
    let bed = create_bed();
    let other = bed.resolve_path("[HOME]/elsewhere");
    fs::create_dir_all(&other).unwrap();
    // It would keep what it has done below the real home.
    let mut command = bed.build_command(&["install", "codex", "--events", "Stop", "--dry-run"]);
    command.env_remove("HOME").env_remove("XDG_CACHE_HOME").env_remove("XDG_STATE_HOME");
    command.env("CODEX_HOME", bed.resolve_path("[HOME]/.codex")).env("XDG_CONFIG_HOME", &other);
    let ran = bed.run_with_input(&mut command, b"");
    let entry = r#""command": "[BIN]/hookbox run --agent codex --config-home [HOME]/elsewhere""#;
    assert!(ran.code == 0 && ran.stdout.contains(entry), "{ran}");
}

#[test]
fn a_dry_run_writes_nothing() {
    let bed = create_bed();
    let ran = run_install(&bed, "gemini-cli", &["--events", "BeforeTool", "--dry-run"]);
    assert!(ran.stdout.contains("+            \"timeout\": 60000"), "{ran}");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "nothing was written (--dry-run)\n"));
    assert!(!is_there(&bed, "[HOME]/.gemini"));
}

#[test]
fn without_a_terminal_it_does_not_write_unasked() {
    let bed = create_bed();
    let ran = run_install(&bed, "claude-code", &["--events", "Stop"]);
    let said = "error: nothing was written: the question needs a terminal; pass --yes to write this\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (2, said));
    assert!(!is_there(&bed, "[HOME]/.claude"));
}

/// Answers the question on a terminal.
fn answer_question(bed: &TestBed, reply: &str) -> String {
    let terminal = openpty(None, None).unwrap();
    let end = || Stdio::from(terminal.slave.try_clone().unwrap());
    let mut command = bed.build_command(&["install", "claude-code", "--events", "Stop"]);
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
        let bed = create_bed();
        let shown = answer_question(&bed, said);
        assert!(shown.contains("? [y/N] "), "{shown}");
        assert_eq!(is_there(&bed, CLAUDE), written, "{said:?}: {shown}");
    }
}

#[test]
fn a_project_has_settings_of_its_own() {
    let bed = create_bed();
    let ran = run_install(&bed, "claude-code", &["--here", "--events", "Stop", "--yes"]);
    assert!(ran.stdout.ends_with("installed for 1 event: [PROJECT]/.claude/settings.json\n"), "{ran}");
    assert!(is_there(&bed, "[PROJECT]/.claude/settings.json") && !is_there(&bed, CLAUDE));
}

#[test]
fn no_link_leads_out_of_a_project() {
    for link in ["[PROJECT]/.claude", "[PROJECT]/.claude/settings.json"] {
        let bed = create_bed();
        let kept = bed.write_file("[HOME]/elsewhere/settings.json", "{}");
        let target = if link.ends_with("json") { kept.clone() } else { kept.parent().unwrap().to_owned() };
        fs::create_dir_all(bed.resolve_path(link).parent().unwrap()).unwrap();
        symlink(target, bed.resolve_path(link)).unwrap();
        let ran = run_install(&bed, "claude-code", &["--here", "--yes"]);
        assert!(ran.code == 1 && ran.stderr.contains("symbolic link"), "{link}: {ran}");
        assert_eq!(fs::read_to_string(kept).unwrap(), "{}");
    }
}

#[test]
fn a_link_of_the_users_own_is_edited_where_it_leads() {
    let bed = create_bed();
    let kept = bed.write_file("[HOME]/dotfiles/claude.json", "{}");
    fs::create_dir_all(bed.resolve_path("[HOME]/.claude")).unwrap();
    symlink(&kept, bed.resolve_path(CLAUDE)).unwrap();
    assert_eq!(run_install(&bed, "claude-code", &["--yes"]).code, 0);
    assert!(fs::symlink_metadata(bed.resolve_path(CLAUDE)).unwrap().is_symlink());
    assert!(fs::read_to_string(kept).unwrap().contains("\"run\", \"--agent\", \"claude-code\""));
}

#[test]
fn the_mode_of_a_file_stays_and_no_other_file_is_left() {
    let bed = create_bed();
    let file = bed.write_file(CLAUDE, "{}");
    fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    assert_eq!(run_install(&bed, "claude-code", &["--yes"]).code, 0);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o600);
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_file_that_is_not_understood_stays_as_it_is() {
    let said = |written| expect_refusal(CLAUDE, written, &["install", "claude-code", "--yes"]);
    assert_snapshot!(said("{\n  \"a\": 1,\n}\n"), @"
    exit code 1
    --- stdout
    --- stderr
    error: [HOME]/.claude/settings.json: line 2, column 9: Trailing commas are not allowed; nothing was changed
    ");
    assert_snapshot!(said("{ // c\n}\n").stderr + &said("{\"hooks\": []}").stderr, @"
    error: [HOME]/.claude/settings.json: line 1, column 3: plain JSON is wanted, without comments; nothing was changed
    error: [HOME]/.claude/settings.json: line 1: `hooks` is not an object, and claude-code loads no hook of such a file, hookbox's entries included: correct it or take it out; nothing was changed
    ");
    let ran = expect_refusal(CLAUDE, "{", &["uninstall", "claude-code", "--yes"]);
    assert_eq!(ran.code, 1, "{ran}");
    let ran = said(&format!("{{}}{}", " ".repeat(2 << 20)));
    assert!(ran.code == 1 && ran.stderr.contains("longer than 2097152 bytes"), "{ran}");
}

#[test]
fn a_folder_that_cannot_be_written_is_reported() {
    let bed = create_bed();
    // A file where the folder should be stops even root.
    bed.write_file("[HOME]/.claude", "");
    let ran = run_install(&bed, "claude-code", &["--yes"]);
    assert!(
        ran.code == 1 && ran.stderr.starts_with("error: [HOME]/.claude/settings.json cannot be "),
        "{ran}"
    );
}

#[test]
fn what_is_not_known_is_refused_with_what_is() {
    let said = |arguments: &[&str]| create_bed().run_hookbox(arguments);
    assert_snapshot!(said(&["install", "claude-cod", "--yes"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: no settings of an agent `claude-cod` are known; did you mean `claude-code`? allowed: claude-code, codex, gemini-cli, llxprt, cursor, copilot, windsurf, qwen-code, droid, kimi-code, openhands, opencode, cocode, code-forge, cline, litellm, run-claude
    ");
    assert_snapshot!(said(&["install", "gemini-cli", "--events", "BeforeTools", "--yes"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: gemini-cli has no event `BeforeTools`; did you mean `BeforeTool`? allowed: BeforeTool, AfterTool, BeforeAgent, AfterAgent, BeforeModel, AfterModel, BeforeToolSelection, SessionStart, SessionEnd, PreCompress, Notification
    ");
    assert_eq!(said(&["install", "claude-code", "--yes", "--dry-run"]).code, 2);
    assert_eq!(said(&["install", "claude-code", "--user", "--here"]).code, 2);
}

#[test]
fn every_agent_whose_settings_are_known_gets_hookbox_and_loses_it_again() {
    for settings in settings::all_settings() {
        let agent = settings.agent;
        let project = settings.project.map(|_| "--here");
        for place in ["--user"].into_iter().chain(project) {
            let bed = create_bed();
            let ran = run_install(&bed, agent, &["--yes", place]);
            let expected = if settings::find_trust(agent).is_some() { "warning: codex skips " } else { "" };
            assert!(ran.code == 0 && ran.stderr.starts_with(expected), "{agent} {place}: {ran}");
            assert!(
                run_install(&bed, agent, &[place]).stdout.starts_with("nothing to do: "),
                "{agent} {place}"
            );
            assert_eq!(bed.run_hookbox(&["uninstall", agent, "--yes", place]).code, 0, "{agent} {place}");
            let again = bed.run_hookbox(&["uninstall", agent, "--yes", place]);
            assert!(again.stdout.starts_with("nothing to do: "), "{agent} {place}");
        }
    }
}

/// A copy of the command at this place, which is in the build's folder or, with placeholders, in the bed.
fn copy_command(bed: &TestBed, name: &str) -> PathBuf {
    let place = if name.starts_with('[') {
        bed.resolve_path(name)
    } else {
        bed.resolve_path("[CACHE]").with_file_name("copies").join(name)
    };
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::copy(bed.resolve_path("[BIN]/hookbox"), &place).unwrap();
    place
}

/// What this copy says to being installed for Gemini CLI.
fn installed_by(bed: &TestBed, program: &Path, more: &[&str]) -> Ran {
    installed_in(&bed.resolve_path("[PROJECT]"), bed, program, more)
}

/// What this copy says to that in this folder.
fn installed_in(folder: &Path, bed: &TestBed, program: &Path, more: &[&str]) -> Ran {
    let like =
        bed.build_command(&[&["install", "gemini-cli", "--events", "AfterAgent", "--yes"], more].concat());
    let mut command = Command::new(program);
    command.args(like.get_args()).current_dir(folder).env_clear();
    command.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    bed.run_with_input(&mut command, b"")
}

#[test]
fn a_program_that_others_could_change_is_not_installed() {
    let bed = create_bed();
    let refusal = |program: &Path| {
        let ran = installed_by(&bed, program, &[]);
        assert!(ran.code == 1 && !is_there(&bed, GEMINI), "{ran}");
        ran.stderr.replace(program.parent().unwrap().to_str().unwrap(), "[FOLDER]")
    };
    let program = copy_command(&bed, "loose/hookbox");
    fs::set_permissions(&program, Permissions::from_mode(0o757)).unwrap();
    assert_snapshot!(refusal(&program), @"error: [FOLDER]/hookbox is not safe as the program of an agent's hooks: others may write to [FOLDER]/hookbox (its mode is 757; `chmod go-w [FOLDER]/hookbox` keeps them out). Put the programs into a folder that only you can write to, with `install -D -t ~/.local/bin [FOLDER]/hookbox [FOLDER]/hookbox-compile`, and run `~/.local/bin/hookbox setup`");
    let program = copy_command(&bed, "open/hookbox");
    fs::set_permissions(program.parent().unwrap(), Permissions::from_mode(0o777)).unwrap();
    assert!(refusal(&program).contains("others may write to [FOLDER] (its mode is 777"));
    fs::set_permissions(program.parent().unwrap(), Permissions::from_mode(0o755)).unwrap();
    let temporary = tempfile::Builder::new().prefix("hookbox-refused-").tempdir_in("/tmp").unwrap();
    let program = temporary.path().join("hookbox");
    fs::copy(bed.resolve_path("[BIN]/hookbox"), &program).unwrap();
    assert_snapshot!(refusal(&program), @"error: [FOLDER]/hookbox is not safe as the program of an agent's hooks: /tmp is emptied at times, and then any user may put a file there. Put the programs into a folder that only you can write to, with `install -D -t ~/.local/bin [FOLDER]/hookbox [FOLDER]/hookbox-compile`, and run `~/.local/bin/hookbox setup`");
}

/// Only root can give a file away.
#[test]
fn a_program_of_another_user_is_not_installed() {
    let bed = create_bed();
    let program = copy_command(&bed, "theirs/hookbox");
    if rustix::fs::chown(&program, Some(Uid::from_raw(65_534)), None::<Gid>).is_err() {
        assert!(!rustix::process::geteuid().is_root());
        return;
    }
    let ran = installed_by(&bed, &program, &[]);
    assert!(ran.code == 1 && ran.stderr.contains("theirs/hookbox belongs to another user"), "{ran}");
}

#[test]
fn a_program_in_a_project_is_warned_of_and_refused_in_that_projects_own_settings() {
    let bed = create_bed();
    let program = copy_command(&bed, "cloned/bin/hookbox");
    let project = program.ancestors().nth(2).unwrap();
    fs::create_dir_all(project.join(".git")).unwrap();
    let ran = installed_by(&bed, &program, &[]);
    let warning = format!("users who work in {} could change it", project.display());
    assert!(ran.code == 0 && ran.stderr.contains(&bed.mask_paths(&warning)), "{ran}");
    let like = installed_by(&bed, &program, &["--here"]);
    assert_eq!(like.code, 0, "another project's: {like}");
    let ran = installed_in(project, &bed, &program, &["--here"]);
    assert!(ran.code == 1 && ran.stderr.contains("it is in the project whose agent would call it"), "{ran}");
}

#[test]
fn a_path_with_blanks_quotes_and_dollars_works_or_is_refused() {
    let bed = with_command_path(TestBed::with_config(&format_gate("denies")));
    let program = copy_command(&bed, "it's a $HOME/ünï \"x\"/hookbox");
    let ran = installed_by(&bed, &program, &["--events", "BeforeTool"]);
    assert_eq!(ran.code, 0, "{ran}");
    let entries =
        settings::find_installed(&read_text(&bed, GEMINI), settings::find_settings("gemini-cli").unwrap())
            .unwrap();
    assert_eq!(Path::new(&entries[0].program), program);
    for shell in ["/bin/sh", "/bin/bash"] {
        let mut command = Command::new(shell);
        command.args(["-c", &entries[0].command]).current_dir("/").env_clear();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let ran = bed.run_with_input(&mut command, b"{}");
        assert!(
            ran.to_string().contains("VALIDATION_FAILURE") || ran.to_string().contains("invalid-event"),
            "{ran}"
        );
    }
    let odd = copy_command(&bed, "back\\slash/hookbox");
    let ran = installed_by(&bed, &odd, &[]);
    assert!(ran.code == 1 && ran.stderr.contains("a control character or a backslash"), "{ran}");
}

/// Each layout: the program's place, the link that its package manager keeps, and the entry's program.
#[test]
fn an_entry_names_the_path_that_survives_an_upgrade() {
    for (place, link, target, entry) in [
        (
            "brew/Cellar/hookbox/0.1.0/bin/hookbox",
            "brew/opt/hookbox",
            "../Cellar/hookbox/0.1.0",
            "brew/opt/hookbox/bin/hookbox",
        ),
        (
            "npm/node_modules/.pnpm/@hookbox+cli@1/node_modules/@hookbox/cli-linux-x64/bin/hookbox",
            "npm/node_modules/@hookbox",
            ".pnpm/@hookbox+cli@1/node_modules/@hookbox",
            "npm/node_modules/@hookbox/cli-linux-x64/bin/hookbox",
        ),
        (
            "mise/installs/hookbox/0.1.0/bin/hookbox",
            "mise/installs/hookbox/latest",
            "0.1.0",
            "mise/installs/hookbox/latest/bin/hookbox",
        ),
        ("venv/bin/hookbox", "venv/other", "bin", "venv/bin/hookbox"),
    ] {
        let bed = create_bed();
        let program = copy_command(&bed, place);
        let root = program.ancestors().find(|above| above.join(place) == program).unwrap();
        let link = root.join(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        drop(fs::remove_file(&link));
        symlink(target, &link).unwrap();
        let ran = installed_by(&bed, &program, &[]);
        assert_eq!(ran.code, 0, "{place}: {ran}");
        let settings = settings::find_settings("gemini-cli").unwrap();
        let entries = settings::find_installed(&read_text(&bed, GEMINI), settings).unwrap();
        assert_eq!(Path::new(&entries[0].program), root.join(entry), "{place}");
        // A link to another file is not the program.
        fs::remove_file(&link).unwrap();
        fs::create_dir_all(root.join("elsewhere")).unwrap();
        symlink(root.join("elsewhere"), &link).unwrap();
        let bed = create_bed();
        installed_by(&bed, &program, &[]);
        let entries = settings::find_installed(&read_text(&bed, GEMINI), settings).unwrap();
        assert_eq!(Path::new(&entries[0].program), program, "{place}");
    }
}

#[test]
fn install_warns_about_codex_until_the_user_has_trusted_every_entry() {
    let bed = create_bed();
    let hooks = "[HOME]/.codex/hooks.json";
    assert_snapshot!(run_install(&bed, "codex", &["--events", "PreToolUse,Stop", "--yes"]).stderr, @"warning: codex skips PreToolUse, Stop without a message until you trust them: start `codex`, enter `/hooks` and trust hookbox's (`codex exec` never asks)");
    let written: Value = serde_json::from_str(&read_text(&bed, hooks)).unwrap();
    let trusted = |event: &str, label: &str, enabled: bool| {
        let handler = &written["hooks"][event][0]["hooks"][0];
        let (command, timeout) = (handler["command"].clone(), handler["timeout"].clone());
        // As Codex does: keys in the order of the alphabet, defaults written out.
        let identity = format!(
            r#"{{"event_name":"{label}","hooks":[{{"async":false,"command":{command},"timeout":{timeout},"type":"command"}}]}}"#
        );
        let hash =
            Sha256::digest(identity).iter().fold(String::new(), |hash, byte| hash + &format!("{byte:02x}"));
        bed.expand_placeholders(&format!(
            "[hooks.state.\"{hooks}:{label}:0:0\"]\nenabled = {enabled}\ntrusted_hash = \"sha256:{hash}\"\n"
        ))
    };
    bed.write_file("[HOME]/.codex/config.toml", &trusted("PreToolUse", "pre_tool_use", true));
    let ran = run_install(&bed, "codex", &["--events", "PreToolUse,Stop"]);
    assert!(ran.stderr.starts_with("warning: codex skips Stop without a message"), "{ran}");
    let both = |stop: bool| trusted("PreToolUse", "pre_tool_use", true) + &trusted("Stop", "stop", stop);
    bed.write_file("[HOME]/.codex/config.toml", &both(true));
    let ran = run_install(&bed, "codex", &["--events", "PreToolUse,Stop"]);
    assert_eq!(ran.stderr, "note: codex has trusted every entry ([HOME]/.codex/config.toml)\n");
    bed.write_file("[HOME]/.codex/config.toml", &both(false));
    let ran = run_install(&bed, "codex", &["--events", "PreToolUse,Stop"]);
    assert!(ran.stderr.starts_with("warning: codex skips Stop without a message"), "{ran}");
}

#[test]
fn what_was_not_there_before_is_gone_after_and_what_was_there_stays() {
    let own = settings::OwnCommand::new(Path::new("/opt/hookbox"), &[]).unwrap();
    for agent in settings::all_settings() {
        let bed = create_bed();
        let file = bed.resolve_path(&crate::project_variables::find_settings_path(agent));
        let place = if agent.project.is_some() { "--here" } else { "--user" };
        let round = |more: &[&str]| {
            for verb in ["install", "uninstall"] {
                let ran = bed.run_hookbox(&[&[verb, agent.agent, place], more].concat());
                assert_eq!(ran.code, 0, "{}: {ran}", agent.agent);
            }
        };
        let mut refused = 0;
        round(&["--yes"]);
        assert!(fs::symlink_metadata(&file).is_err(), "{}", agent.agent);
        for written in
            ["{}", "{\"version\": 1}\n", "{\"hooks\": {}}\n", "{\n  \"hooks\": {},\n  \"version\": 1\n}\n"]
        {
            let written = if agent.agent == "code-forge" {
                written.replace("s\": {}", "s\": []")
            } else {
                written.to_owned()
            };
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, &written).unwrap();
            // What the agent itself could not read is left alone.
            if settings::install_entries(&written, agent, &own, &[]).is_err() {
                let ran = bed.run_hookbox(&["install", agent.agent, place, "--yes"]);
                assert_eq!((ran.code, fs::read_to_string(&file).unwrap()), (1, written), "{}", agent.agent);
                refused += 1;
                continue;
            }
            round(&["--yes"]);
            let dense = |text: &str| text.split_whitespace().collect::<String>();
            let after = dense(&fs::read_to_string(&file).unwrap());
            // Where an agent wants a version, it stays.
            let versioned = dense(&written).replace("{}}", "{},\"version\":1}").replace("{}\n", "");
            let own = [dense(&written), versioned, "{\"version\":1}".to_owned()];
            assert!(own.contains(&after), "{}: {written:?} {after}", agent.agent);
            assert_eq!(
                after.contains("hooks"),
                written.contains("hooks"),
                "{}: {written:?} {after}",
                agent.agent
            );
        }
        let expected = match agent.agent {
            "kimi-code" | "cocode" | "opencode" => 4,
            "droid" => 3,
            "openhands" | "codex" => 2,
            _ => 0,
        };
        assert_eq!(refused, expected, "{}", agent.agent);
    }
}

/// Droid heeds the hooks of its settings only while there is no file of hooks.
#[test]
fn a_new_file_does_not_silence_the_hooks_of_another() {
    let bed = create_bed();
    let settings = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}"#;
    bed.write_file("[HOME]/.factory/settings.json", settings);
    assert_snapshot!(run_install(&bed, "droid", &["--yes"]), @"
    exit code 1
    --- stdout
    --- stderr
    error: [HOME]/.factory/settings.json has hooks, and droid reads them only while [HOME]/.factory/hooks.json is not there: move what is in `hooks` into that file first; nothing was changed
    ");
    bed.write_file("[HOME]/.factory/hooks.json", "{}");
    assert_eq!(run_install(&bed, "droid", &["--yes"]).code, 0);
    assert_eq!(bed.run_hookbox(&["uninstall", "droid", "--yes"]).code, 0);
    assert_eq!(read_text(&bed, "[HOME]/.factory/hooks.json"), "{}");
}

#[test]
fn the_folder_of_an_agent_is_where_its_variable_says() {
    for (agent, variable, file) in [
        ("qwen-code", "QWEN_HOME", "[CACHE]/moved/settings.json"),
        ("droid", "FACTORY_HOME_OVERRIDE", "[CACHE]/moved/.factory/hooks.json"),
        ("kimi-code", "KIMI_CODE_HOME", "[CACHE]/moved/config.toml"),
    ] {
        let bed = create_bed();
        let mut command = bed.build_command(&["install", agent, "--yes"]);
        command.env(variable, bed.resolve_path("[CACHE]/moved"));
        let ran = bed.run_with_input(&mut command, b"");
        assert_eq!(ran.code, 0, "{ran}");
        assert!(read_text(&bed, file).contains(&format!("run --agent {agent}")), "{ran}");
    }
}

#[test]
fn a_file_that_the_user_has_written_to_since_stays() {
    let bed = create_bed();
    assert_eq!(run_install(&bed, "gemini-cli", &["--yes"]).code, 0);
    let with = read_text(&bed, GEMINI).replacen('{', "{\n  // mine", 1);
    fs::write(bed.resolve_path(GEMINI), with).unwrap();
    assert_eq!(bed.run_hookbox(&["uninstall", "gemini-cli", "--dry-run"]).code, 0);
    assert_eq!(bed.run_hookbox(&["uninstall", "gemini-cli", "--yes"]).code, 0);
    assert!(read_text(&bed, GEMINI).contains("// mine"));
}

#[test]
fn a_change_of_a_file_on_one_line_is_shown_on_many_and_the_file_stays_on_one() {
    let bed = TestBed::new();
    let rules: Vec<String> = (0..60).map(|n| format!("\"Bash(tool-{n} *)\"")).collect();
    let dense = format!("{{\"permissions\":{{\"allow\":[{}]}}}}", rules.join(","));
    let file = bed.write_file("[HOME]/.claude/settings.json", &dense);
    let ran = bed.run_hookbox(&["install", "claude-code", "--yes", "--events", "Stop"]);
    assert!(ran.code == 0 && ran.stdout.contains("laid out here, to be read"), "{ran}");
    assert!(ran.stdout.lines().all(|line| line.len() < 200), "{ran}");
    assert!(ran.stdout.contains("+    \"Stop\": ["), "{ran}");
    assert!(fs::read_to_string(&file).unwrap().starts_with(&dense[..dense.len() - 1]));
    let ran = bed.run_hookbox(&["uninstall", "claude-code", "--yes"]);
    assert!(ran.stdout.lines().all(|line| line.len() < 200), "{ran}");
    assert_eq!(fs::read_to_string(&file).unwrap(), dense);
}

#[test]
fn folders_that_were_made_for_an_entry_go_with_it_and_no_others() {
    let bed = TestBed::new();
    let agents = [
        ("claude-code", "[HOME]/.claude"),
        ("windsurf", "[HOME]/.codeium"),
        ("copilot", "[HOME]/.copilot"),
        ("cline", "[HOME]/Documents"),
        ("cocode", "[HOME]/.config/cocode"),
    ];
    for (agent, made) in agents {
        assert!(
            bed.run_hookbox(&["install", agent, "--yes"]).code == 0 && bed.resolve_path(made).is_dir(),
            "{agent}"
        );
        let ran = bed.run_hookbox(&["uninstall", agent, "--yes"]);
        assert!(ran.code == 0 && !bed.resolve_path(made).exists(), "{agent}: {ran}");
    }
    // What was there stays, and so does what is not empty.
    fs::create_dir_all(bed.resolve_path("[HOME]/.codeium")).unwrap();
    fs::create_dir_all(bed.resolve_path("[HOME]/Documents")).unwrap();
    for agent in ["windsurf", "cline", "copilot"] {
        bed.run_hookbox(&["install", agent, "--yes"]);
    }
    bed.write_file("[HOME]/.copilot/mine", "");
    for agent in ["windsurf", "cline", "copilot"] {
        bed.run_hookbox(&["uninstall", agent, "--yes"]);
    }
    assert!(
        bed.resolve_path("[HOME]/.codeium").is_dir()
            && !bed.resolve_path("[HOME]/.codeium/windsurf").exists()
    );
    assert!(
        bed.resolve_path("[HOME]/Documents").is_dir() && !bed.resolve_path("[HOME]/Documents/Cline").exists()
    );
    assert!(
        bed.resolve_path("[HOME]/.copilot/mine").exists()
            && !bed.resolve_path("[HOME]/.copilot/hooks").exists()
    );
}
