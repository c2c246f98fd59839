//! `hookbox list`: the hooks in the order in which they run.

use hookbox::handler::shell::confine::KernelSupport;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{TestBed, format_gate, gate_with, shell_gate};

#[test]
fn hooks_are_listed_in_the_order_in_which_they_run() {
    let config = gate_with("denies", "tool = { class = \"shell\", glob = \"B*\" }\npriority = -1")
        + &format_gate("traps").replace("[GUESTS]", "plugins")
        + &gate_with("allows", "role = \"transform\"")
        + &gate_with("none", "enabled = false")
        + &shell_gate("notify", "role = \"observe\"").replace("\"tool.before\"", "[\"*\"]");
    let bed = TestBed::with_config(&config);
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", &format_gate("none").replace("[GUESTS]", "plugins"));
    assert_snapshot!(bed.run_hookbox(&["list"]), @"
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
    none  gate, project (untrusted); agents know it as `project hook 1`
        on tool.before
        wasm [PROJECT]/.hookbox/plugins/none.wasm
        isolated: in a process without files, network and environment (see `hookbox doctor`)
    sh  observe, user (own)
        on session.start, session.setup, session.end and 46 more
        shell notify
        confined: own session, dies with hookbox, no new privileges, memory 16 GiB, file size 64 GiB, cpu 1h
    none (disabled)
    --- stderr
    ");
}

#[test]
fn without_hooks_it_says_where_to_write_some() {
    assert_snapshot!(TestBed::new().run_hookbox(&["list"]), @"
    exit code 0
    --- stdout
    --- stderr
    no hooks; write some into ~/.config/hookbox/hooks.toml (`hookbox schema` helps the editor)
    ");
    assert_snapshot!(TestBed::new().run_hookbox(&["list", "--json"]), @"
    exit code 0
    --- stdout
    []
    --- stderr
    ");
}

#[test]
fn a_hook_as_json_has_all_that_is_known_of_it() {
    let config = gate_with("denies", "tool = { name = [\"Bash\", \"Read\"] }\non-failure = \"ask\"");
    assert_snapshot!(TestBed::with_config(&config).run_hookbox(&["list", "--json"]), @r#"
    exit code 0
    --- stdout
    [
      {
        "name": "denies",
        "label": "denies",
        "events": [
          "tool.before"
        ],
        "tool": "name Bash|Read",
        "role": "gate",
        "priority": 0,
        "handler": "wasm [GUESTS]/denies.wasm",
        "layer": "user",
        "trust_level": "own",
        "file": "[HOME]/.config/hookbox/hooks.toml",
        "line": 1,
        "on_failure": "ask",
        "limits": {
          "timeout": 10000,
          "fuel": 1000000000,
          "memory": 67108864,
          "table-elements": 20000,
          "instances": 64,
          "stack": 524288,
          "host-call-bytes": 2097152,
          "host-calls": 1000,
          "output": 1048576,
          "log-bytes": 16384,
          "log-lines": 100
        },
        "confined": null,
        "apart": false,
        "grants": [],
        "failures_in_a_row": 0,
        "tripped": false,
        "out_for_s": null
      }
    ]
    --- stderr
    "#);
}

#[test]
fn mistakes_are_reported_in_addition_to_the_valid_hooks() {
    let bed = TestBed::with_config(&(format_gate("denies").replace("on =", "onn =") + &format_gate("none")));
    assert_snapshot!(bed.run_hookbox(&["list"]), @r#"
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
      help: did you mean `on`? allowed: name, on, tool, role, priority, timeout, on-failure, once, enabled, config, limits, grant, wasm, shell, webhook, python
    "#);
}

/// What is told of a command with this in its `confine`, as text and as JSON.
fn list_confined(confine: &str) -> (String, Value) {
    let config = shell_gate("true", "").replace(" }\n", &format!(", confine = {{ {confine} }} }}\n"));
    let bed = TestBed::with_config(&config);
    let text = bed.run_hookbox(&["list"]).stdout.lines().last().unwrap().trim().to_owned();
    let json: Value = serde_json::from_str(&bed.run_hookbox(&["list", "--json"]).stdout).unwrap();
    (text, json[0]["confined"].clone())
}

#[test]
fn list_reports_the_confinement_of_a_command_on_this_machine() {
    let (text, json) = list_confined(
        "read = ['project', '~/lib'], write = [], network = false, memory = '512MiB', file-size = '1500B', cpu = '90s'",
    );
    let machine = KernelSupport::detect_features();
    if machine.confines_files() && machine.seccomp {
        let version = machine.landlock.unwrap();
        let expected = format!(
            "confined: own session, dies with hookbox, no new privileges, files: read project ~/lib, write none (Landlock {version}), no network (seccomp), memory 512 MiB, file size 1500 B, cpu 1m 30s"
        );
        assert_eq!(text, expected);
        let expected = json!({
            "refused": null,
            "own_session": true,
            "dies_with_hookbox": true,
            "no_new_privileges": true,
            "files": { "read": ["project", "~/lib"], "write": [], "landlock": version },
            "network": false,
            "memory": 536_870_912,
            "processes": null,
            "file_size": 1500,
            "cpu_seconds": 90,
        });
        assert_eq!(json, expected);
    } else {
        assert!(text.starts_with("not run: `confine."), "{text}");
    }
}

#[test]
fn a_command_with_an_impossible_confinement_is_listed_as_not_run() {
    let (text, json) = list_confined("processes = 5000");
    if KernelSupport::detect_features().counts_processes {
        assert!(text.contains(", processes 5000, "), "{text}");
    } else {
        let why = "`confine.processes` has no effect on root, and hookbox runs as root: run it where it can hold, or take the setting out";
        assert_eq!(text, format!("not run: {why}"));
        assert_eq!(json["refused"], why);
    }
}
