//! Hooks that are there twice.

use std::collections::{BTreeMap, HashMap, hash_map};

use hookbox_model::EventName;

use super::{
    entry::Entry,
    excerpt::Lines,
    report::{Found, Report},
    suggest::quoted,
};
use crate::hook::{HandlerSpec, HookSpec};

/// Reports each entry whose name an earlier one has, and marks it to be left out.
pub(super) fn mark_repeated_names(entries: &mut [Entry<'_>], lines: &Lines<'_>, report: &mut Report) {
    let mut first = HashMap::new();
    for entry in entries {
        let Some(name) = entry.name() else { continue };
        match first.entry(*name.get_ref()) {
            hash_map::Entry::Vacant(place) => {
                place.insert(lines.line(name.span().start));
            }
            hash_map::Entry::Occupied(line) => {
                entry.repeats = true;
                let error =
                    Found::error(name.span(), format!("the name {} is taken", quoted(name.get_ref())));
                report.add(error.help(format!("the first hook of this name is on line {}", line.get())));
            }
        }
    }
}

/// Warns of hooks that would call the same thing with the same settings twice for one event.
pub(super) fn warn_of_same_calls(hooks: &[(&Entry<'_>, HookSpec)], report: &mut Report) {
    let mut calls: BTreeMap<String, Vec<&(&Entry<'_>, HookSpec)>> = BTreeMap::new();
    for pair in hooks {
        let (handler, config, tool) = (call(&pair.1.handler), &pair.1.config, &pair.1.tool);
        calls.entry(format!("{handler} {config:?} {tool:?}")).or_default().push(pair);
    }
    for same in calls.values().filter(|same| same.len() > 1) {
        warn_of_same_events(same, report);
    }
}

fn warn_of_same_events(hooks: &[&(&Entry<'_>, HookSpec)], report: &mut Report) {
    let mut called: HashMap<&EventName, &str> = HashMap::new();
    for (entry, hook) in hooks {
        let earlier = hook.events.iter().find_map(|event| Some((event, *called.get(event)?)));
        if let Some((event, first)) = earlier {
            let message =
                format!("`{}` does the same as `{first}`, which is called for `{event}` too", hook.name);
            report.add(Found::warning(entry.span(), message));
        }
        for event in &hook.events {
            called.entry(event).or_insert(&hook.name);
        }
    }
}

/// All of a handler: `Debug` of a webhook leaves out what tells one from another.
fn call(handler: &HandlerSpec) -> String {
    match handler {
        HandlerSpec::Webhook(webhook) => {
            format!("{webhook:?} {} {:?}", webhook.url, webhook.headers)
        }
        other => format!("{other:?}"),
    }
}
