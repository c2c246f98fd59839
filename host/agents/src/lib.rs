//! Dialects of agents: readers of events and writers of outcomes. Each agent has a page in `docs/reference/agents`.

mod agent_facts;
mod agent_hook_file;
mod agent_list;
mod amazon_q;
mod chain_interface;
pub mod claude_code;
mod cline;
pub mod cocode;
pub mod code_forge;
pub mod codex;
mod confined_commands;
mod copilot;
mod cursor;
mod droid;
mod file_rules;
pub mod gemini_cli;
mod hook_output;
mod javascript_regex;
mod json_comments;
mod kimi_code;
pub mod litellm;
pub mod llxprt;
mod matcher_regex;
pub mod native;
mod object;
mod opencode;
mod openhands;
mod outcome_part;
mod paths;
mod project_hooks;
mod qwen_code;
pub mod run_claude;
mod schema;
pub mod self_test;
mod sender;
#[cfg_attr(
    not(feature = "settings"),
    expect(dead_code, reason = "how a file is edited is said of each agent, whoever edits")
)]
pub mod settings;
pub mod synthesize;
mod table;
mod tool_call;
pub mod tools;
mod windsurf;
mod wording;
mod yaml;

use std::{fmt, path::PathBuf, sync::LazyLock, time::Duration};

use hookbox_core::hookfile::{quote_word, shorten_word};
use hookbox_model::{Event, EventName, Json, JsonError, Outcome, RawObject};

use self::agent_list::AGENTS;
pub use self::chain_interface::DialectAgents;
use self::synthesize::EventForm;
pub use self::{
    agent_facts::Signs,
    agent_hook_file::{AgentHookFile, uses_variable},
    agent_list::find_signs,
    outcome_part::Part,
    project_hooks::{ProjectHooks, UsualFiles, all_project_hooks, project_hooks, usual_files},
};

/// An agent's dialect. Foreign field names appear below this trait and nowhere else.
pub trait Dialect: Send + Sync {
    /// Returns the dialect's name in configuration and `--agent`: `claude-code`.
    fn name(&self) -> &'static str;

    /// Returns the agent's event names and their canonical ones. A name appears twice where the agent has one event for two
    /// moments.
    fn events(&self) -> Vec<(&'static str, EventName)>;

    /// Reads the caller's bytes as an event, validated by the schema of its canonical name.
    fn read(&self, source: Json, arrival: &ReadContext) -> Result<Event, InvalidEvent>;

    /// Returns an event, as the JSON that [`Self::read`] takes, that the agent passes in environment variables and not on standard input;
    /// `get` looks them up. `None` if the agent passes no event so.
    fn event_in_variables(&self, get: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        let _ = get;
        None
    }

    /// Writes the outcome in the agent's fields and exit code.
    fn write(&self, event: &Event, outcome: &Outcome) -> Written;

    /// Writes the answer for the case that there is no outcome: the input was invalid, or hookbox itself failed. `event` is the agent's
    /// name for the event, if known. Where the agent can be kept from acting, the answer denies.
    fn write_failure(&self, event: Option<&str>, message: &str) -> Written;

    /// Returns the exit code to use when nothing else reaches the agent. If the event can be blocked, this code blocks it; where the agent
    /// supports no exit code, it at least shows a failure.
    fn fallback_exit_code(&self, event: Option<&str>) -> u8 {
        let named = |name: &str| {
            let events = self.events().into_iter().filter(|(event, _)| *event == name);
            events.map(|(event, canonical)| self.support(event, &canonical).block).collect::<Vec<_>>()
        };
        let blocks = event.map(named).unwrap_or_default();
        // An unknown event may be a guard's: a needless block is visible, a lost one is not.
        if blocks.is_empty() || blocks.contains(&true) {
            FALLBACK_EXIT_CODE
        } else {
            self.write_failure(event, "").exit
        }
    }

    /// Returns the interpreter of the agent's own hook file, if hookbox can run those hooks in the agent's place.
    fn hook_file(&self) -> Option<&dyn AgentHookFile> {
        None
    }

    /// Returns what an answer to this event can do: `event` is the agent's name, `canonical` one that [`Self::events`] gives for it.
    /// Defaults to the abilities of the canonical event; agents that support less, or more, have it in their tables.
    fn support(&self, event: &str, canonical: &EventName) -> EventSupport {
        let _ = event;
        EventSupport::from_canonical(canonical)
    }

    /// Returns true if log lines of hooks are written to standard error. False for agents that give standard error another meaning.
    fn shows_logs(&self) -> bool {
        false
    }

    /// Returns the agent's form of this event, if events of it can be synthesized ([`synthesize`]).
    fn event_form(&self, event: &str, canonical: &EventName) -> Option<EventForm> {
        let _ = (event, canonical);
        None
    }

    /// Returns the folders in which the session was started, for an agent whose events name them. They may be relative, or anything else.
    fn session_folders(&self, event: &Event) -> Vec<PathBuf> {
        let _ = event;
        Vec::new()
    }

    /// Returns the agent timeout for this event.
    fn agent_timeout(&self, event: &EventName) -> Duration;
}

/// Exit code that blocks in every agent that supports exit codes.
pub const FALLBACK_EXIT_CODE: u8 = 2;

/// Returns every dialect.
pub fn all_dialects() -> &'static [&'static dyn Dialect] {
    static ALL: LazyLock<Vec<&dyn Dialect>> =
        LazyLock::new(|| AGENTS.iter().map(|facts| facts.dialect).collect());
    &ALL
}

