//! Cline: the hook files of its VS Code extension, and the known hook files of its SDK and CLI (docs/reference/agents/cline.md). Cline
//! ignores exit codes if the output is JSON.

use hookbox_model::{
    EventName as E,
    ToolClass::{Agent, FileRead, FileWrite, Mcp, Search, Shell, Web},
};

use super::{
    agent_facts::AgentFacts,
    project_hooks::ProjectHooks,
    schema::Kind::Text,
    self_test::SelfTest,
    table::{
        AnswerFields, Decision, EventCondition, TableControl::AnswerMember, TableDialect, TableEvent,
        TextTarget::Member, ToolMembers, Words, answer, row,
    },
    tools::row::{ANY_FILES, IN_FOLDER, NO_PATHS, ONE_FILE, Tool, tool},
};

pub(super) static CLINE: TableDialect = TableDialect {
    name: "cline",
    words: Words {
        event: "hookName",
        session: ("taskId", "taskId"),
        roots: "workspaceRoots",
        // The extension writes `result`, the CLI `output`.
        outputs: &["result", "output"],
        ..Words::CLAUDE_CODE
    },
    rows: &ROWS,
    // Cline ignores exit codes next to JSON, so an unknown event can be blocked by `cancel` alone.
    unknown: GATE,
    json: true,
};

/// An ask is a cancel: the extension knows no ask, and the CLI reads `review` and then runs the call all the same.
const CANCEL: Decision = Decision {
    deny: Some(("cancel", "true")),
    ask: None,
    allow: Some(("cancel", "false")),
    reason: "errorMessage",
    exit: 0,
};

const TOOL: ToolMembers =
    ToolMembers { server: None, prefix: "", name: ("toolName", "name"), input: ("parameters", "input") };

const SILENT: AnswerFields = AnswerFields::SILENT;
const GATE: AnswerFields = AnswerFields::only(AnswerMember(&CANCEL));
const MODIFIES: AnswerFields = GATE.context(Member("contextModification"));

#[rustfmt::skip]
static ROWS: [TableEvent; 20] = [
    row("TaskStart", E::SessionStart, SILENT.context(Member("contextModification"))).within("taskStart").mark_unsure(),
    row("TaskResume", E::SessionStart, SILENT.context(Member("contextModification"))).within("taskResume").mark_unsure(),
    row("TaskCancel", E::SessionEnd, SILENT).within("taskCancel").mark_unsure(),
    row("TaskComplete", E::AgentStop, SILENT).within("taskComplete").mark_unsure(),
    row("UserPromptSubmit", E::PromptSubmit, MODIFIES).within("userPromptSubmit").required(&[("prompt", Text)]),
    row("PreToolUse", E::ToolBefore, MODIFIES).within("preToolUse").tool(&TOOL),
    // A failed call is not mapped to `tool.error`: the event name is the one that Claude Code uses for success, and hooks may be written
    // for that.
    row("PostToolUse", E::ToolAfter, MODIFIES).within("postToolUse").tool(&TOOL).mark_unsure(),
    row("PreCompact", E::CompactBefore, GATE).within("preCompact").mark_unsure(),
    row("Notification", E::Notification, SILENT).within("notification").fill_member("message", "\"\"").mark_unsure(),
    // The CLI does not wait for these hooks, nor for that of a prompt.
    row("agent_start", E::SessionStart, SILENT),
    row("agent_resume", E::SessionStart, SILENT).mark_unsure(),
    row("prompt_submit", E::PromptSubmit, SILENT).within("userPromptSubmit").required(&[("prompt", Text)]),
    row("agent_abort", E::SessionEnd, SILENT).mark_unsure(),
    row("agent_end", E::SessionEnd, SILENT),
    row("agent_error", E::AgentStopFailure, SILENT).fill_member("error", "\"\"").mark_unsure(),
    row("tool_call", E::ToolBefore,
        GATE.context(Member("context")).rewrite("overrideInput", answer::accept_object))
        .within("tool_call").tool(&TOOL),
    // The more specific row comes first: without `error` the next one applies.
    row("tool_result", E::ToolError, GATE.context(Member("context"))).when(EventCondition::Has("error"))
        .within("tool_result").tool(&TOOL).mark_unsure(),
    row("tool_result", E::ToolAfter, GATE.context(Member("context"))).within("tool_result").tool(&TOOL),
    row("pre_compact", E::CompactBefore, GATE).mark_unsure(),
    row("session_shutdown", E::SessionEnd, SILENT).mark_unsure(),
];

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&CLINE)
    .with_mark(&[("hookName", ""), ("clineVersion", ""), ("taskId", "")])
    .with_tools(&[TOOLS])
    .with_self_test(&SELF_TEST)
    .seen_by(&["cline"], &["Documents/Cline", ".cline"])
    .with_protected(&[".cline", ".clinerules", "Documents/Cline"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks =
    ProjectHooks { places: &[".clinerules/hooks/"], runs: "without asking", trust: None };

static SELF_TEST: SelfTest = SelfTest::new(
    "PreToolUse",
    include_str!("../../../tests/data/events/cline/03-tool_call-run_commands-blocked.json"),
);

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    tool("execute_command", Shell, NO_PATHS),
    tool("run_commands", Shell, NO_PATHS),
    tool("read_file", FileRead, ANY_FILES),
    tool("read_files", FileRead, ANY_FILES),
    tool("write_to_file", FileWrite, ANY_FILES),
    tool("replace_in_file", FileWrite, ANY_FILES),
    tool("editor", FileWrite, ANY_FILES),
    tool("apply_patch", FileWrite, ONE_FILE).or_patch(),
    tool("list_files", Search, IN_FOLDER),
    tool("list_code_definition_names", Search, IN_FOLDER),
    tool("search_files", Search, (&["path"], &["file_pattern"])),
    tool("search_codebase", Search, IN_FOLDER),
    tool("web_fetch", Web, NO_PATHS),
    tool("web_search", Web, NO_PATHS),
    tool("fetch_web_content", Web, NO_PATHS),
    tool("browser_action", Web, NO_PATHS),
    // The server and its tool are arguments of these two calls, not part of the name.
    tool("use_mcp_tool", Mcp, NO_PATHS),
    tool("access_mcp_resource", Mcp, NO_PATHS),
    tool("new_task", Agent, NO_PATHS),
    tool("spawn_agent", Agent, NO_PATHS),
    tool("team_spawn_teammate", Agent, NO_PATHS),
    tool("team_run_task", Agent, NO_PATHS),
    tool("team_send_message", Agent, NO_PATHS),
    tool("team_broadcast", Agent, NO_PATHS),
];
