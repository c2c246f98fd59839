//! The check that every language has, in Rust.

use std::fmt::Write as _;

use hookbox_sdk::{
    Answer, Event, Hook, ToolClass, export, http,
    kv::{self, Scope},
    log,
};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    greeting: Option<String>,
    most: Option<i64>,
    server: Option<String>,
}

struct Check;

impl Hook for Check {
    fn handle(event: Event) -> Result<Answer, String> {
        log::info(&format!("saw {}", event.name));
        if event.name == "session.start" {
            let settings: Settings = hookbox_sdk::config()?;
            return Ok(settings.greeting.map_or_else(Answer::none, Answer::context));
        }
        let tool = event.tool.filter(|tool| event.name == "tool.before" && tool.class == ToolClass::Shell);
        let Some(command) = tool.and_then(|tool| tool.command) else { return Ok(Answer::none()) };
        let settings: Settings = hookbox_sdk::config()?;
        if let Some(most) = settings.most {
            let calls = kv::increment(Scope::Session, "calls", 1);
            let calls = calls.map_err(|error| format!("the store: {}", store_error(error)))?;
            if calls > most {
                return Ok(Answer::ask("too-many-calls", format!("call {calls} of {most}")));
            }
        }
        judge(&command, settings.server.as_deref())
    }
}

export!(Check);

fn judge(command: &str, server: Option<&str>) -> Result<Answer, String> {
    if command.trim_matches(' ') == "rm -rf /" {
        return Ok(Answer::deny("removes-root", "rm -rf / removes everything"));
    }
    if let Some(rest) = command.strip_prefix("npm ") {
        let patch = json!({ "command": format!("pnpm {rest}") });
        return Ok(Answer::none().with_rewrite_merge(&patch)?.with_notice("pnpm instead of npm"));
    }
    match (command.strip_prefix("deploy "), server) {
        (Some(what), Some(server)) => ask_server(server, what),
        _ => Ok(Answer::none()),
    }
}

fn ask_server(server: &str, what: &str) -> Result<Answer, String> {
    let response = http::get(format!("{server}/may?what={}", percent_encoded(what))).send();
    let response = response.map_err(|error| format!("the server: {}", server_error(&error)))?;
    match response.status {
        200 => Ok(Answer::none()),
        403 => Ok(Answer::deny("server-said-no", String::from_utf8_lossy(&response.body))),
        status => Err(format!("the server answered {status}")),
    }
}

fn percent_encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() {
            encoded.push(byte.into());
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}

fn store_error(error: kv::Error) -> &'static str {
    match error {
        kv::Error::NotGranted => "not-granted",
        kv::Error::NoPlace => "no-place",
        kv::Error::BadSize => "bad-size",
        kv::Error::Quota => "quota",
        kv::Error::NotANumber => "not-a-number",
        kv::Error::Busy => "busy",
    }
}

fn server_error(error: &http::Error) -> &'static str {
    match error {
        http::Error::Refused(_) => "refused",
        http::Error::Invalid(_) => "invalid",
        http::Error::Unreachable(_) => "unreachable",
        http::Error::Timeout => "timeout",
        http::Error::Limit(_) => "limit",
    }
}
