//! Lists of the manual against the code: recipes, places of things, ranges of limits, and the agents that are tables.

use std::{fs, path::Path};

use hookbox::model::Limit;

use crate::security::{find_function_names, read_functions};

/// Maximum number of files of a recipe.
const MAX_FILES: usize = 12;
/// The beginnings of paths from the root.
const FOLDERS: [&str; 8] = ["docs/", "examples/", "fuzz/", "host/", "plugins/", "sdk/", "tests/", "wit/"];

fn manifest_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read_text(path: &str) -> String {
    fs::read_to_string(manifest_folder().join(path)).unwrap()
}

/// Returns the section of the recipes.
fn read_recipes() -> String {
    let page = read_text("docs/internals/architecture.md");
    let (_, rest) = page.split_once("\n## Recipes\n").unwrap();
    rest.split("\n## ").next().unwrap().to_owned()
}

/// Returns the title of each recipe, and the number of its files.
fn count_files(recipes: &str) -> Vec<(&str, usize)> {
    let is_step = |line: &&str| {
        line.split_once(". ").is_some_and(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let parts = recipes.split("\n### ").skip(1);
    let counted = parts.map(|part| (part.lines().next().unwrap(), part.lines().filter(is_step).count()));
    counted.filter(|(_, files)| *files > 0).collect()
}

/// Returns the texts in backquotes.
fn find_quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns true if the path, up to its first placeholder, leads nowhere: `host/core/src/hook/<kind>.rs`.
fn is_missing(path: &str) -> bool {
    let known = path.split('<').next().unwrap();
    !manifest_folder().join(known).exists()
}

#[test]
fn each_of_ten_recipes_has_at_most_twelve_files() {
    let recipes = read_recipes();
    let counted = count_files(&recipes);
    assert_eq!(counted.len(), 10, "{counted:?}");
    let long: Vec<_> = counted.into_iter().filter(|(_, files)| *files > MAX_FILES).collect();
    assert_eq!(long, Vec::<(&str, usize)>::new());
}

#[test]
fn every_file_and_every_test_of_a_recipe_exists() {
    let (recipes, functions) = (read_recipes(), read_functions());
    let paths = find_quoted(&recipes).filter(|text| FOLDERS.iter().any(|folder| text.starts_with(folder)));
    assert_eq!(paths.filter(|path| is_missing(path)).collect::<Vec<_>>(), Vec::<&str>::new());
    let tests = find_function_names(&recipes);
    let idle: Vec<_> = tests.filter(|name| functions.get(*name) != Some(&true)).collect();
    assert_eq!(idle, Vec::<&str>::new());
}

#[test]
fn each_of_twenty_things_is_found_by_its_word() {
    let page = read_text("docs/internals/twenty-things.md");
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    let rows: Vec<Vec<&str>> = rows.map(|row| find_quoted(row).collect()).collect();
    assert_eq!(rows.len(), 20);
    for row in rows {
        let (word, place) = (row[0].to_lowercase(), row[1]);
        assert!(!is_missing(place), "{place} does not exist");
        let text = fs::read_to_string(manifest_folder().join(place)).unwrap_or_default();
        let is_found = place.contains(&word) || text.to_lowercase().contains(&word);
        assert!(is_found, "{place} has no {word}");
    }
}

/// Formats a value as the manual does: bytes in the largest binary unit, other numbers in groups of three digits.
fn format_value(limit: Limit, value: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let mut units = units.into_iter().filter(|(bits, _)| value.is_multiple_of(1_u64 << *bits));
    if let Some((bits, unit)) = units.next().filter(|_| limit.unit() == "bytes") {
        return format!("{} {unit}", value >> bits);
    }
    let digits = value.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(|group| std::str::from_utf8(group).unwrap()).collect::<Vec<_>>().join(",")
}

#[test]
fn the_manual_has_the_range_of_every_limit() {
    let page = read_text("docs/reference/configuration.md");
    // The timeout is a key of the hook, and the stack a setting of a host.
    let limits = Limit::all().filter(|limit| !["timeout", "stack"].contains(&limit.as_str()));
    let rows = limits.map(|limit| {
        let range = [limit.min(), limit.default_value(), limit.max()];
        format!("| `{limit}` | {} |", range.map(|value| format_value(limit, value)).join(" | "))
    });
    let missing: Vec<_> = rows.filter(|row| !page.contains(row)).collect();
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn the_first_page_has_at_most_150_lines() {
    let lines = read_text("README.md").lines().count();
    assert!(lines <= 150, "README.md has {lines} lines");
}

#[test]
fn the_first_hooks_of_the_manual_are_the_templates() {
    let page = read_text("docs/guide/first-hook.md");
    let shown = page.split("](../../").skip(1).filter_map(|part| part.split_once("):\n\n```"));
    let mut paths = Vec::new();
    for (path, rest) in shown {
        let (_, code) = rest.split_once('\n').unwrap();
        let (code, _) = code.split_once("```\n").unwrap();
        assert!(code == read_text(path), "{path} has another text");
        paths.push(path);
    }
    assert_eq!(paths.len(), 5, "{paths:?}");
}

#[test]
fn every_agent_that_is_a_table_is_in_the_list() {
    let own = read_text("host/agents/src/table.rs");
    let of_contracts = read_text("host/runtime/tests/dialect_contracts/tables.rs");
    let mut names = Vec::new();
    for entry in fs::read_dir(manifest_folder().join("host/agents/src")).unwrap() {
        let Ok(source) = fs::read_to_string(entry.unwrap().path()) else { continue };
        let Some((before, after)) = source.split_once(": TableDialect = ") else { continue };
        let constant = before.rsplit(' ').next().unwrap();
        let marks = ["TableDialect::new(\"", "    name: \""];
        let row = marks.iter().find_map(|mark| after.split_once(mark));
        let (_, row) = row.unwrap_or_else(|| panic!("{constant} names no agent"));
        let name = row.split('"').next().unwrap().to_owned();
        assert!(own.contains(&format!("::{constant},")), "host/agents/src/table.rs lacks {constant}");
        assert!(of_contracts.contains(&format!("\"{name}\",")), "tables.rs lacks {name}");
        names.push(name);
    }
    assert!(names.contains(&"openhands".to_owned()), "{names:?}");
}
