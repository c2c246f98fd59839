//! Files whose content must not leave the machine.

use crate::arg::unglob;

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
    let path: String = path.to_lowercase().chars().map(unglob).collect();
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let Some(name) = parts.last().copied() else {
        return false;
    };
    if NAMES.contains(&name) || is_env(name) {
        return true;
    }
    let harmless = HARMLESS.contains(&name)
        || std::path::Path::new(name).extension().is_some_and(|extension| extension == "pub");
    parts.iter().enumerate().any(|(at, folder)| {
        PLACES.iter().any(|(place, file)| {
            let below = parts.get(at + 1).copied();
            *place == *folder && if file.is_empty() { !harmless } else { below == Some(*file) }
        })
    })
}

fn is_env(name: &str) -> bool {
    match name.strip_prefix(".env") {
        Some("") => true,
        Some(rest) => rest.strip_prefix('.').is_some_and(|kind| {
            !TEMPLATES.iter().any(|template| kind.split('.').any(|part| part == *template))
        }),
        None => false,
    }
}
