//! opencode, which has no hook commands: hookbox's plugin (`integrations/opencode`) sends events in this dialect and applies the answer. A plugin
//! can throw or change arguments, but cannot have the user asked, so an ask is a deny.

use hookbox_model::{
    EventName as E,
    ToolClass::{Agent, FileRead, FileWrite, Search, Shell, Web},
};

use super::{
    agent_facts::AgentFacts,
    confined_commands,
    project_hooks::ProjectHooks,
    schema::Kind::Text,
    self_test::SelfTest,
    settings::{AgentSettings, Base::Config, FailClosed, Launch, SetByProject, Shape, UserFolder},
    table::{
        AnswerFields, Decision,
        TableControl::{AnswerMember, Feedback},
        TableDialect, TableEvent,
        TextTarget::Member,
        ToolMembers, Words, answer, row,
    },
    tools::row::{ANY_FILES, GLOB, IN_FOLDER, NO_PATHS, Tool, tool},
};

pub(super) static OPENCODE: TableDialect = TableDialect {
    name: "opencode",
    words: Words {
        event: "opencode_hook",
        session: ("sessionID", "sessionID"),
        folder: "directory",
        outputs: &["output"],
        ..Words::CLAUDE_CODE
    },
    rows: &ROWS,
    // hookbox's own plugin sends only the events of the table; a newer plugin may ask about others.
    unknown: GATE,
    json: true,
};

/// The plugin takes any other exit code for a failure, and that for a deny.
const DECISION: Decision =
    Decision { deny: Some(("decision", "\"deny\"")), ask: None, allow: None, reason: "reason", exit: 0 };

const TOOL: ToolMembers =
    ToolMembers { server: None, prefix: "", name: ("tool", "tool"), input: ("args", "args") };
const SILENT: AnswerFields = AnswerFields::SILENT;
const GATE: AnswerFields = AnswerFields::only(AnswerMember(&DECISION));

/// `permission.ask` is not among them: opencode has the hook in its types and never calls it.
#[rustfmt::skip]
static ROWS: [TableEvent; 7] = [
    row("tool.execute.before", E::ToolBefore, GATE.rewrite("args", answer::accept_object)).tool(&TOOL),
    // The tool has run, so a deny is text next to its result.
    row("tool.execute.after", E::ToolAfter, AnswerFields::only(Feedback).context(Member("context")).rewrite("output", answer::accept_text))
        .tool(&TOOL),
    row("chat.message", E::PromptSubmit, GATE.context(Member("context"))).required(&[("prompt", Text)]),
    row("session.created", E::SessionStart, SILENT),
    row("session.idle", E::AgentStop, SILENT),
    row("session.compacted", E::CompactAfter, SILENT),
    row("session.deleted", E::SessionEnd, SILENT),
];

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&OPENCODE)
    .with_mark(&[("opencode_hook", "")])
    .with_tools(&[TOOLS])
    .with_settings(&SETTINGS)
    .with_self_test(&SELF_TEST)
    .runs_rewritten(confined_commands::Shell::Bash, &["tool.execute.before"], &["bash"])
    .seen_by(&["opencode"], &[])
    .with_protected(&[".opencode", "opencode.json", "opencode.jsonc"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks = ProjectHooks {
    places: &[".opencode/plugins/", ".opencode/plugin/"],
    runs: "without asking: they are plugins, and may do all that you may",
    trust: None,
};

static SELF_TEST: SelfTest = SelfTest::new(
    "tool.execute.before",
    r#"{"opencode_hook":"tool.execute.before","sessionID":"rehearsal","directory":"/home/dev/project","tool":"bash",
    "callID":"rehearsal","args":{"command":"rm -rf /"}}"#,
);

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    tool("bash", Shell, (&["workdir"], &[])),
    tool("read", FileRead, ANY_FILES),
    tool("write", FileWrite, ANY_FILES),
    tool("edit", FileWrite, ANY_FILES),
    tool("multiedit", FileWrite, ANY_FILES),
    tool("patch", FileWrite, ANY_FILES).or_patch(),
    tool("apply_patch", FileWrite, ANY_FILES).or_patch(),
    tool("list", Search, IN_FOLDER),
    tool("glob", Search, GLOB),
    tool("grep", Search, (&["path"], &["include"])),
    tool("webfetch", Web, NO_PATHS),
    tool("websearch", Web, NO_PATHS),
    tool("task", Agent, NO_PATHS),
];

static SETTINGS: AgentSettings = AgentSettings::new(
    "opencode",
    (UserFolder { variable: None, base: Config, path: "opencode" }, "plugins/hookbox.js"),
    // A project's `.env`, which the program that it is built with may read.
    (Shape::Plugin, Launch::exec(SetByProject::All), FailClosed::ByItself),
    USUAL,
)
.with_project_file(".opencode")
.with_comments();

/// All events that the plugin sends.
const USUAL: &[&str] = &[
    "tool.execute.before",
    "tool.execute.after",
    "chat.message",
    "session.created",
    "session.idle",
    "session.compacted",
    "session.deleted",
];
