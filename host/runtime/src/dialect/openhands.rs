//! `OpenHands`: an object with the same members for every event. It knows allow and deny; an ask is a deny.

use hookbox_model::EventName as E;

use super::{
    schema::Kind::Text,
    table::{
        Control::{GoOn, Nothing, Said},
        Decision, Naming, Row, Says, TableDialect,
        Tell::Member,
        Words, row, told,
    },
};

pub(super) static OPENHANDS: TableDialect = TableDialect {
    name: "openhands",
    words: Words {
        event: "event_type",
        session: ("session_id", "session_id"),
        folder: "working_dir",
        roots: "",
        outputs: &["tool_response"],
    },
    rows: &ROWS,
    unknown: Says::only(Said(&DECISION)),
    json: true,
    infer: told,
};

/// Its exit code 2 says the same, and the answer is read all the same.
const DECISION: Decision = Decision {
    deny: Some(("decision", "\"deny\"")),
    ask: None,
    allow: Some(("decision", "\"allow\"")),
    reason: "reason",
    exit: 2,
};

const TOOL: Naming = Naming {
    server: None,
    prefix: "",
    name: ("tool_name", "tool_name"),
    input: ("tool_input", "tool_input"),
};
const SILENT: Says = Says::only(Nothing);
const GATE: Says = Says::only(Said(&DECISION));

#[rustfmt::skip]
static ROWS: [Row; 6] = [
    row("SessionStart", E::SessionStart, SILENT),
    row("SessionEnd", E::SessionEnd, SILENT),
    row("UserPromptSubmit", E::PromptSubmit, GATE.context(Member("additionalContext")))
        .required(&[("message", Text)]).renamed(&[("message", "prompt")]),
    row("PreToolUse", E::ToolBefore, GATE).tool(&TOOL),
    row("PostToolUse", E::ToolAfter, SILENT).tool(&TOOL),
    row("Stop", E::AgentStop, Says::only(GoOn(&DECISION))),
];
