//! A hook that cannot be called.

use hookbox_model::{Failure, FailureCode, HandlerKind, Limits};

use crate::interfaces::{Call, CallFuture, Handler, PrepareFuture};

/// A handler that fails at each call, for this reason.
pub(super) struct FailingHandler(pub(super) HandlerKind, pub(super) String);

impl FailingHandler {
    /// Creates the handler for a kind of hook that this program was built without.
    #[cfg(not(all(feature = "wasm", feature = "shell", feature = "webhook")))]
    pub(super) fn left_out(kind: HandlerKind, what: &str, feature: &str) -> Self {
        Self(kind, crate::left_out::left_out(what, feature))
    }

    fn failure(&self) -> Failure {
        Failure::new(FailureCode::Refused, &self.1)
    }
}

impl Handler for FailingHandler {
    fn kind(&self) -> HandlerKind {
        self.0
    }

    fn run_self_test<'a>(&'a self, _: &'a str, _: &'a Limits) -> Option<PrepareFuture<'a>> {
        Some(Box::pin(async { Err(self.failure()) }))
    }

    fn call<'a>(&'a self, _: Call<'a>) -> CallFuture<'a> {
        Box::pin(async { self.failure().into() })
    }
}
