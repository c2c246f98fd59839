//! GitHub Copilot's CLI and cloud agent. Its hook file names an event in camel case or in Pascal case, and the input has the same case; in
//! camel case it does not name the event.

use hookbox_model::{
    Event, EventName as E, Json, RawObject,
    ToolClass::{Agent, FileRead, FileWrite, Search, Shell, Web},
};

use super::{
    agent_facts::AgentFacts,
    confined_commands,
    object::Object,
    project_hooks::ProjectHooks,
    schema::{
        Field,
        Kind::{Any, Flag, Text},
    },
    self_test::SelfTest,
    settings::{AgentSettings, FailClosed, Launch, OffSwitch, SetByProject, Shape, Unit, moved_by},
    table::{
        AnswerFields, Decision,
        TableControl::{AnswerMember, ContinueInstead, Feedback},
        TableDialect, TableEvent,
        TextTarget::{Member, Output, Progress},
        ToolMembers, Words, answer, row,
    },
    tools::row::{GLOB, NO_PATHS, ONE_FILE, Tool, patch_tool, tool},
};

pub(super) static COPILOT: TableDialect = TableDialect {
    words: Words {
        session: ("session_id", "sessionId"),
        outputs: &["tool_result", "toolResult"],
        infer: infer_event,
        ..Words::CLAUDE_CODE
    },
    ..TableDialect::new("copilot", &ROWS)
};

