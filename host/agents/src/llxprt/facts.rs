//! Facts about llxprt-code other than its reader and writer.

use hookbox_model::ToolClass::{Agent, FileRead, FileWrite, Search, Web};

use crate::{
    agent_facts::AgentFacts,
    confined_commands, gemini_cli,
    llxprt::Llxprt,
    project_hooks::ProjectHooks,
    self_test::SelfTest,
    settings::{AgentSettings, FailClosed, Launch, OffSwitch, SetByProject, Shape, Unit, in_home},
    tools::row::{LINES, NO_PATHS, Tool, tool},
};

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&Llxprt)
    .with_transcripts("/.llxprt/")
    // The fork has the tools of Gemini CLI and others in addition.
    .with_tools(&[gemini_cli::facts::TOOLS, TOOLS])
    .with_mcp(gemini_cli::facts::is_mcp)
    .with_settings(&SETTINGS)
    .switched_off_by(&SWITCHES)
    .with_disabled_lists(gemini_cli::facts::DISABLED)
    .with_self_test(&SELF_TEST)
    .runs_rewritten(confined_commands::Shell::Bash, &["BeforeTool"], &["run_shell_command"])
    .seen_by(&["llxprt"], &[])
    .with_protected(&[".llxprt", "LLXPRT.md"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks = ProjectHooks {
    places: &[".llxprt/settings.json"],
    runs: "once you trust the folder, as Gemini CLI does, and once `hooksConfig.enabled` is true",
    trust: Some("the folder, and the hook's name and command"),
};

static SWITCHES: [OffSwitch; 2] = [
    // llxprt-code runs no hook until this setting is true somewhere; Gemini CLI runs them unless it is false.
    OffSwitch::new((gemini_cli::facts::ENABLED, false), &["settings.json"], &[]).off_by_default(),
    OffSwitch::new((&["tools.enableHooks"], false), &["settings.json"], &[]),
];

static SELF_TEST: SelfTest = SelfTest::new(
    "BeforeTool",
    r#"{"session_id":"rehearsal","transcript_path":"/home/dev/.llxprt/rehearsal.jsonl","cwd":"/home/dev/project",
    "hook_event_name":"BeforeTool","timestamp":"2026-11-21T20:53:55.314Z","tool_name":"run_shell_command",
    "tool_input":{"command":"rm -rf /"}}"#,
);

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    tool("read_line_range", FileRead, LINES),
    tool("ast_read_file", FileRead, LINES),
    tool("insert_at_line", FileWrite, LINES),
    tool("delete_line_range", FileWrite, LINES),
    tool("apply_patch", FileWrite, LINES),
    tool("ast_edit", FileWrite, LINES),
    tool("ast_grep", Search, (&["path"], &[])),
    tool("google_web_fetch", Web, NO_PATHS),
    tool("direct_web_fetch", Web, NO_PATHS),
    tool("exa_web_search", Web, NO_PATHS),
    tool("task", Agent, NO_PATHS),
];

static SETTINGS: AgentSettings = AgentSettings::new(
    "llxprt",
    (in_home(".llxprt"), "settings.json"),
    (Shape::Groups(Unit::Milliseconds), Launch::shell(&["bash", "-c"], SetByProject::Unset), FailClosed::SH),
    gemini_cli::facts::USUAL,
)
.trusting_folders()
.with_project_file(".llxprt")
.with_comments();
