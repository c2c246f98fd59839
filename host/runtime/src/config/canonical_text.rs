//! Canonical text of an entry: the user reads it before trusting the entry, and it identifies the trusted entry.
//!
//! Entries with equal content have equal text, wherever and in whatever layout they are written; entries with different
//! content have different texts. The text has no characters that can disturb a terminal.

use std::collections::BTreeSet;

use toml::de::{DeTable, DeValue};

use super::syntax;
use crate::hookfile::Source;

/// The entries of a project's file that the user trusts, by their canonical text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ReviewedEntries {
    /// No entry: all are untrusted.
    #[default]
    None,
    /// These entries.
    These(BTreeSet<String>),
    /// All entries: for the effect of the file if all of it were trusted.
    All,
}

impl ReviewedEntries {
    pub(super) fn has_entry(&self, entry: &DeTable<'_>) -> bool {
        match self {
            Self::None => false,
            Self::These(these) => these.contains(&text_of(entry)),
            Self::All => true,
        }
    }
}

/// Returns the canonical text of each entry of `hook`, in the order of the file.
pub fn canonical_entries(source: &Source) -> Vec<String> {
    let (root, _) = syntax::parse(&source.text);
    let Some(DeValue::Array(items)) = root.get("hook").map(toml::Spanned::get_ref) else {
        return Vec::new();
    };
    // An entry that is not a table keeps its index.
    items.iter().map(|item| item.get_ref().as_table().map(text_of).unwrap_or_default()).collect()
}

/// Returns a line for each value, sorted by name.
fn text_of(entry: &DeTable<'_>) -> String {
    let mut lines = Vec::new();
    add_lines("", entry, &mut lines);
    // The order of keys has no meaning in TOML: moving a key must not end the trust.
    lines.sort();
    lines.join("\n")
}

fn add_lines(above: &str, table: &DeTable<'_>, lines: &mut Vec<String>) {
    for (name, value) in table {
        let name = format!("{above}{}", name_text(name.get_ref()));
        match value.get_ref() {
            DeValue::Table(inner) if !inner.is_empty() => add_lines(&format!("{name}."), inner, lines),
            value => lines.push(format!("{name} = {}", value_text(value))),
        }
    }
}

fn name_text(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if !name.is_empty() && name.bytes().all(is_bare) { name.to_owned() } else { format!("{name:?}") }
}

fn value_text(value: &DeValue<'_>) -> String {
    match value {
        // Quoted as Rust does: invisible characters are written as escapes.
        DeValue::String(text) => format!("{text:?}"),
        // The text includes the base (`0x`, `0o`, `0b`).
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| value_text(item.get_ref())).collect();
            format!("[{}]", items.join(", "))
        }
        DeValue::Table(inner) => {
            let mut parts: Vec<_> = inner
                .iter()
                .map(|(name, value)| {
                    format!("{} = {}", name_text(name.get_ref()), value_text(value.get_ref()))
                })
                .collect();
            parts.sort();
            format!("{{ {} }}", parts.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use hookbox_model::{Layer, TrustLevel};

    use super::*;

    fn written_of(text: &str) -> Vec<String> {
        canonical_entries(&Source {
            layer: Layer::Project,
            trust_level: TrustLevel::Untrusted,
            file: Some(PathBuf::from("/p/.hookbox/hooks.toml")),
            root: Some("/p".into()),
            plugins: crate::ShippedPlugins::default(),
            text: text.to_owned(),
        })
    }

    #[test]
    fn an_entry_is_written_alike_however_it_is_laid_out() {
        let short = "[[hook]]\nname = 'a'\non = ['tool.before', \"stop\"]\nshell = { argv = ['x', '1'], confine = {} }\n";
        let long = "# said again\n[[hook]]\non = [\n  'tool.before', # this\n  'stop',\n]\nname = \"\\u0061\"\n[hook.shell]\n\
                    argv = ['x', '1']\n[hook.shell.confine]\n";
        assert_eq!(written_of(short), written_of(long));
        assert_eq!(
            written_of(short),
            [
                "name = \"a\"\non = [\"tool.before\", \"stop\"]\nshell.argv = [\"x\", \"1\"]\nshell.confine = {  }"
            ]
        );
    }

    #[test]
    fn two_that_say_different_things_are_written_differently() {
        let values = [
            "'1'",
            "1",
            "1.0",
            "true",
            "'true'",
            "['1']",
            "[['1']]",
            "{}",
            "[]",
            "{ a = 1 }",
            "{ 'a.b' = 1 }",
            "{ a.b = 1 }",
            "{ a = 1, b = 2 }",
            "'a\" = 1'",
            "\"a\\nb = 1\"",
            "'a\\nb = 1'",
            "[{ a = 1 }]",
            "[{ a = 1, b = 2 }]",
            "[{ a = 1 }, { b = 2 }]",
            "''",
            "1979-05-27",
            "'1979-05-27'",
        ];
        let all: BTreeSet<_> = values
            .iter()
            .map(|value| {
                let written = written_of(&format!("[[hook]]\nconfig = {value}\n"));
                assert_eq!(written.len(), 1, "{value}");
                written.concat()
            })
            .collect();
        assert_eq!(all.len(), values.len(), "{all:#?}");
    }

    #[test]
    fn nothing_of_it_disturbs_a_terminal() {
        let text = "[[hook]]\nname = \"\\u001b]0;x\\u0007\\u202e\\u200b\\u00a0\"\n\"\\u001b\" = 1\n";
        assert_eq!(
            written_of(text),
            ["\"\\u{1b}\" = 1\nname = \"\\u{1b}]0;x\\u{7}\\u{202e}\\u{200b}\\u{a0}\""]
        );
    }
}
