//! Why a request is not sent.

use hookbox_model::{HttpTarget, Refusal};
use wasmtime_wasi_http::Error;

use crate::sandbox::refusals::Refusals;

/// A no to a request: what the guest is told, and what its report.
#[derive(Debug)]
pub(super) struct Denial {
    error: Error,
    capability: &'static str,
    reason: String,
    line: Option<String>,
}

impl Denial {
    /// Of the capability `http`; nothing permits it.
    pub(super) fn new(error: Error, reason: impl Into<String>) -> Self {
        Self { error, capability: "http", reason: reason.into(), line: None }
    }

    /// Of the capability `secret`.
    pub(super) fn of_secret(reason: impl Into<String>) -> Self {
        Self { capability: "secret", ..Self::new(Error::HttpRequestDenied, reason) }
    }

    /// What would permit it, within `grant`.
    pub(super) fn unless(self, key: &str) -> Self {
        Self { line: Some(format!("grant = {{ {key} }}")), ..self }
    }

    /// Records it; what the guest is told.
    pub(super) fn of(self, target: &HttpTarget, refusals: &Refusals) -> Error {
        self.of_request(&target.to_string(), refusals)
    }

    /// The same for a request that goes nowhere.
    pub(super) fn of_request(self, request: &str, refusals: &Refusals) -> Error {
        refusals.add(Refusal::new(self.capability, request, &self.reason, self.line.as_deref()));
        self.error
    }
}
