//! The agents, one row each.

use super::{
    AgentSettings,
    Base::{Config, Home, HomeOr},
    UserFolder,
    launch::{Launch, SetByProject},
    shape::{Shape, Unit},
    toml::TomlForm,
};

/// Every agent whose settings are known.
pub fn all() -> &'static [AgentSettings] {
    &AGENTS
}

/// The settings of this agent.
pub fn named(agent: &str) -> Option<&'static AgentSettings> {
    AGENTS.iter().find(|settings| settings.agent == agent)
}

const fn in_home(path: &'static str) -> UserFolder {
    UserFolder { variable: None, base: Home, path }
}

const fn moved_by(variable: &'static str, path: &'static str) -> UserFolder {
    UserFolder { variable: Some(variable), base: Home, path }
}

static AGENTS: [AgentSettings; 14] = [
    AgentSettings {
        agent: "claude-code",
        user: moved_by("CLAUDE_CONFIG_DIR", ".claude"),
        project: Some(".claude"),
        file: "settings.json",
        shape: Shape::Groups(Unit::Seconds),
        comments: false,
        closed: false,
        instead_of: None,
        // Its project settings have `env`.
        launch: Launch::exec(SetByProject::All),
        usual: CLAUDE,
    },
    AgentSettings {
        agent: "gemini-cli",
        user: in_home(".gemini"),
        project: Some(".gemini"),
        file: "settings.json",
        shape: Shape::Groups(Unit::Milliseconds),
        comments: true,
        closed: false,
        instead_of: None,
        // A project's `.env`; what is set already stays.
        launch: Launch::shell(&["bash", "-c"], SetByProject::Unset).with_variables(),
        usual: GEMINI,
    },
    AgentSettings {
        agent: "codex",
        user: moved_by("CODEX_HOME", ".codex"),
        project: Some(".codex"),
        file: "hooks.json",
        shape: Shape::Groups(Unit::Seconds),
        comments: false,
        closed: false,
        instead_of: None,
        launch: Launch::shell(&["$SHELL", "-lc"], SetByProject::None),
        usual: CODEX,
    },
    AgentSettings {
        agent: "llxprt",
        user: in_home(".llxprt"),
        project: Some(".llxprt"),
        file: "settings.json",
        shape: Shape::Groups(Unit::Milliseconds),
        comments: true,
        closed: false,
        instead_of: None,
        launch: Launch::shell(&["bash", "-c"], SetByProject::Unset),
        usual: GEMINI,
    },
    AgentSettings {
        agent: "code-forge",
        user: UserFolder { variable: None, base: Config, path: "forge" },
        project: Some(".forge"),
        file: "hooks.json",
        shape: Shape::List(Unit::Seconds),
        comments: false,
        closed: false,
        instead_of: None,
        launch: Launch::shell(&["/bin/sh", "-c"], SetByProject::None).with_variables(),
        usual: CODE_FORGE,
    },
    AgentSettings {
        agent: "cursor",
        user: in_home(".cursor"),
        project: Some(".cursor"),
        file: "hooks.json",
        shape: Shape::Flat(Unit::Seconds),
        comments: false,
        closed: false,
        instead_of: None,
        launch: Launch::shell(&["/bin/sh", "-c"], SetByProject::None),
        usual: CURSOR,
    },
    // Every file of the folder counts, so hookbox has one of its own.
    AgentSettings {
        agent: "copilot",
        user: moved_by("COPILOT_HOME", ".copilot"),
        project: Some(".github"),
        file: "hooks/hookbox.json",
        shape: Shape::Flat(Unit::TimeoutSec),
        comments: false,
        closed: false,
        instead_of: None,
        launch: Launch::shell(&["bash", "-c"], SetByProject::None).with_variables(),
        usual: COPILOT,
    },
    AgentSettings {
        agent: "windsurf",
        user: in_home(".codeium/windsurf"),
        project: Some(".windsurf"),
        file: "hooks.json",
        shape: Shape::Bare,
        comments: false,
        closed: false,
        instead_of: None,
        launch: Launch::shell(&["bash", "-c"], SetByProject::None),
        usual: WINDSURF,
    },
    // Up to some version its times were milliseconds; since then only those of 1000 and more are.
    AgentSettings {
        agent: "qwen-code",
        user: moved_by("QWEN_HOME", ".qwen"),
        project: Some(".qwen"),
        file: "settings.json",
        shape: Shape::Groups(Unit::Milliseconds),
        comments: true,
        closed: false,
        instead_of: None,
        // A project's `.env`; what is set already stays.
        launch: Launch::shell(&["bash", "-c"], SetByProject::Unset).with_variables(),
        usual: QWEN_CODE,
    },
    AgentSettings {
        agent: "droid",
        user: UserFolder { variable: None, base: HomeOr("FACTORY_HOME_OVERRIDE"), path: ".factory" },
        project: Some(".factory"),
        file: "hooks.json",
        shape: Shape::TopLevel(Unit::Seconds),
        comments: false,
        closed: true,
        instead_of: Some("settings.json"),
        launch: Launch::shell(&["bash", "-c"], SetByProject::None),
        usual: DROID,
    },
    // It also takes the events at the top level, and in snake case; beside `hooks` it passes over the first, and of an event in
    // both cases it reads no hook at all.
    AgentSettings {
        agent: "openhands",
        user: in_home(".openhands"),
        project: Some(".openhands"),
        file: "hooks.json",
        shape: Shape::Groups(Unit::Seconds),
        comments: false,
        closed: true,
        instead_of: None,
        launch: Launch::shell(&["/bin/sh", "-c"], SetByProject::None),
        usual: OPENHANDS,
    },
    AgentSettings {
        agent: "kimi-code",
        user: moved_by("KIMI_CODE_HOME", ".kimi-code"),
        project: None,
        file: "config.toml",
        shape: Shape::Toml(TomlForm::Command),
        comments: true,
        closed: false,
        instead_of: None,
        launch: Launch::shell(&["sh", "-c"], SetByProject::None),
        usual: KIMI_CODE,
    },
    AgentSettings {
        agent: "cocode",
        user: UserFolder { variable: None, base: Config, path: "cocode" },
        project: None,
        file: "hooks.toml",
        shape: Shape::Toml(TomlForm::Shell),
        comments: true,
        closed: false,
        instead_of: None,
        launch: Launch::shell(&["sh", "-c"], SetByProject::None),
        usual: COCODE,
    },
    AgentSettings {
        agent: "opencode",
        user: UserFolder { variable: None, base: Config, path: "opencode" },
        project: Some(".opencode"),
        file: "plugins/hookbox.js",
        shape: Shape::Plugin,
        comments: true,
        closed: false,
        instead_of: None,
        // A project's `.env`, which the program that it is built with may read.
        launch: Launch::exec(SetByProject::All),
        usual: OPENCODE,
    },
];

