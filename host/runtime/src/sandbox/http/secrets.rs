//! Secrets that the host inserts into headers.

use hookbox_model::{HttpTarget, Secret};
use hyper::{HeaderMap, header::HeaderValue};

use super::denial::Denial;
use crate::{
    interfaces::Environment,
    redaction::{REDACTED, redact_values, worth_redacting},
};

/// Prefix of a secret's name in a header; a `}` ends the name.
const REFERENCE: &str = "${secret:";

/// The secrets of one call. No `Debug`: it has the values.
pub(super) struct Secrets {
    known: Vec<KnownSecret>,
    /// Values that no text may show.
    hidden: Vec<String>,
}

struct KnownSecret {
    secret: Secret,
    /// `None` if its variable is not set.
    value: Option<String>,
}

impl Secrets {
    /// Creates the secrets with their values from `environment`.
    pub(super) fn new(secrets: &[Secret], environment: &Environment) -> Self {
        let value = |secret: &Secret| {
            environment.get(&secret.env).filter(|value| !value.is_empty()).map(str::to_owned)
        };
        let known: Vec<_> = secrets
            .iter()
            .map(|secret| KnownSecret { value: value(secret), secret: secret.clone() })
            .collect();
        let hidden = worth_redacting(known.iter().filter_map(|known| known.value.clone()));
        Self { known, hidden }
    }

    /// Inserts values into the headers that name them. Returns true if it inserted any.
    pub(super) fn fill_headers(&self, headers: &mut HeaderMap, target: &HttpTarget) -> Result<bool, Denial> {
        let mut any = false;
        for value in headers.values_mut() {
            let Some(template) = value.to_str().ok().filter(|text| text.contains(REFERENCE)) else {
                continue;
            };
            let filled = self.fill_template(template, target)?;
            // A line break in the value of a variable would begin a header of its own.
            *value = HeaderValue::from_str(&filled)
                .map_err(|_| Denial::of_secret("a value holds a line break or another control character"))?;
            // `Debug` does not print a sensitive value.
            value.set_sensitive(true);
            any = true;
        }
        Ok(any)
    }

    /// Inserts values into one text. The values are not searched for further names.
    fn fill_template(&self, template: &str, target: &HttpTarget) -> Result<String, Denial> {
        let mut filled = String::new();
        let mut rest = template;
        while let Some((text, after)) = rest.split_once(REFERENCE) {
            let (name, after) = after.split_once('}').ok_or_else(|| {
                Denial::of_secret("`${secret:` must be followed by a secret's name and `}`")
            })?;
            filled.push_str(text);
            filled.push_str(self.secret_value(name, target)?);
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }

    fn secret_value(&self, name: &str, target: &HttpTarget) -> Result<&str, Denial> {
        let to = format!("\"{}://{}/\"", target.scheme, target.server());
        let Some(known) = self.known.iter().find(|known| known.secret.name == name) else {
            let denial = Denial::of_secret(format!("there is no secret `{name}`"));
            return Err(
                denial.with_grant_key(&format!("secret = {{ {name} = {{ env = \"…\", to = [{to}] }} }}"))
            );
        };
        let env = &known.secret.env;
        if !known.secret.covers(target) {
            let denial = Denial::of_secret(format!("the secret `{name}` may not go there"));
            return Err(
                denial.with_grant_key(&format!("secret = {{ {name} = {{ env = \"{env}\", to = [{to}] }} }}"))
            );
        }
        known.value.as_deref().ok_or_else(|| {
            Denial::of_secret(format!("the secret `{name}` needs the variable `{env}`, which is not set"))
        })
    }

    /// Returns `text` without the values.
    pub(super) fn redact_text(&self, text: &str) -> String {
        redact_values(&self.hidden, text)
    }

    /// Removes the values from the headers of a response.
    pub(super) fn redact_headers(&self, headers: &mut HeaderMap) {
        if self.hidden.is_empty() {
            return;
        }
        for value in headers.values_mut() {
            let text = String::from_utf8_lossy(value.as_bytes());
            let redacted = self.redact_text(&text);
            if redacted != text {
                *value = HeaderValue::from_str(&redacted).unwrap_or(HeaderValue::from_static(REDACTED));
            }
        }
    }
}
