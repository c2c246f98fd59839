//! Cursor (docs/reference/agents/cursor.md). Its reference is known from quotations only, so nothing here is sure.

use hookbox_model::{
    EventName as E,
    ToolClass::{Agent, FileRead, FileWrite, Search, Shell},
};

use super::{
    agent_facts::AgentFacts,
    file_rules::FileRules,
    project_hooks::ProjectHooks,
    schema::Kind::{Any, Text},
    self_test::SelfTest,
    settings::{AgentSettings, FailClosed, Launch, SetByProject, Shape, Unit, in_home},
    table::{
        AnswerFields, Decision,
        TableControl::{AnswerMember, ContinueInstead, Feedback},
        TableDialect, TableEvent,
        TextTarget::Member,
        ToolMembers, Words, answer, row,
    },
    tools::row::{NO_PATHS, ONE_FILE, Tool, tool},
};

pub(super) static CURSOR: TableDialect = TableDialect {
    words: Words {
        session: ("conversation_id", "session_id"),
        roots: "workspace_roots",
        outputs: &["tool_output", "result_json", "output"],
        ..Words::CLAUDE_CODE
    },
    // Exit code 2 denies in Cursor whatever the event; the fields of an unknown event are unknown.
    ..TableDialect::new("cursor", &ROWS)
};

/// An ask is a deny: in its Auto-review mode Cursor runs a command for which a hook asks, and never asks about files.
const PERMISSION: Decision = Decision {
    deny: Some(("permission", "\"deny\"")),
    ask: None,
    allow: Some(("permission", "\"allow\"")),
    reason: "agent_message",
    exit: 0,
};
const CONTINUE: Decision =
    Decision { deny: Some(("continue", "false")), ask: None, allow: None, reason: "user_message", exit: 0 };
const FOLLOW_UP: Decision =
    Decision { deny: None, ask: None, allow: None, reason: "followup_message", exit: 0 };

const TOOL: ToolMembers = ToolMembers::CLAUDE_CODE;
/// Tool names of MCP servers as `preToolUse` writes them.
const MCP_TOOL: ToolMembers = ToolMembers { prefix: "MCP:", ..TOOL };

const SILENT: AnswerFields = AnswerFields::SILENT;
const GATE: AnswerFields = AnswerFields::only(AnswerMember(&PERMISSION)).notice(Member("user_message"));
const GOES_ON: AnswerFields = AnswerFields::only(ContinueInstead(&FOLLOW_UP));

