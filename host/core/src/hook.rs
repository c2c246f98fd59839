//! One configured rule, resolved from hookbox's configuration or from an agent's own file.

mod condition;
mod confinement;
mod id;
mod origin;
mod python;
mod refused_plugins;
mod shell;
mod wasm;
mod webhook;

use std::hash::{Hash, Hasher};

use hookbox_model::{
    Event, EventName, Grants, HandlerKind, Json, Layer, Limits, OnFailure, Role, ToolCall, ToolClass,
    TrustLevel,
};
use regex::bytes::Regex;
use wildmatch::WildMatch;

use crate::interfaces::Contract;

pub use self::{
    condition::{Condition, Tools},
    confinement::{
        Confinement, DEFAULT_CPU, DEFAULT_FILE_SIZE, DEFAULT_MEMORY, FileRules, Place, ResourceLimits,
    },
    id::{ContentDigest, HookId},
    origin::{Origin, WrittenAt},
    python::PythonSpec,
    refused_plugins::RefusedPlugins,
    shell::{ClosedProject, ShellCommand, ShellSpec},
    wasm::WasmSpec,
    webhook::{WebhookMethod, WebhookSpec},
};

/// A hook as configured: every value typed and defaulted, nothing loaded yet.
#[derive(Clone, Debug)]
pub struct HookSpec {
    /// Unique within its layer.
    pub name: String,
    /// The events that it is for, with patterns resolved to names.
    pub events: Vec<EventName>,
    /// The tools that it is for; `None` means any event of the names above.
    pub tool: Option<ToolMatcher>,
    /// Its role.
    pub role: Role,
    /// Priority within its role: higher runs earlier. Defaults to 0.
    pub priority: i32,
    /// Effect of its failure; `None` takes the default for its role and event ([`HookSpec::on_failure()`]).
    pub on_failure: Option<OnFailure>,
    /// True if it is called only once in a session of its agent.
    pub once: bool,
    /// Limits of one call.
    pub limits: Limits,
    /// The hook's own settings: an object.
    pub config: Json,
    /// The handler that it calls.
    pub target: Target,
    /// Contract between the event and its handler; `None` is hookbox's own contract.
    pub contract: Option<&'static dyn Contract>,
    /// Filter on the events with its names; `None` matches all of them.
    pub condition: Option<Condition>,
    /// True if it asks for its chain to run in order (Gemini CLI's `sequential`).
    pub sequential: bool,
    /// True if its role bounds its effects. Other systems' hooks have no roles.
    pub in_role: bool,
    /// Where it was configured.
    pub origin: Origin,
}

/// The handler that a hook calls.
#[derive(Clone, Debug, Hash)]
pub enum Target {
    /// A component in the sandbox.
    Wasm(WasmSpec),
    /// A child process.
    Shell(ShellSpec),
    /// An HTTP request.
    Webhook(WebhookSpec),
    /// A Python function.
    Python(PythonSpec),
    /// A closure of the embedding program; configuration files cannot name one.
    Callback,
}

impl Target {
    /// Returns the kind of the handler.
    pub fn handler_kind(&self) -> HandlerKind {
        match self {
            Self::Wasm(_) => HandlerKind::Wasm,
            Self::Shell(_) => HandlerKind::Shell,
            Self::Webhook(_) => HandlerKind::Webhook,
            Self::Python(_) => HandlerKind::Python,
            Self::Callback => HandlerKind::Callback,
        }
    }
}

/// The matcher of a hook: a filter on tools. Every part that is set must match.
#[derive(Clone, Debug, Default)]
pub struct ToolMatcher {
    /// The agent's name for the tool: exactly one of these.
    pub names: Vec<String>,
    /// The class of the tool: one of these.
    pub classes: Vec<ToolClass>,
    /// Pattern with `*` and `?` for the agent's name of the tool.
    pub glob: Option<WildMatch>,
    /// Pattern for the agent's name of the tool, anchored at both ends. It matches bytes: tables of Unicode classes would take a
    /// millisecond of every start.
    pub regex: Option<Regex>,
}

impl Hash for ToolMatcher {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { names, classes, glob, regex } = self;
        // Neither pattern has a hash of its own; the text determines its meaning.
        let (glob, regex) = (glob.as_ref().map(ToString::to_string), regex.as_ref().map(Regex::as_str));
        (names, classes, glob, regex).hash(state);
    }
}

impl ToolMatcher {
    /// Returns true if the hook is for this tool.
    pub fn matches(&self, tool: &ToolCall) -> bool {
        (self.names.is_empty() || self.names.contains(&tool.name))
            && (self.classes.is_empty() || self.classes.contains(&tool.class))
            && self.glob.as_ref().is_none_or(|glob| glob.matches(&tool.name))
            && self.regex.as_ref().is_none_or(|regex| regex.is_match(tool.name.as_bytes()))
    }
}

