//! Refusals of one call, for its report.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hookbox_model::CapabilityRefusal;

/// Most refusals that are kept; a guest can try anything any number of times.
const MOST: usize = 32;

/// The refusals of one call, in order, each once. Clones share the list: a request is refused while it is under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Refusals(Arc<Mutex<List>>);

#[derive(Debug, Default)]
struct List {
    kept: Vec<CapabilityRefusal>,
    /// Reason of the last refusal, also of one that was not kept.
    #[cfg(feature = "guest-http")]
    last_reason: Option<String>,
}

impl Refusals {
    pub(super) fn add(&self, refusal: CapabilityRefusal) {
        let mut list = self.lock();
        #[cfg(feature = "guest-http")]
        {
            list.last_reason = Some(refusal.reason.clone());
        }
        if list.kept.len() < MOST && !list.kept.contains(&refusal) {
            list.kept.push(refusal);
        }
    }

    #[cfg(feature = "guest-http")]
    pub(super) fn last_reason(&self) -> Option<String> {
        self.lock().last_reason.clone()
    }

    pub(super) fn take(&self) -> Vec<CapabilityRefusal> {
        std::mem::take(&mut self.lock().kept)
    }

    /// Locks the list. A panic while the lock was held leaves a valid list.
    fn lock(&self) -> MutexGuard<'_, List> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_tried_over_and_over_is_kept_once_and_no_more_than_so_much() {
        let refusals = Refusals::default();
        for round in 0..3 * MOST {
            for value in [round.to_string(), "again".to_owned()] {
                refusals.clone().add(CapabilityRefusal::new("kv", &value, "not granted", None));
            }
        }
        let kept = refusals.take();
        assert_eq!(kept.len(), MOST);
        assert_eq!(kept.iter().filter(|refusal| refusal.value == "again").count(), 1);
    }

    #[cfg(feature = "guest-http")]
    #[test]
    fn the_last_reason_is_that_of_a_repeated_refusal_too() {
        let refusals = Refusals::default();
        for reason in ["first", "second", "first"] {
            refusals.add(CapabilityRefusal::new("http", "host", reason, None));
        }
        assert_eq!(refusals.last_reason().as_deref(), Some("first"));
    }
}
