//! Dependencies between the library's rooms (its top modules) and between the crates, read from the code and compared with the table in
//! `docs/internals/architecture.md`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    str::FromStr as _,
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Dependencies, each with a file that contains it.
type Arrows = BTreeMap<(String, String), String>;

/// The crates that have rooms.
const LIBRARIES: [&str; 2] = ["host/core/src", "host/runtime/src"];
/// Modules that every room may use.
const EVERYBODY: [&str; 2] = ["model", "hookbox_core"];

#[test]
fn the_table_of_who_may_know_whom_is_what_the_code_says() {
    let rooms = list_rooms();
    let problems = [
        list_differences(&rooms, &read_table("room")),
        list_differences(&list_crates(), &read_table("crate")),
    ]
    .concat();
    assert!(
        problems.is_empty(),
        "docs/internals/architecture.md, `Allowed dependencies`:\n{}",
        problems.join("\n")
    );
}

#[test]
fn no_rooms_know_each_other_in_a_circle() {
    assert_eq!(find_cycle(&list_rooms()), None);
    assert_eq!(find_cycle(&list_crates()), None);
}

#[test]
fn an_arrow_without_a_row_a_row_without_an_arrow_and_a_circle_are_found() {
    let arrow = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let code = Arrows::from([(arrow("a", "b"), "a.rs".to_owned()), (arrow("b", "c"), "b.rs".to_owned())]);
    let all = BTreeSet::from([arrow("a", "b"), arrow("b", "c")]);
    assert_eq!(list_differences(&code, &all), [""; 0]);
    assert_eq!(
        list_differences(&code, &BTreeSet::from([arrow("a", "b")])),
        ["`b` knows `c` (b.rs), and has no row that says so"]
    );
    let more = BTreeSet::from([arrow("a", "b"), arrow("b", "c"), arrow("c", "d")]);
    assert_eq!(list_differences(&code, &more), ["`c` may know `d`, and does not: take it out of the table"]);
    assert_eq!(find_cycle(&code), None);
    let round = [code, Arrows::from([(arrow("c", "a"), "c.rs".to_owned())])].into_iter().flatten().collect();
    assert_eq!(find_cycle(&round).unwrap(), "a -> b -> c -> a");
}

#[test]
fn every_way_to_write_a_path_is_read() {
    let exports = BTreeMap::from([("Event".to_owned(), "model".to_owned())]);
    for (place, text, known) in [
        ("a.rs", "use crate::{b::{C, D}, e as f, Event};", vec!["b", "e", "model"]),
        ("a/b/c.rs", "use super::super::super::d::E;", vec!["d"]),
        ("a/b.rs", "use super::{c::D, super::e::F};", vec!["e"]),
        ("a.rs", "fn f() { crate::b::g(); super::c::d(vec![crate::e::F]) }", vec!["b", "c", "e"]),
        ("a.rs", "mod b { use super::c; use super::super::d; }", vec!["d"]),
        ("a.rs", "// crate::b\n/* crate::c */ /// crate::d\nconst E: &str = \"crate::f\";", vec![]),
        ("a.rs", "#[cfg(test)] mod tests { use crate::b; } use crate::c;", vec!["c"]),
        ("a.rs", "#[cfg(test)] mod tests; use crate::a::b;", vec![]),
        ("a.rs", "#[derive(crate::b::C)] struct A;", vec!["b"]),
    ] {
        let found = Reader::new(place, &exports).read_text(text);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), known, "{text}");
    }
}

/// Returns the differences between code and table, a sentence each.
fn list_differences(code: &Arrows, table: &BTreeSet<(String, String)>) -> Vec<String> {
    let new = code.iter().filter(|(arrow, _)| !table.contains(*arrow));
    let new =
        new.map(|((from, to), file)| format!("`{from}` knows `{to}` ({file}), and has no row that says so"));
    let old = table.iter().filter(|arrow| !code.contains_key(*arrow));
    let old =
        old.map(|(from, to)| format!("`{from}` may know `{to}`, and does not: take it out of the table"));
    new.chain(old).collect()
}

/// Returns the first cycle.
fn find_cycle(arrows: &Arrows) -> Option<String> {
    let starts: BTreeSet<_> = arrows.keys().map(|(from, _)| from.as_str()).collect();
    starts.into_iter().find_map(|start| way_back(arrows, &mut vec![start], &mut BTreeSet::new()))
}

