//! The clients: which program of which package each agent is, and how it is led to a model on this machine.

use serde_json::{Value, json};

use super::model::Shell;

/// A client in the one version with which the sessions are known to work.
pub(super) struct Client {
    /// hookbox's name of the agent.
    pub(super) agent: &'static str,
    pub(super) package: Package,
    pub(super) program: &'static str,
    pub(super) shell: Shell,
    /// Connection to the model: files below the home folder, variables, the arguments of a session. `{url}` is the model's address,
    /// `{home}` the home folder.
    pub(super) files: &'static [(&'static str, &'static str)],
    pub(super) variables: &'static [(&'static str, &'static str)],
    pub(super) words: &'static [&'static str],
    /// Behaviour of the client's sessions after a refusal.
    pub(super) refused: RefusalReaction,
    /// Manual steps besides `hookbox setup`, and the substitute for them in a session.
    pub(super) by_hand: Option<&'static str>,
}

/// Source of a client.
#[derive(Clone, Copy)]
pub(super) enum Package {
    Npm { name: &'static str, version: &'static str },
    Python { name: &'static str, version: &'static str, interpreter: &'static str },
}

/// Reaction of a client to a refusal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RefusalReaction {
    /// Reports the reason to the model, and goes on.
    GoesOn,
    /// Ends the session without any message to the model.
    Ends,
}

/// Prompt of the user.
const PROMPT: &str = "Tidy up.";

const BASH: Shell = Shell { tool: "bash", arguments: describe_command };
const RUN_SHELL_COMMAND: Shell = Shell { tool: "run_shell_command", arguments: describe_command };

fn describe_command(command: &str) -> Value {
    json!({ "command": command, "description": "as asked" })
}

