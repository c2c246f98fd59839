//! Amazon Q's CLI, which is Kiro's CLI 2 too (docs/reference/agents/amazon-q.md). It takes an exit code, and text.

use hookbox_model::{
    EventName as E,
    ToolClass::{FileRead, FileWrite, Shell},
};

use super::{
    agent_facts::AgentFacts,
    project_hooks::ProjectHooks,
    schema::Kind::{List, Text},
    self_test::SelfTest,
    table::{AnswerFields, EventCondition, TableDialect, TableEvent, TextTarget::Output, ToolMembers, row},
    tools::row::{NO_PATHS, ONE_FILE, Tool, tool},
};

pub(super) static AMAZON_Q: TableDialect = TableDialect {
    // Standard output of `agentSpawn` and `userPromptSubmit` is put before the model as it is, so JSON there
    // would be read by the model.
    json: false,
    ..TableDialect::new("amazon-q", &ROWS)
};

const TOOL: ToolMembers = ToolMembers::CLAUDE_CODE;
const SILENT: AnswerFields = AnswerFields::SILENT;
const INFORMED: AnswerFields = SILENT.context(Output(0));

#[rustfmt::skip]
static ROWS: [TableEvent; 6] = [
    row("agentSpawn", E::SessionStart, INFORMED),
    // Exit code 2 is a warning here: Amazon Q blocks nothing but `preToolUse`.
    row("userPromptSubmit", E::PromptSubmit, INFORMED).required(&[("prompt", Text)]),
    row("preToolUse", E::ToolBefore, AnswerFields::GATE).tool(&TOOL),
    // With `only_when_turn_complete` one event carries all calls of a turn.
    row("postToolUse", E::ToolBatchAfter, SILENT).when(EventCondition::Has("hook_events"))
        .required(&[("hook_events", List)]).rename_members(&[("hook_events", "tool_calls")]),
    row("postToolUse", E::ToolAfter, SILENT).tool(&TOOL),
    row("stop", E::AgentStop, SILENT),
];

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&AMAZON_Q)
    .with_tools(&[TOOLS])
    .with_mcp(|tool| tool.starts_with('@'))
    .with_self_test(&SELF_TEST)
    // The program `q` is left out: other programs have that name, too.
    .seen_by(&["qchat", "kiro-cli"], &[".aws/amazonq", ".kiro"])
    .with_protected(&[".amazonq", ".aws/amazonq", ".kiro"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks = ProjectHooks {
    places: &[".amazonq/cli-agents/", ".kiro/agents/"],
    runs: "when an agent is started that the project brings",
    trust: Some("that agent"),
};

static SELF_TEST: SelfTest = SelfTest::new(
    "preToolUse",
    r#"{"hook_event_name":"preToolUse","cwd":"/home/dev/project","tool_name":"execute_bash",
    "tool_input":{"command":"rm -rf /"}}"#,
);

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    tool("execute_bash", Shell, NO_PATHS),
    tool("fs_read", FileRead, (&[], &["path", "image_paths", "operations"])),
    tool("fs_write", FileWrite, ONE_FILE),
    // Kiro's names.
    tool("shell", Shell, (&["working_dir"], &[])),
    tool("read", FileRead, (&[], &["path", "image_paths", "operations"])),
    tool("write", FileWrite, ONE_FILE),
];
