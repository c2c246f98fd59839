//! Factory's Droid: Claude Code's contract with tools of its own. Droid ignores an ask where permissions are skipped, so an ask is a deny.

use hookbox_model::{
    EventName as E,
    ToolClass::{Agent, FileRead, FileWrite, Other, Search, Shell, Web},
};

use super::{
    agent_facts::AgentFacts,
    file_rules::FileRules,
    project_hooks::ProjectHooks,
    schema::Kind::Text,
    self_test::SelfTest,
    settings::{
        AgentSettings, Base::HomeOr, FailClosed, Launch, OffSwitch, SetByProject, Shape, Unit, UserFolder,
    },
    table::{AnswerFields, TableDialect, TableEvent, TextTarget::Nested, ToolMembers, row},
    tools::row::{NO_PATHS, ONE_FILE, Tool, tool},
};

pub(super) static DROID: TableDialect = TableDialect::new("droid", &ROWS);

const TOOL: ToolMembers = ToolMembers::CLAUDE_CODE;
const SILENT: AnswerFields = AnswerFields::SILENT;
const GATE: AnswerFields = AnswerFields::GATE;

#[rustfmt::skip]
static ROWS: [TableEvent; 9] = [
    row("SessionStart", E::SessionStart, SILENT.context(Nested)),
    row("SessionEnd", E::SessionEnd, SILENT),
    row("UserPromptSubmit", E::PromptSubmit, GATE.context(Nested)).required(&[("prompt", Text)]).mark_unsure(),
    row("PreToolUse", E::ToolBefore, GATE).tool(&TOOL),
    row("PostToolUse", E::ToolAfter, GATE.context(Nested)).tool(&TOOL),
    row("Notification", E::Notification, SILENT).required(&[("message", Text)]).mark_unsure(),
    row("Stop", E::AgentStop, GATE),
    row("SubagentStop", E::SubagentStop, GATE).mark_unsure(),
    row("PreCompact", E::CompactBefore, SILENT).mark_unsure(),
];

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&DROID)
    .with_transcripts("/.factory/")
    .with_tools(&[TOOLS])
    .with_settings(&SETTINGS)
    .switched_off_by(&SWITCHES)
    .with_self_test(&SELF_TEST)
    .seen_by(&["droid"], &[])
    .with_protected(&[".factory"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks = ProjectHooks {
    places: &[".factory/hooks.json", ".factory/settings.json"],
    runs: "after no step that is described",
    trust: Some("nothing that is described"),
};

static SWITCHES: [OffSwitch; 1] = [OffSwitch::new(
    (&["hooksDisabled"], true),
    &["settings.json", "settings.local.json"],
    &["/etc/factory/settings.json"],
)];

static SELF_TEST: SelfTest = SelfTest::new(
    "PreToolUse",
    include_str!("../../../tests/data/events/droid/03-PreToolUse-Execute-blocked.json"),
);

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    tool("Execute", Shell, NO_PATHS),
    tool("Read", FileRead, ONE_FILE),
    tool("Create", FileWrite, ONE_FILE),
    tool("Edit", FileWrite, ONE_FILE),
    tool("MultiEdit", FileWrite, ONE_FILE),
    tool("ApplyPatch", FileWrite, ONE_FILE).or_patch(),
    tool("LS", Search, (&["directory_path", "path"], &[])),
    tool("Grep", Search, (&["path"], &["glob_pattern"])),
    tool("Glob", Search, (&["folder", "path"], &["patterns", "pattern"])),
    tool("WebSearch", Web, NO_PATHS),
    tool("FetchUrl", Web, NO_PATHS),
    tool("Task", Agent, NO_PATHS),
    tool("TodoWrite", Other, NO_PATHS),
    tool("Skill", Other, NO_PATHS),
];

static SETTINGS: AgentSettings = AgentSettings::new(
    "droid",
    // The variable replaces the home folder and not `.factory` itself.
    (UserFolder { variable: None, base: HomeOr("FACTORY_HOME_OVERRIDE"), path: ".factory" }, "hooks.json"),
    // Droid permits nothing but events at the top of `hooks.json`.
    (Shape::TopLevel(Unit::Seconds), Launch::shell(&["sh", "-c"], SetByProject::None), FailClosed::SH),
    USUAL,
)
.with_project_file(".factory")
.with_rules(&FileRules { known_events: true, ..FileRules::NONE })
// With a `hooks.json` Droid no longer reads the hooks of `settings.json`, which a user may rely on.
.in_place_of("settings.json");

const USUAL: &[&str] = &[
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Notification",
    "Stop",
    "SubagentStop",
    "PreCompact",
];
