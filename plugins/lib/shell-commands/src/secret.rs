//! Files whose content must not leave the machine.

use protected_places::{
    CREDENTIAL_NAMES, CREDENTIAL_PLACES, KEY_NAMES, SHADOWS, is_environment_template, is_key_file,
};

use crate::{
    arg::{is_mark, unglob},
    target::matches,
};

/// Names of more files that are secret wherever they are.
const NAMES: &[&str] = &[".npmrc", ".htpasswd"];

/// Files in secret folders that are not.
const HARMLESS: &[&str] = &["known_hosts", "config", "authorized_keys", "allowed_signers"];

/// Returns true if a path, perhaps with patterns in it, names a secret file.
pub(crate) fn is_secret(path: &str) -> bool {
    let path = path.to_lowercase();
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let Some(name) = parts.last().copied() else {
        return false;
    };
    // Nearly every path is plain.
    let same = if path.contains(is_mark) { may_be } else { |part: &str, name: &str| part == name };
    let mut names = NAMES.iter().chain(KEY_NAMES).chain(CREDENTIAL_NAMES);
    if names.any(|known| same(name, known)) || is_env(name) || is_key_file(name) {
        return true;
    }
    let harmless = HARMLESS.contains(&name)
        || std::path::Path::new(name).extension().is_some_and(|extension| extension == "pub");
    let stands_at = |place: &[&str], at: usize| {
        let here = parts.get(at..at + place.len()).unwrap_or_default();
        here.len() == place.len() && here.iter().zip(place).all(|(part, name)| same(part, name))
    };
    (0..parts.len()).any(|at| {
        let place = CREDENTIAL_PLACES.iter().find(|place| stands_at(place, at));
        // What is harmless is so in a folder of secrets; a file that is named is none of those.
        place.is_some_and(|place| place.len() > 1 || !harmless)
            || SHADOWS.iter().any(|name| stands_at(&["etc", name], at))
    })
}

fn is_env(name: &str) -> bool {
    if name.starts_with(char::is_alphanumeric) {
        return false;
    }
    let plain: String = name.chars().map(unglob).collect();
    let kind = plain.strip_prefix(".env.");
    may_be(name, ".env") || kind.is_some_and(|kind| !is_environment_template(kind))
}

/// Returns true if a component is this name, or a pattern that is meant for it: one that matches and has two
/// characters of its own. No pattern matches a first dot unless it has one.
pub(crate) fn may_be(component: &str, name: &str) -> bool {
    if !component.contains(is_mark) {
        return component == name;
    }
    let own = component.chars().filter(|c| c.is_alphanumeric() || "._-".contains(*c)).count();
    let dot = component.starts_with('.') || !name.starts_with('.');
    own > 1 && dot && matches(component, name)
}
