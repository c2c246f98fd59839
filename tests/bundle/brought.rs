//! What a folder that was exported says of itself, where it is and as it is handed on: edits, signatures, versions, and guards that are
//! not heard.

use std::fs;

use insta::assert_snapshot;

use crate::{
    bed,
    export::{Exported, export, for_agent},
    sign,
    testbed::LS,
};

#[test]
fn what_a_folder_says_of_its_hooks_is_as_it_was_exported_or_everything_is_denied() {
    let made = for_agent("claude-code");
    let hooks = made.plugin().join("hooks.toml");
    let text = fs::read_to_string(&hooks).unwrap();
    let name = "name = \"acme-guest\"\n";
    let entry = "[[hook]]\nname = \"x\"\non = \"*\"\nwasm = { plugin = \"guard-shell\" }\n";
    fs::write(&hooks, text.replace("tool.before", "session.start")).unwrap();
    assert_snapshot!(made.ask("PreToolUse", LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/plugin/hooks.toml: the plugin that this folder brings was changed or damaged: its hooks.toml is not as it was exported; install it anew in the agent (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/plugin/hooks.toml: the plugin that this folder brings was changed or damaged: its hooks.toml is not as it was exported; install it anew in the agent
    "#);
    for changed in [
        text.replace(name, &format!("{name}role = \"observe\"\n")),
        text.replace(name, &format!("{name}config = {{ allow = [\"rm\"] }}\n")),
        text.replace(name, &format!("{name}enabled = false\n")),
        text.replace(name, &format!("{name}tool = {{ name = \"Never\" }}\n")),
        text.replace(name, &format!("{name}on-failure = \"allow\"\n")),
        text.replace("here makes", "hare makes"),
        format!("{entry}{text}"),
        format!("{text}\n{entry}"),
        format!("{text}\n"),
        text.lines()
            .filter(|line| !line.contains("SHA-256"))
            .fold(String::new(), |all, line| all + line + "\n"),
    ] {
        fs::write(&hooks, &changed).unwrap();
        let ran = made.ask("PreToolUse", LS);
        assert!(ran.stdout.contains("its hooks.toml is not as it was exported"), "{changed}: {ran}");
        let ran = made.bed.hookbox(&["check", "--bundle", "[HOME]/plugin"]);
        assert!(ran.code == 1 && ran.stderr.contains("is not as it was exported"), "{changed}: {ran}");
        // Nor is somebody's edit exported as ours.
        let ran = export(&made.bed, &["claude-code", "guard.wasm", "--out", "[HOME]/plugin"]);
        assert_eq!((ran.code, fs::read_to_string(&hooks).unwrap()), (1, changed), "{ran}");
    }
    fs::write(&hooks, text).unwrap();
    assert!(made.ask("PreToolUse", LS).stdout.contains("plugin hook 1"));
}

/// It says whose key may be revoked: without it a revoked one would be nobody's.
#[test]
fn without_a_signature_beside_it_no_plugin_of_a_folder_is_called() {
    let made = for_agent("claude-code");
    let signature = made.plugin().join("plugins/acme-guest.wasm.statement.json.sig");
    let good = fs::read(&signature).unwrap();
    fs::remove_file(&signature).unwrap();
    assert_snapshot!(made.ask("PreToolUse", LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/plugin/hooks.toml: the plugin that this folder brings was changed or damaged: no signature is beside a plugin's statement; install it anew in the agent (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/plugin/hooks.toml: the plugin that this folder brings was changed or damaged: no signature is beside a plugin's statement; install it anew in the agent
    "#);
    for damaged in [&b""[..], b"-----BEGIN SSH SIGNATURE-----\n", &good[..good.len() / 2]] {
        fs::write(&signature, damaged).unwrap();
        let ran = made.ask("PreToolUse", LS);
        assert!(ran.stdout.contains("no signature is beside a plugin's statement"), "{ran}");
    }
    fs::write(&signature, good).unwrap();
    assert!(made.ask("PreToolUse", LS).stdout.contains("plugin hook 1"));
}

/// By a key that the user knows nothing of.
#[test]
fn who_signed_a_folders_plugin_is_not_looked_at_and_nothing_is_given_for_it() {
    let bed = bed();
    assert_eq!(sign(&bed, "guard.wasm", "b").code, 0);
    let made = Exported::new(bed, &["claude-code", "guard.wasm", "--out", "[HOME]/plugin"]);
    assert_snapshot!(made.ask("PreToolUse", LS).stdout, @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"plugin hook 1: a rule of an agent's plugin that was not added to hookbox"}}"#);
}
