//! Unique names that hookbox's configuration accepts.

use std::collections::{HashMap, HashSet};

use super::entry::Entry;

// Within the 64 characters that the configuration accepts, with room for a number.
/// Longest name of a hook, characters, without a suffix that makes it unique.
const MOST: usize = 56;

#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    unnamed: HashMap<String, usize>,
}

impl Names {
    /// Names the entry by its name in the file, otherwise by its event.
    pub(super) fn name_entry(&mut self, entry: &mut Entry) {
        let name =
            entry.own_name().map_or_else(|| self.next_name(&sanitize_name(&entry.event())), sanitize_name);
        let more = (2..).map(|count| format!("{name}-{count}"));
        let free = std::iter::once(name.clone()).chain(more).find(|name| !self.taken.contains(name));
        let name = free.unwrap_or(name);
        self.taken.insert(name.clone());
        entry.name = name;
    }

    fn next_name(&mut self, event: &str) -> String {
        let count = self.unnamed.entry(event.to_owned()).or_default();
        *count += 1;
        format!("{event}-{count}")
    }
}

fn sanitize_name(name: &str) -> String {
    let takes = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    name.chars().take(MOST).map(|c| if takes(c) { c } else { '-' }).collect()
}
