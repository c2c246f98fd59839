//! Names of files as the most tolerant file system compares them, and patterns of names.

/// Returns the components of an absolute path, folded; none if a component is not plain: `..`, or with a character that some file system
/// leaves out or treats as an end.
pub(crate) fn read_components(path: &str) -> Option<Vec<String>> {
    let below = path.strip_prefix('/')?;
    let parts = below.split('/').filter(|part| !part.is_empty() && *part != ".");
    parts.map(|part| (part != ".." && is_plain(part)).then(|| fold_name(part))).collect()
}

fn is_plain(part: &str) -> bool {
    let is_known =
        |c: char| c.is_alphanumeric() || c == ' ' || (c.is_ascii_graphic() && c != ':' && c != '\\');
    part.chars().all(is_known) && !part.trim_end_matches([' ', '.']).is_empty()
}

/// Returns a name without case, and without blanks and dots at its end.
fn fold_name(name: &str) -> String {
    let folded: String = name.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    folded.trim_end_matches([' ', '.']).to_owned()
}

/// Returns true if a name is a pattern of the shell.
pub(crate) fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '['])
}

/// Returns true if a pattern may match a name. `[…]` counts as any character.
pub(crate) fn may_match(pattern: &str, name: &str) -> bool {
    let mut pattern = simplify_sets(pattern);
    pattern.dedup_by(|next, before| *next == '*' && *before == '*');
    let mut reached = vec![true];
    reached.extend(name.chars().map(|_| false));
    for symbol in pattern {
        let mut next = vec![false; reached.len()];
        let mut before = false;
        let letters = std::iter::once(None).chain(name.chars().map(Some));
        for ((slot, was), letter) in next.iter_mut().zip(&reached).zip(letters) {
            let step = letter.is_some_and(|letter| symbol == '?' || symbol == letter);
            *slot = if symbol == '*' { *was || before } else { step && before };
            before = if symbol == '*' { *slot } else { *was };
        }
        reached = next;
    }
    reached.last() == Some(&true)
}

fn simplify_sets(pattern: &str) -> Vec<char> {
    let mut simple = Vec::new();
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        if c == '[' && rest.as_str().contains(']') {
            rest.find(|c| *c == ']');
            simple.push('?');
        } else {
            simple.push(c);
        }
    }
    simple
}