#[rustfmt::skip]
static ROWS: [TableEvent; 21] = [
    row("sessionStart", E::SessionStart, SILENT.context(Member("additional_context"))).mark_unsure(),
    row("sessionEnd", E::SessionEnd, SILENT).mark_unsure(),
    row("beforeSubmitPrompt", E::PromptSubmit,
        AnswerFields::only(AnswerMember(&CONTINUE)).notice(Member("user_message")).ends()).required(&[("prompt", Text)]).mark_unsure(),
    row("preToolUse", E::ToolBefore, GATE.rewrite("updated_input", answer::accept_object)).tool(&TOOL).mark_unsure(),
    row("postToolUse", E::ToolAfter,
        AnswerFields::only(Feedback).context(Member("additional_context"))
            // Cursor takes new output for MCP tools only.
            .rewrite("updated_mcp_tool_output", answer::mcp_result)).tool(&TOOL).mark_unsure(),
    row("postToolUseFailure", E::ToolError, SILENT).tool(&TOOL)
        .rename_members(&[("error_message", "error")]).fill_member("error", "\"\"").mark_unsure(),
    row("beforeShellExecution", E::ToolBefore, GATE).required(&[("command", Text)]).view("Shell", &["command"]).mark_unsure(),
    row("afterShellExecution", E::ToolAfter, SILENT).required(&[("command", Text)]).view("Shell", &["command"]).mark_unsure(),
    // This event has the bare name of the tool; with the prefix the same rules match as for `preToolUse`.
    row("beforeMCPExecution", E::ToolBefore, GATE).tool(&MCP_TOOL).mark_unsure(),
    row("afterMCPExecution", E::ToolAfter, SILENT).tool(&MCP_TOOL).mark_unsure(),
    row("beforeReadFile", E::ToolBefore, GATE).required(&[("file_path", Text)]).view("Read", &["file_path"]).mark_unsure(),
    row("beforeTabFileRead", E::ToolBefore, GATE).required(&[("file_path", Text)]).view("Read", &["file_path"]).mark_unsure(),
    row("afterFileEdit", E::ToolAfter, SILENT).required(EDIT).view("Write", &["file_path", "edits"]).mark_unsure(),
    row("afterTabFileEdit", E::ToolAfter, SILENT).required(EDIT).view("Write", &["file_path", "edits"]).mark_unsure(),
    row("subagentStart", E::SubagentStart, SILENT).mark_unsure(),
    row("subagentStop", E::SubagentStop, GOES_ON).mark_unsure(),
    row("preCompact", E::CompactBefore, SILENT.notice(Member("user_message"))).mark_unsure(),
    row("stop", E::AgentStop, GOES_ON).mark_unsure(),
    row("afterAgentResponse", E::ModelResponse, SILENT).required(ANSWER).gather_members("response", &["text"]).mark_unsure(),
    row("afterAgentThought", E::ModelResponse, SILENT).required(ANSWER).gather_members("response", &["text"]).mark_unsure(),
    row("workspaceOpen", E::SessionStart, SILENT).mark_unsure(),
];

const EDIT: &[super::schema::Field] = &[("file_path", Text), ("edits", Any)];
const ANSWER: &[super::schema::Field] = &[("text", Text)];

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&CURSOR)
    .with_mark(&[("hook_event_name", ""), ("conversation_id", ""), ("cursor_version", "")])
    .with_transcripts("/.cursor/")
    .with_tools(&[TOOLS])
    .with_mcp(|tool| tool.starts_with("MCP:"))
    .with_settings(&SETTINGS)
    .with_self_test(&SELF_TEST)
    .seen_by(&["cursor", "cursor-agent"], &[])
    .with_protected(&[".cursor", ".cursorrules"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks = ProjectHooks {
    places: &[".cursor/hooks.json"],
    runs: "in a workspace that you trust; more is not known",
    trust: Some("the workspace"),
};

static SELF_TEST: SelfTest = SelfTest::new(
    "preToolUse",
    r#"{"conversation_id":"rehearsal","generation_id":"rehearsal","model":"any","hook_event_name":"preToolUse",
    "cursor_version":"2.0","workspace_roots":["/home/dev/project"],"tool_name":"Shell",
    "tool_input":{"command":"rm -rf /"},"tool_use_id":"rehearsal","cwd":"/home/dev/project"}"#,
);

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    // Cursor's views of its calls have the same names here.
    tool("Shell", Shell, (&["working_directory"], &[])),
    tool("Read", FileRead, ONE_FILE),
    tool("Write", FileWrite, ONE_FILE),
    tool("Delete", FileWrite, ONE_FILE),
    tool("Grep", Search, (&["path"], &["glob"])),
    tool("Task", Agent, NO_PATHS),
];

static SETTINGS: AgentSettings = AgentSettings::new(
    "cursor",
    (in_home(".cursor"), "hooks.json"),
    (
        Shape::Flat(Unit::Seconds),
        Launch::shell(&["/bin/sh", "-c"], SetByProject::None),
        FailClosed::FAIL_CLOSED,
    ),
    USUAL,
)
.with_project_file(".cursor")
// One unknown event makes the file invalid for Cursor, with all its hooks.
.with_rules(&FileRules { known_events: true, ..FileRules::NONE });

/// Excludes the views of a tool call (`beforeShellExecution` and similar ones): `preToolUse` covers them all, and a call is judged once.
const USUAL: &[&str] = &[
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
