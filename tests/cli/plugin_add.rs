//! `hookbox plugin add`: a plugin's file for the user, looked at before anything is written, and written as a whole or not at all.

use std::{
    fs::{self, File},
    io::Write,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Stdio,
};

use insta::assert_snapshot;
use nix::pty::openpty;

use crate::{
    LS, Ran, TestBed,
    guests::{self, custom_section, encode_manifest, nest_component},
};

const HOOKS: &str = "[HOME]/.config/hookbox/hooks.toml";
const LOCK: &str = "[HOME]/.config/hookbox/hookbox.lock";
const FILE: &str = "[PROJECT]/guest.wasm";
const MINE: &str =
    "# mine\r\n\n[[hook]]   # odd\nname='other'\non='session.start'\nshell = { command = 'true' }\n\n\n";

/// A plugin's file in the project: this guest with a manifest that says this.
fn write_plugin(bed: &TestBed, guest: &str, members: &str) {
    bed.write_bytes(FILE, &[guests::build_component(guest), encode_manifest(members)].concat());
}

fn run_add(bed: &TestBed, more: &[&str]) -> Ran {
    bed.run_hookbox(&[&["plugin", "add", FILE], more].concat())
}

/// The same with these replies to its questions.
fn add_with_replies(bed: &TestBed, replies: &str, more: &[&str]) -> Ran {
    let terminal = openpty(None, None).unwrap();
    File::from(terminal.master.try_clone().unwrap()).write_all(replies.as_bytes()).unwrap();
    let mut command = bed.build_command(&[&["plugin", "add", FILE], more].concat());
    command.stdin(Stdio::from(terminal.slave));
    let ran = bed.wait_for(command.spawn().unwrap());
    drop(terminal.master);
    // Whether it is compiled depends on the tests before.
    Ran { stderr: ran.stderr.replace("compiling guest …\n", ""), ..ran }
}

fn read_text(bed: &TestBed, name: &str) -> String {
    fs::read_to_string(bed.resolve_path(name)).unwrap_or_default()
}

/// Every file below the folder of the configuration.
fn list_names(bed: &TestBed) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = vec![bed.resolve_path("[HOME]/.config/hookbox")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else {
                names.push(entry.file_name().into_string().unwrap());
            }
        }
    }
    names.sort();
    names
}

/// Digests and sizes are those of the tools that make the guests.
fn without_digests(text: &str) -> String {
    let mut shown = String::new();
    for line in text.lines() {
        let is_size = line.starts_with("size");
        let words = line.split_inclusive(['"', ' ', ')']).map(|word| {
            let digest = word.trim_end_matches(['"', ' ', ')']);
            let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
            if is_digest { word.replace(digest, "[SHA256]") } else { word.to_owned() }
        });
        shown.push_str(&if is_size { "size [N]".to_owned() } else { words.collect::<String>() });
        shown.push('\n');
    }
    shown
}

/// What stands in the lines that begin so.
fn select_lines(text: &str, keys: &[&str]) -> String {
    let is_meant = |line: &&str| keys.iter().any(|key| line.starts_with(key));
    text.lines().filter(is_meant).collect::<Vec<_>>().join("\n")
}

const ASKS: &str = r#""seq":3,"events":["tool.before"],"capabilities":{"clock":true,"env":["LANG"],"http":["https://a.example/v1"]}"#;

