//! Duplicate hooks.

use std::collections::{HashMap, hash_map};

use hookbox_model::EventName;

use super::{entry::Entry, quote_word, report::Report};
use crate::{
    HookSpec,
    hook::ContentDigest,
    hookfile::{Lines, PlacedProblem},
};

/// Reports each entry that has the name of an earlier one, and marks it to be left out.
pub(super) fn mark_repeated_names(entries: &mut [Entry<'_>], lines: &Lines<'_>, report: &mut Report) {
    let mut first = HashMap::new();
    for entry in entries {
        let Some(name) = entry.name() else { continue };
        match first.entry(*name.get_ref()) {
            hash_map::Entry::Vacant(place) => {
                place.insert(lines.find_line(name.span().start));
            }
            // The name identifies a hook in switches and reports, so a second hook of the name could not be
            // addressed.
            hash_map::Entry::Occupied(line) => {
                entry.repeats = true;
                let error = PlacedProblem::error(
                    name.span(),
                    format!("the name {} is taken", quote_word(name.get_ref())),
                );
                report.add_problem(
                    error.help(format!("the first hook of this name is on line {}", line.get())),
                );
            }
        }
    }
}

/// Removes from each hook the events for which an earlier hook makes an identical call: the call is made once, by the
/// hook that is written first.
pub(super) fn call_once(hooks: &mut Vec<(&Entry<'_>, HookSpec)>, report: &mut Report) {
    let mut calls: HashMap<(ContentDigest, EventName), String> = HashMap::new();
    for (entry, hook) in hooks.iter_mut() {
        let call = ContentDigest::of_call(hook);
        let earlier = |event: &EventName| calls.get(&(call, event.clone()));
        if let Some((event, first)) = hook.events.iter().find_map(|event| Some((event, earlier(event)?))) {
            let message = format!(
                "`{}` does the same as `{first}`, which is called for `{event}` too; it is called once",
                hook.name
            );
            report.add_problem(PlacedProblem::warning(entry.span(), message));
        }
        let events = std::mem::take(&mut hook.events);
        hook.events = events.into_iter().filter(|event| earlier(event).is_none()).collect();
        let own = hook.events.iter().map(|event| ((call, event.clone()), hook.name.clone()));
        calls.extend(own.collect::<Vec<_>>());
    }
    hooks.retain(|(_, hook)| !hook.events.is_empty());
}
