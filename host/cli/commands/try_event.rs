//! `hookbox try`: builds an event from a few arguments, and shows the chain's answer to it.

use std::{collections::BTreeSet, path::Path};

use hookbox::{
    Request,
    agents::{
        self, Dialect,
        self_test::find_self_test,
        synthesize::{self, BuildError, EventRequest, MissingPart},
    },
    config::{did_you_mean, quote_word},
    model::{Event, EventName, Json},
};
use serde_json::{Map, Value};

use super::{
    explain::{self, ExplainOptions},
    read::{self, NATIVE},
};
use crate::{args::TryArgs, environment, exit::ExitStatus, printer::Printer, report};

/// Default session of an event.
const SESSION: &str = "try";
/// Maximum number of events that a message lists.
const MOST_NAMED: usize = 20;

pub(super) fn try_event(args: &TryArgs, printer: &Printer) -> ExitStatus {
    let made =
        parse_arguments(args).and_then(|wanted| build_event(args.agent.as_deref(), &args.event, &wanted));
    match made {
        Ok((_, json)) if args.print => {
            printer.print_line(json.as_str());
            ExitStatus::Success
        }
        Ok((request, _)) => {
            let TryArgs { json, verbose, call_all, source, own, .. } = args;
            explain::print_explanation(
                &request,
                &ExplainOptions {
                    json: *json,
                    verbose: *verbose,
                    call_all: *call_all,
                    facts: false,
                    calls: 1,
                    source,
                    own,
                },
                printer,
            )
        }
        Err(message) => {
            printer.print_error(&message);
            ExitStatus::Usage
        }
    }
}

/// Returns the event of a shell call with this command, in the agent's format, or in hookbox's own.
pub(super) fn command_event(command: &str, agent: Option<&str>) -> Result<Request, String> {
    if let Some(agent) = agent.filter(|agent| *agent != NATIVE && find_self_test(agent).is_none()) {
        return Err(format!(
            "the format of {agent}'s events for commands is unknown; omit `--agent`, or name an event"
        ));
    }
    let cwd = environment::current_folder().display().to_string();
    let wanted = EventRequest { command: Some(command.to_owned()), cwd, ..EventRequest::default() };
    build_event(agent, EventName::ToolBefore.as_str(), &wanted).map(|(request, _)| request)
}

/// Returns the event of a call of this tool, in the agent's format.
pub(super) fn tool_event(
    agent: &str,
    (tool, input): (&str, Map<String, Value>),
    cwd: &str,
) -> Result<Request, String> {
    let (tool, cwd) = (Some(tool.to_owned()), cwd.to_owned());
    let wanted = EventRequest { tool, input, cwd, session: SESSION.to_owned(), ..EventRequest::default() };
    build_event(Some(agent), EventName::ToolBefore.as_str(), &wanted).map(|(request, _)| request)
}

/// Returns the event, and its JSON in the agent's format.
fn build_event(agent: Option<&str>, event: &str, wanted: &EventRequest) -> Result<(Request, Json), String> {
    let arrival = read::create_read_context();
    let dialect = read::dialect_named(Some(agent.unwrap_or(NATIVE)))?.ok_or("the agent is unknown")?;
    let wanted = EventRequest { time: arrival.time, ..wanted.clone() };
    let json = synthesize::synthesize_event(dialect, event, &wanted)
        .map_err(|error| explain_failure(&error, dialect, event, &wanted))?;
    let read = Request::parse_input(Some(dialect), json.as_str().as_bytes().to_vec(), &arrival);
    let request = read.map_err(|invalid| invalid.message)?;
    // The event's time affects exceptions, so it is the current one.
    let event = Event { id: arrival.id, time: arrival.time, ..request.event };
    Ok((Request { event, ..request }, json))
}

fn parse_arguments(args: &TryArgs) -> Result<EventRequest, String> {
    let cwd = args.cwd.as_deref().map_or_else(environment::current_folder, Path::to_owned);
    let cwd = std::path::absolute(&cwd).unwrap_or(cwd);
    Ok(EventRequest {
        tool: args.tool.clone(),
        command: args.command.clone(),
        path: args.path.clone(),
        input: args.input.as_deref().map(parse_object).transpose()?.unwrap_or_default(),
        output: args.output.as_deref().map(parse_value),
        prompt: args.prompt.clone(),
        members: args.set.iter().map(|set| parse_member(set)).collect::<Result<_, _>>()?,
        session: args.session.clone().unwrap_or_else(|| SESSION.to_owned()),
        cwd: cwd.display().to_string(),
        time: 0,
    })
}

fn parse_object(text: &str) -> Result<Map<String, Value>, String> {
    let json = Json::parse_object(text).map_err(|error| format!("--input is not a JSON object: {error}"))?;
    serde_json::from_str(json.as_str()).map_err(|error| format!("--input is not a JSON object: {error}"))
}

/// Parses JSON; other text becomes a string.
fn parse_value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn parse_member(set: &str) -> Result<(String, Value), String> {
    match set.split_once('=').filter(|(name, _)| name.split('.').all(|part| !part.is_empty())) {
        Some((name, text)) => Ok((name.to_owned(), parse_value(text))),
        None => Err(format!("--set {} is not MEMBER=VALUE", quote_word(set))),
    }
}

