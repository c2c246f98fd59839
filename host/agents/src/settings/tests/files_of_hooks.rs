//! Agents with Claude Code's format, in files that hold only hooks.

use insta::assert_snapshot;

use super::*;

#[test]
fn agents_that_write_as_claude_code_does_get_their_own_units_and_places() {
    let shown = |agent| install_events(agent, "", &["Stop"]);
    assert_snapshot!(shown("qwen-code") + &shown("droid") + &shown("openhands"), @r#"
    {
      "hooks": {
        "Stop": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "/opt/hookbox run --agent qwen-code",
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
    {
      "Stop": [
        {
          "hooks": [
            {
              "type": "command",
              "command": "/opt/hookbox run --agent droid",
              "timeout": 60
            }
          ]
        }
      ]
    }
    {
      "hooks": {
        "Stop": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "/opt/hookbox run --agent openhands",
                "timeout": 60
              }
            ]
          }
        ]
      }
    }
    "#);
}

#[test]
fn a_key_that_would_keep_the_agent_from_reading_the_file_is_refused() {
    let refusal = |agent: &str, text: &str| {
        install_entries(text, find_settings(agent).unwrap(), &make_command(), &[make_entry("Stop")])
            .map_err(|error| error.to_string())
    };
    assert_snapshot!(refusal("openhands", r#"{"PreToolUse": []}"#).unwrap_err(), @"line 1: `PreToolUse` is not a member that the agent knows (it takes `hooks`), and openhands loads no hook of such a file, hookbox's entries included: correct it or take it out");
    assert_snapshot!(refusal("openhands", r#"{"hooks": {"stop": []}}"#).unwrap_err(), @"line 1: `hooks.stop` is not a known event of the agent, and openhands loads no hook of such a file, hookbox's entries included: correct it or take it out");
    assert_snapshot!(refusal("droid", r#"{"hooks": {"Stop": []}}"#).unwrap_err(), @"line 1: `hooks` is not a known event of the agent, and droid loads no hook of such a file, hookbox's entries included: correct it or take it out");
    assert!(refusal("droid", r#"{"Stop": [], "PreToolUse": []}"#).is_ok());
    assert!(refusal("openhands", r#"{"hooks": {"Stop": [], "PreToolUse": []}}"#).is_ok());
    assert!(refusal("qwen-code", r#"{"ui": {}, "hooks": {"stop": []}}"#).is_ok());
}

#[test]
fn at_the_top_level_only_own_entries_are_taken_out() {
    let mine = "{\n  \"Stop\": [\n    {\"matcher\": \"\", \"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}\n  ]\n}\n";
    for text in ["{}\n", mine] {
        let with = install_events("droid", text, &["Stop", "SessionEnd"]);
        assert_eq!(with.matches("/opt/hookbox").count(), 2, "{with}");
        assert_eq!(uninstall_all("droid", &with), *text, "{with}");
    }
}

#[test]
fn hooks_elsewhere_are_seen() {
    for (text, expected) in [
        ("{}", false),
        (r#"{"hooks": {}}"#, false),
        (r#"{"hooks": {"Stop": []}}"#, true),
        (r#"{"hooks": [] }"#, true),
        ("// \"hooks\"", true),
        ("", false),
    ] {
        assert_eq!(holds_hooks(text), expected, "{text}");
    }
}
