//! Results of reading files. The texts of the problems are in `problems` and `handler_problems`, hostile files in
//! `hostile`.

mod confine;
mod foreign_contract;
mod grants;
mod handler_problems;
mod hostile;
mod problems;
mod unknown_tier;

use std::path::{Path, PathBuf};

use hookbox_model::{
    EventName, Grants, KvGrant, Layer, Limit, OnFailure, Role, Scope, ToolClass, TrustLevel,
};

use super::*;
use crate::hook::{ShellCommand, Target, WebhookMethod};

/// Two agents whose names overlap.
const DIALECTS: [DialectEvents<'static>; 2] = [
    (
        "claude-code",
        &[
            ("PreToolUse", EventName::ToolBefore),
            ("PostToolUse", EventName::ToolAfter),
            ("SessionStart", EventName::SessionStart),
            ("Stop", EventName::AgentStop),
        ],
    ),
    (
        "gemini-cli",
        &[
            ("BeforeTool", EventName::ToolBefore),
            ("AfterModel", EventName::ModelStreamChunk),
            ("AfterModel", EventName::ModelResponse),
            ("Stop", EventName::SessionEnd),
        ],
    ),
];

fn user_source(text: &str) -> Source {
    Source {
        layer: Layer::User,
        trust_level: TrustLevel::Own,
        file: Some("/home/u/hooks.toml".into()),
        root: None,
        plugins: crate::ShippedPlugins::default(),
        text: text.to_owned(),
    }
}

fn load_text(text: &str) -> Loaded {
    load(&user_source(text), &DIALECTS)
}

/// Returns the single hook of a file without problems.
fn load_hook(text: &str) -> HookSpec {
    let mut loaded = load_text(&format!("[[hook]]\n{text}"));
    assert_eq!(format_problems(&loaded), "");
    loaded.hooks.remove(0)
}

/// Returns the single hook of a file that is valid except for these lines.
fn load_hook_with(lines: &str) -> HookSpec {
    load_hook(&format!("name = 'a'\non = 'tool.before'\nwasm = {{ path = 'a.wasm' }}\n{lines}"))
}

fn load_events(on: &str) -> String {
    let hook = load_hook(&format!("name = 'a'\non = {on}\nwasm = {{ path = 'a.wasm' }}"));
    hook.events.iter().map(EventName::as_str).collect::<Vec<_>>().join(" ")
}

