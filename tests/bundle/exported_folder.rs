//! What a folder that was exported says of itself, where it is and as it is handed on: edits, signatures, versions, and guards that are
//! not heard.

use std::{fs, time::SystemTime};

use insta::assert_snapshot;

use crate::{
    create_bed,
    export::{Exported, for_agent, run_export},
    guests, sign_plugin,
    testbed::{LS, TestBed},
};

/// A signed plugin with this guest in it, in `[PROJECT]/FILE.wasm`.
fn write_release(bed: &TestBed, (file, guest): (&str, &str), (name, version, seq): (&str, &str, u32)) {
    let manifest = format!(r#"{{"schema":1,"name":"{name}","version":"{version}","seq":{seq}}}"#);
    let section = guests::custom_section("hookbox:manifest", manifest.as_bytes());
    bed.write_bytes(&format!("[PROJECT]/{file}.wasm"), &[guests::build_component(guest), section].concat());
    let ran = sign_plugin(bed, &format!("{file}.wasm"), "a");
    assert_eq!(ran.code, 0, "{ran}");
}

/// The version in the manifest of Claude Code's plugin in this folder.
fn read_version(bed: &TestBed, folder: &str) -> String {
    let manifest = bed.resolve_path(&format!("{folder}/.claude-plugin/plugin.json"));
    let manifest: serde_json::Value = serde_json::from_str(&fs::read_to_string(manifest).unwrap()).unwrap();
    manifest["version"].as_str().unwrap().to_owned()
}

/// As if its plugins had just taken too long to be compiled.
fn was_late(made: &Exported) {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
    let file = made.plugin().canonicalize().unwrap().join("hooks.toml");
    made.bed.write_file(
        "[HOME]/.local/state/hookbox/failures.json",
        &format!("{{\"overruns:{}\": {{\"in_a_row\": 1, \"last\": {now}}}}}", file.display()),
    );
}

/// The line of `hookbox doctor` about plugins that are late, if there is one.
fn find_late_line(bed: &TestBed) -> Option<String> {
    let ran = bed.run_hookbox(&["doctor"]);
    ran.stdout.lines().find(|line| line.contains(" late: ")).map(str::to_owned)
}

#[test]
fn a_late_guard_is_reported_once_in_a_session_and_by_doctor() {
    let made = for_agent("claude-code");
    assert_eq!(find_late_line(&made.bed), None);
    was_late(&made);
    assert_snapshot!(made.run_entry("PreToolUse", LS), @r#"
    exit code 0
    --- stdout
    {"systemMessage":"plugin-hooks: a plugin of [HOME]/plugin was not called (tripped), so its denials are missing; `hookbox check --bundle [HOME]/plugin` prepares it, or reports the problem"}
    --- stderr
    hookbox: a plugin of [HOME]/plugin was not called (tripped), so its denials are missing; `hookbox check --bundle [HOME]/plugin` prepares it, or reports the problem
    "#);
    assert_eq!(made.run_entry("PreToolUse", LS).stdout, "{}\n", "it was told");
    let other = LS.replace("\"session_id\":\"s\"", "\"session_id\":\"other\"");
    assert!(
        made.run_entry("PreToolUse", &other).stdout.contains("plugin-hooks: "),
        "another session was not"
    );
    assert_snapshot!(find_late_line(&made.bed).unwrap(), @"wrong   late: the plugins of [HOME]/plugin used up their time and are not called for 60 min, so they deny nothing; `hookbox check --bundle [HOME]/plugin` prepares them");
    assert_eq!(made.bed.run_hookbox(&["check", "--bundle", "[HOME]/plugin"]).code, 0);
    assert_eq!(find_late_line(&made.bed), None);
    assert!(made.run_entry("PreToolUse", LS).stdout.contains("plugin hook 1"));
}

/// Whatever keeps it from being heard: a stranger's failure has no effect.
#[test]
fn a_failing_guard_is_reported_once_in_a_session() {
    let bed = create_bed();
    write_release(&bed, ("broken", "traps"), ("acme/broken", "1.0.0", 1));
    let made = Exported::new(bed, &["claude-code", "broken.wasm", "--out", "[HOME]/plugin"]);
    let said = || made.run_entry("PreToolUse", LS).stdout;
    assert_snapshot!(said(), @r#"{"systemMessage":"plugin-hooks: a plugin of [HOME]/plugin was not called (trap), so its denials are missing; `hookbox check --bundle [HOME]/plugin` prepares it, or reports the problem"}"#);
    assert_eq!(said(), "{}\n");
}

#[test]
fn what_a_folder_says_of_its_hooks_is_as_it_was_exported_or_everything_is_denied() {
    let made = for_agent("claude-code");
    let hooks = made.plugin().join("hooks.toml");
    let text = fs::read_to_string(&hooks).unwrap();
    let name = "name = \"acme-guest\"\n";
    let entry = "[[hook]]\nname = \"x\"\non = \"*\"\nwasm = { plugin = \"guard-shell\" }\n";
    fs::write(&hooks, text.replace("tool.before", "session.start")).unwrap();
    assert_snapshot!(made.run_entry("PreToolUse", LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/plugin/hooks.toml: the plugin in this folder was changed or damaged: its hooks.toml is not as it was exported; install it again in the agent (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/plugin/hooks.toml: the plugin in this folder was changed or damaged: its hooks.toml is not as it was exported; install it again in the agent
    "#);
    for changed in [
        text.replace(name, &format!("{name}role = \"observe\"\n")),
        text.replace(name, &format!("{name}config = {{ allow = [\"rm\"] }}\n")),
        text.replace(name, &format!("{name}enabled = false\n")),
        text.replace(name, &format!("{name}tool = {{ name = \"Never\" }}\n")),
        text.replace(name, &format!("{name}on-failure = \"allow\"\n")),
        text.replace("rejects this folder", "rejects that folder"),
        format!("{entry}{text}"),
        format!("{text}\n{entry}"),
        format!("{text}\n"),
        text.lines()
            .filter(|line| !line.contains("SHA-256"))
            .fold(String::new(), |all, line| all + line + "\n"),
    ] {
        fs::write(&hooks, &changed).unwrap();
        let ran = made.run_entry("PreToolUse", LS);
        assert!(ran.stdout.contains("its hooks.toml is not as it was exported"), "{changed}: {ran}");
        let ran = made.bed.run_hookbox(&["check", "--bundle", "[HOME]/plugin"]);
        assert!(ran.code == 1 && ran.stderr.contains("is not as it was exported"), "{changed}: {ran}");
        // Nor is somebody's edit exported as ours.
        let ran = run_export(&made.bed, &["claude-code", "guard.wasm", "--out", "[HOME]/plugin"]);
        assert_eq!((ran.code, fs::read_to_string(&hooks).unwrap()), (1, changed), "{ran}");
    }
    fs::write(&hooks, text).unwrap();
    assert!(made.run_entry("PreToolUse", LS).stdout.contains("plugin hook 1"));
}

/// It says whose key may be revoked: without it a revoked one would be nobody's.
#[test]
fn a_plugin_of_a_folder_without_its_signature_is_not_called() {
    let made = for_agent("claude-code");
    let signature = made.plugin().join("plugins/acme-guest.wasm.statement.json.sig");
    let good = fs::read(&signature).unwrap();
    fs::remove_file(&signature).unwrap();
    assert_snapshot!(made.run_entry("PreToolUse", LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/plugin/hooks.toml: the plugin in this folder was changed or damaged: a plugin's statement has no signature next to it; install it again in the agent (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/plugin/hooks.toml: the plugin in this folder was changed or damaged: a plugin's statement has no signature next to it; install it again in the agent
    "#);
    for damaged in [&b""[..], b"-----BEGIN SSH SIGNATURE-----\n", &good[..good.len() / 2]] {
        fs::write(&signature, damaged).unwrap();
        let ran = made.run_entry("PreToolUse", LS);
        assert!(ran.stdout.contains("a plugin's statement has no signature next to it"), "{ran}");
    }
    fs::write(&signature, good).unwrap();
    assert!(made.run_entry("PreToolUse", LS).stdout.contains("plugin hook 1"));
}

/// By a key that the user knows nothing of.
#[test]
fn who_signed_a_folders_plugin_is_not_looked_at_and_nothing_is_given_for_it() {
    let bed = create_bed();
    assert_eq!(sign_plugin(&bed, "guard.wasm", "b").code, 0);
    let made = Exported::new(bed, &["claude-code", "guard.wasm", "--out", "[HOME]/plugin"]);
    assert_snapshot!(made.run_entry("PreToolUse", LS).stdout, @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"plugin hook 1: a rule of an agent's plugin that was not added to hookbox"}}"#);
}

#[test]
fn the_version_of_a_folder_goes_up_with_each_change_and_never_down() {
    let bed = create_bed();
    write_release(&bed, ("big", "denies"), ("acme/big", "5.0.0", 5));
    write_release(&bed, ("old", "denies"), ("acme/big", "4.9.9", 4));
    write_release(&bed, ("small", "denies"), ("acme/small", "0.1.2", 1));
    let after = |file: &str| {
        let ran = run_export(&bed, &["claude-code", file, "--out", "[HOME]/plugin"]);
        assert_eq!(ran.code, 0, "{ran}");
        let version = read_version(&bed, "[HOME]/plugin");
        assert!(ran.stdout.starts_with(&format!("exported  acme-big {version}\n")), "{ran}");
        version
    };
    assert_eq!(after("big.wasm"), "5.0.0");
    assert_eq!(after("big.wasm"), "5.0.0", "nothing has changed");
    assert_eq!(after("small.wasm"), "5.1.2");
    assert_eq!(after("small.wasm"), "5.1.2");
    assert_eq!(after("old.wasm"), "5.1.3", "an earlier release is a change, too");
    assert_eq!(after("big.wasm"), "5.1.4");
}

#[test]
fn the_version_for_a_marketplace_does_not_decrease_when_fewer_plugins_are_named() {
    let bed = create_bed();
    write_release(&bed, ("one", "denies"), ("acme/one", "1.2.0", 1));
    write_release(&bed, ("two", "denies"), ("acme/two", "3.0.0", 1));
    let after = |files: &[&str]| {
        let words = [&["claude-code", "--print-dir", "--name", "acme"], files].concat();
        let ran = run_export(&bed, &words);
        assert_eq!(ran.code, 0, "{ran}");
        read_version(&bed, ran.stdout.trim_end())
    };
    assert_eq!(after(&["one.wasm", "two.wasm"]), "4.2.0");
    assert_eq!(after(&["one.wasm"]), "4.2.1");
    assert_eq!(after(&["one.wasm"]), "4.2.1");
    assert_eq!(after(&["two.wasm", "one.wasm"]), "4.2.2");
}
