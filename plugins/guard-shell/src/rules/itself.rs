//! Commands of hookbox that change what hooks there are.

use crate::call::{Call, Grammar, Options};

/// What takes hooks away, or out of an agent's settings: `hookbox uninstall`, `disable`, `hooks remove`, `hooks clear`.
pub(super) fn uninstall(call: &Call) -> Option<String> {
    match own_words(call)?.as_slice() {
        [verb, ..] if verb == "uninstall" => Some("takes hookbox out of an agent's settings".to_owned()),
        [verb, ..] if verb == "disable" => Some("switches hooks off".to_owned()),
        [verb, what, ..] if verb == "hooks" && matches!(what.as_str(), "remove" | "clear") => {
            Some("takes hooks out of an agent's settings".to_owned())
        }
        _ => None,
    }
}

/// Verbs of `hookbox` that configure nothing.
const LOOKING: &[&str] = &[
    "check",
    "completions",
    "dialects",
    "doctor",
    "explain",
    "help",
    "list",
    "man",
    "plugin",
    "run",
    "schema",
];

/// Whatever else changes what hooks there are: `hookbox install`, `enable`, `hooks add`, `import` into a file, and verbs that
/// nobody knows yet.
pub(super) fn install(call: &Call) -> Option<String> {
    if uninstall(call).is_some() {
        return None;
    }
    let words = own_words(call)?;
    let writes = |name: &str| call.args().iter().any(|arg| arg.as_str().starts_with(name));
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [verb, ..] if LOOKING.contains(verb) => None,
        ["import", ..] if writes("--output") || writes("-o") => {
            Some("writes a configuration of hooks".to_owned())
        }
        ["hooks", "list", ..] | ["import", ..] => None,
        _ => Some("changes what hooks there are".to_owned()),
    }
}

/// What `hookbox` is told, unless it only shows what it would do.
fn own_words(call: &Call) -> Option<Vec<String>> {
    if !call.is(&["hookbox"]) {
        return None;
    }
    let options = Options::parse(call.args(), Grammar::ANYWHERE);
    let shows = options.has_letter("h") || options.has_long("--help") || options.has_long("--dry-run");
    let words: Vec<_> = options.operands.iter().map(|word| word.as_str().to_owned()).collect();
    (!shows && !words.is_empty()).then_some(words)
}