fn way_back<'a>(arrows: &'a Arrows, way: &mut Vec<&'a str>, seen: &mut BTreeSet<&'a str>) -> Option<String> {
    let here = *way.last().unwrap();
    for (_, next) in arrows.keys().filter(|(from, _)| from == here) {
        if next == way[0] {
            return Some(format!("{} -> {next}", way.join(" -> ")));
        }
        if seen.insert(next) {
            way.push(next);
            if let Some(circle) = way_back(arrows, way, seen) {
                return Some(circle);
            }
            way.pop();
        }
    }
    None
}

/// Returns the rows of the table whose first column is headed `kind`: `` | `from` | `to`, `to` | why | ``.
fn read_table(kind: &str) -> BTreeSet<(String, String)> {
    let page = fs::read_to_string(manifest_folder().join("docs/internals/architecture.md")).unwrap();
    let head = format!("| {kind} | knows |");
    let rows = page.lines().skip_while(|line| !line.starts_with(&head)).skip(2);
    let mut table = BTreeSet::new();
    for row in rows.take_while(|line| line.starts_with('|')) {
        let columns: Vec<_> = row.split('|').map(find_quoted).collect();
        let from = &columns[1][0];
        for to in &columns[2] {
            assert!(table.insert((from.clone(), to.clone())), "`{from}` and `{to}` are in the table twice");
        }
    }
    assert!(!table.is_empty(), "docs/internals/architecture.md has no table `{head}`");
    table
}

