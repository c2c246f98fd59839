//! Single elements of arrays.

use super::Scope;
use crate::arg::Arg;

/// Maximum number of elements of arrays.
const MAX_ELEMENTS: usize = 1024;

impl Scope {
    /// Sets the elements of an array, by their indexes; previous elements stay if these are added.
    pub(crate) fn set_elements(&mut self, name: &str, elements: Vec<(Option<String>, Arg)>, added: bool) {
        let prefix = format!("{}[", self.meant(name));
        if elements.is_empty() && (added || !self.elements.keys().any(|element| element.starts_with(&prefix)))
        {
            return;
        }
        if !added {
            self.elements.retain(|element, _| !element.starts_with(&prefix));
        }
        for (index, value) in elements {
            let count = || self.elements.keys().filter(|element| element.starts_with(&prefix)).count();
            let index = index.unwrap_or_else(|| count().to_string());
            if self.elements.len() < MAX_ELEMENTS {
                self.elements.insert(format!("{prefix}{}]", bare_index(&index)), value);
            }
        }
    }

    /// An element of an array.
    pub(crate) fn element(&self, name: &str, given: &str) -> Option<Arg> {
        let prefix = format!("{}[", self.meant(name));
        let count = || self.elements.keys().filter(|element| element.starts_with(&prefix)).count();
        // From the end: `${name[-1]}`.
        let back = given.strip_prefix('-').and_then(|back| back.parse().ok());
        let index = back.and_then(|back| count().checked_sub(back)).map(|index| index.to_string());
        let index = index.as_deref().unwrap_or(bare_index(given));
        self.elements.get(&format!("{prefix}{index}]")).cloned()
    }
}

fn bare_index(index: &str) -> &str {
    index.trim_matches(['"', '\''])
}
