//! Factory's Droid: Claude Code's contract with tools of its own. It passes over an ask where permissions are skipped, so an ask
//! is a deny.

use hookbox_model::EventName as E;

use super::{
    schema::Kind::Text,
    table::{
        Control::{Exit, Nothing},
        Naming, Row, Says, TableDialect,
        Tell::Nested,
        Words, row, told,
    },
};

pub(super) static DROID: TableDialect = TableDialect {
    name: "droid",
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
const GATE: Says = Says::only(Exit);

#[rustfmt::skip]
static ROWS: [Row; 9] = [
    row("SessionStart", E::SessionStart, SILENT.context(Nested)),
    row("SessionEnd", E::SessionEnd, SILENT),
    row("UserPromptSubmit", E::PromptSubmit, GATE.context(Nested)).required(&[("prompt", Text)]).unsure(),
    row("PreToolUse", E::ToolBefore, GATE).tool(&TOOL),
    row("PostToolUse", E::ToolAfter, GATE.context(Nested)).tool(&TOOL),
    row("Notification", E::Notification, SILENT).required(&[("message", Text)]).unsure(),
    row("Stop", E::AgentStop, GATE),
    row("SubagentStop", E::SubagentStop, GATE).unsure(),
    row("PreCompact", E::CompactBefore, SILENT).unsure(),
];
