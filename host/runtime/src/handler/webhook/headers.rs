//! Headers of a webhook: `${NAME}` in a value is replaced by a variable that the configuration lists.

use std::{collections::HashSet, fmt};

use hookbox_model::{Failure, FailureCode};
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};

use super::{WebhookSpecError, signature};
use crate::interfaces::Environment;
use crate::redaction::{redact_values, worth_redacting};

/// Headers of the connection. Setting one can make two servers see two different requests.
const RESERVED: [&str; 12] = [
    "connection",
    "content-encoding",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Error in a configured header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderProblem {
    /// The name is invalid.
    BadName,
    /// The header belongs to the connection.
    Reserved,
    /// The header is configured twice.
    Twice,
    /// A `${` without a name and a `}` after it.
    BadVariable,
    /// The value uses this variable, which `env` does not list.
    NotListed(String),
    /// The value has a line break or another control character.
    BadValue,
}

impl fmt::Display for HeaderProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadName => f.write_str("this is not a header name"),
            Self::Reserved => f.write_str("this belongs to the connection and cannot be set"),
            Self::Twice => f.write_str("it is there twice, and names are the same in capitals: keep one"),
            Self::BadVariable => f.write_str("a `${` must be followed by a variable's name and `}`"),
            Self::NotListed(name) => write!(
                f,
                "the variable `{name}` is not listed: add env = [\"{name}\"] if this server may have it"
            ),
            Self::BadValue => f.write_str("its value holds a line break or another control character"),
        }
    }
}

/// Headers of every request of one webhook.
pub(super) struct Headers {
    /// Headers to send, or the failure of every call.
    resolved: Result<HeaderMap, Failure>,
    /// Secrets that no message may show: the headers' values, and those of the variables in them.
    secrets: Vec<String>,
}

impl Headers {
    /// Resolves the `configured` headers with the `listed` variables, and adds hookbox's headers.
    ///
    /// With `drops_invalid`, characters that a header cannot have are removed from the variables' values, and an unset
    /// variable is empty; otherwise every call fails then.
    pub(super) fn new(
        configured: Vec<(String, String)>,
        listed: &[String],
        environment: &Environment,
        drops_invalid: bool,
    ) -> Result<Self, WebhookSpecError> {
        let mut resolved = Ok(default_headers());
        let mut secrets = Vec::new();
        let mut seen = HashSet::new();
        for (name, template) in configured {
            let wrong = |problem| WebhookSpecError::Header { header: name.clone(), problem };
            let header = header_name(&name).map_err(wrong)?;
            if !seen.insert(header.clone()) {
                return Err(wrong(HeaderProblem::Twice));
            }
            let pieces = parse_pieces(&template, listed).map_err(wrong)?;
            // Also each variable alone: a server may send back a part of a header's value.
            secrets.extend(
                pieces.iter().filter_map(|piece| piece.resolve_variable(environment)).map(str::to_owned),
            );
            resolved = resolved.and_then(|mut headers| {
                let value = resolve_value(&name, &pieces, environment, drops_invalid)?;
                secrets.push(String::from_utf8_lossy(value.as_bytes()).into_owned());
                headers.insert(header, value);
                Ok(headers)
            });
        }
        Ok(Self { resolved, secrets: worth_redacting(secrets) })
    }

    /// Returns the headers, or a failure that names the missing variable.
    pub(super) fn resolved(&self) -> Result<HeaderMap, Failure> {
        self.resolved.clone()
    }

    /// Returns `text` without the headers' values: a server may echo the request.
    pub(super) fn redact_text(&self, text: &str) -> String {
        redact_values(&self.secrets, text)
    }
}

/// Shows only the names.
impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.resolved {
            Ok(headers) => f.debug_set().entries(headers.keys()).finish(),
            Err(failure) => write!(f, "({failure})"),
        }
    }
}

fn default_headers() -> HeaderMap {
    let agent = HeaderValue::from_static(concat!("hookbox/", env!("CARGO_PKG_VERSION")));
    let json = HeaderValue::from_static("application/json");
    HeaderMap::from_iter([(ACCEPT, json.clone()), (CONTENT_TYPE, json), (USER_AGENT, agent)])
}

fn header_name(name: &str) -> Result<HeaderName, HeaderProblem> {
    let header: HeaderName = name.parse().map_err(|_| HeaderProblem::BadName)?;
    let signed = [signature::ID, signature::TIMESTAMP, signature::SIGNATURE].contains(&header);
    if signed || RESERVED.contains(&header.as_str()) { Err(HeaderProblem::Reserved) } else { Ok(header) }
}

/// Part of a header's configured value.
#[derive(Debug, PartialEq, Eq)]
enum Piece<'a> {
    Text(&'a str),
    Variable(&'a str),
}

impl Piece<'_> {
    fn resolve_variable<'e>(&self, environment: &'e Environment) -> Option<&'e str> {
        match self {
            Self::Text(_) => None,
            Self::Variable(name) => environment.get(name),
        }
    }
}

fn parse_pieces<'a>(template: &'a str, listed: &[String]) -> Result<Vec<Piece<'a>>, HeaderProblem> {
    if template.chars().any(|c| c.is_control() && c != '\t') {
        return Err(HeaderProblem::BadValue);
    }
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some((text, after)) = rest.split_once("${") {
        let (name, after) = after.split_once('}').ok_or(HeaderProblem::BadVariable)?;
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(HeaderProblem::BadVariable);
        }
        if !listed.iter().any(|n| n == name) {
            return Err(HeaderProblem::NotListed(name.to_owned()));
        }
        pieces.extend([Piece::Text(text), Piece::Variable(name)]);
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    Ok(pieces)
}

