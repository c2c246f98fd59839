//! Hooks that are there twice.

use std::collections::{HashMap, hash_map};

use hookbox_model::EventName;

use super::{
    entry::Entry,
    excerpt::Lines,
    report::{Found, Report},
    suggest::quoted,
};
use crate::{
    foreign::ForeignCall,
    hook::{HandlerSpec, HookSpec},
};

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

/// Takes from each hook the events for which an earlier one makes the very same call: it is made once (hook-contracts,
/// rule 19). The hook that is written first makes it.
pub(super) fn call_once(hooks: &mut Vec<(&Entry<'_>, HookSpec)>, report: &mut Report) {
    let mut calls: HashMap<(String, EventName), String> = HashMap::new();
    for (entry, hook) in hooks.iter_mut() {
        let call = call(hook);
        let earlier = |event: &EventName| calls.get(&(call.clone(), event.clone()));
        if let Some((event, first)) = hook.events.iter().find_map(|event| Some((event, earlier(event)?))) {
            let message = format!(
                "`{}` does the same as `{first}`, which is called for `{event}` too; it is called once",
                hook.name
            );
            report.add(Found::warning(entry.span(), message));
        }
        let events = std::mem::take(&mut hook.events);
        hook.events = events.into_iter().filter(|event| earlier(event).is_none()).collect();
        let own = hook.events.iter().map(|event| ((call.clone(), event.clone()), hook.name.clone()));
        calls.extend(own.collect::<Vec<_>>());
    }
    hooks.retain(|(_, hook)| !hook.events.is_empty());
}

/// All that a call depends on. `Debug` of a webhook leaves out what tells one from another.
fn call(hook: &HookSpec) -> String {
    let HookSpec { handler, config, tool, role, on_failure, limits, .. } = hook;
    let hidden = match handler {
        HandlerSpec::Webhook(webhook) => Some(webhook),
        HandlerSpec::Foreign(foreign) => match &foreign.call {
            ForeignCall::Webhook(webhook) => Some(webhook),
            ForeignCall::Shell(_) | ForeignCall::Wasm(_) => None,
        },
        HandlerSpec::Wasm(_) | HandlerSpec::Shell(_) | HandlerSpec::Callback => None,
    };
    let hidden = hidden.map(|webhook| (&webhook.url, &webhook.headers));
    let handler = format!("{handler:?} {hidden:?}");
    format!("{handler} {config:?} {tool:?} {role:?} {on_failure:?} {limits:?}")
}
