//! Builds synthetic events in an agent's own format from a few options, so that a hook can be tried without running an agent.
//!
//! Required members of an event must be supplied and are never invented; members that only the agent's own form requires (a trigger, a
//! source) get the agent's usual value. The result is validated by the agent's own dialect before it is returned.

mod choice;
mod members;
mod native;
mod tool;

use hookbox_model::{EventName, Json};
use serde_json::{Map, Value};

pub use self::choice::{event_of, list_events};
use self::{choice::tools_instead, members::build_event};
use super::{
    Dialect, InvalidEvent, ReadContext,
    table::{Reading, Words},
};

/// Requested content of an event. Absent fields are left out of the event or have their usual value.
#[derive(Clone, Debug, Default)]
pub struct EventRequest {
    /// The tool, as the agent calls it.
    pub tool: Option<String>,
    /// Command that the shell is about to run.
    pub command: Option<String>,
    /// The file that the tool is about.
    pub path: Option<String>,
    /// More of the tool's arguments.
    pub input: Map<String, Value>,
    /// Result of the tool.
    pub output: Option<Value>,
    /// Prompt of the user.
    pub prompt: Option<String>,
    /// More members, each by its path with dots.
    pub members: Vec<(String, Value)>,
    /// The session.
    pub session: String,
    /// The folder that it happens in.
    pub cwd: String,
    /// Milliseconds since the Unix epoch.
    pub time: u64,
}

/// Required part of an event that the request lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MissingPart {
    /// The tool's name.
    Tool,
    /// Command of the shell.
    Command,
    /// The file.
    Path,
    /// Result of the tool.
    Output,
    /// Prompt of the user.
    Prompt,
    /// This member, and the kind that it must have.
    Member(String, &'static str),
}

/// Reason why no event was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// The agent has no event of this name.
    NoSuchEvent,
    /// The agent's form of such an event is not known.
    UnsupportedEvent,
    /// The request lacks these parts.
    MissingParts(Vec<MissingPart>),
    /// The agent's dialect rejects the event.
    Rejected(InvalidEvent),
    /// The requested members make it another event.
    DifferentEvent(EventName),
    /// The agent would run another command, or no command.
    DifferentCommand(Option<String>),
    /// The agent has a separate event for each of its tools, and none for this tool; these are the tools.
    NoSuchTool(Vec<&'static str>),
}

/// An agent's form of one of its events.
pub struct EventForm {
    words: Words,
    reading: Reading,
    /// True if this is the first of the event's two names, which uses the second spelling of its members.
    is_first_of_two: bool,
}

impl EventForm {
    /// Creates the form with these field names and this reading of the event.
    pub(super) fn new(words: &Words, reading: Reading, name: &str) -> Self {
        let is_first_of_two = reading.alias.is_some_and(|alias| alias != name);
        Self { words: *words, reading, is_first_of_two }
    }

    fn choose_spelling(&self, (one, other): (&'static str, &'static str)) -> &'static str {
        if self.is_first_of_two { other } else { one }
    }
}

/// Returns the event in this agent's form.
///
/// # Errors
///
/// The agent has no such event, its form is not known, the request lacks something, or the agent's dialect rejects the event.
pub fn synthesize_event(
    dialect: &dyn Dialect,
    event: &str,
    wanted: &EventRequest,
) -> Result<Json, BuildError> {
    let (name, canonical) = event_of(dialect, event, wanted).ok_or(BuildError::NoSuchEvent)?;
    if let Some(tools) = tools_instead(dialect, event, wanted) {
        return Err(BuildError::NoSuchTool(tools));
    }
    let members = if dialect.name() == native::NAME {
        native::build_event(&name, &canonical, wanted)?
    } else {
        build_event(dialect, (&name, &canonical), wanted)?
    };
    let json = Json::from_value(&Value::Object(members));
    // An event that the agent's own reader rejects would make a trial of a hook meaningless.
    let read = dialect.read(json.clone(), &ReadContext::default()).map_err(BuildError::Rejected)?;
    // An agent's name may stand for several events, depending on other members.
    if read.name != canonical && read.agent_event != event {
        return Err(BuildError::DifferentEvent(read.name));
    }
    let runs = read.tool.and_then(|tool| tool.command);
    match &wanted.command {
        Some(command) if runs.as_ref() != Some(command) => Err(BuildError::DifferentCommand(runs)),
        _ => Ok(json),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{agent_list::AGENTS, table::Tool};

    fn make_wanted() -> EventRequest {
        EventRequest {
            command: Some("rm -rf build".to_owned()),
            output: Some("done".into()),
            prompt: Some("hello".to_owned()),
            session: "s".to_owned(),
            cwd: "/p".to_owned(),
            time: 1_700_000_000_000,
            ..EventRequest::default()
        }
    }

    /// Builds the event after adding everything that the request lacks.
    fn synthesize_completed(
        dialect: &dyn Dialect,
        event: &str,
        mut wanted: EventRequest,
    ) -> Result<Json, BuildError> {
        for _ in 0..3 {
            let Err(BuildError::MissingParts(needs)) = synthesize_event(dialect, event, &wanted) else {
                break;
            };
            for need in needs {
                match need {
                    MissingPart::Member(name, "an object") => wanted.members.push((name, Map::new().into())),
                    MissingPart::Member(name, "an array") => {
                        wanted.members.push((name, Vec::<Value>::new().into()));
                    }
                    MissingPart::Member(name, _) => wanted.members.push((name, "x".into())),
                    MissingPart::Path => wanted.path = Some("/p/a.rs".to_owned()),
                    MissingPart::Tool => wanted.tool = Some("mcp__s__t".to_owned()),
                    other => panic!("{event}: {other:?}"),
                }
            }
        }
        synthesize_event(dialect, event, &wanted)
    }

    #[test]
    fn every_synthesized_event_is_accepted_by_the_dialect_of_its_agent() {
        let mut made = 0;
        for facts in AGENTS {
            for name in list_events(facts.dialect) {
                let canonical = event_of(facts.dialect, name, &EventRequest::default()).unwrap().1;
                let runs_commands = match facts.dialect.event_form(name, &canonical).unwrap().reading.tool {
                    Tool::View(_, keys) => keys.iter().any(|key| key.starts_with("command")),
                    Tool::Named(naming) | Tool::Offered(naming) => {
                        naming.server.is_none()
                            && naming.prefix.is_empty()
                            && crate::native::needs_tool(&canonical)
                    }
                    Tool::None => false,
                };
                let wanted = make_wanted();
                let wanted = EventRequest { command: wanted.command.filter(|_| runs_commands), ..wanted };
                let result = synthesize_completed(facts.dialect, name, wanted);
                let json = result.unwrap_or_else(|error| panic!("{} {name}: {error:?}", facts.name()));
                let event = facts.dialect.read(json, &ReadContext::default()).unwrap();
                assert_eq!(
                    (event.session.as_str(), event.cwd.as_str()),
                    ("s", "/p"),
                    "{} {name}",
                    facts.name()
                );
                made += 1;
            }
        }
        assert!(made > 200, "{made}");
    }

    #[test]
    fn an_agents_command_is_synthesized_in_the_form_of_that_agent() {
        for facts in AGENTS.iter().filter(|facts| facts.self_test.is_some()) {
            let result = synthesize_event(facts.dialect, "tool.before", &make_wanted());
            let json = result.unwrap_or_else(|error| panic!("{}: {error:?}", facts.name()));
            let event = facts.dialect.read(json, &ReadContext::default()).unwrap();
            assert_eq!(event.tool.unwrap().command.as_deref(), Some("rm -rf build"), "{}", facts.name());
        }
    }
}
