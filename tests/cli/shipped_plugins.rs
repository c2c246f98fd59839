//! The shipped plugins as their READMEs say.

use std::{fs, path::Path};

use hookbox::agents::settings::{self, Base, UserFolder};
use insta::assert_snapshot;

use crate::{LS, START, TestBed, guests};

/// The first block of TOML.
fn find_toml_block(readme: &str) -> String {
    let block = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    block.unwrap().to_owned()
}

#[test]
fn the_first_example_of_every_plugin_is_a_good_configuration() {
    let plugins = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugins");
    let mut checked = Vec::new();
    for entry in fs::read_dir(plugins).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.join("plugin.toml").exists() {
            continue;
        }
        let readme = folder.join("README.md");
        let text = fs::read_to_string(&readme).unwrap();
        let ran = TestBed::with_config(&find_toml_block(&text)).run_hookbox(&["check"]);
        assert!(ran.code == 0 && !ran.stderr.contains("warning"), "{}: {ran}", readme.display());
        assert!(!ran.stdout.contains("manifest"), "{}: {ran}", readme.display());
        checked.push(readme);
    }
    assert!(checked.len() >= 10, "{checked:?}");
}

#[test]
fn the_hook_that_the_first_page_has_a_user_write_gives_the_model_its_text() {
    let page = fs::read_to_string(guests::repository_folder("README.md")).unwrap();
    let ran = TestBed::with_config(&find_toml_block(&page)).answer_event(START);
    let given = r#""additionalContext":"[hookbox: context]\nUse pnpm, not npm.""#;
    assert!(ran.stdout.contains(given), "{ran}");
}

#[test]
fn every_plugin_says_who_it_is_and_asks_for_what_it_needs_alone() {
    let plugins = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugins");
    let folders = fs::read_dir(plugins).unwrap().map(|entry| entry.unwrap().path());
    for folder in folders.filter(|folder| folder.join("plugin.toml").exists()) {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let ran =
            TestBed::new().run_hookbox(&["plugin", "inspect", "--json", &format!("[PLUGINS]/{name}.wasm")]);
        let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let manifest = &told["manifest"];
        assert_eq!(manifest["name"], format!("hookbox/{name}"), "{ran}");
        let asks: &[&str] = match name.as_str() {
            "ask-server" => &["http *", "secret *"],
            "limit-calls" => &["kv session"],
            _ => &[],
        };
        assert_eq!((&manifest["asks"], ran.code), (&serde_json::json!(asks), 0), "{name}");
    }
}

const LOGS: &str = r#"
    [[hook]]
    name = "log-request"
    on = "model.request"
    role = "observe"
    wasm = { path = "[PLUGINS]/log-request.wasm" }
    config = { verbose = true }

    [[hook]]
    name = "log-response"
    on = "model.response"
    role = "observe"
    wasm = { path = "[PLUGINS]/log-response.wasm" }
"#;

/// What the one hook of this event writes to its log.
fn explain_log(event: &str) -> Vec<String> {
    let bed = TestBed::with_config(LOGS);
    let ran = bed.run_with_input(&mut bed.build_command(&["explain", "--json"]), event.as_bytes());
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let lines = told["hooks"][0]["log"].as_array().unwrap();
    lines
        .iter()
        .map(|line| format!("{}: {}", line["level"].as_str().unwrap(), line["message"].as_str().unwrap()))
        .collect()
}

#[test]
fn requests_and_responses_are_logged_into_the_report() {
    let request = r#"{"event":"pre_request","model":"groq/llama3","request_id":"0123456789","timestamp":1,
        "messages":[{"role":"user","content":"hi"}]}"#;
    assert_eq!(
        explain_log(request),
        ["info: [REQ] groq/llama3 | 1 messages | id=01234567", "info:   Last message (user): hi"]
    );
    let response = r#"{"event":"post_response","model":"groq/llama3","request_id":"r","timestamp":1,
        "response":{"usage":{"total_tokens":7}}}"#;
    assert_eq!(explain_log(response), ["info: [RESP] groq/llama3 | tokens: 7"]);
}

/// A gate of the user's that calls guard-shell by its name.
const GUARD: &str = r#"
    [[hook]]
    name = "guard"
    on = "tool.before"
    wasm = { plugin = "guard-shell" }
"#;

