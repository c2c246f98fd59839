//! Facts about command lines, as hooks receive them.

mod bounds;
mod commands;
mod hosts;
mod paths;
mod show;
mod undetermined;

use serde_json::json;
use shell_commands::facts::{Facts, ShellLanguage, describe_unread, read_facts};

/// The folder that a command runs in, and the agent's workspace.
const FOLDER: &str = "/home/me/project";

fn read_here(command: &str) -> Facts {
    read_facts(command, FOLDER, FOLDER)
}

/// The facts about a command line are these, without the blanks around each line.
#[track_caller]
fn assert_facts(command: &str, expected: &str) {
    let shown = show::show_facts(&read_here(command));
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected, "{command}\n{shown}");
}

#[test]
fn json_has_the_names_of_the_interface() {
    let facts = read_here("A=1 tee -a f < g; curl h.example; $x");
    let word = |text: &str| json!({ "text": text, "certain": true });
    let command = json!({
        "program": "tee",
        "words": [word("tee"), word("-a"), word("f")],
        "assignments": [["A", word("1")]],
        "folder": FOLDER,
        "via": [],
        "guessed": false,
        "elsewhere": false,
        "piped-input": true,
        "writes": [],
        "reads": [word("g")],
    });
    let value = serde_json::to_value(&facts).expect("facts are JSON");
    assert_eq!(value["language"], json!("posix"));
    assert_eq!(value["commands"][0], command);
    let path =
        json!({ "path": "/home/me/project/f", "certain": true, "access": "write", "recursive": false });
    assert_eq!(value["paths"][1], path);
    assert_eq!(value["hosts"], json!([{ "host": "h.example", "certain": true, "program": "curl" }]));
    assert_eq!(value["undetermined"], json!([{ "reason": "program", "text": "\u{FFFD}" }]));
}

#[test]
fn a_language_without_a_reader_is_undetermined() {
    for (language, name) in [(ShellLanguage::Powershell, "powershell"), (ShellLanguage::Cmd, "cmd")] {
        let expected = json!({
            "language": name,
            "commands": [],
            "paths": [],
            "hosts": [],
            "undetermined": [{ "reason": "language", "text": "" }],
        });
        assert_eq!(serde_json::to_value(describe_unread(language)).expect("facts are JSON"), expected);
    }
}
