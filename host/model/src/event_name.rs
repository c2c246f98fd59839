//! The canonical events (docs/reference/events.md) and what an answer can do to each of them.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{Rewritable, is_visible};

/// Capabilities of an answer to an event. They are equal for all events of a name and defined for every name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventTraits {
    /// A deny (or ask) keeps something from happening.
    pub block: bool,
    /// The part that may be rewritten.
    pub rewrite: Option<Rewritable>,
    /// Text can be put before the model.
    pub context: bool,
    /// The place of the event in an action of the agent.
    pub moment: EventMoment,
}

/// Place of an event in an action of the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventMoment {
    /// Before a tool call: a deny keeps the call from running.
    PendingCall,
    /// After a tool call, or after the decision on a tool call.
    SettledCall,
    /// Before the agent acts on a prompt: a deny keeps the agent from acting.
    PendingPrompt,
    /// Any other moment.
    Other,
}

impl EventMoment {
    /// Returns true if the event is about one tool call.
    pub fn has_call(self) -> bool {
        matches!(self, Self::PendingCall | Self::SettledCall)
    }

    /// Returns true if a refusal keeps an action from happening. At other events a refusal disturbs, or keeps the agent at work.
    pub fn is_before_action(self) -> bool {
        matches!(self, Self::PendingCall | Self::PendingPrompt)
    }
}

/// Declares the enum and its table together, so that every event has a row. The doc comment of an event is also its text in `about`.
macro_rules! events {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $block:ident $rewrite:expr, $context:ident, $moment:ident;)*) => {
        /// The canonical name of an event: `family.moment`.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum EventName {
            $($(#[doc = $doc])+ $variant,)*
            /// An event that is not in the table. Native configuration must write it as `custom:name`.
            Custom(Arc<str>),
        }

        impl EventName {
            /// Every canonical event.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant),*];

            /// Returns the name.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::Custom(name) => name,
                }
            }

            /// Returns a sentence on when the event occurs.
            pub fn about(&self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($doc),+).trim_ascii(),)*
                    Self::Custom(_) => "Whatever its sender means by it.",
                }
            }

            /// Returns the canonical event of this name.
            pub fn known(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Returns the capabilities of an answer. A custom event can be blocked and given context; its payload is opaque,
            /// and its moment unknown.
            pub fn traits(&self) -> EventTraits {
                match self {
                    $(Self::$variant => EventTraits {
                        block: events!(@ $block),
                        rewrite: $rewrite,
                        context: events!(@ $context),
                        moment: EventMoment::$moment,
                    },)*
                    Self::Custom(_) => {
                        EventTraits { block: true, rewrite: None, context: true, moment: EventMoment::Other }
                    }
                }
            }
        }
    };
    (@ yes) => { true };
    (@ no) => { false };
}

impl EventName {
    /// Creates a custom event. `name` is 1 to 128 bytes without blanks and control characters, and is not a known name.
    pub fn new_custom(name: &str) -> Option<Self> {
        let is_plain = !name.contains(|c: char| c.is_whitespace() || !is_visible(c));
        let is_name = (1..=MAX_CUSTOM_BYTES).contains(&name.len()) && is_plain;
        // A custom event with a known name would pass by the hooks for that name.
        (is_name && Self::known(name).is_none()).then(|| Self::Custom(Arc::from(name)))
    }
}

/// Longest name of a custom event, in bytes.
const MAX_CUSTOM_BYTES: usize = 128;

/// Prefix of a custom name in places where known names are allowed, too.
const CUSTOM: &str = "custom:";

impl Serialize for EventName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Custom(name) => serializer.collect_str(&format_args!("{CUSTOM}{name}")),
            known => serializer.serialize_str(known.as_str()),
        }
    }
}

impl<'de> Deserialize<'de> for EventName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // Only with the prefix: a canonical name that this version does not know must not become a custom
        // event.
        let name = text.strip_prefix(CUSTOM).map_or_else(|| Self::known(&text), Self::new_custom);
        name.ok_or_else(|| de::Error::custom(format!("{text:?} is not the name of an event")))
    }
}

use Rewritable::{Payload, ToolInput, ToolOutput};

