//! `on`: names and patterns of events, resolved to canonical names.

use hookbox_model::EventName;
use toml::{Spanned, de::DeTable};
use wildmatch::WildMatch;

use super::{DialectEvents, find_nearest, quote_word, report::Report, values};
use crate::hookfile::PlacedProblem;

/// Longest name of a custom event, bytes.
const MAX_CUSTOM_BYTES: usize = 128;

/// Help for a word in `on` that resembles no event name.
const ALLOWED: &str = "an event is a canonical name (tool.before), a pattern (tool.*), an agent's name (PreToolUse) or custom:…";

/// Prefix of event names that are in no table.
const CUSTOM: &str = "custom:";

/// Returns the events of a hook, each once, in the order of the file. With `needs_tool`, a pattern matches only events
/// that carry a tool, and a name of another event is reported.
pub(super) fn resolve_events(
    table: &DeTable<'_>,
    dialects: &[DialectEvents<'_>],
    needs_tool: bool,
    report: &mut Report,
) -> Vec<EventName> {
    let errors = report.errors();
    let items = values::get_texts(table, "on");
    let mut events = Vec::new();
    for item in items.iter().filter(|item| !item.get_ref().is_empty()) {
        let mut named = resolve_item(item, dialects, report);
        if needs_tool {
            keep_those_with_a_tool(item, &mut named, report);
        }
        named.retain(|event| !events.contains(event));
        events.append(&mut named);
    }
    if needs_tool && events.is_empty() && !items.is_empty() && report.errors() == errors {
        let span = table.get("tool").map(Spanned::span).unwrap_or_default();
        let error = PlacedProblem::error(span, "this hook can never match: no event of `on` carries a tool");
        report.add_problem(error.help("leave out `tool`, or use events of tool.* or permission.*"));
    }
    events
}

/// Returns true if an event of this name carries a tool, or may: for custom events that is not known.
pub(super) fn carries_tool(event: &EventName) -> bool {
    matches!(event, EventName::Custom(_)) || event.traits().moment.has_call()
}

fn keep_those_with_a_tool(item: &Spanned<&str>, events: &mut Vec<EventName>, report: &mut Report) {
    // A pattern means those of its events that fit, and a name means exactly its event.
    if is_pattern(item.get_ref()) {
        events.retain(carries_tool);
    } else if let Some(without) = events.iter().find(|event| !carries_tool(event)) {
        let message = format!("`{without}` carries no tool, so the hook never matches there");
        report.add_problem(
            PlacedProblem::warning(item.span(), message).help("make it two hooks, one without `tool`"),
        );
        events.retain(carries_tool);
    }
}

/// Returns the events of one item, and reports an item without events.
fn resolve_item(item: &Spanned<&str>, dialects: &[DialectEvents<'_>], report: &mut Report) -> Vec<EventName> {
    let word = *item.get_ref();
    if let Some(name) = word.strip_prefix(CUSTOM) {
        return parse_custom(item, name, report).into_iter().collect();
    }
    if let Some(event) = EventName::known(word) {
        return vec![event];
    }
    let dialect = word.split_once(':').and_then(|(prefix, rest)| {
        dialects.iter().find(|(name, _)| *name == prefix).map(|(_, table)| (*table, rest))
    });
    let pattern = WildMatch::new(dialect.map_or(word, |(_, rest)| rest));
    let events = match (is_pattern(word), dialect) {
        // A pattern without a dialect matches canonical names only, so that a new dialect never widens a hook.
        (true, None) => {
            EventName::KNOWN.iter().filter(|event| pattern.matches(event.as_str())).cloned().collect()
        }
        (true, Some((table, _))) => from_table(table, |name| pattern.matches(name)),
        (false, Some((table, rest))) => from_table(table, |name| name == rest),
        (false, None) => {
            dialects.iter().flat_map(|(_, table)| from_table(table, |name| name == word)).collect()
        }
    };
    if events.is_empty() {
        report_unknown(item, dialects, report);
    }
    events
}

fn from_table(table: &[(&str, EventName)], wanted: impl Fn(&str) -> bool) -> Vec<EventName> {
    table.iter().filter(|(name, _)| wanted(name)).map(|(_, event)| event.clone()).collect()
}

fn is_pattern(word: &str) -> bool {
    word.contains(['*', '?']) && !word.starts_with(CUSTOM)
}

fn report_unknown(item: &Spanned<&str>, dialects: &[DialectEvents<'_>], report: &mut Report) {
    let word = *item.get_ref();
    if is_pattern(word) {
        let error =
            PlacedProblem::error(item.span(), format!("the pattern {} matches no event", quote_word(word)));
        return report.add_problem(
            error.help("a pattern is one of canonical names (tool.*) or of one agent's (claude-code:*)"),
        );
    }
    let names = dialects.iter().flat_map(|(_, table)| table.iter().map(|(name, _)| *name));
    let allowed: Vec<_> = EventName::KNOWN.iter().map(EventName::as_str).chain(names).collect();
    // The name alone: the text in front of a colon names an agent, or was meant to.
    let bare = word.split_once(':').map_or(word, |(_, name)| name);
    let near = if report.is_full() { None } else { find_nearest(bare, &allowed) };
    let help = near.map_or_else(|| ALLOWED.to_owned(), |near| format!("did you mean `{near}`?"));
    report.add_problem(
        PlacedProblem::error(item.span(), format!("unknown event {}", quote_word(word))).help(help),
    );
}

fn parse_custom(item: &Spanned<&str>, name: &str, report: &mut Report) -> Option<EventName> {
    let wrong = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '*' | '?');
    let help = if EventName::known(name).is_some() {
        format!("it is a canonical event: write \"{name}\"")
    } else if name.is_empty() || name.len() > MAX_CUSTOM_BYTES || name.contains(wrong) {
        format!("after `custom:` comes a name of 1 to {MAX_CUSTOM_BYTES} bytes without blanks, `*` and `?`")
    } else {
        return Some(EventName::Custom(name.into()));
    };
    report.add_problem(
        PlacedProblem::error(item.span(), format!("{} is not a custom event", quote_word(name))).help(help),
    );
    None
}
