//! All shapes, and preservation of foreign text.

mod files_of_hooks;

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{entry_layout::Shape, *};

fn make_entry(event: &str) -> Entry<'_> {
    Entry { event, timeout: Some(Duration::from_mins(1)) }
}

fn make_command() -> OwnCommand {
    OwnCommand::new("/opt/hookbox".as_ref(), &[]).unwrap()
}

fn install_events(agent: &str, text: &str, events: &[&str]) -> String {
    let entries: Vec<_> = events.iter().map(|event| make_entry(event)).collect();
    let edited = install_entries(text, find_settings(agent).unwrap(), &make_command(), &entries);
    edited.unwrap_or_else(|error| panic!("{text}: {error}")).text
}

fn uninstall_all(agent: &str, text: &str) -> String {
    uninstall_entries(text, find_settings(agent).unwrap(), HooksMember::Removed).unwrap().text
}

#[test]
fn each_agent_gets_its_own_shape() {
    let shown = |agent, event| install_events(agent, "", &[event]);
    assert_snapshot!(shown("claude-code", "Stop") + &shown("gemini-cli", "AfterAgent"), @r#"
    {
      "hooks": {
        "Stop": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "/opt/hookbox",
                "args": ["run", "--agent", "claude-code"],
                "timeout": 60,
                "onFailure": "block"
              }
            ]
          }
        ]
      }
    }
    {
      "hooks": {
        "AfterAgent": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "/opt/hookbox run --agent gemini-cli",
                "env": {
                  "BASH_ENV": "",
                  "SHELLOPTS": "",
                  "LD_PRELOAD": "",
                  "LD_AUDIT": "",
                  "LD_LIBRARY_PATH": "",
                  "LD_DEBUG": ""
                },
                "timeout": 60000
              }
            ]
          }
        ]
      }
    }
    "#);
    let handler = |agent, event: &'static str| {
        let settings: Value = serde_json::from_str(&shown(agent, event)).unwrap();
        settings["hooks"][event][0]["hooks"][0].clone()
    };
    let command = |agent| format!("/opt/hookbox run --agent {agent}");
    let codex = json!({"type": "command", "command": command("codex"), "timeout": 60});
    assert_eq!(handler("codex", "Stop"), codex);
    let llxprt = json!({"type": "command", "command": command("llxprt"), "timeout": 60_000});
    assert_eq!(handler("llxprt", "AfterAgent"), llxprt);
}

