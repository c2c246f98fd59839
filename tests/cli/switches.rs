//! Hooks can be switched off: those that projects bring by the user's file, and both these and the user's own by a command
//! at a terminal.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    process::{Command, Stdio},
};

use insta::assert_snapshot;
use nix::pty::openpty;

use crate::{LS, Ran, TestBed, format_gate, gate_with, guests, shell_gate};

const CONFIG: &str = "[PROJECT]/.hookbox/hooks.toml";
const KEPT: &str = "[HOME]/.local/state/hookbox/switches.json";

/// A project whose hooks `denies` and `none` run after this configuration of the user's.
fn create_project(config: &str) -> TestBed {
    // An empty file is no configuration but a mishap.
    let bed = TestBed::with_config(if config.is_empty() { "# no hooks\n" } else { config });
    let theirs = format_gate("none") + &format_gate("denies");
    bed.write_file(CONFIG, &theirs.replace("[GUESTS]", "plugins"));
    for guest in ["none", "denies"] {
        bed.write_bytes(&format!("[PROJECT]/.hookbox/plugins/{guest}.wasm"), &guests::build_component(guest));
    }
    bed
}

fn project_denies(bed: &TestBed) -> bool {
    bed.answer_event(LS).stdout.contains("project hook 2: ")
}

/// The command with a terminal as its standard input.
pub(crate) fn at_a_terminal(bed: &TestBed, arguments: &[&str]) -> Ran {
    at_a_terminal_with(bed, bed.build_command(arguments))
}

fn at_a_terminal_with(bed: &TestBed, mut command: Command) -> Ran {
    let terminal = openpty(None, None).unwrap();
    command.stdin(Stdio::from(terminal.slave));
    bed.wait_for(command.spawn().unwrap())
}

#[test]
fn the_users_file_switches_off_the_hooks_of_all_projects_of_one_and_one_of_them() {
    for (config, denied) in [
        ("", true),
        ("[projects]\nhooks = true\n", true),
        ("[projects]\nhooks = false\n", false),
        ("[[project]]\npath = \"[PROJECT]\"\nhooks = false\n", false),
        ("[[project]]\npath = \"[PROJECT]/../project/\"\nhooks = false\n", false),
        ("[[project]]\npath = \"[PROJECT]/..\"\nhooks = false\n", false),
        ("[[project]]\npath = \"[PROJECT]/src\"\nhooks = false\n", true),
        ("[[project]]\npath = \"[PROJECT]-2\"\nhooks = false\n", true),
        ("[[project]]\npath = \"[PROJECT]\"\ndisable = [\"denies\"]\n", false),
        ("[[project]]\npath = \"[PROJECT]\"\ndisable = \"denies\"\n", false),
        ("[[project]]\npath = \"[PROJECT]\"\ndisable = [\"none\"]\n", true),
        ("[[project]]\npath = \"/other\"\ndisable = [\"denies\"]\n", true),
    ] {
        let bed = create_project(config);
        assert_eq!(project_denies(&bed), denied, "{config}");
    }
    let bed = create_project("[[project]]\npath = \"[HOME]/link\"\nhooks = false\n");
    symlink(bed.resolve_path("[PROJECT]"), bed.resolve_path("[HOME]/link")).unwrap();
    assert!(!project_denies(&bed));
}