#[test]
fn a_plugin_is_copied_pinned_and_called_and_the_rest_of_the_file_stays() {
    let bed = TestBed::with_config(MINE);
    write_plugin(&bed, "denies", r#""seq":3,"events":["tool.before"],"effects":["deny-text"]"#);
    let ran = run_add(&bed, &["--yes", "--tool", "shell"]);
    assert_snapshot!(without_digests(&ran.to_string()), @r#"
    exit code 0
    --- stdout
    file      [PROJECT]/guest.wasm
    size [N]
    sha256    [SHA256]
    kind      typed hook (a component that exports `handle`)
    inside    functions 2, modules and components 1
    imports   hookbox:hook/types@0.1.0  always there
    exports   handle
    manifest  acme/guest 1.2.0, release 3: unverified, stated by the plugin
    events    tool.before
    effects   deny-text
    asks for  nothing
    hook      guest
    on        tool.before, tools shell
    granted   nothing
    --- [HOME]/.config/hookbox/hooks.toml
    +++ [HOME]/.config/hookbox/hooks.toml
    @@ -6,3 +6,10 @@
     shell = { command = 'true' }
     
     
    +
    +# Added by `hookbox plugin add`; `hookbox plugin remove guest` takes it out again.
    +[[hook]]
    +name = "guest"
    +on = "tool.before"
    +tool = { class = "shell" }
    +wasm = { path = "plugins/guest.wasm", sha256 = "[SHA256]" }
    added `guest`: [HOME]/.config/hookbox/plugins/guest.wasm
    --- stderr
    "#);
    assert!(read_text(&bed, HOOKS).starts_with(MINE));
    assert_snapshot!(without_digests(&read_text(&bed, LOCK)), @r#"
    # Plugins that `hookbox plugin add` added, with the digests of their files. Do not edit it.
    version = 2

    [[plugin]]
    name = "guest"
    plugin = "acme/guest"
    version = "1.2.0"
    seq = 3
    source = "file:guest.wasm"
    file = "plugins/guest.wasm"
    size [N]
    sha256 = "[SHA256]"
    granted = []
    "#);
    assert_eq!(list_names(&bed), ["guest.wasm", "hookbox.lock", "hooks.toml"]);
    assert!(bed.answer_event(LS).stdout.contains("guest: because"));
    bed.write_bytes("[HOME]/.config/hookbox/plugins/guest.wasm", &guests::build_component("none"));
    let answer = bed.answer_event(LS).stdout;
    assert!(answer.contains("deny") && answer.contains("replaced"), "{answer}");
}

#[test]
fn what_was_added_is_removed_and_everything_is_as_it_was() {
    for mine in [MINE, "# mine", ""] {
        let bed = if mine.is_empty() { TestBed::new() } else { TestBed::with_config(mine) };
        write_plugin(&bed, "denies", "");
        assert_eq!(run_add(&bed, &["--yes"]).code, 0);
        let ran = bed.run_hookbox(&["plugin", "remove", "guest"]);
        assert!(ran.code == 2 && ran.stderr.contains("the question needs a terminal; pass --yes"), "{ran}");
        let ran = bed.run_hookbox(&["plugin", "remove", "guest", "--yes"]);
        assert!(ran.code == 0 && ran.stdout.ends_with("removed `guest`\n"), "{ran}");
        // An empty file would be an error; the end of a line is the one thing that is added to what was there.
        let expected = match mine {
            "" => "# no hooks\n",
            "# mine" => "# mine\n",
            _ => mine,
        };
        assert_eq!(read_text(&bed, HOOKS), expected);
        assert_eq!(list_names(&bed), ["hookbox.lock", "hooks.toml"]);
        assert!(!read_text(&bed, LOCK).contains("guest"));
        assert_eq!(bed.run_hookbox(&["check"]).code, 0);
    }
}

#[test]
fn the_user_is_asked_about_each_requested_capability() {
    let bed = TestBed::new();
    write_plugin(&bed, "tells_time", ASKS);
    let ran = add_with_replies(&bed, "y\nn\n\ny\n", &[]);
    assert_snapshot!(ran.stderr, @"It asks for clock (to know what time it is, to the millisecond). Grant it? [y/N] It asks for env LANG (to know the values of these environment variables, if they are set). Grant it? [y/N] It asks for http https://a.example/v1 (to send these requests to servers). Grant it? [y/N] Write this to [HOME]/.config/hookbox/hooks.toml? [y/N]");
    assert_eq!(ran.code, 0, "{ran}");
    assert_snapshot!(select_lines(&ran.stdout, &["granted", "   "]), @"
    granted   clock
              not granted: env LANG, http https://a.example/v1; to grant it, add it again with --grant env=LANG --grant http=https://a.example/v1
    ");
    assert!(read_text(&bed, HOOKS).contains("grant = { clock = true }\n"));
    assert!(read_text(&bed, LOCK).contains("granted = [\"clock\"]\n"));
}

#[test]
fn without_a_terminal_an_addition_needs_yes_and_grants_nothing() {
    let bed = TestBed::new();
    write_plugin(&bed, "tells_time", ASKS);
    let ran = run_add(&bed, &[]);
    assert!(ran.code == 2 && ran.stderr.contains("the question needs a terminal; pass --yes"), "{ran}");
    assert_eq!(list_names(&bed), [""; 0]);
    let ran = run_add(&bed, &["--yes"]);
    assert_snapshot!(select_lines(&ran.stdout, &["granted", "   "]), @"
    granted   nothing
              not granted: clock, env LANG, http https://a.example/v1; to grant it, add it again with --grant clock --grant env=LANG --grant http=https://a.example/v1
    ");
    assert!(!read_text(&bed, HOOKS).contains("grant ="));
}

#[test]
fn what_is_granted_is_said_by_name() {
    let bed = TestBed::new();
    write_plugin(&bed, "tells_time", ASKS);
    let ran = run_add(&bed, &["--yes", "--grant", "clock,env=LANG,http=GET,POST https://a.example"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_snapshot!(select_lines(&read_text(&bed, HOOKS), &["grant"]), @r#"grant = { clock = true, env = ["LANG"], http = ["GET,POST https://a.example/"] }"#);
    write_plugin(&bed, "keeps", r#""capabilities":{"kv":["session","user"],"fs":{"read":["*"]}}"#);
    let words = [
        "--yes",
        "--name",
        "keeps",
        "--grant",
        "kv session",
        "--grant",
        "kv=user",
        "--grant",
        "fs.read=/data",
    ];
    fs::create_dir_all(bed.resolve_path("[HOME]/data")).unwrap();
    let words = words.map(|word| word.replace("/data", "[HOME]/data"));
    let ran = run_add(&bed, &words.each_ref().map(String::as_str));
    assert_eq!(ran.code, 0, "{ran}");
    assert_snapshot!(bed.mask_paths(&select_lines(&read_text(&bed, HOOKS), &["grant = { fs"])), @r#"grant = { fs = { read = ["[HOME]/data"] }, kv = { scopes = ["session", "user"] } }"#);
}

#[test]
fn a_capability_that_cannot_be_granted_is_reported_before_anything_is_written() {
    let bed = TestBed::new();
    for (guest, members, words, told) in [
        (
            "tells_time",
            ASKS,
            "random",
            "--grant: the plugin does not request random; it requests clock, env LANG",
        ),
        ("tells_time", ASKS, "clok", "--grant: unknown capability `clok`; did you mean `clock`?"),
        ("tells_time", ASKS, "http=ftp://a", "--grant http=ftp://a: `ftp://a` cannot stand in `http`"),
        ("tells_time", ASKS, "secret=api", "--grant: a secret is granted in hooks.toml"),
        ("keeps", "", "kv=forever", "--grant kv=forever: "),
    ] {
        write_plugin(&bed, guest, members);
        let ran = run_add(&bed, &["--yes", "--grant", words]);
        assert!(ran.code == 2 && ran.stderr.contains(told), "{words}: {ran}");
    }
    assert_eq!(list_names(&bed), [""; 0]);
}

#[test]
fn a_dry_run_writes_nothing_and_does_not_ask_the_user() {
    let bed = TestBed::with_config(MINE);
    write_plugin(&bed, "tells_time", ASKS);
    for arguments in [&["--dry-run"][..], &["--dry-run", "--here"]] {
        let ran = run_add(&bed, arguments);
        assert!(ran.code == 0 && ran.stderr.ends_with("nothing was written (--dry-run)\n"), "{ran}");
        assert!(ran.stdout.contains("+name = \"guest\""), "{ran}");
    }
    assert_eq!((list_names(&bed), read_text(&bed, HOOKS)), (vec!["hooks.toml".to_owned()], MINE.to_owned()));
    assert!(!bed.resolve_path("[HOME]/.local").exists() && !bed.resolve_path("[PROJECT]/.hookbox").exists());
}

#[test]
fn a_new_version_takes_the_place_of_the_old_one_and_only_what_is_new_is_asked_about() {
    let bed = TestBed::new();
    write_plugin(&bed, "tells_time", r#""seq":3,"capabilities":{"clock":true}"#);
    assert_eq!(run_add(&bed, &["--yes", "--grant", "clock"]).code, 0);
    let with_more = read_text(&bed, HOOKS) + "timeout = \"1s\" # mine\n";
    bed.write_file(HOOKS, &with_more);
    write_plugin(&bed, "tells_time", r#""seq":2,"capabilities":{"clock":true,"env":["LANG"]}"#);
    let ran = add_with_replies(&bed, "y\ny\n", &[]);
    assert_snapshot!(ran.stderr, @"It asks for env LANG (to know the values of these environment variables, if they are set). Grant it? [y/N] Write this to [HOME]/.config/hookbox/hooks.toml? [y/N]");
    assert_snapshot!(without_digests(&select_lines(&ran.stdout, &["hook", "before", "now", "warning", "granted", "replaced"])), @"
    hook      guest, which was added before and is replaced
    before    acme/guest 1.2.0, sha256 [SHA256]
    now       acme/guest 1.2.0, sha256 [SHA256]
    warning   it is older than the installed release (2 after 3)
    granted   clock, env LANG
    replaced `guest`: [HOME]/.config/hookbox/plugins/guest.wasm
    ");
    assert_snapshot!(without_digests(&read_text(&bed, HOOKS)), @r#"
    # Added by `hookbox plugin add`; `hookbox plugin remove guest` takes it out again.
    [[hook]]
    name = "guest"
    on = "tool.before"
    wasm = { path = "plugins/guest.wasm", sha256 = "[SHA256]" }
    grant = { clock = true, env = ["LANG"] }
    timeout = "1s" # mine
    "#);
    assert_eq!(list_names(&bed), ["guest.wasm", "hookbox.lock", "hooks.toml"]);
    assert_eq!(bed.run_hookbox(&["plugin", "list"]).code, 0);
    let ran = run_add(&bed, &["--yes"]);
    assert!(
        ran.code == 0 && ran.stdout.ends_with("nothing to do: `guest` is this very file already\n"),
        "{ran}"
    );
    let ran = run_add(&bed, &["--yes", "--on", "tool.after"]);
    assert!(ran.code == 2 && ran.stderr.contains("has an entry already, which is kept"), "{ran}");
}

#[test]
fn what_is_not_of_its_making_is_never_replaced() {
    let bed = TestBed::with_config(&MINE.replace("other", "guest"));
    write_plugin(&bed, "denies", "");
    let ran = run_add(&bed, &["--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("hooks.toml:3 has a hook `guest` of its own"), "{ran}");
    let plugin = bed.write_file("[HOME]/.config/hookbox/plugins/a.wasm", "precious");
    let ran = run_add(&bed, &["--yes", "--name", "a"]);
    assert!(
        ran.code == 1
            && ran.stderr.contains("plugins/a.wasm exists, and `hookbox plugin add` did not write it"),
        "{ran}"
    );
    fs::remove_file(&plugin).unwrap();
    let elsewhere = bed.write_file("[HOME]/elsewhere", "precious");
    symlink(&elsewhere, &plugin).unwrap();
    let ran = run_add(&bed, &["--yes", "--name", "a"]);
    assert!(
        ran.code == 1 && ran.stderr.contains("plugins/a.wasm cannot be read: it is a symbolic link"),
        "{ran}"
    );
    assert_eq!(read_text(&bed, "[HOME]/elsewhere"), "precious");
    assert_eq!(list_names(&bed), ["a.wasm", "hooks.toml"]);
}

#[test]
fn a_configuration_that_is_not_understood_is_left_as_it_is() {
    for (hooks, lock, told) in [
        ("[[hook]]\nname =", "", "hooks.toml has an error; fix it first"),
        (
            "hook = [{ name = \"a\", on = \"tool.before\", shell = { command = \"true\" } }]",
            "",
            "cannot be put into",
        ),
        (
            "# mine\n",
            "version = 7\n",
            "hookbox.lock: it has the version 7, and this hookbox supports 2: update hookbox",
        ),
        ("# mine\n", "nothing", "hookbox.lock: it was edited or damaged: TOML parse error"),
    ] {
        let bed = TestBed::with_config(hooks);
        write_plugin(&bed, "denies", "");
        if !lock.is_empty() {
            bed.write_file(LOCK, lock);
        }
        let ran = run_add(&bed, &["--yes"]);
        assert!(ran.code == 1 && ran.stderr.contains(told), "{hooks} {lock}: {ran}");
        assert_eq!((read_text(&bed, HOOKS), read_text(&bed, LOCK)), (hooks.to_owned(), lock.to_owned()));
        assert!(!bed.resolve_path("[HOME]/.config/hookbox/plugins").exists());
    }
}

#[test]
fn a_folder_that_others_write_to_gets_nothing() {
    let bed = TestBed::with_config("# mine\n");
    write_plugin(&bed, "denies", "");
    let folder = bed.resolve_path("[HOME]/.config/hookbox");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    let ran = run_add(&bed, &["--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("others may write to [HOME]/.config/hookbox"), "{ran}");
    assert_eq!(list_names(&bed), ["hooks.toml"]);
}

#[test]
fn an_agent_adds_nothing_for_its_user_and_takes_nothing_away() {
    let bed = TestBed::new();
    write_plugin(&bed, "denies", "");
    assert_eq!(run_add(&bed, &["--yes"]).code, 0);
    let bed = bed.with_variable("CLAUDECODE", "1");
    for ran in
        [run_add(&bed, &["--yes", "--name", "b"]), bed.run_hookbox(&["plugin", "remove", "guest", "--yes"])]
    {
        assert!(ran.code == 2 && ran.stderr.contains("CLAUDECODE shows that an agent runs this"), "{ran}");
    }
    assert_eq!(run_add(&bed, &["--dry-run", "--name", "b"]).code, 0);
    assert_eq!(list_names(&bed), ["guest.wasm", "hookbox.lock", "hooks.toml"]);
}

#[test]
fn what_can_be_no_plugin_is_not_added() {
    let bed = TestBed::new();
    let newer = r#"(component
        (import "hookbox:hook/log@0.3.0" (instance (export "f" (func))))
        (core module $m (func (export "handle")))
        (core instance $i (instantiate $m))
        (func (export "handle") (canon lift (core func $i "handle"))))"#;
    let component = || guests::build_component("denies");
    let good = encode_manifest("");
    for (bytes, told) in [
        (Vec::new(), "guest.wasm is empty"),
        (vec![0x5a; 4096], "guest.wasm is not a wasm component"),
        (guests::build_component("core_module"), "guest.wasm is no hook: a core module without `_start`"),
        (
            guests::build_component("other_world"),
            "guest.wasm is no hook: a component that exports neither `handle`",
        ),
        (
            guests::build_component("asks_ungranted"),
            "imports `wasi:keyvalue/store@0.2.0`, which hookbox does not have",
        ),
        ([component(), good.clone(), good.clone()].concat(), "has several manifests"),
        ([component(), nest_component(&good)].concat(), "manifest"),
        ([component(), encode_manifest(r#""min-host":"99.0.0""#)].concat(), "99.0.0"),
        ([component(), custom_section("hookbox:manifest", b"{}")].concat(), "it has no `schema`"),
        (
            wat::parse_str(newer).unwrap(),
            "imports `hookbox:hook/log@0.3.0`, of a version of hookbox's world that this hookbox does not have (it has 0.1.0 and 0.2.0): update hookbox",
        ),
        (guests::build_component("traps"), "it cannot run: trap: the guest trapped"),
    ] {
        bed.write_bytes(FILE, &bytes);
        let ran = run_add(&bed, &["--yes"]);
        assert!(ran.code == 1 && ran.stderr.contains(told), "{told}: {ran}");
        assert_eq!(list_names(&bed), [""; 0], "{told}");
    }
    for (path, told) in [
        ("[PROJECT]/none.wasm", "cannot read [PROJECT]/none.wasm: No such file"),
        ("[PROJECT]", "it is a folder; name the plugin's file in it"),
        ("/dev/zero", "it is not a plain file"),
        (
            "guard-shell",
            "comes with hookbox, and is not added; a hook calls it by its name: wasm = { plugin = \"guard-shell\" }",
        ),
    ] {
        let ran = bed.run_hookbox(&["plugin", "add", path, "--yes"]);
        assert!(ran.code == 1 && ran.stderr.contains(told), "{path}: {ran}");
    }
}

#[test]
fn a_plugin_without_a_manifest_says_which_event_it_is_for_and_is_given_what_is_granted() {
    let bed = TestBed::new();
    bed.write_bytes(FILE, &guests::build_component("denies"));
    let ran = run_add(&bed, &["--yes", "--grant", "clock"]);
    assert!(
        ran.stdout.contains("on        tool.before (it names no events; set them with --on EVENT)"),
        "{ran}"
    );
    assert!(read_text(&bed, HOOKS).contains("grant = { clock = true }"));
    let ran = run_add(&bed, &["--dry-run", "--name", "said", "--on", "tool.before", "--tool", "shell"]);
    assert!(ran.stdout.contains("\non        tool.before, tools shell\n"), "{ran}");
}

#[test]
fn a_plugin_that_is_not_of_the_world_that_its_manifest_names_is_refused() {
    let bed = TestBed::new();
    for (guest, world, why) in [
        ("denies", "wasi:cli/command@0.2.0", "but it is a typed hook (a component that exports `handle`)"),
        (
            "all_of_0_2",
            "hookbox:hook/hook@0.1.0",
            "but it imports hookbox:hook/clock@0.2.0, which is not in that",
        ),
    ] {
        write_plugin(&bed, guest, &format!(r#""world":"{world}""#));
        let ran = run_add(&bed, &["--yes"]);
        let told = format!(
            "error: nothing was added: the plugin's manifest names the world {world}, {why}; remove `world` from plugin.toml \
             to build the right one\n"
        );
        assert_eq!((ran.code, ran.stderr), (1, told));
        assert_eq!((read_text(&bed, HOOKS), read_text(&bed, LOCK)), (String::new(), String::new()));
    }
    write_plugin(&bed, "denies", r#""world":"hookbox:hook/hook@0.1.0""#);
    let ran = run_add(&bed, &["--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
}

#[test]
fn settings_go_into_the_entry_and_names_are_checked() {
    let bed = TestBed::new();
    write_plugin(&bed, "denies", r#""effects":["rewrite"]"#);
    let settings = r#"{"most": 3, "words": ["a \"b\""], "deep": {"x": true}}"#;
    let ran = run_add(
        &bed,
        &["--yes", "--name", "mine", "--on", "tool.before,session.start", "--settings", settings],
    );
    assert_eq!(ran.code, 0, "{ran}");
    assert_snapshot!(select_lines(&read_text(&bed, HOOKS), &["name", "on", "role", "config"]), @r#"
    name = "mine"
    on = ["tool.before", "session.start"]
    role = "transform"
    config = { deep = { x = true }, most = 3, words = ['a "b"'] }
    "#);
    for (arguments, told) in [
        (["--name", "../a"], "`../a` cannot be the name of a hook"),
        (["--name", "-a"], "unexpected argument"),
        (["--tool", "shel"], "--tool: unknown class of tools `shel`; did you mean `shell`?"),
        (["--settings", "[]"], "--settings: "),
        (["--settings", "{\"a\": null}"], "--settings: "),
        (["--on", "tool.befor"], "did you mean `tool.before`?"),
    ] {
        let ran = run_add(&bed, &[&["--yes"][..], &arguments].concat());
        assert!(ran.code != 0 && ran.stderr.contains(told), "{arguments:?}: {ran}");
    }
    assert_eq!(list_names(&bed), ["hookbox.lock", "hooks.toml", "mine.wasm"]);
}

#[test]
fn what_locked_has_no_use_for_is_a_mistake() {
    let bed = TestBed::new();
    write_plugin(&bed, "denies", "");
    for words in [
        &["--name", "mine"][..],
        &["--on", "tool.before"],
        &["--tool", "shell"],
        &["--grant", "clock"],
        &["--settings", "{}"],
        &["--unsigned"],
        &["--allow-downgrade"],
        &["--yes"],
        &["--dry-run"],
    ] {
        let ran = run_add(&bed, &[&["--locked"][..], words].concat());
        let is_told =
            ["--locked", words[0], "cannot be used with"].iter().all(|word| ran.stderr.contains(word));
        assert!(ran.code == 2 && is_told, "{words:?}: {ran}");
    }
    for words in [&["guest"][..], &["--allow-downgrade"], &["--yes"], &["--dry-run"]] {
        let ran = bed.run_hookbox(&[&["plugin", "update", "--locked"][..], words].concat());
        assert!(ran.code == 2 && ran.stderr.contains("cannot be used with"), "{words:?}: {ran}");
    }
    assert_eq!(list_names(&bed), [""; 0]);
}

#[test]
fn how_many_plugins_are_as_they_were_locked_is_counted_in_english() {
    let bed = TestBed::new();
    write_plugin(&bed, "denies", "");
    for (name, said) in [("one", "1 plugin"), ("two", "2 plugins")] {
        assert_eq!(run_add(&bed, &["--yes", "--name", name, "--on", "tool.before"]).code, 0);
        let ran = bed.run_hookbox(&["plugin", "update", "--locked"]);
        assert_eq!(ran.stdout, format!("as in {LOCK}: {said}\n"), "{ran}");
        assert_eq!(ran.code, 0, "{ran}");
        write_plugin(&bed, "none", "");
    }
}

/// `hookbox plugin add` where no file may grow beyond 4 KiB.
fn on_a_full_disk(bed: &TestBed) -> Ran {
    let line = format!("ulimit -f 8; exec \"$0\" plugin add {} --yes", bed.expand_placeholders(FILE));
    bed.run_with_input(&mut bed.build_shell_command(&line), b"")
}

#[test]
fn a_full_disk_leaves_everything_as_it_was() {
    let rows = |count: usize| {
        let row = |n| {
            format!(
                "\n[[plugin]]\nname = \"p{n:02}\"\nsource = \"file:p\"\nfile = \"plugins/p{n:02}.wasm\"\nsize = 1\nsha256 = \"{}\"\ngranted = []\n",
                "0".repeat(64)
            )
        };
        format!("version = 1\n{}", (0..count).map(row).collect::<String>())
    };
    let long = format!("# {}\n", "x".repeat(5000));
    for (hooks, lock, length, told) in [
        ("# mine\n", rows(1), 5000, "plugins/guest.wasm cannot be written: File too large"),
        ("# mine\n", rows(40), 10, "hookbox.lock cannot be written: File too large"),
        (&long, rows(1), 10, "hooks.toml cannot be written: File too large"),
    ] {
        for is_there in [false, true] {
            let bed = TestBed::with_config(hooks).with_own_cache();
            bed.write_file(LOCK, &lock);
            let guest = |guest: &str| {
                let padding = custom_section("padding", &vec![0; length]);
                bed.write_bytes(FILE, &[guests::build_component(guest), padding].concat());
            };
            guest("denies");
            if is_there {
                assert_eq!(run_add(&bed, &["--yes"]).code, 0);
                guest("none");
            }
            let before = (read_text(&bed, HOOKS), read_text(&bed, LOCK), list_names(&bed));
            let plugin = fs::read(bed.resolve_path("[HOME]/.config/hookbox/plugins/guest.wasm")).ok();
            let ran = on_a_full_disk(&bed);
            assert!(ran.code == 1 && ran.stderr.contains(told), "{told}: {ran}");
            assert_eq!((read_text(&bed, HOOKS), read_text(&bed, LOCK), list_names(&bed)), before, "{told}");
            assert!(
                plugin == fs::read(bed.resolve_path("[HOME]/.config/hookbox/plugins/guest.wasm")).ok(),
                "{told}"
            );
        }
    }
}

#[test]
fn concurrent_additions_under_one_name_leave_one_whole_plugin() {
    let bed = TestBed::with_config(MINE);
    let start = |number: usize| {
        let file = format!("[PROJECT]/{number}.wasm");
        let section = custom_section("number", &[u8::try_from(number).unwrap()]);
        bed.write_bytes(&file, &[guests::build_component("denies"), section].concat());
        bed.build_command(&["plugin", "add", &file, "--name", "one", "--yes"]).spawn().unwrap()
    };
    let children: Vec<_> = (0..5).map(start).collect();
    for child in children {
        let ran = bed.wait_for(child);
        assert_eq!(ran.code, 0, "{ran}");
    }
    assert_eq!(read_text(&bed, HOOKS).matches("name = \"one\"").count(), 1);
    assert_eq!(list_names(&bed), ["hookbox.lock", "hooks.toml", "one.wasm"]);
    let listed = bed.run_hookbox(&["plugin", "list"]);
    assert!(listed.code == 0 && !listed.stdout.contains("wrong"), "{listed}");
    assert!(bed.answer_event(LS).stdout.contains("one: because"));
}

#[test]
fn a_hook_a_plugin_file_and_a_lock_row_that_do_not_match_are_reported() {
    let bed = TestBed::new();
    write_plugin(&bed, "denies", ASKS);
    assert_eq!(run_add(&bed, &["--yes", "--grant", "clock"]).code, 0);
    let ran = bed.run_hookbox(&["plugin", "list"]);
    let (_, added) = ran.stdout.split_once("added to").unwrap();
    assert_snapshot!(without_digests(added), @"
     the user's folder, [HOME]/.config/hookbox:
    guest  acme/guest 1.2.0
        plugins/guest.wasm, from file:guest.wasm
        sha256 [SHA256]
        unsigned
        on tool.before
        granted clock
    ");
    let (hooks, plugin) = (read_text(&bed, HOOKS), "[HOME]/.config/hookbox/plugins/guest.wasm");
    let wrong = |bed: &TestBed| {
        let ran = bed.run_hookbox(&["plugin", "list"]);
        assert_eq!(ran.code, 1, "{ran}");
        without_digests(&select_lines(&ran.stdout, &["    wrong"]))
    };
    let digest = hooks.split("sha256 = \"").nth(1).unwrap()[..64].to_owned();
    bed.write_file(HOOKS, &hooks.replace(&digest, &"0".repeat(64)));
    assert_snapshot!(wrong(&bed), @"    wrong: its entry pins another file (sha256 [SHA256]) than hookbox.lock (sha256 [SHA256]): add `guest` again, from the file that you mean");
    let checked = bed.run_hookbox(&["check"]);
    assert!(checked.stderr.contains("hookbox.lock: `guest`: its entry pins another file"), "{checked}");
    bed.write_file(HOOKS, &hooks.replace(&format!(", sha256 = \"{digest}\""), ""));
    assert_snapshot!(wrong(&bed), @r#"    wrong: its entry pins no file any more, so any would be called; write into its `wasm`: sha256 = "[SHA256]""#);
    bed.write_file(HOOKS, "# no hooks\n");
    assert_snapshot!(wrong(&bed), @"    wrong: no hook `guest` in [HOME]/.config/hookbox/hooks.toml calls it");
    bed.write_file(HOOKS, &hooks);
    bed.write_bytes(plugin, &guests::build_component("none"));
    assert_snapshot!(wrong(&bed), @"    wrong: [HOME]/.config/hookbox/plugins/guest.wasm is another file than the one that was added (hookbox.lock has its SHA-256): add it again");
    fs::remove_file(bed.resolve_path(plugin)).unwrap();
    assert_snapshot!(wrong(&bed), @"    wrong: [HOME]/.config/hookbox/plugins/guest.wasm does not exist: add it again, or `hookbox plugin remove guest`");
    assert_eq!(bed.run_hookbox(&["plugin", "remove", "guest", "--yes"]).code, 0);
    assert_eq!(read_text(&bed, HOOKS), "# no hooks\n");
}

#[test]
fn only_what_was_added_is_removed() {
    let bed = TestBed::with_config(MINE);
    let ran = bed.run_hookbox(&["plugin", "remove", "other", "--yes"]);
    assert!(ran.stderr.contains("`other` was not added by `hookbox plugin add`; remove it from [HOME]/.config/hookbox/hooks.toml:3 by hand"), "{ran}");
    write_plugin(&bed, "keeps", r#""capabilities":{"kv":["session"]}"#);
    assert_eq!(run_add(&bed, &["--yes", "--grant", "kv=session"]).code, 0);
    let ran = bed.run_hookbox(&["plugin", "remove", "gues", "--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("did you mean `guest`?"), "{ran}");
    let hooks = read_text(&bed, HOOKS);
    let twin = "[[hook]]\nname = \"twin\"\non = \"tool.after\"\nwasm = { path = \"plugins/guest.wasm\" }\n";
    bed.write_file(HOOKS, &format!("{hooks}{twin}"));
    let ran = bed.run_hookbox(&["plugin", "remove", "guest", "--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("the hook `twin` in"), "{ran}");
    bed.write_file(HOOKS, &hooks);
    let ran = bed.run_hookbox(&["plugin", "remove", "guest", "--dry-run"]);
    assert!(ran.code == 0 && read_text(&bed, HOOKS) == hooks, "{ran}");
    assert!(
        ran.stdout.contains("kept      its stored data in [HOME]/.local/state/hookbox/kv.sqlite"),
        "{ran}"
    );
}

#[test]
fn for_a_project_it_is_pinned_and_granted_nothing() {
    let bed = TestBed::new();
    write_plugin(&bed, "denies", ASKS);
    let ran = run_add(&bed, &["--here", "--yes", "--grant", "clock"]);
    assert!(ran.code == 2 && ran.stderr.contains("--grant: a project's hook is granted nothing"), "{ran}");
    let ran = run_add(&bed, &["--here", "--yes"]);
    assert!(
        ran.code == 0 && ran.stdout.contains("project   an untrusted hook for all users of this project"),
        "{ran}"
    );
    let lock = read_text(&bed, "[PROJECT]/.hookbox/hookbox.lock");
    assert!(lock.contains("granted = []"), "{lock}");
    assert!(bed.resolve_path("[PROJECT]/.hookbox/plugins/guest.wasm").is_file());
    let answer = bed.answer_event(LS);
    assert!(answer.stdout.contains("deny") && answer.stdout.contains("project hook 1"), "{answer}");
    let listed = bed.run_hookbox(&["plugin", "list"]);
    assert!(
        listed.code == 0 && listed.stdout.contains("added to the project's folder, [PROJECT]/.hookbox:"),
        "{listed}"
    );
    assert_eq!(bed.run_hookbox(&["plugin", "remove", "guest", "--here", "--yes"]).code, 0);
    assert!(!bed.resolve_path("[PROJECT]/.hookbox/plugins/guest.wasm").exists());
}

#[test]
fn no_link_of_a_project_leads_anywhere() {
    for link in [
        ".hookbox",
        ".hookbox/plugins",
        ".hookbox/hookbox.lock",
        ".hookbox/hooks.toml",
        ".hookbox/plugins/guest.wasm",
    ] {
        let bed = TestBed::new();
        write_plugin(&bed, "denies", "");
        let elsewhere = bed.resolve_path("[HOME]/elsewhere");
        fs::create_dir_all(&elsewhere).unwrap();
        let precious = bed.write_file("[HOME]/elsewhere/precious", "precious");
        let link = bed.resolve_path("[PROJECT]").join(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        let target: &Path =
            if link.extension().is_some_and(|end| end != "hookbox") { &precious } else { &elsewhere };
        symlink(target, &link).unwrap();
        let ran = run_add(&bed, &["--here", "--yes"]);
        assert!(ran.code == 1 && ran.stderr.contains("symbolic link"), "{}: {ran}", link.display());
        let there: Vec<_> =
            fs::read_dir(&elsewhere).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!((there.len(), read_text(&bed, "[HOME]/elsewhere/precious").as_str()), (1, "precious"));
    }
}

#[test]
fn what_was_granted_to_a_plugin_is_not_for_another_of_its_name() {
    let bed = TestBed::new();
    write_plugin(&bed, "tells_time", r#""capabilities":{"clock":true}"#);
    assert_eq!(run_add(&bed, &["--yes", "--grant", "clock"]).code, 0);
    assert!(read_text(&bed, HOOKS).contains("grant = { clock = true }"));
    let other = br#"{"schema":1,"name":"evil/guest","version":"1.0.0","capabilities":{"clock":true}}"#;
    bed.write_bytes(
        FILE,
        &[guests::build_component("tells_time"), custom_section("hookbox:manifest", other)].concat(),
    );
    let ran = run_add(&bed, &["--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(!read_text(&bed, HOOKS).contains("clock = true"), "{}", read_text(&bed, HOOKS));
}

#[test]
fn a_changed_copy_is_repaired_by_adding_the_plugin_again() {
    let bed = TestBed::new();
    write_plugin(&bed, "denies", "");
    assert_eq!(run_add(&bed, &["--yes"]).code, 0);
    let copy = "[HOME]/.config/hookbox/plugins/guest.wasm";
    let whole = fs::read(bed.resolve_path(copy)).unwrap();
    bed.write_bytes(copy, &[whole.clone(), custom_section("x", b"y")].concat());
    let ran = run_add(&bed, &["--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(fs::read(bed.resolve_path(copy)).unwrap() == whole, "{ran}");
}

#[test]
fn a_plugin_from_elsewhere_is_ready_for_the_first_event_of_a_project() {
    let bed = TestBed::new().with_own_cache();
    let elsewhere = "[HOME]/downloads/guest.wasm";
    bed.write_bytes(elsewhere, &[guests::build_component("denies"), encode_manifest("")].concat());
    let ran = bed.run_hookbox(&["plugin", "add", elsewhere, "--here", "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    let entries = fs::read_dir(bed.resolve_path("[HOME]/.cache/hookbox/compiled")).unwrap();
    let mut kept: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    kept.retain(|file| file.extension().is_some_and(|end| end == "cwasm"));
    let kept: Vec<_> = kept.iter().map(|file| file.file_name().unwrap().to_string_lossy()).collect();
    assert!(kept.len() == 1 && kept[0].starts_with("stranger-"), "{kept:?}");
    let answer = bed.answer_event(LS);
    assert!(answer.stdout.contains("deny"), "{answer}");
}
