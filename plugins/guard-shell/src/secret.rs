//! Files whose content must not leave the machine.

use crate::{
    arg::{is_mark, unglob},
    target::matches,
};

/// Names of files that are secret wherever they are.
const NAMES: &[&str] = &[
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_ecdsa_sk",
    "id_ed25519_sk",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".git-credentials",
    ".htpasswd",
    ".vault-token",
];

/// Folders whose files are secret, and files that are secret in one folder.
const PLACES: &[(&str, &str)] = &[
    (".ssh", ""),
    (".gnupg", ""),
    (".aws", "credentials"),
    (".kube", "config"),
    (".docker", "config.json"),
    (".config", "gcloud"),
    (".config", "gh"),
    ("etc", "shadow"),
    ("etc", "gshadow"),
];

/// Files in secret folders that are not.
const HARMLESS: &[&str] = &["known_hosts", "config", "authorized_keys", "allowed_signers"];

/// Endings of `.env` files that are made to be shared.
const TEMPLATES: &[&str] = &["example", "sample", "template", "dist", "defaults"];

/// Whether a path, perhaps with patterns in it, names a secret file.
pub(crate) fn is_secret(path: &str) -> bool {
    let path = path.to_lowercase();
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let Some(name) = parts.last().copied() else {
        return false;
    };
    if NAMES.iter().any(|known| may_be(name, known)) || is_env(name) {
        return true;
    }
    let harmless = HARMLESS.contains(&name)
        || std::path::Path::new(name).extension().is_some_and(|extension| extension == "pub");
    parts.iter().enumerate().any(|(at, folder)| {
        PLACES.iter().any(|(place, file)| {
            let below = parts.get(at + 1).is_some_and(|below| may_be(below, file));
            may_be(folder, place) && if file.is_empty() { !harmless } else { below }
        })
    })
}

fn is_env(name: &str) -> bool {
    let plain: String = name.chars().map(unglob).collect();
    let kind = plain.strip_prefix(".env.");
    let is_template =
        |kind: &str| TEMPLATES.iter().any(|template| kind.split('.').any(|part| part == *template));
    may_be(name, ".env") || kind.is_some_and(|kind| !is_template(kind))
}

/// Whether a component is this name, or a pattern that is made for it: one that matches and has two characters of
/// its own. No pattern matches a first dot unless it has one.
fn may_be(component: &str, name: &str) -> bool {
    if !component.contains(is_mark) {
        return component == name;
    }
    let own = component.chars().filter(|c| c.is_alphanumeric() || "._-".contains(*c)).count();
    let dot = component.starts_with('.') || !name.starts_with('.');
    own > 1 && dot && matches(component, name)
}
