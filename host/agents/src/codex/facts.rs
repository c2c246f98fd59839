//! Facts about Codex other than its reader and writer.

use hookbox_model::ToolClass::{Agent, FileRead, Other, Shell, Web};

use crate::{
    agent_facts::AgentFacts,
    codex::{Codex, trust},
    confined_commands,
    file_rules::{FileRules, Kind, Member, Members},
    project_hooks::ProjectHooks,
    self_test::SelfTest,
    settings::Trust,
    settings::{AgentSettings, FailClosed, Launch, OffSwitch, SetByProject, Shape, Unit, moved_by},
    tools::row::{NO_PATHS, Tool, patch_tool, tool},
};

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&Codex)
    .with_transcripts("/.codex/")
    .with_tools(&[TOOLS])
    .with_settings(&SETTINGS)
    .switched_off_by(&SWITCHES)
    .with_trust(&TRUST)
    .with_self_test(&SELF_TEST)
    .runs_rewritten(confined_commands::Shell::Bash, &["PreToolUse"], &["Bash"])
    .seen_by(&["codex"], &[])
    .with_protected(&[".codex", "AGENTS.override.md"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks = ProjectHooks {
    places: &[".codex/hooks.json"],
    runs: "hook by hook, once you have trusted it in `/hooks`",
    trust: Some("the hook's entry, by its hash"),
};

static SWITCHES: [OffSwitch; 1] = [OffSwitch::new(
    (&["features.hooks", "features.codex_hooks"], false),
    &["config.toml"],
    &["/etc/codex/requirements.toml"],
)];

static SELF_TEST: SelfTest = SelfTest::new(
    "PreToolUse",
    include_str!("../../../../tests/data/events/codex/06-PreToolUse-Bash-blocked.json"),
);

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    // Codex calls every shell tool `Bash` before a hook, but has had the others.
    tool("Bash", Shell, NO_PATHS),
    tool("shell", Shell, (&["workdir"], &[])),
    tool("local_shell", Shell, (&["workdir", "working_directory"], &[])),
    tool("shell_command", Shell, (&["workdir"], &[])),
    tool("exec_command", Shell, (&["workdir"], &[])),
    tool("write_stdin", Shell, NO_PATHS),
    patch_tool("apply_patch"),
    tool("view_image", FileRead, (&[], &["path"])),
    tool("web_search", Web, NO_PATHS),
    tool("spawn_agent", Agent, NO_PATHS),
    tool("update_plan", Other, NO_PATHS),
];

static SETTINGS: AgentSettings = AgentSettings::new(
    "codex",
    (moved_by("CODEX_HOME", ".codex"), "hooks.json"),
    (
        Shape::Groups(Unit::Seconds),
        // The shell of the user's account, which `SHELL` names in most sessions, and not as a login shell.
        Launch::shell(&["$SHELL", "-c"], SetByProject::None),
        // Without such a shell Codex starts what `SHELL` names: perhaps fish, whose older versions lack `{ …; }`. Codex blocks at exit
        // code 2 only with a text on standard error.
        FailClosed::ANY_SHELL,
    ),
    USUAL,
)
.with_project_file(".codex")
.with_rules(&FILE_RULES);

pub(super) static FILE_RULES: FileRules = FileRules {
    // serde's parser does not skip a byte order mark.
    refuses_mark: true,
    root: Some(&["description", "hooks"]),
    known_events: true,
    group: Members::with(
        &[Member::optional("matcher", Kind::Text).or_null(), Member::optional("hooks", Kind::List)],
        "",
    ),
    hook: Members::with(
        &[
            Member::required("type", Kind::Text),
            Member::optional("command", Kind::Text).of_type("command"),
            // The field is an unsigned integer in Codex: `15.0` is a type error, which drops the whole file.
            Member::optional("timeout", Kind::Count).or_null(),
            Member::optional("async", Kind::Flag),
            Member::optional("statusMessage", Kind::Text).or_null(),
        ],
        "",
    ),
};

/// The `[hooks]` of `config.toml`, which has other tables, too.
// Codex's parser of TOML skips a byte order mark.
pub(super) static CONFIG_RULES: FileRules = FileRules { refuses_mark: false, root: None, ..FILE_RULES };

const USUAL: &[&str] = &[
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "Stop",
];

static TRUST: Trust = Trust {
    file: "config.toml",
    how: "start `codex`, enter `/hooks` and trust hookbox's (`codex exec` never asks)",
    untrusted: trust::find_untrusted,
};
