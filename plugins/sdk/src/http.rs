//! Requests to servers, each as a whole, for a hook whose grant `http` has a rule that covers them. Without one every request is
//! [`Error::Refused`], and the call's report has the line to add.
//!
//! ```
//! use hookbox_sdk::{http, testing};
//!
//! // In a test, natively:
//! testing::set_http(|request| {
//!     assert_eq!((request.method.as_str(), request.url.as_str()), ("GET", "https://policy.example.com/may"));
//!     Ok(http::Response { status: 200, headers: vec![], body: b"yes".to_vec() })
//! });
//!
//! let response = http::get("https://policy.example.com/may").send()?;
//! assert_eq!((response.status, response.text()?), (200, "yes".to_owned()));
//! # Ok::<(), String>(())
//! ```

use std::time::Duration;

use serde::{Serialize, de::DeserializeOwned};

pub use crate::bindings::hookbox::hook::http::{Error, Header, Request, Response};
use crate::{imports::http as client, json};

/// Creates a `GET` request for this URL.
pub fn get(url: impl Into<String>) -> Request {
    Request::new("GET", url)
}

/// Creates a `POST` request with this text for this URL.
pub fn post(url: impl Into<String>, body: impl Into<Vec<u8>>) -> Request {
    Request { body: body.into(), ..Request::new("POST", url) }
}

/// Creates a `POST` request with this value as JSON for this URL.
///
/// # Errors
///
/// When the value cannot be written as JSON.
pub fn post_json(url: impl Into<String>, body: &impl Serialize) -> Result<Request, String> {
    Ok(post(url, json::write(body, "request")?).with_header("content-type", "application/json"))
}

impl Request {
    /// Creates a request without headers and body.
    pub fn new(method: impl Into<String>, url: impl Into<String>) -> Self {
        Self { method: method.into(), url: url.into(), headers: Vec::new(), body: Vec::new(), timeout: None }
    }

    /// Adds a header. In its value `${secret:NAME}` stands for a granted secret, which the hook never sees.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push(Header { name: name.into(), value: value.into() });
        self
    }

    /// Limits the time for the whole response. By default the hook's own time limit applies, and the hook fails at its end.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        let milliseconds = u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX);
        Self { timeout: Some(milliseconds), ..self }
    }

    /// Sends the request and waits for the whole response, whatever its status. Redirects are not followed.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub fn send(&self) -> Result<Response, Error> {
        client::send(self)
    }
}

impl Response {
    /// Returns true if the status reports success (200 to 299).
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns the first value of this header; the name is not case-sensitive.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name)).map(|header| &*header.value)
    }

    /// Returns the body as text.
    ///
    /// # Errors
    ///
    /// When the body is not UTF-8.
    pub fn text(&self) -> Result<String, String> {
        String::from_utf8(self.body.clone()).map_err(|_| "the response is not UTF-8".to_owned())
    }

    /// Parses the JSON body as a type.
    ///
    /// # Errors
    ///
    /// Names the key and what is wrong with it.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, String> {
        json::parse(&self.text()?, "response")
    }
}

/// Converts the error for a hook that fails without the response: `http::get(url).send()?`.
impl From<Error> for String {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(why) => format!("the request was refused: {why}"),
            Error::Invalid(why) => format!("the request cannot be sent: {why}"),
            Error::Unreachable(why) => format!("the server was not reached: {why}"),
            Error::Timeout => "the server did not answer in time".to_owned(),
            Error::Limit(why) => format!("the request goes beyond a limit: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing;

    #[test]
    fn a_request_is_sent_as_it_was_put_together() {
        testing::set_http(|request| {
            assert_eq!(request.body, br#"{"tool":"Bash"}"#);
            let headers: Vec<_> =
                request.headers.iter().map(|header| (&*header.name, &*header.value)).collect();
            assert_eq!(
                headers,
                [("content-type", "application/json"), ("authorization", "Bearer ${secret:api}")]
            );
            assert_eq!(request.timeout, Some(1500));
            let headers = vec![Header { name: "x-by".into(), value: "policy".into() }];
            Ok(Response { status: 403, headers, body: br#"{"why":"late"}"#.to_vec() })
        });
        let request = post_json("https://policy.example.com", &json!({"tool": "Bash"})).unwrap();
        let request = request.with_header("authorization", "Bearer ${secret:api}");
        let response = request.with_timeout(Duration::from_millis(1500)).send().unwrap();
        assert_eq!((response.status, response.is_success()), (403, false));
        assert_eq!((response.header("X-By"), response.header("x-of")), (Some("policy"), None));
        assert_eq!(response.json(), Ok(json!({"why": "late"})));
    }

    #[test]
    fn without_answers_every_request_is_refused() {
        let error = get("https://policy.example.com").send().unwrap_err();
        assert_eq!(String::from(error), "the request was refused: no rule of `grant.http` covers it");
    }

    #[test]
    fn a_body_that_is_not_utf_8_is_an_error() {
        let response = Response { status: 200, headers: vec![], body: vec![0xff] };
        assert_eq!(response.text(), Err("the response is not UTF-8".to_owned()));
    }
}
