//! The entry of an added plugin in the text of a `hooks.toml`: added, changed and removed, with the rest of the text kept byte
//! for byte. The result is read as any other configuration before it is written.

use std::{error::Error, fmt, ops::Range};

use hookbox::{
    Sha256Digest,
    model::{Grants, Json, JsonError, Role, ToolClass},
};
use toml::de::{DeTable, DeValue};

use crate::plugin_lock::quote_toml;

/// A hook that calls an added plugin.
#[derive(Clone, Debug)]
pub struct PluginEntry {
    /// The hook's name.
    pub name: String,
    /// Its events, as in `on`.
    pub on: Vec<String>,
    /// The classes of the tools that it is for; empty for any tool.
    pub classes: Vec<ToolClass>,
    /// Its role, if it is not the default.
    pub role: Option<Role>,
    /// The plugin's file, relative to the folder of `hooks.toml`.
    pub path: String,
    /// Digest of the plugin's file.
    pub sha256: Sha256Digest,
    /// Granted capabilities.
    pub grants: Grants,
    /// Its settings, as an inline table of TOML.
    pub config: Option<String>,
}

/// Returns the first line of an added entry, which is removed with the entry.
fn format_remark(name: &str) -> String {
    format!("# Added by `hookbox plugin add`; `hookbox plugin remove {name}` takes it out again.\n")
}

impl PluginEntry {
    /// Returns its lines.
    pub fn lines(&self) -> String {
        format!("{}{}", format_remark(&self.name), self.bare_lines())
    }

    /// Returns its lines without the remark that `plugin add` puts before them.
    pub fn bare_lines(&self) -> String {
        let Self { name, on, classes, role, path, sha256, grants, config } = self;
        let mut lines = String::new();
        let mut line = |text: &str| {
            lines.push_str(text);
            lines.push('\n');
        };
        line("[[hook]]");
        line(&format!("name = {}", quote_toml(name)));
        line(&format!("on = {}", one_or_list(on.iter().map(String::as_str))));
        if !classes.is_empty() {
            line(&format!(
                "tool = {{ class = {} }}",
                one_or_list(classes.iter().map(|class| class.as_str()))
            ));
        }
        if let Some(role) = role {
            line(&format!("role = \"{role}\""));
        }
        line(&format!("wasm = {}", format_pinned(path, sha256)));
        if *grants != Grants::default() {
            line(&grants.line());
        }
        if let Some(config) = config {
            line(&format!("config = {config}"));
        }
        lines
    }

    /// Returns the text with the entry at its end.
    pub fn added_to(&self, text: &str) -> String {
        let between = match text {
            "" => "",
            text if text.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        // At the end, since in TOML every line after a header belongs to that table.
        format!("{text}{between}{}", self.lines())
    }
}

fn format_pinned(path: &str, sha256: &Sha256Digest) -> String {
    format!("{{ path = {}, sha256 = \"{}\" }}", quote_toml(path), sha256.as_str())
}

fn one_or_list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<_> = words.map(quote_toml).collect();
    match words.as_slice() {
        [one] => one.clone(),
        words => format!("[{}]", words.join(", ")),
    }
}

/// Reason why settings have no form in TOML.
#[derive(Debug, thiserror::Error)]
pub enum UnconvertibleSettings {
    /// The text is not a JSON object.
    #[error(transparent)]
    Json(JsonError),
    /// The settings contain `null`, or another value that TOML cannot express.
    #[error(transparent)]
    Toml(serde_json::Error),
}

/// Converts settings to the inline table of TOML for an entry.
///
/// # Errors
///
/// The text is not a JSON object, or contains `null`, which TOML cannot express.
pub fn convert_settings(json: &str) -> Result<String, UnconvertibleSettings> {
    let json = Json::parse_object(json).map_err(UnconvertibleSettings::Json)?;
    let table: toml::Table = serde_json::from_str(json.as_str()).map_err(UnconvertibleSettings::Toml)?;
    Ok(toml::Value::Table(table).to_string())
}

/// An entry is written in a form that hookbox does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryChangedByHand;

impl fmt::Display for EntryChangedByHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("its entry was edited by hand, in a form that hookbox does not change")
    }
}

impl Error for EntryChangedByHand {}

