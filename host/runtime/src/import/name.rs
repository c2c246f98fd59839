//! Names that hookbox's configuration takes, each once.

use std::collections::{HashMap, HashSet};

use super::entry::Entry;

/// Longest name of a hook, characters; what makes it the only one comes on top.
const MOST: usize = 56;

/// The names that are taken.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    unnamed: HashMap<String, usize>,
}

impl Names {
    /// Names the entry: as its file does, else after its event.
    pub(super) fn give(&mut self, entry: &mut Entry) {
        let name = entry.own_name().map_or_else(|| self.after(&plain(&entry.event())), plain);
        let more = (2..).map(|count| format!("{name}-{count}"));
        let free = std::iter::once(name.clone()).chain(more).find(|name| !self.taken.contains(name));
        let name = free.unwrap_or(name);
        self.taken.insert(name.clone());
        entry.name = name;
    }

    /// The next one for this event.
    fn after(&mut self, event: &str) -> String {
        let count = self.unnamed.entry(event.to_owned()).or_default();
        *count += 1;
        format!("{event}-{count}")
    }
}

fn plain(name: &str) -> String {
    let takes = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    name.chars().take(MOST).map(|c| if takes(c) { c } else { '-' }).collect()
}
