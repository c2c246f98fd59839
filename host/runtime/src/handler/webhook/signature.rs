//! Signs a request, so that its receiver can detect forged and repeated requests, by the scheme of Standard Webhooks
//! 1.0 (`standard-webhooks.md` §"Signature scheme"), for which every language has a library.

use std::fmt;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use hookbox_model::{Failure, FailureCode};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use sha2::Sha256;

use crate::{
    interfaces::Environment,
    redaction::{redact_values, worth_redacting},
};

/// Names of the signed headers, and of the signature. The configuration cannot set them.
pub(super) const ID: HeaderName = HeaderName::from_static("webhook-id");
pub(super) const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
pub(super) const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// Shortest key, bytes; a shorter key can be found by trying.
const LEAST_KEY_BYTES: usize = 16;

pub(super) struct Signer {
    key: Result<Vec<u8>, Failure>,
    /// Secrets that no message may show: the variable's value.
    secrets: Vec<String>,
}

impl Signer {
    /// Creates a signer with the key in this variable: bytes in Base64 after `whsec_`, or the text itself.
    pub(super) fn new(variable: &str, environment: &Environment) -> Self {
        let refused =
            |what: &str| Failure::new(FailureCode::Refused, &format!("the variable `{variable}` {what}"));
        let key = match environment.get(variable) {
            None => Err(refused("is to sign the request and is not set")),
            Some(text) => match text.strip_prefix("whsec_") {
                Some(encoded) => {
                    BASE64_STANDARD.decode(encoded).map_err(|_| refused("is not Base64 after `whsec_`"))
                }
                None => Ok(text.as_bytes().to_owned()),
            },
        };
        let long_enough = |key: Vec<u8>| match key.len() {
            0..LEAST_KEY_BYTES => Err(refused("holds a key of fewer than 16 bytes")),
            _ => Ok(key),
        };
        Self {
            key: key.and_then(long_enough),
            secrets: worth_redacting(environment.get(variable).map(str::to_owned)),
        }
    }

    /// Returns `text` without the key.
    pub(super) fn redact_text(&self, text: &str) -> String {
        redact_values(&self.secrets, text)
    }

    /// Adds the headers that sign `body`; `now` is in seconds since the Unix epoch.
    pub(super) fn sign_body(&self, headers: &mut HeaderMap, now: u64, body: &str) -> Result<(), Failure> {
        // Receivers detect a repeated request by its id, so no two requests may share one.
        let mut random = [0; 16];
        let no_random = |_| Failure::new(FailureCode::Internal, "the system has no random bytes");
        getrandom::fill(&mut random).map_err(no_random)?;
        let id = format!("msg_{:032x}", u128::from_be_bytes(random));
        let key = self.key.as_ref().map_err(Clone::clone)?;
        let signature = compute_signature(key, &id, now, body);
        for (name, value) in [(ID, id), (TIMESTAMP, now.to_string()), (SIGNATURE, signature)] {
            let value = HeaderValue::try_from(value);
            headers.insert(
                name,
                value.map_err(|error| Failure::new(FailureCode::Internal, &error.to_string()))?,
            );
        }
        Ok(())
    }
}

fn compute_signature(key: &[u8], id: &str, now: u64, body: &str) -> String {
    // Cannot fail: HMAC accepts a key of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return String::new() };
    mac.update(format!("{id}.{now}.").as_bytes());
    mac.update(body.as_bytes());
    format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

/// Shows no part of the key.
impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.key.is_ok() { "Signer" } else { "Signer without a key" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    #[test]
    fn the_example_of_the_specification_has_its_signature() {
        let signer = Signer::new("KEY", &[("KEY", KEY)].into_iter().collect());
        let made = compute_signature(
            &signer.key.unwrap(),
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            r#"{"test": 2432232314}"#,
        );
        assert_eq!(made, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn every_request_has_an_id_of_its_own() {
        let signer = Signer::new("KEY", &[("KEY", KEY)].into_iter().collect());
        let id = || {
            let mut headers = HeaderMap::new();
            signer.sign_body(&mut headers, 1, "{}").unwrap();
            headers.remove(ID).unwrap()
        };
        assert_ne!(id(), id());
    }

    #[test]
    fn an_invalid_signing_key_fails_the_call_and_is_not_shown() {
        for (value, message) in [
            (None, "refused: the variable `KEY` is to sign the request and is not set"),
            (Some("whsec_canary!"), "refused: the variable `KEY` is not Base64 after `whsec_`"),
            (Some("canary"), "refused: the variable `KEY` holds a key of fewer than 16 bytes"),
            (Some(""), "refused: the variable `KEY` holds a key of fewer than 16 bytes"),
        ] {
            let signer = Signer::new("KEY", &value.map(|value| ("KEY", value)).into_iter().collect());
            assert_eq!(signer.sign_body(&mut HeaderMap::new(), 1, "{}").unwrap_err().to_string(), message);
            assert!(!format!("{signer:?}").contains("canary"));
        }
    }
}
