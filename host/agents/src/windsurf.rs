//! Windsurf's Cascade (docs/reference/agents/windsurf.md). It evaluates only the exit code.

use hookbox_model::{
    EventName as E,
    ToolClass::{FileRead, FileWrite, Shell},
};

use super::{
    agent_facts::AgentFacts,
    project_hooks::ProjectHooks,
    schema::{
        Field,
        Kind::{Any, Object, Text},
    },
    self_test::SelfTest,
    settings::{AgentSettings, FailClosed, Launch, SetByProject, Shape, in_home},
    table::{AnswerFields, TableDialect, TableEvent, TextTarget::Output, ToolMembers, Words, row},
    tools::row::{ONE_FILE, Tool, tool},
};

pub(super) static WINDSURF: TableDialect = TableDialect {
    words: Words {
        event: "agent_action_name",
        session: ("trajectory_id", "trajectory_id"),
        outputs: &["mcp_result"],
        ..Words::CLAUDE_CODE
    },
    json: false,
    ..TableDialect::new("windsurf", &ROWS)
};

const MCP: ToolMembers = ToolMembers {
    // Windsurf names the server separately; rules match a name that has both.
    server: Some("mcp_server_name"),
    prefix: "",
    name: ("mcp_tool_name", "mcp_tool_name"),
    input: ("mcp_tool_arguments", "mcp_tool_arguments"),
};

/// Standard output is shown to the user, if the hook's `show_output` is set.
const GATE: AnswerFields = AnswerFields::GATE.notice(Output(0));
const SILENT: AnswerFields = AnswerFields::SILENT.notice(Output(0));
const COMMAND: &[Field] = &[("command_line", Text)];
const FILE: &[Field] = &[("file_path", Text)];
const EDIT: &[Field] = &[("file_path", Text), ("edits", Any)];
const CALL: &[Field] = &[("mcp_tool_arguments", Object)];

const fn event(name: &'static str, canonical: E, answer: AnswerFields) -> TableEvent {
    row(name, canonical, answer).within("tool_info")
}

#[rustfmt::skip]
static ROWS: [TableEvent; 12] = [
    event("pre_read_code", E::ToolBefore, GATE).required(FILE).view("read_code", &["file_path"]),
    event("post_read_code", E::ToolAfter, SILENT).required(FILE).view("read_code", &["file_path"]),
    event("pre_write_code", E::ToolBefore, GATE).required(EDIT).view("write_code", &["file_path", "edits"]),
    event("post_write_code", E::ToolAfter, SILENT).required(EDIT).view("write_code", &["file_path", "edits"]),
    event("pre_run_command", E::ToolBefore, GATE).required(COMMAND).view("run_command", &["command_line", "cwd"]),
    event("post_run_command", E::ToolAfter, SILENT).required(COMMAND).view("run_command", &["command_line", "cwd"]),
    event("pre_mcp_tool_use", E::ToolBefore, GATE).required(CALL).tool(&MCP),
    event("post_mcp_tool_use", E::ToolAfter, SILENT).required(CALL).tool(&MCP),
    event("pre_user_prompt", E::PromptSubmit, GATE).required(&[("user_prompt", Text)])
        .rename_members(&[("user_prompt", "prompt")]),
    event("post_cascade_response", E::ModelResponse, SILENT).gather_members("response", &["response"]).mark_unsure(),
    event("post_cascade_response_with_transcript", E::ModelResponse, SILENT)
        .gather_members("response", &["transcript_path"]).mark_unsure(),
    // The worktree is there already.
    event("post_setup_worktree", E::WorktreeCreate, SILENT).mark_unsure(),
];

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&WINDSURF)
    .with_mark(&[("agent_action_name", ""), ("trajectory_id", "")])
    .with_tools(&[TOOLS])
    .with_settings(&SETTINGS)
    .with_self_test(&SELF_TEST)
    .seen_by(&["windsurf"], &[])
    .with_protected(&[".codeium", ".windsurf", ".windsurfrules"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks = ProjectHooks {
    places: &[".windsurf/hooks.json"],
    runs: "without asking, according to its documentation",
    trust: None,
};

static SELF_TEST: SelfTest = SelfTest::new(
    "pre_run_command",
    r#"{"agent_action_name":"pre_run_command","trajectory_id":"rehearsal","execution_id":"rehearsal",
    "timestamp":"2026-11-21T20:53:55.314Z","tool_info":{"command_line":"rm -rf /","cwd":"/home/dev/project"}}"#,
);

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    // Windsurf does not name its tools; these are its events without `pre_` and `post_`.
    tool("run_command", Shell, (&["cwd"], &[])),
    tool("read_code", FileRead, ONE_FILE),
    tool("write_code", FileWrite, ONE_FILE),
];

static SETTINGS: AgentSettings = AgentSettings::new(
    "windsurf",
    (in_home(".codeium/windsurf"), "hooks.json"),
    (Shape::Bare, Launch::shell(&["bash", "-c"], SetByProject::None), FailClosed::SH),
    USUAL,
)
.with_project_file(".windsurf");

/// Excludes worktree events and the transcript, whose text the response has.
const USUAL: &[&str] = &[
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
