//! `hookbox list`: the hooks in the order in which they run.

use insta::assert_snapshot;

use crate::{TestBed, gate, gate_with, shell_gate};

#[test]
fn hooks_are_listed_in_the_order_in_which_they_run() {
    let config = gate_with("denies", "tool = { class = \"shell\", glob = \"B*\" }\npriority = -1")
        + &gate("traps").replace("[GUESTS]", "plugins")
        + &gate_with("allows", "role = \"transform\"")
        + &gate_with("none", "enabled = false")
        + &shell_gate("notify", "role = \"observe\"").replace("\"tool.before\"", "[\"*\"]");
    let bed = TestBed::with(&config);
    bed.write("[PROJECT]/.hookbox/hooks.toml", &gate("none").replace("[GUESTS]", "plugins"));
    assert_snapshot!(bed.hookbox(&["list"]), @"
    exit code 0
    --- stdout
    allows  transform, user (own)
        on tool.before
        wasm [GUESTS]/allows.wasm
    traps  gate, user (own)
        on tool.before
        wasm [HOME]/.config/hookbox/plugins/traps.wasm
    denies  gate, user (own)
        on tool.before, tool class shell, glob B*
        wasm [GUESTS]/denies.wasm
    none  gate, project (unknown)
        on tool.before
        wasm [PROJECT]/.hookbox/plugins/none.wasm
    sh  observe, user (own)
        on session.start, session.setup, session.end and 46 more
        shell notify
    none (disabled)
    --- stderr
    ");
}

#[test]
fn without_hooks_it_says_where_to_write_some() {
    assert_snapshot!(TestBed::new().hookbox(&["list"]), @"
    exit code 0
    --- stdout
    --- stderr
    no hooks; write some into ~/.config/hookbox/hooks.toml (`hookbox schema` helps the editor)
    ");
    assert_snapshot!(TestBed::new().hookbox(&["list", "--json"]), @"
    exit code 0
    --- stdout
    []
    --- stderr
    ");
}

#[test]
fn a_hook_as_json_has_all_that_is_known_of_it() {
    let config = gate_with("denies", "tool = { name = [\"Bash\", \"Read\"] }\non-failure = \"ask\"");
    assert_snapshot!(TestBed::with(&config).hookbox(&["list", "--json"]), @r#"
    exit code 0
    --- stdout
    [
      {
        "name": "denies",
        "events": [
          "tool.before"
        ],
        "tool": "name Bash|Read",
        "role": "gate",
        "priority": 0,
        "handler": "wasm [GUESTS]/denies.wasm",
        "layer": "user",
        "tier": "own",
        "file": "[HOME]/.config/hookbox/hooks.toml",
        "line": 1,
        "on_failure": "ask",
        "limits": {
          "timeout": 10000,
          "fuel": 1000000000,
          "memory": 67108864,
          "table-elements": 20000,
          "instances": 16,
          "stack": 524288,
          "host-call-bytes": 2097152,
          "host-calls": 1000,
          "output": 1048576,
          "log-bytes": 16384,
          "log-lines": 100
        },
        "grants": [],
        "failures_in_a_row": 0,
        "tripped": false
      }
    ]
    --- stderr
    "#);
}

#[test]
fn mistakes_are_told_beside_the_hooks_that_are_left() {
    let bed = TestBed::with(&(gate("denies").replace("on =", "onn =") + &gate("none")));
    assert_snapshot!(bed.hookbox(&["list"]), @r#"
    exit code 1
    --- stdout
    none  gate, user (own)
        on tool.before
        wasm [GUESTS]/none.wasm
    --- stderr
    [HOME]/.config/hookbox/hooks.toml:1:1: error: the hook has no `on`
      1 | [[hook]]
        | ^^^^^^^^
      help: add one: on = "tool.before"
    [HOME]/.config/hookbox/hooks.toml:3:1: error: unknown key `onn`
      3 | onn = "tool.before"
        | ^^^
      help: did you mean `on`? allowed: name, on, tool, role, priority, timeout, on-failure, enabled, config, limits, grant, wasm, shell, webhook
    "#);
}
