//! Hosts of addresses.

use crate::arg::{UNKNOWN, is_mark};

/// Schemes of addresses without a host.
const LOCAL_SCHEMES: &[&str] = &["about", "data", "fd", "file", "javascript", "unix"];
/// Characters that a client may expand or decode.
const DOUBTFUL: &[char] = &['{', '}', '%', '*', '\\'];

/// A host, with its placeholders, and true if it is certainly this one.
pub(super) type FoundHost = (String, bool);

/// Returns the host of a URL, of `user@host:port` or of a host name.
pub(super) fn find_host(address: &str) -> Option<FoundHost> {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    if LOCAL_SCHEMES.contains(&scheme.to_lowercase().as_str()) {
        return None;
    }
    let head = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let authority = head.split('\\').next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        Some(address) => address.split(']').next().unwrap_or_default(),
        None if host.matches(':').count() > 1 => host,
        None => host.split(':').next().unwrap_or_default(),
    };
    let host = host.trim_end_matches('.').to_lowercase();
    // A number is a value of an option, except in a URL, where it is an IPv4 address.
    let is_number = host.chars().all(|c| c.is_ascii_digit()) && scheme.is_empty();
    let is_named = host.contains(|c: char| c.is_alphanumeric() || c == UNKNOWN || c == ':');
    let certain = !head.contains(is_mark) && !scheme.contains(is_mark) && !head.contains(DOUBTFUL);
    (is_named && !is_number).then_some((host, certain))
}

/// Returns true if a word begins with the scheme of a URL: `https://`, `git+ssh://`.
pub(super) fn is_url(word: &str) -> bool {
    word.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c) || c == UNKNOWN)
    })
}

/// Returns true if a word is `host:path` or `user@host:path`. One letter is a drive of Windows.
pub(super) fn is_remote_path(word: &str) -> bool {
    word.split_once(':').is_some_and(|(host, _)| host.chars().count() > 1 && !host.contains(['/', '=', ' ']))
}
