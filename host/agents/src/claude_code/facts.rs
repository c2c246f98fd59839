//! Facts about Claude Code other than its reader and writer.

use hookbox_model::ToolClass::{Agent, FileRead, FileWrite, Mcp, Other, Search, Shell, Web};

use crate::{
    agent_facts::AgentFacts,
    claude_code::ClaudeCode,
    confined_commands,
    file_rules::{FileRules, Kind, Member, Members},
    project_hooks::ProjectHooks,
    self_test::SelfTest,
    settings::{AgentSettings, FailClosed, Launch, OffSwitch, SetByProject, Shape, Unit, moved_by},
    tools::row::{NO_PATHS, Tool, tool},
};

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&ClaudeCode)
    .with_transcripts("/.claude/")
    .with_tools(&[TOOLS])
    .with_settings(&SETTINGS)
    .switched_off_by(&SWITCHES)
    .with_self_test(&SELF_TEST)
    .runs_rewritten(confined_commands::Shell::Bash, &["PreToolUse"], &["Bash"])
    .seen_by(&["claude"], &[])
    // The instructions are protected, too: text in them steers the agent in every later session.
    .with_protected(&[".claude", ".claude.json", "CLAUDE.md", "CLAUDE.local.md"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks = ProjectHooks {
    places: &[".claude/settings.json", ".claude/settings.local.json"],
    runs: "once you trust the folder; with `-p` without asking",
    trust: Some("the folder"),
};

const MANAGED: &[&str] = &["/etc/claude-code/managed-settings.json"];

static SWITCHES: [OffSwitch; 2] = [
    OffSwitch::new((&["disableAllHooks"], true), &["settings.json", "settings.local.json"], MANAGED),
    OffSwitch::new((&["allowManagedHooksOnly"], true), &[], MANAGED),
];

static SELF_TEST: SelfTest = SelfTest::new(
    "PreToolUse",
    include_str!("../../../../tests/data/events/claude-code/14-PreToolUse-Bash-blocked.json"),
);

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    tool("Bash", Shell, NO_PATHS),
    tool("PowerShell", Shell, NO_PATHS),
    tool("Monitor", Shell, NO_PATHS),
    tool("BashOutput", Other, NO_PATHS),
    tool("KillShell", Other, NO_PATHS),
    tool("Read", FileRead, (&[], &["file_path"])),
    tool("NotebookRead", FileRead, (&[], &["notebook_path"])),
    // These two tools pass the content of a file on, which is a read for a guard.
    tool("Artifact", FileRead, (&[], &["file_path"])),
    tool("SendUserFile", FileRead, (&[], &["files"])),
    tool("Write", FileWrite, (&[], &["file_path"])),
    tool("Edit", FileWrite, (&[], &["file_path"])),
    tool("MultiEdit", FileWrite, (&[], &["file_path"])),
    tool("NotebookEdit", FileWrite, (&[], &["notebook_path"])),
    tool("Glob", Search, (&["path"], &["pattern"])),
    tool("Grep", Search, (&["path"], &["glob"])),
    tool("LS", Search, (&["path"], &[])),
    tool("LSP", Search, (&[], &["filePath", "file_path"])),
    tool("WebFetch", Web, NO_PATHS),
    tool("WebSearch", Web, NO_PATHS),
    tool("ListMcpResourcesTool", Mcp, NO_PATHS),
    tool("ReadMcpResourceTool", Mcp, NO_PATHS),
    tool("Task", Agent, NO_PATHS),
    tool("Agent", Agent, NO_PATHS),
    tool("ListAgents", Agent, NO_PATHS),
    tool("SendMessage", Agent, NO_PATHS),
    tool("SubagentHandback", Agent, NO_PATHS),
    tool("Workflow", Agent, NO_PATHS),
    tool("TodoWrite", Other, NO_PATHS),
    // The `command` of these tools is not a shell command.
    tool("SlashCommand", Other, NO_PATHS),
    tool("Skill", Other, NO_PATHS),
];

static SETTINGS: AgentSettings = AgentSettings::new(
    "claude-code",
    (moved_by("CLAUDE_CONFIG_DIR", ".claude"), "settings.json"),
    // Claude Code's project settings have `env`.
    (Shape::Groups(Unit::Seconds), Launch::exec(SetByProject::All), FailClosed::ON_FAILURE),
    USUAL,
)
.with_project_file(".claude")
.with_rules(&FILE_RULES);

/// A hook file of a plugin is read the same way. Unknown events are skipped.
pub(super) static FILE_RULES: FileRules = FileRules {
    group: Members::with(
        // A group in the form of other agents (a hook without a list around it) makes Claude Code skip the
        // whole file.
        &[Member::optional("matcher", Kind::Text), Member::required("hooks", Kind::List)],
        "hooks are in a list `hooks` of a group: `[{\"hooks\": [{\"type\": \"command\", \"command\": …}]}]`",
    ),
    hook: Members::with(
        &[
            Member::required("type", Kind::Text),
            Member::optional("command", Kind::Text).of_type("command"),
            Member::optional("url", Kind::Text).of_type("http"),
            Member::optional("prompt", Kind::Text).of_type("prompt"),
            Member::optional("prompt", Kind::Text).of_type("agent"),
            Member::optional("timeout", Kind::Number),
        ],
        "",
    ),
    ..FileRules::NONE
};

/// Excludes `WorktreeCreate`, whose hook must create the worktree; the model switches, which are known at second hand only; and events that
/// occur for every piece of a message.
const USUAL: &[&str] = &[
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
