//! `hookbox setup`: one command after which every agent on the machine is protected, and has been seen to be.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{Read, Write},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Stdio,
};

use hookbox::agents::settings;
use insta::assert_snapshot;
use nix::pty::openpty;

use crate::{Ran, TestBed, format_gate, shell_gate};

const HOOKS: &str = "[HOME]/.config/hookbox/hooks.toml";
const CLAUDE: &str = "[HOME]/.claude/settings.json";
const CURSOR: &str = "[HOME]/.cursor/hooks.json";
/// What the guard says besides is its own affair.
const DENIES: &str = "denies: guard-shell: `rm -rf /` removes /";

/// A home in which these folders of agents are, and no configuration.
fn create_home(folders: &[&str]) -> TestBed {
    let bed = TestBed::new();
    for folder in folders {
        fs::create_dir_all(bed.resolve_path(&format!("[HOME]/{folder}"))).unwrap();
    }
    bed
}

fn run_setup(bed: &TestBed, more: &[&str]) -> Ran {
    bed.run_hookbox(&[&["setup"][..], more].concat())
}

/// What it says beside the diffs.
fn without_diffs(ran: &Ran) -> String {
    let is_diff = |line: &str| line.starts_with(['+', '-', '@', ' ']);
    let whole =
        |line: &str| line.split_once(DENIES).map_or(line.to_owned(), |(who, _)| format!("{who}{DENIES}…"));
    let lines: Vec<_> = ran.stdout.lines().filter(|line| !is_diff(line)).map(whole).collect();
    format!("exit code {}\n{}\n--- stderr\n{}", ran.code, lines.join("\n"), ran.stderr)
}

fn read_text(bed: &TestBed, name: &str) -> String {
    fs::read_to_string(bed.resolve_path(name)).unwrap_or_default()
}

/// Every file below the home folder with what is in it, but for what hookbox keeps for itself.
fn snapshot_files(bed: &TestBed) -> BTreeMap<String, Vec<u8>> {
    fn add_files(folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() && !path.is_symlink() {
                found.insert(format!("{}/", path.display()), Vec::new());
                add_files(&path, found);
            } else {
                found.insert(path.display().to_string(), fs::read(&path).unwrap_or_default());
            }
        }
    }
    let mut found = BTreeMap::new();
    add_files(&bed.resolve_path("[HOME]"), &mut found);
    found.retain(|path, _| !path.contains("/.local"));
    found
}

