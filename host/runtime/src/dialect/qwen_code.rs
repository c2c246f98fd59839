//! Qwen Code: Claude Code's contract with Gemini CLI's tools. Without a screen it takes neither new arguments nor context before
//! a tool call, so neither is said; and an ask is a deny, as nobody is asked there.

use hookbox_model::EventName as E;

use super::{
    schema::{
        Field,
        Kind::{Any, List, Text},
    },
    table::{
        Control::{Exit, Nothing},
        Naming, Row, Says, TableDialect,
        Tell::Nested,
        Words, row, told,
    },
};

pub(super) static QWEN_CODE: TableDialect = TableDialect {
    name: "qwen-code",
    words: Words {
        event: "hook_event_name",
        session: ("session_id", "session_id"),
        folder: "cwd",
        roots: "",
        outputs: &["tool_response"],
    },
    rows: &ROWS,
    unknown: Says::only(Exit),
    json: true,
    infer: told,
};

const TOOL: Naming = Naming {
    server: None,
    prefix: "",
    name: ("tool_name", "tool_name"),
    input: ("tool_input", "tool_input"),
};
const SILENT: Says = Says::only(Nothing);
const INFORMED: Says = SILENT.context(Nested);
const GATE: Says = Says::only(Exit);
const PROMPT: &[Field] = &[("prompt", Text)];

#[rustfmt::skip]
static ROWS: [Row; 20] = [
    row("SessionStart", E::SessionStart, INFORMED),
    row("SessionEnd", E::SessionEnd, SILENT),
    row("InstructionsLoaded", E::InstructionsLoaded, SILENT).required(&[("file_path", Text)]),
    row("UserPromptSubmit", E::PromptSubmit, GATE.context(Nested)).required(PROMPT),
    row("UserPromptExpansion", E::PromptExpand, GATE.context(Nested)).required(PROMPT).unsure(),
    row("PreToolUse", E::ToolBefore, GATE).tool(&TOOL),
    row("PermissionRequest", E::PermissionRequest, GATE).tool(&TOOL).unsure(),
    row("PermissionDenied", E::PermissionDenied, SILENT).tool(&TOOL).unsure(),
    row("PostToolUse", E::ToolAfter, GATE.context(Nested)).tool(&TOOL),
    row("PostToolUseFailure", E::ToolError, GATE.context(Nested)).tool(&TOOL).required(&[("error", Any)]).unsure(),
    row("PostToolBatch", E::ToolBatchAfter, GATE.context(Nested)).required(&[("tool_calls", List)]),
    row("Notification", E::Notification, SILENT).required(&[("message", Text)]),
    row("MessageDisplay", E::MessageDisplay, SILENT).required(&[("displayed_text", Text)])
        .renamed(&[("displayed_text", "text")]),
    row("Stop", E::AgentStop, GATE),
    row("StopFailure", E::AgentStopFailure, SILENT).required(&[("error", Any)]).unsure(),
    row("SubagentStart", E::SubagentStart, INFORMED).unsure(),
    row("SubagentStop", E::SubagentStop, GATE).unsure(),
    row("PreCompact", E::CompactBefore, SILENT).unsure(),
    row("PostCompact", E::CompactAfter, SILENT).unsure(),
    row("SessionDelete", E::SessionEnd, SILENT).unsure(),
];
