//! The caller gives up while hooks run.

use std::pin::Pin;

use futures_util::{
    FutureExt,
    future::{Either, Shared, select},
};
use hookbox_model::{Failure, FailureCode};

/// Ready once the caller has given up. Every call of a chain waits for the same one.
#[derive(Clone, Default)]
pub(crate) struct Cancel(Option<Shared<Pin<Box<dyn Future<Output = ()> + Send>>>>);

impl Cancel {
    pub(crate) fn when(given_up: impl Future<Output = ()> + Send + 'static) -> Self {
        let given_up: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(given_up);
        Self(Some(given_up.shared()))
    }

    /// What the work comes to; a failure, and the work dropped, if the caller gives up first. Work that has not begun by
    /// then does not begin.
    pub(super) async fn or<T>(&self, work: impl Future<Output = T>) -> Result<T, Failure> {
        let Some(given_up) = &self.0 else { return Ok(work.await) };
        match select(given_up.clone(), std::pin::pin!(work)).await {
            Either::Left(_) => {
                Err(Failure::new(FailureCode::Cancelled, "cancelled: the caller stopped waiting"))
            }
            Either::Right((output, _)) => Ok(output),
        }
    }
}