/// All clients that are known to run without a network, in the order of the tables.
pub(super) const ALL: &[Client] = &[
    Client {
        agent: "claude-code",
        package: Package::Npm { name: "@anthropic-ai/claude-code", version: "2.1.330" },
        program: "claude",
        shell: Shell { tool: "Bash", arguments: describe_command },
        files: &[],
        variables: &[
            ("ANTHROPIC_BASE_URL", "{url}"),
            ("ANTHROPIC_API_KEY", "none"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ],
        words: &["-p", PROMPT, "--allowedTools", "Bash"],
        refused: RefusalReaction::GoesOn,
        by_hand: None,
    },
    Client {
        agent: "codex",
        package: Package::Npm { name: "@openai/codex", version: "0.169.0" },
        program: "codex",
        shell: Shell { tool: "exec_command", arguments: |command| json!({ "cmd": command }) },
        files: &[(
            ".codex/config.toml",
            "model = \"scripted\"\nmodel_provider = \"scripted\"\n\n\
             [model_providers.scripted]\nname = \"scripted\"\nbase_url = \"{url}/v1\"\nwire_api = \"responses\"\n",
        )],
        variables: &[],
        words: &[
            "exec",
            "--skip-git-repo-check",
            "--dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-hook-trust",
            PROMPT,
        ],
        refused: RefusalReaction::GoesOn,
        by_hand: Some("trust the hooks in `/hooks` (here: --dangerously-bypass-hook-trust)"),
    },
    Client {
        agent: "gemini-cli",
        package: Package::Npm { name: "@google/gemini-cli", version: "0.61.0" },
        program: "gemini",
        shell: RUN_SHELL_COMMAND,
        files: &[(
            ".gemini/settings.json",
            "{\n  \"security\": { \"auth\": { \"selectedType\": \"gemini-api-key\" } },\n  \"privacy\": { \"usageStatisticsEnabled\": false }\n}\n",
        )],
        variables: &[
            ("GOOGLE_GEMINI_BASE_URL", "{url}"),
            ("GEMINI_API_KEY", "none"),
            ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
        ],
        words: &["-p", PROMPT, "--yolo", "-m", "gemini-2.5-pro"],
        refused: RefusalReaction::GoesOn,
        by_hand: None,
    },
    Client {
        agent: "copilot",
        package: Package::Npm { name: "@github/copilot", version: "1.0.102" },
        program: "copilot",
        shell: BASH,
        files: &[],
        variables: &[
            ("COPILOT_PROVIDER_BASE_URL", "{url}/v1"),
            ("COPILOT_PROVIDER_TYPE", "openai"),
            ("COPILOT_PROVIDER_API_KEY", "none"),
            ("COPILOT_MODEL", "scripted"),
            ("COPILOT_OFFLINE", "true"),
        ],
        words: &["-p", PROMPT, "--allow-all", "--no-auto-update"],
        refused: RefusalReaction::GoesOn,
        by_hand: None,
    },
    Client {
        agent: "qwen-code",
        package: Package::Npm { name: "@qwen-code/qwen-code", version: "0.24.4" },
        program: "qwen",
        shell: Shell {
            tool: "run_shell_command",
            arguments: |command| json!({ "command": command, "description": "as asked", "is_background": false }),
        },
        files: &[],
        variables: &[
            ("OPENAI_BASE_URL", "{url}/v1"),
            ("OPENAI_API_KEY", "none"),
            ("OPENAI_MODEL", "scripted"),
        ],
        words: &["--auth-type", "openai", "--yolo", "-p", PROMPT],
        refused: RefusalReaction::GoesOn,
        by_hand: None,
    },
    Client {
        agent: "cline",
        package: Package::Npm { name: "cline", version: "3.0.65" },
        program: "cline",
        shell: Shell { tool: "run_commands", arguments: |command| json!({ "commands": [command] }) },
        files: &[(
            ".cline/data/settings/providers.json",
            r#"{
  "version": 1,
  "lastUsedProvider": "openai-compatible",
  "modes": {},
  "providers": {
    "openai-compatible": {
      "settings": { "provider": "openai-compatible", "apiKey": "none", "model": "scripted", "baseUrl": "{url}/v1" },
      "updatedAt": "2026-11-23T00:00:00.000Z",
      "tokenSource": "manual"
    }
  }
}
"#,
        )],
        variables: &[],
        words: &["--auto-approve", "true", PROMPT],
        refused: RefusalReaction::Ends,
        by_hand: None,
    },
    Client {
        agent: "droid",
        // The package for this kind of machine: the one that chooses among them asks for a version that was never published.
        package: Package::Npm { name: "@factory/cli-linux-x64", version: "0.225.2" },
        program: "droid",
        shell: Shell {
            tool: "Execute",
            arguments: |command| json!({ "command": command, "summary": "as asked", "riskLevelReason": "none", "riskLevel": "low" }),
        },
        files: &[(
            ".factory/settings.json",
            "{\n  \"customModels\": [\n    { \"model\": \"scripted\", \"displayName\": \"scripted\", \"baseUrl\": \"{url}/v1\", \"apiKey\": \"none\",\n      \
             \"provider\": \"generic-chat-completion-api\", \"maxOutputTokens\": 4096 }\n  ]\n}\n",
        )],
        variables: &[("FACTORY_API_KEY", "none")],
        words: &["exec", "--model", "custom:scripted-0", "--skip-permissions-unsafe", PROMPT],
        refused: RefusalReaction::GoesOn,
        by_hand: None,
    },
    Client {
        agent: "kimi-code",
        package: Package::Npm { name: "@moonshot-ai/kimi-code", version: "2.1.0" },
        program: "kimi",
        shell: Shell { tool: "Bash", arguments: describe_command },
        files: &[(
            ".kimi-code/config.toml",
            "default_model = \"scripted\"\ntelemetry = false\n\n\
             [providers.scripted]\ntype = \"openai\"\nbase_url = \"{url}/v1\"\napi_key = \"none\"\n\n\
             [models.scripted]\nprovider = \"scripted\"\nmodel = \"scripted\"\nmax_context_size = 128000\n",
        )],
        variables: &[],
        words: &["-p", PROMPT],
        refused: RefusalReaction::GoesOn,
        by_hand: None,
    },
    Client {
        agent: "openhands",
        package: Package::Python { name: "openhands", version: "1.16.0", interpreter: "python3.12" },
        program: "openhands",
        shell: Shell {
            tool: "terminal",
            arguments: |command| json!({ "command": command, "security_risk": "LOW", "summary": "as asked" }),
        },
        files: &[],
        variables: &[("LLM_MODEL", "openai/scripted"), ("LLM_API_KEY", "none"), ("LLM_BASE_URL", "{url}/v1")],
        words: &["--headless", "--override-with-envs", "-t", PROMPT],
        refused: RefusalReaction::GoesOn,
        by_hand: None,
    },
    Client {
        agent: "opencode",
        package: Package::Npm { name: "opencode-ai", version: "1.18.33" },
        program: "opencode",
        shell: BASH,
        files: &[(
            ".config/opencode/opencode.json",
            "{\n  \"permission\": \"allow\",\n  \"provider\": { \"scripted\": {\n    \"npm\": \"@ai-sdk/openai-compatible\", \"name\": \"scripted\",\n    \
             \"options\": { \"baseURL\": \"{url}/v1\", \"apiKey\": \"none\" },\n    \"models\": { \"scripted\": { \"name\": \"scripted\" } }\n  } }\n}\n",
        )],
        variables: &[("OPENCODE_DISABLE_MODELS_FETCH", "1"), ("OPENCODE_DISABLE_AUTOUPDATE", "1")],
        words: &["run", "--model", "scripted/scripted", PROMPT],
        refused: RefusalReaction::GoesOn,
        by_hand: None,
    },
];

/// Agents that hookbox supports but whose client is not in the registry of a package manager. Their sessions are not tested.
pub(super) const NOT_TO_BE_HAD: &[(&str, &str)] = &[
    ("llxprt", "its package @vybestack/llxprt-code is not in npm's registry"),
    ("cursor", "its installer comes from its maker alone"),
    ("windsurf", "it is an editor, and needs an account"),
    ("amazon-q", "its installer comes from its maker alone"),
    ("code-forge", "it is in no registry"),
    ("cocode", "it is in no registry"),
];