#[test]
fn agents_without_groups_get_their_own_shapes_too() {
    let shown = |agent, event| install_events(agent, "", &[event]);
    assert_snapshot!(shown("code-forge", "tool:pre_execute") + &shown("cursor", "stop"), @r#"
    {
      "hooks": [
        {
          "event": "tool:pre_execute",
          "command": "/opt/hookbox run --agent code-forge",
          "env": {
            "BASH_ENV": "",
            "SHELLOPTS": "",
            "LD_PRELOAD": "",
            "LD_AUDIT": "",
            "LD_LIBRARY_PATH": "",
            "LD_DEBUG": ""
          },
          "timeout": 60
        }
      ]
    }
    {
      "version": 1,
      "hooks": {
        "stop": [
          {
            "type": "command",
            "command": "/opt/hookbox run --agent cursor",
            "timeout": 60,
            "failClosed": true
          }
        ]
      }
    }
    "#);
    assert_snapshot!(shown("copilot", "PreToolUse") + &shown("windsurf", "pre_run_command"), @r#"
    {
      "version": 1,
      "hooks": {
        "PreToolUse": [
          {
            "type": "command",
            "command": "trap '[ $? = 0 ] || exit 2' 0; /opt/hookbox run --agent copilot || { [ $? = 2 ] || echo 'hookbox gave no answer' >&2; exit 2; }",
            "env": {
              "BASH_ENV": "",
              "SHELLOPTS": "",
              "LD_PRELOAD": "",
              "LD_AUDIT": "",
              "LD_LIBRARY_PATH": "",
              "LD_DEBUG": ""
            },
            "timeoutSec": 60
          }
        ]
      }
    }
    {
      "hooks": {
        "pre_run_command": [
          {
            "command": "trap '[ $? = 0 ] || exit 2' 0; /opt/hookbox run --agent windsurf || { [ $? = 2 ] || echo 'hookbox gave no answer' >&2; exit 2; }"
          }
        ]
      }
    }
    "#);
}

#[test]
fn a_timeout_that_the_unit_cannot_say_is_left_to_the_agent() {
    let entries = [Entry { event: "Stop", timeout: Some(Duration::from_millis(1500)) }];
    let text =
        |agent| install_entries("", find_settings(agent).unwrap(), &make_command(), &entries).unwrap().text;
    assert!(!text("claude-code").contains("timeout"));
    assert!(text("gemini-cli").contains("\"timeout\": 1500"));
}

/// Files as users write them, with hooks of their own.
const WRITTEN: [&str; 12] = [
    "{}",
    "{}\n",
    "{\"a\": 1}\n",
    "{\"a\":1}",
    "{ \"a\": [1, 2] }",
    "{\"hooks\": {\"Stop\": [ {\"hooks\": [ {\"type\": \"command\", \"command\": \"x\"} ]} ]}}\n",
    "{\n\t\"a\": 1\n}\n",
    "{\r\n   \"a\": [1,2]\r\n}\r\n",
    "\u{feff}{\n \"a\": 1\n}\n",
    "{\n    \"b\": 1,\n    \"hooks\": {\n        \"Stop\": [\n            {\"hooks\": []}\n        ]\n    },\n    \"a\": \"\\u00fc ü\"\n}",
    "{\n  \"hooks\": { \"Start\": [{ \"matcher\": \"x\", \"hooks\": [{ \"type\": \"command\", \"command\": \"hookbox check\" }] }] },\n  \"a\": 1e3\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [ {\"hooks\": []}, { \"hooks\": [ { \"type\": \"command\", \"command\": \"x\" } ] } ], \"B\": [ ]\n  }\n}\n",
];

/// Files with comments.
const COMMENTED: [&str; 3] = [
    "{\n  // c\n  \"a\": 1, // d\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [] } // e\n    ] /* f */\n  } // g\n}",
    "// first\n{\n  \"a\": 1\n\n  // last\n}\n// after\n",
    "{ /* x */ \"a\": 1 /* y */ }\n",
];

#[test]
fn what_is_installed_and_taken_out_again_leaves_every_byte() {
    for agent in ["claude-code", "gemini-cli"] {
        let commented = if agent == "gemini-cli" { &COMMENTED[..] } else { &[] };
        for text in WRITTEN.iter().chain(commented) {
            let with = install_events(agent, text, &["Stop", "Start", "New"]);
            assert_eq!(with.matches("/opt/hookbox").count(), 3, "{with}");
            assert_eq!(uninstall_all(agent, &with), *text, "{with}");
        }
    }
}

#[test]
fn a_second_time_there_is_nothing_to_do() {
    for settings in all_settings() {
        let entries: Vec<_> = settings.usual.iter().map(|event| make_entry(event)).collect();
        let first = install_entries("", settings, &make_command(), &entries).unwrap();
        assert_eq!(first.events, settings.usual, "{}", settings.agent);
        let second = install_entries(&first.text, settings, &make_command(), &entries).unwrap();
        assert_eq!(second, Edit { text: first.text.clone(), events: Vec::new() });
        assert!(
            !uninstall_entries(&first.text, settings, HooksMember::Removed).unwrap().text.contains("hookbox"),
            "{}",
            settings.agent
        );
    }
}

#[test]
fn one_line_stays_one_line() {
    assert_eq!(
        install_events("claude-code", "{\"a\": 1, \"hooks\": {\"Stop\": [{\"hooks\": []}]}}", &["Stop"]),
        "{\"a\": 1, \"hooks\": {\"Stop\": [{\"hooks\": []}, {\"hooks\":[{\"type\":\"command\",\
         \"command\":\"/opt/hookbox\",\"args\":[\"run\",\"--agent\",\"claude-code\"],\"timeout\":60,\"onFailure\":\"block\"}]}]}}"
    );
}

#[test]
fn comments_and_layout_are_kept_around_the_entry() {
    assert_snapshot!(install_events("gemini-cli", COMMENTED[0], &["Stop", "New"]), @r#"
    {
      // c
      "a": 1, // d
      "hooks": {
        "Stop": [
          { "hooks": [] }, // e
          {
            "hooks": [
              {
                "type": "command",
                "command": "/opt/hookbox run --agent gemini-cli",
                "env": {
                  "BASH_ENV": "",
                  "SHELLOPTS": "",
                  "LD_PRELOAD": "",
                  "LD_AUDIT": "",
                  "LD_LIBRARY_PATH": "",
                  "LD_DEBUG": ""
                },
                "timeout": 60000
              }
            ]
          }
        ], /* f */
        "New": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "/opt/hookbox run --agent gemini-cli",
                "env": {
                  "BASH_ENV": "",
                  "SHELLOPTS": "",
                  "LD_PRELOAD": "",
                  "LD_AUDIT": "",
                  "LD_LIBRARY_PATH": "",
                  "LD_DEBUG": ""
                },
                "timeout": 60000
              }
            ]
          }
        ]
      } // g
    }
    "#);
}

