//! A fake model: a server on this machine that implements the APIs of the clients' models, and answers from a script.

mod anthropic;
mod chat;
mod gemini;
mod responses;
mod script;

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use tiny_http::{Header, Request, Response, Server};

use self::script::{Reply, VisibleConversation};
pub(super) use self::script::{Script, Shell};

/// Name of the model in clients' requests.
pub(super) const NAME: &str = "scripted";

/// A server that serves as long as the program runs.
pub(super) struct Model {
    address: SocketAddr,
    script: Arc<Mutex<Script>>,
    seen: Arc<Mutex<ObservedRequests>>,
    before_command: Arc<Mutex<Option<Action>>>,
}

/// An action that runs once.
type Action = Box<dyn FnOnce() -> Result<()> + Send>;

/// Observations of the clients' requests.
#[derive(Clone, Debug, Default)]
pub(super) struct ObservedRequests {
    /// Results of the calls, from the client's last request.
    pub(super) results: Vec<String>,
    /// The tools of the last request that had some.
    pub(super) tools: Vec<String>,
    /// All requests in order of arrival.
    pub(super) requests: Vec<Value>,
}

impl Model {
    /// Serves the script.
    pub(super) fn serve_script(script: Script) -> Result<Self> {
        let server =
            Server::http((Ipv4Addr::LOCALHOST, 0)).map_err(|error| anyhow!("cannot serve: {error}"))?;
        let address = server.server_addr().to_ip().ok_or_else(|| anyhow!("the server has no address"))?;
        let (script, seen) =
            (Arc::new(Mutex::new(script)), Arc::new(Mutex::new(ObservedRequests::default())));
        let before_command = Arc::new(Mutex::new(None));
        let (spoken, requests, first) = (Arc::clone(&script), Arc::clone(&seen), Arc::clone(&before_command));
        thread::spawn(move || {
            for request in server.incoming_requests() {
                // A copy, so that the lock is not held while the request is served.
                let script = spoken.lock().unwrap_or_else(PoisonError::into_inner).clone();
                serve_request(request, (&script, &first), &requests);
            }
        });
        Ok(Self { address, script, seen, before_command })
    }

    /// Starts a new script, for a session independent of the one before.
    pub(super) fn begin_anew(&self, commands: Vec<String>) {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).commands = commands;
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = ObservedRequests::default();
    }

    /// Runs this action before the model's next command.
    pub(super) fn before_first_command(&self, action: impl FnOnce() -> Result<()> + Send + 'static) {
        *self.before_command.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(action));
    }

    /// Returns the server's address.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the observations so far.
    pub(super) fn seen(&self) -> ObservedRequests {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The ways to talk to a model.
#[derive(Clone, Copy)]
enum Language {
    Anthropic,
    Chat,
    Responses,
    Gemini,
}

impl Language {
    fn from_path(path: &str) -> Option<Self> {
        let path = path.split('?').next().unwrap_or_default();
        if path.ends_with("/messages") {
            Some(Self::Anthropic)
        } else if path.ends_with("/chat/completions") {
            Some(Self::Chat)
        } else if path.ends_with("/responses") {
            Some(Self::Responses)
        } else if path.ends_with("enerateContent") {
            Some(Self::Gemini)
        } else {
            None
        }
    }

    fn read_request(self, body: &Value) -> VisibleConversation {
        match self {
            Self::Anthropic => anthropic::read_request(body),
            Self::Chat => chat::read_request(body),
            Self::Responses => responses::read_request(body),
            Self::Gemini => gemini::read_request(body),
        }
    }

    fn write_reply(self, reply: &Reply) -> ModelAnswer {
        match self {
            Self::Anthropic => anthropic::write_reply(reply),
            Self::Chat => chat::write_reply(reply),
            Self::Responses => responses::write_reply(reply),
            Self::Gemini => gemini::write_reply(reply),
        }
    }

    /// Returns true if the client requests a streamed answer.
    fn is_streamed(self, path: &str, body: &Value) -> bool {
        match self {
            Self::Gemini => path.contains("streamGenerateContent"),
            _ => body.get("stream").and_then(Value::as_bool).unwrap_or(false),
        }
    }
}

/// An answer in both of its forms.
struct ModelAnswer {
    whole: Value,
    /// Events with their names, if the API has names.
    pieces: Vec<(Option<&'static str>, Value)>,
    /// Text after the last event.
    end: &'static str,
}

impl ModelAnswer {
    fn streamed(&self) -> String {
        let event = |(name, data): &(Option<&str>, Value)| match name {
            Some(name) => format!("event: {name}\ndata: {data}\n\n"),
            None => format!("data: {data}\n\n"),
        };
        self.pieces.iter().map(event).collect::<String>() + self.end
    }
}

fn serve_request(
    mut request: Request,
    (script, before_command): (&Script, &Mutex<Option<Action>>),
    seen: &Mutex<ObservedRequests>,
) {
    let mut text = String::new();
    // An unreadable body counts as empty; the client gets an error below.
    let _ = request.as_reader().read_to_string(&mut text);
    let body: Value = serde_json::from_str(&text).unwrap_or_default();
    let path = request.url().to_owned();
    let (kind, answer) = if let Some(language) = Language::from_path(&path) {
        let asked = language.read_request(&body);
        let reply = script.next(&asked);
        if matches!(reply, Reply::Call { .. }) {
            // Taken out: it runs before the first command only.
            let action = before_command.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(Err(error)) = action.map(|action| action()) {
                // No answer: the client then runs no command, and the session does not count as observed.
                eprintln!("the model says nothing: {error:#}");
                return;
            }
        }
        let written = language.write_reply(&reply);
        record_request(seen, &path, &body, asked);
        if language.is_streamed(&path, &body) {
            ("text/event-stream", written.streamed())
        } else {
            ("application/json", written.whole.to_string())
        }
    } else {
        record_request(seen, &path, &body, VisibleConversation::default());
        ("application/json", about_models().to_string())
    };
    let Ok(header) = Header::from_bytes("content-type", kind) else { return };
    // A client that has gone wants no answer.
    let _ = request.respond(Response::from_string(answer).with_header(header));
}

fn record_request(seen: &Mutex<ObservedRequests>, path: &str, body: &Value, asked: VisibleConversation) {
    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    seen.requests.push(json!({ "path": path, "body": body }));
    // Requests without tools are for titles and summaries, and show no progress of the session.
    if !asked.tools.is_empty() {
        seen.results = asked.results;
        seen.tools = asked.tools;
    }
}

/// Answers other requests of clients: the list of models, the number of tokens in a text.
fn about_models() -> Value {
    let model = json!({ "id": NAME, "object": "model", "name": NAME });
    json!({ "object": "list", "data": [model], "models": [], "input_tokens": 1, "totalTokens": 1 })
}

/// Returns the text in a result, ignoring everything around it.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().map(text_of).collect::<Vec<_>>().join("\n"),
        Value::Object(block) => match block.get("text") {
            Some(Value::String(text)) => text.clone(),
            _ => value.to_string(),
        },
        _ => String::new(),
    }
}

/// Returns the list below this key.
fn list_at<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// Returns the text below this key.
fn text_at<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests;