/// Returns the event that a permission request names; otherwise infers it from members that only one event has, most specific first.
fn infer_event(source: &RawObject<'_>) -> Option<&'static str> {
    if source.get_string("hookName").is_some_and(|name| name == PERMISSION_REQUEST) {
        return Some(PERMISSION_REQUEST);
    }
    let has_mark = |(key, _): &&(&'static str, &'static str)| source.get(key).is_some();
    EVENT_MARKS.iter().find(has_mark).map(|(_, event)| *event)
}

/// Written in camel case into files in Pascal case too, with a name that no other event has.
const PERMISSION_REQUEST: &str = "permissionRequest";

const EVENT_MARKS: [(&str, &str); 14] = [
    ("toolResult", "postToolUse"),
    ("toolInput", PERMISSION_REQUEST),
    ("errorContext", "errorOccurred"),
    ("error", "postToolUseFailure"),
    ("toolArgs", "preToolUse"),
    ("toolName", "preToolUse"),
    ("transformedPrompt", "userPromptTransformed"),
    ("prompt", "userPromptSubmitted"),
    ("response", "subagentStop"),
    ("agentName", "subagentStart"),
    ("stopReason", "agentStop"),
    ("trigger", "preCompact"),
    ("source", "sessionStart"),
    ("reason", "sessionEnd"),
];

/// The answer counts with exit code 2 too, which denies both this and a permission request: an input in camel case could be
/// either.
const PERMISSION: Decision = Decision {
    deny: Some(("permissionDecision", "\"deny\"")),
    ask: Some(("permissionDecision", "\"ask\"")),
    allow: Some(("permissionDecision", "\"allow\"")),
    reason: "permissionDecisionReason",
    exit: 2,
};
/// Precedes the permission rules, so an empty answer does not make Copilot ask the user.
const BEHAVIOR: Decision = Decision {
    deny: Some(("behavior", "\"deny\"")),
    ask: None,
    allow: Some(("behavior", "\"allow\"")),
    reason: "message",
    exit: 2,
};
const BLOCK: Decision =
    Decision { deny: Some(("decision", "\"block\"")), ask: None, allow: None, reason: "reason", exit: 0 };

const TOOL: ToolMembers = ToolMembers {
    server: None,
    prefix: "",
    name: ("tool_name", "toolName"),
    input: ("tool_input", "toolArgs"),
};
const ASKED: ToolMembers = ToolMembers { input: ("tool_input", "toolInput"), ..TOOL };

const SILENT: AnswerFields = AnswerFields::SILENT.notice(Progress);
const INFORMED: AnswerFields = SILENT.context(Member("additionalContext"));
const GOES_ON: AnswerFields = AnswerFields::only(ContinueInstead(&BLOCK)).notice(Progress);
const PROMPT: &[Field] = &[("prompt", Text)];

#[rustfmt::skip]
static ROWS: [TableEvent; 14] = [
    row("sessionStart", E::SessionStart, INFORMED).with_alias("SessionStart"),
    row("sessionEnd", E::SessionEnd, SILENT).with_alias("SessionEnd"),
    row("userPromptSubmitted", E::PromptSubmit, SILENT).with_alias("UserPromptSubmit").required(PROMPT),
    row("userPromptTransformed", E::PromptExpand, SILENT.extras(&[("modifiedTransformedPrompt", Text)]))
        .required(PROMPT),
    row("preToolUse", E::ToolBefore,
        AnswerFields::only(AnswerMember(&PERMISSION)).notice(Progress).rewrite("modifiedArgs", answer::accept_object))
        .with_alias("PreToolUse").tool(&TOOL),
    row(PERMISSION_REQUEST, E::PermissionRequest,
        AnswerFields::only(AnswerMember(&BEHAVIOR)).notice(Progress).extras(&[("interrupt", Flag)]))
        .with_alias("PermissionRequest").tool(&ASKED),
    row("postToolUse", E::ToolAfter,
        AnswerFields::only(Feedback).context(Member("additionalContext")).notice(Progress)
            // Copilot takes an object of its own kind, and hooks see a text or either spelling.
            .rewrite("modifiedResult", rewrite_result))
        .with_alias("PostToolUse").tool(&TOOL),
    // The output text counts only with exit code 2.
    row("postToolUseFailure", E::ToolError, AnswerFields::only(Feedback).context(Output(2)).notice(Progress))
        .with_alias("PostToolUseFailure").tool(&TOOL).required(&[("error", Any)]),
    row("agentStop", E::AgentStop, GOES_ON).with_alias("Stop"),
    row("subagentStart", E::SubagentStart, INFORMED).with_alias("SubagentStart"),
    row("subagentStop", E::SubagentStop, GOES_ON.extras(&[("modifiedResponse", Text)])).with_alias("SubagentStop")
        .rename_members(&[("response", "last_assistant_message")]),
    row("errorOccurred", E::AgentStopFailure, SILENT).with_alias("ErrorOccurred").required(&[("error", Any)]),
    row("preCompact", E::CompactBefore, SILENT).with_alias("PreCompact"),
    row("notification", E::Notification, SILENT.extras(&[("additionalContext", Text)])).with_alias("Notification")
        .required(&[("message", Text)]),
];

/// Returns the new result of a tool for a text, or a result in either of Copilot's spellings.
fn rewrite_result(_: &Event, part: &Json) -> Option<String> {
    let members = part.members().unwrap_or_default();
    let stated = members.get_string("textResultForLlm").or_else(|| members.get_string("text_result_for_llm"));
    let text = stated.or_else(|| serde_json::from_str(part.as_str()).ok())?;
    let mut result = Object::new();
    // Copilot's result has both members, and at this event the tool has run.
    result.text("resultType", "success").text("textResultForLlm", &text);
    Some(result.finish())
}

pub(crate) static FACTS: AgentFacts = AgentFacts::new(&COPILOT)
    .with_transcripts("/.copilot/")
    .with_tools(&[TOOLS])
    .with_settings(&SETTINGS)
    .switched_off_by(&SWITCHES)
    .with_self_test(&SELF_TEST)
    .runs_rewritten(confined_commands::Shell::Bash, &["preToolUse", "PreToolUse"], &["bash", "Bash"])
    .seen_by(&["copilot"], &[])
    // `.github` holds Copilot's instructions and hooks, which the cloud agent runs without a user.
    .with_protected(&[".copilot", ".github"])
    .runs_of_projects(&PROJECT_HOOKS);

static PROJECT_HOOKS: ProjectHooks = ProjectHooks {
    places: &[".github/hooks/"],
    runs: "as its policy says; the cloud agent runs them without a terminal",
    trust: Some("the policy"),
};

/// Switches of hooks; the second is for the hooks of its own file alone, and those are hookbox's.
static SWITCHES: [OffSwitch; 2] = [
    OffSwitch::new(
        (&["disableAllHooks"], true),
        &["config.json", "settings.json", "copilot/settings.json", "copilot/settings.local.json"],
        &[],
    ),
    OffSwitch::new((&["disableAllHooks"], true), &["hooks/hookbox.json"], &[]),
];

static SELF_TEST: SelfTest = SelfTest::new(
    "PreToolUse",
    include_str!("../../../tests/data/events/copilot/05-PreToolUse-Bash-blocked.json"),
);

#[rustfmt::skip]
static TOOLS: &[Tool] = &[
    // Copilot's own names, and its names for Claude Code's hooks.
    tool("bash", Shell, NO_PATHS),
    tool("powershell", Shell, NO_PATHS),
    tool("Bash", Shell, NO_PATHS),
    // Input typed into a running shell.
    tool("write_bash", Shell, NO_PATHS),
    tool("write_powershell", Shell, NO_PATHS),
    tool("view", FileRead, ONE_FILE),
    tool("Read", FileRead, ONE_FILE),
    tool("create", FileWrite, ONE_FILE),
    tool("Write", FileWrite, ONE_FILE),
    tool("edit", FileWrite, ONE_FILE),
    tool("str_replace_editor", FileWrite, ONE_FILE),
    patch_tool("apply_patch"),
    tool("Edit", FileWrite, ONE_FILE).or_patch(),
    tool("glob", Search, GLOB),
    tool("Glob", Search, GLOB),
    tool("grep", Search, (&["path"], &["glob"])),
    tool("rg", Search, (&["path"], &["glob"])),
    tool("Grep", Search, (&["path"], &["glob"])),
    tool("web_fetch", Web, NO_PATHS),
    tool("WebFetch", Web, NO_PATHS),
    tool("web_search", Web, NO_PATHS),
    tool("WebSearch", Web, NO_PATHS),
    tool("task", Agent, NO_PATHS),
    tool("Task", Agent, NO_PATHS),
    tool("Agent", Agent, NO_PATHS),
];

/// Copilot reads every file of the folder, so hookbox has one of its own.
static SETTINGS: AgentSettings = AgentSettings::new(
    "copilot",
    (moved_by("COPILOT_HOME", ".copilot"), "hooks/hookbox.json"),
    (
        Shape::Flat(Unit::TimeoutSec),
        Launch::shell(&["bash", "-c"], SetByProject::None).with_variables(),
        FailClosed::SH,
    ),
    USUAL,
)
.with_project_file(".github");

/// Events in Pascal case, because only then does the input name the event.
const USUAL: &[&str] = &[
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "SubagentStop",
    "ErrorOccurred",
    "PreCompact",
];
