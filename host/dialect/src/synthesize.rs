//! Builds synthetic events in an agent's own format from a few options, so that a hook can be tried without running an agent.
//!
//! Required members of an event must be supplied and are never invented; members that only the agent's own form requires (a trigger, a
//! source) get the agent's usual value. The result is validated by the agent's own dialect before it is returned.

mod native;
mod tool;

use hookbox_model::{EventName, Json};
use serde_json::{Map, Value};

use super::{
    Dialect, InvalidEvent, ReadContext,
    rehearsal::find_self_test,
    schema::Kind,
    table::{EventCondition, Reading, Tool, Words},
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

/// Returns the agent's name for the event that `event` means, its own name or a canonical one, and the canonical one.
pub fn event_of(dialect: &dyn Dialect, event: &str, wanted: &EventRequest) -> Option<(String, EventName)> {
    let events = dialect.events();
    let is_unconditional = |(name, canonical): &&(&'static str, EventName)| {
        dialect
            .event_form(name, canonical)
            .is_some_and(|form| matches!(form.reading.when, EventCondition::Always))
    };
    let own: Vec<_> = events.iter().filter(|(name, _)| *name == event).collect();
    if let Some((name, canonical)) = own.iter().copied().find(is_unconditional).or(own.first().copied()) {
        return Some(((*name).to_owned(), canonical.clone()));
    }
    if dialect.name() == native::NAME {
        return native::parse_custom(event);
    }
    let canonical = EventName::known(event)?;
    let usual = find_self_test(dialect.name()).map(|self_test| self_test.event);
    let fits = |name: &str| match dialect.event_form(name, &canonical).map(|form| form.reading.tool) {
        Some(Tool::View(tool, _)) if wanted.tool.is_some() => wanted.tool.as_deref() == Some(tool),
        Some(Tool::View(_, keys)) if wanted.command.is_none() => {
            wanted.path.is_some() && keys.contains(&"file_path")
        }
        Some(_) => Some(name) == usual || usual.is_none_or(|usual| !is_canonical(&events, usual, &canonical)),
        None => false,
    };
    let own: Vec<_> = events.iter().filter(|(_, known)| *known == canonical).map(|(name, _)| *name).collect();
    let name = own.iter().find(|name| fits(name)).or(own.first())?;
    Some(((*name).to_owned(), canonical))
}

fn is_canonical(events: &[(&'static str, EventName)], name: &str, canonical: &EventName) -> bool {
    events.iter().any(|(known, event)| *known == name && event == canonical)
}

/// Returns the tools for which this agent has events of this canonical kind, if each tool has an event of its own and the requested one has
/// none.
fn tools_instead(dialect: &dyn Dialect, event: &str, wanted: &EventRequest) -> Option<Vec<&'static str>> {
    let (wanted, canonical) = (wanted.tool.as_deref()?, EventName::known(event)?);
    let mut tools = Vec::new();
    for (name, _) in dialect.events().iter().filter(|(_, known)| *known == canonical) {
        match dialect.event_form(name, &canonical).map(|form| form.reading.tool) {
            Some(Tool::View(tool, _)) => tools.push(tool),
            // This event accepts any tool.
            Some(Tool::Named(naming) | Tool::Offered(naming)) if naming.server.is_none() => return None,
            _ => {}
        }
    }
    (!tools.is_empty() && !tools.contains(&wanted)).then_some(tools)
}

/// Returns the events of this agent that can be synthesized.
pub fn list_events(dialect: &dyn Dialect) -> Vec<&'static str> {
    let has_form =
        |(name, canonical): &(&'static str, EventName)| dialect.event_form(name, canonical).is_some();
    let mut names: Vec<_> = dialect.events().into_iter().filter(has_form).map(|(name, _)| name).collect();
    names.dedup();
    names
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

fn build_event(
    dialect: &dyn Dialect,
    (name, canonical): (&str, &EventName),
    wanted: &EventRequest,
) -> Result<Map<String, Value>, BuildError> {
    let agent = dialect.name();
    let Some(form) = dialect.event_form(name, canonical) else {
        return build_from_self_test(agent, name, wanted).ok_or(BuildError::UnsupportedEvent);
    };
    let EventForm { words, reading, .. } = &form;
    let mut top = build_header(agent, name, &form, wanted);
    let (mut own, mut needs) = tool::build_members(agent, canonical, &form, wanted);
    if let Some(prompt) = &wanted.prompt {
        own.insert(find_agent_name(reading, "prompt").to_owned(), prompt.as_str().into());
    }
    for (member, value) in &wanted.members {
        let is_of_top = reading.within.is_some() && top.contains_key(member);
        put_value(if is_of_top { &mut top } else { &mut own }, member, value.clone());
    }
    for (member, kind) in reading.required {
        if own.contains_key(*member) {
            continue;
        }
        let ours =
            reading.renamed.iter().find(|(theirs, _)| theirs == member).map_or(*member, |(_, ours)| *ours);
        if super::native::requires_member(canonical, ours) {
            needs.push(if ours == "prompt" {
                MissingPart::Prompt
            } else {
                MissingPart::Member((*member).to_owned(), kind.expected())
            });
        } else {
            own.insert((*member).to_owned(), choose_value(member, *kind));
        }
    }
    if !needs.is_empty() {
        return Err(BuildError::MissingParts(needs));
    }
    match reading.within {
        Some(within) => drop(top.insert(within.to_owned(), own.into())),
        None => top.extend(own),
    }
    let infers = |top: &Map<String, Value>| {
        let text = Value::Object(top.clone()).to_string();
        hookbox_model::RawObject::parse(&text).ok().and_then(|members| (words.infer)(&members)) == Some(name)
    };
    // In camel case Copilot does not name the event, and a hook should receive what the agent sends.
    if form.is_first_of_two && infers(&top) {
        top.shift_remove(words.event);
    }
    Ok(top)
}

/// Builds an event from the agent's sample for a command that is about to run, whatever else that event contains.
fn build_from_self_test(agent: &str, name: &str, wanted: &EventRequest) -> Option<Map<String, Value>> {
    let self_test = find_self_test(agent).filter(|self_test| self_test.event == name)?;
    let input = self_test.build_event(agent, wanted.command.as_deref()?, &wanted.cwd).ok()?;
    serde_json::from_str(input.event().source.as_str()).ok()
}

/// Returns the members that every event of the agent has, as shown by a recorded event if there is one.
fn build_header(agent: &str, name: &str, form: &EventForm, wanted: &EventRequest) -> Map<String, Value> {
    let EventForm { words, reading, .. } = form;
    let recorded =
        find_self_test(agent).and_then(|self_test| self_test.read_sample(&wanted.cwd)).unwrap_or_default();
    let mut top: Map<String, Value> =
        recorded.into_iter().filter(|(key, value)| tool::is_sibling(key) && !value.is_object()).collect();
    for key in [words.session.0, words.session.1].iter().chain(words.outputs) {
        top.shift_remove(*key);
    }
    if let Tool::View(_, keys) = reading.tool {
        for key in keys {
            top.shift_remove(*key);
        }
    }
    top.insert(words.event.to_owned(), name.into());
    top.insert(form.choose_spelling(words.session).to_owned(), wanted.session.as_str().into());
    top.insert(words.folder.to_owned(), wanted.cwd.as_str().into());
    if let Some(time) = top.get_mut("timestamp") {
        *time = format_time(time, wanted.time);
    }
    top
}

/// Returns the time in the form of a recorded event.
fn format_time(recorded: &Value, time: u64) -> Value {
    match recorded {
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => time.to_string().into(),
        Value::String(_) => {
            let since = std::time::UNIX_EPOCH + std::time::Duration::from_millis(time);
            humantime::format_rfc3339_millis(since).to_string().into()
        }
        _ => time.into(),
    }
}

/// Returns the agent's name for a member of the payload.
fn find_agent_name(reading: &Reading, ours: &'static str) -> &'static str {
    reading.renamed.iter().find(|(_, renamed)| *renamed == ours).map_or(ours, |(theirs, _)| *theirs)
}

/// Puts a value where a path with dots leads.
fn put_value(object: &mut Map<String, Value>, path: &str, value: Value) {
    let Some((first, rest)) = path.split_once('.') else {
        object.insert(path.to_owned(), value);
        return;
    };
    let inner = object.entry(first).or_insert_with(|| Map::new().into());
    if !inner.is_object() {
        *inner = Map::new().into();
    }
    if let Some(inner) = inner.as_object_mut() {
        put_value(inner, rest, value);
    }
}

/// Returns a usual value for a member that the agent's own form requires.
fn choose_value(member: &str, kind: Kind) -> Value {
    let word = match member {
        "source" => "startup",
        "reason" => "other",
        "trigger" => "manual",
        "agent_type" => "general-purpose",
        "notification_type" => "ToolPermission",
        "event" => "change",
        "action" => "accept",
        _ => "sample",
    };
    match kind {
        Kind::Text | Kind::Name | Kind::Any => word.into(),
        Kind::Object => Map::new().into(),
        Kind::List => Vec::<Value>::new().into(),
        Kind::Flag => false.into(),
        Kind::Number => 0.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::AGENTS;

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
