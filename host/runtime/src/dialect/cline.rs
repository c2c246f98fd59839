//! Cline: the hook files of its VS Code extension, and as far as they are known those of its SDK and CLI
//! (docs/contracts/cline.md). Exit codes mean nothing to it where there is JSON.

use hookbox_model::EventName as E;

use super::{
    schema::Kind::Text,
    table::{
        Control::{Nothing, Said},
        Decision, Naming, Row, Says, TableDialect,
        Tell::Member,
        When, Words, answer, row, told,
    },
};

pub(super) static CLINE: TableDialect = TableDialect {
    name: "cline",
    words: Words {
        event: "hookName",
        session: ("taskId", "taskId"),
        folder: "cwd",
        roots: "workspaceRoots",
        outputs: &["result", "output"],
    },
    rows: &ROWS,
    unknown: GATE,
    json: true,
    infer: told,
};

/// An ask is a cancel: the extension knows no ask, and the CLI reads `review` and then runs the call all the same.
const CANCEL: Decision = Decision {
    deny: Some(("cancel", "true")),
    ask: None,
    allow: Some(("cancel", "false")),
    reason: "errorMessage",
    exit: 0,
};

const TOOL: Naming =
    Naming { server: None, prefix: "", name: ("toolName", "name"), input: ("parameters", "input") };

const SILENT: Says = Says::only(Nothing);
const GATE: Says = Says::only(Said(&CANCEL));
const MODIFIES: Says = GATE.context(Member("contextModification"));

#[rustfmt::skip]
static ROWS: [Row; 20] = [
    row("TaskStart", E::SessionStart, SILENT.context(Member("contextModification"))).within("taskStart").unsure(),
    row("TaskResume", E::SessionStart, SILENT.context(Member("contextModification"))).within("taskResume").unsure(),
    row("TaskCancel", E::SessionEnd, SILENT).within("taskCancel").unsure(),
    row("TaskComplete", E::AgentStop, SILENT).within("taskComplete").unsure(),
    row("UserPromptSubmit", E::PromptSubmit, MODIFIES).within("userPromptSubmit").required(&[("prompt", Text)]),
    row("PreToolUse", E::ToolBefore, MODIFIES).within("preToolUse").tool(&TOOL),
    // One that failed is no `tool.error`: its name is Claude Code's for success, and hooks may be written for that.
    row("PostToolUse", E::ToolAfter, MODIFIES).within("postToolUse").tool(&TOOL).unsure(),
    row("PreCompact", E::CompactBefore, GATE).within("preCompact").unsure(),
    row("Notification", E::Notification, SILENT).within("notification").filled("message", "\"\"").unsure(),
    // The CLI does not wait for these hooks, nor for that of a prompt.
    row("agent_start", E::SessionStart, SILENT),
    row("agent_resume", E::SessionStart, SILENT).unsure(),
    row("prompt_submit", E::PromptSubmit, SILENT).within("userPromptSubmit").required(&[("prompt", Text)]),
    row("agent_abort", E::SessionEnd, SILENT).unsure(),
    row("agent_end", E::SessionEnd, SILENT),
    row("agent_error", E::AgentStopFailure, SILENT).filled("error", "\"\"").unsure(),
    row("tool_call", E::ToolBefore,
        GATE.context(Member("context")).rewrite("overrideInput", answer::object))
        .within("tool_call").tool(&TOOL),
    row("tool_result", E::ToolError, GATE.context(Member("context"))).when(When::Has("error"))
        .within("tool_result").tool(&TOOL).unsure(),
    row("tool_result", E::ToolAfter, GATE.context(Member("context"))).within("tool_result").tool(&TOOL),
    row("pre_compact", E::CompactBefore, GATE).unsure(),
    row("session_shutdown", E::SessionEnd, SILENT).unsure(),
];
