//! Questions that send requests.

use serde_json::json;

use super::{
    question::HttpRequest,
    reply::{Reply, text_or_base64},
};
use crate::sandbox::{
    bindings::hookbox::hook::http::{Error, Header, Host, Request},
    store::State,
};

pub(super) async fn answer_request(state: &mut State, question: HttpRequest) -> wasmtime::Result<Reply> {
    let HttpRequest { method, url, headers, body, timeout, .. } = question;
    let headers = headers.into_iter().map(|(name, value)| Header { name, value }).collect();
    let body = body.map(|body| body.0).unwrap_or_default();
    let sent = Host::send(state, Request { method, url, headers, body, timeout }).await?;
    Ok(sent.map_or_else(error_reply, |response| {
        let headers: Vec<_> =
            response.headers.into_iter().map(|Header { name, value }| [name, value]).collect();
        Reply::from_value(json!({
            "status": response.status,
            "headers": headers,
            "body": text_or_base64(response.body),
        }))
    }))
}

fn error_reply(error: Error) -> Reply {
    let (word, text) = match error {
        Error::Refused(text) => ("refused", text),
        Error::Invalid(text) => ("invalid", text),
        Error::Unreachable(text) => ("unreachable", text),
        Error::Timeout => ("timeout", "nothing came in time".to_owned()),
        Error::Limit(text) => ("limit", text),
    };
    Reply::from_error(word, &text)
}
