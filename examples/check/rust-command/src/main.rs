//! The one check that is written in every language, as a program; `examples/check/README.md` says what it does.

#[path = "../../../../sdk/command/hookbox_command.rs"]
mod hookbox;

use std::fmt::Write;

use serde_json::{Value, json};

fn main() {
    hookbox::run(handle);
}

fn handle(event: Value) -> Result<Value, String> {
    let name = event["event"].as_str().unwrap_or_default();
    hookbox::log("info", &format!("saw {name}"));
    let settings = hookbox::config().map_err(|error| error.to_string())?;
    match (name, event["tool"]["class"].as_str(), event["tool"]["command"].as_str()) {
        ("session.start", ..) => Ok(match &settings["greeting"] {
            Value::String(greeting) => json!({"context": greeting}),
            _ => json!({}),
        }),
        ("tool.before", Some("shell"), Some(command)) => check(&settings, command),
        _ => Ok(json!({})),
    }
}

fn check(settings: &Value, command: &str) -> Result<Value, String> {
    if let Some(most) = settings["most"].as_i64()
        && let Some(answer) = too_many(most)?
    {
        return Ok(answer);
    }
    if command.trim_matches(' ') == "rm -rf /" {
        return Ok(verdict("deny", "removes-root", "rm -rf / removes everything"));
    }
    if let Some(rest) = command.strip_prefix("npm ") {
        let patch = json!({"command": format!("pnpm {rest}")});
        return Ok(json!({"rewrite": {"merge": patch}, "notice": "pnpm instead of npm"}));
    }
    match (command.strip_prefix("deploy "), settings["server"].as_str()) {
        (Some(what), Some(server)) => may_deploy(server, what),
        _ => Ok(json!({})),
    }
}

fn too_many(most: i64) -> Result<Option<Value>, String> {
    let question = json!({"ask": "kv.increment", "scope": "session", "key": "calls", "by": 1});
    let calls = hookbox::ask(&question).map_err(|error| format!("the store: {}", error.word))?;
    let calls = calls.as_i64().unwrap_or_default();
    Ok((calls > most).then(|| verdict("ask", "too-many-calls", &format!("call {calls} of {most}"))))
}

fn may_deploy(server: &str, what: &str) -> Result<Value, String> {
    let url = format!("{server}/may?what={}", escaped(what));
    let question = json!({"ask": "http", "method": "GET", "url": url});
    let response = hookbox::ask(&question).map_err(|error| format!("the server: {}", error.word))?;
    match response["status"].as_u64() {
        Some(200) => Ok(json!({})),
        Some(403) => Ok(verdict("deny", "server-said-no", response["body"].as_str().unwrap_or_default())),
        status => Err(format!("the server answered {}", status.unwrap_or_default())),
    }
}

/// The text with every byte that is no ASCII letter or digit as %XX.
fn escaped(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        // Writing to a string cannot fail.
        let _ = if byte.is_ascii_alphanumeric() {
            write!(out, "{}", char::from(byte))
        } else {
            write!(out, "%{byte:02X}")
        };
        out
    })
}

fn verdict(word: &str, code: &str, reason: &str) -> Value {
    json!({"verdict": word, "code": code, "reason": reason})
}
