//! Language-independent description of an event.

use anyhow::{Result, bail};
use hookbox_agents::native;
use hookbox_model::{EventName, Rewritable};

/// One canonical event.
pub(super) struct Event {
    /// "tool.batch-after".
    pub(super) name: &'static str,
    /// Time of the event, and possible effects of an answer: sentences.
    pub(super) about: String,
    /// Presence of a tool call.
    pub(super) tool: Tool,
    /// Known members of its payload; the agent may add others.
    pub(super) payload: Vec<Member>,
}

/// Presence of a tool call in an event.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// Present in some events of this name.
    Perhaps,
    /// Always present.
    Called,
    /// Always present, with a result.
    Answered,
}

/// A member of a payload.
pub(super) struct Member {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// True if the member is required. Members that can be rewritten may be absent.
    pub(super) required: bool,
}

/// Kind of a member.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Object,
    List,
    Any,
}

impl Kind {
    /// Returns the kind as used in a sentence.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Object => "an object",
            Self::List => "an array",
            Self::Any => "any JSON",
        }
    }
}

/// Returns every event, in the order of the model.
pub(super) fn list_events() -> Result<Vec<Event>> {
    EventName::KNOWN.iter().map(describe_event).collect()
}

fn describe_event(name: &'static EventName) -> Result<Event> {
    let (mut tool, mut payload) = (Tool::Perhaps, Vec::new());
    for (place, what) in native::list_required(name) {
        match (place.as_str(), place.strip_prefix("payload."), what) {
            ("tool.name" | "tool.input", ..) => tool = Tool::Called,
            ("tool.output", ..) => tool = Tool::Answered,
            (_, Some(member), what) => {
                payload.push(Member { name: member.to_owned(), kind: parse_kind(what)?, required: true });
            }
            _ => bail!("{name} must have {place}, for which no language has a type"),
        }
    }
    // A hook can rewrite a member that agents need not send.
    if let Some(Rewritable::Payload(member)) = name.traits().rewrite
        && payload.iter().all(|known| known.name != member)
    {
        payload.push(Member { name: member.to_owned(), kind: Kind::Any, required: false });
    }
    Ok(Event { name: name.as_str(), about: describe_traits(name), tool, payload })
}

fn parse_kind(what: &str) -> Result<Kind> {
    Ok(match what {
        "a string" => Kind::Text,
        "an object" => Kind::Object,
        "an array" => Kind::List,
        "there" => Kind::Any,
        other => bail!("no language has a type for {other}"),
    })
}

fn describe_traits(name: &EventName) -> String {
    let traits = name.traits();
    let rewrite = traits.rewrite.map(|part| match part {
        Rewritable::ToolInput => "rewrite `tool.input`".to_owned(),
        Rewritable::ToolOutput => "rewrite `tool.output`".to_owned(),
        Rewritable::Payload(member) => format!("rewrite `payload.{member}`"),
    });
    let block = traits.block.then(|| "deny, ask or allow".to_owned());
    let context = traits.context.then(|| "give context".to_owned());
    let can: Vec<String> = [block, rewrite, context].into_iter().flatten().collect();
    if can.is_empty() {
        return name.about().to_owned();
    }
    format!("{} An answer can {}.", name.about(), can.join("; "))
}