events! {
    /// A session begins or goes on.
    SessionStart "session.start" no None, yes, Other;
    /// A repository is set up.
    SessionSetup "session.setup" no None, yes, Other;
    /// A session is over.
    SessionEnd "session.end" no None, no, Other;
    /// A message joined the session.
    SessionMessage "session.message" yes None, no, Other;
    /// An instruction file was read.
    InstructionsLoaded "instructions.loaded" no None, no, Other;
    /// The person sent a prompt.
    PromptSubmit "prompt.submit" yes Some(Payload("prompt")), yes, PendingPrompt;
    /// A slash command or MCP prompt becomes a prompt.
    PromptExpand "prompt.expand" yes None, yes, PendingPrompt;
    /// The person interrupted.
    PromptInterrupt "prompt.interrupt" no None, no, Other;
    /// The tools for the next model call are chosen.
    ModelSelectTools "model.select-tools" no Some(Payload("tool_config")), no, Other;
    /// A request goes to the model.
    ModelRequest "model.request" yes Some(Payload("request")), yes, Other;
    /// A request is judged while it is already under way.
    ModelModerate "model.moderate" yes None, no, Other;
    /// A deployment is chosen.
    ModelRoute "model.route" yes Some(Payload("deployments")), no, Other;
    /// A streamed answer begins.
    ModelStreamStart "model.stream-start" yes None, no, Other;
    /// A piece of a streamed answer.
    ModelStreamChunk "model.stream-chunk" yes Some(Payload("chunk")), no, Other;
    /// A streamed answer is over.
    ModelStreamEnd "model.stream-end" yes None, no, Other;
    /// The model answered.
    ModelResponse "model.response" yes Some(Payload("response")), no, Other;
    /// The model call failed.
    ModelError "model.error" no None, no, Other;
    /// A model call is written to the log.
    ModelLog "model.log" no Some(Payload("record")), no, Other;
    /// The model is about to change.
    ModelSwitchBefore "model.switch-before" yes None, no, Other;
    /// The model changed.
    ModelSwitchAfter "model.switch-after" no None, yes, Other;
    /// Text goes to the screen.
    MessageDisplay "message.display" no Some(Payload("text")), no, Other;
    /// A tool is about to run.
    ToolBefore "tool.before" yes Some(ToolInput), yes, PendingCall;
    /// The agent works out whether a tool needs a permission.
    PermissionCheck "permission.check" yes None, no, PendingCall;
    /// The person is about to be asked.
    PermissionRequest "permission.request" yes Some(ToolInput), no, PendingCall;
    /// A permission was given.
    PermissionGranted "permission.granted" no None, no, SettledCall;
    /// A permission was refused.
    PermissionDenied "permission.denied" no None, no, SettledCall;
    /// A tool has run; a deny is feedback, or withholds the result.
    ToolAfter "tool.after" yes Some(ToolOutput), yes, SettledCall;
    /// A tool has failed; a deny is feedback.
    ToolError "tool.error" yes None, yes, SettledCall;
    /// All tools of one model turn have run.
    ToolBatchAfter "tool.batch-after" yes None, yes, Other;
    /// The agent wants to stop; a deny makes it go on.
    AgentStop "agent.stop" yes None, yes, Other;
    /// The turn ended in an error.
    AgentStopFailure "agent.stop-failure" no None, no, Other;
    /// A subagent begins.
    SubagentStart "subagent.start" no None, yes, Other;
    /// A subagent wants to stop; a deny makes it go on.
    SubagentStop "subagent.stop" yes None, yes, Other;
    /// A team mate has nothing to do; a deny makes it go on.
    TeamIdle "team.idle" yes None, no, Other;
    /// A task is about to be created.
    TaskCreated "task.created" yes None, no, Other;
    /// A task is about to be closed.
    TaskCompleted "task.completed" yes None, no, Other;
    /// The context is about to be compacted.
    CompactBefore "compact.before" yes None, no, Other;
    /// The context was compacted.
    CompactAfter "compact.after" no None, no, Other;
    /// The person is notified.
    Notification "notification" no None, no, Other;
    /// The agent's configuration is about to change.
    ConfigChange "config.change" yes None, no, Other;
    /// The working directory changed.
    CwdChanged "cwd.changed" no None, no, Other;
    /// A directory joined the workspace.
    DirectoryAdded "directory.added" no None, no, Other;
    /// A watched file changed.
    FileChanged "file.changed" no None, no, Other;
    /// A worktree is about to be created.
    WorktreeCreate "worktree.create" yes Some(Payload("path")), no, Other;
    /// A worktree was removed.
    WorktreeRemove "worktree.remove" no None, no, Other;
    /// An MCP server asks the person something.
    ElicitationRequest "elicitation.request" yes Some(Payload("answer")), no, Other;
    /// The person's answer goes to the MCP server.
    ElicitationResult "elicitation.result" yes Some(Payload("answer")), no, Other;
    /// The status line is drawn.
    UiStatusLine "ui.status-line" no Some(Payload("text")), no, Other;
    /// Files are suggested to the person.
    UiFileSuggestion "ui.file-suggestion" no Some(Payload("files")), no, Other;
}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_its_own_and_reads_back() {
        for name in EventName::KNOWN {
            assert_eq!(EventName::known(name.as_str()).as_ref(), Some(name));
            assert!(name.as_str().bytes().all(|b| b.is_ascii_lowercase() || b == b'.' || b == b'-'));
        }
        assert_eq!(EventName::KNOWN.len(), 49);
    }

    #[test]
    fn the_tool_moments_are_what_the_contracts_say() {
        let before = EventName::ToolBefore.traits();
        assert_eq!((before.block, before.rewrite, before.context), (true, Some(ToolInput), true));
        let end = EventName::SessionEnd.traits();
        assert_eq!((end.block, end.rewrite, end.context), (false, None, false));
    }

    #[test]
    fn calls_and_prompts_that_wait_for_an_answer_can_be_blocked() {
        let list_names = |moment: EventMoment| {
            let events = EventName::KNOWN.iter().filter(|event| event.traits().moment == moment);
            events.map(EventName::as_str).collect::<Vec<_>>()
        };
        let calls = list_names(EventMoment::PendingCall);
        assert_eq!(calls, ["tool.before", "permission.check", "permission.request"]);
        let settled = list_names(EventMoment::SettledCall);
        assert_eq!(settled, ["permission.granted", "permission.denied", "tool.after", "tool.error"]);
        assert_eq!(list_names(EventMoment::PendingPrompt), ["prompt.submit", "prompt.expand"]);
        let before_action = EventName::KNOWN.iter().map(EventName::traits);
        assert!(before_action.filter(|traits| traits.moment.is_before_action()).all(|traits| traits.block));
    }
}
