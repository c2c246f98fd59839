//! The line at which a file has one of its entries.

use hookbox_model::RawObject;
use serde_json::value::RawValue;
use toml::de::{DeTable, DeValue};

use crate::yaml;

/// A step from a value to one in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<'p> {
    Member(&'p str),
    Item(usize),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Language {
    Json,
    Toml,
    Yaml,
}

/// Returns the line of the value at `place` (`hooks.PreToolUse[0].hooks[1]`), from 1; 0 if there is no such value.
pub(crate) fn find_line(text: &str, language: Language, place: &str) -> usize {
    let steps = parse_steps(place);
    let at = match language {
        Language::Json => find_in_json(text, &steps),
        Language::Toml => find_in_toml(text, &steps),
        Language::Yaml => return yaml::find_line(text, &steps).unwrap_or_default(),
    };
    let before = at.and_then(|at| text.get(..at));
    before.map_or(0, |before| before.matches('\n').count() + 1)
}

fn parse_steps(place: &str) -> Vec<Step<'_>> {
    let members = place.split('.').flat_map(|part| {
        let mut parts = part.split('[');
        let member = parts.next().map(Step::Member);
        let items = parts.filter_map(|item| item.strip_suffix(']')?.parse().ok().map(Step::Item));
        member.into_iter().chain(items)
    });
    members.collect()
}

/// Returns the byte offset of the value in acceptable JSON.
fn find_in_json(text: &str, steps: &[Step<'_>]) -> Option<usize> {
    let mut value: &RawValue = serde_json::from_str(text).ok()?;
    for step in steps {
        value = match step {
            Step::Member(name) => RawObject::parse(value.get()).ok()?.get(name)?,
            Step::Item(number) => *serde_json::from_str::<Vec<&RawValue>>(value.get()).ok()?.get(*number)?,
        };
    }
    // The value is a part of the text.
    Some(value.get().as_ptr().addr() - text.as_ptr().addr())
}

fn find_in_toml(text: &str, steps: &[Step<'_>]) -> Option<usize> {
    let file = DeTable::parse(text).ok()?;
    let (first, rest) = steps.split_first()?;
    let Step::Member(name) = first else { return None };
    let mut value = file.get_ref().get(*name)?;
    for step in rest {
        value = match (step, value.get_ref()) {
            (Step::Member(name), DeValue::Table(table)) => table.get(*name)?,
            (Step::Item(number), DeValue::Array(items)) => items.get(*number)?,
            _ => return None,
        };
    }
    Some(value.span().start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_found_in_each_language() {
        let json = "{\"x\": [{\"}\": \"]\\\"\"}, 1],\n \"hooks\": {\"A\": [],\n\"PreToolUse\": [\n{\"hooks\": [\n{}, {\"a\":1},\n\n{}]}]}}";
        for (place, expected) in [
            ("hooks", 2),
            ("hooks.PreToolUse[0]", 4),
            ("hooks.PreToolUse[0].hooks[1]", 5),
            ("hooks.PreToolUse[0].hooks[2]", 7),
            ("hooks.PreToolUse[1]", 0),
            ("hooks.Other[0]", 0),
        ] {
            assert_eq!(find_line(json, Language::Json, place), expected, "{place}");
        }
        let toml = "a = 1\n\n[[hooks]]\nevent = 'x'\n\n[[hooks]]\nevent = 'y'\n";
        assert_eq!(find_line(toml, Language::Toml, "hooks[0]"), 3);
        assert_eq!(find_line(toml, Language::Toml, "hooks[1]"), 6);
        assert_eq!(find_line(toml, Language::Toml, "hooks[2]"), 0);
        let yaml = "# x\nhooks:\n  pre_request:\n    - name: a\n      config: {b: [1, 2]}\n    - name: c\n  post_response:\n    - name: d\n";
        assert_eq!(find_line(yaml, Language::Yaml, "hooks.pre_request[0]"), 4);
        assert_eq!(find_line(yaml, Language::Yaml, "hooks.pre_request[1]"), 6);
        assert_eq!(find_line(yaml, Language::Yaml, "hooks.post_response[0]"), 8);
        assert_eq!(find_line(yaml, Language::Yaml, "hooks.post_response[1]"), 0);
    }
}