/// Returns the problems as the user sees them.
fn format_problems(loaded: &Loaded) -> String {
    loaded.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Returns the problems of a hook that is valid except for these lines.
fn find_line_problems(lines: &str) -> String {
    find_file_problems(&format!(
        "[[hook]]\nname = 'a'\non = 'tool.before'\nwasm = {{ path = 'a.wasm' }}\n{lines}"
    ))
}

/// Returns the problems of a hook with another handler.
fn find_handler_problems(handler: &str) -> String {
    find_file_problems(&format!("[[hook]]\nname = 'a'\non = 'tool.before'\n{handler}"))
}

fn find_event_problems(on: &str) -> String {
    find_file_problems(&format!("[[hook]]\nname = 'a'\non = {on}\nwasm = {{ path = 'a.wasm' }}"))
}

fn find_file_problems(text: &str) -> String {
    format_problems(&load_text(text)).replace("/home/u/", "")
}

#[test]
fn the_example_of_the_manual_is_loaded_as_documented() {
    let loaded = load_text(
        r#"
[[hook]]
name = "guard-shell"
on = "tool.before"                      # canonical, or a dialect's name, a glob, a list
tool = { class = "shell" }
role = "gate"
timeout = "250ms"
on-failure = "deny"
wasm = { path = "plugins/guard-shell.wasm" }   # relative to this file
config = { deny = ["rm-root", "disk-write"] }

[[hook]]
name = "notify"
on = ["session.start", "session.end"]
webhook = { url = "https://hooks.example/agent", headers = { Authorization = "Bearer ${HOOK_TOKEN}" }, env = ["HOOK_TOKEN"] }
"#,
    );
    assert_eq!(format_problems(&loaded), "");
    let [guard, notify] = loaded.hooks.as_slice() else { panic!("two hooks") };

    assert_eq!((guard.name.as_str(), guard.origin.line), ("guard-shell", 2));
    assert_eq!(guard.events, [EventName::ToolBefore]);
    assert_eq!(guard.tool.as_ref().unwrap().classes, [ToolClass::Shell]);
    assert_eq!((guard.role, guard.priority, guard.on_failure), (Role::Gate, 0, Some(OnFailure::Deny)));
    assert_eq!(guard.limits.get(Limit::Timeout), 250);
    assert_eq!(guard.limits.get(Limit::Memory), Limit::Memory.default_value());
    assert_eq!(guard.config.as_str(), r#"{"deny":["rm-root","disk-write"]}"#);
    let Target::Wasm(wasm) = &guard.target else { panic!("wasm") };
    assert_eq!(wasm.path, Path::new("/home/u/plugins/guard-shell.wasm"));
    assert_eq!(guard.origin.file, Some(PathBuf::from("/home/u/hooks.toml")));

    assert_eq!((notify.role, notify.on_failure), (Role::Gate, None));
    assert_eq!(notify.limits.get(Limit::Timeout), 10_000);
    assert_eq!(notify.config.as_str(), "{}");
    let Target::Webhook(webhook) = &notify.target else { panic!("webhook") };
    assert_eq!(webhook.url, "https://hooks.example/agent");
    assert_eq!(webhook.method, WebhookMethod::Post);
    assert_eq!(webhook.headers, [("Authorization".to_owned(), "Bearer ${HOOK_TOKEN}".to_owned())]);
    assert_eq!(webhook.env, ["HOOK_TOKEN"]);
}

#[test]
fn an_empty_file_has_no_hooks_and_no_problems() {
    for text in ["", "\u{feff}", "# nothing yet\r\n", "version = 1\n", "hook = []"] {
        let loaded = load_text(text);
        assert_eq!((loaded.hooks.len(), format_problems(&loaded)), (0, String::new()), "{text:?}");
    }
}

#[test]
fn events_are_canonical_names_patterns_or_names_of_agents() {
    for (on, names) in [
        ("'tool.before'", "tool.before"),
        ("'session.*'", "session.start session.setup session.end session.message"),
        ("'*.st?rt'", "session.start subagent.start"),
        ("'PreToolUse'", "tool.before"),
        ("'claude-code:PreToolUse'", "tool.before"),
        ("'claude-code:P*ToolUse'", "tool.before tool.after"),
        ("'AfterModel'", "model.stream-chunk model.response"),
        ("'Stop'", "agent.stop session.end"),
        ("'gemini-cli:Stop'", "session.end"),
        (
            "['tool.after', 'tool.before', 'PreToolUse', 'tool.*']",
            "tool.after tool.before tool.error tool.batch-after",
        ),
        ("'custom:deploy:done'", "deploy:done"),
    ] {
        assert_eq!(load_events(on), names, "{on}");
    }
    assert_eq!(load_events("'*'").split(' ').count(), EventName::KNOWN.len());
}

#[test]
fn with_a_tool_matcher_a_pattern_stands_for_the_events_that_carry_a_tool() {
    let hook = load_hook("name = 'a'\non = '*'\ntool = { class = 'shell' }\nwasm = { path = 'a.wasm' }");
    let names: Vec<_> = hook.events.iter().map(EventName::as_str).collect();
    assert_eq!(
        names.join(" "),
        "tool.before permission.check permission.request permission.granted permission.denied tool.after tool.error"
    );
}

#[test]
fn every_part_of_a_tool_matcher_is_read() {
    let tool = load_hook_with(
        "tool = { name = ['Bash', 'Edit'], class = ['shell', 'file-write'], glob = 'B*', regex = 'B.*h' }",
    );
    let tool = tool.tool.unwrap();
    assert_eq!(tool.names, ["Bash", "Edit"]);
    assert_eq!(tool.classes, [ToolClass::Shell, ToolClass::FileWrite]);
    assert!(tool.glob.unwrap().matches("Bash"));
    assert!(!tool.regex.unwrap().is_match(b"Bashful"));
}

#[test]
fn a_hook_is_a_gate_unless_none_of_its_events_can_be_blocked_or_takes_text_for_the_model() {
    for (on, role) in [
        ("'tool.before'", Role::Gate),
        ("['session.end', 'tool.before']", Role::Gate),
        ("'session.start'", Role::Gate),
        ("['session.end', 'notification']", Role::Observe),
        ("'custom:x'", Role::Gate),
    ] {
        assert_eq!(load_hook(&format!("name = 'a'\non = {on}\nwasm = {{ path = 'a' }}")).role, role, "{on}");
    }
}

#[test]
fn numbers_sizes_and_durations_are_read_with_their_units() {
    for (timeout, milliseconds) in [("1ms", 1), ("10s", 10_000), ("1m 30s", 90_000), ("2min", 120_000)] {
        assert_eq!(
            load_hook_with(&format!("timeout = '{timeout}'")).limits.get(Limit::Timeout),
            milliseconds
        );
    }
    for (memory, bytes) in [
        ("33554432", 32 << 20),
        ("0x2000000", 32 << 20),
        ("'32MiB'", 32 << 20),
        ("'32 MiB'", 32 << 20),
        ("'1.5MB'", 1_500_000),
    ] {
        assert_eq!(
            load_hook_with(&format!("limits = {{ memory = {memory} }}")).limits.get(Limit::Memory),
            bytes,
            "{memory}"
        );
    }
    let hook = load_hook_with("priority = -1000\n[hook.limits]\nfuel = 1_000_000\nlog-lines = 7");
    assert_eq!(hook.limits.get(Limit::Fuel), 1_000_000);
    assert_eq!(hook.limits.get(Limit::LogLines), 7);
    assert_eq!(hook.priority, -1000);
}

#[test]
fn settings_become_json() {
    let config = load_hook_with(
        "[hook.config]\ntext = \"a\\u00fc\"\nwhole = 0x10\nreal = 1e3\nyes = true\nday = 2026-01-02\n\
         at = 2026-01-02T03:04:05Z\nlist = [1, 'b', [], {}]\n[hook.config.inner]\na.b = 1",
    )
    .config;
    let expected = serde_json::json!({
        "text": "aü", "whole": 16, "real": 1000.0, "yes": true, "day": "2026-01-02",
        "at": "2026-01-02T03:04:05Z", "list": [1, "b", [], {}], "inner": { "a": { "b": 1 } },
    });
    assert_eq!(config.to_value(), expected);
    assert!(hookbox_model::Json::parse_object(config.as_str()).is_ok());
}

#[test]
fn paths_are_meant_from_the_folder_of_the_file() {
    for (path, absolute) in [
        ("a.wasm", "/home/u/a.wasm"),
        ("./x/../a.wasm", "/home/u/a.wasm"),
        ("../a.wasm", "/home/a.wasm"),
        ("/opt//a.wasm", "/opt/a.wasm"),
    ] {
        let hook = load_hook(&format!("name = 'a'\non = 'tool.before'\nwasm = {{ path = '{path}' }}"));
        assert!(matches!(hook.target, Target::Wasm(found) if found.path == Path::new(absolute)), "{path}");
    }
}

#[test]
fn a_shell_hook_is_a_line_or_a_program_whose_path_is_resolved() {
    for (shell, command) in [
        ("command = './check $X'", ShellCommand::Line("./check $X".to_owned())),
        ("argv = ['bin/check', '', './x']", argv_command(&["/home/u/bin/check", "", "./x"])),
        ("argv = ['check', './x']", argv_command(&["check", "./x"])),
    ] {
        let hook = load_hook(&format!(
            "name = 'a'\non = 'tool.before'\nshell = {{ {shell}, cwd = 'w', env = ['T'] }}"
        ));
        let Target::Shell(shell) = hook.target else { panic!("shell") };
        assert_eq!((shell.command, shell.cwd), (command, Some("/home/u/w".into())));
        assert_eq!(shell.env, ["T"]);
    }
}

fn argv_command(words: &[&str]) -> ShellCommand {
    ShellCommand::Argv(words.iter().map(|word| (*word).to_owned()).collect())
}

#[test]
fn a_disabled_hook_is_checked_and_listed_separately() {
    let loaded =
        load_text("[[hook]]\nname = 'a'\non = 'tool.before'\nenabled = false\nwasm = { path = 'a' }");
    assert_eq!((loaded.hooks.len(), loaded.disabled[0].name.as_str()), (0, "a"));
}

#[test]
fn an_entry_with_an_error_is_left_out_and_the_others_are_not() {
    let loaded = load_text(
        "[[hook]]\nname = 'a'\non = 'nothing'\nwasm = { path = 'a' }\n\
         [[hook]]\nname = 'b'\non = 'tool.before'\nwasm = { path = 'b' }",
    );
    assert!(loaded.has_errors());
    assert_eq!(loaded.hooks.iter().map(|hook| hook.name.as_str()).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn a_file_that_is_not_toml_gives_no_hooks_at_all() {
    let loaded =
        load_text("[[hook]]\nname = 'b'\non = 'tool.before'\nwasm = { path = 'b' }\n[[hook]]\nname = 'a");
    assert!(loaded.hooks.is_empty() && loaded.has_errors());
}

#[test]
fn layers_come_in_their_order_and_no_layer_replaces_a_hook_of_another() {
    let layer = |layer, file: &str, names: &[&str]| {
        let entry = |name: &&str| {
            format!("[[hook]]\nname = '{name}'\non = 'tool.before'\nwasm = {{ path = '{name}' }}\n")
        };
        let text = names.iter().map(entry).collect();
        load(
            &Source {
                layer,
                trust_level: TrustLevel::Own,
                file: Some(file.into()),
                root: None,
                plugins: crate::ShippedPlugins::default(),
                text,
            },
            &DIALECTS,
        )
    };
    let merged = merge_layers(vec![
        layer(Layer::Project, "/p/hooks.toml", &["audit", "guard"]),
        layer(Layer::Managed, "/etc/1.toml", &["audit"]),
        layer(Layer::User, "/u/hooks.toml", &["guard"]),
        layer(Layer::Managed, "/etc/2.toml", &["audit", "last"]),
    ]);
    let order: Vec<_> =
        merged.hooks.iter().map(|hook| format!("{}:{}", hook.origin.layer, hook.name)).collect();
    assert_eq!(order.join(" "), "managed:audit managed:last user:guard project:audit project:guard");
    insta::assert_snapshot!(format_problems(&merged), @r#"
    /etc/2.toml:1: error: the name `audit` is taken, and this hook left out
      help: the first is at /etc/1.toml:1
    /p/hooks.toml:1: warning: the managed layer has a hook `audit` too; both run
      help: the first is at /etc/1.toml:1
    /p/hooks.toml:5: warning: the user layer has a hook `guard` too; both run
      help: the first is at /u/hooks.toml:1
    "#);
}

#[test]
fn the_schema_in_the_docs_is_the_one_of_the_reader() {
    let written = include_str!("../../../../docs/reference/hooks.schema.json");
    let made = serde_json::to_string_pretty(&build_schema()).unwrap() + "\n";
    assert!(written == made, "docs/reference/hooks.schema.json is not up to date; it should be:\n{made}");
}

#[test]
fn the_manual_names_every_key() {
    let manual = include_str!("../../../../docs/reference/configuration.md");
    let mut shapes = vec![&keys::FILE];
    while let Some(shape) = shapes.pop() {
        for key in shape.keys {
            assert!(manual.contains(&format!("| `{}` |", key.name)), "`{}` of {}", key.name, shape.name);
            match key.kind {
                keys::Kind::Table(inner) | keys::Kind::Entries(inner) => shapes.push(inner),
                _ => {}
            }
        }
    }
}

#[test]
fn a_wasm_hook_gets_what_is_granted_and_no_other_kind_needs_a_grant() {
    let granted = |grant: &str| {
        load_hook(&format!("name = 'a'\non = 'tool.before'\nwasm = {{ path = 'a.wasm' }}\ngrant = {grant}"))
            .grants()
    };
    assert_eq!(granted("{}"), Grants::default());
    assert_eq!(granted("{ clock = true, random = false }"), Grants { clock: true, ..Grants::default() });
    assert_eq!(granted("{ random = true }"), Grants { random: true, ..Grants::default() });
    let kv = |kv| Grants { kv, ..Grants::default() };
    assert_eq!(
        granted("{ kv = { scopes = ['user', 'session'] } }"),
        kv(KvGrant::new([Scope::Session, Scope::User]))
    );
    assert_eq!(
        granted("{ kv = { scopes = ['project'], quota = '8KiB' } }"),
        kv(KvGrant::new([Scope::Project]).with_quota(8192))
    );
    let shell =
        "[[hook]]\nname = 'a'\non = 'tool.before'\nshell = { command = 'x' }\ngrant = { clock = true }";
    insta::assert_snapshot!(format_problems(&load_text(shell)), @r#"
    /home/u/hooks.toml:5:9: warning: grant has no effect here: it is for wasm hooks
      5 | grant = { clock = true }
        |         ^^^^^^^^^^^^^^^^
      help: a shell hook or a webhook has all of your power by its nature
    "#);
}

#[test]
fn a_store_has_scopes_that_there_are_and_a_quota_within_bounds() {
    let problems = |kv: &str| {
        format_problems(&load_text(&format!(
            "[[hook]]\nname = 'a'\non = 'tool.before'\nwasm = {{ path = 'a.wasm' }}\ngrant = {{ kv = {kv} }}"
        )))
    };
    insta::assert_snapshot!(problems("{ quota = '1MiB' }"), @r#"
    /home/u/hooks.toml:5:16: error: `grant.kv` has no `scopes`
      5 | grant = { kv = { quota = '1MiB' } }
        |                ^^^^^^^^^^^^^^^^^^
      help: add one: scopes = ["session"]
    "#);
    insta::assert_snapshot!(problems("{ scopes = ['sesion'] }"), @r#"
    /home/u/hooks.toml:5:28: error: unknown scopes `sesion`
      5 | grant = { kv = { scopes = ['sesion'] } }
        |                            ^^^^^^^^
      help: did you mean `session`? allowed: session, project, user
    "#);
    insta::assert_snapshot!(problems("{ scopes = ['user'], quota = '1GiB' }"), @r#"
    /home/u/hooks.toml:5:45: error: quota is `1GiB`, but must be from 4.0 KiB to 64.0 MiB
      5 | grant = { kv = { scopes = ['user'], quota = '1GiB' } }
        |                                             ^^^^^^
    "#);
    insta::assert_snapshot!(problems("{ scopes = ['user'], quota = 12 }"), @r#"
    /home/u/hooks.toml:5:45: error: quota is `12`, but must be from 4.0 KiB to 64.0 MiB
      5 | grant = { kv = { scopes = ['user'], quota = 12 } }
        |                                             ^^
    "#);
    insta::assert_snapshot!(problems("{ scopes = ['user'], quota = 'much' }"), @r#"
    /home/u/hooks.toml:5:45: error: quota is `much`, which is not a size
      5 | grant = { kv = { scopes = ['user'], quota = 'much' } }
        |                                             ^^^^^^
      help: write a string with its unit: "512KiB", "16MiB"
    "#);
}
