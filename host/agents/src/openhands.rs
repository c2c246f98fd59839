//! `OpenHands`: an object with the same members for every event. It knows allow and deny; an ask is a deny.

use hookbox_model::{
    EventName as E,
    ToolClass::{Agent, FileWrite, Other, Search, Shell},
};

use super::{
    agent_facts::AgentFacts,
    file_rules::FileRules,
    project_hooks::ProjectHooks,
    schema::Kind::Text,
    self_test::SelfTest,
    settings::{AgentSettings, FailClosed, Launch, SetByProject, Shape, Unit, in_home},
    table::{
        AnswerFields, Decision,
        TableControl::{AnswerMember, ContinueInstead},
        TableDialect, TableEvent,
        TextTarget::Member,
        ToolMembers, Words, row,
    },
    tools::row::{GLOB, NO_PATHS, ONE_FILE, Tool, tool},
};

pub(super) static OPENHANDS: TableDialect = TableDialect {
    name: "openhands",
    words: Words { event: "event_type", folder: "working_dir", ..Words::CLAUDE_CODE },
    rows: &ROWS,
    unknown: AnswerFields::only(AnswerMember(&DECISION)),
    json: true,
};

/// Answer of a gate. Exit code 2 denies as well, and `OpenHands` reads the answer in either case.
const DECISION: Decision = Decision {
    deny: Some(("decision", "\"deny\"")),
    ask: None,
    allow: Some(("decision", "\"allow\"")),
    reason: "reason",
    exit: 2,
};

const TOOL: ToolMembers = ToolMembers::CLAUDE_CODE;
const SILENT: AnswerFields = AnswerFields::SILENT;
const GATE: AnswerFields = AnswerFields::only(AnswerMember(&DECISION));

#[rustfmt::skip]
static ROWS: [TableEvent; 6] = [
    row("SessionStart", E::SessionStart, SILENT),
    row("SessionEnd", E::SessionEnd, SILENT),
    row("UserPromptSubmit", E::PromptSubmit, GATE.context(Member("additionalContext")))
        .required(&[("message", Text)]).rename_members(&[("message", "prompt")]),
    row("PreToolUse", E::ToolBefore, GATE).tool(&TOOL),
    row("PostToolUse", E::ToolAfter, SILENT).tool(&TOOL),
    // A deny makes the agent continue, so a stop must not be written as one here.
    row("Stop", E::AgentStop, AnswerFields::only(ContinueInstead(&DECISION))),
];

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&OPENHANDS)
    .with_mark(&[("event_type", ""), ("session_id", ""), ("working_dir", "")])
    .with_tools(&[TOOLS])
    .with_settings(&SETTINGS)
    .with_self_test(&SELF_TEST)
    .seen_by(&["openhands"], &[])
    .with_protected(&[".openhands"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks =
    ProjectHooks { places: &[".openhands/hooks.json"], runs: "without asking", trust: None };

static SELF_TEST: SelfTest = SelfTest::new(
    "PreToolUse",
    include_str!("../../../tests/data/events/openhands/04-PreToolUse-terminal-blocked.json"),
);

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    tool("terminal", Shell, NO_PATHS),
    tool("execute_bash", Shell, NO_PATHS),
    tool("file_editor", FileWrite, ONE_FILE),
    tool("str_replace_editor", FileWrite, ONE_FILE),
    tool("planning_file_editor", FileWrite, ONE_FILE),
    tool("apply_patch", FileWrite, ONE_FILE).or_patch(),
    tool("glob", Search, GLOB),
    tool("grep", Search, (&["path"], &["include"])),
    tool("delegate", Agent, NO_PATHS),
    tool("task", Agent, NO_PATHS),
    tool("finish", Other, NO_PATHS),
    tool("think", Other, NO_PATHS),
];

/// `OpenHands` also accepts the events at the top level, and in snake case; with `hooks` present it ignores the top-level ones, and of an
/// event in both cases it reads no hook at all.
static SETTINGS: AgentSettings = AgentSettings::new(
    "openhands",
    (in_home(".openhands"), "hooks.json"),
    (Shape::Groups(Unit::Seconds), Launch::shell(&["/bin/sh", "-c"], SetByProject::None), FailClosed::SH),
    USUAL,
)
.with_project_file(".openhands")
// OpenHands discards a file with a member next to `hooks`.
.with_rules(&FileRules { root: Some(&["hooks"]), known_events: true, ..FileRules::NONE });

const USUAL: &[&str] =
    &["SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];
