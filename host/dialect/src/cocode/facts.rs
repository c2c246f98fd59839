//! What is known of cocode beside how it is read and answered.

use crate::{
    cocode::Cocode,
    facts::AgentFacts,
    settings::{AgentSettings, Base::Config, Launch, SetByProject, Shape, TomlForm, UserFolder},
};

/// Its row among all agents.
pub(crate) static FACTS: AgentFacts =
    AgentFacts::new(&Cocode).whose_tools_are_anybodys().settings(&SETTINGS).protected(&[".cocode"]);

static SETTINGS: AgentSettings = AgentSettings {
    agent: "cocode",
    user: UserFolder { variable: None, base: Config, path: "cocode" },
    project: None,
    file: "hooks.toml",
    shape: Shape::Toml(TomlForm::Shell),
    comments: true,
    closed: false,
    instead_of: None,
    launch: Launch::shell(&["sh", "-c"], SetByProject::None),
    usual: USUAL,
};

/// Those that can be rejected, and those that hooks commonly use.
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