/// Returns the dialect of this name.
pub fn find_dialect(name: &str) -> Option<&'static dyn Dialect> {
    all_dialects().iter().copied().find(|dialect| dialect.name() == name)
}

/// Returns names of files and folders that configure agents: no guest writes these, in whatever folder they are. A name with a `/` is a
/// folder within a folder.
pub fn protected_names() -> impl Iterator<Item = &'static str> {
    AGENTS.iter().flat_map(|facts| facts.protected).copied()
}

/// Sender of an input, derived from its content.
#[derive(Clone)]
pub enum Sender {
    /// This agent and no other.
    Known(&'static dyn Dialect),
    /// An agent that hookbox does not know.
    Unknown,
    /// One of these agents, by their marks or by the shape of the input.
    Ambiguous(Vec<&'static str>),
}

/// Detects the dialect of an input. An ambiguous input is not guessed: an agent ignores an answer in the wrong dialect.
pub fn detect_dialect(source: &RawObject<'_>) -> Sender {
    match sender::find_claimants(source).as_slice() {
        [] => Sender::Unknown,
        [one] => find_dialect(one).map_or(Sender::Unknown, Sender::Known),
        several => Sender::Ambiguous(several.to_vec()),
    }
}

impl Sender {
    /// Returns the agent's dialect, if the sender is certain.
    pub fn dialect(self) -> Option<&'static dyn Dialect> {
        match self {
            Self::Known(dialect) => Some(dialect),
            Self::Unknown | Self::Ambiguous(_) => None,
        }
    }
}

/// Returns the canonical events of an agent's name for an event (or of the canonical name itself), in any dialect; empty if no dialect
/// knows the name.
pub fn find_canonical_events(agent_event: &str) -> Vec<EventName> {
    let mut found = Vec::new();
    for (name, event) in all_dialects().iter().flat_map(|dialect| dialect.events()) {
        if name == agent_event && !found.contains(&event) {
            found.push(event);
        }
    }
    found
}

/// Answers that an agent supports for one of its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a row of a table of yes and no")]
pub struct EventSupport {
    /// A deny keeps something from happening, or is feedback to the model.
    pub block: bool,
    /// An ask makes the agent ask the user; elsewhere it is a deny.
    pub ask: bool,
    /// A part of the event can be rewritten.
    pub rewrite: bool,
    /// Text can be put before the model.
    pub context: bool,
    /// True if known first hand (from the code or the agent's documentation).
    pub sure: bool,
}

impl EventSupport {
    /// Returns all that the canonical event allows.
    pub fn from_canonical(canonical: &EventName) -> Self {
        let moment = canonical.traits();
        let (block, rewrite) = (moment.block, moment.rewrite.is_some());
        Self { block, ask: block, rewrite, context: moment.context, sure: true }
    }
}

/// Context of an input that its bytes do not contain.
#[derive(Clone, Debug, Default)]
pub struct ReadContext {
    /// An id for the event, if the caller supplies none.
    pub id: String,
    /// Milliseconds since the Unix epoch.
    pub time: u64,
    /// The working directory, if the caller supplies none.
    pub cwd: String,
}

/// An answer in the agent's own form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Text for the agent.
    pub stdout: String,
    /// Text for the agent or the user, as the agent's contract states.
    pub stderr: String,
    /// The exit code.
    pub exit: u8,
    /// Parts of the outcome that cannot be expressed to the agent. In a report, not in the answer.
    pub unexpressed: Vec<Part>,
}

impl Written {
    /// Records that a part of the outcome could not be expressed.
    fn lose_part(&mut self, part: Part) {
        if !self.unexpressed.contains(&part) {
            self.unexpressed.push(part);
        }
    }

    /// Records as unexpressed those of these parts that the outcome has.
    fn lose_all(&mut self, outcome: &Outcome, parts: &[Part]) {
        for part in parts.iter().filter(|part| part.is_in(outcome)) {
            self.lose_part(*part);
        }
    }
}

/// Input that is not a valid event; no handler runs. Its code is `VALIDATION_FAILURE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidEvent {
    /// The agent's name for the event, if known.
    pub event: Option<String>,
    /// The field that is wrong, if one is.
    pub field: Option<String>,
    /// Description of the problem.
    pub problem: String,
}

/// Beginning of the problem of a missing field.
const MISSING: &str = "it is missing;";

impl InvalidEvent {
    /// The code of every invalid event.
    pub const CODE: &'static str = "VALIDATION_FAILURE";

    /// Returns true if the field is missing.
    pub fn is_missing(&self) -> bool {
        self.problem.starts_with(MISSING)
    }

    fn for_field(event: &str, field: &str, problem: impl Into<String>) -> Self {
        let event = (!event.is_empty()).then(|| event.to_owned());
        Self { event, field: Some(field.to_owned()), problem: problem.into() }
    }
}

impl From<JsonError> for InvalidEvent {
    fn from(error: JsonError) -> Self {
        Self { event: None, field: None, problem: format!("the input is not acceptable JSON: {error}") }
    }
}

impl fmt::Display for InvalidEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::CODE)?;
        if let Some(event) = &self.event {
            write!(f, " in {}", shorten_word(event))?;
        }
        if let Some(field) = &self.field {
            write!(f, ", field {}", quote_word(field))?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for InvalidEvent {}