/// All that the plugin tells.
const OPENCODE: &[&str] = &[
    "tool.execute.before",
    "tool.execute.after",
    "chat.message",
    "session.created",
    "session.idle",
    "session.compacted",
    "session.deleted",
];

/// Those that every version has: of a name that it does not know Kimi Code reads none of its configuration.
const KIMI_CODE: &[&str] = &[
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "Notification",
];

/// Those that can be rejected, and those that hooks commonly use.
const COCODE: &[&str] = &[
    "SessionStart",
    "SessionEnd",
    "PrePromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "NotificationEvent",
];

/// Not what is called for every piece of a message, nor what an older version does not have and hooks hardly use.
const QWEN_CODE: &[&str] = &[
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
];

const DROID: &[&str] = &[
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Notification",
    "Stop",
    "SubagentStop",
    "PreCompact",
];

const OPENHANDS: &[&str] =
    &["SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];

/// Not `WorktreeCreate`, whose hook must create the worktree; not the model switches, which are known at second hand
/// only; not what is called for every piece of a message.
const CLAUDE: &[&str] = &[
    "SessionStart",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "SubagentStart",
    "SubagentStop",
    "TaskCreated",
    "TaskCompleted",
    "Stop",
    "TeammateIdle",
    "ConfigChange",
    "PreCompact",
    "SessionEnd",
    "Elicitation",
    "ElicitationResult",
];

const GEMINI: &[&str] = &[
    "BeforeTool",
    "AfterTool",
    "BeforeAgent",
    "AfterAgent",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
    "SessionStart",
    "SessionEnd",
    "PreCompress",
    "Notification",
];

const CODEX: &[&str] = &[
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "Stop",
];

const CODE_FORGE: &[&str] = &[
    "session:start",
    "session:end",
    "user:prompt_submit",
    "llm:pre_request",
    "llm:post_response",
    "tool:pre_execute",
    "tool:post_execute",
    "tool:error",
    "permission:check",
    "permission:prompt",
];

/// Not the views of a tool call (`beforeShellExecution` and the like): `preToolUse` has them all, and a call is judged
/// once.
const CURSOR: &[&str] = &[
    "sessionStart",
    "sessionEnd",
    "beforeSubmitPrompt",
    "preToolUse",
    "postToolUse",
    "postToolUseFailure",
    "subagentStart",
    "subagentStop",
    "preCompact",
    "stop",
];

/// In Pascal case, because only then does the input tell the event.
const COPILOT: &[&str] = &[
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "SubagentStop",
    "ErrorOccurred",
    "PreCompact",
];

/// Not what tells of a worktree, nor the transcript, whose text the response has.
const WINDSURF: &[&str] = &[
    "pre_read_code",
    "pre_write_code",
    "pre_run_command",
    "pre_mcp_tool_use",
    "pre_user_prompt",
    "post_read_code",
    "post_write_code",
    "post_run_command",
    "post_mcp_tool_use",
    "post_cascade_response",
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::dialect;

    #[test]
    fn the_usual_events_are_events_of_the_agent_and_each_is_named_once() {
        for settings in all() {
            let usual: HashSet<_> = settings.usual.iter().collect();
            assert_eq!(usual.len(), settings.usual.len(), "{}", settings.agent);
            let dialect = dialect::named(settings.agent).unwrap();
            let known: HashSet<_> = dialect.events().into_iter().map(|(name, _)| name).collect();
            let unknown: Vec<_> = settings.usual.iter().filter(|event| !known.contains(**event)).collect();
            assert_eq!(unknown, Vec::<&&str>::new(), "{}", settings.agent);
        }
    }

    #[test]
    fn an_event_that_can_be_blocked_is_usual_unless_there_is_a_reason() {
        let unusual = ["WorktreeCreate", "PreModelSwitch"];
        for agent in ["claude-code", "gemini-cli", "qwen-code", "droid", "openhands"] {
            let (settings, dialect) = (named(agent).unwrap(), dialect::named(agent).unwrap());
            for (name, event) in dialect.events() {
                let wanted = dialect.honours(name, &event).block && !unusual.contains(&name);
                assert!(settings.usual.contains(&name) || !wanted, "{agent}: {name}");
            }
        }
    }
}
