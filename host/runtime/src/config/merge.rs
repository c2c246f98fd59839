//! Merging of the layers.

use std::collections::{HashMap, hash_map};

use hookbox_model::Layer;

use crate::{
    hook::HookSpec,
    hookfile::{Loaded, Problem, Severity},
};

/// Merges layers: hooks are in the order managed, user, project, session; files of one layer keep their order.
///
/// A hook is identified by its layer and its name, so a project can neither replace nor switch off a user's hook: hooks
/// with one name in several layers all run, with a warning. Within one layer (of several files) the second is left out,
/// with an error.
pub fn merge_layers(layers: Vec<Loaded>) -> Loaded {
    let mut all = Loaded::default();
    for layer in layers {
        all.hooks.extend(layer.hooks);
        all.disabled.extend(layer.disabled);
        all.projects.join_with(layer.projects);
        all.log_off |= layer.log_off;
        all.waiting += layer.waiting;
        all.changed.extend(layer.changed);
        // The administrator's profiles come first, and take precedence.
        for (name, profile) in layer.profiles {
            all.profiles.entry(name).or_insert(profile);
        }
        all.problems.extend(layer.problems);
    }
    // The sort is stable: files of one layer keep their order.
    all.hooks.sort_by_key(|hook| hook.origin.layer);
    all.disabled.sort_by_key(|hook| hook.origin.layer);
    let mut first: HashMap<String, Layer> = HashMap::new();
    let mut places: HashMap<(Layer, String), String> = HashMap::new();
    let Loaded { hooks, problems, .. } = &mut all;
    hooks.retain(|hook| match places.entry((hook.origin.layer, hook.name.clone())) {
        hash_map::Entry::Occupied(place) => {
            let message = format!("the name `{}` is taken, and this hook left out", hook.name);
            problems.push(make_problem(hook, Severity::Error, message, place.get()));
            false
        }
        hash_map::Entry::Vacant(place) => {
            place.insert(self::format_place(hook));
            first.entry(hook.name.clone()).or_insert(hook.origin.layer);
            true
        }
    });
    for hook in hooks {
        if let Some(earlier) = first.get(&hook.name).filter(|layer| **layer != hook.origin.layer) {
            let message = format!("the {earlier} layer has a hook `{}` too; both run", hook.name);
            let place = places.get(&(*earlier, hook.name.clone())).map_or("", String::as_str);
            problems.push(make_problem(hook, Severity::Warning, message, place));
        }
    }
    all
}

fn make_problem(hook: &HookSpec, severity: Severity, message: String, first: &str) -> Problem {
    Problem {
        severity,
        layer: hook.origin.layer,
        file: hook.origin.file.clone(),
        line: hook.origin.line,
        column: 0,
        length: 0,
        excerpt: None,
        message,
        help: Some(format!("the first is at {first}")),
    }
}

fn format_place(hook: &HookSpec) -> String {
    make_problem(hook, Severity::Error, String::new(), "").place()
}
