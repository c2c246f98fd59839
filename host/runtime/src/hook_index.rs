//! All hooks of a host, with an index that finds the hooks for an event without looking at the others.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use hookbox_model::{Event, EventName, Limits, OnFailure, Role, ToolCall, TrustLevel};

use crate::{HookId, HookSpec, interfaces::Handler, trace};

pub(crate) struct Hook {
    pub(crate) spec: HookSpec,
    pub(crate) handler: Arc<dyn Handler>,
    pub(crate) switch: Switch,
    id: OnceLock<String>,
}

/// Run-time switch of a hook, for the embedding program.
#[derive(Debug)]
pub(crate) struct Switch(AtomicBool);

impl Switch {
    pub(crate) fn new_on() -> Self {
        Self(AtomicBool::new(true))
    }

    pub(crate) fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn turn_to(&self, on: bool) {
        self.0.store(on, Ordering::Relaxed);
    }
}

impl Hook {
    pub(crate) fn new(spec: HookSpec, handler: Arc<dyn Handler>) -> Self {
        Self { spec, handler, switch: Switch::new_on(), id: OnceLock::new() }
    }

    /// Returns its [`HookId`] as text. Computed at first use: most events need none.
    pub(crate) fn id(&self) -> &str {
        self.id.get_or_init(|| HookId::of_spec(&self.spec).to_string())
    }

    /// Turns a transform of the trust level `untrusted` into a gate: it can rewrite nothing, and as a gate it does not run
    /// before the user's gates.
    fn demote_untrusted(&mut self) {
        if self.spec.origin.trust_level == TrustLevel::Untrusted && self.spec.role == Role::Transform {
            self.spec.role = Role::Gate;
        }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.spec.limits
    }

    pub(crate) fn on_failure(&self, event: &EventName) -> OnFailure {
        self.spec.on_failure(event)
    }
}

/// Hooks in chain order; the index in the list is the rank in every chain.
pub(crate) struct HookIndex {
    hooks: Vec<Hook>,
    index: HashMap<EventName, EventIndex>,
}

/// Hooks for one event, by their tool matcher.
#[derive(Default)]
struct EventIndex {
    /// Hooks without a matcher.
    any: Vec<usize>,
    /// Hooks whose matcher names tools, under each name.
    named: HashMap<String, Vec<usize>>,
    /// Hooks with a foreign matcher, which is tried for each event.
    conditional: Vec<usize>,
    /// Hooks with another matcher, which is tried once per tool.
    other: Vec<usize>,
    /// Results of `other` for the tools seen so far.
    seen: Mutex<Seen>,
}

/// Indices by the name and class of a tool.
type Seen = HashMap<(String, &'static str), Arc<[usize]>>;

/// Most tools that are remembered per event; agents have some dozens.
const MAX_SEEN: usize = 1024;

impl HookIndex {
    /// Sorts by role, then priority, then layer, then order in the file. At any priority, an untrusted hook
    /// comes after the trusted hooks of its role: untrusted hooks must not delay a deny of the user's hooks.
    pub(crate) fn new(mut hooks: Vec<Hook>) -> Self {
        hooks.iter_mut().for_each(Hook::demote_untrusted);
        hooks.sort_by_key(|hook| {
            let spec = &hook.spec;
            (
                spec.role,
                spec.origin.trust_level == TrustLevel::Untrusted,
                std::cmp::Reverse(spec.priority),
                spec.origin.layer,
            )
        });
        for hook in &hooks {
            trace::report_registered(&hook.spec, hook.handler.kind());
        }
        let mut index: HashMap<EventName, EventIndex> = HashMap::new();
        for (at, hook) in hooks.iter().enumerate() {
            for event in &hook.spec.events {
                index.entry(event.clone()).or_default().add_place(at, &hook.spec);
            }
        }
        Self { hooks, index }
    }

    pub(crate) fn hooks(&self) -> &[Hook] {
        &self.hooks
    }

    /// Returns the chain for this event, in order, without hooks that are switched off or whose single call `is_over`.
    pub(crate) fn select_hooks(&self, event: &Event, is_over: impl Fn(&Hook) -> bool) -> Vec<&Hook> {
        let Some(index) = self.index.get(&event.name) else { return Vec::new() };
        let mut places = index.any.clone();
        if let Some(tool) = &event.tool {
            let named = index.named.get(&tool.name).into_iter().flatten();
            // The name is one part of the matcher, and all of its parts must match.
            places.extend(named.filter(|at| self.is_for(**at, tool)));
            if !index.other.is_empty() {
                places.extend(index.match_others(self, tool).iter());
            }
        }
        places.extend(index.conditional.iter().filter(|at| self.is_meant(**at, event)));
        places.sort_unstable();
        // A matcher may name one tool twice.
        places.dedup();
        let hooks = places.into_iter().filter_map(|at| self.hooks.get(at));
        // Of several hooks with one key the first that matches is called, which only the event shows.
        let mut called = HashSet::new();
        let waiting = hooks.filter(|hook| hook.switch.is_on() && !is_over(hook));
        waiting.filter(|hook| hook.spec.key().is_none_or(|key| called.insert(key))).collect()
    }

    fn is_meant(&self, at: usize, event: &Event) -> bool {
        self.hooks.get(at).is_some_and(|hook| hook.spec.is_meant(event))
    }

    fn is_for(&self, at: usize, tool: &ToolCall) -> bool {
        let matcher = self.hooks.get(at).and_then(|hook| hook.spec.tool.as_ref());
        matcher.is_none_or(|matcher| matcher.matches(tool))
    }
}

impl EventIndex {
    fn add_place(&mut self, at: usize, spec: &HookSpec) {
        match &spec.tool {
            _ if spec.condition.is_some() => self.conditional.push(at),
            None => self.any.push(at),
            Some(matcher) if matcher.names.is_empty() => self.other.push(at),
            Some(matcher) => {
                for name in &matcher.names {
                    self.named.entry(name.clone()).or_default().push(at);
                }
            }
        }
    }

    fn match_others(&self, hooks: &HookIndex, tool: &ToolCall) -> Arc<[usize]> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (tool.name.clone(), tool.class.as_str());
        if let Some(places) = seen.get(&key) {
            return Arc::clone(places);
        }
        let matching = self.other.iter().copied().filter(|at| hooks.is_for(*at, tool));
        let places: Arc<[usize]> = matching.collect();
        // The names come from events, which can have any number of them.
        if seen.len() >= MAX_SEEN {
            seen.clear();
        }
        seen.insert(key, Arc::clone(&places));
        places
    }
}