#[test]
fn only_own_entries_are_taken_out() {
    let text = r#"{"hooks": {
  "PreToolUse": [
    { "matcher": "Bash", "hooks": [ { "command": "mine" }, { "command": "/opt/hookbox run --agent claude-code" } ] },
    { "hooks": [ { "command": "hookbox", "args": ["run", "--agent", "claude-code"] } ] },
    { "hooks": [ { "command": "hookbox run --agent gemini-cli" } ] }
  ],
  "Stop": [ { "matcher": "", "hooks": [ { "command": "hookbox run" } ] } ]
}}"#;
    assert_snapshot!(uninstall_all("claude-code", text), @r#"
    {"hooks": {
      "PreToolUse": [
        { "matcher": "Bash", "hooks": [ { "command": "mine" } ] },
        { "hooks": [ { "command": "hookbox run --agent gemini-cli" } ] }
      ]
    }}
    "#);
}

#[test]
fn a_file_that_is_not_understood_is_refused() {
    let refusal = |agent: &str, text: &str| {
        let settings = find_settings(agent).unwrap();
        install_entries(text, settings, &make_command(), &[make_entry("Stop")]).unwrap_err().to_string()
    };
    let claude = [
        "{",
        "{\"a\": 1,}",
        "{\"a\": 1} x",
        "{'a': 1}",
        "{\n // c\n}",
        "[]",
        "{\"hooks\": []}",
        "{\"hooks\": {\"Stop\": null}}",
        "{\"hooks\": {}, \"hooks\": {}}",
        "{\"a\" 1}",
        "NaN",
    ];
    let mut messages: Vec<String> =
        claude.iter().map(|text| format!("{text:?}: {}", refusal("claude-code", text))).collect();
    messages.push(refusal("cursor", "{\"version\": 2}"));
    messages.push(refusal("code-forge", "{\"hooks\": {}}"));
    messages.push(refusal("codex", &" ".repeat(MAX_SETTINGS_BYTES + 1)));
    messages.push(refusal("codex", &"[".repeat(100_000)));
    assert_snapshot!(messages.join("\n"), @r#"
    "{": line 1, column 1: Unterminated object
    "{\"a\": 1,}": line 1, column 8: Trailing commas are not allowed
    "{\"a\": 1} x": line 1, column 10: Text cannot contain more than one JSON value
    "{'a': 1}": line 1, column 2: Single-quoted strings are not allowed
    "{\n // c\n}": line 2, column 2: plain JSON is wanted, without comments
    "[]": the file is not an object, and claude-code loads no hook of such a file, hookbox's entries included: correct it or take it out
    "{\"hooks\": []}": line 1: `hooks` is not an object, and claude-code loads no hook of such a file, hookbox's entries included: correct it or take it out
    "{\"hooks\": {\"Stop\": null}}": line 1: `hooks.Stop` is not a list, and claude-code loads no hook of such a file, hookbox's entries included: correct it or take it out
    "{\"hooks\": {}, \"hooks\": {}}": the key hooks is there twice, and at most one of them counts: put both into one
    "{\"a\" 1}": line 1, column 6: Expected colon after the string or word in object property
    "NaN": line 1, column 1: Unexpected word
    it has version 2; only version 1 is known
    line 1: `hooks` is not a list, and code-forge loads no hook of such a file, hookbox's entries included: correct it or take it out
    it is longer than 2097152 bytes
    line 1, column 513: Maximum nesting depth exceeded
    "#);
}

#[test]
fn a_bracket_on_the_line_of_the_last_member_stays_there() {
    let own = r#"{"hooks": [{"type": "command", "command": "true"}]}"#;
    for text in [
        format!("{{\"hooks\": {{\n  \"Stop\": [\n    {own}  ]}}}}\n"),
        format!("{{\n  \"hooks\": {{\"Stop\": [{own},\n    {own}] }}}}"),
        format!("{{\"hooks\": {{\n  \"PreToolUse\": [\n    {own}\n  ]  }} }}\n"),
        format!("{{\n\"hooks\": {{\n  \"Stop\": [\n    {own}\n  ]\n}}\n}}\n"),
    ] {
        let with = install_events("claude-code", &text, &["Stop", "SessionEnd"]);
        assert_eq!(with.matches("/opt/hookbox").count(), 2, "{with}");
        assert_eq!(uninstall_all("claude-code", &with), text);
    }
}

/// Runs `install` on a file with this one handler for the event `Stop`.
fn repair_handler(agent: &str, handler: &str) -> (String, Vec<String>) {
    let settings = find_settings(agent).unwrap();
    let places = [("--home", std::path::Path::new("/home/it's $me"))];
    let command = OwnCommand::new("/opt/hookbox".as_ref(), &places).unwrap();
    let text = match settings.shape {
        Shape::Groups(_) => format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{handler}]}}]}}}}"#),
        _ => format!(r#"{{"version": 1, "hooks": {{"stop": [{handler}]}}}}"#),
    };
    let edit = install_entries(&text, settings, &command, &[]).unwrap();
    let again = install_entries(&edit.text, settings, &command, &[]).unwrap();
    assert_eq!(again, Edit { text: edit.text.clone(), events: Vec::new() }, "{agent}");
    assert_eq!(
        uninstall_entries(&edit.text, settings, HooksMember::Removed).unwrap().events,
        [if matches!(settings.shape, Shape::Groups(_)) { "Stop" } else { "stop" }],
        "{agent}: {}",
        edit.text
    );
    (edit.text, edit.events)
}

