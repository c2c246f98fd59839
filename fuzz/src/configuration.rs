//! `hooks.toml`, of the user and of a stranger.

use std::path::Component;

use hookbox::{
    HookSpec, Target, agents,
    config::{self, MAX_UNKNOWN_HOOKS},
    hookfile::{Loaded, Source},
    model::{EventName, Layer, TrustLevel},
};

/// The bytes are what the file may hold.
pub fn run(data: &[u8]) {
    let own = load(data, Layer::User, TrustLevel::Own);
    let Some(strange) = load(data, Layer::Project, TrustLevel::Untrusted) else { return };
    let hooks: Vec<_> = strange.hooks.iter().chain(&strange.disabled).collect();
    assert!(hooks.len() <= MAX_UNKNOWN_HOOKS);
    assert!(hooks.iter().all(|hook| is_harmless(hook)), "{hooks:?}");
    if let Some(own) = own {
        assert!(own.hooks.len() >= strange.hooks.len() || own.has_errors());
    }
}

fn load(data: &[u8], layer: Layer, trust_level: TrustLevel) -> Option<Loaded> {
    let source = Source {
        layer,
        trust_level,
        file: Some("/project/.hookbox/hooks.toml".into()),
        root: Some("/code".into()),
        plugins: hookbox::ShippedPlugins::default(),
        text: String::new(),
    };
    let dialects = events();
    let dialects: Vec<_> = dialects.iter().map(|(name, events)| (*name, events.as_slice())).collect();
    let source = source.with_bytes(data.to_vec()).ok()?;
    let loaded = config::load(&source, &dialects);
    for problem in &loaded.problems {
        assert!(problem.line <= source.text.lines().count() + 1, "{problem:?}");
    }
    Some(loaded)
}

/// A stranger's hook is a component within the project.
fn is_harmless(hook: &HookSpec) -> bool {
    match &hook.target {
        Target::Wasm(wasm) => {
            let up = wasm.path.components().any(|part| part == Component::ParentDir);
            wasm.path.starts_with("/code") && !up
        }
        _ => false,
    }
}

/// The event names of every dialect, as the reader takes them.
pub(crate) fn events() -> Vec<(&'static str, Vec<(&'static str, EventName)>)> {
    agents::all_dialects().iter().map(|dialect| (dialect.name(), dialect.events())).collect()
}
