//! Kimi Code: events similar to Claude Code's, three of which can be blocked by exit code 2. It has no ask, so an ask is a deny; nothing
//! can be rewritten.

use hookbox_model::{
    EventName as E,
    ToolClass::{Agent, FileRead, FileWrite, Other, Search, Shell, Web},
};

use super::{
    agent_facts::AgentFacts,
    file_rules::{FileRules, Kind, Member, Members},
    project_hooks::ProjectHooks,
    schema::Kind::Any,
    self_test::SelfTest,
    settings::{AgentSettings, FailClosed, Launch, SetByProject, Shape, TomlForm, moved_by},
    table::{AnswerFields, TableDialect, TableEvent, TextTarget::Output, ToolMembers, Words, row},
    tools::row::{GLOB, NO_PATHS, ONE_FILE, Tool, tool},
};

pub(super) static KIMI_CODE: TableDialect = TableDialect {
    words: Words { outputs: &["tool_output"], ..Words::CLAUDE_CODE },
    // hookbox writes text: standard output of a prompt's hook goes to the model and to the user.
    json: false,
    ..TableDialect::new("kimi-code", &ROWS)
};

const TOOL: ToolMembers = ToolMembers::CLAUDE_CODE;
const SILENT: AnswerFields = AnswerFields::SILENT;
const GATE: AnswerFields = AnswerFields::GATE;

#[rustfmt::skip]
static ROWS: [TableEvent; 15] = [
    row("SessionStart", E::SessionStart, SILENT),
    row("SessionEnd", E::SessionEnd, SILENT).mark_unsure(),
    // Standard output is put before the model.
    row("UserPromptSubmit", E::PromptSubmit, GATE.context(Output(0))).required(&[("prompt", Any)])
        .flatten_member("prompt"),
    row("PreToolUse", E::ToolBefore, GATE).tool(&TOOL),
    row("PostToolUse", E::ToolAfter, SILENT).tool(&TOOL),
    // Kimi Code reports a refused call here, too, and some of its events lack the member.
    row("PostToolUseFailure", E::ToolError, SILENT).tool(&TOOL).fill_member("error", "\"\""),
    row("PermissionRequest", E::PermissionRequest, SILENT).tool(&TOOL).mark_unsure(),
    row("Stop", E::AgentStop, GATE),
    row("StopFailure", E::AgentStopFailure, SILENT).fill_member("error", "\"\"").mark_unsure(),
    row("Interrupt", E::PromptInterrupt, SILENT).mark_unsure(),
    row("SubagentStart", E::SubagentStart, SILENT).mark_unsure(),
    row("SubagentStop", E::SubagentStop, SILENT).mark_unsure(),
    row("PreCompact", E::CompactBefore, SILENT).mark_unsure(),
    row("PostCompact", E::CompactAfter, SILENT).mark_unsure(),
    row("Notification", E::Notification, SILENT).fill_member("message", "\"\"").mark_unsure(),
];

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&KIMI_CODE)
    .with_mark(&[("hook_event_name", ""), ("client_type", "kimi")])
    .with_tools(&[TOOLS])
    .with_settings(&SETTINGS)
    .with_self_test(&SELF_TEST)
    .seen_by(&["kimi"], &[])
    .with_protected(&[".kimi-code"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks = ProjectHooks {
    places: &[],
    runs: "in no case that was seen: it reads the user's file",
    trust: Some("the user's file"),
};

static SELF_TEST: SelfTest = SelfTest::new(
    "PreToolUse",
    include_str!("../../../tests/data/events/kimi-code/04-PreToolUse-Bash-blocked.json"),
);

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    tool("Bash", Shell, (&["cwd"], &[])),
    tool("Read", FileRead, ONE_FILE),
    tool("ReadMediaFile", FileRead, ONE_FILE),
    tool("Write", FileWrite, ONE_FILE),
    tool("Edit", FileWrite, ONE_FILE),
    tool("Grep", Search, (&["path"], &["glob"])),
    tool("Glob", Search, GLOB),
    tool("WebSearch", Web, NO_PATHS),
    tool("FetchURL", Web, NO_PATHS),
    tool("Agent", Agent, NO_PATHS),
    tool("Skill", Other, NO_PATHS),
];

static SETTINGS: AgentSettings = AgentSettings::new(
    "kimi-code",
    (moved_by("KIMI_CODE_HOME", ".kimi-code"), "config.toml"),
    (Shape::Toml(TomlForm::Command), Launch::shell(&["sh", "-c"], SetByProject::None), FailClosed::SH),
    USUAL,
)
.with_comments()
.with_rules(&FILE_RULES);

static FILE_RULES: FileRules = FileRules {
    known_events: true,
    // One further key, and Kimi Code reads none of its configuration.
    hook: Members::only(
        &[
            Member::required("event", Kind::Text),
            Member::optional("matcher", Kind::Text),
            Member::required("command", Kind::Text),
            Member::optional("timeout", Kind::Number),
        ],
        "",
    ),
    ..FileRules::NONE
};

/// Events that every version has: with an unknown event name Kimi Code reads none of its configuration.
const USUAL: &[&str] = &[
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
