//! Tools that the model may call (docs/reference/agents/llxprt.md). llxprt-code intersects the lists of all hooks: a missing list restricts
//! nothing, an empty one allows nothing. A hook in hookbox's chain sees the list that earlier hooks left, and could put back a tool that
//! one of them removed, so the lists are intersected here too.

use hookbox_model::{Json, Outcome, Rewrite, Status};

const LIST: &str = "allowedFunctionNames";

/// Returns the outcome's tool configuration without tools that a hook left out; `None` if it needs no restriction.
pub(super) fn narrow_config(config: &Json, outcome: &Outcome) -> Option<Json> {
    let hooks = outcome.reports.iter().filter_map(|report| match &report.status {
        Status::Answered(answer) => answer.rewrite.as_ref(),
        _ => None,
    });
    let parts = hooks.map(|(Rewrite::Replace(part) | Rewrite::Merge(part))| part);
    let lists: Vec<_> = parts.chain([config]).filter_map(list_allowed).collect();
    // Without any list nothing is restricted, and an empty list would forbid all tools.
    let (last, others) = lists.split_last()?;
    let mut names: Vec<&String> = Vec::new();
    for name in last {
        if others.iter().all(|list| list.contains(name)) && !names.contains(&name) {
            names.push(name);
        }
    }
    let members = config.members()?;
    let names = serde_json::to_string(&names).ok()?;
    let rest = members.iter().filter(|(key, _)| *key != LIST).map(|(key, value)| (key, value.get()));
    Some(Json::from_members(rest.chain([(LIST, names.as_str())])))
}

/// Returns the tools that this configuration allows; `None` if it does not restrict them.
fn list_allowed(config: &Json) -> Option<Vec<String>> {
    let members = config.members()?;
    // `NONE` permits no tool, whatever the list has.
    if members.get_string("mode").is_some_and(|mode| mode == "NONE") {
        return Some(Vec::new());
    }
    let names: Vec<serde_json::Value> = serde_json::from_str(members.get(LIST)?.get()).ok()?;
    Some(names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect())
}
