//! Every command line of hookbox in the documents is one that there is: its command, and each of its options.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use crate::{TestBed, guests};

/// Commands that have commands of their own.
const OF_SEVERAL: [&str; 2] = ["hooks", "plugin"];
/// Where pages are, and what is in there that is not ours.
const FOLDERS: [&str; 6] = ["docs", "sdk", "packages", "integrations", "examples", "plugins"];
const OTHERS: [&str; 2] = ["node_modules", "target"];

/// Every page, with what it is called.
fn list_pages() -> Vec<(String, String)> {
    let mut files = vec![guests::repository_folder("README.md")];
    let mut folders: Vec<_> = FOLDERS.map(guests::repository_folder).into();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.extend((!OTHERS.iter().any(|other| path.ends_with(other))).then_some(path));
            } else if path.extension().is_some_and(|end| end == "md") {
                files.push(path);
            }
        }
    }
    files.into_iter().map(|file| (file.display().to_string(), fs::read_to_string(&file).unwrap())).collect()
}

/// What stands behind `hookbox ` in blocks of code, at the beginning of a line or behind a prompt, and between backquotes.
fn find_commands(page: &str) -> Vec<&str> {
    let (mut is_code, mut found) = (false, Vec::new());
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            let typed = line.split_once("$ ").map_or(line, |(_, typed)| typed);
            found.extend(typed.trim_start().strip_prefix("hookbox "));
        } else {
            let quoted = line.split('`').skip(1).step_by(2);
            found.extend(quoted.filter_map(|code| code.strip_prefix("hookbox ")));
        }
    }
    found
}

/// The command and its options, as a shell reads them; `None` of what is no command.
fn parse_command(line: &str) -> Option<(String, BTreeSet<String>)> {
    let is_name = |word: &str| word.starts_with(|c: char| c.is_ascii_lowercase());
    let line = strip_quoted(line);
    let line = line.split(['|', '#', ';', '<', '>', '&']).next().unwrap_or_default();
    let mut words = line.split_whitespace().take_while(|word| *word != "--").peekable();
    let first = words.next().filter(|word| is_name(word))?;
    let second = words.next_if(|word| OF_SEVERAL.contains(&first) && is_name(word));
    let options = words.map(|word| word.trim_matches(['[', ']', ',', '.', ')']));
    let options = options.filter_map(|word| word.starts_with("--").then(|| word.split('=').next())?);
    Some((
        [first].into_iter().chain(second).collect::<Vec<_>>().join(" "),
        options.map(str::to_owned).collect(),
    ))
}

/// Without what stands in quotation marks.
fn strip_quoted(line: &str) -> String {
    let mut open = None;
    let is_outside = |c: &char| match open {
        Some(mark) => {
            open = (mark != *c).then_some(mark);
            false
        }
        None if ['\'', '"'].contains(c) => {
            open = Some(*c);
            false
        }
        None => true,
    };
    line.chars().filter(is_outside).collect()
}

#[test]
fn every_command_line_in_the_documents_is_one_that_there_is() {
    let mut lines: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for (page, text) in list_pages() {
        for (command, options) in find_commands(&text).into_iter().filter_map(parse_command) {
            let all = lines.entry(command).or_default();
            all.extend(options.into_iter().map(|option| (option, page.clone())));
        }
    }
    assert!(lines.len() > 30, "{lines:?}");
    let bed = TestBed::new();
    let mut wrong = Vec::new();
    for (command, options) in lines {
        let words: Vec<_> = command.split(' ').chain(["--help"]).collect();
        let help = bed.run_hookbox(&words);
        if help.code != 0 {
            wrong.push(format!("there is no `hookbox {command}`"));
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let known: BTreeSet<_> = help.stdout.split(|c| !is_part(c)).collect();
        let unknown = options.iter().filter(|(option, _)| !known.contains(option.as_str()));
        wrong.extend(unknown.map(|(option, page)| format!("{page}: `hookbox {command}` has no {option}")));
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn a_command_line_is_read_as_a_shell_reads_it() {
    for (line, command, options) in [
        (
            "plugin add guard.js --grant 'http=GET --no' --yes | less --raw",
            "plugin add",
            &["--grant", "--yes"][..],
        ),
        ("plugin profile [FOLDER] [--fixture NAME]", "plugin profile", &["--fixture"]),
        ("confine --profile tests -- cargo test --offline", "confine", &["--profile"]),
        ("try tool.before --command='rm --force' # --not", "try", &["--command"]),
        ("plugin", "plugin", &[]),
    ] {
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        assert_eq!(parse_command(line), Some((command.to_owned(), options)), "{line}");
    }
    assert_eq!(parse_command("= { version = \"0.1\" }"), None);
    let page = "Say `hookbox list`.\n```console\nben$ hookbox check --json\nhookbox run\n```\n`hookboxes`";
    assert_eq!(find_commands(page), ["list", "check --json", "run"]);
}
