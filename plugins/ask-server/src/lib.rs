//! Asks a server whether a tool call may happen.

mod question;
mod reply;

use std::collections::BTreeMap;

use hookbox_sdk::{Answer, Event, Hook, export};
use serde::Deserialize;
use wstd::{
    http::{Body, Client, Error, Request, StatusCode, error::Context},
    runtime::block_on,
};

use question::Question;
use reply::Reply;

/// The hook.
pub struct AskServer;

/// Its settings.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    url: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
}

impl Hook for AskServer {
    fn handle(event: Event) -> Result<Answer, String> {
        let settings: Settings = hookbox_sdk::config()?;
        let Some(question) = Question::of(&event)? else { return Ok(Answer::none()) };
        let reply = block_on(ask(&settings, &question));
        Ok(reply.map_err(|error| format!("{}: {error:#}", settings.url))?.answer())
    }
}

export!(AskServer);

async fn ask(settings: &Settings, question: &Question<'_>) -> Result<Reply, Error> {
    let response = Client::new().send(request(settings, question)?).await.context("no answer")?;
    let status = response.status();
    if status != StatusCode::OK {
        return Err(Error::msg(format!("the server answered {status}")));
    }
    response.into_body().json().await.context("the server's answer")
}

fn request(settings: &Settings, question: &Question<'_>) -> Result<Request<Body>, Error> {
    let body = Body::from_json(question)?;
    let mut request = Request::post(&settings.url).header("content-type", "application/json");
    // Many small servers read no body whose length they are not told.
    if let Some(length) = body.content_length() {
        request = request.header("content-length", length);
    }
    for (name, value) in &settings.headers {
        request = request.header(name, value);
    }
    request.body(body).context("settings")
}

#[cfg(test)]
mod tests {
    use hookbox_sdk::{ToolCall, testing};

    use super::*;

    /// The request that these settings come to.
    fn sent(settings: &str) -> Result<Request<Body>, String> {
        testing::set_config(settings);
        let event = Event { tool: Some(ToolCall::default()), ..Event::default() };
        let question = Question::of(&event)?.ok_or("no question")?;
        request(&hookbox_sdk::config()?, &question).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn the_question_is_posted_with_its_length_and_the_headers_of_the_settings() {
        let request = sent(r#"{"url": "https://a.example/x", "headers": {"X-Team": "blue"}}"#);
        let request = request.as_ref().map_err(Clone::clone);
        let head =
            request.map(|request| format!("{} {} {:?}", request.method(), request.uri(), request.headers()));
        assert_eq!(
            head.as_deref(),
            Ok(
                r#"POST https://a.example/x {"content-type": "application/json", "content-length": "86", "x-team": "blue"}"#
            )
        );
    }

    #[test]
    fn settings_that_make_no_request_are_an_error() {
        assert_eq!(sent(r#"{"url": "a b"}"#).err().as_deref(), Some("settings: invalid uri character"));
        let header = sent(r#"{"url": "https://a.example", "headers": {"a b": ""}}"#).err();
        assert_eq!(header.as_deref(), Some("settings: invalid HTTP header name"));
    }

    #[test]
    fn an_event_without_a_tool_is_not_asked_about() {
        testing::set_config(r#"{"url": "https://a.example"}"#);
        assert_eq!(AskServer::handle(Event::default()), Ok(Answer::none()));
    }
}