/// Returns the text in which the entry of this name calls this file, with these grants if any are passed.
///
/// # Errors
///
/// The entry does not exist, or its `wasm` or `grant` is not an inline table.
pub fn repin_entry(
    text: &str,
    name: &str,
    (path, sha256): (&str, &Sha256Digest),
    grants: Option<&Grants>,
) -> Result<String, EntryChangedByHand> {
    let root = DeTable::parse(text).map_err(|_| EntryChangedByHand)?;
    let Place { entry, .. } = find_entry(root.get_ref(), text, name).ok_or(EntryChangedByHand)?;
    let mut changes = vec![(
        find_inline_range(entry, text, "wasm").ok_or(EntryChangedByHand)?,
        format_pinned(path, sha256),
    )];
    match grants {
        None => {}
        Some(grants) if entry.contains_key("grant") => {
            let is_nothing = *grants == Grants::default();
            let line = if is_nothing { "{}".to_owned() } else { grants.line() };
            let table = line.trim_start_matches("grant = ").to_owned();
            changes.push((find_inline_range(entry, text, "grant").ok_or(EntryChangedByHand)?, table));
        }
        Some(grants) => {
            let name = entry.get("name").ok_or(EntryChangedByHand)?.span();
            // Not at the end of the entry, where the line could belong to a table of it, such as `[hook.config]`.
            let behind = end_of_line(text, name.end);
            let is_ended = text.get(..behind).is_some_and(|before| before.ends_with('\n'));
            let line = grants.line();
            changes.push((behind..behind, if is_ended { format!("{line}\n") } else { format!("\n{line}") }));
        }
    }
    changes.sort_by_key(|(range, _)| range.start);
    let mut text = text.to_owned();
    // Backwards, so that the positions of the remaining changes stay valid.
    for (range, with) in changes.into_iter().rev() {
        text.replace_range(range, &with);
    }
    Ok(text)
}

/// Returns the text without the entry of this name and the line that was added before it.
///
/// # Errors
///
/// The entry does not exist, or is not a `[[hook]]` table.
pub fn taken_out(text: &str, name: &str) -> Result<String, EntryChangedByHand> {
    let root = DeTable::parse(text).map_err(|_| EntryChangedByHand)?;
    let Place { header, entry } = find_entry(root.get_ref(), text, name).ok_or(EntryChangedByHand)?;
    let last = entry.iter().map(|(key, value)| key.span().end.max(end_of(value))).max();
    let end = end_of_line(text, last.unwrap_or(header.end).max(header.end));
    let before = text.get(..header.start).unwrap_or_default();
    let before = before.strip_suffix(&format_remark(name)).unwrap_or(before);
    let before = if before.ends_with("\n\n") || before == "\n" {
        before.strip_suffix('\n').unwrap_or(before)
    } else {
        before
    };
    let rest = text.get(end..).unwrap_or_default();
    // An entry added behind it was separated by an empty line; no file begins with one.
    let rest = if before.is_empty() { rest.strip_prefix('\n').unwrap_or(rest) } else { rest };
    Ok(format!("{before}{rest}"))
}

struct Place<'t> {
    /// The line `[[hook]]`.
    header: Range<usize>,
    entry: &'t DeTable<'t>,
}

/// Finds the entry of this name, if it has a line `[[hook]]` of its own.
fn find_entry<'t>(root: &'t DeTable<'t>, text: &str, name: &str) -> Option<Place<'t>> {
    let hooks = root.get("hook")?.get_ref().as_array()?;
    hooks.iter().find_map(|item| {
        let DeValue::Table(entry) = item.get_ref() else { return None };
        let is_it = entry.get("name")?.get_ref().as_str() == Some(name);
        let header = item.span();
        // An entry of an inline array (`hook = [{ … }]`) has no lines of its own that could be removed.
        let stands_alone = text.get(header.clone())?.starts_with("[[")
            && text.get(..header.start)?.rsplit('\n').next().is_none_or(|before| before.trim().is_empty());
        (is_it && stands_alone).then_some(Place { header, entry })
    })
}

fn find_inline_range(entry: &DeTable<'_>, text: &str, key: &str) -> Option<Range<usize>> {
    let range = entry.get(key)?.span();
    text.get(range.clone())?.starts_with('{').then_some(range)
}

/// Returns the end of a value, including everything in it.
fn end_of(value: &toml::Spanned<DeValue<'_>>) -> usize {
    let own = value.span().end;
    let inner = match value.get_ref() {
        DeValue::Table(table) => table.iter().map(|(key, value)| key.span().end.max(end_of(value))).max(),
        DeValue::Array(items) => items.iter().map(end_of).max(),
        _ => None,
    };
    inner.map_or(own, |inner| inner.max(own))
}

