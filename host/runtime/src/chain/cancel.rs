//! Cancellation of running hooks when the caller gives up.

use std::pin::Pin;

use futures_util::{
    FutureExt,
    future::{Either, Shared, select},
};
use hookbox_model::{Failure, FailureCode};

/// A future that is ready once the caller has given up. All calls of a chain share it.
#[derive(Clone, Default)]
pub(crate) struct Cancel(Option<Shared<Pin<Box<dyn Future<Output = ()> + Send>>>>);

impl Cancel {
    pub(crate) fn from_future(given_up: impl Future<Output = ()> + Send + 'static) -> Self {
        let given_up: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(given_up);
        Self(Some(given_up.shared()))
    }

    /// Returns the result of the work, or a failure if the caller gives up first; the work is then dropped. Work that
    /// has not begun by then does not begin.
    pub(super) async fn run_or_cancel<T>(&self, work: impl Future<Output = T>) -> Result<T, Failure> {
        let Some(given_up) = &self.0 else { return Ok(work.await) };
        // `select` polls its first argument first, so no hook begins after the caller has given up.
        match select(given_up.clone(), std::pin::pin!(work)).await {
            Either::Left(_) => {
                Err(Failure::new(FailureCode::Cancelled, "cancelled: the caller stopped waiting"))
            }
            Either::Right((output, _)) => Ok(output),
        }
    }
}
