//! What is protected unless the configuration says otherwise.

use crate::{Access, path::FilePath};

/// A kind of protected file.
pub(crate) struct Protection {
    /// The stable code.
    pub(crate) code: &'static str,
    /// What such a file is, as part of a sentence.
    pub(crate) what: &'static str,
    /// Whether reading is fine.
    pub(crate) write_only: bool,
    /// Whether a file is one.
    matches: fn(&FilePath, Access) -> bool,
}

/// Every kind, in the order in which they are looked at.
pub(crate) const PROTECTIONS: &[Protection] = &[
    Protection { code: "private-key", what: "a private key", write_only: false, matches: private_key },
    Protection { code: "credentials", what: "a credentials file", write_only: false, matches: credentials },
    Protection { code: "secret-file", what: "a file with secrets", write_only: false, matches: secret },
    Protection {
        code: "hook-config",
        what: "configuration of hooks",
        write_only: true,
        matches: hook_config,
    },
    Protection {
        code: "agent-config",
        what: "configuration of an agent",
        write_only: true,
        matches: agent_config,
    },
];

/// The first protection that forbids this.
pub(crate) fn find(path: &FilePath, access: Access) -> Option<&'static Protection> {
    PROTECTIONS.iter().find(|protection| {
        (access == Access::Write || !protection.write_only) && (protection.matches)(path, access)
    })
}

/// Endings of `.env` files that are made to be shared.
const TEMPLATES: &[&str] = &["example", "sample", "template", "dist", "defaults"];
const KEY_NAMES: &[&str] =
    &["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "id_xmss"];
const KEY_ENDINGS: &[&str] = &["pem", "key", "p12", "pfx", "ppk", "jks", "keystore", "kdbx"];
const CREDENTIAL_NAMES: &[&str] =
    &[".netrc", "_netrc", ".git-credentials", ".pypirc", ".pgpass", ".vault-token"];
const CREDENTIAL_PLACES: &[&[&str]] = &[
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
const HOOK_PLACES: &[&[&str]] = &[&[".hookbox"], &[".config", "hookbox"], &[".config", "git"]];
const AGENT_PLACES: &[&[&str]] = &[
    &[".claude", "hooks"],
    &[".claude.json"],
    &[".mcp.json"],
    &["etc", "claude-code"],
    &["managed-settings.json"],
    &[".codex"],
    &[".cursor", "hooks.json"],
    &[".cursor", "mcp.json"],
    &[".gemini", "settings.json"],
    &[".llxprt"],
    &[".qwen", "settings.json"],
    &[".factory", "hooks.json"],
    &[".factory", "hooks"],
    &[".factory", "settings.json"],
    &[".kimi-code", "config.toml"],
    &[".openhands", "hooks.json"],
    &[".clinerules", "hooks"],
];

fn has_any(path: &FilePath, places: &[&[&str]]) -> bool {
    places.iter().any(|place| path.has(place))
}

fn ending(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

fn secret(path: &FilePath, _: Access) -> bool {
    let environment = matches!(path.parts(), [proc, .., last] if proc == "proc" && last == "environ");
    environment
        || match path.name().strip_prefix(".env") {
            Some("") => true,
            Some(rest) => rest
                .strip_prefix('.')
                .is_some_and(|kinds| !kinds.split('.').any(|kind| TEMPLATES.contains(&kind))),
            None => false,
        }
}

fn private_key(path: &FilePath, _: Access) -> bool {
    let name = path.name();
    KEY_NAMES.contains(&name) || (KEY_ENDINGS.contains(&ending(name)) && name.len() > ending(name).len() + 1)
}

fn credentials(path: &FilePath, access: Access) -> bool {
    if access == Access::Read && ending(path.name()) == "pub" {
        return false;
    }
    let shadow =
        matches!(path.parts(), [etc, name] if etc == "etc" && matches!(name.as_str(), "shadow" | "gshadow"));
    shadow
        || CREDENTIAL_NAMES.contains(&path.name())
        || path.is_in_home(&[".npmrc"])
        || has_any(path, CREDENTIAL_PLACES)
}

fn hook_config(path: &FilePath, _: Access) -> bool {
    has_any(path, HOOK_PLACES) || path.is_in_home(&[".gitconfig"]) || git_config(path)
}

/// Inside a repository: hooks, and the files that say where hooks are. A `.git` file can name another repository.
fn git_config(path: &FilePath) -> bool {
    let Some(at) = path.parts().iter().position(|part| part == ".git") else {
        return false;
    };
    let below = path.parts().get(at + 1..).unwrap_or_default();
    below.is_empty()
        || below.iter().any(|part| part == "hooks")
        || matches!(path.name(), "config" | "config.worktree" | "commondir" | "gitdir")
}

fn agent_config(path: &FilePath, _: Access) -> bool {
    let settings = matches!(path.parts(), [.., folder, name]
        if folder == ".claude" && name.starts_with("settings") && ending(name) == "json");
    settings || has_any(path, AGENT_PLACES)
}
