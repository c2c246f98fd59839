//! Configuration: reads the text of one layer's file, checks it and resolves it to hooks.
//!
//! The input is text, the output is [`HookSpec`]s and [`Problem`](crate::hookfile::Problem)s. No file is opened here,
//! no environment is read, and paths are joined by their text alone; the caller reads the files. All problems of a file
//! are returned together, each with its place. An entry with an error is left out and the others are returned: the
//! caller decides if a file with errors may be used.

mod canonical_text;
mod confine;
mod duplicates;
mod entry;
mod events;
mod foreign_contract;
mod grant;
mod hook_config;
mod key;
mod keys;
mod limits;
mod merge;
mod path;
mod projects;
mod report;
mod review;
mod schema;
mod size;
mod syntax;
mod table_shape;
mod target;
#[cfg(test)]
mod tests;
mod tool;
mod trust;
mod values;
mod webhook;

pub use canonical_text::{ReviewedEntries, canonical_entries};
pub use merge::merge_layers;
pub use schema::build_schema;

pub use crate::hookfile::{did_you_mean, find_nearest, quote_word};

use hookbox_model::{EventName, TrustLevel};
use toml::de::{DeString, DeTable, DeValue};

use self::{entry::Entry, report::Report};
use crate::{
    hook::HookSpec,
    hookfile::{Lines, Loaded, Source},
};

/// Most hooks of one file.
pub const MAX_HOOKS: usize = 10_000;

/// Most hooks of an untrusted file: every event pays for reading the file before the user has looked at it.
pub const MAX_UNKNOWN_HOOKS: usize = 100;

/// A dialect's name and its table of event names.
pub type DialectEvents<'a> = (&'a str, &'a [(&'static str, EventName)]);

type Value<'a> = toml::Spanned<DeValue<'a>>;

type Key<'a> = toml::Spanned<DeString<'a>>;

/// Reads one file. `dialects` are the names that `on` may use in addition to the canonical ones.
pub fn load(source: &Source, dialects: &[DialectEvents<'_>]) -> Loaded {
    load_reviewed(source, &ReviewedEntries::None, dialects)
}

/// Reads one untrusted file, some of whose entries the user trusts.
pub fn load_reviewed(source: &Source, reviewed: &ReviewedEntries, dialects: &[DialectEvents<'_>]) -> Loaded {
    let trusted =
        (Source { trust_level: TrustLevel::Reviewed, text: String::new(), ..source.clone() }, reviewed);
    // Before parsing, which for an endless text would take the time of the event.
    if let Some(problem) = source.too_large(source.text.len()) {
        return Loaded { problems: vec![problem], ..Loaded::default() };
    }
    let lines = Lines::from_text(&source.text);
    let mut report = Report::default();
    let (root, syntax) = syntax::parse(&source.text);
    table_shape::check_table(&root, 0..0, &keys::FILE, &mut report);
    let mut entries = collect_entries(&root, source, &trusted, &mut report);
    duplicates::mark_repeated_names(&mut entries, &lines, &mut report);
    let mut resolve = |entry| Some((entry, Entry::resolve_hook(entry, dialects, &lines, &mut report)?));
    let (mut enabled, disabled): (Vec<_>, Vec<_>) =
        entries.iter().filter_map(&mut resolve).partition(|(entry, _)| entry.enabled());
    duplicates::call_once(&mut enabled, &mut report);
    let projects = projects::resolve_switches(&root, source, &lines, &mut report);
    let log_off = projects::log_off(&root, source, &mut report);
    let profiles = confine::resolve_profiles(&root, source, &mut report);
    let whole = syntax.is_empty();
    report.replace_damaged(&source.text, syntax);
    let hooks = |list: Vec<(&Entry<'_>, HookSpec)>| {
        list.into_iter().map(|(_, hook)| hook).filter(|_| whole).collect()
    };
    Loaded {
        hooks: hooks(enabled),
        disabled: hooks(disabled),
        projects,
        log_off,
        waiting: report.waiting,
        // Filled in by the caller, which knows the trusted state.
        changed: Vec::new(),
        profiles,
        problems: report.into_problems(source, &lines),
    }
}

/// Returns the entries of `hook`, up to the maximum per file.
fn collect_entries<'a>(
    root: &'a DeTable<'a>,
    source: &'a Source,
    (trusted, reviewed): &'a (Source, &ReviewedEntries),
    report: &mut Report,
) -> Vec<Entry<'a>> {
    let Some(DeValue::Array(items)) = root.get("hook").map(toml::Spanned::get_ref) else {
        return Vec::new();
    };
    let most = if source.trust_level == TrustLevel::Untrusted { MAX_UNKNOWN_HOOKS } else { MAX_HOOKS };
    if let Some(item) = items.get(most) {
        let message =
            format!("this is hook {}, but the file may hold {most}; the rest is left out", most + 1);
        report.add_error(item.span(), message);
    }
    let is_reviewed =
        |item: &Value<'_>| item.get_ref().as_table().is_some_and(|entry| reviewed.has_entry(entry));
    let source_of = |item| if is_reviewed(item) { trusted } else { source };
    (1..)
        .zip(items)
        .take(most)
        .filter_map(|(number, item)| Entry::new(number, item, source_of(item)))
        .collect()
}