impl HookSpec {
    /// Creates a gate of the embedding program, for no event yet, with the default limits and without settings. Its name must be the only
    /// one of its kind on its host.
    ///
    /// ```
    /// # mod hookbox { pub use hookbox_model as model; pub use hookbox_core::*; }
    /// use hookbox::{HookSpec, Target, hook::ShellSpec, model::{EventName, Role}};
    ///
    /// let audit = HookSpec::new("audit", Target::Shell(ShellSpec::from_line("cat >> /tmp/audit.jsonl")))
    ///     .on([EventName::ToolBefore, EventName::ToolAfter])
    ///     .role(Role::Observe);
    /// assert_eq!(audit.events.len(), 2);
    /// ```
    pub fn new(name: &str, target: Target) -> Self {
        Self {
            name: name.to_owned(),
            events: Vec::new(),
            tool: None,
            role: Role::Gate,
            priority: 0,
            on_failure: None,
            once: false,
            limits: Limits::default(),
            config: Json::empty_object(),
            target,
            contract: None,
            condition: None,
            sequential: false,
            in_role: true,
            origin: Origin::new(Layer::Session, TrustLevel::Own),
        }
    }

    /// Sets the events.
    #[must_use]
    pub fn on(mut self, events: impl IntoIterator<Item = EventName>) -> Self {
        self.events = events.into_iter().collect();
        self
    }

    /// Sets the role.
    #[must_use]
    pub fn role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// Returns the name that an agent sees: the hook's name, or a label of hookbox if the hook is untrusted.
    pub fn label(&self) -> String {
        // The name of an untrusted hook is text of the project, and an agent shows this name to its model.
        let whose = if self.origin.layer == Layer::Session { "plugin hook" } else { "project hook" };
        match self.origin {
            // A hook from no file has no number.
            Origin { trust_level: TrustLevel::Untrusted, number: 0, .. } => whose.to_owned(),
            Origin { trust_level: TrustLevel::Untrusted, number, .. } => format!("{whose} {number}"),
            _ => self.name.clone(),
        }
    }

    /// Returns its grants beyond answering; a process, a webhook, a function and a closure need no grant.
    pub fn grants(&self) -> Grants {
        self.wasm().map(|wasm| wasm.grants.clone()).unwrap_or_default()
    }

    /// Returns the plugin that it calls, if it calls one.
    pub fn wasm(&self) -> Option<&WasmSpec> {
        match &self.target {
            Target::Wasm(wasm) => Some(wasm),
            Target::Shell(_) | Target::Webhook(_) | Target::Python(_) | Target::Callback => None,
        }
    }

    /// Returns the name that its agent uses: its name, or the command of an unnamed hook in an agent's own file.
    pub fn known_as(&self) -> &str {
        match (&self.origin.written, &self.target) {
            (Some(written), Target::Shell(ShellSpec { command: ShellCommand::Line(command), .. }))
                // A hook without a name in its file has its place as its name.
                if written.place == self.name =>
            {
                command
            }
            _ => &self.name,
        }
    }

    /// Returns the key that identifies a hook of an agent's own file, if its agent calls equal hooks only once.
    pub fn key(&self) -> Option<&str> {
        self.origin.written.as_ref()?.key.as_deref()
    }

    /// Returns true if it runs in the sandbox, without an effect beyond its answer and its grants.
    pub fn is_sandboxed(&self) -> bool {
        self.wasm().is_some()
    }

    /// Returns true if a call has no effect beyond its answer.
    pub fn is_harmless(&self) -> bool {
        self.is_sandboxed() && !self.grants().can_act()
    }

    /// Returns true if a call may start processes or open connections.
    pub fn needs_io(&self) -> bool {
        // The work of a closure is unknown, so a closure counts as well.
        !self.is_sandboxed() || self.grants().reach_the_network()
    }

    /// Returns true if its filters match this event, which has one of its names.
    pub fn is_meant(&self, event: &Event) -> bool {
        let tool = |matcher: &ToolMatcher| event.tool.as_ref().is_some_and(|tool| matcher.matches(tool));
        self.condition.as_ref().is_none_or(|condition| condition.matches(event))
            && self.tool.as_ref().is_none_or(tool)
    }

    /// Returns true if it can block an event.
    pub fn can_stop(&self) -> bool {
        self.role != Role::Observe && self.events.iter().any(|event| event.traits().block)
    }

    /// Returns the effect of its failure on `event`: by default `deny` for a gate or transform where something can be blocked, `allow`
    /// otherwise; a hook of the lowest trust level has no effect when it fails.
    pub fn on_failure(&self, event: &EventName) -> OnFailure {
        let powerless = self.role == Role::Observe || self.origin.trust_level == TrustLevel::Untrusted;
        match self.on_failure {
            // Where an answer could not have denied, its absence does not deny either.
            _ if powerless || !event.traits().block => OnFailure::Allow,
            Some(configured) => configured,
            None => OnFailure::Deny,
        }
    }
}
