//! A wrapped command reaches its shell unchanged, whatever it contains, through every shell that is installed.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot go on fails; shells are processes"
)]

use std::process::Command;

use hookbox_agents::DialectAgents;
use hookbox_core::interfaces::Agents;
use hookbox_model::{Event, EventName, Json, ToolCall, ToolClass};
use proptest::{collection::vec, prelude::*, sample::select};

const SHELLS: [&str; 6] = ["/bin/sh", "/bin/bash", "/bin/dash", "/bin/zsh", "/bin/ksh", "/usr/bin/fish"];

/// Returns the replacement line of this command, after words that print their own arguments.
fn replace_line(words: &[&str], command: &str) -> String {
    let input = Json::from_value(&serde_json::json!({ "timeout": 7, "command": command }));
    let mut event = Event::new(EventName::ToolBefore, "native");
    event.tool = Some(ToolCall {
        name: "Bash".to_owned(),
        class: ToolClass::Shell,
        command: Some(command.to_owned()),
        paths: Vec::new(),
        input,
        output: None,
    });
    let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
    let input = DialectAgents.started_by(&words, &event).unwrap().to_value();
    assert_eq!(input.get("timeout").unwrap(), 7);
    input.get("command").unwrap().as_str().unwrap().to_owned()
}

/// Generates texts, including ones with a meaning for shells.
fn generate_text() -> impl Strategy<Value = String> {
    let special = [
        "'", "\"", "\\", "\n", "$", "`", "!", "!!", "~", "*", "?", "[a]", "{a,b}", "#", "-", "--", "=", "&",
        ";", "|", "<", ">", "(", ")", "$(id)", "\r", "\t", " ", "%", "^", "'\\''", "\\'", "''", "\u{1b}",
        "\u{7f}", "ü", "\u{FDD0}", "-c", "EOF", "a",
    ];
    let special = vec(select(special.to_vec()), 0..12).prop_map(|parts| parts.concat());
    let any = vec(any::<char>(), 0..40).prop_map(String::from_iter);
    prop_oneof![3 => special, 1 => any].prop_map(|text| text.replace('\0', ""))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn every_shell_takes_the_same_words_out_of_the_line(command in generate_text(), word in generate_text()) {
        let line = replace_line(&["/usr/bin/printf", "%s\\0", &word], &command);
        for shell in SHELLS.into_iter().filter(|shell| std::path::Path::new(shell).exists()) {
            let ran = Command::new(shell).args(["-c", &line]).output().unwrap();
            let expected = format!("{word}\0/bin/sh\0-c\0{command}\0");
            prop_assert_eq!(String::from_utf8(ran.stdout).unwrap(), expected, "{} {}", shell, line);
            prop_assert!(ran.status.success() && ran.stderr.is_empty());
        }
    }
}

#[test]
fn the_shell_behind_it_runs_the_command_as_the_agent_would() {
    for (command, stdout, code) in [
        ("x=\"it's\"; printf '%s\\n' \"$x\" 'a\\b'; exit 3", "it's\na\\b\n", 3),
        ("cat <<'E'\n$HOME `id` \\\nE\n", "$HOME `id` \\\n", 0),
        ("", "", 0),
        ("# nothing", "", 0),
    ] {
        let ran =
            Command::new("/bin/sh").args(["-c", &replace_line(&["/usr/bin/env"], command)]).output().unwrap();
        assert_eq!(
            (String::from_utf8(ran.stdout).unwrap().as_str(), ran.status.code()),
            (stdout, Some(code))
        );
    }
}
