//! Tools of servers, and tools that no table knows: whatever they are called, and however they are told what to write.

use super::{answer_call, is_refused};
use crate::TestBed;

/// Every call is refused, or none of them.
fn check_calls(bed: &TestBed, refused: bool, calls: &[(&str, &str)]) {
    for (tool, input) in calls {
        let answer = answer_call(bed, tool, input);
        assert_eq!(is_refused(&answer), refused, "{tool} {input}: {answer}");
    }
}

#[test]
fn a_word_for_reading_in_its_name_lets_no_tool_write_them() {
    let bed = TestBed::with_config("# no hooks\n");
    check_calls(
        &bed,
        true,
        &[
            ("mcp__x__find_and_overwrite", r#"{"path":"~/.config/hookbox/hooks.toml"}"#),
            ("mcp__x__sync_tree", r#"{"from":"x","path":"~/.config/hookbox"}"#),
            ("find_and_overwrite", r#"{"path":"[HOME]/.config/hookbox/hooks.toml"}"#),
            // What it is told says more than its name.
            ("mcp__x__get_file", r#"{"path":"~/.config/hookbox/hooks.toml","content":""}"#),
            ("mcp__x__fetch", r#"{"url":"https://x.example","save_to":"~/.config/hookbox/hooks.toml"}"#),
            ("mcp__x__exec_and_read", r#"{"command":"rm -rf ~/.config/hookbox"}"#),
            ("mcp__x__get_shell_output", r#"{"command":"rm -rf ~/.config/hookbox"}"#),
            ("mcp__x__read_file", r#"{"command":"rm -rf ~/.config/hookbox"}"#),
            // It is called by nobody, and says that it is another.
            ("mcp__x__remove", r#"{"tool_name":"read_file","path":"~/.config/hookbox"}"#),
            ("LSP", r#"{"operation":"rename","filePath":"[HOME]/.config/hookbox/hooks.toml","newName":"x"}"#),
        ],
    );
    check_calls(
        &bed,
        false,
        &[
            ("mcp__x__read_text_file", r#"{"path":"~/.config/hookbox/hooks.toml","head":5}"#),
            ("mcp__x__get_file_contents", r#"{"path":"~/.config/hookbox/hooks.toml"}"#),
            ("mcp__x__directory_tree", r#"{"path":"~/.config/hookbox","excludePatterns":["x"]}"#),
            ("mcp__x__list_allowed_directories", r#"{"root":"~/.config/hookbox"}"#),
            ("mcp__x__sync_tree", r#"{"from":"x","path":"[PROJECT]/y"}"#),
            ("LSP", r#"{"operation":"hover","filePath":"[HOME]/.config/hookbox/hooks.toml"}"#),
        ],
    );
}

#[test]
fn a_program_with_separate_arguments_and_folder_does_not_bypass_the_self_protection() {
    let bed = TestBed::with_config("# no hooks\n");
    check_calls(
        &bed,
        true,
        &[
            ("mcp__x__spawn", r#"{"program":"rm","args":["-rf","[HOME]/.config/hookbox"]}"#),
            ("mcp__x__spawn", r#"{"executable":"rm","arguments":["-rf","~/.config/hookbox"]}"#),
            ("mcp__x__run", r#"{"command":["rm","-rf","~/.config/hookbox"]}"#),
            ("mcp__x__run", r#"{"command":"rm -rf hookbox","cwd":"~/.config"}"#),
            ("mcp__x__run", r#"{"command":"rm -rf hookbox","directory":"~/.config"}"#),
            ("mcp__x__run", r#"{"command":"rm -rf hookbox","path":"[HOME]/.config"}"#),
            ("mcp__x__run", r#"{"command":"rm -rf hookbox","startIn":"../home/.config"}"#),
            ("Bash", r#"{"command":"rm -rf hookbox","cwd":"[HOME]/.config"}"#),
        ],
    );
    check_calls(
        &bed,
        false,
        &[
            ("mcp__x__run", r#"{"command":"rm -rf hookbox","cwd":"[PROJECT]"}"#),
            ("mcp__x__spawn", r#"{"program":"rm","args":["-rf","build"]}"#),
            ("Bash", r#"{"command":"rm -rf hookbox"}"#),
        ],
    );
}

#[test]
fn what_is_typed_into_a_terminal_does_not_get_past() {
    let bed = TestBed::with_config("# no hooks\n");
    check_calls(
        &bed,
        true,
        &[
            ("mcp__x__send_to_terminal", r#"{"text":"rm -rf ~/.config/hookbox\n"}"#),
            ("mcp__x__send", r#"{"terminal_id":"1","data":"rm -rf ~/.config/hookbox"}"#),
            ("mcp__x__interact_with_process", r#"{"pid":1,"input":"rm -rf ~/.config/hookbox"}"#),
            ("mcp__x__send_keys", r#"{"keys":["rm -rf ~/.con","fig/hookbox","{enter}"]}"#),
            ("write_bash", r#"{"sessionId":"1","input":"rm -rf ~/.config/hookbox{enter}"}"#),
        ],
    );
    check_calls(&bed, false, &[("mcp__x__notes_add", r#"{"text":"never rm -rf ~/.config/hookbox"}"#)]);
}

#[test]
fn a_name_separate_from_its_folder_and_a_pattern_do_not_bypass_the_self_protection() {
    let bed = TestBed::with_config("# no hooks\n");
    check_calls(
        &bed,
        true,
        &[
            ("mcp__x__write", r#"{"dir":"~/.config","name":"hookbox/hooks.toml","content":""}"#),
            ("mcp__x__remove", r#"{"dir":"~/.config","entries":["x","hookbox"]}"#),
            ("mcp__x__remove", r#"{"options":{"root":"~"},"pattern":".config/hook*"}"#),
            ("mcp__x__remove", r#"{"glob":"~/.config/{hookbox,other}/**"}"#),
            ("mcp__x__remove", r#"{"pattern":"~/**/hookbox"}"#),
            ("mcp__x__wipe", r#"{"path":"~/.config"}"#),
            (
                "MultiEdit",
                r#"{"file_path":"x","edits":[{"path":"[HOME]/.config/hookbox/hooks.toml","new_string":""}]}"#,
            ),
            (
                "mcp__x__apply",
                r#"{"content":"*** Begin Patch\n*** Update File: [HOME]/.config/hookbox/hooks.toml\n*** End Patch"}"#,
            ),
        ],
    );
    check_calls(
        &bed,
        false,
        &[
            ("mcp__x__write", r#"{"dir":"~/.config","name":"nvim/init.lua","content":""}"#),
            ("mcp__x__remove", r#"{"path":"[PROJECT]","pattern":"**/*.pyc"}"#),
            ("mcp__x__write", r#"{"path":"[PROJECT]/app/[id]/page.tsx","content":""}"#),
        ],
    );
}

/// What was not looked at could write them; what is only long was looked at.
#[test]
fn a_call_that_is_too_much_to_look_at_is_refused_and_a_long_file_is_not() {
    let bed = TestBed::with_config("# no hooks\n");
    let hidden = r#""~/.config/hookbox/hooks.toml""#;
    let many = format!(r#"{{"paths":[{}{hidden}]}}"#, r#""x","#.repeat(40_000));
    let deep = format!(r#"{{"input":"{}{}"}}"#, "[".repeat(200), "]".repeat(200));
    let padded = format!(r#"{{"path":"~/{}.config/hookbox/hooks.toml"}}"#, "./".repeat(3_000));
    let braces = format!(r#"{{"path":"~/.config/{{{}hookbox}}/hooks.toml"}}"#, "x,".repeat(1_000));
    for input in [&many, &deep, &padded, &braces] {
        let answer = answer_call(&bed, "mcp__x__write", input);
        let is_too_much = answer.to_string().contains("it does too much for hookbox to see");
        assert!(is_too_much || is_refused(&answer), "{answer}");
    }
    let long = "a/b ~/c\\n".repeat(200_000);
    let cells = r#""x","#.repeat(20_000);
    for (tool, input) in [
        ("Write", format!(r#"{{"file_path":"[PROJECT]/x","content":"{long}"}}"#)),
        ("mcp__x__write", format!(r#"{{"path":"[PROJECT]/x","content":"{long}"}}"#)),
        ("mcp__x__write", format!(r#"{{"path":"[PROJECT]/x","cells":[{cells}"x"]}}"#)),
        ("mcp__x__write", format!(r#"{{"path":"[PROJECT]/x","rows":[{}1]}}"#, "1,".repeat(50_000))),
    ] {
        let answer = answer_call(&bed, tool, &input);
        assert!(!answer.to_string().contains("hookbox-files") && answer.code == 0, "{tool}: {answer}");
    }
}
