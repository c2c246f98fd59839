//! Requests that are being answered.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

use hookbox_embed::llxprt_bus::HookExecutionError;

/// Most requests that are answered at a time: further ones get an error.
const MOST: usize = 1024;

#[derive(Clone, Default)]
pub(super) struct UnderWay(Arc<Mutex<BTreeSet<String>>>);

/// A request under way; it ends when this is dropped.
pub(super) struct Ticket {
    ids: UnderWay,
    id: String,
}

impl UnderWay {
    /// Admits a request. A second request with the same id is refused, since its response could not be distinguished from the first.
    pub(super) fn admit(&self, id: &str) -> Result<Ticket, HookExecutionError> {
        let mut ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if ids.contains(id) {
            let message =
                format!("The correlation id `{id}` is in use by a request that is not answered yet");
            return Err(HookExecutionError::invalid_request(&message));
        }
        if ids.len() >= MOST {
            let message =
                format!("{MOST} requests are being answered; ask again when one of them has its response");
            return Err(HookExecutionError::internal(&message));
        }
        ids.insert(id.to_owned());
        Ok(Ticket { ids: self.clone(), id: id.to_owned() })
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.ids.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, UnderWay};

    #[test]
    fn one_too_many_is_refused_until_one_is_over() {
        let ids = UnderWay::default();
        let mut tickets: Vec<_> = (0..MOST).map(|id| ids.admit(&id.to_string()).ok().unwrap()).collect();
        let refused = ids.admit("more").err().unwrap();
        assert_eq!(
            (refused.code, refused.message.as_str()),
            (
                "internal_error",
                "1024 requests are being answered; ask again when one of them has its response"
            )
        );
        tickets.pop();
        assert!(ids.admit("more").is_ok());
    }
}
