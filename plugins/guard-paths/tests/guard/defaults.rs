//! The built-in list.

use guard_paths::Access::{Read, Write};

use crate::all;

#[test]
fn environment_files_are_neither_read_nor_written() {
    for access in [Read, Write] {
        all(
            "{}",
            access,
            "deny secret-file",
            &[
                "/p/.env",
                "/p/a/b/.env",
                "/p/.env.local",
                "/p/.env.production",
                "/p/.env.production.local",
                "/p/.env.test",
                ".env",
                "./sub/../.env",
                "/proc/self/environ",
                "/proc/42/environ",
            ],
        );
    }
}

#[test]
fn templates_of_environment_files_are_free() {
    for access in [Read, Write] {
        all(
            "{}",
            access,
            "none",
            &[
                "/p/.env.example",
                "/p/.env.sample",
                "/p/.env.template",
                "/p/.env.dist",
                "/p/.env.local.example",
                "/p/.environment",
                "/p/.envrc",
                "/p/env",
                "/p/src/.envoy",
                "/p/.env/readme.md",
            ],
        );
    }
}

#[test]
fn private_keys_are_neither_read_nor_written() {
    for access in [Read, Write] {
        all(
            "{}",
            access,
            "deny private-key",
            &[
                "/home/me/.ssh/id_rsa",
                "/backup/id_ed25519",
                "/p/id_ecdsa_sk",
                "/p/server.pem",
                "/p/tls/server.key",
                "/p/cert.p12",
                "/p/cert.pfx",
                "/p/putty.ppk",
                "server.KEY",
            ],
        );
        all(
            "{}",
            access,
            "none",
            &["/p/key", "/p/monkey", "/p/.key/x", "/p/key.rs", "/p/pem", "/p/id_rsa.md", "/p/.pem"],
        );
    }
}

#[test]
fn credentials_are_neither_read_nor_written() {
    for access in [Read, Write] {
        all(
            "{}",
            access,
            "deny credentials",
            &[
                "/home/me/.aws/credentials",
                "/root/.aws/credentials",
                "/Users/me/.aws/credentials",
                "/home/me/.config/gcloud/credentials.db",
                "/home/me/.config/gcloud",
                "/home/me/.config/gh/hosts.yml",
                "/home/me/.kube/config",
                "/home/me/.netrc",
                "/home/me/.npmrc",
                "/root/.npmrc",
                "/var/home/me/.npmrc",
                "/System/Volumes/Data/Users/me/.npmrc",
                "/Volumes/Backup/Users/me/.npmrc",
                "/mnt/c/Users/me/.npmrc",
                "/home/me/.pypirc",
                "/home/me/.docker/config.json",
                "/home/me/.git-credentials",
                "/home/me/.gnupg/secring.gpg",
                "/home/me/.ssh",
                "/home/me/.ssh/",
                "/home/me/.ssh/config",
                "/home/me/.ssh/authorized_keys",
                "/etc/shadow",
                "~/.aws/credentials",
                "~/.npmrc",
                "../.netrc",
                "../../me/.kube/config",
            ],
        );
        all(
            "{}",
            access,
            "none",
            &[
                "/home/me/project/.npmrc",
                "/home/me/.aws/config",
                "/home/me/.kube/cache/x",
                "/home/me/.docker/daemon.json",
                "/p/docs/credentials.md",
                "/p/src/ssh/mod.rs",
                "/etc/passwd",
            ],
        );
    }
    all("{}", Read, "none", &["/home/me/.ssh/id_rsa.pub"]);
    all("{}", Write, "deny credentials", &["/home/me/.ssh/id_rsa.pub"]);
}

#[test]
fn configuration_of_agents_may_be_read_but_not_written() {
    let paths = [
        "/p/.claude/settings.json",
        "/p/.claude/settings.local.json",
        "/home/me/.claude/settings.json",
        "/p/.claude/hooks/check.sh",
        "/home/me/.claude.json",
        "/p/.mcp.json",
        "/p/.gemini/settings.json",
        "/p/.codex/config.toml",
        "/home/me/.codex/hooks.json",
        "/p/.cursor/hooks.json",
        "/p/.llxprt/settings.json",
        "/p/.factory/hooks.json",
        "~/.factory/hooks/guard.sh",
        "~/.kimi-code/config.toml",
        "/p/.openhands/hooks.json",
        "/p/.openhands/pre_tool_use.sh",
        "/p/.openhands/hooks/stop.sh",
        "/p/.qwen/settings.local.json",
        "/p/opencode.json",
        "/p/opencode.jsonc",
        "/p/.opencode/opencode.json",
        "/p/.opencode/opencode.jsonc",
        "/p/.opencode/plugin/x.ts",
        "/p/.opencode/plugins/x.ts",
        "/p/.opencode/tool/x.ts",
        "/p/.opencode/tools/x.ts",
        "~/.aws/amazonq/cli-agents/x.json",
        "/p/.amazonq/cli-agents/x.json",
        "/p/.clinerules/hooks/PreToolUse",
        "/etc/claude-code/managed-settings.json",
        "/Library/Application Support/ClaudeCode/managed-settings.json",
    ];
    all("{}", Write, "deny agent-config", &paths);
    all("{}", Read, "none", &paths);
    let free = [
        "/p/CLAUDE.md",
        "/p/.claude/commands/x.md",
        "/p/.claude/agents/a.md",
        "/p/.gemini/GEMINI.md",
        "/p/.opencode/command/x.md",
        "/p/.amazonq/rules/x.md",
        "/p/settings.json",
    ];
    all("{}", Write, "none", &free);
}

#[test]
fn configuration_of_hooks_may_be_read_but_not_written() {
    let paths = [
        "/p/.hookbox/hooks.toml",
        "/p/.hookbox",
        "/home/me/.local/bin/hookbox",
        "/usr/bin/hookbox-compile",
        "/usr/bin/hookbox-bundle",
        "/usr/bin/hookbox-author",
        "/home/me/.config/hookbox/hooks.toml",
        "/home/me/.config/hookbox/policy.toml",
        "/home/me/.config/hookbox/allowed_signers",
        "/home/me/.config/hookbox/revoked.krl",
        "/home/me/.config/hookbox/hookbox.lock",
        "/home/me/.local/share/hookbox/store/sha256/00.wasm",
        "/data/me/hookbox/store/sha256/00.wasm",
        "/p/.git/hooks/pre-commit",
        "/p/.git/config",
        "/p/.git",
        "/p/.git/config.worktree",
        "/p/.git/modules/sub/config",
        "/p/.git/modules/sub/hooks/post-checkout",
        "/home/me/.gitconfig",
        "/home/me/.config/git/config",
    ];
    all("{}", Write, "deny hook-config", &paths);
    all("{}", Read, "none", &paths);
    all(
        "{}",
        Write,
        "none",
        &[
            "/p/.gitignore",
            "/p/.github/workflows/ci.yml",
            "/p/hooks/x",
            "/p/.git/COMMIT_EDITMSG",
            "/p/git/config",
        ],
    );
}

#[test]
fn ordinary_files_pass() {
    for access in [Read, Write] {
        all(
            "{}",
            access,
            "none",
            &["/p/src/main.rs", "src/lib.rs", "/", "", ".", "..", "/tmp/x", "Cargo.toml", "a b/c"],
        );
    }
}
