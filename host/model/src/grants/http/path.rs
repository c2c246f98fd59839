//! The path of a rule.

/// Returns true if the path is at or below the prefix. A path that servers may read in more than one way is only below `/`.
pub(super) fn is_below_prefix(prefix: &str, path: &str) -> bool {
    if prefix == "/" {
        return true;
    }
    let Some(rest) = path.strip_prefix(prefix) else { return false };
    is_plain(path) && (rest.is_empty() || prefix.ends_with('/') || rest.starts_with('/'))
}

/// Returns true if every server reads the path in one way.
pub(super) fn is_plain(path: &str) -> bool {
    let segments = path.strip_prefix('/').map(|rest| rest.split('/'));
    let mut segments = segments.into_iter().flatten().peekable();
    while let Some(segment) = segments.next() {
        // Some servers drop empty segments and others keep them. Only a slash at the end means the same
        // everywhere.
        let is_last = segments.peek().is_none();
        if !(is_last && segment.is_empty() || is_plain_segment(segment)) {
            return false;
        }
    }
    path.starts_with('/')
}

/// Servers that have parameters in segments take `..;x` for `..`.
fn is_plain_segment(segment: &str) -> bool {
    // Servers differ in the escapes that they decode before they split the path, and some decode twice.
    let lower = segment.to_ascii_lowercase();
    let decoded = lower.replace("%2e", ".");
    let name = decoded.split(';').next().unwrap_or_default();
    !(name.is_empty()
        || name == "."
        || name == ".."
        || segment.contains('\\')
        || ["%2f", "%5c", "%00", "%3b", "%25"].iter().any(|code| lower.contains(code)))
}

pub(super) fn check_prefix(prefix: &str) -> Result<(), &'static str> {
    if prefix.contains(['?', '#']) {
        return Err("it holds a query or a fragment: a rule ends with its path");
    }
    if prefix.contains('*') {
        return Err("its path holds a `*`: a path stands for all below it");
    }
    // With an escape, servers could read the path of the rule in more than one way.
    if prefix.contains('%') {
        return Err("its path holds a `%`: a rule ends before the first segment with an escape");
    }
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"/-._~!$&'()+,=:@".contains(&b);
    if !prefix.bytes().all(allowed) {
        return Err("its path holds a character that it cannot: letters, digits and -._~!$&'()+,=:@ it can");
    }
    if is_plain(prefix) { Ok(()) } else { Err("its path holds an empty segment, `.` or `..`") }
}