/// Returns the reason why the event cannot be built, with advice.
fn explain_failure(error: &BuildError, dialect: &dyn Dialect, event: &str, wanted: &EventRequest) -> String {
    let agent = dialect.name();
    let shown = report::sanitize_line(event);
    match error {
        BuildError::NoSuchEvent => no_such_event(dialect, event),
        BuildError::UnsupportedEvent => describe_unsupported(dialect, &shown),
        BuildError::NoSuchTool(tools) => no_such_tool(agent, tools, wanted),
        BuildError::MissingParts(needs) => {
            let needs: Vec<_> = needs.iter().map(|need| describe_need(need, agent)).collect();
            format!("{shown} needs {}", needs.join(", and "))
        }
        BuildError::Rejected(invalid) => format!(
            "{invalid}; a member is changed by --set MEMBER=VALUE, where a text that would be JSON has its quotation marks: \
             --set 'MEMBER=\"7\"'"
        ),
        BuildError::DifferentEvent(name) => {
            format!("as it is, {agent} would mean {name} by it, not {shown}: change it by --set MEMBER=VALUE")
        }
        BuildError::DifferentCommand(None) => format!(
            "{} is not a tool with which {agent} runs a command: leave out --tool, or give its arguments with --input",
            quote_word(wanted.tool.as_deref().unwrap_or_default())
        ),
        BuildError::DifferentCommand(Some(other)) => {
            format!(
                "with these arguments another command would run: {}; leave out --input",
                report::shorten_text(other)
            )
        }
    }
}

fn describe_need(need: &MissingPart, agent: &str) -> String {
    match need {
        MissingPart::Tool => {
            let shell =
                find_self_test(agent).and_then(|self_test| self_test.build_event(agent, "", "/").ok());
            let shell = shell.and_then(|input| Some(input.event().tool.as_ref()?.name.clone()));
            format!("a tool: add --tool {} --command '…'", shell.as_deref().unwrap_or("Bash"))
        }
        MissingPart::Command => "a command: add --command '…'".to_owned(),
        MissingPart::Path => "a file: add --path FILE".to_owned(),
        MissingPart::Output => "what the tool returned: add --output TEXT".to_owned(),
        MissingPart::Prompt => "a prompt: add --prompt TEXT".to_owned(),
        MissingPart::Member(name, expected) => {
            format!("`{name}`, which must be {expected}: add --set {name}=VALUE")
        }
    }
}

/// Builds the message for an agent that has a separate event for each of its tools.
fn no_such_tool(agent: &str, tools: &[&str], wanted: &EventRequest) -> String {
    let tool = quote_word(wanted.tool.as_deref().unwrap_or_default());
    format!(
        "{agent} has no tool {tool}; its tools are: {}. A command needs no --tool: leave it out, and add --command '…'",
        tools.join(", ")
    )
}

fn no_such_event(dialect: &dyn Dialect, event: &str) -> String {
    let (agent, shown) = (dialect.name(), quote_word(event));
    let canonical = agents::find_canonical_events(event);
    if agent == NATIVE
        && let Some(canonical) = canonical.first()
    {
        let has = |agent: &&&dyn Dialect| agent.events().iter().any(|(name, _)| *name == event);
        let agents: Vec<_> = agents::all_dialects().iter().filter(has).map(|agent| agent.name()).collect();
        let first = agents.first().copied().unwrap_or(NATIVE);
        return format!(
            "{shown} is what {} call{} {canonical}: pass --agent {first}, or `hookbox try {canonical}`",
            agents.join(", "),
            if agents.len() == 1 { "s" } else { "" }
        );
    }
    let mut known: Vec<&str> = each_once(dialect.events().iter().map(|(name, _)| *name));
    if EventName::known(event).is_some() {
        let events = join_names(&known);
        return format!("{agent} has no event {event}; its events are: {events}");
    }
    let events = dialect.events();
    known.extend(
        EventName::KNOWN
            .iter()
            .filter(|name| events.iter().any(|(_, own)| own == *name))
            .map(EventName::as_str),
    );
    // hookbox's own events have canonical names.
    let known = each_once(known.into_iter());
    let whose = if agent == NATIVE { "unknown event".to_owned() } else { format!("{agent} has no event") };
    format!("{whose} {shown}; {}", did_you_mean(event, &known))
}

/// Removes duplicates, keeping the order.
fn each_once<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}

fn describe_unsupported(dialect: &dyn Dialect, event: &str) -> String {
    let agent = dialect.name();
    let can = synthesize::list_events(dialect);
    let can = match (can.as_slice(), find_self_test(agent)) {
        ([], None) => "none of its events can be created; pass one to `hookbox explain --agent`".to_owned(),
        ([], Some(self_test)) => format!("--command creates {}", self_test.event),
        (names, _) => format!("events that can be created: {}", join_names(names)),
    };
    format!("the format of {agent}'s {event} is unknown; {can}")
}

fn join_names(names: &[&str]) -> String {
    let more = names.len().saturating_sub(MOST_NAMED);
    let first: Vec<_> = names.iter().take(MOST_NAMED).copied().collect();
    let more = if more == 0 { String::new() } else { format!(" and {more} more (`hookbox dialects`)") };
    format!("{}{more}", first.join(", "))
}
