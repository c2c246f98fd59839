//! `hookbox export`: what each agent gets, and what its entry then does.

use std::{
    fmt::Write as _,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use insta::assert_snapshot;
use tempfile::TempDir;

use crate::{
    case_archive, create_signed_bed, guests, read_text, run_keygen, run_shell, sign_plugin,
    testbed::{LS, Ran, START, TestBed},
    write_plugin, write_text,
};

/// A plugin that was exported, as its agent has it: in a folder of its own, with hookbox where a user would have it.
pub(crate) struct Exported {
    pub(crate) bed: TestBed,
    /// Where `hookbox` is, with the places of the bed: an agent's entry says none.
    bin: TempDir,
}

impl Exported {
    /// What these words make, in `[HOME]/plugin`.
    pub(crate) fn new(bed: TestBed, words: &[&str]) -> Self {
        let ran = run_export(&bed, words);
        assert_eq!(ran.code, 0, "{ran}");
        // Not in a folder that anybody may write to.
        let bin = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let script = format!(
            "#!/bin/sh\nverb=$1; shift\nexec {} \"$verb\" --home {} --cache-home {} \"$@\"\n",
            bed.program().display(),
            bed.expand_placeholders("[HOME]"),
            bed.expand_placeholders("[CACHE]")
        );
        write_program(&bin.path().join("hookbox"), &script);
        Self { bed, bin }
    }

    pub(crate) fn plugin(&self) -> PathBuf {
        self.bed.resolve_path("[HOME]/plugin")
    }

    /// Has the plugin's program answer, as the agent would, with this folder in `PATH`.
    fn ask_with(&self, path: &str, event: &str, input: &str) -> Ran {
        let program = self.plugin().join("bin/ask-hookbox");
        let mut command: Command = self.bed.command_of(&program, &[event]);
        command.env("PATH", path);
        self.bed.run_with_input(&mut command, self.bed.expand_placeholders(input).as_bytes())
    }

    pub(crate) fn run_entry(&self, event: &str, input: &str) -> Ran {
        self.ask_with(self.bin.path().to_str().unwrap(), event, input)
    }

    /// An agent starts this line by a shell.
    fn start_entry(&self, line: &str, path: &str, input: &str) -> Ran {
        let mut command: Command = self.bed.command_of(Path::new("/bin/sh"), &["-c", line]);
        command.env("PATH", path);
        for name in ["PLUGIN_ROOT", "CURSOR_PLUGIN_ROOT"] {
            command.env(name, self.plugin());
        }
        self.bed.run_with_input(&mut command, self.bed.expand_placeholders(input).as_bytes())
    }

    /// Where hookbox is not.
    fn ask_in_vain(&self, event: &str, input: &str) -> Ran {
        self.ask_with("/usr/bin:/bin", event, input)
    }
}

pub(crate) fn run_export(bed: &TestBed, words: &[&str]) -> Ran {
    let words: Vec<_> = ["export"].iter().chain(words).copied().collect();
    bed.run_hookbox(&words)
}

fn write_program(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// All files of a folder, sorted, with the digits of digests left out.
fn list_tree(folder: &Path) -> String {
    let mut lines = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let mode = entry.metadata().unwrap().permissions().mode() & 0o111;
            let mark = if mode == 0 { "" } else { " *" };
            lines.push(format!("{}{mark}\n", path.strip_prefix(folder).unwrap().display()));
        }
    }
    lines.sort();
    lines.concat()
}

/// What the agent reads, without the digits of the digest.
fn read_files(folder: &Path, names: &[&str]) -> String {
    let texts = names.iter().map(|name| {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        format!("--- {name}\n{}", without_digests(&text))
    });
    texts.collect()
}

fn without_digests(text: &str) -> String {
    let words = text.split('"').map(|word| {
        let is_digest = word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_digest { "[DIGEST]" } else { word }
    });
    words.collect::<Vec<_>>().join("\"")
}

pub(crate) fn for_agent(target: &str) -> Exported {
    Exported::new(create_signed_bed(), &[target, "guard.wasm", "--out", "[HOME]/plugin"])
}

#[test]
fn claude_code_gets_a_plugin_with_one_entry_for_each_event() {
    let made = for_agent("claude-code");
    assert_snapshot!(list_tree(&made.plugin()), @"
    .claude-plugin/marketplace.json
    .claude-plugin/plugin.json
    bin/ask-hookbox *
    hooks.toml
    hooks/hooks.json
    plugins/acme-guest.wasm
    plugins/acme-guest.wasm.statement.json
    plugins/acme-guest.wasm.statement.json.sig
    ");
    let files =
        [".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", "hooks/hooks.json", "hooks.toml"];
    assert_snapshot!(read_files(&made.plugin(), &files), @r#"
    --- .claude-plugin/plugin.json
    {
      "name": "acme-guest",
      "version": "1.2.0",
      "description": "The hooks of acme/guest"
    }
    --- .claude-plugin/marketplace.json
    {
      "name": "acme-guest-market",
      "owner": {
        "name": "hookbox export"
      },
      "metadata": {
        "description": "The hooks of acme/guest"
      },
      "plugins": [
        {
          "name": "acme-guest",
          "source": "./",
          "description": "The hooks of acme/guest"
        }
      ]
    }
    --- hooks/hooks.json
    {
      "hooks": {
        "PreToolUse": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "${CLAUDE_PLUGIN_ROOT}/bin/ask-hookbox",
                "args": [
                  "PreToolUse"
                ],
                "onFailure": "block"
              }
            ]
          }
        ]
      }
    }
    --- hooks.toml
    # Written by `hookbox export` for `hookbox run --bundle`, which verifies each file and rejects this folder after any change. To add a
    # plugin, run `hookbox export` with the same folder.
    # SHA-256 of the other lines: "[DIGEST]"
    version = 1

    [[hook]]
    name = "acme-guest"
    on = "tool.before"
    wasm = { path = "plugins/acme-guest.wasm", sha256 = "[DIGEST]" }
    "#);
}

