//! Messages about each kind of error.

use super::*;
use crate::hookfile::Severity;

#[test]
fn all_errors_of_a_file_are_reported_together_in_its_order() {
    let text = r#"
verison = 1

[[hook]]
name = "guard shell"
on = "tool.befor"
tiemout = "250ms"
role = "gaet"
wasm = { path = "~/a.wasm" }

[[hook]]
timeout = 250
priority = "high"
shell = { command = "x" }
webhook = { url = "https://h" }
"#;
    insta::assert_snapshot!(find_file_problems(text), @r#"
    hooks.toml:2:1: error: unknown key `verison`
      2 | verison = 1
        | ^^^^^^^
      help: did you mean `version`? allowed: version, hook, projects, project, confine, log
    hooks.toml:5:8: error: `guard shell` cannot be the name of a hook
      5 | name = "guard shell"
        |        ^^^^^^^^^^^^^
      help: allowed: 1 to 64 letters, digits, `.`, `_` and `-`
    hooks.toml:6:6: error: unknown event `tool.befor`
      6 | on = "tool.befor"
        |      ^^^^^^^^^^^^
      help: did you mean `tool.before`?
    hooks.toml:7:1: error: unknown key `tiemout`
      7 | tiemout = "250ms"
        | ^^^^^^^
      help: did you mean `timeout`? allowed: name, on, tool, role, priority, timeout, on-failure, once, enabled, config, limits, grant, wasm, shell, webhook, python
    hooks.toml:8:8: error: unknown role `gaet`
      8 | role = "gaet"
        |        ^^^^^^
      help: did you mean `gate`? allowed: transform, gate, observe
    hooks.toml:9:17: error: `~` is not expanded
      9 | wasm = { path = "~/a.wasm" }
        |                 ^^^^^^^^^^
      help: write it out, or relative to this file
    hooks.toml:11:1: error: the hook has no `name`
      11 | [[hook]]
         | ^^^^^^^^
      help: add one: name = "guard-shell"
    hooks.toml:11:1: error: the hook has no `on`
      11 | [[hook]]
         | ^^^^^^^^
      help: add one: on = "tool.before"
    hooks.toml:12:11: error: `timeout` is an integer, but must be a string with a duration and its unit
      12 | timeout = 250
         |           ^^^
      help: say the unit: "250ms" or "250s"
    hooks.toml:13:12: error: `priority` is a string, but must be an integer
      13 | priority = "high"
         |            ^^^^^^
      help: for example priority = 10
    hooks.toml:15:1: error: the hook has `shell` already
      15 | webhook = { url = "https://h" }
         | ^^^^^^^
      help: it must have exactly one of `wasm`, `shell`, `webhook`, `python`
    "#);
}

#[test]
fn invalid_toml_is_shown_at_the_place_of_the_error() {
    insta::assert_snapshot!(find_file_problems("[[hook]]\nname = \"abc\non = 'tool.before'\n"), @r#"
    hooks.toml:2:12: error: this is not TOML: invalid basic string, expected `"`
      2 | name = "abc
        |            ^
    "#);
    insta::assert_snapshot!(find_file_problems("[[hook]]\nname = '''abc\n"), @r#"
    hooks.toml:3:1: error: this is not TOML: invalid multi-line literal string, expected `'`
      3 | 
        | ^
    "#);
    insta::assert_snapshot!(find_file_problems("[[hook]\nname = 'a'\n"), @r#"
    hooks.toml:1:8: error: this is not TOML: unclosed array table, expected `]`
      1 | [[hook]
        |        ^
    "#);
    insta::assert_snapshot!(find_file_problems("[[hook]]\nname = a\n"), @r#"
    hooks.toml:2:8: error: this is not TOML: string values must be quoted, expected literal string
      2 | name = a
        |        ^
    "#);
    insta::assert_snapshot!(find_file_problems("[[hook]]\nname 'a'\n"), @r#"
    hooks.toml:2:6: error: this is not TOML: key with no value, expected `=`
      2 | name 'a'
        |      ^
    "#);
    insta::assert_snapshot!(find_file_problems("[[hook]]\nname =\n"), @r#"
    hooks.toml:2:7: error: this is not TOML: string values must be quoted, expected literal string
      2 | name =
        |       ^
    "#);
    insta::assert_snapshot!(find_file_problems("[[hook]]\non = ['a' 'b']\n"), @r#"
    hooks.toml:2:11: error: this is not TOML: missing comma between array elements, expected `,`
      2 | on = ['a' 'b']
        |           ^
    "#);
    insta::assert_snapshot!(find_file_problems("[[hook]]\nname = 'a'\nname = 'b'\n"), @r#"
    hooks.toml:3:1: error: `name` is already set
      3 | name = 'b'
        | ^^^^
      help: each key can be set once, and all hooks are written `[[hook]]`
    "#);
    insta::assert_snapshot!(find_file_problems("[hook]\nname = 'a'\n[hook]\n"), @r#"
    hooks.toml:3:2: error: `hook` is already set
      3 | [hook]
        |  ^^^^
      help: each key can be set once, and all hooks are written `[[hook]]`
    "#);
    insta::assert_snapshot!(find_file_problems("[[hook]]\nname = \"\\q\"\n"), @r#"
    hooks.toml:2:10: error: this is not TOML: missing escaped value, expected `b`, `e`, `f`, `n`, `r`, `\`, `"`, `x`, `u`, `U`
      2 | name = "\q"
        |          ^
    "#);
    insta::assert_snapshot!(find_file_problems("a = 1\rb = 2\n"), @r#"
    hooks.toml:1:7: error: this is not TOML: carriage return must be followed by newline, expected newline
      1 | a = 1�b = 2
        |       ^
    "#);
    insta::assert_snapshot!(find_file_problems(&format!("a = {}", "[".repeat(90))), @r#"
    hooks.toml:1:85: error: nested too deep
      1 | a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
        |                                                                                     ^
    hooks.toml:1:95: error: this is not TOML: unclosed array, expected `]`
      1 | a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
        |                                                                                               ^
    "#);
    insta::assert_snapshot!(find_file_problems(&format!("{}a = 1", "a.".repeat(90))), @r#"
    hooks.toml:1:1: error: nested too deep
      1 | a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.…
        | ^
    "#);
}

#[test]
fn a_slip_in_one_entry_does_not_hide_the_errors_of_another_nor_make_some_up() {
    let text = "[[hook]]\nname = \"abc\non = 'x'\n\n[[hook]]\nname = 'b'\non = 'tool.befor'\nwasm = { path = 'a' }\n";
    insta::assert_snapshot!(find_file_problems(text), @r#"
    hooks.toml:2:12: error: this is not TOML: invalid basic string, expected `"`
      2 | name = "abc
        |            ^
    hooks.toml:7:6: error: unknown event `tool.befor`
      7 | on = 'tool.befor'
        |      ^^^^^^^^^^^^
      help: did you mean `tool.before`?
    "#);
}

#[test]
fn columns_count_characters_and_marks_stand_below_them() {
    insta::assert_snapshot!(find_file_problems("\u{feff}hoook = 'ä'\r\n"), @r#"
    hooks.toml:1:1: error: unknown key `hoook`
      1 | hoook = 'ä'
        | ^^^^^
      help: did you mean `hook`? allowed: version, hook, projects, project, confine, log
    "#);
    insta::assert_snapshot!(find_file_problems("[[hook]]\r\n\tname\t= \"ö ü\"\t# ß\r\n\ton = '*'\r\n\twasm = {path='a'}\r\n"), @r#"
    hooks.toml:2:9: error: `ö ü` cannot be the name of a hook
      2 | 	name	= "ö ü"	# ß
        | 	    	  ^^^^^
      help: allowed: 1 to 64 letters, digits, `.`, `_` and `-`
    "#);
}

#[test]
fn the_file_has_its_keys() {
    insta::assert_snapshot!(find_file_problems("version = 2"), @r#"
    hooks.toml:1:11: error: `version` is `2`
      1 | version = 2
        |           ^
      help: allowed: 1 to 1
    "#);
    insta::assert_snapshot!(find_file_problems("version = '1'"), @r#"
    hooks.toml:1:11: error: `version` is a string, but must be an integer
      1 | version = '1'
        |           ^^^
      help: for example version = 1
    "#);
    insta::assert_snapshot!(find_file_problems("[[hooks]]\nname = 'a'"), @r#"
    hooks.toml:1:3: error: unknown key `hooks`
      1 | [[hooks]]
        |   ^^^^^
      help: hooks are written one by one, each under a line `[[hook]]`
    "#);
    insta::assert_snapshot!(find_file_problems("[hook]\nname = 'a'"), @r#"
    hooks.toml:1:1: error: `hook` is a table, but must be written as `[[hook]]`, one for each hook
      1 | [hook]
        | ^^^^^^
      help: for example [[hook]]
    "#);
    insta::assert_snapshot!(find_file_problems("hook = [1]"), @r#"
    hooks.toml:1:9: error: `hook` is an integer, but must be written as `[[hook]]`, one for each hook
      1 | hook = [1]
        |         ^
      help: for example [[hook]]
    "#);
}

#[test]
fn a_name_is_short_and_plain() {
    let named = |name: &str| {
        find_file_problems(&format!("[[hook]]\nname = {name}\non = '*'\nwasm = {{ path = 'a' }}"))
    };
    insta::assert_snapshot!(named("''"), @r#"
    hooks.toml:2:8: error: `` cannot be the name of a hook
      2 | name = ''
        |        ^^
      help: allowed: 1 to 64 letters, digits, `.`, `_` and `-`
    "#);
    insta::assert_snapshot!(named("'ä'"), @r#"
    hooks.toml:2:8: error: `ä` cannot be the name of a hook
      2 | name = 'ä'
        |        ^^^
      help: allowed: 1 to 64 letters, digits, `.`, `_` and `-`
    "#);
    insta::assert_snapshot!(named("1"), @r#"
    hooks.toml:2:8: error: `name` is an integer, but must be a string
      2 | name = 1
        |        ^
      help: for example name = "guard-shell"
    "#);
    assert!(named(&format!("'{}'", "a".repeat(65))).contains("cannot be the name of a hook"));
    assert_eq!(named(&format!("'{}'", "a".repeat(64))), "");
}

#[test]
fn a_name_is_used_once() {
    let text = "[[hook]]\nname = 'a'\non = 'tool.before'\nwasm = { path = 'a' }\n\
                [[hook]]\nname = 'a'\non = 'tool.after'\nwasm = { path = 'a' }\n";
    insta::assert_snapshot!(find_file_problems(text), @r#"
    hooks.toml:6:8: error: the name `a` is taken
      6 | name = 'a'
        |        ^^^
      help: the first hook of this name is on line 2
    "#);
    assert_eq!(load_text(text).hooks.len(), 1);
}

#[test]
fn an_event_is_one_that_is_known() {
    insta::assert_snapshot!(find_event_problems("'PreTooluse'"), @r#"
    hooks.toml:3:6: error: unknown event `PreTooluse`
      3 | on = 'PreTooluse'
        |      ^^^^^^^^^^^^
      help: did you mean `PreToolUse`?
    "#);
    insta::assert_snapshot!(find_event_problems("'claude-code:BeforeTool'"), @r#"
    hooks.toml:3:6: error: unknown event `claude-code:BeforeTool`
      3 | on = 'claude-code:BeforeTool'
        |      ^^^^^^^^^^^^^^^^^^^^^^^^
      help: did you mean `BeforeTool`?
    "#);
    insta::assert_snapshot!(find_event_problems("'claude:PreToolUse'"), @r#"
    hooks.toml:3:6: error: unknown event `claude:PreToolUse`
      3 | on = 'claude:PreToolUse'
        |      ^^^^^^^^^^^^^^^^^^^
      help: did you mean `PreToolUse`?
    "#);
    insta::assert_snapshot!(find_event_problems("['tool.before', 'deploy']"), @r#"
    hooks.toml:3:22: error: unknown event `deploy`
      3 | on = ['tool.before', 'deploy']
        |                      ^^^^^^^^
      help: an event is a canonical name (tool.before), a pattern (tool.*), an agent's name (PreToolUse) or custom:…
    "#);
    insta::assert_snapshot!(find_event_problems("'tools.*'"), @r#"
    hooks.toml:3:6: error: the pattern `tools.*` matches no event
      3 | on = 'tools.*'
        |      ^^^^^^^^^
      help: a pattern is one of canonical names (tool.*) or of one agent's (claude-code:*)
    "#);
    insta::assert_snapshot!(find_event_problems("'claude-code:Before*'"), @r#"
    hooks.toml:3:6: error: the pattern `claude-code:Before*` matches no event
      3 | on = 'claude-code:Before*'
        |      ^^^^^^^^^^^^^^^^^^^^^
      help: a pattern is one of canonical names (tool.*) or of one agent's (claude-code:*)
    "#);
    insta::assert_snapshot!(find_event_problems("[]"), @r#"
    hooks.toml:3:6: error: `on` is an empty list
      3 | on = []
        |      ^^
      help: for example on = "tool.before"
    "#);
    insta::assert_snapshot!(find_event_problems("''"), @r#"
    hooks.toml:3:6: error: `on` is empty
      3 | on = ''
        |      ^^
      help: for example on = "tool.before"
    "#);
    insta::assert_snapshot!(find_event_problems("[1]"), @r#"
    hooks.toml:3:7: error: `on` is an integer, but must be a string
      3 | on = [1]
        |       ^
      help: for example on = "tool.before"
    "#);
    insta::assert_snapshot!(find_event_problems("'custom:tool.before'"), @r#"
    hooks.toml:3:6: error: `tool.before` is not a custom event
      3 | on = 'custom:tool.before'
        |      ^^^^^^^^^^^^^^^^^^^^
      help: it is a canonical event: write "tool.before"
    "#);
    insta::assert_snapshot!(find_event_problems("'custom:a*'"), @r#"
    hooks.toml:3:6: error: `a*` is not a custom event
      3 | on = 'custom:a*'
        |      ^^^^^^^^^^^
      help: after `custom:` comes a name of 1 to 128 bytes without blanks, `*` and `?`
    "#);
    insta::assert_snapshot!(find_event_problems("'custom:'"), @r#"
    hooks.toml:3:6: error: `` is not a custom event
      3 | on = 'custom:'
        |      ^^^^^^^^^
      help: after `custom:` comes a name of 1 to 128 bytes without blanks, `*` and `?`
    "#);
}

#[test]
fn a_tool_matcher_has_content_and_can_match() {
    insta::assert_snapshot!(find_line_problems("tool = {}"), @r#"
    hooks.toml:5:8: error: `tool` is empty
      5 | tool = {}
        |        ^^
      help: it must have one or more of: name, class, glob, regex
    "#);
    insta::assert_snapshot!(find_line_problems("tool = 'Bash'"), @r#"
    hooks.toml:5:8: error: `tool` is a string, but must be a table
      5 | tool = 'Bash'
        |        ^^^^^^
      help: for example tool = { class = "shell" }
    "#);
    insta::assert_snapshot!(find_line_problems("tool = { class = 'shel' }"), @r#"
    hooks.toml:5:18: error: unknown class `shel`
      5 | tool = { class = 'shel' }
        |                  ^^^^^^
      help: did you mean `shell`? allowed: shell, file-read, file-write, search, web, mcp, agent, other
    "#);
    insta::assert_snapshot!(find_line_problems("tool = { class = ['shell', 'editor'] }"), @r#"
    hooks.toml:5:28: error: unknown class `editor`
      5 | tool = { class = ['shell', 'editor'] }
        |                            ^^^^^^^^
      help: allowed: shell, file-read, file-write, search, web, mcp, agent, other
    "#);
    insta::assert_snapshot!(find_line_problems("tool = { names = 'Bash' }"), @r#"
    hooks.toml:5:10: error: unknown key `names`
      5 | tool = { names = 'Bash' }
        |          ^^^^^
      help: did you mean `name`? allowed: name, class, glob, regex
    "#);
    insta::assert_snapshot!(find_line_problems("tool = { name = [] }"), @r#"
    hooks.toml:5:17: error: `name` is an empty list
      5 | tool = { name = [] }
        |                 ^^
      help: for example name = "Bash"
    "#);
    insta::assert_snapshot!(find_line_problems("tool = { name = 'Edit|Write' }"), @r#"
    hooks.toml:5:17: warning: no tool is called `Edit|Write`: names are compared exactly
      5 | tool = { name = 'Edit|Write' }
        |                 ^^^^^^^^^^^^
      help: use a list of names, `glob` or `regex`
    "#);
    insta::assert_snapshot!(find_line_problems("tool = { regex = 'a(b' }"), @r#"
    hooks.toml:5:18: error: this is not a regular expression: unclosed group
      5 | tool = { regex = 'a(b' }
        |                  ^^^^^
      help: in '…' backslashes stay as they are; look-around and \1 do not exist
    "#);
    insta::assert_snapshot!(find_line_problems("tool = { regex = '(?=a)' }"), @r#"
    hooks.toml:5:18: error: this is not a regular expression: look-around, including look-ahead and look-behind, is not supported
      5 | tool = { regex = '(?=a)' }
        |                  ^^^^^^^
      help: in '…' backslashes stay as they are; look-around and \1 do not exist
    "#);
    insta::assert_snapshot!(find_line_problems("tool = { regex = '(a{1000}){1000}' }"), @r#"
    hooks.toml:5:18: error: this regular expression is too large
      5 | tool = { regex = '(a{1000}){1000}' }
        |                  ^^^^^^^^^^^^^^^^^
      help: repeat less in it
    "#);
}

#[test]
fn a_tool_matcher_needs_events_that_carry_a_tool() {
    let matched = |on: &str| {
        find_file_problems(&format!(
            "[[hook]]\nname = 'a'\non = {on}\ntool = {{ class = 'shell' }}\nwasm = {{ path = 'a' }}"
        ))
    };
    insta::assert_snapshot!(matched("['tool.before', 'session.start']"), @r#"
    hooks.toml:3:22: warning: `session.start` carries no tool, so the hook never matches there
      3 | on = ['tool.before', 'session.start']
        |                      ^^^^^^^^^^^^^^^
      help: make it two hooks, one without `tool`
    "#);
    insta::assert_snapshot!(matched("'session.*'"), @r#"
    hooks.toml:4:8: error: this hook can never match: no event of `on` carries a tool
      4 | tool = { class = 'shell' }
        |        ^^^^^^^^^^^^^^^^^^^
      help: leave out `tool`, or use events of tool.* or permission.*
    "#);
    insta::assert_snapshot!(matched("'tool.batch-after'"), @r#"
    hooks.toml:3:6: warning: `tool.batch-after` carries no tool, so the hook never matches there
      3 | on = 'tool.batch-after'
        |      ^^^^^^^^^^^^^^^^^^
      help: make it two hooks, one without `tool`
    hooks.toml:4:8: error: this hook can never match: no event of `on` carries a tool
      4 | tool = { class = 'shell' }
        |        ^^^^^^^^^^^^^^^^^^^
      help: leave out `tool`, or use events of tool.* or permission.*
    "#);
    assert_eq!(matched("['custom:x', 'permission.*']"), "");
}

#[test]
fn a_role_fits_its_events() {
    let role = |on: &str, lines: &str| {
        find_file_problems(&format!("[[hook]]\nname = 'a'\non = '{on}'\n{lines}\nwasm = {{ path = 'a' }}"))
    };
    insta::assert_snapshot!(role("session.end", "role = 'gate'"), @r#"
    hooks.toml:4:8: warning: this gate has no say: none of its events can be blocked or takes text for the model
      4 | role = 'gate'
        |        ^^^^^^
      help: role = "observe" says what it does
    "#);
    insta::assert_snapshot!(role("agent.stop", "role = 'transform'"), @r#"
    hooks.toml:4:8: warning: this hook can never rewrite: its events have no part for it
      4 | role = 'transform'
        |        ^^^^^^^^^^^
      help: role = "gate" lets it run concurrently with other gates
    "#);
    insta::assert_snapshot!(role("tool.before", "role = 'observe'\non-failure = 'deny'"), @r#"
    hooks.toml:5:14: warning: on-failure has no effect: observers have no effect on the outcome
      5 | on-failure = 'deny'
        |              ^^^^^^
    "#);
    insta::assert_snapshot!(role("message.display", "role = 'transform'\non-failure = 'deny'"), @r#"
    hooks.toml:5:14: warning: on-failure has no effect: none of its events can be blocked
      5 | on-failure = 'deny'
        |              ^^^^^^
    "#);
    insta::assert_snapshot!(role("tool.before", "on-failure = 'block'"), @r#"
    hooks.toml:4:14: error: unknown on-failure `block`
      4 | on-failure = 'block'
        |              ^^^^^^^
      help: allowed: deny, ask, allow
    "#);
}

#[test]
fn simple_values_have_their_types_and_ranges() {
    insta::assert_snapshot!(find_line_problems("priority = 1001"), @r#"
    hooks.toml:5:12: error: `priority` is `1001`
      5 | priority = 1001
        |            ^^^^
      help: allowed: -1000 to 1000
    "#);
    insta::assert_snapshot!(find_line_problems("priority = 1.5"), @r#"
    hooks.toml:5:12: error: `priority` is a decimal number, but must be an integer
      5 | priority = 1.5
        |            ^^^
      help: for example priority = 10
    "#);
    insta::assert_snapshot!(find_line_problems("priority = 99999999999999999999"), @r#"
    hooks.toml:5:12: error: `priority` is `99999999999999999999`
      5 | priority = 99999999999999999999
        |            ^^^^^^^^^^^^^^^^^^^^
      help: allowed: -1000 to 1000
    "#);
    insta::assert_snapshot!(find_line_problems("enabled = 'no'"), @r#"
    hooks.toml:5:11: error: `enabled` is a string, but must be true or false
      5 | enabled = 'no'
        |           ^^^^
      help: for example enabled = false
    "#);
    insta::assert_snapshot!(find_line_problems("config = []"), @r#"
    hooks.toml:5:10: error: `config` is a list, but must be a table
      5 | config = []
        |          ^^
      help: for example config = { deny = ["rm-root"] }
    "#);
    insta::assert_snapshot!(find_line_problems("config = { a = nan, b = 99999999999999999999 }"), @r#"
    hooks.toml:5:16: error: JSON cannot say this number
      5 | config = { a = nan, b = 99999999999999999999 }
        |                ^^^
      help: `config` is handed over as JSON
    hooks.toml:5:25: error: this integer does not fit in 64 bits
      5 | config = { a = nan, b = 99999999999999999999 }
        |                         ^^^^^^^^^^^^^^^^^^^^
      help: `config` is handed over as JSON
    "#);
}

#[test]
fn a_timeout_has_a_unit_and_a_range() {
    insta::assert_snapshot!(find_line_problems("timeout = 250"), @r#"
    hooks.toml:5:11: error: `timeout` is an integer, but must be a string with a duration and its unit
      5 | timeout = 250
        |           ^^^
      help: say the unit: "250ms" or "250s"
    "#);
    insta::assert_snapshot!(find_line_problems("timeout = '250'"), @r#"
    hooks.toml:5:11: error: timeout is `250`: time unit needed, for example 250sec or 250ms
      5 | timeout = '250'
        |           ^^^^^
      help: write a number and its unit: "250ms", "10s", "1m 30s"
    "#);
    insta::assert_snapshot!(find_line_problems("timeout = '10 sconds'"), @r#"
    hooks.toml:5:11: error: timeout is `10 sconds`: unknown time unit "sconds", supported units: ns, us/µs, ms, sec, min, hours, days, weeks, months, years (and few variations)
      5 | timeout = '10 sconds'
        |           ^^^^^^^^^^^
      help: write a number and its unit: "250ms", "10s", "1m 30s"
    "#);
    insta::assert_snapshot!(find_line_problems("timeout = '0s'"), @r#"
    hooks.toml:5:11: error: timeout is 0s, but must be from 1ms to 10m
      5 | timeout = '0s'
        |           ^^^^
    "#);
    insta::assert_snapshot!(find_line_problems("timeout = '1h'"), @r#"
    hooks.toml:5:11: error: timeout is 1h, but must be from 1ms to 10m
      5 | timeout = '1h'
        |           ^^^^
    "#);
    insta::assert_snapshot!(find_line_problems("timeout = '1500us'"), @r#"
    hooks.toml:5:11: error: timeout is `1500us`: milliseconds are the smallest that count
      5 | timeout = '1500us'
        |           ^^^^^^^^
      help: write a number and its unit: "250ms", "10s", "1m 30s"
    "#);
    insta::assert_snapshot!(find_line_problems("timeout = ''"), @r#"
    hooks.toml:5:11: error: timeout is ``: value was empty
      5 | timeout = ''
        |           ^^
      help: write a number and its unit: "250ms", "10s", "1m 30s"
    "#);
    insta::assert_snapshot!(find_line_problems("timeout = '99999999999999999999y'"), @r#"
    hooks.toml:5:11: error: timeout is `99999999999999999999y`: number is too large or cannot be represented without a lack of precision (values below 1ns are not supported)
      5 | timeout = '99999999999999999999y'
        |           ^^^^^^^^^^^^^^^^^^^^^^^
      help: write a number and its unit: "250ms", "10s", "1m 30s"
    "#);
}

#[test]
fn limits_are_known_and_in_range() {
    insta::assert_snapshot!(find_line_problems("limits = { memroy = 1 }"), @r#"
    hooks.toml:5:12: error: unknown key `memroy`
      5 | limits = { memroy = 1 }
        |            ^^^^^^
      help: did you mean `memory`? allowed: fuel, memory, table-elements, instances, host-call-bytes, host-calls, output, log-bytes, log-lines
    "#);
    insta::assert_snapshot!(find_line_problems("limits = { timeout = '1s', stack = 1 }"), @r#"
    hooks.toml:5:12: error: unknown key `timeout`
      5 | limits = { timeout = '1s', stack = 1 }
        |            ^^^^^^^
      help: the timeout is a key of the hook itself: timeout = "250ms"
    hooks.toml:5:28: error: unknown key `stack`
      5 | limits = { timeout = '1s', stack = 1 }
        |                            ^^^^^
      help: the stack is the same for all hooks of a host and cannot be set here
    "#);
    insta::assert_snapshot!(find_line_problems("limits = { memory = 0 }"), @r#"
    hooks.toml:5:21: error: memory is 0 B, but must be from 128.0 KiB to 1.0 GiB
      5 | limits = { memory = 0 }
        |                     ^
    "#);
    insta::assert_snapshot!(find_line_problems("limits = { memory = -1 }"), @r#"
    hooks.toml:5:21: error: memory is `-1`, but must be from 128.0 KiB to 1.0 GiB
      5 | limits = { memory = -1 }
        |                     ^^
    "#);
    insta::assert_snapshot!(find_line_problems("limits = { memory = '2GiB' }"), @r#"
    hooks.toml:5:21: error: memory is 2.0 GiB, but must be from 128.0 KiB to 1.0 GiB
      5 | limits = { memory = '2GiB' }
        |                     ^^^^^^
    "#);
    insta::assert_snapshot!(find_line_problems("limits = { memory = '64' }"), @r#"
    hooks.toml:5:21: error: memory is `64`, which is not a size
      5 | limits = { memory = '64' }
        |                     ^^^^
      help: write a string with its unit: "512KiB", "16MiB"
    "#);
    insta::assert_snapshot!(find_line_problems("limits = { memory = 'lots' }"), @r#"
    hooks.toml:5:21: error: memory is `lots`, which is not a size
      5 | limits = { memory = 'lots' }
        |                     ^^^^^^
      help: write a string with its unit: "512KiB", "16MiB"
    "#);
    insta::assert_snapshot!(find_line_problems("limits = { memory = '99999999999999999999EiB' }"), @r#"
    hooks.toml:5:21: error: memory is 16.0 EiB, but must be from 128.0 KiB to 1.0 GiB
      5 | limits = { memory = '99999999999999999999EiB' }
        |                     ^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(find_line_problems("limits = { fuel = '1M' }"), @r#"
    hooks.toml:5:19: error: `fuel` is a string, but must be an integer
      5 | limits = { fuel = '1M' }
        |                   ^^^^
      help: for example fuel = 1_000_000
    "#);
    insta::assert_snapshot!(find_line_problems("limits = { log-lines = 0 }"), @r#"
    hooks.toml:5:24: error: log-lines is 0, but must be from 1 to 10000
      5 | limits = { log-lines = 0 }
        |                        ^
    "#);
    insta::assert_snapshot!(find_handler_problems("shell = { command = 'x' }\nlimits = { fuel = 1_000_000, output = '2KiB' }"), @r#"
    hooks.toml:5:12: warning: fuel has no effect on a shell hook
      5 | limits = { fuel = 1_000_000, output = '2KiB' }
        |            ^^^^
    "#);
}

#[test]
fn the_same_call_twice_is_pointed_out_and_made_once() {
    let text = "[[hook]]\nname = 'a'\non = ['tool.before', 'tool.after']\nwasm = { path = 'x' }\n\
                [[hook]]\nname = 'b'\non = 'tool.*'\nwasm = { path = './x' }\n";
    insta::assert_snapshot!(find_file_problems(text), @r#"
    hooks.toml:5:1: warning: `b` does the same as `a`, which is called for `tool.before` too; it is called once
      5 | [[hook]]
        | ^^^^^^^^
    "#);
    let loaded = load(&user_source(text), &DIALECTS);
    let events: Vec<_> = loaded.hooks.iter().map(|hook| (hook.name.as_str(), hook.events.len())).collect();
    assert_eq!(events, [("a", 2), ("b", 2)]);
    let other = text.replace("wasm = { path = './x' }", "config = { a = 1 }\nwasm = { path = './x' }");
    assert_eq!(find_file_problems(&other), "");
}

#[test]
fn a_relative_path_needs_a_file_or_a_folder() {
    let text = "[[hook]]\nname = 'a'\non = 'tool.before'\nwasm = { path = 'a' }";
    let mut source = Source { layer: Layer::Session, file: None, ..user_source(text) };
    insta::assert_snapshot!(format_problems(&load(&source, &DIALECTS)), @r#"
    <session>:4:17: error: a relative path, but this configuration is from no file
      4 | wasm = { path = 'a' }
        |                 ^^^
      help: write an absolute path
    "#);
    source.root = Some("/p".into());
    assert_eq!(format_problems(&load(&source, &DIALECTS)), "");
}

#[test]
fn the_file_itself_can_be_the_problem() {
    let problem =
        user_source("").make_problem(Severity::Error, "it is a folder", Some("name a file".to_owned()));
    insta::assert_snapshot!(problem.to_string(), @r#"
    /home/u/hooks.toml: error: it is a folder
      help: name a file
    "#);
}
