//! An agent's own hook file and hookbox's configuration in one chain (`--with-hookbox`).

use std::fs;

use serde_json::json;

use crate::{Ran, TestBed};

/// A transform, a gate and an observer that record when they are called. The gate keeps its event, and denies if there is a file
/// `deny`.
const CONFIG: &str = r#"
[[hook]]
name = "transform"
on = ["model.request", "tool.before"]
role = "transform"
shell = { command = "echo transform >> $HOME/order" }

[[hook]]
name = "gate"
on = ["model.request", "tool.before"]
shell = { command = "echo gate >> $HOME/order; cat > $HOME/seen; test ! -e $HOME/deny || echo '{\"verdict\":\"deny\",\"code\":\"c\",\"reason\":\"hookbox denies\"}'" }

[[hook]]
name = "observer"
on = ["model.request", "tool.before"]
role = "observe"
shell = { command = "echo observer >> $HOME/order" }
"#;

/// Functions that append to the request, and the last of which is not called because the one before ends the file's hooks.
const FUNCTIONS: &str = "
import os

def note(word):
    open(os.environ['HOME'] + '/order', 'a').write(word + '\\n')

def first(ctx):
    note('first')
    ctx.messages.append({'role': 'user', 'content': 'appended'})
    ctx.metadata['left'] = 'here'

def second(ctx):
    note('second ' + ctx.metadata['left'])
    ctx.stop_chain = True

def third(ctx):
    note('third')
";

const YAML: &str = "
python_path: ['${HOME}/hooks']
hooks:
  pre_request:
    - {name: first, module: house, function: first}
    - {name: second, module: house, function: second}
    - {name: third, module: house, function: third}
";

const REQUEST: &str =
    r#"{"event":"pre_request","model":"m","request_id":"r","timestamp":1.5,"messages":[],"metadata":{}}"#;
const TOOL: &str = r#"{"type":"tool:pre_execute","timestamp":1,"session_id":"s","working_dir":"[PROJECT]","tool_name":"bash",
    "data":{"tool_args":{"command":"ls"}}}"#;

fn create_bed(file: &str, text: &str) -> TestBed {
    let bed = TestBed::with_config(CONFIG);
    bed.write_file("[HOME]/hooks/house.py", FUNCTIONS);
    bed.write_file(file, text);
    bed
}

fn run_command(bed: &TestBed, words: &[&str], event: &str) -> Ran {
    let words = [words, &["--with-hookbox"]].concat();
    bed.run_with_input(&mut bed.build_command(&words), bed.expand_placeholders(event).as_bytes())
}

/// Returns the hooks in the order of their calls.
fn take_order(bed: &TestBed) -> String {
    let file = bed.resolve_path("[HOME]/order");
    let order = fs::read_to_string(&file).unwrap_or_default();
    let _ = fs::remove_file(file);
    order.lines().collect::<Vec<_>>().join(", ")
}

