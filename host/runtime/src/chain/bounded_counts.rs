//! Bounded counts, for a long-running machine.

use std::collections::HashMap;

/// Removes the oldest count if there are more than `most`. To be called after each addition; `last` returns the time of
/// a count's last change.
pub(super) fn evict_oldest<V>(counts: &mut HashMap<String, V>, most: usize, last: impl Fn(&V) -> u64) {
    if counts.len() > most {
        let oldest = counts.iter().min_by_key(|(_, count)| last(count)).map(|(key, _)| key.clone());
        oldest.map(|key| counts.remove(&key));
    }
}
