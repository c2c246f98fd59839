//! Patterns in the names that a tool reads: `{.env,x}`, `**/.en?`, `*.env`.

use shell_commands::pattern;

/// Maximum number of names that one glob may stand for.
const MAX_NAMES: usize = 256;

/// The names that a tool may mean: the one that is written, and if that is a pattern, what it stands for, once as a shell reads it and
/// once as those that match a first dot, too. Nothing if there are too many.
pub(crate) fn meant(path: &str) -> Option<Vec<String>> {
    if !path.contains(['*', '?', '[', '{', ',', ' ']) {
        return Some(vec![path.to_owned()]);
    }
    let mut names = if path.contains('{') { Vec::new() } else { vec![path.to_owned()] };
    // Some tools take several patterns in one text.
    let pieces = if path.contains('{') { vec![path] } else { path.split([',', ' ']).collect() };
    for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
        let mut expanded = Vec::new();
        expand(piece, &mut expanded)?;
        for name in expanded {
            names.push(pattern(&name));
            names.push(pattern(&with_dots(&name)));
        }
    }
    names.retain(|name| !name.split('/').any(|part| part.starts_with('!')));
    Some(names)
}

/// The names that braces make of one.
fn expand(text: &str, names: &mut Vec<String>) -> Option<()> {
    let braces = text.find('{').and_then(|start| Some((start, closing(text.get(start..)?)? + start)));
    let Some((start, end)) = braces else {
        names.push(text.to_owned());
        return (names.len() <= MAX_NAMES).then_some(());
    };
    let (before, inside, after) = (text.get(..start)?, text.get(start + 1..end)?, text.get(end + 1..)?);
    for part in parts(inside) {
        expand(&format!("{before}{part}{after}"), names)?;
    }
    Some(())
}

/// Returns the position where the brace that a text begins with closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Splits the text between braces at its top-level commas.
fn parts(inside: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0usize, 0, Vec::new());
    for (at, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.extend(inside.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(inside.get(start..));
    found
}

/// Allows a leading dot for each component that begins with a pattern.
fn with_dots(name: &str) -> String {
    name.split('/').map(with_dot).collect::<Vec<_>>().join("/")
}

fn with_dot(part: &str) -> String {
    let rest = part.trim_start_matches('*');
    // `*` and `*.*` are made for nothing in particular.
    if rest.chars().filter(|c| c.is_alphanumeric()).count() < 2 {
        return part.to_owned();
    }
    match rest.chars().next() {
        _ if rest.len() < part.len() => {
            if rest.starts_with('.') {
                rest.to_owned()
            } else {
                format!(".*{rest}")
            }
        }
        Some('?') => format!(".{}", rest.get(1..).unwrap_or_default()),
        Some('[') => rest.split_once(']').map_or_else(|| part.to_owned(), |(_, behind)| format!(".{behind}")),
        _ => part.to_owned(),
    }
}