#[test]
fn what_is_switched_off_is_listed_with_the_place_that_says_so() {
    assert_snapshot!(create_project("[projects]\nhooks = false\n").run_hookbox(&["list"]), @"
    exit code 0
    --- stdout
    the project's hooks (disabled by [HOME]/.config/hookbox/hooks.toml:1:1)
    --- stderr
    no hooks; write some into ~/.config/hookbox/hooks.toml (`hookbox schema` helps the editor)
    ");
    let one = "version = 1\n[[project]]\npath = \"[PROJECT]\"\ndisable = [\"denies\"]\n";
    assert_snapshot!(create_project(one).run_hookbox(&["list"]), @"
    exit code 0
    --- stdout
    none  gate, project (untrusted); agents know it as `project hook 1`
        on tool.before
        wasm [PROJECT]/.hookbox/plugins/none.wasm
        isolated: in a process without files, network and environment (see `hookbox doctor`)
    denies (disabled by [HOME]/.config/hookbox/hooks.toml:2:1)
    --- stderr
    ");
}

#[test]
fn a_project_switches_nothing_off() {
    let bed = TestBed::with_config(&format_gate("denies"));
    bed.write_file(CONFIG, "[projects]\nhooks = false\n[[project]]\npath = \"/\"\ndisable = [\"denies\"]\n");
    assert!(bed.answer_event(LS).stdout.contains("denies: because (no)"));
    let checked = bed.run_hookbox(&["check"]);
    assert!(checked.stderr.contains("projects has no effect here"), "{checked}");
    assert!(checked.stderr.contains("project has no effect here"), "{checked}");
    assert_eq!(checked.code, 0);
}

#[test]
fn hooks_of_the_user_are_not_switched_off_with_those_of_projects() {
    let config = format_gate("denies")
        + "[projects]\nhooks = false\n[[project]]\npath = \"/\"\ndisable = [\"denies\"]\n";
    assert!(TestBed::with_config(&config).answer_event(LS).stdout.contains("denies: because (no)"));
}

#[test]
fn a_switch_with_a_mistake_denies_what_can_be_denied_and_says_where() {
    for (config, said) in [
        ("[projects]\nhooks = \"no\"\n", "`hooks` is a string, but must be true or false"),
        ("[projects]\n", "`projects`"),
        ("[[project]]\nhooks = false\n", "the project has no `path`"),
        ("[[project]]\npath = \"/x\"\nhook = false\n", "unknown key `hook`"),
        ("[[project]]\npath = \"/x\"\ndisable = [\"a b\"]\n", "`a b` cannot be the name of a hook"),
        ("[project]\npath = \"/x\"\n", "must be written as `[[project]]`"),
        ("[[project]]\npath = \"~/x\"\nhooks = false\n", "`~` is not expanded"),
    ] {
        let bed = TestBed::with_config(config);
        let checked = bed.run_hookbox(&["check"]);
        assert!(checked.stderr.contains(said) && checked.code == 1, "{config}: {checked}");
        assert!(bed.answer_event(LS).stdout.contains("(bad-configuration)"), "{config}");
    }
}

#[test]
fn a_command_at_a_terminal_switches_one_hook_off_and_on() {
    let bed = create_project("");
    let ran = at_a_terminal(&bed, &["disable", "denies"]);
    assert_eq!(ran.stdout, "switched off until `hookbox enable`: the hook `denies` of [PROJECT]\n", "{ran}");
    assert!(!project_denies(&bed));
    let listed = bed.run_hookbox(&["list"]).stdout;
    assert!(listed.contains("denies (disabled by `hookbox disable`, until `hookbox enable`)"), "{listed}");
    let ran = bed.run_hookbox(&["enable", "denies"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "switched on: the hook `denies` of [PROJECT]\n"),
        "{ran}"
    );
    assert!(project_denies(&bed));
    assert_eq!(bed.run_hookbox(&["enable", "denies"]).code, 2);
}

#[test]
fn a_command_switches_off_all_hooks_of_a_project_or_of_all_for_a_time() {
    for which in ["--here", "--all-projects"] {
        let bed = create_project("");
        let ran = at_a_terminal(&bed, &["disable", which, "--for", "1h"]);
        assert!(ran.stdout.starts_with("switched off for 1h: the hooks of "), "{ran}");
        assert!(!project_denies(&bed));
        let listed = bed.run_hookbox(&["list"]).stdout;
        assert!(
            listed.contains("the project's hooks (disabled by `hookbox disable`, for 60 min more)"),
            "{listed}"
        );
        // The hour is over.
        let kept = fs::read_to_string(bed.resolve_path(KEPT)).unwrap();
        let until = kept.split("\"until\":").nth(1).unwrap().split('}').next().unwrap();
        fs::write(bed.resolve_path(KEPT), kept.replace(until, "1")).unwrap();
        assert!(project_denies(&bed));
    }
}

#[test]
fn without_the_user_at_a_terminal_no_hook_is_disabled() {
    let bed = create_project("");
    for which in ["denies", "--here", "--all-projects"] {
        let ran = bed.run_hookbox(&["disable", which]);
        assert_eq!(ran.code, 2, "{ran}");
        assert!(ran.stderr.contains("this needs the user at a terminal"), "{ran}");
    }
    assert!(!bed.resolve_path(KEPT).exists() && project_denies(&bed));
}

#[test]
fn an_unknown_hook_name_is_reported() {
    let bed = create_project(&shell_gate("true", ""));
    for (name, said) in [
        ("denie", "there is no hook `denie` here; did you mean `denies`?"),
        ("x", "there is no hook `x` here; there are sh, none, denies (`hookbox list` shows all)"),
    ] {
        let ran = at_a_terminal(&bed, &["disable", name]);
        assert!(ran.code == 2 && ran.stderr.contains(said), "{ran}");
    }
    let bed = TestBed::new();
    let ran = at_a_terminal(&bed, &["disable", "--here"]);
    assert!(ran.stderr.contains("there is no project with hooks here"), "{ran}");
    let ran = at_a_terminal(&bed, &["disable", "x"]);
    assert!(ran.stderr.contains("there is no hook `x` here, nor any other"), "{ran}");
}

/// The user's own hook `denies`, and two projects beside each other.
fn create_own_bed() -> TestBed {
    let bed = TestBed::with_config(&format_gate("denies"));
    std::fs::create_dir_all(bed.resolve_path("[HOME]/other/.git")).unwrap();
    bed
}

fn own_denies(bed: &TestBed, folder: &str) -> bool {
    bed.answer_event(&LS.replace("[PROJECT]", folder)).stdout.contains("denies: because (no)")
}

#[test]
fn a_hook_of_the_user_is_switched_off_in_all_projects_and_on_again() {
    let bed = create_own_bed();
    assert!(own_denies(&bed, "[PROJECT]"));
    let ran = at_a_terminal(&bed, &["disable", "denies"]);
    assert_eq!(
        ran.stdout, "switched off until `hookbox enable`: your hook `denies`, in all projects\n",
        "{ran}"
    );
    assert!(!own_denies(&bed, "[PROJECT]") && !own_denies(&bed, "[HOME]/other"));
    let ran = bed.run_hookbox(&["enable", "denies"]);
    assert_eq!(ran.stdout, "switched on: your hook `denies`, in all projects\n", "{ran}");
    assert!(own_denies(&bed, "[PROJECT]"));
}

#[test]
fn a_hook_of_the_user_is_switched_off_in_one_project_for_a_time() {
    let bed = create_own_bed();
    let ran = at_a_terminal(&bed, &["disable", "denies", "--here", "--for", "1h"]);
    assert_eq!(ran.stdout, "switched off for 1h: your hook `denies`, in [PROJECT]\n", "{ran}");
    assert!(!own_denies(&bed, "[PROJECT]") && !own_denies(&bed, "[PROJECT]/src"));
    assert!(own_denies(&bed, "[HOME]/other"));
    // The hour is over.
    let kept = fs::read_to_string(bed.resolve_path(KEPT)).unwrap();
    let until = kept.split("\"until\":").nth(1).unwrap().split('}').next().unwrap();
    fs::write(bed.resolve_path(KEPT), kept.replace(until, "1")).unwrap();
    assert!(own_denies(&bed, "[PROJECT]"));
}

#[test]
fn what_is_off_in_all_projects_is_not_switched_on_in_one() {
    let bed = create_own_bed();
    at_a_terminal(&bed, &["disable", "denies"]);
    let ran = bed.run_hookbox(&["enable", "denies", "--here"]);
    let said = "`denies` is switched off in all projects; `hookbox enable denies` switches it on";
    assert!(ran.code == 2 && ran.stderr.contains(said), "{ran}");
    assert!(!own_denies(&bed, "[PROJECT]"));
}

#[test]
fn list_doctor_and_explain_show_which_hook_is_off_and_until_when() {
    let bed = create_own_bed();
    at_a_terminal(&bed, &["disable", "denies", "--for", "1h"]);
    let off = "disabled by `hookbox disable`, for 60 min more";
    let listed = bed.run_hookbox(&["list"]);
    assert_eq!((listed.stdout, listed.stderr), (format!("denies ({off})\n"), String::new()));
    let event = bed.write_file("[PROJECT]/event.json", LS);
    let explained = bed.run_hookbox(&["explain", event.to_str().unwrap()]).stdout;
    assert!(explained.contains(&format!("-  denies: {off}\n")), "{explained}");
    let doctor = bed.run_hookbox(&["doctor"]).stdout;
    let said = "odd     switched off: denies, by `hookbox disable`, for 60 min more\n";
    assert!(doctor.contains(said), "{doctor}");
}

/// A project may give its hook any name.
#[test]
fn a_projects_hook_of_the_same_name_is_switched_off_and_the_users_stays_on() {
    let bed = create_project(&format_gate("denies"));
    let ran = at_a_terminal(&bed, &["disable", "denies"]);
    assert_eq!(
        ran.stdout,
        "switched off until `hookbox enable`: the hook `denies` of [PROJECT]\n\
         your own hook `denies` stays on; `enabled = false` in its entry at [HOME]/.config/hookbox/hooks.toml:1 switches it off\n",
        "{ran}"
    );
    assert!(own_denies(&bed, "[PROJECT]"));
}

#[test]
fn a_file_of_switches_that_others_could_have_written_switches_nothing_off() {
    let bed = create_own_bed();
    at_a_terminal(&bed, &["disable", "denies"]);
    assert!(!own_denies(&bed, "[PROJECT]"));
    fs::set_permissions(bed.resolve_path(KEPT), fs::Permissions::from_mode(0o666)).unwrap();
    assert!(own_denies(&bed, "[PROJECT]"));
}

#[test]
fn a_damaged_file_of_switches_switches_nothing_off() {
    for damage in ["", "{", "[1]", "{\"project\":null}", "[{\"project\":null,\"hook\":null,\"until\":-1}]"] {
        let own = create_own_bed();
        own.write_file(KEPT, damage);
        assert!(own_denies(&own, "[PROJECT]"), "{damage}");
        let bed = create_project("");
        bed.write_file(KEPT, damage);
        assert!(project_denies(&bed), "{damage}");
    }
}

#[test]
fn hooks_that_loop_are_out_after_one_event_until_they_are_checked() {
    let bed = TestBed::new().with_own_cache();
    // So many that none of them burns its fuel before their common time is over.
    let theirs: String = (0..20)
        .map(|at| {
            let name = format!("name = \"loops-{at}\"");
            gate_with("loops", &format!("config = {{ n = {at} }}")).replace("name = \"loops\"", &name)
        })
        .collect();
    bed.write_file(CONFIG, &theirs.replace("[GUESTS]", "plugins"));
    bed.write_bytes("[PROJECT]/.hookbox/plugins/loops.wasm", &guests::build_component("loops"));
    bed.run_hookbox(&["check"]);
    let first = bed.answer_event(LS);
    assert_eq!(first.stderr.matches("failed: budget: ").count(), 20, "{first}");
    let told = "used up the 500 ms that they may take together";
    assert!(first.stdout.contains(told) && first.stderr.contains(told), "{first}");
    let second = bed.answer_event(LS);
    assert_eq!((second.stdout.as_str(), second.stderr.as_str()), ("{}\n", ""));
    let out = "    out: the hooks of its file used up their time";
    assert_eq!(bed.run_hookbox(&["list"]).stdout.matches(out).count(), 20);
    bed.run_hookbox(&["check"]);
    assert!(!bed.run_hookbox(&["list"]).stdout.contains(out));
    assert!(bed.answer_event(LS).stderr.contains("failed: budget: "));
}

#[test]
fn the_shell_of_an_agent_does_not_count_as_the_user_even_at_a_terminal() {
    for mark in [
        "CLAUDECODE",
        "GEMINI_CLI",
        "CODEX_CI",
        "CODEX_THREAD_ID",
        "CURSOR_AGENT",
        "CLINE_ACTIVE",
        "QWEN_CODE",
    ] {
        let bed = create_project("").with_variable(mark, "1");
        let ran = at_a_terminal(&bed, &["disable", "--here"]);
        assert!(
            ran.code == 2 && ran.stderr.contains(&format!("{mark} shows that an agent runs this")),
            "{ran}"
        );
        assert!(project_denies(&bed), "{mark}");
    }
    let bed = create_project("").with_variable("CLAUDECODE", "").with_variable("CODEX_HOME", "/h/.codex");
    assert_eq!(at_a_terminal(&bed, &["disable", "--here"]).code, 0);
}

/// The shell of an agent, whose command takes the variable off and makes a terminal.
#[test]
fn a_command_of_an_agents_shell_does_not_count_as_the_user_whatever_its_own_variables() {
    let bed = create_project("").with_variable("CLAUDECODE", "1");
    let terminal = openpty(None, None).unwrap();
    let line = "env -u CLAUDECODE sh -c '\"$0\" disable --here; exit $?' \"$0\"; exit $?";
    let mut command = bed.build_shell_command(line);
    command.stdin(Stdio::from(terminal.slave));
    let ran = bed.wait_for(command.spawn().unwrap());
    let told = "this needs the user, and CLAUDECODE in the environment of process ";
    assert!(ran.code == 2 && ran.stderr.contains(told), "{ran}");
    assert!(project_denies(&bed));
}

#[test]
fn a_copy_of_the_program_that_the_agents_entries_start_switches_nothing_off() {
    let bed = create_project("");
    let installed = bed.run_hookbox(&["install", "claude-code", "--yes"]);
    assert_eq!(installed.code, 0, "{installed}");
    let copy = bed.resolve_path("[PROJECT]/hb");
    fs::copy(bed.program(), &copy).unwrap();
    let ran = at_a_terminal_with(&bed, bed.command_of(&copy, &["disable", "--here"]));
    let told = format!(
        "nothing was switched off: this is not the hookbox that the agents' entries start; run {}, or `install` with this one first",
        bed.mask_paths(&bed.program().display().to_string())
    );
    assert!(ran.code == 2 && ran.stderr.contains(&told), "{ran}");
    let ran = at_a_terminal(&bed, &["disable", "--here"]);
    assert_eq!(ran.code, 0, "{ran}");
}

#[test]
fn no_time_at_all_is_a_mistake() {
    let bed = create_project("");
    let ran = at_a_terminal(&bed, &["disable", "--here", "--for", "0s"]);
    assert!(ran.code == 2 && ran.stderr.contains("`--for` is zero"), "{ran}");
    assert!(!bed.resolve_path(KEPT).exists());
}

#[test]
fn hooks_that_stay_below_the_time_of_an_event_use_up_that_of_the_session() {
    let bed = create_project("");
    let counts = "[HOME]/.local/state/hookbox/failures.json";
    let spent = |ms: u32| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
        bed.write_file(counts, &format!("{{\"session:s\": {{\"in_a_row\": {ms}, \"last\": {now}}}}}"));
    };
    let session = bed.expand_placeholders(LS);
    assert!(session.contains(r#""session_id":"s""#), "{session}");
    spent(1_000);
    assert!(project_denies(&bed), "there is time left");
    spent(5_000);
    assert!(!project_denies(&bed), "nothing is left in this session, whichever file it is");
    assert!(
        bed.answer_event(&LS.replace(r#""session_id":"s""#, r#""session_id":"other""#))
            .stdout
            .contains("project hook 2: ")
    );
    assert_eq!(bed.run_hookbox(&["check"]).code, 0);
    assert!(project_denies(&bed), "`hookbox check` ends it");
}

#[test]
fn list_and_check_report_the_longest_of_several_switches() {
    let for_ever = "disabled by `hookbox disable`, until `hookbox enable`";
    let orders = [
        [&["--here", "--for", "1m"][..], &["--all-projects"]],
        [&["--all-projects"], &["--here", "--for", "1m"]],
    ];
    for order in orders {
        let bed = create_project("");
        for what in order {
            assert_eq!(at_a_terminal(&bed, &[&["disable"], what].concat()).code, 0);
        }
        let listed = bed.run_hookbox(&["list"]).stdout;
        assert!(listed.contains(for_ever), "{listed}");
        let checked = bed.run_hookbox(&["check"]).stdout;
        assert!(checked.contains("switched off by `hookbox disable`, until `hookbox enable`"), "{checked}");
    }
    let bed = create_project("");
    for (what, lasts) in [("--here", "2h"), ("--all-projects", "1h")] {
        at_a_terminal(&bed, &["disable", what, "--for", lasts]);
    }
    let listed = bed.run_hookbox(&["list"]).stdout;
    assert!(listed.contains("for 120 min more"), "{listed}");
}
