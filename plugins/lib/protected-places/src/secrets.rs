//! Files that hold secrets.

/// Endings of `.env` files that are made to be shared.
pub const TEMPLATES: &[&str] = &["example", "sample", "template", "dist", "defaults"];
/// Names of private keys.
pub const KEY_NAMES: &[&str] =
    &["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "id_xmss"];
/// Endings of the names of private keys.
pub const KEY_ENDINGS: &[&str] = &["pem", "key", "p12", "pfx", "ppk", "jks", "keystore", "kdbx"];
/// Names of files with credentials.
pub const CREDENTIAL_NAMES: &[&str] =
    &[".netrc", "_netrc", ".git-credentials", ".pypirc", ".pgpass", ".vault-token"];
/// Folders and files with credentials, by the last components of their paths.
pub const CREDENTIAL_PLACES: &[&[&str]] = &[
    &[".ssh"],
    &[".gnupg"],
    &[".aws", "credentials"],
    &[".aws", "sso"],
    &[".azure"],
    &[".config", "gcloud"],
    &[".config", "gh"],
    &[".docker", "config.json"],
    &[".kube", "config"],
];
/// Files in `/etc` with the users' passwords.
pub const SHADOWS: &[&str] = &["shadow", "gshadow"];

/// Returns true if the text after `.env.` marks the file as a template to be shared.
pub fn is_environment_template(kinds: &str) -> bool {
    kinds.split('.').any(|kind| TEMPLATES.contains(&kind))
}

/// Returns true if a file's name has an ending of private keys.
pub fn is_key_file(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && KEY_ENDINGS.contains(&ending))
}
