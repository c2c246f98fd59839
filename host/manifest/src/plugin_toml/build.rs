//! The table `[build]`: the language of a plugin or the command that makes it, for `hookbox plugin build`. It is not part of the manifest.

use std::path::{Component, Path};

use hookbox_core::hookfile::{PlacedProblem, did_you_mean, quote_word};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::keys;

pub(super) const TABLE: &str = "build";

/// Key of a command of the project, and that of the file that it makes.
const COMMAND: &str = "command";
const OUTPUT: &str = "output";

/// Lines of a build by a command.
const COMMAND_EXAMPLE: &str = "command = [\"make\", \"hook.wasm\"] and output = \"hook.wasm\"";

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

/// Way of building a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Build {
    /// hookbox calls the tools of a language.
    Language(LanguageBuild),
    /// A command of the project makes the wasm file.
    Command(CommandBuild),
}

/// Build by the tools of a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageBuild {
    /// One of [`LANGUAGES`].
    pub language: String,
    /// Path of the source, relative to the folder of `plugin.toml` and within it; `None` is the language's default place.
    pub source: Option<String>,
}

/// Build by a command of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandBuild {
    /// The program and its arguments; not empty.
    pub argv: Vec<String>,
    /// Path of the wasm file that the command makes, relative to the folder of `plugin.toml` and within it.
    pub output: String,
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
    if let Some(command) = table.get(COMMAND) {
        return parse_command(table, command, found).map(Build::Command);
    }
    if let Some((output, _)) = table.get_key_value(OUTPUT) {
        let message = "`output` is the file that a `command` makes, and `build` has no `command`";
        found.push(PlacedProblem::error(output.span(), message).help(COMMAND_EXAMPLE));
    }
    let source = table.get("source").and_then(|source| parse_inner_path("source", source, found));
    let Some(language) = table.get("language") else {
        let help = format!("allowed: {}; for a tool of your own: {COMMAND_EXAMPLE}", LANGUAGES.join(", "));
        let header = key.span().start.saturating_sub(1)..key.span().end + 1;
        found.push(PlacedProblem::error(header, "`build` says no `language`").help(help));
        return None;
    };
    let language = check_language(language, found)?;
    Some(Build::Language(LanguageBuild { language, source }))
}

fn parse_command(
    table: &DeTable<'_>,
    command: &Spanned<DeValue<'_>>,
    found: &mut Vec<PlacedProblem>,
) -> Option<CommandBuild> {
    for other in ["language", "source"] {
        if let Some((key, _)) = table.get_key_value(other) {
            let message = format!("`build` has a `command`, which takes no `{other}`");
            found.push(PlacedProblem::error(key.span(), message).help("take one of the two out"));
        }
    }
    let argv = parse_argv(command);
    if argv.is_none() {
        let message =
            "`command` is not a list of a program and its arguments, all of them texts that are not empty";
        let help = format!("no shell reads it: {COMMAND_EXAMPLE}");
        found.push(PlacedProblem::error(command.span(), message).help(help));
    }
    let output = if let Some(output) = table.get(OUTPUT) {
        parse_inner_path(OUTPUT, output, found)
    } else {
        let message = "`command` has no `output`, the wasm file that it makes";
        found.push(PlacedProblem::error(command.span(), message).help(COMMAND_EXAMPLE));
        None
    };
    Some(CommandBuild { argv: argv?, output: output? })
}

/// Returns the words of a command; `None` if it is not a list of words.
fn parse_argv(command: &Spanned<DeValue<'_>>) -> Option<Vec<String>> {
    let items = command.get_ref().as_array()?;
    let word = |item: &Spanned<DeValue<'_>>| {
        let word = item.get_ref().as_str()?;
        (!word.is_empty() && !word.contains('\0')).then(|| word.to_owned())
    };
    items.iter().map(word).collect::<Option<Vec<_>>>().filter(|words| !words.is_empty())
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

/// Parses the path of this key, which stays within the folder.
fn parse_inner_path(
    key: &str,
    value: &Spanned<DeValue<'_>>,
    found: &mut Vec<PlacedProblem>,
) -> Option<String> {
    let path = value.get_ref().as_str().unwrap_or_default();
    let stays = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if stays && !path.is_empty() && !path.chars().any(char::is_control) {
        return Some(path.to_owned());
    }
    let example = keys::find_example(&format!("{TABLE}.{key}")).unwrap_or_default();
    let help = format!("write it from the folder of plugin.toml, without `..`: {example}");
    let message = format!("`{key}` is not a path within the plugin's folder");
    found.push(PlacedProblem::error(value.span(), message).help(help));
    None
}
