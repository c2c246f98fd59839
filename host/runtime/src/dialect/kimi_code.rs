//! Kimi Code: events much like Claude Code's, of which three can be blocked by exit code 2. It honours no ask, so an ask is a
//! deny; nothing can be rewritten.

use hookbox_model::EventName as E;

use super::{
    schema::Kind::Any,
    table::{
        Control::{Exit, Nothing},
        Naming, Row, Says, TableDialect,
        Tell::Output,
        Words, row, told,
    },
};

pub(super) static KIMI_CODE: TableDialect = TableDialect {
    name: "kimi-code",
    words: Words {
        event: "hook_event_name",
        session: ("session_id", "session_id"),
        folder: "cwd",
        roots: "",
        outputs: &["tool_output"],
    },
    rows: &ROWS,
    unknown: Says::only(Exit),
    json: false,
    infer: told,
};

const TOOL: Naming = Naming {
    server: None,
    prefix: "",
    name: ("tool_name", "tool_name"),
    input: ("tool_input", "tool_input"),
};
const SILENT: Says = Says::only(Nothing);
const GATE: Says = Says::only(Exit);

#[rustfmt::skip]
static ROWS: [Row; 15] = [
    row("SessionStart", E::SessionStart, SILENT),
    row("SessionEnd", E::SessionEnd, SILENT).unsure(),
    // Standard output is put before the model.
    row("UserPromptSubmit", E::PromptSubmit, GATE.context(Output(0))).required(&[("prompt", Any)])
        .flattened("prompt"),
    row("PreToolUse", E::ToolBefore, GATE).tool(&TOOL),
    row("PostToolUse", E::ToolAfter, SILENT).tool(&TOOL),
    row("PostToolUseFailure", E::ToolError, SILENT).tool(&TOOL).filled("error", "\"\"").unsure(),
    row("PermissionRequest", E::PermissionRequest, SILENT).tool(&TOOL).unsure(),
    row("Stop", E::AgentStop, GATE),
    row("StopFailure", E::AgentStopFailure, SILENT).filled("error", "\"\"").unsure(),
    row("Interrupt", E::PromptInterrupt, SILENT).unsure(),
    row("SubagentStart", E::SubagentStart, SILENT).unsure(),
    row("SubagentStop", E::SubagentStop, SILENT).unsure(),
    row("PreCompact", E::CompactBefore, SILENT).unsure(),
    row("PostCompact", E::CompactAfter, SILENT).unsure(),
    row("Notification", E::Notification, SILENT).filled("message", "\"\"").unsure(),
];
