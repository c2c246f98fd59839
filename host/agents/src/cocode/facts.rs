//! Facts about cocode other than its reader and writer.

use crate::{
    agent_facts::AgentFacts,
    cocode::Cocode,
    project_hooks::ProjectHooks,
    self_test::SelfTest,
    settings::{AgentSettings, Base::Config, FailClosed, Launch, SetByProject, Shape, TomlForm, UserFolder},
};

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&Cocode)
    .with_shared_tools()
    .with_settings(&SETTINGS)
    .with_self_test(&SELF_TEST)
    .seen_by(&["cocode"], &[])
    .with_protected(&[".cocode"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks = ProjectHooks {
    places: &[],
    runs: "in no case that is known: it reads the user's file",
    trust: Some("the user's file"),
};

static SELF_TEST: SelfTest = SelfTest::new(
    "PreToolUse",
    r#"{"event":"PreToolUse","session_id":"rehearsal","cwd":"/home/dev/project","env":{},"tool_name":"Bash",
    "tool_input":{"command":"rm -rf /"}}"#,
);

static SETTINGS: AgentSettings = AgentSettings::new(
    "cocode",
    (UserFolder { variable: None, base: Config, path: "cocode" }, "hooks.toml"),
    (Shape::Toml(TomlForm::Shell), Launch::shell(&["sh", "-c"], SetByProject::None), FailClosed::ByItself),
    USUAL,
)
.with_comments();

/// Events that can be rejected, and those that hooks commonly use.
const USUAL: &[&str] = &[
    "SessionStart",
    "SessionEnd",
    "PrePromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "NotificationEvent",
];