#[test]
fn functions_of_run_claude_run_between_hookboxs_transforms_and_gates_in_their_own_order() {
    let bed = create_bed("[PROJECT]/hooks.yaml", YAML);
    let run = |bed: &TestBed| {
        run_command(bed, &["run", "--agent", "run-claude", "--source", "[PROJECT]/hooks.yaml"], REQUEST)
    };
    let ran = run(&bed);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(ran.stdout.contains("appended") && ran.stdout.contains(r#""left":"here""#), "{ran}");
    // `stop_chain` ends the hooks of its file alone.
    assert_eq!(take_order(&bed), "transform, first, second here, gate, observer", "{ran}");
    assert!(fs::read_to_string(bed.resolve_path("[HOME]/seen")).unwrap().contains("appended"));

    bed.write_file("[HOME]/deny", "");
    let ran = run(&bed);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stdout.contains("hookbox denies") && !ran.stdout.contains("appended"), "{ran}");
    assert_eq!(take_order(&bed), "transform, first, second here, gate, observer");

    fs::remove_file(bed.resolve_path("[HOME]/deny")).unwrap();
    let denies =
        YAML.replace("pre_request:", "pre_tool_call:\n    - {name: denies, wasm: '[GUESTS]/denies.wasm'}");
    bed.write_file("[PROJECT]/hooks.yaml", &denies);
    let event = r#"{"event":"pre_tool_call","model":"m","request_id":"r","timestamp":1.5,"tool_name":"bash","tool_args":{}}"#;
    let ran = run_command(&bed, &["run", "--agent", "run-claude", "--source", "[PROJECT]/hooks.yaml"], event);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(!take_order(&bed).contains("gate"), "{ran}");
}

#[test]
fn commands_of_code_forge_run_between_hookboxs_transforms_and_gates_in_their_own_order() {
    let note =
        |word: &str| json!({ "event": "tool:pre_execute", "command": format!("echo {word} >> $HOME/order") });
    let file = json!({ "hooks": [note("second"), note("first")] }).to_string();
    let bed = create_bed("[HOME]/.config/forge/hooks.json", &file);
    let run = |bed: &TestBed| run_command(bed, &["run", "--agent", "code-forge", "--own"], TOOL);
    let ran = run(&bed);
    assert_eq!(
        (ran.code, take_order(&bed).as_str()),
        (0, "transform, second, first, gate, observer"),
        "{ran}"
    );

    bed.write_file("[HOME]/deny", "");
    let ran = run(&bed);
    assert!(ran.code == 2 && ran.to_string().contains("hookbox denies"), "{ran}");
    assert_eq!(take_order(&bed), "transform, second, first, gate, observer");
    fs::remove_file(bed.resolve_path("[HOME]/deny")).unwrap();

    let stops = json!({ "event": "tool:pre_execute", "command": "echo own denies >&2; exit 1" });
    let file = json!({ "hooks": [note("second"), stops, note("first")] }).to_string();
    bed.write_file("[HOME]/.config/forge/hooks.json", &file);
    let ran = run(&bed);
    assert!(ran.code == 2 && ran.to_string().contains("own denies"), "{ran}");
    assert_eq!(take_order(&bed), "transform, second, observer");
}

#[test]
fn a_file_that_cannot_be_read_denies_whichever_of_the_two_it_is() {
    let bed = create_bed("[PROJECT]/hooks.json", "{");
    let words = |file| ["run", "--agent", "code-forge", "--source", file];
    for file in ["[PROJECT]/hooks.json", "[PROJECT]/missing.json", "[PROJECT]/.git"] {
        let ran = run_command(&bed, &words(file), TOOL);
        assert!(ran.code == 2 && ran.to_string().contains("bad-configuration"), "{file}: {ran}");
        assert!(ran.to_string().contains("--with-hookbox"), "{file}: {ran}");
    }
    let ran =
        run_command(&bed, &["run", "--agent", "run-claude", "--source", "[PROJECT]/missing.yaml"], REQUEST);
    assert!(ran.code == 2 && ran.to_string().contains("missing.yaml"), "{ran}");
    bed.write_file("[PROJECT]/hooks.json", r#"{"hooks": []}"#);
    assert_eq!(run_command(&bed, &words("[PROJECT]/hooks.json"), TOOL).code, 0);
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", "[[hook");
    let ran = run_command(&bed, &words("[PROJECT]/hooks.json"), TOOL);
    assert!(ran.code == 2 && ran.to_string().contains("hooks.toml"), "{ran}");
}

#[test]
fn the_commands_that_look_at_the_chain_show_both() {
    let file = json!({ "hooks": [{ "event": "tool:pre_execute", "command": "true" }] }).to_string();
    let bed = create_bed("[HOME]/.config/forge/hooks.json", &file);
    let own = ["--agent", "code-forge", "--own"];
    let run = |command: &[&str]| run_command(&bed, &[command, &own].concat(), TOOL);
    let listed = run(&["list"]);
    let names: Vec<_> = listed.stdout.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(
        names,
        [
            "transform  transform, user (own)",
            "tool:pre_execute  transform, session (own)",
            "gate  gate, user (own)",
            "observer  observe, user (own)",
        ]
    );
    assert!(run(&["check"]).stdout.contains("4 hooks checked: 0 errors"), "{}", run(&["check"]));
    let explained = run(&["explain", "--call-all"]);
    assert!(explained.stdout.contains("chain    4 of 4 hooks match"), "{explained}");
    let alone = bed.run_hookbox(&["list", "--agent", "code-forge", "--with-hookbox"]);
    assert!(alone.code == 2 && alone.stderr.contains("--own"), "{alone}");
}