/// Claude Code is about to remove everything.
fn format_removal_event() -> String {
    LS.replace(r#""ls""#, r#""rm -rf / --no-preserve-root""#)
}

#[test]
fn a_shipped_plugin_is_called_by_its_name_from_where_the_program_was_installed() {
    for bed in [TestBed::with_config(GUARD), TestBed::with_config(GUARD).with_own_installation()] {
        let answer = bed.answer_event(&format_removal_event());
        assert!(answer.stdout.contains(r#""permissionDecision":"deny""#), "{answer}");
        assert!(
            answer.stdout.contains("guard: `rm -rf / --no-preserve-root` removes /. Instead: "),
            "{answer}"
        );
        assert_eq!(bed.answer_event(LS).stdout, "{}\n");
        let listed = bed.run_hookbox(&["list"]).stdout;
        assert!(listed.contains("wasm [SHIPPED]/guard-shell.wasm"), "{listed}");
    }
}

#[test]
fn the_environment_has_no_say_in_which_plugin_that_is() {
    let bed = TestBed::with_config(GUARD)
        .with_variable("XDG_DATA_HOME", "/var/empty")
        .with_variable("XDG_DATA_DIRS", "/var/empty")
        .with_variable("PATH", "/var/empty");
    assert!(bed.answer_event(&format_removal_event()).stdout.contains("rm-root"));
}

#[test]
fn a_shipped_plugin_that_was_replaced_or_is_gone_is_not_called_and_the_guard_fails_closed() {
    let bed = TestBed::with_config(GUARD).with_own_cache().with_own_installation();
    assert!(bed.answer_event(&format_removal_event()).stdout.contains("rm-root"));
    // A component that allows everything, in the place of one that is compiled and remembered.
    bed.write_bytes("[SHIPPED]/guard-shell.wasm", &guests::build_component("none"));
    let answer = bed.answer_event(&format_removal_event());
    let why = "guard-shell.wasm was replaced: it is not the file that comes with this hookbox; install hookbox again";
    assert!(answer.stdout.contains(why) && !answer.stdout.contains("sha256 ="), "{answer}");
    assert!(answer.stdout.contains(r#""permissionDecision":"deny""#), "{answer}");
    // Twice: the second process has met the file before.
    assert_eq!(bed.answer_event(&format_removal_event()).stdout, answer.stdout);
    let checked = bed.run_hookbox(&["check"]);
    assert!(checked.code == 1 && checked.stdout.contains("broken"), "{checked}");
    let listed = bed.run_hookbox(&["plugin", "list"]);
    assert!(listed.stdout.contains("guard-shell  broken: it is another file than the one"), "{listed}");
    assert_eq!(listed.code, 1);
    fs::remove_file(bed.resolve_path("[SHIPPED]/guard-shell.wasm")).unwrap();
    let answer = bed.answer_event(&format_removal_event()).stdout;
    assert!(answer.contains("deny") && answer.contains("cannot read the plugin"), "{answer}");
}

#[test]
fn a_plugin_that_does_not_come_with_hookbox_is_an_error_at_its_place() {
    assert_snapshot!(TestBed::with_config(&GUARD.replace("guard-shell", "guard-shel")).run_hookbox(&["check"]), @r#"
    exit code 1
    --- stdout
    0 hooks checked: 1 error, 0 warnings, 0 that cannot run
    --- stderr
    [HOME]/.config/hookbox/hooks.toml:5:23: error: no plugin `guard-shel` comes with this hookbox
      5 |     wasm = { plugin = "guard-shel" }
        |                       ^^^^^^^^^^^^
      help: did you mean `guard-shell`? allowed: allow-safe, ask-server, context, find-text, guard-paths, guard-shell, limit-calls, log-request, log-response, shell-facts, strip-provider-fields
    checked in [TIME]
    "#);
}

#[test]
fn a_hook_names_a_plugin_or_a_file_and_not_both() {
    let both = GUARD.replace("plugin =", "path = \"a.wasm\", plugin =");
    let ran = TestBed::with_config(&both).run_hookbox(&["check"]);
    assert!(ran.code == 1 && ran.stderr.contains("must have exactly one of `plugin`, `path`"), "{ran}");
}

#[test]
fn a_project_may_call_a_shipped_plugin_as_any_other_and_is_granted_nothing() {
    let bed = TestBed::new();
    let granted = GUARD.replace("wasm =", "grant = { clock = true }\n    wasm =");
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", &granted);
    let answer = bed.answer_event(&format_removal_event());
    assert!(answer.stdout.contains(r#""permissionDecision":"deny""#), "{answer}");
    let explained = bed
        .run_with_input(
            &mut bed.build_command(&["explain"]),
            bed.expand_placeholders(&format_removal_event()).as_bytes(),
        )
        .stdout;
    assert!(explained.contains("project (untrusted)") && !explained.contains("granted"), "{explained}");
}

/// The second block of TOML in a README: a project's file.
fn project_example(readme: &str) -> String {
    find_toml_block(readme.split_once("```toml").unwrap().1)
}

#[test]
fn a_project_names_more_files_and_takes_none_of_the_users_away() {
    let user = r#"
        [[hook]]
        name = "mine"
        on = "tool.before"
        tool = { class = ["file-read", "shell"] }
        wasm = { plugin = "guard-paths" }
        config = { deny = ["**/notes/**"] }
    "#;
    let readme = include_str!("../../plugins/guard-paths/README.md");
    let theirs = project_example(readme)
        .replace("config = {", r#"config = { defaults = false, allow = ["**/.env", "**/notes/**"], "#);
    let bed = TestBed::with_config(user);
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", &theirs);
    let reason = |command: &str| {
        let answer =
            bed.answer_event(&format_removal_event().replace("rm -rf / --no-preserve-root", command)).stdout;
        let reason = answer.split("\"permissionDecisionReason\":\"").nth(1).unwrap_or("none\"");
        reason.split(['"', '(']).next().unwrap().split(". ").next().unwrap().trim().to_owned()
    };
    let project = "project hook 1: an untrusted rule of this project";
    assert_eq!(reason("cat customers/a.csv"), project);
    assert_eq!(reason("rm src/generated/x.rs"), project);
    assert_eq!(reason("cat .env"), "mine: the command reads `.env`, which is a file with secrets");
    assert_eq!(reason("cat notes/a"), "mine: `notes/a` is on the configured list `deny` as `**/notes/**`");
    assert_eq!(reason("cat a.csv"), "none");
}

#[test]
fn shipped_plugins_are_listed_and_looked_into_by_name() {
    let ran = TestBed::new().run_hookbox(&["plugin", "list"]);
    let names: Vec<_> = ran.stdout.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(
        names,
        [
            "allow-safe  0.1.0",
            "ask-server  0.1.0",
            "context  0.1.0",
            "find-text  0.1.0",
            "guard-paths  0.1.0",
            "guard-shell  0.1.0",
            "limit-calls  0.1.0",
            "log-request  0.1.0",
            "log-response  0.1.0",
            "shell-facts  0.1.0",
            "strip-provider-fields  0.1.0",
        ]
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "in [SHIPPED]\n"));
    let listed = TestBed::new().run_hookbox(&["plugin", "list", "--json"]).stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let inspected =
        TestBed::with_config(GUARD).run_hookbox(&["plugin", "inspect", "--json", "guard-shell"]).stdout;
    let inspected: serde_json::Value = serde_json::from_str(&inspected).unwrap();
    assert_eq!(listed[5]["sha256"], inspected["sha256"]);
    assert!(inspected.to_string().contains(r#""guard""#), "{inspected}");
}

const GUARDS: &str = r#"
    [[hook]]
    name = "guard-paths"
    on = "tool.before"
    tool = { class = "file-write" }
    wasm = { path = "[PLUGINS]/guard-paths.wasm" }

    [[hook]]
    name = "guard-shell"
    on = "tool.before"
    tool = { class = "shell" }
    wasm = { path = "[PLUGINS]/guard-shell.wasm" }
    limits = { fuel = 100000000000 }
"#;

/// What the one guard for this call of a tool says, and what it cost.
fn explain_guard(bed: &TestBed, tool: &str, input: &serde_json::Value) -> serde_json::Value {
    let event = serde_json::json!({
        "session_id": "s", "transcript_path": "/tmp/t", "cwd": "/code/project",
        "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input,
    });
    let ran = bed.run_with_input(
        &mut bed.build_command(&["explain", "--json", "--agent", "claude-code"]),
        event.to_string().as_bytes(),
    );
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let hooks = told["hooks"].as_array().unwrap();
    assert_eq!(hooks.len(), 1, "{ran}");
    hooks[0].clone()
}

/// An agent whose folder is in no list of the guards could be told other hooks by its own tools.
#[test]
fn the_settings_of_every_agent_are_written_by_no_tool_and_by_no_command() {
    let bed = TestBed::with_config(GUARDS);
    let in_table = settings::all_settings().flat_map(|agent| {
        let project = agent.project.map(|folder| format!("/code/project/{folder}"));
        let folders = project.into_iter().chain([at_home(&agent.user)]);
        folders.map(|folder| format!("{folder}/{}", agent.file))
    });
    // Here `install` writes programs.
    let others = [
        format!("{}/PreToolUse", at_home(&settings::cline::USER)),
        format!("/code/project/{}/PreToolUse", settings::cline::PROJECT),
    ];
    for path in in_table.chain(others) {
        let write = explain_guard(&bed, "Write", &serde_json::json!({"file_path": path, "content": "{}"}));
        let shell =
            explain_guard(&bed, "Bash", &serde_json::json!({"command": format!("echo '{{}}' > {path}")}));
        for (guard, told) in [("guard-paths", write), ("guard-shell", shell)] {
            assert_eq!(told["answer"]["code"], "agent-config", "{guard}: {path}: {told}");
        }
    }
}

fn at_home(folder: &UserFolder) -> String {
    let base = match folder.base {
        Base::Home | Base::HomeOr(_) => "/home/me",
        Base::Config => "/home/me/.config",
    };
    format!("{base}/{}", folder.path)
}

/// Fuel counts instructions, so the same line always costs the same.
#[test]
fn a_command_line_ten_times_as_long_costs_the_guard_no_more_than_twelve_times_as_much() {
    let bed = TestBed::with_config(GUARDS);
    let shapes = [
        ("one word", "a", ""),
        ("words", "a ", ""),
        ("quoted", "'a b' ", ""),
        ("double quoted", "\"a $x\" ", ""),
        ("lists", "ls abcdef; ", "ls"),
        ("pipes", "cat abcdef | ", "cat"),
        ("either", "ls abcdef && ", "ls"),
        ("variables", "$x ", ""),
        ("assigned", "x=$x; y=1; ", "ls"),
        ("substitutions", "$(a) ", ""),
        ("continued", "a \\\n ", ""),
        ("options", "-a ", ""),
        ("braces", "{a,b} ", ""),
        ("comments", "\n# a b c\n", ""),
        ("tests", "; [[ $x == y ]] ", ""),
        ("branches", "; if a; then x=1; else x=2; fi ", ""),
        ("documents", "; cat <<E\na\nE\n: ", ""),
        ("redirections", " > .git/x", ""),
    ];
    let shapes = shapes.map(|(name, piece, end)| (name, "echo ", piece, end));
    for (name, start, piece, end) in shapes.into_iter().chain(list_codes()) {
        let cost = |bytes: usize| {
            let line = format!("{start}{}{end}", piece.repeat((bytes - 64) / piece.len()));
            let told = explain_guard(&bed, "Bash", &serde_json::json!({"command": line}));
            assert_eq!(told["status"], "answered", "{name}: {told}");
            told["used"]["fuel"].as_u64().unwrap()
        };
        let (short, long) = (cost(6_554), cost(65_536));
        assert!(long <= 12 * short, "{name}: {long} is more than 12 times {short}");
    }
}

/// Code of other languages with data in it, on the standard input and as an argument.
fn list_codes() -> impl Iterator<Item = (&'static str, &'static str, &'static str, &'static str)> {
    let starts = [
        ("python3 - <<'EOF'\n", "EOF\n"),
        ("node <<'EOF'\n", "EOF\n"),
        ("perl - <<'EOF'\n", "EOF\n"),
        ("ruby <<'EOF'\n", "EOF\n"),
        ("python3 -c '", "'"),
        ("node -e '", "'"),
        ("perl -e '", "'"),
        ("ruby -e '", "'"),
        ("php -r '", "'"),
    ];
    let pieces = [
        "12,name,3.5\n",
        "- an item\n",
        "d[\"k\"] = \"v\"\n",
        "name = \"a.txt\"\n",
        "read the file and open the door\n",
        "f(g(h(\n",
        "print(\"x\", open(\"a.txt\").read())\n",
        "subprocess.run([\"ls\", \"-l\"])\n",
    ];
    starts.into_iter().flat_map(move |(start, end)| pieces.map(|piece| (start, start, piece, end)))
}

/// Whatever the line is, it is judged with the fuel that a hook has unless its entry says otherwise.
#[test]
fn no_command_line_uses_up_the_fuel_of_the_guard() {
    let bed = TestBed::with_config(&GUARDS.replace("limits = { fuel = 100000000000 }", ""));
    let shapes =
        ["for f in a b; do cp $f /tmp/x; done; ", "mv a b; ", "git status; ", "$(a) ", "echo > .git/x; "];
    let lines = shapes.map(|shape| shape.repeat(65_000 / shape.len()));
    let words = [format!("cp {}", "a ".repeat(32_000)), format!("echo {}", "> .git/x ".repeat(7_000))];
    for line in lines.into_iter().chain(words) {
        let told = explain_guard(&bed, "Bash", &serde_json::json!({"command": line}));
        assert_eq!(
            (&told["status"], &told["answer"]["code"]),
            (&"answered".into(), &"too-complex".into()),
            "{line:.40}: {told}"
        );
    }
}