#[test]
fn one_command_protects_the_agents_that_are_here_and_a_second_run_has_nothing_to_do() {
    let bed = create_home(&[".claude", ".cursor"]);
    assert_snapshot!(without_diffs(&run_setup(&bed, &["--yes"])), @"
    exit code 0
    found   claude-code  [HOME]/.claude is there; no program claude on PATH
    found   cursor       [HOME]/.cursor is there; no program cursor or cursor-agent on PATH
    change  [HOME]/.config/hookbox/hooks.toml
    change  [HOME]/.claude/settings.json
    change  [HOME]/.cursor/hooks.json
    written: [HOME]/.config/hookbox/hooks.toml
    ok    guard-shell: wasm [SHIPPED]/guard-shell.wasm (pinned)
    ok    guard-paths: wasm [SHIPPED]/guard-paths.wasm (pinned)
    installed for 20 events: [HOME]/.claude/settings.json
    installed for 10 events: [HOME]/.cursor/hooks.json
    ok      claude-code denies: guard-shell: `rm -rf /` removes /…
    ok      cursor denies: guard-shell: `rm -rf /` removes /…
    2 agents protected
    --- stderr
    checked in [TIME]
    remove hookbox with `hookbox setup --remove`: an agent refuses every call while its entry names a hookbox that is missing
    ");
    let after = snapshot_files(&bed);
    assert_snapshot!(without_diffs(&run_setup(&bed, &[])), @"
    exit code 0
    found   claude-code  [HOME]/.claude is there; no program claude on PATH
    found   cursor       [HOME]/.cursor is there; no program cursor or cursor-agent on PATH
    nothing to do: every file is as it is to be
    ok    guard-shell: wasm [SHIPPED]/guard-shell.wasm (pinned)
    ok    guard-paths: wasm [SHIPPED]/guard-paths.wasm (pinned)
    ok      claude-code denies: guard-shell: `rm -rf /` removes /…
    ok      cursor denies: guard-shell: `rm -rf /` removes /…
    2 agents protected
    --- stderr
    checked in [TIME]
    ");
    assert_eq!(snapshot_files(&bed), after);
    assert_snapshot!(read_text(&bed, HOOKS), @r#"
    # Judges what a shell command would do before it runs. (`hookbox setup` wrote this and takes it out again if it is unchanged.)
    [[hook]]
    name = "guard-shell"
    on = "tool.before"
    tool = { class = ["shell", "mcp"] }
    wasm = { plugin = "guard-shell" }

    # Keeps tools and commands from secrets and from what decides over agents. (`hookbox setup` wrote this, too.)
    [[hook]]
    name = "guard-paths"
    on = "tool.before"
    tool = { class = ["file-read", "file-write", "search", "shell", "mcp"] }
    wasm = { plugin = "guard-paths" }
    "#);
}

#[test]
fn what_would_be_written_is_shown_and_nothing_is() {
    let bed = create_home(&[".cursor"]);
    let before = snapshot_files(&bed);
    let ran = run_setup(&bed, &["--dry-run"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "nothing was written (--dry-run)\n"), "{ran}");
    let shown = ran.stdout.as_str();
    assert!(shown.contains("+++ [HOME]/.config/hookbox/hooks.toml\n"), "{ran}");
    assert!(shown.contains("+wasm = { plugin = \"guard-paths\" }\n"), "{ran}");
    assert!(
        shown.contains("+++ [HOME]/.cursor/hooks.json\n") && shown.contains("run --agent cursor"),
        "{ran}"
    );
    assert_eq!(snapshot_files(&bed), before);
    assert!(!bed.resolve_path("[HOME]/.local").exists());
}

#[test]
fn without_a_terminal_it_is_refused_and_says_what_to_write() {
    let bed = create_home(&[".claude"]);
    let before = snapshot_files(&bed);
    let ran = run_setup(&bed, &[]);
    let said =
        "error: nothing was written: the question needs a terminal; `hookbox setup --yes` writes this\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (2, said), "{ran}");
    assert_eq!(snapshot_files(&bed), before);
}

/// What is shown on a terminal on which this is typed.
pub(crate) fn run_on_terminal(bed: &TestBed, arguments: &[&str], reply: &str) -> String {
    let terminal = openpty(None, None).unwrap();
    let end = || Stdio::from(terminal.slave.try_clone().unwrap());
    let mut command = bed.build_command(arguments);
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
fn on_a_terminal_it_asks_once_and_only_a_yes_is_one() {
    for (reply, written) in [("y\n", true), ("n\n", false), ("\n", false)] {
        let bed = create_home(&[".claude", ".cursor"]);
        let shown = run_on_terminal(&bed, &["setup"], reply);
        assert_eq!(shown.matches("[y/N]").count(), 1, "{shown}");
        assert!(shown.contains("Write all 3? [y/N]"), "{shown}");
        for name in [HOOKS, CLAUDE, CURSOR] {
            assert_eq!(bed.resolve_path(name).exists(), written, "{reply:?} {name}: {shown}");
        }
    }
}

#[test]
fn a_narrow_terminal_without_colours_gets_none() {
    let bed = create_home(&[".cursor"]).with_variable("COLUMNS", "40").with_variable("NO_COLOR", "1");
    let shown = run_on_terminal(&bed, &["setup"], "y\n");
    assert!(shown.contains(&format!("ok      cursor {DENIES}")) && !shown.contains('\x1b'), "{shown:?}");
}

#[test]
fn only_the_agents_that_are_named_are_touched() {
    let bed = create_home(&[".claude", ".cursor"]);
    let ran = run_setup(&bed, &["--agents", "cursor", "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(bed.resolve_path(CURSOR).exists() && !bed.resolve_path(CLAUDE).exists(), "{ran}");
    // One that is not here is what its person is about to install.
    let ran = run_setup(&bed, &["--agents", "windsurf,cursor", "--yes"]);
    assert!(
        ran.stdout.contains("absent  windsurf  no settings folder found; no program windsurf on PATH\n"),
        "{ran}"
    );
    assert!(ran.code == 0 && ran.stdout.contains(&format!("windsurf {DENIES}")), "{ran}");
}

#[test]
fn setup_reports_an_unknown_agent_with_the_nearest_known_agent() {
    let bed = create_home(&[".claude"]);
    let before = snapshot_files(&bed);
    let ran = run_setup(&bed, &["--agents", "cursor,claud-code", "--yes"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("setup knows no agent `claud-code`; did you mean `claude-code`?"), "{ran}");
    assert_eq!(snapshot_files(&bed), before);
}

#[test]
fn an_agent_is_seen_by_its_program_alone() {
    let bed = TestBed::new();
    let program = bed.write_file("[HOME]/bin/cursor", "#!/bin/sh\n");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    bed.write_file("[HOME]/bin/droid", "no program");
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    let ran = run_setup(&bed.with_variable("PATH", &path), &["--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(
        ran.stdout.contains("found   cursor  no settings folder found; its program is [HOME]/bin/cursor\n"),
        "{ran}"
    );
    assert!(ran.stdout.contains(&format!("cursor {DENIES}")) && !ran.stdout.contains("droid"), "{ran}");
}

#[test]
fn what_was_set_up_is_taken_out_again_without_a_trace() {
    let bed = create_home(&[".claude", ".config/cocode", ".config/opencode", "Documents/Cline"]);
    bed.write_file(CURSOR, "{\"version\": 1, \"hooks\": {\"stop\": [{\"command\": \"say done\"}]}}\n");
    let before = snapshot_files(&bed);
    assert_eq!(run_setup(&bed, &["--yes"]).code, 0);
    let ran = run_setup(&bed, &["--remove", "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(snapshot_files(&bed).keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>(), "{ran}");
    assert_eq!(snapshot_files(&bed), before);
    let again = run_setup(&bed, &["--remove"]);
    assert!(again.code == 0 && again.stdout.contains("nothing to do"), "{again}");
}

/// Returns the lines about remaining files, without the program's own line.
fn list_left(ran: &Ran) -> Vec<&str> {
    let is_left = |line: &&str| line.starts_with("left") && !line.contains("the program;");
    ran.stdout.lines().filter(is_left).collect()
}

#[test]
fn uninstall_without_an_agent_removes_all_and_lists_what_is_left() {
    let bed = create_home(&[".claude", ".cursor"]).with_own_cache();
    let before = snapshot_files(&bed);
    assert_eq!(bed.run_hookbox(&["install", "cursor", "--yes"]).code, 0);
    bed.write_file("[HOME]/.cache/hookbox/compiled/native", "");
    let ran = bed.run_hookbox(&["uninstall", "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(
        list_left(&ran),
        [
            "left    [HOME]/.local/state/hookbox: log, trust and stored data; `hookbox uninstall --purge` removes it",
            "left    [HOME]/.cache/hookbox: compiled plugins; `hookbox uninstall --purge` removes it",
        ],
        "{ran}"
    );
    assert!(!bed.resolve_path(CURSOR).exists(), "{ran}");
    let shown = bed.run_hookbox(&["uninstall", "--purge", "--dry-run"]);
    assert!(shown.code == 0 && shown.stdout.contains("remove  [HOME]/.local/state/hookbox\n"), "{shown}");
    let ran = bed.run_hookbox(&["uninstall", "--purge", "--yes"]);
    assert_eq!((ran.code, list_left(&ran)), (0, Vec::new()), "{ran}");
    for folder in ["[HOME]/.local/state/hookbox", "[HOME]/.cache/hookbox"] {
        assert!(!bed.resolve_path(folder).exists(), "{folder}: {ran}");
    }
    let after = snapshot_files(&bed);
    assert!(before.keys().all(|path| after.contains_key(path)), "{ran}");
}

#[test]
fn what_is_yours_is_left_and_named() {
    let bed = TestBed::with_config(&shell_gate("true", "")).with_own_cache();
    let ran = bed.run_hookbox(&["setup", "--remove", "--yes"]);
    assert!(list_left(&ran).contains(&"left    [HOME]/.config/hookbox/hooks.toml: hooks of yours"), "{ran}");
    let ran = bed.run_hookbox(&["uninstall", "--purge", "--yes"]);
    assert!(bed.resolve_path(HOOKS).exists() && ran.code == 0, "{ran}");
}

/// The state has the record of the entry, which a later removal needs.
#[test]
fn nothing_is_purged_while_an_agent_still_calls_hookbox() {
    let bed = create_home(&[".cursor"]).with_own_cache();
    assert_eq!(bed.run_hookbox(&["install", "cursor", "--yes"]).code, 0);
    bed.write_file(CURSOR, "{");
    let ran = bed.run_hookbox(&["uninstall", "--purge", "--yes"]);
    assert!(ran.code == 1 && bed.resolve_path("[HOME]/.local/state/hookbox").exists(), "{ran}");
}

#[test]
fn options_of_one_agent_need_the_agent() {
    for option in ["--here", "--user"] {
        let ran = TestBed::new().run_hookbox(&["uninstall", option, "--yes"]);
        assert_eq!(ran.code, 2, "{option}: {ran}");
    }
    assert_eq!(TestBed::new().run_hookbox(&["uninstall", "cursor", "--purge"]).code, 2);
}

#[test]
fn settings_that_the_user_has_written_or_changed_are_kept() {
    let mine = format!("# My rules.\n{}", shell_gate("true", ""));
    let bed = TestBed::with_config(&mine);
    fs::create_dir_all(bed.resolve_path("[HOME]/.cursor")).unwrap();
    assert_eq!(run_setup(&bed, &["--yes"]).code, 0);
    assert!(read_text(&bed, HOOKS).starts_with(&mine), "{}", read_text(&bed, HOOKS));
    let class = "class = [\"shell\", \"mcp\"] }\n";
    let changed = read_text(&bed, HOOKS).replace(class, &format!("{class}priority = 7\n"));
    assert!(changed.contains("priority"), "{changed}");
    bed.write_file(HOOKS, &changed);
    assert!(run_setup(&bed, &[]).stdout.contains("nothing to do"));
    let ran = run_setup(&bed, &["--remove", "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(ran.stdout.contains("your entries for guard-shell are kept"), "{ran}");
    let left = read_text(&bed, HOOKS);
    assert!(
        left.starts_with(&mine) && left.contains("priority = 7") && !left.contains("guard-paths"),
        "{left}"
    );
}

#[test]
fn agents_that_are_left_keep_the_rules() {
    let bed = create_home(&[".claude", ".cursor"]);
    run_setup(&bed, &["--yes"]);
    let rules = read_text(&bed, HOOKS);
    let ran = run_setup(&bed, &["--remove", "--agents", "cursor", "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(!bed.resolve_path(CURSOR).exists() && bed.resolve_path(CLAUDE).exists());
    assert_eq!(read_text(&bed, HOOKS), rules);
}

#[test]
fn a_disabled_guard_stays_disabled_and_its_agents_are_reported_as_unprotected() {
    let off = "[[hook]]\nname = \"mine\"\non = \"tool.before\"\nwasm = { plugin = \"guard-shell\" }\nenabled = false\n";
    let bed = TestBed::with_config(off);
    fs::create_dir_all(bed.resolve_path("[HOME]/.cursor")).unwrap();
    let ran = run_setup(&bed, &["--yes"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stdout.contains("odd     guard-shell is switched off at [HOME]/.config/hookbox/hooks.toml:1; take `enabled = false` out to have it\n"), "{ran}");
    assert!(
        ran.stdout.contains(
            "wrong   cursor: [HOME]/.cursor/hooks.json: no hook denies `rm -rf /`, only hookbox does, for its own files alone\n"
        ),
        "{ran}"
    );
    assert_eq!(read_text(&bed, HOOKS).matches("guard-shell").count(), 1);
}

#[test]
fn a_hook_that_denies_everything_does_not_protect() {
    let bed = TestBed::with_config(&format_gate("denies"));
    fs::create_dir_all(bed.resolve_path("[HOME]/.cursor")).unwrap();
    let ran = run_setup(&bed, &["--yes"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(
        ran.stdout.contains(
            "wrong   cursor: [HOME]/.cursor/hooks.json: `ls` is denied too: denies: because (no)\n"
        ),
        "{ran}"
    );
}

#[test]
fn an_agent_that_cannot_be_set_up_keeps_no_other_from_it() {
    type Spoil = (&'static str, fn(&TestBed));
    let spoils: [Spoil; 4] = [
        ("line 1, column 1", |bed| drop(bed.write_file(CURSOR, "{"))),
        ("2097152 bytes", |bed| drop(bed.write_file(CURSOR, &" ".repeat(3 << 20)))),
        ("cannot be read", |bed| fs::create_dir_all(bed.resolve_path(CURSOR)).unwrap()),
        // Not even root makes a file there.
        ("cannot be written", |bed| symlink("/sys/kernel", bed.resolve_path("[HOME]/.cursor")).unwrap()),
    ];
    for (said, spoil) in spoils {
        let bed = create_home(&[".claude"]);
        spoil(&bed);
        let before = fs::read(bed.resolve_path(CURSOR)).ok();
        let ran = run_setup(&bed, &["--yes"]);
        assert_eq!(ran.code, 1, "{said}: {ran}");
        let wrong: Vec<_> = ran.stdout.lines().filter(|line| line.starts_with("wrong   cursor: ")).collect();
        assert!(wrong[0].contains("[HOME]/.cursor/hooks.json") && wrong[0].contains(said), "{said}: {ran}");
        assert!(ran.stdout.contains(&format!("claude-code {DENIES}")), "{said}: {ran}");
        assert_eq!(fs::read(bed.resolve_path(CURSOR)).ok(), before, "{said}");
        // Another run does the rest.
        let cursor = bed.resolve_path("[HOME]/.cursor");
        fs::remove_file(&cursor).or_else(|_| fs::remove_dir_all(&cursor)).unwrap();
        fs::create_dir(&cursor).unwrap();
        let again = run_setup(&bed, &["--yes"]);
        assert!(again.code == 0 && !again.stdout.contains(".claude/settings.json\n"), "{said}: {again}");
        assert!(again.stdout.contains(&format!("cursor {DENIES}")), "{said}: {again}");
    }
}

#[test]
fn no_agent_asks_before_the_rules_can_run_and_another_run_does_the_rest() {
    let bed = TestBed::with_config(&format_gate("gone").replace("[GUESTS]", "plugins"));
    fs::create_dir_all(bed.resolve_path("[HOME]/.cursor")).unwrap();
    let ran = run_setup(&bed, &["--yes"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(
        ran.stdout.contains("broken gone: missing: ")
            && ran.stderr.contains("no agent's settings were changed"),
        "{ran}"
    );
    assert!(read_text(&bed, HOOKS).contains("guard-shell") && !bed.resolve_path(CURSOR).exists());
    bed.write_file(
        HOOKS,
        &read_text(&bed, HOOKS).replace("plugins/gone.wasm", &bed.expand_placeholders("[GUESTS]/none.wasm")),
    );
    bed.write_file("[HOME]/named", "\"[GUESTS]/none.wasm\"");
    let again = run_setup(&bed, &["--yes"]);
    assert!(again.code == 0 && again.stdout.contains(&format!("cursor {DENIES}")), "{again}");
}

#[test]
fn rules_with_an_error_are_left_alone_and_so_are_the_agents() {
    for broken in ["[[hook]\n", "hook = []\n"] {
        let bed = TestBed::with_config(broken);
        fs::create_dir_all(bed.resolve_path("[HOME]/.cursor")).unwrap();
        let ran = run_setup(&bed, &["--yes"]);
        assert_eq!(ran.code, 1, "{ran}");
        assert!(ran.stderr.contains("nothing was written") && ran.stderr.contains("hooks.toml:"), "{ran}");
        assert_eq!(read_text(&bed, HOOKS), broken);
        assert!(!bed.resolve_path(CURSOR).exists());
    }
}

#[test]
fn an_empty_file_of_rules_gets_the_guards() {
    let bed = TestBed::with_config("");
    fs::create_dir_all(bed.resolve_path("[HOME]/.cursor")).unwrap();
    let ran = run_setup(&bed, &["--yes"]);
    assert!(ran.code == 0 && read_text(&bed, HOOKS).starts_with("# Judges"), "{ran}");
}

#[test]
fn links_and_comments_of_the_user_are_kept() {
    let bed = create_home(&[".gemini"]);
    let kept = bed.write_file("[HOME]/dotfiles/gemini.json", "{\n  // mine\n  \"theme\": \"dark\"\n}\n");
    symlink(&kept, bed.resolve_path("[HOME]/.gemini/settings.json")).unwrap();
    let ran = run_setup(&bed, &["--yes"]);
    assert!(ran.code == 0 && ran.stdout.contains(&format!("gemini-cli {DENIES}")), "{ran}");
    assert!(bed.resolve_path("[HOME]/.gemini/settings.json").is_symlink());
    let written = fs::read_to_string(kept).unwrap();
    assert!(written.contains("  // mine\n") && written.contains("run --agent gemini-cli"), "{written}");
}

#[test]
fn a_long_file_is_changed_like_any_other() {
    let bed = TestBed::new();
    let note = "x".repeat(2_000_000);
    bed.write_file(CURSOR, &format!("{{\"version\": 1, \"note\": \"{note}\", \"hooks\": {{}}}}"));
    let ran = run_setup(&bed, &["--yes"]);
    assert!(ran.code == 0 && ran.stdout.ends_with("1 agent protected\n"), "{}", without_diffs(&ran));
    assert!(read_text(&bed, CURSOR).contains(&note));
}

#[test]
fn settings_that_a_variable_has_moved_are_protected_and_so_are_those_in_the_usual_place() {
    let bed = create_home(&[".claude"]);
    let moved = bed.resolve_path("[HOME]/moved");
    let bed = bed.with_variable("CLAUDE_CONFIG_DIR", moved.to_str().unwrap());
    let ran = run_setup(&bed, &["--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(ran.stdout.matches(&format!("claude-code {DENIES}")).count(), 2, "{ran}");
    assert!(bed.resolve_path(CLAUDE).exists() && moved.join("settings.json").exists());
}

#[test]
fn a_home_without_an_agent_gets_rules_and_a_message() {
    let bed = TestBed::new();
    let ran = run_setup(&bed, &["--yes"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(
        ran.stdout.ends_with(
            "todo    no agent is on this machine: install one, start it once, and run `hookbox setup` again\n"
        ),
        "{ran}"
    );
    assert!(read_text(&bed, HOOKS).contains("guard-shell"));
}

#[test]
fn without_its_plugins_nothing_is_written() {
    let bed = create_home(&[".cursor"]).with_own_installation();
    fs::remove_file(bed.resolve_path("[SHIPPED]/guard-paths.wasm")).unwrap();
    let before = snapshot_files(&bed);
    let ran = run_setup(&bed, &["--yes"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(
        ran.stderr.contains("not installed: [SHIPPED] has no guard-paths.wasm; nothing was written."),
        "{ran}"
    );
    assert!(
        ran.stderr.contains("`install -D -m 644 -t [SHIPPED] target/share/hookbox/plugins/*.wasm`"),
        "{ran}"
    );
    assert_eq!(snapshot_files(&bed), before);
    let bed = create_home(&[".cursor"]).with_own_installation();
    fs::remove_file(bed.resolve_path("[BIN]/hookbox-compile")).unwrap();
    let ran = run_setup(&bed, &["--yes"]);
    assert!(
        ran.code == 1
            && ran.stderr.contains("hookbox-compile does not exist")
            && !bed.resolve_path(HOOKS).exists(),
        "{ran}"
    );
}

#[test]
fn every_agent_that_install_knows_is_seen_to_deny() {
    let bed = TestBed::new();
    let agents: Vec<_> = settings::all_settings().map(|settings| settings.agent).chain(["cline"]).collect();
    let ran = run_setup(&bed, &["--agents", &agents.join(","), "--yes"]);
    for agent in &agents {
        assert!(ran.stdout.contains(&format!("ok      {agent} {DENIES}")), "{agent}: {ran}");
    }
    // Two of them want a person besides.
    let todo: Vec<_> = ran.stdout.lines().filter(|line| line.starts_with("todo")).collect();
    assert!(ran.code == 1 && todo.len() == 2, "{ran}");
    assert!(todo[0].starts_with("todo    codex skips ") && todo[0].contains("enter `/hooks`"), "{ran}");
    assert_eq!(
        todo[1],
        "todo    llxprt runs no hook as its settings are: write `\"hooksConfig\": {\"enabled\": true}` into \
         [HOME]/.llxprt/settings.json"
    );
}

#[test]
fn the_lines_that_the_user_must_write_for_amazon_q_are_reported_and_checked() {
    let bed = create_home(&[".aws/amazonq"]);
    let ran = run_setup(&bed, &["--yes"]);
    assert_eq!(ran.code, 1, "{ran}");
    let (_, member) = ran.stdout.split_once("which looks for it\n").unwrap();
    assert!(
        ran.stdout.contains("which you maintain ([HOME]/.aws/amazonq/cli-agents/*.json): write"),
        "{ran}"
    );
    bed.write_file("[HOME]/.aws/amazonq/cli-agents/mine.json", &format!("{{\"name\": \"mine\",\n{member}}}"));
    let ran = run_setup(&bed, &[]);
    assert!(ran.code == 0 && ran.stdout.contains(&format!("amazon-q {DENIES}")), "{ran}");
    let ran = run_setup(&bed, &["--remove", "--yes"]);
    assert!(
        ran.code == 1
            && ran
                .stdout
                .contains("todo    amazon-q: [HOME]/.aws/amazonq/cli-agents/mine.json calls hookbox"),
        "{ran}"
    );
}

#[test]
fn a_folder_that_gemini_cli_does_not_trust_is_reported() {
    let bed = TestBed::new();
    let on = "{\"security\": {\"folderTrust\": {\"enabled\": true}}}";
    bed.write_file("[HOME]/.gemini/settings.json", on);
    let ran = run_setup(&bed, &["--yes"]);
    assert!(ran.code == 0 && ran.stderr.contains("gemini-cli does not trust [PROJECT] yet"), "{ran}");
    bed.write_file("[HOME]/.gemini/trustedFolders.json", "{\"[PROJECT]\": \"TRUST_FOLDER\"}");
    assert!(!run_setup(&bed, &[]).stderr.contains("trust"));
}

#[test]
fn an_agent_takes_hookbox_out_of_nothing() {
    let bed = create_home(&[".claude"]);
    assert_eq!(run_setup(&bed, &["--yes"]).code, 0);
    let settings = "[HOME]/.claude/settings.json";
    let before = fs::read(bed.resolve_path(settings)).unwrap();
    for words in [&["setup", "--remove", "--yes"][..], &["uninstall", "claude-code", "--yes"]] {
        let mut command = bed.build_command(words);
        let ran = bed.run_with_input(command.env("CLAUDECODE", "1"), b"");
        assert_eq!(ran.code, 2, "{ran}");
        assert!(
            ran.stderr.contains("nothing was removed: CLAUDECODE shows that an agent runs this"),
            "{ran}"
        );
        assert_eq!(fs::read(bed.resolve_path(settings)).unwrap(), before);
    }
}
