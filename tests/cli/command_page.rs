//! The manual's page of the command line has each command with the words of its help.

use std::fs;

use crate::{TestBed, guests};

/// Returns the commands that a help lists, each with its description.
fn parse_commands(help: &str) -> Vec<(String, String)> {
    let list = help.split_once("\nCommands:\n").unwrap().1;
    let mut found: Vec<(String, String)> = Vec::new();
    for line in list.lines().take_while(|line| !line.is_empty()) {
        let is_continued = line.starts_with("   ");
        if let Some((_, about)) = found.last_mut().filter(|_| is_continued) {
            about.extend([" ", line.trim()]);
        } else {
            let (name, about) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            found.push((name.to_owned(), about.trim().to_owned()));
        }
    }
    found.retain(|(name, _)| name != "help");
    found
}

#[test]
fn the_page_of_the_command_line_has_every_command() {
    let page = fs::read_to_string(guests::repository_folder("docs/reference/cli.md")).unwrap();
    let groups: [&[&str]; 3] = [&[], &["plugin"], &["hooks"]];
    let mut listed = 0;
    for words in groups {
        let ran = TestBed::new().run_hookbox(&[words, &["--help"]].concat());
        for (name, about) in parse_commands(&ran.stdout) {
            let command = [words, &[name.as_str()]].concat().join(" ");
            let row = format!("| `{command}` | {} |", about.trim());
            assert!(page.contains(&row), "docs/reference/cli.md has no row {row}");
            listed += 1;
        }
    }
    let (commands, _) = page.split_once("\n## JSON output").unwrap();
    let rows = commands.lines().filter(|line| line.starts_with("| `"));
    assert_eq!(rows.count(), listed, "a row is about a command that does not exist");
}