#[test]
fn the_entry_of_an_older_hookbox_is_fixed_and_keeps_the_options_of_its_author() {
    let (claude, events) = repair_handler(
        "claude-code",
        r#"{"type": "command", "command": "hookbox run --agent claude-code --home /old --agent-timeout 5s", "timeout": 5}"#,
    );
    assert_eq!(events, ["Stop"]);
    assert_snapshot!(claude, @r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/opt/hookbox", "timeout": 5, "args": ["run","--agent","claude-code","--home","/home/it's $me","--agent-timeout","5s"], "onFailure": "block"}]}]}}"#);
    let (gemini, _) = repair_handler(
        "gemini-cli",
        r#"{"command": "/old/hookbox run --agent=gemini-cli 2>>$LOG", "env": {"MINE": "1", "BASH_ENV": "x"}}"#,
    );
    assert_snapshot!(gemini, @r#"{"hooks": {"Stop": [{"hooks": [{"command": "/opt/hookbox run --agent gemini-cli --home '/home/it'\\''s $''me' 2>>$LOG", "env": {"MINE": "1", "BASH_ENV": "", "SHELLOPTS": "", "LD_PRELOAD": "", "LD_AUDIT": "", "LD_LIBRARY_PATH": "", "LD_DEBUG": ""}}]}]}}"#);
    let (cursor, _) = repair_handler(
        "cursor",
        "{\n  \"command\": \"hookbox run\", // mine\n  \"timeout\": 3\n}".replace(" // mine", "").as_str(),
    );
    assert_snapshot!(cursor, @r#"
    {"version": 1, "hooks": {"stop": [{
      "command": "/opt/hookbox run --agent cursor --home '/home/it'\\''s $''me'",
      "timeout": 3,
            "failClosed": true
    }]}}
    "#);
}

#[test]
fn a_path_that_an_agent_would_take_for_something_else_is_refused() {
    let refusal = |agent: &str, program: &str, home: &str| {
        let command = OwnCommand::new(program.as_ref(), &[("--home", home.as_ref())]).unwrap();
        install_entries("", find_settings(agent).unwrap(), &command, &[make_entry("Stop")])
            .map_err(|error| error.to_string())
    };
    assert_snapshot!(refusal("claude-code", "/my tools/hookbox", "/h").unwrap_err(), @"/my tools/hookbox cannot be used in an entry: older versions of the agent would have a shell read it: put hookbox where the path has letters, digits and `._-+=:,@%` only");
    assert_snapshot!(refusal("claude-code", "/opt/hookbox", "/${CLAUDE_PROJECT_DIR}").unwrap_err(), @"/${CLAUDE_PROJECT_DIR} cannot be used in an entry: the agent would replace what stands after `${` in it");
    assert!(refusal("claude-code", "/opt/wörk/hookbox", "/it's a \"home\"").is_ok());
    let gemini = refusal("gemini-cli", "/my tools/hookbox", "/$GEMINI_PROJECT_DIR").unwrap().text;
    assert!(
        gemini.contains(r#""'/my tools/hookbox' run --agent gemini-cli --home '/$''GEMINI_PROJECT_DIR'""#),
        "{gemini}"
    );
}