/// Returns the value, complete or not at all.
fn resolve_value(
    header: &str,
    pieces: &[Piece<'_>],
    environment: &Environment,
    drops_invalid: bool,
) -> Result<HeaderValue, Failure> {
    let refused = |why: String| Failure::new(FailureCode::Refused, &format!("header `{header}` {why}"));
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(literal) => text.push_str(literal),
            Piece::Variable(name) if drops_invalid => {
                text.push_str(&environment.get(name).unwrap_or_default().replace(['\r', '\n', '\0'], ""));
            }
            Piece::Variable(name) => {
                let set = environment.get(name).filter(|value| !value.is_empty());
                text.push_str(set.ok_or_else(|| {
                    refused(format!(
                        "needs the variable `{name}`, which is not set: set it before the agent starts"
                    ))
                })?);
            }
        }
    }
    let mut value = HeaderValue::from_bytes(text.as_bytes()).map_err(|_| {
        refused("would hold a line break or another control character: correct the variable in it".to_owned())
    })?;
    // `Debug` does not print a sensitive value.
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build_headers(
        headers: &[(&str, &str)],
        variables: &[(&str, &str)],
    ) -> Result<Headers, WebhookSpecError> {
        let headers = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let listed = ["TOKEN".to_owned(), "B_2".to_owned()];
        Headers::new(headers, &listed, &variables.iter().copied().collect(), false)
    }

    #[test]
    fn a_header_value_is_cleaned_if_its_agent_cleans_it() {
        let sent = |variables: &[(&str, &str)]| {
            let configured = vec![("X".to_owned(), "Bearer ${TOKEN}.".to_owned())];
            let variables = variables.iter().copied().collect();
            let headers = Headers::new(configured, &["TOKEN".to_owned()], &variables, true).unwrap();
            headers.resolved().unwrap()["x"].to_str().unwrap().to_owned()
        };
        assert_eq!(sent(&[("TOKEN", "a\r\nX-Evil: b\0")]), "Bearer aX-Evil: b.");
        assert_eq!(sent(&[]), "Bearer .");
    }

    #[test]
    fn a_value_is_put_together_from_text_and_variables() {
        let headers =
            build_headers(&[("X-A", "a ${TOKEN}-${B_2} $ {x}")], &[("TOKEN", "t"), ("B_2", "ü")]).unwrap();
        let value = &headers.resolved().unwrap()["x-a"];
        assert_eq!((value.as_bytes(), value.is_sensitive()), ("a t-ü $ {x}".as_bytes(), true));
    }

    #[test]
    fn a_variable_is_not_substituted_twice() {
        let headers =
            build_headers(&[("X-A", "${TOKEN}")], &[("TOKEN", "${B_2}"), ("B_2", "canary")]).unwrap();
        assert_eq!(headers.resolved().unwrap()["x-a"], "${B_2}");
    }

    #[test]
    fn a_header_that_cannot_be_sent_is_an_error_with_the_reason() {
        for (name, value, expected) in [
            ("X A", "", r#"header "X A": this is not a header name"#),
            ("Host", "", r#"header "Host": this belongs to the connection and cannot be set"#),
            ("X", "${TOKEN", r#"header "X": a `${` must be followed by a variable's name and `}`"#),
            ("X", "${}", r#"header "X": a `${` must be followed by a variable's name and `}`"#),
            ("X", "a\r\nb: c", r#"header "X": its value holds a line break or another control character"#),
            (
                "X",
                "${HOME}",
                r#"header "X": the variable `HOME` is not listed: add env = ["HOME"] if this server may have it"#,
            ),
        ] {
            let error = build_headers(&[(name, value)], &[("HOME", "canary")]).err().unwrap();
            assert_eq!(error.to_string(), expected);
        }
        let twice = build_headers(&[("X-A", "1"), ("x-a", "2")], &[]).err().unwrap();
        assert_eq!(
            twice.to_string(),
            r#"header "x-a": it is there twice, and names are the same in capitals: keep one"#
        );
    }

    #[test]
    fn a_variable_that_is_unset_empty_or_no_header_text_fails_the_whole_header() {
        let unset = "refused: header `X` needs the variable `TOKEN`, which is not set: set it before the agent starts";
        let broken = "refused: header `X` would hold a line break or another control character: correct the variable in it";
        for (variables, expected) in
            [(&[][..], unset), (&[("TOKEN", "")], unset), (&[("TOKEN", "canary\r\nY: z")], broken)]
        {
            let headers = build_headers(&[("X", "Bearer ${TOKEN}")], variables).unwrap();
            assert_eq!(headers.resolved().unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn debug_and_redacted_text_show_no_secret() {
        let headers = build_headers(&[("X-A", "literal-canary ${TOKEN}")], &[("TOKEN", "canary-1")]).unwrap();
        assert!(!format!("{headers:?}").contains("canary"), "{headers:?}");
        assert_eq!(headers.redact_text("you sent canary-1"), "you sent [redacted]");
    }

    #[test]
    fn a_value_that_is_a_part_of_words_stays_in_them() {
        let headers = build_headers(&[("X-A", "${TOKEN}"), ("X-B", "no")], &[("TOKEN", "a")]).unwrap();
        assert_eq!(headers.redact_text("a server that answers nothing"), "a server that answers nothing");
    }
}