#[test]
fn the_entry_denies_calls_that_the_plugin_denies_with_a_built_in_text() {
    let made = for_agent("claude-code");
    assert_snapshot!(made.run_entry("PreToolUse", LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"plugin hook 1: a rule of an agent's plugin that was not added to hookbox"}}
    --- stderr
    "#);
    assert_eq!(made.run_entry("SessionStart", START).code, 0);
}

#[test]
fn without_hookbox_the_call_is_blocked_and_the_session_is_not() {
    let bed = create_signed_bed();
    write_plugin(&bed, "both", r#""seq":1,"events":["session.start","tool.before","agent.stop"]"#);
    assert_eq!(sign_plugin(&bed, "both.wasm", "a").code, 0);
    let made = Exported::new(bed, &["claude-code", "both.wasm", "--out", "[HOME]/plugin"]);
    assert_snapshot!(made.ask_in_vain("PreToolUse", LS), @"
    exit code 2
    --- stdout
    {}
    --- stderr
    the plugin acme-guest needs hookbox, which is not installed: install hookbox, or remove the plugin
    ");
    assert_snapshot!(made.ask_in_vain("SessionStart", START), @"
    exit code 1
    --- stdout
    --- stderr
    the plugin acme-guest needs hookbox, which is not installed: install hookbox, or remove the plugin
    ");
    assert_eq!(made.ask_in_vain("", LS).code, 2, "a version that does not know `args`");
    assert_eq!(made.ask_in_vain("Stop", LS).code, 0, "an agent that may not stop is of no use");
    // Not whole, or not for this machine.
    let broken = made.bin.path().join("hookbox");
    for bytes in [&b""[..], b"\x7fELF\x02\x01\x01 not for this machine"] {
        fs::write(&broken, bytes).unwrap();
        assert_eq!(made.run_entry("PreToolUse", LS).code, 2, "{bytes:?}");
    }
}

/// Every other agent's entry as it would start it.
#[test]
fn each_agents_entry_denies_the_same_call_and_without_hookbox_blocks_it() {
    let mut said = String::new();
    for (target, event, recorded) in [
        ("codex", "PreToolUse", "codex/PreToolUse"),
        ("gemini-cli", "BeforeTool", "gemini-cli/BeforeTool-"),
        ("copilot", "PreToolUse", "copilot/PreToolUse"),
        ("cursor", "preToolUse", "cursor/preToolUse"),
    ] {
        let made = for_agent(target);
        let input = recorded_event(recorded);
        let line = line_of(&made.plugin(), target, event);
        let asked = made.start_entry(&line, made.bin.path().to_str().unwrap(), &input);
        let in_vain = made.start_entry(&line, "/usr/bin:/bin", &input);
        let files = list_tree(&made.plugin());
        write!(said, "== {target}\n{line}\n{files}{asked}\n-- without\n{in_vain}\n").unwrap();
    }
    assert_snapshot!(said, @r#"
    == codex
    "${PLUGIN_ROOT}/bin/ask-hookbox" PreToolUse || /bin/sh -c 'echo hookbox gave no answer >&2; exit 2'
    .agents/plugins/marketplace.json
    .codex-plugin/plugin.json
    bin/ask-hookbox *
    hooks.toml
    hooks/hooks.json
    plugins/acme-guest.wasm
    plugins/acme-guest.wasm.statement.json
    plugins/acme-guest.wasm.statement.json.sig
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"plugin hook 1: a rule of an agent's plugin that was not added to hookbox"}}
    --- stderr

    -- without
    exit code 2
    --- stdout
    {}
    --- stderr
    the plugin acme-guest needs hookbox, which is not installed: install hookbox, or remove the plugin
    hookbox gave no answer

    == gemini-cli
    trap '[ $? = 0 ] || exit 2' 0; '[HOME]/plugin/bin/ask-hookbox' BeforeTool || { [ $? = 2 ] || echo 'hookbox gave no answer' >&2; exit 2; }
    bin/ask-hookbox *
    gemini-extension.json
    hooks.toml
    hooks/hooks.json
    plugins/acme-guest.wasm
    plugins/acme-guest.wasm.statement.json
    plugins/acme-guest.wasm.statement.json.sig
    exit code 0
    --- stdout
    {"decision":"deny","reason":"plugin hook 1: a rule of an agent's plugin that was not added to hookbox"}
    --- stderr

    -- without
    exit code 2
    --- stdout
    {"decision":"deny","reason":"the plugin acme-guest needs hookbox, which is not installed: install hookbox, or remove the plugin"}
    --- stderr
    the plugin acme-guest needs hookbox, which is not installed: install hookbox, or remove the plugin

    == copilot
    trap '[ $? = 0 ] || exit 2' 0; "${PLUGIN_ROOT}/bin/ask-hookbox" PreToolUse || { [ $? = 2 ] || echo 'hookbox gave no answer' >&2; exit 2; }
    .github/plugin/marketplace.json
    bin/ask-hookbox *
    hooks.json
    hooks.toml
    plugin.json
    plugins/acme-guest.wasm
    plugins/acme-guest.wasm.statement.json
    plugins/acme-guest.wasm.statement.json.sig
    exit code 2
    --- stdout
    {"permissionDecision":"deny","permissionDecisionReason":"plugin hook 1: a rule of an agent's plugin that was not added to hookbox"}
    --- stderr

    -- without
    exit code 2
    --- stdout
    {"permissionDecision":"deny","permissionDecisionReason":"the plugin acme-guest needs hookbox, which is not installed: install hookbox, or remove the plugin"}
    --- stderr
    the plugin acme-guest needs hookbox, which is not installed: install hookbox, or remove the plugin

    == cursor
    "${CURSOR_PLUGIN_ROOT}/bin/ask-hookbox" preToolUse
    .cursor-plugin/plugin.json
    bin/ask-hookbox *
    hooks.toml
    hooks/hooks.json
    plugins/acme-guest.wasm
    plugins/acme-guest.wasm.statement.json
    plugins/acme-guest.wasm.statement.json.sig
    exit code 0
    --- stdout
    {"permission":"deny","agent_message":"plugin hook 1: a rule of an agent's plugin that was not added to hookbox"}
    --- stderr

    -- without
    exit code 0
    --- stdout
    {"permission":"deny","agent_message":"the plugin acme-guest needs hookbox, which is not installed: install hookbox, or remove the plugin"}
    --- stderr
    the plugin acme-guest needs hookbox, which is not installed: install hookbox, or remove the plugin
    "#);
}

/// The first recorded event of this agent with this name.
fn recorded_event(of: &str) -> String {
    let (agent, event) = of.split_once('/').unwrap();
    if agent == "cursor" {
        // None was recorded.
        let case = guests::repository_folder("tests/conformance/cases/cursor/event-pre-tool-use.txt");
        return case_archive::read_file(&case, "event.json").unwrap().unwrap();
    }
    let folder = guests::repository_folder("tests/data/events").join(agent);
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let is_it = |file: &PathBuf| file.file_stem().unwrap().to_str().unwrap().contains(event);
    let file = files.into_iter().find(is_it).unwrap_or_else(|| panic!("no {event} in {}", folder.display()));
    fs::read_to_string(file).unwrap().replace("/home/dev/project", "[PROJECT]")
}

/// The command line of an agent's entry, with what the agent puts in.
fn line_of(plugin: &Path, target: &str, event: &str) -> String {
    let file = if target == "copilot" { "hooks.json" } else { "hooks/hooks.json" };
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(plugin.join(file)).unwrap()).unwrap();
    let entries = json["hooks"][event].as_array().unwrap();
    assert_eq!(entries.len(), 1, "{json:#}");
    let handler = entries[0].get("hooks").map_or(&entries[0], |handlers| &handlers[0]);
    let line = handler.get("command").or_else(|| handler.get("bash")).unwrap();
    line.as_str().unwrap().replace("${extensionPath}", "[HOME]/plugin")
}

/// A project sets `PATH` and brings a program that would let everything pass.
#[test]
fn no_program_of_a_project_is_taken_for_hookbox() {
    let made = for_agent("claude-code");
    for folder in ["[PROJECT]/bin", "[PROJECT]/.git/..", "[HOME]/node_modules/.bin", "[HOME]/open"] {
        let place = made.bed.resolve_path(folder);
        fs::create_dir_all(&place).unwrap();
        write_program(&place.join("hookbox"), "#!/bin/sh\nexit 0\n");
    }
    fs::set_permissions(made.bed.resolve_path("[HOME]/open"), fs::Permissions::from_mode(0o777)).unwrap();
    let link = made.bed.resolve_path("[HOME]/link");
    std::os::unix::fs::symlink(made.bed.resolve_path("[PROJECT]/bin"), &link).unwrap();
    let place = |name: &str| made.bed.expand_placeholders(name);
    for path in [
        place("[PROJECT]/bin"),
        place("[PROJECT]/.git/.."),
        place("[HOME]/node_modules/.bin"),
        place("[HOME]/open"),
        place("[HOME]/link"),
        "/proc/self/cwd/bin".to_owned(),
        "bin".to_owned(),
        ".".to_owned(),
        String::new(),
    ] {
        assert_eq!(made.ask_with(&path, "PreToolUse", LS).code, 2, "{path}");
        let both = format!("{path}:{}", made.bin.path().display());
        let ran = made.ask_with(&both, "PreToolUse", LS);
        assert!(ran.stdout.contains("\"deny\""), "{path}: {ran}");
    }
}

/// The agent works in a part of a project that is a repository of its own, or beside the folder of a project.
#[test]
fn no_program_around_the_folder_that_the_agent_works_in_is_taken_for_hookbox() {
    let made = for_agent("claude-code");
    let part = made.bed.resolve_path("[PROJECT]/part");
    fs::create_dir_all(part.join(".git")).unwrap();
    let around = part.parent().and_then(Path::parent).unwrap().to_owned();
    let tools = [made.bed.resolve_path("[PROJECT]/tools"), around.join("tools")];
    for place in &tools {
        fs::create_dir_all(place).unwrap();
        write_program(&place.join("hookbox"), "#!/bin/sh\nexit 0\n");
    }
    let leading = made.bed.resolve_path("[PROJECT]/leading");
    std::os::unix::fs::symlink("/proc/self/cwd/../../tools", &leading).unwrap();
    for path in [
        tools[0].display().to_string(),
        "/proc/self/cwd/../tools".to_owned(),
        "/proc/self/cwd/../../tools".to_owned(),
        "/usr/../proc/self/cwd/../../tools".to_owned(),
        "//proc/self/cwd/../../tools".to_owned(),
        leading.display().to_string(),
    ] {
        for (path, code) in [(path.clone(), 2), (format!("{path}:{}", made.bin.path().display()), 0)] {
            let script = made.plugin().join("bin/ask-hookbox");
            let mut command = made.bed.command_of(&script, &["PreToolUse"]);
            command.env("PATH", &path).current_dir(&part);
            let ran = made.bed.run_with_input(&mut command, made.bed.expand_placeholders(LS).as_bytes());
            assert_eq!(ran.code, code, "{path}: {ran}");
            assert!(code == 2 || ran.stdout.contains("\"deny\""), "{path}: {ran}");
        }
    }
}

/// As one that takes longer to be compiled than a stranger's may in an event.
#[test]
fn one_that_used_its_time_up_is_called_again_once_its_folder_was_checked() {
    let made = for_agent("claude-code");
    let is_called = || made.run_entry("PreToolUse", LS).stdout.contains("plugin hook 1");
    assert!(is_called());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let file = made.plugin().canonicalize().unwrap().join("hooks.toml");
    made.bed.write_file(
        "[HOME]/.local/state/hookbox/failures.json",
        &format!("{{\"overruns:{}\": {{\"in_a_row\": 1, \"last\": {now}}}}}", file.display()),
    );
    assert!(!is_called());
    assert_eq!(made.bed.run_hookbox(&["check"]).code, 0);
    assert!(!is_called(), "that is of other files");
    let ran = made.bed.run_hookbox(&["check", "--bundle", "[HOME]/plugin"]);
    assert!(ran.code == 0 && ran.stdout.contains("1 hook checked: 0 errors"), "{ran}");
    assert!(is_called());
    let ran = made.bed.run_hookbox(&["check", "--bundle", "[HOME]/none"]);
    assert!(ran.code == 2 && ran.stderr.contains("--bundle [HOME]/none: "), "{ran}");
}

#[test]
fn a_file_changed_in_transit_denies_calls_until_it_is_repaired() {
    let made = for_agent("claude-code");
    let wasm = made.plugin().join("plugins/acme-guest.wasm");
    let (good, statement) =
        (fs::read(&wasm).unwrap(), made.plugin().join("plugins/acme-guest.wasm.statement.json"));
    let said = fs::read_to_string(&statement).unwrap();
    fs::write(&wasm, [good.as_slice(), &guests::custom_section("x", b"y")].concat()).unwrap();
    assert_snapshot!(made.run_entry("PreToolUse", LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/plugin/hooks.toml: the plugin in this folder was changed or damaged: a plugin is not the file that its statement is about; install it again in the agent (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/plugin/hooks.toml: the plugin in this folder was changed or damaged: a plugin is not the file that its statement is about; install it again in the agent
    "#);
    fs::write(&wasm, &good).unwrap();
    fs::write(&statement, said.replace("\"sha256\": \"", "\"sha256\": \"0").replacen("0\"", "\"", 1))
        .unwrap();
    assert!(made.run_entry("PreToolUse", LS).stdout.contains("bad-configuration"));
    fs::remove_file(&statement).unwrap();
    assert!(made.run_entry("PreToolUse", LS).stdout.contains("bad-configuration"));
    fs::write(&statement, said).unwrap();
    let hooks = made.plugin().join("hooks.toml");
    let text = fs::read_to_string(&hooks).unwrap();
    for changed in [
        text.replace("tool.before", "tool.befor"),
        text.replace("wasm = { path", "shell = { command = \"true\" } # "),
        format!(
            "{text}\n[[hook]]\nname = \"x\"\non = \"tool.before\"\nwasm = {{ plugin = \"guard-shell\" }}\n"
        ),
        String::new(),
    ] {
        fs::write(&hooks, &changed).unwrap();
        let ran = made.run_entry("PreToolUse", LS);
        assert!(ran.stdout.contains("\"deny\"") && !ran.stdout.contains("plugin hook"), "{changed}: {ran}");
    }
    fs::remove_file(&hooks).unwrap();
    assert!(made.run_entry("PreToolUse", LS).stdout.contains("bad-configuration"));
    fs::write(&hooks, text).unwrap();
    assert!(made.run_entry("PreToolUse", LS).stdout.contains("plugin hook 1"));
}

#[test]
fn what_is_not_signed_as_it_is_goes_nowhere() {
    let bed = create_signed_bed();
    write_plugin(&bed, "unsigned", "\"seq\":1");
    let out = ["--out", "[HOME]/plugin"];
    let refused = |name: &str| {
        let ran = run_export(&bed, &["claude-code", name, out[0], out[1]]);
        assert_eq!(ran.code, 1, "{ran}");
        assert!(!bed.resolve_path("[HOME]/plugin").exists());
        ran.stderr
    };
    assert_snapshot!(refused("unsigned.wasm"), @"error: unsigned.wasm is not signed, so its users cannot verify it; sign it: hookbox plugin sign unsigned.wasm --key KEY");
    let statement = read_text(&bed, "guard.wasm.statement.json");
    write_text(&bed, "guard.wasm.statement.json", &statement.replace("stable", "stabie"));
    assert!(refused("guard.wasm").contains("the signature is not over this statement"));
    write_plugin(&bed, "guard", "\"seq\":13");
    write_text(&bed, "guard.wasm.statement.json", &statement);
    assert!(refused("guard.wasm").contains("does not match its statement and signatures"));
}

#[test]
fn what_is_never_called_here_is_not_handed_on() {
    let bed = create_signed_bed();
    assert_eq!(bed.run_hookbox(&["plugin", "add", "guard.wasm", "--yes"]).code, 0);
    let made = Exported::new(bed, &["claude-code", "guard.wasm", "--out", "[HOME]/plugin"]);
    let bed = &made.bed;
    write_named_plugin(bed, "one", "acme/one", "\"seq\":3");
    let digest = run_shell(bed, "sha256sum guard.wasm").stdout[..64].to_owned();
    let refused = |why: &str| {
        for words in [
            &["claude-code", "guard.wasm", "--out", "[HOME]/other"][..],
            &["archive", "guard.wasm", "--out", "[HOME]/other"],
            &["codex", "--print-dir", "acme/guest"],
            &["codex", "--out", "[HOME]/other"],
            // One that the folder has already.
            &["claude-code", "one.wasm", "--out", "[HOME]/plugin"],
        ] {
            let ran = run_export(bed, words);
            assert_eq!(ran.code, 1, "{words:?}: {ran}");
            assert!(ran.stderr.contains("cannot export ") && ran.stderr.contains(why), "{words:?}: {ran}");
            assert!(!bed.resolve_path("[HOME]/other").exists());
        }
    };
    let policy = "[HOME]/.config/hookbox/policy.toml";
    let deny = format!(
        "version = 1\ndefault = \"ask\"\n[[deny]]\ncomponent = \"sha256:{digest}\"\nreason = \"old\"\n"
    );
    bed.write_file(policy, &deny);
    refused("cannot export acme/guest: your policy denies it: old");
    bed.write_file(policy, &deny.replace("reason", "reson"));
    refused("policy.toml");
    fs::remove_file(bed.resolve_path(policy)).unwrap();
    assert_eq!(run_keygen(bed, &["-q", "-k", "-f", "revoked.krl", "a.pub"], b"").code, 0);
    let list = fs::read(bed.resolve_path("[PROJECT]/revoked.krl")).unwrap();
    bed.write_bytes("[HOME]/.config/hookbox/revoked.krl", &list);
    refused(": it is signed with the key SHA256:");
}

#[test]
fn two_plugins_with_the_same_exported_name_are_refused() {
    let bed = create_signed_bed();
    write_named_plugin(&bed, "one", "acme/find", "\"seq\":3");
    write_named_plugin(&bed, "two", "acme-find", "\"seq\":3");
    let why = |one: &str, other: &str| {
        format!(
            "error: {one} and {other} would both have the name acme-find in the folder; export them into separate folders\n"
        )
    };
    let ran = run_export(&bed, &["claude-code", "one.wasm", "two.wasm", "--out", "[HOME]/plugin"]);
    assert_eq!((ran.code, ran.stderr), (2, why("acme/find", "acme-find")));
    assert_eq!(run_export(&bed, &["claude-code", "two.wasm", "--out", "[HOME]/plugin"]).code, 0);
    let before = list_tree(&bed.resolve_path("[HOME]/plugin"));
    let ran = run_export(&bed, &["claude-code", "one.wasm", "--out", "[HOME]/plugin"]);
    assert_eq!((ran.code, ran.stderr), (2, why("acme-find", "acme/find")));
    assert_eq!(list_tree(&bed.resolve_path("[HOME]/plugin")), before);
}

#[test]
fn two_plugins_share_one_entry_and_a_third_is_added_to_them() {
    let bed = create_signed_bed();
    for (name, plugins) in [("one", "acme/one"), ("two", "acme/two")] {
        write_named_plugin(&bed, name, plugins, "\"seq\":3");
    }
    let made = Exported::new(bed, &["claude-code", "guard.wasm", "one.wasm", "--out", "[HOME]/plugin"]);
    let entry = fs::read_to_string(made.plugin().join("hooks/hooks.json")).unwrap();
    let manifest = || fs::read_to_string(made.plugin().join(".claude-plugin/plugin.json")).unwrap();
    assert_snapshot!(manifest(), @r#"
    {
      "name": "hookbox-plugins",
      "version": "2.2.0",
      "description": "The hooks of acme-guest, acme-one"
    }
    "#);
    assert_snapshot!(made.run_entry("PreToolUse", LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"plugin hook 1: a rule of an agent's plugin that was not added to hookbox"}}
    --- stderr
    "#);
    let ran = run_export(&made.bed, &["claude-code", "two.wasm", "--out", "[HOME]/plugin"]);
    assert_snapshot!(ran, @"
    exit code 0
    --- stdout
    exported  hookbox-plugins 3.2.0
    plugin    acme/guest 1.2.0, release 12
    plugin    acme/one 1.0.0, release 3
    plugin    acme/two 1.0.0, release 3
    folder    [HOME]/plugin
    --- stderr
    ");
    assert_eq!(fs::read_to_string(made.plugin().join("hooks/hooks.json")).unwrap(), entry);
    assert_snapshot!(manifest(), @r#"
    {
      "name": "hookbox-plugins",
      "version": "3.2.0",
      "description": "The hooks of acme-guest, acme-one, acme-two"
    }
    "#);
    let hooks = fs::read_to_string(made.plugin().join("hooks.toml")).unwrap();
    assert_eq!(hooks.matches("[[hook]]").count(), 3);
    // Again, and nothing changes.
    assert_eq!(run_export(&made.bed, &["claude-code", "one.wasm", "--out", "[HOME]/plugin"]).code, 0);
    assert_eq!(fs::read_to_string(made.plugin().join("hooks.toml")).unwrap(), hooks);
}

/// A signed plugin with this name in its manifest.
fn write_named_plugin(bed: &TestBed, file: &str, name: &str, members: &str) {
    let manifest = format!(r#"{{"schema":1,"name":"{name}","version":"1.0.0",{members}}}"#);
    let section = guests::custom_section("hookbox:manifest", manifest.as_bytes());
    bed.write_bytes(
        &format!("[PROJECT]/{file}.wasm"),
        &[guests::build_component("denies"), section].concat(),
    );
    assert_eq!(sign_plugin(bed, &format!("{file}.wasm"), "a").code, 0);
}

#[test]
fn a_folder_is_one_agents_and_what_hookbox_did_not_write_is_left_alone() {
    let made = for_agent("claude-code");
    let out = ["--out", "[HOME]/plugin"];
    assert_snapshot!(run_export(&made.bed, &["codex", "guard.wasm", out[0], out[1]]), @"
    exit code 2
    --- stdout
    --- stderr
    error: [HOME]/plugin contains .claude-plugin/plugin.json of another agent's plugin; name another folder
    ");
    let hooks = made.plugin().join("hooks.toml");
    fs::write(&hooks, "[[hook]]\nname = \"mine\"\non = \"tool.before\"\nshell = { command = \"true\" }\n")
        .unwrap();
    assert_snapshot!(run_export(&made.bed, &["claude-code", "guard.wasm", out[0], out[1]]), @"
    exit code 1
    --- stdout
    --- stderr
    error: [HOME]/plugin/hooks.toml differs from the file that hookbox wrote: `mine` is left out: it is a shell hook; name another folder
    ");
}

#[test]
fn a_folder_that_has_something_of_somebody_elses_is_left_as_it_is() {
    let bed = create_signed_bed();
    let words = ["claude-code", "guard.wasm", "--out", "[HOME]/theirs"];
    let theirs = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"theirs"}]}]}}"#;
    for (file, what) in [("hooks/hooks.json", "hooks"), ("README.md", "README.md"), ("bin/x", "bin")] {
        let file = bed.write_bytes(&format!("[HOME]/theirs/{file}"), theirs.as_bytes());
        let ran = run_export(&bed, &words);
        let why = format!(
            "error: [HOME]/theirs contains {what}, which `hookbox export` did not write; name another folder, or a new one\n"
        );
        assert_eq!((ran.code, ran.stderr), (2, why));
        assert_eq!(fs::read_to_string(file).unwrap(), theirs);
        fs::remove_dir_all(bed.resolve_path("[HOME]/theirs")).unwrap();
    }
    // What somebody put into a folder of ours is not lost either, and what is only beside is nothing to it.
    bed.write_file("[HOME]/theirs/.git/HEAD", "");
    assert_eq!(run_export(&bed, &words).code, 0);
    bed.write_file("[HOME]/theirs/README.md", "");
    assert_eq!(run_export(&bed, &words).code, 0);
    let hooks = bed.write_bytes("[HOME]/theirs/hooks/hooks.json", theirs.as_bytes());
    let ran = run_export(&bed, &words);
    assert!(
        ran.code == 2 && ran.stderr.contains("theirs contains other hooks in hooks/hooks.json, which"),
        "{ran}"
    );
    assert_eq!(fs::read_to_string(hooks).unwrap(), theirs);
}

#[test]
fn no_link_in_a_folder_leads_what_is_exported_elsewhere() {
    let made = for_agent("claude-code");
    let elsewhere = made.bed.resolve_path("[HOME]/elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("mine"), "mine").unwrap();
    let words = ["claude-code", "guard.wasm", "--out", "[HOME]/plugin"];
    for (name, target, is_folder) in
        [("bin", "[HOME]/elsewhere", true), ("hooks/hooks.json", "[HOME]/elsewhere/mine", false)]
    {
        let (place, aside) = (made.plugin().join(name), made.bed.resolve_path("[HOME]/aside"));
        fs::rename(&place, &aside).unwrap();
        if !is_folder {
            // Its hooks are ours, wherever they are.
            fs::copy(&aside, elsewhere.join("mine")).unwrap();
        }
        let before = fs::read(elsewhere.join("mine")).unwrap();
        std::os::unix::fs::symlink(made.bed.resolve_path(target), &place).unwrap();
        let ran = run_export(&made.bed, &words);
        assert!(ran.code == 1 && ran.stderr.contains("symbolic link"), "{name}: {ran}");
        assert_eq!(list_tree(&elsewhere), "mine\n");
        assert_eq!(fs::read(elsewhere.join("mine")).unwrap(), before);
        fs::remove_file(&place).unwrap();
        fs::rename(&aside, &place).unwrap();
    }
    assert_eq!(run_export(&made.bed, &words).code, 0);
}

#[test]
fn an_archive_is_the_same_wherever_and_whenever_it_is_made() {
    let bed = create_signed_bed();
    let words = |out: &'static str| ["archive", "guard.wasm", "--out", out];
    let first = run_export(&bed, &words("[HOME]/a"));
    assert_eq!(first.code, 0, "{first}");
    bed.command_of(Path::new("touch"), &["guard.wasm"]).status().unwrap();
    assert_eq!(run_export(&bed, &words("[HOME]/b")).code, 0);
    let zip =
        |folder: &str| fs::read(bed.resolve_path(&format!("[HOME]/{folder}/acme-guest-1.2.0.zip"))).unwrap();
    assert_eq!(zip("a"), zip("b"));
    let mut command = bed.command_of(Path::new("sha256sum"), &["-c", "acme-guest-1.2.0.zip.sha256"]);
    command.current_dir(bed.resolve_path("[HOME]/a"));
    assert_eq!(bed.run_with_input(&mut command, b"").code, 0);
    assert_snapshot!(without_digest_words(&first.to_string()), @r#"
    exit code 0
    --- stdout
    exported  acme-guest 1.2.0
    plugin    acme/guest 1.2.0, release 12
    file      [HOME]/a/acme-guest-1.2.0.zip
    sha256    [DIGEST]
    entry     {"name":"acme-guest","source":{"source":"archive","url":"https://…/acme-guest-1.2.0.zip","sha256":"[DIGEST]"}}, in a marketplace.json of Claude Code
    --- stderr
    "#);
    let list = "import sys, zipfile\nfor i in zipfile.ZipFile(sys.argv[1]).infolist(): print(oct(i.external_attr >> 16), i.date_time[0], i.filename)";
    let ran = bed.run_with_input(
        &mut bed.command_of(Path::new("python3"), &["-c", list, "[HOME]/a/acme-guest-1.2.0.zip"]),
        b"",
    );
    assert_snapshot!(ran.stdout, @"
    0o100644 1980 .claude-plugin/plugin.json
    0o100755 1980 bin/ask-hookbox
    0o100644 1980 hooks.toml
    0o100644 1980 hooks/hooks.json
    0o100644 1980 plugins/acme-guest.wasm
    0o100644 1980 plugins/acme-guest.wasm.statement.json
    0o100644 1980 plugins/acme-guest.wasm.statement.json.sig
    ");
}

fn without_digest_words(text: &str) -> String {
    let is_digest = |word: &str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let word = |word: &str| if is_digest(word) { "[DIGEST]".to_owned() } else { without_digests(word) };
    text.split(' ')
        .map(|line| line.split('\n').map(word).collect::<Vec<_>>().join("\n"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// For what a marketplace of Claude Code runs: one line, a folder, with what was named and nothing else.
#[test]
fn a_marketplace_receives_one_folder_with_only_the_named_plugins() {
    let bed = create_signed_bed();
    write_named_plugin(&bed, "one", "acme/one", "\"seq\":3");
    let words = |file: &'static str| ["claude-code", "--print-dir", "--name", "acme", file];
    let ran = run_export(&bed, &words("guard.wasm"));
    assert_snapshot!(ran, @"
    exit code 0
    --- stdout
    [HOME]/.local/share/hookbox/exported/claude-code/acme
    --- stderr
    ");
    let folder = PathBuf::from(bed.expand_placeholders(ran.stdout.trim_end()));
    assert!(folder.join("plugins/acme-guest.wasm").exists());
    assert_eq!(run_export(&bed, &words("one.wasm")).stdout, ran.stdout);
    assert!(!folder.join("plugins/acme-guest.wasm").exists());
    assert!(folder.join("plugins/acme-one.wasm").exists());
}

#[test]
fn a_folder_for_any_agent_keeps_to_the_specification() {
    let made = for_agent("agent-plugins");
    assert_snapshot!(list_tree(&made.plugin()), @"
    dev.hookbox/hooks.toml
    dev.hookbox/plugins/acme-guest.wasm
    dev.hookbox/plugins/acme-guest.wasm.statement.json
    dev.hookbox/plugins/acme-guest.wasm.statement.json.sig
    plugin.json
    ");
    assert_snapshot!(read_files(&made.plugin(), &["plugin.json"]), @r#"
    --- plugin.json
    {
      "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
      "name": "acme-guest",
      "version": "1.2.0",
      "description": "The hooks of acme/guest",
      "extensions": {
        "dev.hookbox": {
          "hooks": "dev.hookbox/hooks.toml"
        }
      }
    }
    "#);
    let words = ["run", "--agent", "claude-code", "--bundle", "[HOME]/plugin/dev.hookbox"];
    let ran = made
        .bed
        .run_with_input(&mut made.bed.build_command(&words), made.bed.expand_placeholders(LS).as_bytes());
    assert!(ran.stdout.contains("plugin hook 1"), "{ran}");
}

/// Added by its user: then it is the user's, with what was granted, in the user's words, from the user's own copy.
#[test]
fn a_plugin_that_was_added_runs_as_the_users_own() {
    let made = for_agent("claude-code");
    let added = made.bed.run_hookbox(&["plugin", "add", "guard.wasm", "--name", "mine", "--yes"]);
    assert_eq!(added.code, 0, "{added}");
    assert_snapshot!(made.run_entry("PreToolUse", LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"mine: no"}}
    --- stderr
    "#);
    // Whatever was changed in the folder, it is told.
    let wasm = made.plugin().join("plugins/acme-guest.wasm");
    let good = fs::read(&wasm).unwrap();
    fs::write(&wasm, b"").unwrap();
    assert!(made.run_entry("PreToolUse", LS).stdout.contains("bad-configuration"));
    fs::write(&wasm, good).unwrap();
    // Switched off by its user, it is off here, too.
    let hooks = made.bed.resolve_path("[HOME]/.config/hookbox/hooks.toml");
    let text = fs::read_to_string(&hooks).unwrap();
    fs::write(&hooks, format!("{text}enabled = false\n")).unwrap();
    assert_eq!(made.run_entry("PreToolUse", LS).stdout, "{}\n");
}

#[test]
fn what_hookboxs_own_entry_asks_is_not_asked_twice() {
    let made = for_agent("claude-code");
    assert_eq!(made.bed.run_hookbox(&["plugin", "add", "guard.wasm", "--name", "mine", "--yes"]).code, 0);
    let is_asked = || made.run_entry("PreToolUse", LS).stdout.contains("\"deny\"");
    assert!(is_asked());
    let settings = made.bed.resolve_path("[HOME]/.claude/settings.json");
    let entry = |program: &str, home: &str| {
        let hook = format!(
            r#"{{"type":"command","command":"{program}","args":["run","--agent","claude-code","--home","{home}"]}}"#
        );
        made.bed.write_file(
            "[HOME]/.claude/settings.json",
            &format!(r#"{{"hooks":{{"PreToolUse":[{{"hooks":[{hook}]}}]}}}}"#),
        );
    };
    let (hookbox, home) = (made.bed.program().to_str().unwrap(), made.bed.expand_placeholders("[HOME]"));
    entry(hookbox, &home);
    assert!(!is_asked());
    // An entry for somebody else's hooks, of another program, or of one that is gone, asks nobody about this plugin.
    entry(hookbox, "/root");
    assert!(is_asked());
    entry("/usr/bin/hookbox", &home);
    assert!(is_asked());
    let other = made.bed.resolve_path("[HOME]/hookbox");
    write_program(&other, "#!/bin/sh\nexit 0\n");
    entry(other.to_str().unwrap(), &home);
    assert!(is_asked());
    // Nor does an entry in a project's settings.
    entry(hookbox, &home);
    fs::create_dir_all(made.bed.resolve_path("[PROJECT]/.claude")).unwrap();
    fs::rename(&settings, made.bed.resolve_path("[PROJECT]/.claude/settings.json")).unwrap();
    assert!(is_asked());
}

/// Whatever the folder says: what an administrator or the user denies is not called, and is no way through either.
#[test]
fn what_a_policy_denies_or_a_revoked_key_signed_is_not_called() {
    let made = for_agent("claude-code");
    let sum = made.bed.run_with_input(&mut made.bed.command_of(Path::new("sha256sum"), &["guard.wasm"]), b"");
    let digest = sum.stdout.split(' ').next().unwrap().to_owned();
    let policy = format!(
        "version = 1\ndefault = \"ask\"\n\n[[deny]]\ncomponent = \"sha256:{digest}\"\nreason = \"old\"\n"
    );
    made.bed.write_bytes("[HOME]/.config/hookbox/policy.toml", policy.as_bytes());
    assert_snapshot!(made.run_entry("PreToolUse", LS), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"configuration: [HOME]/plugin/hooks.toml: a plugin of this folder is not called: your policy denies it: old; remove it in the agent (bad-configuration)"}}
    --- stderr
    hookbox: [HOME]/plugin/hooks.toml: a plugin of this folder is not called: your policy denies it: old; remove it in the agent
    "#);
    made.bed.write_bytes("[HOME]/.config/hookbox/policy.toml", b"version = 1\ndefault = \"ask\"\n");
    assert!(made.run_entry("PreToolUse", LS).stdout.contains("plugin hook 1"));
    let words = ["-q", "-k", "-f", "revoked.krl", "a.pub"];
    assert_eq!(run_keygen(&made.bed, &words, b"").code, 0);
    let list = fs::read(made.bed.resolve_path("[PROJECT]/revoked.krl")).unwrap();
    made.bed.write_bytes("[HOME]/.config/hookbox/revoked.krl", &list);
    assert!(made.run_entry("PreToolUse", LS).stdout.contains("which is revoked"));
}

/// By its name, with the events, tools and settings that its user has it for, and as it came: signed.
#[test]
fn a_plugin_that_was_added_is_handed_on_as_it_came() {
    let bed = create_signed_bed();
    write_plugin(&bed, "unsigned", "\"seq\":1");
    let words = ["--name", "mine", "--on", "tool.before,session.start", "--settings", r#"{"a":1}"#, "--yes"];
    let add: Vec<_> = ["plugin", "add", "guard.wasm"].into_iter().chain(words).collect();
    assert_eq!(bed.run_hookbox(&add).code, 0);
    assert_eq!(bed.run_hookbox(&["plugin", "add", "unsigned.wasm", "--yes", "--name", "other"]).code, 0);
    fs::remove_file(bed.resolve_path("[PROJECT]/guard.wasm.statement.json.sig")).unwrap();
    let all = Exported::new(bed, &["claude-code", "--out", "[HOME]/plugin"]);
    assert_snapshot!(list_tree(&all.plugin()), @"
    .claude-plugin/marketplace.json
    .claude-plugin/plugin.json
    bin/ask-hookbox *
    hooks.toml
    hooks/hooks.json
    plugins/acme-guest.wasm
    plugins/acme-guest.wasm.statement.json
    plugins/acme-guest.wasm.statement.json.sig
    ");
    assert_snapshot!(read_files(&all.plugin(), &["hooks.toml"]), @r#"
    --- hooks.toml
    # Written by `hookbox export` for `hookbox run --bundle`, which verifies each file and rejects this folder after any change. To add a
    # plugin, run `hookbox export` with the same folder.
    # SHA-256 of the other lines: "[DIGEST]"
    version = 1

    [[hook]]
    name = "acme-guest"
    on = ["tool.before", "session.start"]
    wasm = { path = "plugins/acme-guest.wasm", sha256 = "[DIGEST]" }
    config = { a = 1 }
    "#);
    for name in ["mine", "acme/guest"] {
        let ran = run_export(&all.bed, &["codex", name, "--out", "[HOME]/other"]);
        assert_eq!(ran.code, 0, "{name}: {ran}");
    }
    assert_snapshot!(run_export(&all.bed, &["codex", "nobody", "--out", "[HOME]/other"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: no added plugin is called `nobody`; `hookbox plugin list` lists them, and the path of a plugin file ends in `.wasm`
    ");
    assert_snapshot!(run_export(&all.bed, &["codex", "other", "--out", "[HOME]/other"]), @"
    exit code 1
    --- stdout
    --- stderr
    error: [HOME]/.config/hookbox/plugins/other.wasm is not signed, so its users cannot verify it; sign it: hookbox plugin sign [HOME]/.config/hookbox/plugins/other.wasm --key KEY
    ");
}
