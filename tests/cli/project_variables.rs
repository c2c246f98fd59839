//! A project sets variables for the agent that works in it, so that a program of its own runs in hookbox's place or the user's
//! hooks are not found. The entries that `install` wrote are started as each agent starts them.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
};

use hookbox::agents::settings::{self, AgentSettings, Base, Installed, SetByProject};

use crate::{LS, Ran, TestBed, case_archive, format_gate, gate_with, guests, shell_gate};

/// A project with programs of its own that leave a mark, and a user whose rule denies every tool call.
fn create_bed() -> TestBed {
    let bed = TestBed::with_config(&format_gate("denies"));
    for name in ["hookbox", "sh", "bash", "jq", "hookbox-compile"] {
        let program = bed.write_file(
            &format!("[PROJECT]/evil/{name}"),
            "#!/bin/sh\n: > [PROJECT]/mark\necho '{}'\nexit 0\n",
        );
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    for profile in [".profile", ".bash_profile", ".zshenv"] {
        bed.write_file(&format!("[PROJECT]/evil/{profile}"), ": > [PROJECT]/mark\n");
    }
    bed.write_file("[PROJECT]/evil/.config/hookbox/hooks.toml", &shell_gate("touch [PROJECT]/mark", ""));
    bed
}

/// Everything that the project sets, with its places here.
fn create_variables(bed: &TestBed, places: &str) -> BTreeMap<String, String> {
    let evil = bed.expand_placeholders("[PROJECT]/evil");
    let mut variables = BTreeMap::from([
        ("PATH", format!("{evil}:/usr/bin:/bin")),
        ("BASH_ENV", format!("{evil}/hookbox")),
        ("ENV", format!("{evil}/hookbox")),
        ("SHELL", format!("{evil}/sh")),
        ("SHELLOPTS", "noexec".to_owned()),
        ("TMPDIR", evil.clone()),
        ("RUST_MIN_STACK", "1".to_owned()),
        ("HOOKBOX_CALLERS", String::new()),
        ("USER", "mallory".to_owned()),
    ]);
    variables.extend(
        ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]
            .map(|name| (name, bed.expand_placeholders(places))),
    );
    variables.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The settings file that `install` writes: a project's, where the agent has one.
pub(crate) fn find_settings_path(settings: &AgentSettings) -> String {
    let config = match settings.user.base {
        Base::Config => ".config/",
        Base::Home | Base::HomeOr(_) => "",
    };
    let users = || format!("[HOME]/{config}{}", settings.user.path);
    let folder = settings.project.map_or_else(users, |folder| format!("[PROJECT]/{folder}"));
    format!("{folder}/{}", settings.file)
}

/// The entry for an event, as `install` writes it.
fn install_entries(bed: &TestBed, settings: &AgentSettings) -> Vec<Installed> {
    let place = if settings.project.is_some() { "--here" } else { "--user" };
    let ran = bed.run_hookbox(&["install", settings.agent, place, "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    let file = find_settings_path(settings);
    let text = fs::read_to_string(bed.resolve_path(&file)).unwrap();
    let mut entries = settings::find_installed(&text, settings).unwrap();
    // A line that makes a failed hookbox a refusal is the longest.
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.command.len()));
    entries
}

/// Starts an entry as its agent does.
fn start_entry(
    bed: &TestBed,
    settings: &AgentSettings,
    entry: &Installed,
    variables: &BTreeMap<String, String>,
) -> Ran {
    let words = entry.build_argv(settings, "/bin/bash");
    // The agent itself was found by a `PATH` that no project had set.
    let program = if words[0].contains('/') { words[0].clone() } else { format!("/bin/{}", words[0]) };
    let mut command = Command::new(program);
    command.args(&words[1..]).current_dir(bed.resolve_path("[PROJECT]")).env_clear().envs(variables);
    command.envs(entry.variables.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    bed.run_with_input(&mut command, read_event(bed, settings.agent).as_bytes())
}

/// The agent is about to run a command in the project.
fn read_event(bed: &TestBed, agent: &str) -> String {
    let file =
        guests::repository_folder("tests/conformance/cases").join(agent).join("guard-shell-denies.txt");
    let event = case_archive::read_file(&file, "event.json")
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
        .unwrap();
    event.replace("\"/w\"", &format!("\"{}\"", bed.expand_placeholders("[PROJECT]")))
}

fn was_started(bed: &TestBed) -> bool {
    bed.resolve_path("[PROJECT]/mark").exists()
}

#[test]
fn no_variable_of_a_project_keeps_the_users_rule_from_being_asked() {
    for settings in settings::all_settings() {
        let bed = create_bed();
        let entries = install_entries(&bed, settings);
        let clean = start_entry(
            &bed,
            settings,
            &entries[0],
            &create_variable("HOME", &bed.expand_placeholders("[HOME]")),
        );
        assert!(clean.to_string().contains("because"), "{}: {clean}", settings.agent);
        for places in ["[PROJECT]/evil", "[PROJECT]/gone", "/nonexistent", "relative", ""] {
            let mut variables = create_variables(&bed, places);
            variables.retain(|name, _| name == "PATH" || !settings.launch.open_to().contains(&name.as_str()));
            variables.entry("HOME".to_owned()).or_insert_with(|| bed.expand_placeholders("[HOME]"));
            let ran = start_entry(&bed, settings, &entries[0], &variables);
            assert_eq!(ran.to_string(), clean.to_string(), "{} {places:?}", settings.agent);
            assert!(!was_started(&bed), "{} {places:?}", settings.agent);
        }
    }
}

#[test]
fn every_entry_of_an_agent_is_the_same_command_but_for_what_is_around_it() {
    for settings in settings::all_settings() {
        let entries = install_entries(&TestBed::new(), settings);
        let same = |entry: &Installed| {
            entries[0].command.contains(&entry.command)
                && (&entry.program, &entry.arguments, &entry.variables)
                    == (&entries[0].program, &entries[0].arguments, &entries[0].variables)
        };
        assert!(entries.len() >= settings.usual.len() && entries.iter().all(same), "{}", settings.agent);
    }
}

#[test]
fn what_an_agent_leaves_open_is_said_and_nothing_that_it_does_not() {
    for settings in settings::all_settings() {
        let bed = create_bed();
        let entry = &install_entries(&bed, settings)[0];
        let is_bash = entry.build_argv(settings, "/bin/bash")[0].ends_with("bash");
        for (name, value) in [("BASH_ENV", "[PROJECT]/evil/hookbox"), ("HOME", "[PROJECT]/evil")] {
            let mut variables = create_variable("HOME", &bed.expand_placeholders("[HOME]"));
            variables.extend(create_variable(name, &bed.expand_placeholders(value)));
            start_entry(&bed, settings, entry, &variables);
            // Only zsh runs a file of the home folder before a line.
            let expected = is_bash && name == "BASH_ENV" && settings.launch.open_to().contains(&name);
            assert_eq!(was_started(&bed), expected, "{} {name}", settings.agent);
            drop(fs::remove_file(bed.resolve_path("[PROJECT]/mark")));
        }
    }
}

/// Elsewhere loaders have other variables.
#[cfg(target_env = "gnu")]
#[test]
fn variables_that_end_a_shell_before_it_starts_are_cleared_or_reported() {
    // Where no shell is started, hookbox itself is: linked statically in a release.
    for settings in settings::all_settings().filter(|settings| !settings.launch.is_exec()) {
        let bed = create_bed();
        let entry = &install_entries(&bed, settings)[0];
        for (name, value) in [("LD_DEBUG", "help"), ("LD_TRACE_LOADED_OBJECTS", "")] {
            let mut variables = create_variable("HOME", &bed.expand_placeholders("[HOME]"));
            variables.extend(create_variable(name, value));
            let is_asked = start_entry(&bed, settings, entry, &variables).to_string().contains("because");
            let launch = &settings.launch;
            let is_told = launch.open_to().contains(&name) || launch.in_its_place() == Some(name);
            assert_eq!(is_asked, !is_told, "{} {name}", settings.agent);
        }
    }
}

fn create_variable(name: &str, value: &str) -> BTreeMap<String, String> {
    BTreeMap::from([(name.to_owned(), value.to_owned())])
}

/// The dialects whose agents let a project set any variable must start hookbox without a shell.
#[test]
fn where_a_project_sets_what_it_likes_nothing_is_left_open() {
    for settings in settings::all_settings() {
        let open = settings.launch.open_to();
        let may = settings.launch.set_by_project() != SetByProject::All;
        assert!(may || open.is_empty(), "{}: {open:?}", settings.agent);
    }
}

/// A version of Claude Code that does not know `args` starts the program alone.
#[test]
fn an_agent_that_does_not_support_args_is_refused_every_event() {
    let bed = create_bed();
    let entries = install_entries(&bed, settings::find_settings("claude-code").unwrap());
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", &entries[0].command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let ran = bed.run_with_input(&mut command, read_event(&bed, "claude-code").as_bytes());
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran}");
    assert!(ran.stderr.contains("does not support `args`"), "{ran}");
}

/// What a hook of the user's is told under attack: a line for each variable.
fn environment_of_a_hook(bed: &TestBed, variables: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    bed.write_file(
        "[HOME]/.config/hookbox/hooks.toml",
        &shell_gate("env > [HOME]/environment; jq; exit 0", ""),
    );
    let mut command = bed.build_command(&["run", "--agent", "claude-code"]);
    let ran =
        bed.run_with_input(command.env_clear().envs(variables), read_event(bed, "claude-code").as_bytes());
    assert_eq!(ran.code, 0, "{ran}");
    let text = fs::read_to_string(bed.resolve_path("[HOME]/environment")).unwrap();
    text.lines().filter_map(|line| line.split_once('=')).map(|(n, v)| (n.to_owned(), v.to_owned())).collect()
}

#[test]
fn a_hook_of_the_users_finds_its_home_and_programs_whatever_a_project_sets() {
    let bed = create_bed();
    let told = environment_of_a_hook(&bed, &create_variables(&bed, "[PROJECT]/evil"));
    assert!(!was_started(&bed), "a program of the project's was found");
    let home = bed.expand_placeholders("[HOME]");
    assert_eq!(told["HOME"], home);
    assert_eq!(told["XDG_CONFIG_HOME"], format!("{home}/.config"));
    assert_eq!(told["XDG_STATE_HOME"], format!("{home}/.local/state"));
    assert_ne!(told.get("USER").map(String::as_str), Some("mallory"));
    assert_eq!(told.get("TMPDIR"), None);
    assert_eq!(told["PATH"], "/usr/bin:/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin");
    assert!(
        told.values().all(|value| !value.contains(&bed.expand_placeholders("[PROJECT]/evil"))),
        "{told:?}"
    );
}

/// The folders of `PATH` that such a hook is given besides the system's.
fn find_search_folders(bed: &TestBed, path: &str) -> String {
    let path = BTreeMap::from([("PATH".to_owned(), bed.expand_placeholders(path))]);
    let told = environment_of_a_hook(bed, &path)["PATH"].clone();
    let system = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    bed.mask_paths(told.strip_suffix(system).unwrap_or_else(|| panic!("{told}")))
}

#[test]
fn programs_are_looked_for_where_no_project_could_have_put_them() {
    let bed = create_bed();
    let folder = |name: &str| fs::create_dir_all(bed.resolve_path(name)).unwrap();
    for name in [
        "[HOME]/.local/bin",
        "[HOME]/.nvm/.git",
        "[HOME]/.nvm/bin",
        "[HOME]/src/other/.git",
        "[HOME]/src/other/bin",
        "[HOME]/.cursor/worktrees/copy/.hookbox",
        "[HOME]/.cursor/worktrees/copy/bin",
        "[HOME]/open",
    ] {
        folder(name);
    }
    bed.write_file("[HOME]/.cursor/worktrees/copy/.hookbox/hooks.toml", "");
    fs::set_permissions(bed.resolve_path("[HOME]/open"), fs::Permissions::from_mode(0o777)).unwrap();
    std::os::unix::fs::symlink(bed.resolve_path("[PROJECT]/evil"), bed.resolve_path("[HOME]/link")).unwrap();
    let kept = find_search_folders(&bed, "[HOME]/.local/bin:[HOME]/.nvm/bin");
    assert_eq!(kept, "[HOME]/.local/bin:[HOME]/.nvm/bin:");
    for path in [
        "[PROJECT]/evil",
        "[HOME]/src/other/bin",
        "[HOME]/.cursor/worktrees/copy/bin",
        "[HOME]/open",
        "[HOME]/link",
        "[HOME]/gone",
        "[HOME]/../project/evil",
        "/proc/self/cwd/evil",
        "evil:.:",
        "",
    ] {
        assert_eq!(find_search_folders(&bed, path), "", "{path}");
    }
}

#[test]
fn an_agent_that_works_above_the_home_folder_is_not_locked_out() {
    let bed = TestBed::with_config(&format_gate("denies"));
    let denied = bed.answer_as("claude-code", &read_event(&bed, "claude-code")).to_string();
    assert!(denied.contains("because"), "{denied}");
    for folder in [
        bed.expand_placeholders("[HOME]"),
        Path::new(&bed.expand_placeholders("[HOME]")).parent().unwrap().display().to_string(),
        "/".to_owned(),
    ] {
        let event = read_event(&bed, "claude-code").replace(&bed.expand_placeholders("[PROJECT]"), &folder);
        // `rm -rf /` would take hookbox's own files, too, which no hook allows.
        let event = event.replace("rm -rf /", "rm -rf build");
        assert_eq!(bed.answer_event(&event).to_string(), denied, "{folder}");
        bed.write_file("[HOME]/.config/hookbox/hooks.toml", &shell_gate("exit 0", ""));
        assert_eq!(
            bed.answer_event(&event).to_string(),
            "exit code 0\n--- stdout\n{}\n--- stderr\n",
            "{folder}"
        );
        bed.write_file("[HOME]/.config/hookbox/hooks.toml", &format_gate("denies"));
    }
}

/// Variables that the runtime and libraries read by themselves.
#[test]
fn no_variable_makes_threads_too_small_or_memory_too_dear_to_answer() {
    let keeps = "config = { o = 'm2' }\ngrant = { kv = { scopes = ['user'] } }";
    let config = gate_with("keeps", keeps) + &shell_gate("echo no >&2; exit 2", "");
    let expected = TestBed::with_config(&config).answer_event(LS).to_string();
    assert!(expected.contains("sh: no"), "{expected}");
    for (name, value) in [
        ("RUST_MIN_STACK", "1"),
        ("RUST_MIN_STACK", "1000000000000000"),
        ("RUST_BACKTRACE", "full"),
        ("SQLITE_TMPDIR", "/nonexistent"),
        ("TOKIO_WORKER_THREADS", "0"),
    ] {
        let bed = TestBed::with_config(&config).with_own_cache().with_variable(name, value);
        assert_eq!(bed.answer_event(LS).to_string(), expected, "{name}={value}");
    }
}

/// How a program is built that begins as hookbox's releases do.
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
fn beginning_as_releases_do(bed: &TestBed, main: &str) -> std::path::PathBuf {
    let start = guests::repository_folder("host/cli/start.rs").display().to_string();
    let source = bed
        .write_file("[HOME]/main.rs", &format!("#[path = {start:?}] mod start;\nfn main() {{ {main} }}\n"));
    let program = bed.resolve_path("[HOME]/program");
    let mut rustc = Command::new("rustc");
    rustc.args([
        "--edition=2024",
        "-C",
        "target-feature=+crt-static",
        "-C",
        "link-arg=-Wl,-e,hookbox_start",
        "-o",
    ]);
    let built = rustc.arg(&program).arg(source).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    program
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
#[test]
fn a_release_ignores_variables_for_allocation_and_loading() {
    let bed = TestBed::new();
    let main = r#"for (n, v) in std::env::vars() { println!("{n}={v}") } println!("{:?}", std::env::args().skip(1).collect::<Vec<_>>())"#;
    let program = beginning_as_releases_do(&bed, main);
    let said = |variables: &[(&str, &str)]| {
        let mut command = Command::new(&program);
        command.args(["a", "b c"]).env_clear().envs(variables.iter().copied());
        bed.wait_for(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()).to_string()
    };
    for (name, value) in [
        ("MALLOC_TOP_PAD_", "1000000000000000"),
        ("GLIBC_TUNABLES", "glibc.malloc.top_pad=1000000000000000"),
        ("LD_LIBRARY_PATH", "/evil"),
        ("MALLOC_", ""),
    ] {
        let told = said(&[("A", "1"), (name, value), ("Z", "")]);
        // In the order of their names, in which this one is in the middle.
        assert_eq!(told, "exit code 0\n--- stdout\nA=1\n_=\nZ=\n[\"a\", \"b c\"]\n--- stderr\n");
    }
    let kept = [("GLIBC_T", "1"), ("LD", "2"), ("MALLOC", "3"), ("X", "")];
    assert!(said(&kept).contains("GLIBC_T=1\nLD=2\nMALLOC=3\nX=\n"));
    assert!(said(&[]).contains("--- stdout\n[\"a\", \"b c\"]\n"));
}

/// The user's script is not there, beside the configuration or at all, and the project has one of the same name.
#[test]
fn a_users_command_runs_the_users_script_and_none_of_the_project() {
    let bed = TestBed::new();
    let configured = |shell: &str| {
        let hook = format!("[[hook]]\nname = \"mine\"\non = \"tool.before\"\nshell = {{ {shell} }}\n");
        bed.write_file("[HOME]/.config/hookbox/hooks.toml", &hook);
    };
    bed.write_file("[PROJECT]/hooks/mine.sh", ": > [PROJECT]/mark\n");
    bed.write_file("[PROJECT]/mine.sh", ": > [PROJECT]/mark\n");
    let mine = bed.write_file("[HOME]/.config/hookbox/hooks/mine.sh", "echo mine >&2; exit 2\n");
    for argv in [r#"["sh", "hooks/mine.sh"]"#, r#"["/bin/sh", "-e", "./hooks/mine.sh", "x"]"#] {
        configured(&format!("argv = {argv}"));
        assert!(bed.answer_event(LS).to_string().contains("mine: mine"), "{argv}: {}", bed.answer_event(LS));
        assert!(
            bed.run_hookbox(&["check"]).stdout.contains(" 0 warnings"),
            "{}",
            bed.run_hookbox(&["check"])
        );
    }
    for (shell, line) in [
        (
            r#"command = "sh hooks/mine.sh""#,
            "write `command = \"sh [HOME]/.config/hookbox/hooks/mine.sh\"`, or add `cwd = \".\"`",
        ),
        (
            r#"argv = ["env", "sh", "hooks/mine.sh"]"#,
            "write `argv = [\"env\", \"sh\", \"[HOME]/.config/hookbox/hooks/mine.sh\"]`, or add `cwd = \".\"`",
        ),
    ] {
        configured(shell);
        let told =
            "the command of `mine` names `hooks/mine.sh`, which is searched in the folder of the event";
        let checked = bed.run_hookbox(&["check"]);
        assert!(checked.to_string().contains(told), "{shell}: {checked}");
        assert!(checked.to_string().contains(line), "{shell}: {checked}");
    }
    fs::remove_file(mine).unwrap();
    // A line is reported even while the user has no such file: the project may have one.
    for (shell, is_reported) in [
        (r#"command = "sh hooks/mine.sh""#, true),
        (r#"command = "./hooks/mine.sh x""#, true),
        (r#"argv = ["bash", "-c", "sh -e 'hooks/mine.sh'"]"#, true),
        (r#"command = "sh $HOME/hooks/mine.sh""#, false),
        (r#"command = "sh \"$PWD\"/hooks/mine.sh; git diff a/b""#, false),
    ] {
        configured(shell);
        let checked = bed.run_hookbox(&["check"]).to_string();
        let names_it =
            checked.contains("names `hooks/mine.sh`") || checked.contains("names `./hooks/mine.sh`");
        assert_eq!(names_it, is_reported, "{shell}: {checked}");
    }
    for argv in [r#"["sh", "hooks/mine.sh"]"#, r#"["sh", "mine.sh"]"#, r#"["python3", "-I", "mine.sh"]"#] {
        configured(&format!("argv = {argv}"));
        let answer = bed.answer_event(LS);
        assert!(answer.stdout.contains("deny"), "{argv}: {answer}");
    }
    assert!(!bed.resolve_path("[PROJECT]/mark").exists());
}
