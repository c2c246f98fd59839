//! Counts that must not grow without end in a machine that lives on.

use std::collections::HashMap;

/// Leaves out the oldest count if there are more than `most`. To be called after each that is added; `last` is when a count
/// was last added to.
pub(super) fn keep_youngest<V>(counts: &mut HashMap<String, V>, most: usize, last: impl Fn(&V) -> u64) {
    if counts.len() > most {
        let oldest = counts.iter().min_by_key(|(_, count)| last(count)).map(|(key, _)| key.clone());
        oldest.map(|key| counts.remove(&key));
    }
}
