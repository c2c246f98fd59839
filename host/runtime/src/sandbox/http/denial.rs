//! Refusal of a request.

use hookbox_model::{CapabilityRefusal, HttpTarget};
use wasmtime_wasi_http::Error;

use crate::sandbox::refusals::Refusals;

/// A refused request, with the error for the guest and the text for the report.
#[derive(Debug)]
pub(super) struct Denial {
    error: Error,
    capability: &'static str,
    reason: String,
    line: Option<String>,
}

impl Denial {
    /// Creates a refusal for the capability `http`, without a key that would permit the request.
    pub(super) fn new(error: Error, reason: impl Into<String>) -> Self {
        Self { error, capability: "http", reason: reason.into(), line: None }
    }

    /// Creates a refusal for the capability `secret`.
    pub(super) fn of_secret(reason: impl Into<String>) -> Self {
        Self { capability: "secret", ..Self::new(Error::HttpRequestDenied, reason) }
    }

    /// Adds the key that would permit the request, within `grant`.
    pub(super) fn with_grant_key(self, key: &str) -> Self {
        Self { line: Some(format!("grant = {{ {key} }}")), ..self }
    }

    /// Records the refusal, and returns the error for the guest.
    pub(super) fn refuse_target(self, target: &HttpTarget, refusals: &Refusals) -> Error {
        self.of_request(&target.to_string(), refusals)
    }

    /// Records the refusal of a request without a valid target.
    pub(super) fn of_request(self, request: &str, refusals: &Refusals) -> Error {
        refusals.add(CapabilityRefusal::new(self.capability, request, &self.reason, self.line.as_deref()));
        self.error
    }
}
