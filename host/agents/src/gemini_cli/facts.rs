//! Facts about Gemini CLI other than its reader and writer.

use hookbox_model::ToolClass::{Agent, FileRead, FileWrite, Other, Search, Shell, Web};

use crate::{
    agent_facts::AgentFacts,
    confined_commands,
    gemini_cli::GeminiCli,
    project_hooks::ProjectHooks,
    self_test::SelfTest,
    settings::{AgentSettings, FailClosed, Launch, OffSwitch, SetByProject, Shape, Unit, in_home},
    tools::row::{NO_PATHS, Tool, tool},
};

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&GeminiCli)
    .with_transcripts("/.gemini/")
    .with_tools(&[TOOLS])
    .with_mcp(is_mcp)
    .with_settings(&SETTINGS)
    .switched_off_by(&SWITCHES)
    .with_disabled_lists(DISABLED)
    .with_self_test(&SELF_TEST)
    .runs_rewritten(confined_commands::Shell::Bash, &["BeforeTool"], &["run_shell_command"])
    .seen_by(&["gemini"], &[])
    .with_protected(&[".gemini", "GEMINI.md"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks = ProjectHooks {
    places: &[".gemini/settings.json"],
    runs: "once you trust the folder, if `security.folderTrust.enabled` is set, else without asking; it reports a new or changed one once, and then treats it as known",
    trust: Some("the folder, and the hook's name and command"),
};

static SWITCHES: [OffSwitch; 1] =
    [OffSwitch::new((ENABLED, false), &["settings.json"], &["/etc/gemini-cli/settings.json"])];

/// Settings that enable hooks; the second is the older one.
pub(crate) const ENABLED: &[&str] = &["hooksConfig.enabled", "hooks.enabled"];

/// Possible places of the list of disabled hooks; the first that is present counts.
pub(crate) const DISABLED: &[&str] = &["hooksConfig.disabled", "hooks.disabled"];

static SELF_TEST: SelfTest = SelfTest::new(
    "BeforeTool",
    include_str!("../../../../tests/data/events/gemini-cli/18-BeforeTool-run_shell_command-blocked.json"),
);

#[rustfmt::skip]
pub(crate) static TOOLS: &[Tool] = &[
    tool("run_shell_command", Shell, (&["dir_path", "directory"], &[])),
    // Versions of Gemini CLI have named the argument differently, and all spellings that are present count.
    tool("read_file", FileRead, (&[], &["file_path", "absolute_path", "path"])),
    tool("read_many_files", FileRead, (&[], &["include", "paths"])),
    tool("write_file", FileWrite, (&[], &["file_path"])),
    tool("replace", FileWrite, (&[], &["file_path"])),
    tool("glob", Search, (&["dir_path", "path"], &["pattern"])),
    tool("grep_search", Search, (&["dir_path", "path"], &["include_pattern", "include", "glob"])),
    tool("search_file_content", Search, (&["dir_path", "path"], &["include", "glob"])),
    tool("list_directory", Search, (&["dir_path", "path"], &[])),
    tool("web_fetch", Web, NO_PATHS),
    tool("google_web_search", Web, NO_PATHS),
    tool("codebase_investigator", Agent, NO_PATHS),
    tool("browser_agent", Agent, NO_PATHS),
    tool("delegate_to_agent", Agent, NO_PATHS),
    tool("generalist", Agent, NO_PATHS),
    tool("invoke_agent", Agent, NO_PATHS),
    tool("activate_skill", Other, NO_PATHS),
    tool("ask_user", Other, NO_PATHS),
    tool("get_internal_docs", Other, NO_PATHS),
    tool("save_memory", Other, NO_PATHS),
    tool("update_topic", Other, NO_PATHS),
    tool("write_todos", Other, NO_PATHS),
];

static SETTINGS: AgentSettings = AgentSettings::new(
    "gemini-cli",
    (in_home(".gemini"), "settings.json"),
    // Variables from a project's `.env`; existing ones are not overridden.
    (
        Shape::Groups(Unit::Milliseconds),
        Launch::shell(&["bash", "-c"], SetByProject::Unset).with_variables(),
        FailClosed::SH,
    ),
    USUAL,
)
.trusting_folders()
.with_project_file(".gemini")
.with_comments();

pub(crate) const USUAL: &[&str] = &[
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

/// Returns true for MCP tools: Gemini CLI has used `mcp__server__tool`, `server__tool` and `mcp_server_tool`.
pub(crate) fn is_mcp(tool: &str) -> bool {
    // None of Gemini CLI's own tools has such a name.
    tool.contains("__") || tool.starts_with("mcp_")
}
