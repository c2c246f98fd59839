//! No text has a command or a line of TOML that takes a package from a registry by a name that hookbox has not published: an attacker could
//! register the name.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The folders with texts for users.
const FOLDERS: [&str; 8] =
    ["docs", "examples", "host", "integrations", "packages", "plugins", "sdk", "tests/cli"];
/// The beginnings of commands that install a package by its name or run it.
const INSTALLERS: [&str; 9] = [
    "pip install ",
    "pipx install ",
    "uv add ",
    "uv tool install ",
    "npm install ",
    "npm i ",
    "npx ",
    "cargo add ",
    "cargo install ",
];

fn manifest_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the names of `docs/guide/packages.md` that are not published.
fn list_unpublished() -> Vec<String> {
    let page = fs::read_to_string(manifest_folder().join("docs/guide/packages.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    rows.filter(|(_, rest)| rest.split('|').nth(2).unwrap().trim() == "no")
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// Returns the files below a folder.
fn collect_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            // Command lines in tests are input.
            let is_left_out = ["node_modules", "target", "tests"].iter().any(|made| path.ends_with(made));
            if !is_left_out {
                collect_files(&path, found);
            }
        } else {
            found.push(path);
        }
    }
}

/// Returns the unpublished package that a line installs by its name.
fn find_installed<'n>(line: &str, names: &'n [String]) -> Option<&'n str> {
    let words = INSTALLERS.iter().filter_map(|installer| Some(line.split_once(installer)?.1));
    let mut words = words.flat_map(|words| words.split([' ', '`', '"', '\'', ';', ',', '\\']));
    words.find_map(|word| {
        let name = word.rsplit_once("@npm:").map_or(word, |(_, name)| name);
        let name = name.split(['=', '<', '>', '~', '[']).next().unwrap();
        let name = name.trim_start_matches('@').split('@').next().unwrap();
        names.iter().find(|known| known.trim_start_matches('@') == name).map(String::as_str)
    })
}

/// Returns the unpublished package that a line of TOML takes from a registry: `NAME = "0.2"`, `NAME = { version = "0.2" }`.
fn find_required<'n>(line: &str, names: &'n [String]) -> Option<&'n str> {
    line.match_indices('=').find_map(|(at, _)| {
        let key = line[..at].trim_end().rsplit([' ', '`', '{', ',']).next()?.trim_matches('"');
        let value = line[at + 1..].trim_start();
        let is_from_registry = value.strip_prefix('{').map_or_else(
            || value.strip_prefix('"').is_some_and(is_requirement),
            |table| {
                let table = table.split('}').next().unwrap();
                table.contains("version") && !["path =", "git ="].iter().any(|source| table.contains(source))
            },
        );
        names.iter().find(|name| is_from_registry && *name == key).map(String::as_str)
    })
}

/// Returns true if a text begins as a requirement of versions does.
fn is_requirement(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || "^~=<>*".contains(c))
}

#[test]
fn no_text_installs_a_package_that_is_not_published() {
    let names = list_unpublished();
    assert!(names.contains(&"hookbox-litellm".to_owned()), "{names:?}");
    let mut found = vec![manifest_folder().join("README.md")];
    for folder in FOLDERS {
        collect_files(&manifest_folder().join(folder), &mut found);
    }
    let mut commands = Vec::new();
    for file in found {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(name) = find_installed(line, &names).or_else(|| find_required(line, &names)) {
                let file = file.strip_prefix(manifest_folder()).unwrap().display();
                commands.push(format!("{file}:{number} installs {name}: {line}"));
            }
        }
    }
    assert_eq!(commands, Vec::<String>::new());
}

#[test]
fn a_command_that_installs_by_name_is_recognised() {
    let names = ["hookbox".to_owned(), "@hookbox/hook".to_owned()];
    for line in [
        "run `pip install hookbox`",
        "pip install 'litellm[proxy]' hookbox==0.1",
        "npm install --save-dev hookbox@npm:@hookbox/hook",
        "npx @hookbox/hook@1",
        "cargo install hookbox --locked",
    ] {
        assert!(find_installed(line, &names).is_some(), "{line}");
    }
    for line in [
        "pip install target/hookbox-0.1.whl",
        "pip install hookboxes",
        "hookbox install codex",
        "npm install x",
    ] {
        assert_eq!(find_installed(line, &names), None, "{line}");
    }
}

#[test]
fn a_line_of_toml_that_needs_a_registry_is_recognised() {
    let names = ["hookbox".to_owned(), "hookbox-sdk".to_owned()];
    for line in [
        "hookbox-sdk = \"0.2\"",
        "hookbox-sdk=\"^0.2\" # the SDK",
        "\"hookbox-sdk\" = { version = \"0.2\" }",
        "write `hookbox-sdk = { version = \"0.2\", default-features = false }`",
        "hookbox = { default-features = false, version = \"0.1\" }",
    ] {
        assert!(find_required(line, &names).is_some(), "{line}");
    }
    for line in [
        "hookbox-sdk = { path = \"hookbox\" }",
        "hookbox = { path = \"host/runtime\", version = \"0.1.0\" }",
        "hookbox-sdk = { workspace = true, optional = true }",
        "hookbox-sdk.workspace = true",
        "other-sdk = \"0.2\"",
        "hookbox = \"/usr/local/bin/hookbox\"",
        "dependencies = [\"hookbox==0.1.0\"]",
    ] {
        assert_eq!(find_required(line, &names), None, "{line}");
    }
}
