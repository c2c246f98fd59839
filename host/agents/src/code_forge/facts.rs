//! Facts about Code-Forge other than its reader and writer.

use hookbox_model::ToolClass::{FileRead, FileWrite, Other, Search, Shell};

use crate::{
    agent_facts::AgentFacts,
    code_forge::{CodeForge, variables::build_variables},
    file_rules::{FileRules, Kind, Member, Members},
    project_hooks::ProjectHooks,
    self_test::SelfTest,
    settings::{AgentSettings, Base::Config, FailClosed, Launch, SetByProject, Shape, Unit, UserFolder},
    tools::row::{NO_PATHS, Tool, tool},
};

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&CodeForge)
    .with_tools(&[TOOLS])
    .with_settings(&SETTINGS)
    .with_self_test(&SELF_TEST)
    .seen_by(&[], &[])
    .with_protected(&[".forge"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks =
    ProjectHooks { places: &[".forge/hooks.json"], runs: "without asking", trust: None };

static SELF_TEST: SelfTest = SelfTest::new(
    "tool:pre_execute",
    r#"{"type":"tool:pre_execute","timestamp":1.0,"session_id":"rehearsal","working_dir":"/home/dev/project",
    "tool_name":"bash","data":{"tool_args":{"command":"rm -rf /"}}}"#,
)
.in_variables(|event| build_variables(event).unwrap_or_default());

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    // Code-Forge's own names; its manual writes them in lower case.
    tool("Bash", Shell, NO_PATHS),
    tool("bash", Shell, NO_PATHS),
    tool("BashOutput", Other, NO_PATHS),
    tool("KillShell", Other, NO_PATHS),
    tool("Read", FileRead, (&[], &["file_path"])),
    tool("read", FileRead, (&[], &["file_path"])),
    tool("Write", FileWrite, (&[], &["file_path"])),
    tool("write", FileWrite, (&[], &["file_path"])),
    tool("Edit", FileWrite, (&[], &["file_path"])),
    tool("edit", FileWrite, (&[], &["file_path"])),
    tool("Glob", Search, (&["path"], &["pattern"])),
    tool("glob", Search, (&["path"], &["pattern"])),
    tool("Grep", Search, (&["path"], &["glob"])),
    tool("grep", Search, (&["path"], &["glob"])),
];

static SETTINGS: AgentSettings = AgentSettings::new(
    "code-forge",
    (UserFolder { variable: None, base: Config, path: "forge" }, "hooks.json"),
    (
        Shape::List(Unit::Seconds),
        Launch::shell(&["/bin/sh", "-c"], SetByProject::None).with_variables(),
        FailClosed::ByItself,
    ),
    USUAL,
)
.with_project_file(".forge")
.with_rules(&FILE_RULES);

static FILE_RULES: FileRules = FileRules {
    hook: Members::with(
        &[
            Member::required("event", Kind::Text),
            Member::required("command", Kind::Text),
            Member::optional("timeout", Kind::Number).or_null(),
            Member::optional("working_dir", Kind::Text).or_null(),
            Member::optional("env", Kind::Object).or_null(),
            Member::optional("enabled", Kind::Flag).or_null(),
            Member::optional("description", Kind::Text).or_null(),
        ],
        "",
    ),
    ..FileRules::NONE
};

const USUAL: &[&str] = &[
    "session:start",
    "session:end",
    "user:prompt_submit",
    "llm:pre_request",
    "llm:post_response",
    "tool:pre_execute",
    "tool:post_execute",
    "tool:error",
    "permission:check",
    "permission:prompt",
];
