//! The table `[build]`: the language of a plugin, for `hookbox plugin build`. It is not part of the manifest.

use std::path::{Component, Path};

use hookbox_port::hookfile::{PlacedProblem, did_you_mean, quote_word};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

pub(super) const TABLE: &str = "build";

/// Languages that `hookbox plugin build` supports.
pub const LANGUAGES: [&str; 8] =
    ["rust", "javascript", "typescript", "python", "c", "zig", "assemblyscript", "go"];

/// Other names of the languages: file extensions, common names, runtimes.
const MEANT: [(&str, &str); 11] = [
    ("rs", "rust"),
    ("js", "javascript"),
    ("mjs", "javascript"),
    ("node", "javascript"),
    ("nodejs", "javascript"),
    ("ts", "typescript"),
    ("mts", "typescript"),
    ("py", "python"),
    ("as", "assemblyscript"),
    ("asc", "assemblyscript"),
    ("golang", "go"),
];

/// Returns the language with this other name, or the word itself.
pub fn resolve_alias(word: &str) -> &str {
    MEANT.iter().find(|(other, _)| other.eq_ignore_ascii_case(word)).map_or(word, |&(_, language)| language)
}

/// Build settings of a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// One of [`LANGUAGES`].
    pub language: String,
    /// Path of the source, relative to the folder of `plugin.toml` and within it; `None` is the language's default place.
    pub source: Option<String>,
}

/// Parses the table; adds its errors to `found`.
pub(super) fn parse_table(root: &DeTable<'_>, found: &mut Vec<PlacedProblem>) -> Option<Build> {
    let (key, value) = root.get_key_value(TABLE)?;
    let Some(table) = value.get_ref().as_table() else {
        found.push(
            PlacedProblem::error(value.span(), "`build` is not a table")
                .help("write [build] on a line of its own"),
        );
        return None;
    };
    let source = table.get("source").and_then(|source| parse_inner_path(source, found));
    let Some(language) = table.get("language") else {
        let help = format!("allowed: {}", LANGUAGES.join(", "));
        let header = key.span().start.saturating_sub(1)..key.span().end + 1;
        found.push(PlacedProblem::error(header, "`build` says no `language`").help(help));
        return None;
    };
    Some(Build { language: check_language(language, found)?, source })
}

fn check_language(language: &Spanned<DeValue<'_>>, found: &mut Vec<PlacedProblem>) -> Option<String> {
    let name = language.get_ref().as_str().unwrap_or_default();
    if LANGUAGES.contains(&name) {
        return Some(name.to_owned());
    }
    let message = format!("`language` is {}, which `hookbox plugin build` does not know", quote_word(name));
    found.push(
        PlacedProblem::error(language.span(), message).help(did_you_mean(resolve_alias(name), &LANGUAGES)),
    );
    None
}

/// Parses a path that stays within the folder.
fn parse_inner_path(source: &Spanned<DeValue<'_>>, found: &mut Vec<PlacedProblem>) -> Option<String> {
    let path = source.get_ref().as_str().unwrap_or_default();
    let stays = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if stays && !path.is_empty() && !path.chars().any(char::is_control) {
        return Some(path.to_owned());
    }
    let help = "write it from the folder of plugin.toml, without `..`: source = \"src/hook.zig\"";
    found.push(
        PlacedProblem::error(source.span(), "`source` is not a path within the plugin's folder").help(help),
    );
    None
}
