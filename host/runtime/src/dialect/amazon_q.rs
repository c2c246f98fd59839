//! Amazon Q's CLI, which is Kiro's CLI 2 too (docs/contracts/amazon-q.md). It takes an exit code, and text.

use hookbox_model::EventName as E;

use super::{
    schema::Kind::{List, Text},
    table::{
        Control::{Exit, Nothing},
        Naming, Row, Says, TableDialect,
        Tell::Output,
        When, Words, row, told,
    },
};

pub(super) static AMAZON_Q: TableDialect = TableDialect {
    name: "amazon-q",
    words: Words {
        event: "hook_event_name",
        session: ("session_id", "session_id"),
        folder: "cwd",
        roots: "",
        outputs: &["tool_response"],
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
const INFORMED: Says = SILENT.context(Output(0));

#[rustfmt::skip]
static ROWS: [Row; 6] = [
    row("agentSpawn", E::SessionStart, INFORMED),
    row("userPromptSubmit", E::PromptSubmit, INFORMED).required(&[("prompt", Text)]),
    row("preToolUse", E::ToolBefore, Says::only(Exit)).tool(&TOOL),
    // With `only_when_turn_complete` all calls of a turn come at once.
    row("postToolUse", E::ToolBatchAfter, SILENT).when(When::Has("hook_events"))
        .required(&[("hook_events", List)]).renamed(&[("hook_events", "tool_calls")]),
    row("postToolUse", E::ToolAfter, SILENT).tool(&TOOL),
    row("stop", E::AgentStop, SILENT),
];
