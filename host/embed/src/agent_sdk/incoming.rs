//! Messages from Claude Code.

use std::{cell::RefCell, collections::HashSet, fmt};

use hookbox_model::{Json, RawObject};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// A request to call a callback.
    Call(HookCallback),
    /// The answer to this request is not awaited any more.
    Cancel {
        /// Id of the request.
        request_id: String,
    },
    /// The answer to a request of the program; an error is a text.
    Reply {
        /// Id of the request.
        request_id: String,
        /// The answer.
        reply: Result<Json, String>,
    },
    /// A request that is not about hooks.
    Request {
        /// Id of the request, for its answer.
        request_id: String,
        /// Subtype of the request.
        subtype: String,
    },
    /// A message that is not about hooks.
    Other {
        /// Its `type`.
        kind: String,
    },
}

/// A request to call a callback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookCallback {
    /// Id of the request, for its answer.
    pub request_id: String,
    /// Id of the callback.
    pub callback_id: String,
    /// Input that a hook would get on its standard input, unchanged; `null` if it is missing.
    pub input: String,
    /// Id of the tool call, if the event is about one.
    pub tool_use_id: Option<String>,
}

/// A message that cannot be parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BadMessage {
    /// Id of the request, if the message is one and has a readable id.
    pub request_id: Option<String>,
    /// Id of the callback, if it is known.
    pub callback_id: Option<String>,
    /// The error.
    pub problem: String,
}

impl BadMessage {
    fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), ..Self::default() }
    }
}

impl fmt::Display for BadMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for BadMessage {}

impl Incoming {
    /// Parses the message in this line.
    pub fn read(line: &[u8]) -> Result<Self, BadMessage> {
        let text = std::str::from_utf8(line).map_err(|error| {
            let at = error.valid_up_to();
            // The id comes before the long parts, so even a damaged request usually gets its error.
            let about = line.get(..at).map(parse_beginning).unwrap_or_default();
            BadMessage { problem: format!("the message is not UTF-8 (byte {at})"), ..about }
        })?;
        let members =
            parse_object(text).map_err(|problem| BadMessage { problem, ..parse_beginning(line) })?;
        let kind = members.get_string("type").ok_or_else(|| BadMessage::new("the message has no `type`"))?;
        match kind.as_str() {
            "control_request" => parse_request(&members),
            "control_cancel_request" => Ok(Self::Cancel { request_id: request_id(&members, &kind)? }),
            "control_response" => parse_reply(&members),
            _ => Ok(Self::Other { kind }),
        }
    }
}

fn parse_request(members: &RawObject<'_>) -> Result<Incoming, BadMessage> {
    let request_id = request_id(members, "control_request")?;
    let bad =
        |problem: String| BadMessage { request_id: Some(request_id.clone()), callback_id: None, problem };
    let request = members.get("request").ok_or_else(|| bad("the request has no `request`".to_owned()))?;
    let request = parse_object(request.get()).map_err(bad)?;
    let subtype =
        request.get_string("subtype").ok_or_else(|| bad("the request has no `subtype`".to_owned()))?;
    if subtype != "hook_callback" {
        return Ok(Incoming::Request { request_id, subtype });
    }
    let callback_id = request
        .get_string("callback_id")
        .ok_or_else(|| bad("the request has no `callback_id`".to_owned()))?;
    let tool_use_id = match request.get("tool_use_id").map(RawValue::get) {
        None | Some("null") => None,
        Some(_) => Some(request.get_string("tool_use_id").ok_or_else(|| BadMessage {
            callback_id: Some(callback_id.clone()),
            ..bad("`tool_use_id` is not text".to_owned())
        })?),
    };
    let input = request.get("input").map_or("null", |input| input.get()).to_owned();
    Ok(Incoming::Call(HookCallback { request_id, callback_id, input, tool_use_id }))
}

fn parse_reply(members: &RawObject<'_>) -> Result<Incoming, BadMessage> {
    let response =
        members.get("response").ok_or_else(|| BadMessage::new("the answer has no `response`"))?.get();
    let response = parse_object(response).map_err(BadMessage::new)?;
    let request_id = request_id(&response, "control_response")?;
    if response.get_string("subtype").as_deref() == Some("error") {
        let error = response.get_string("error").unwrap_or_else(|| "it does not say why".to_owned());
        return Ok(Incoming::Reply { request_id, reply: Err(error) });
    }
    // A response that is not an object has no information about hooks.
    let answer = response.get("response").and_then(|answer| Json::parse_object(answer.get()).ok());
    let reply = Ok(answer.unwrap_or_else(Json::empty_object));
    Ok(Incoming::Reply { request_id, reply })
}

fn request_id(members: &RawObject<'_>, kind: &str) -> Result<String, BadMessage> {
    let id = members.get_string("request_id").filter(|id| !id.is_empty());
    id.ok_or_else(|| BadMessage::new(format!("the {kind} has no `request_id` that is a text")))
}

/// Parses an object. Refuses duplicate names, of which readers could take different ones.
fn parse_object(text: &str) -> Result<RawObject<'_>, String> {
    let members =
        RawObject::parse(text).map_err(|error| format!("the message is not a JSON object: {error}"))?;
    let mut seen = HashSet::new();
    let twice = members.iter().find(|(key, _)| !seen.insert(*key)).map(|(key, _)| key.to_owned());
    match twice {
        Some(key) => Err(format!("the message has {key:?} twice")),
        None => Ok(members),
    }
}

/// Most bytes of a beginning that are parsed.
const BEGINNING: usize = 64 << 10;

/// Parses the beginning of a message that cannot be parsed as a whole, for the ids needed to answer it. Claude Code writes these before
/// the long parts.
pub fn parse_beginning(line: &[u8]) -> BadMessage {
    let line = line.get(..BEGINNING).unwrap_or(line);
    let found = RefCell::default();
    // The text ends in the middle of a value; the members before it are kept.
    let _ = Beginning { found: &found, within_request: false }
        .deserialize(&mut serde_json::Deserializer::from_slice(line));
    let found: FoundIds = found.into_inner();
    let is_request = found.kind.as_deref() == Some("control_request");
    BadMessage {
        // An answer to something other than a request would be a reply that Claude Code has not asked for.
        request_id: found.request_id.filter(|_| is_request),
        callback_id: found.callback_id.filter(|_| is_request),
        problem: String::new(),
    }
}

#[derive(Default)]
struct FoundIds {
    kind: Option<String>,
    request_id: Option<String>,
    callback_id: Option<String>,
}

#[derive(Clone, Copy)]
struct Beginning<'f> {
    found: &'f RefCell<FoundIds>,
    within_request: bool,
}

impl<'de> DeserializeSeed<'de> for Beginning<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Beginning<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(key) = members.next_key::<String>()? {
            let found = self.found;
            match (self.within_request, key.as_str()) {
                (false, "type") => found.borrow_mut().kind = Some(members.next_value()?),
                (false, "request_id") => found.borrow_mut().request_id = Some(members.next_value()?),
                (true, "callback_id") => found.borrow_mut().callback_id = Some(members.next_value()?),
                (false, "request") => members.next_value_seed(Self { within_request: true, ..self })?,
                // Skipped without a copy: the values may be as long as the message.
                _ => drop(members.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}