/// Returns the start of the line after this position.
fn end_of_line(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |end| at + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_entry() -> PluginEntry {
        PluginEntry {
            name: "guard".to_owned(),
            on: vec!["tool.before".to_owned()],
            classes: vec![ToolClass::Shell],
            role: None,
            path: "plugins/guard.wasm".to_owned(),
            sha256: Sha256Digest::of_content(b"one"),
            grants: Grants::default(),
            config: None,
        }
    }

    const OTHERS: [&str; 6] = [
        "",
        "# mine\n",
        "# mine\r\nversion = 1\r\n",
        "[[hook]]\nname = \"x\" # odd\n\n\n",
        "[[hook]]\nname = \"x\"\n[hook.config]\na = 1\n",
        "version = 1 # no end of the line\n",
    ];

    #[test]
    fn what_was_added_is_taken_out_again_and_the_rest_is_as_it_was() {
        for before in OTHERS {
            let added = make_entry().added_to(before);
            assert!(added.starts_with(before), "{added}");
            assert_eq!(taken_out(&added, "guard").unwrap(), before);
        }
        assert_eq!(taken_out(&make_entry().added_to("version = 1"), "guard").unwrap(), "version = 1\n");
    }

    #[test]
    fn of_two_that_were_added_either_is_taken_out_as_if_it_had_never_been_there() {
        let other = PluginEntry { name: "other".to_owned(), ..make_entry() };
        for before in OTHERS {
            let both = other.added_to(&make_entry().added_to(before));
            assert_eq!(taken_out(&both, "guard").unwrap(), other.added_to(before));
            assert_eq!(taken_out(&both, "other").unwrap(), make_entry().added_to(before));
        }
    }

    #[test]
    fn what_stands_behind_an_entry_stays_with_its_remarks() {
        let behind = "\n# of the next\n[[hook]]\nname = \"y\"\n";
        let more = "timeout = \"1s\" # mine\n[hook.config]\na = [\n  1,\n]\n[hook.config.b]\nc = 2\n";
        let text = format!("{}{more}{behind}", make_entry().added_to("# first\n"));
        assert_eq!(taken_out(&text, "guard").unwrap(), format!("# first\n{behind}"));
    }

    #[test]
    fn another_file_is_pinned_in_the_same_place_and_grants_are_put_in() {
        let two = Sha256Digest::of_content(b"two");
        let text = make_entry().added_to("# first\n") + "timeout = \"1s\" # mine\n";
        let file = ("plugins/guard.js", &two);
        let changed = repin_entry(&text, "guard", file, None).unwrap();
        let one = Sha256Digest::of_content(b"one");
        let wasm = |path: &str, digest: &Sha256Digest| {
            format!("path = \"{path}\", sha256 = \"{}\"", digest.as_str())
        };
        let expected = text.replace(&wasm("plugins/guard.wasm", &one), &wasm("plugins/guard.js", &two));
        assert_eq!(changed, expected);
        let clock = Grants { clock: true, ..Grants::default() };
        let granted = repin_entry(&text, "guard", file, Some(&clock)).unwrap();
        let line = "name = \"guard\"\n";
        assert_eq!(granted, expected.replace(line, &format!("{line}grant = {{ clock = true }}\n")));
        let both = Grants { random: true, ..clock };
        let again = repin_entry(&granted, "guard", file, Some(&both)).unwrap();
        assert_eq!(again, granted.replace("clock = true", "clock = true, random = true"));
    }

    #[test]
    fn an_entry_in_other_words_is_left_to_its_author() {
        let file = ("plugins/guard.wasm", &Sha256Digest::of_content(b"two"));
        for text in [
            "hook = [{ name = \"guard\" }]",
            "[[hook]]\nname = \"guard\"\n[hook.wasm]\npath = \"a\"\n",
            "[[hook]]\nname = \"other\"\nwasm = {}\n",
            "no toml",
        ] {
            assert_eq!(repin_entry(text, "guard", file, None), Err(EntryChangedByHand), "{text}");
        }
        for text in ["hook = [{ name = \"guard\" }]", "[[hook]]\nname = \"other\"\n", "no toml"] {
            assert_eq!(taken_out(text, "guard"), Err(EntryChangedByHand), "{text}");
        }
    }
}
