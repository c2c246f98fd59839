//! The places.

use super::place::{
    Kind::{self, Agent, Hooks},
    Place,
};

/// A folder, with all that is in it.
const fn folder(kind: Kind, parts: &'static [&'static str]) -> Place {
    Place { kind, parts, in_home: false, subtree: true, lost_with_parent: false, filled_with_parent: false }
}

/// A file in a folder of the agent's own.
const fn settings(parts: &'static [&'static str]) -> Place {
    Place { lost_with_parent: true, filled_with_parent: true, ..folder(Agent, parts) }
}

/// Returns a folder in a home folder that has other programs' folders next to it.
const fn beside_others(parts: &'static [&'static str]) -> Place {
    Place { in_home: true, lost_with_parent: true, ..folder(Hooks, parts) }
}

/// A file in a repository, at any depth: submodules have their own.
const fn in_repository(parts: &'static [&'static str]) -> Place {
    Place { subtree: false, filled_with_parent: true, ..folder(Hooks, parts) }
}

/// Usual names of files in the folders of `PLACES`: a search by name finds them.
pub const KNOWN_FILES: &[&str] = &[
    "allowed_signers",
    "commit-msg",
    "config.toml",
    "hooks.json",
    "hooks.toml",
    "hooks.yaml",
    "policy.toml",
    "post-checkout",
    "post-commit",
    "post-merge",
    "pre-commit",
    "pre-push",
    "pre-rebase",
    "prepare-commit-msg",
    "revoked.krl",
];

/// Every place, the agents' in the order of their names.
pub const PLACES: &[Place] = &[
    folder(Hooks, &[".hookbox"]),
    folder(Hooks, &[".config", "hookbox"]),
    beside_others(&[".config", "hookbox"]),
    folder(Hooks, &[".cache", "hookbox"]),
    folder(Hooks, &[".local", "state", "hookbox"]),
    beside_others(&[".local", "state", "hookbox"]),
    folder(Hooks, &["etc", "hookbox"]),
    // The plugins that come with it, wherever it is installed, and in the home folder the store of those that were added.
    folder(Hooks, &["share", "hookbox"]),
    // The same store where a variable says that data is elsewhere.
    folder(Hooks, &["hookbox", "store", "sha256"]),
    beside_others(&[".local", "share", "hookbox"]),
    // The program itself.
    folder(Hooks, &["bin", "hookbox"]),
    folder(Hooks, &["bin", "hookbox-compile"]),
    folder(Hooks, &["bin", "hookbox-author"]),
    // It says who signed a plugin.
    folder(Hooks, &["bin", "hookbox-bundle"]),
    folder(Hooks, &[".config", "git"]),
    Place { in_home: true, ..folder(Hooks, &[".gitconfig"]) },
    folder(Hooks, &["etc", "gitconfig"]),
    // A `.git` file can name another repository.
    in_repository(&[".git"]),
    Place { filled_with_parent: true, ..folder(Hooks, &[".git", "**", "hooks"]) },
    in_repository(&[".git", "**", "config"]),
    in_repository(&[".git", "**", "config.worktree"]),
    in_repository(&[".git", "**", "commondir"]),
    in_repository(&[".git", "**", "gitdir"]),
    settings(&[".claude", "settings*.json"]),
    settings(&[".claude", "hooks"]),
    folder(Agent, &[".claude.json"]),
    folder(Agent, &[".mcp.json"]),
    folder(Agent, &["etc", "claude-code"]),
    folder(Agent, &["application support", "claudecode"]),
    folder(Agent, &["program files", "claudecode"]),
    folder(Agent, &["programdata", "claudecode"]),
    folder(Agent, &[".amazonq", "cli-agents"]),
    folder(Agent, &[".aws", "amazonq"]),
    folder(Agent, &[".clinerules", "hooks"]),
    folder(Agent, &["documents", "cline", "hooks"]),
    folder(Agent, &[".cocode"]),
    folder(Agent, &[".config", "cocode"]),
    folder(Agent, &[".codex"]),
    folder(Agent, &[".copilot"]),
    folder(Agent, &[".github", "copilot"]),
    folder(Agent, &[".github", "hooks"]),
    settings(&[".cursor", "hooks.json"]),
    settings(&[".cursor", "mcp.json"]),
    settings(&[".factory", "hooks.json"]),
    settings(&[".factory", "hooks"]),
    settings(&[".factory", "settings*.json"]),
    folder(Agent, &[".forge"]),
    folder(Agent, &[".config", "forge"]),
    settings(&[".gemini", "settings.json"]),
    settings(&[".kimi-code", "config.toml"]),
    folder(Agent, &[".llxprt"]),
    folder(Agent, &[".config", "opencode"]),
    folder(Agent, &["opencode.json"]),
    folder(Agent, &["opencode.jsonc"]),
    folder(Agent, &[".opencode", "plugin"]),
    folder(Agent, &[".opencode", "plugins"]),
    folder(Agent, &[".opencode", "tool"]),
    folder(Agent, &[".opencode", "tools"]),
    settings(&[".openhands", "hooks.json"]),
    // Files called as its events are hooks too, here and in `hooks`.
    settings(&[".openhands", "*.sh"]),
    settings(&[".openhands", "hooks"]),
    settings(&[".qwen", "settings*.json"]),
    folder(Agent, &[".run-claude"]),
    folder(Agent, &[".config", "run-claude"]),
    folder(Agent, &[".codeium", "windsurf", "hooks.json"]),
    folder(Agent, &[".windsurf", "hooks.json"]),
];
