//! Qwen Code: Claude Code's contract with Gemini CLI's tools. In headless mode it accepts neither new arguments nor context before a tool
//! call, so neither is written; and an ask is a deny, since no user is present.

use hookbox_model::{
    EventName as E, RawObject,
    ToolClass::{Agent, FileRead, FileWrite, Other, Search, Shell, Web},
};

use super::{
    agent_facts::AgentFacts,
    project_hooks::ProjectHooks,
    schema::{
        Field,
        Kind::{Any, List, Text},
    },
    self_test::SelfTest,
    settings::{AgentSettings, FailClosed, Launch, OffSwitch, SetByProject, Shape, Unit, moved_by},
    table::{AnswerFields, EventCondition, TableDialect, TableEvent, TextTarget::Nested, ToolMembers, row},
    tools::row::{ANY_FILES, GLOB, IN_FOLDER, NO_PATHS, Tool, tool},
};

pub(super) static QWEN_CODE: TableDialect = TableDialect::new("qwen-code", &ROWS);

const TOOL: ToolMembers = ToolMembers::CLAUDE_CODE;
const SILENT: AnswerFields = AnswerFields::SILENT;
const INFORMED: AnswerFields = SILENT.context(Nested);
const GATE: AnswerFields = AnswerFields::GATE;
const PROMPT: &[Field] = &[("prompt", Text)];

#[rustfmt::skip]
static ROWS: [TableEvent; 20] = [
    row("SessionStart", E::SessionStart, INFORMED),
    row("SessionEnd", E::SessionEnd, SILENT),
    row("InstructionsLoaded", E::InstructionsLoaded, SILENT).required(&[("file_path", Text)]),
    // Taken for a prompt, the results of tools restarted `limit-calls` at each turn, so that it never stopped
    // anything.
    row("UserPromptSubmit", E::PromptSubmit, GATE.context(Nested)).required(PROMPT).when(EventCondition::If(is_from_user)),
    row("UserPromptExpansion", E::PromptExpand, GATE.context(Nested)).required(PROMPT).mark_unsure(),
    row("PreToolUse", E::ToolBefore, GATE).tool(&TOOL),
    row("PermissionRequest", E::PermissionRequest, GATE).tool(&TOOL).mark_unsure(),
    row("PermissionDenied", E::PermissionDenied, SILENT).tool(&TOOL).mark_unsure(),
    row("PostToolUse", E::ToolAfter, GATE.context(Nested)).tool(&TOOL),
    row("PostToolUseFailure", E::ToolError, GATE.context(Nested)).tool(&TOOL).required(&[("error", Any)]).mark_unsure(),
    row("PostToolBatch", E::ToolBatchAfter, GATE.context(Nested)).required(&[("tool_calls", List)]),
    row("Notification", E::Notification, SILENT).required(&[("message", Text)]),
    row("MessageDisplay", E::MessageDisplay, SILENT).required(&[("displayed_text", Text)])
        .rename_members(&[("displayed_text", "text")]),
    row("Stop", E::AgentStop, GATE),
    row("StopFailure", E::AgentStopFailure, SILENT).required(&[("error", Any)]).mark_unsure(),
    row("SubagentStart", E::SubagentStart, INFORMED).mark_unsure(),
    row("SubagentStop", E::SubagentStop, GATE).mark_unsure(),
    row("PreCompact", E::CompactBefore, SILENT).mark_unsure(),
    row("PostCompact", E::CompactAfter, SILENT).mark_unsure(),
    row("SessionDelete", E::SessionEnd, SILENT).mark_unsure(),
];

/// Returns true if the prompt comes from the user. Qwen Code repeats the event with the results of tools, without a text and without the
/// user's input; such a repetition is not an event that hookbox knows, and resets nothing that counts from prompt to prompt.
fn is_from_user(members: &RawObject<'_>) -> bool {
    let is_empty = members.get("prompt").is_some_and(|prompt| prompt.get() == r#""""#);
    !is_empty || members.get("submitted_prompt").is_some()
}

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&QWEN_CODE)
    .with_transcripts("/.qwen/")
    .with_tools(&[TOOLS])
    .with_settings(&SETTINGS)
    .switched_off_by(&SWITCHES)
    .with_self_test(&SELF_TEST)
    .seen_by(&["qwen"], &[])
    .with_protected(&[".qwen", "QWEN.md"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks = ProjectHooks {
    places: &[".qwen/settings.json"],
    runs: "once you trust the folder",
    trust: Some("the folder"),
};

static SWITCHES: [OffSwitch; 1] =
    [OffSwitch::new((&["disableAllHooks"], true), &["settings.json"], &["/etc/qwen-code/settings.json"])];

static SELF_TEST: SelfTest = SelfTest::new(
    "PreToolUse",
    include_str!("../../../tests/data/events/qwen-code/08-PreToolUse-run_shell_command-blocked.json"),
);

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    tool("run_shell_command", Shell, (&["directory"], &[])),
    // The tool runs a command in the background.
    tool("monitor", Shell, (&["directory"], &[])),
    tool("read_file", FileRead, ANY_FILES),
    tool("write_file", FileWrite, ANY_FILES),
    tool("edit", FileWrite, ANY_FILES),
    tool("notebook_edit", FileWrite, (&[], &["notebook_path"])),
    tool("glob", Search, GLOB),
    tool("grep_search", Search, (&["path"], &["glob"])),
    tool("list_directory", Search, IN_FOLDER),
    tool("lsp", Search, (&[], &["filePath"])),
    tool("web_fetch", Web, NO_PATHS),
    tool("web_search", Web, NO_PATHS),
    tool("agent", Agent, NO_PATHS),
    tool("task", Agent, NO_PATHS),
    tool("skill", Other, NO_PATHS),
];

/// Timeouts of older versions are milliseconds; in newer versions only those of 1000 and more are.
static SETTINGS: AgentSettings = AgentSettings::new(
    "qwen-code",
    (moved_by("QWEN_HOME", ".qwen"), "settings.json"),
    // Variables from a project's `.env`; existing ones are not overridden.
    (
        Shape::Groups(Unit::Milliseconds),
        Launch::shell(&["bash", "-c"], SetByProject::Unset).with_variables(),
        FailClosed::SH,
    ),
    USUAL,
)
.trusting_folders()
.with_project_file(".qwen")
.with_comments();

/// Excludes events that occur for every piece of a message, and events that older versions lack and hooks rarely use.
const USUAL: &[&str] = &[
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
