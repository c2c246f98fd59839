//! Line numbers of values.

use saphyr_parser::{Event, Parser};

use crate::agent_hook_file::Step;

/// A list or mapping that was entered.
enum Open {
    List(usize),
    /// The key whose value comes next.
    Mapping(Option<String>),
}

/// Returns the line of the value at the end of these steps, from 1. The target of an alias is at the alias's line.
pub(crate) fn find_line(text: &str, steps: &[Step<'_>]) -> Option<usize> {
    let mut open: Vec<Open> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.ok()?;
        match &event {
            Event::Scalar(key, ..) if is_key(&open) => {
                set_key(&mut open, Some(key.to_string()));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                open.pop();
                end_value(&mut open);
                continue;
            }
            Event::Scalar(..) | Event::Alias(_) | Event::SequenceStart(..) | Event::MappingStart(..) => {}
            _ => continue,
        }
        if leads_here(&open, steps) {
            return Some(span.start.line());
        }
        match event {
            Event::SequenceStart(..) => open.push(Open::List(0)),
            Event::MappingStart(..) => open.push(Open::Mapping(None)),
            _ => end_value(&mut open),
        }
    }
    None
}

fn is_key(open: &[Open]) -> bool {
    matches!(open.last(), Some(Open::Mapping(None)))
}

fn set_key(open: &mut [Open], key: Option<String>) {
    if let Some(Open::Mapping(place)) = open.last_mut() {
        *place = key;
    }
}

fn end_value(open: &mut [Open]) {
    match open.last_mut() {
        Some(Open::List(number)) => *number += 1,
        Some(Open::Mapping(key)) => *key = None,
        None => {}
    }
}

fn leads_here(open: &[Open], steps: &[Step<'_>]) -> bool {
    open.len() == steps.len()
        && open.iter().zip(steps).all(|(open, step)| match (open, step) {
            (Open::List(number), Step::Item(wanted)) => number == wanted,
            (Open::Mapping(Some(key)), Step::Member(wanted)) => key == wanted,
            _ => false,
        })
}