/// Returns the texts in backticks.
fn find_quoted(column: &str) -> Vec<String> {
    column.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Returns the dependencies between the rooms of each library, without tests.
fn list_rooms() -> Arrows {
    LIBRARIES.into_iter().flat_map(rooms_of).collect()
}

fn rooms_of(library: &str) -> Arrows {
    let folder = manifest_folder().join(library);
    let exports = read_exports(&folder);
    let files = list_sources(&folder);
    let rooms: BTreeSet<_> = files.iter().map(|file| find_room_name(file)).collect();
    let mut arrows = Arrows::new();
    for file in files {
        let (from, text) = (find_room_name(&file), fs::read_to_string(folder.join(&file)).unwrap());
        if from == "lib" {
            continue;
        }
        for to in Reader::new(&file, &exports).read_text(&text) {
            let is_crate = EVERYBODY.contains(&to.as_str()) || to == "hookbox_agents";
            assert!(
                rooms.contains(&to) || is_crate,
                "{file}: `crate::{to}` is neither a room nor exported by lib.rs"
            );
            if !EVERYBODY.contains(&to.as_str()) {
                let to = to.trim_start_matches("hookbox_").to_owned();
                arrows.entry((from.clone(), to)).or_insert_with(|| format!("{library}/{file}"));
            }
        }
    }
    arrows
}

/// Returns the names that lib.rs exports, with their rooms.
fn read_exports(library: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(library.join("lib.rs")).unwrap();
    let mut exports = BTreeMap::from([("model".to_owned(), "model".to_owned())]);
    let tokens: Vec<_> = TokenStream::from_str(&text).unwrap().into_iter().collect();
    for statement in tokens.split(|token| is_punct(token, ';')) {
        let Some(at) = statement.iter().position(|token| is_word(token, "use")) else { continue };
        let room = statement[at + 1].to_string();
        for name in collect_names(&statement[at + 2..]) {
            exports.insert(name, room.clone());
        }
    }
    exports
}

fn collect_names(tokens: &[TokenTree]) -> Vec<String> {
    tokens
        .iter()
        .flat_map(|token| match token {
            TokenTree::Ident(name) => vec![name.to_string()],
            TokenTree::Group(group) => collect_names(&group.stream().into_iter().collect::<Vec<_>>()),
            _ => Vec::new(),
        })
        .collect()
}

/// Returns the dependencies between the workspace's crates, from their manifests.
fn list_crates() -> Arrows {
    let mut arrows = Arrows::new();
    for manifest in list_manifests() {
        let text = fs::read_to_string(manifest_folder().join(&manifest)).unwrap();
        let section = |line: &&str| line.starts_with('[');
        let package = text.lines().skip_while(|line| *line != "[package]");
        let name = package.clone().find_map(|line| line.strip_prefix("name = ")).unwrap().trim_matches('"');
        let dependencies = text.lines().skip_while(|line| *line != "[dependencies]").skip(1);
        let ours = dependencies.take_while(|line| !section(line)).filter(|line| line.starts_with("hookbox"));
        for line in ours {
            let to = line.split(['.', ' ', '=']).next().unwrap();
            arrows.insert((name.to_owned(), to.to_owned()), manifest.clone());
        }
    }
    arrows
}

/// Returns the manifests of the root, of each crate below `host`, and of the generators and the packages for other languages.
fn list_manifests() -> Vec<String> {
    let folders = fs::read_dir(manifest_folder().join("host")).unwrap();
    let names = folders.map(|folder| folder.unwrap().file_name().into_string().unwrap());
    let crates = names
        .map(|name| format!("host/{name}/Cargo.toml"))
        .filter(|file| manifest_folder().join(file).exists());
    let others = [
        "Cargo.toml",
        "host/xtask/generate/Cargo.toml",
        "packages/python/Cargo.toml",
        "packages/node/Cargo.toml",
    ]
    .map(str::to_owned);
    crates.chain(others).collect()
}

fn manifest_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the Rust files below a folder except for its tests, relative to it.
fn list_sources(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(here) = folders.pop() {
        for entry in fs::read_dir(&here).unwrap() {
            let path = entry.unwrap().path();
            let is_test = path.file_stem().is_some_and(|name| name == "tests");
            if path.is_dir() && !is_test {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
                files.push(path.strip_prefix(folder).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    files.sort();
    files
}

fn find_room_name(file: &str) -> String {
    file.split(['/', '.']).next().unwrap().to_owned()
}

fn is_punct(token: &TokenTree, punct: char) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == punct)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(found) if found == word)
}

/// Reads which rooms a file names.
struct Reader<'a> {
    /// The file's module: `["chain", "call"]`.
    module: Vec<String>,
    exports: &'a BTreeMap<String, String>,
    found: BTreeSet<String>,
}

impl<'a> Reader<'a> {
    fn new(file: &str, exports: &'a BTreeMap<String, String>) -> Self {
        let module = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        Self { module, exports, found: BTreeSet::new() }
    }

    fn read_text(mut self, text: &str) -> BTreeSet<String> {
        self.read_tokens(TokenStream::from_str(text).unwrap(), 0);
        self.found.remove(&self.module[0]);
        self.found
    }

    /// Reads tokens. `depth` is that of the modules in the file around them.
    fn read_tokens(&mut self, tokens: TokenStream, depth: usize) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            let rest = &tokens[at..];
            at += match rest {
                [hash, TokenTree::Group(attribute), after @ ..]
                    if is_punct(hash, '#')
                        && attribute.stream().to_string().replace(' ', "") == "cfg(test)" =>
                {
                    2 + item_length(after)
                }
                [word, TokenTree::Ident(_), TokenTree::Group(body), ..] if is_word(word, "mod") => {
                    self.read_tokens(body.stream(), depth + 1);
                    3
                }
                [word, ..] if is_word(word, "crate") || is_word(word, "super") => self.read_path(rest, depth),
                [TokenTree::Group(group), ..] => {
                    self.read_tokens(group.stream(), depth);
                    1
                }
                _ => 1,
            };
        }
    }

    /// Reads a path that begins with `crate` or `super`; returns the number of its tokens.
    fn read_path(&mut self, tokens: &[TokenTree], depth: usize) -> usize {
        let above = tokens.chunks(3).take_while(|step| is_word(&step[0], "super")).count();
        // Each `super::` is three tokens.
        let read = if above == 0 { 3 } else { 3 * above };
        let up = if above == 0 { self.module.len() + depth } else { above };
        if let Some(next) = tokens.get(read) {
            self.record_target(next, up, depth);
        }
        // The following tokens are parsed as usual: a group has paths of its own.
        read
    }

    /// Records the item that a path refers to after so many steps up.
    fn record_target(&mut self, token: &TokenTree, up: usize, depth: usize) {
        let height = self.module.len() + depth;
        match token {
            TokenTree::Ident(name) if up >= height => {
                let name = name.to_string();
                self.found.insert(self.exports.get(&name).cloned().unwrap_or(name));
            }
            // A glob import of the root: the used rooms are unknown.
            TokenTree::Punct(_) if up >= height => {
                self.found.insert("*".to_owned());
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let items: Vec<_> = group.stream().into_iter().collect();
                for item in items.split(|token| is_punct(token, ',')) {
                    let above = item.chunks(3).take_while(|step| is_word(&step[0], "super")).count();
                    if let Some(first) = item.get(3 * above) {
                        self.record_target(first, up + above, depth);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns the number of tokens in the next item: to its body or its semicolon.
fn item_length(tokens: &[TokenTree]) -> usize {
    let end = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        other => is_punct(other, ';'),
    };
    tokens.iter().position(end).map_or(tokens.len(), |at| at + 1)
}
