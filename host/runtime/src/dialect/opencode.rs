//! opencode, which has no hook commands: a plugin of ours (`sdk/opencode`) asks hookbox in these words and does what it answers. A
//! plugin can throw or change arguments, but have nobody asked, so an ask is a deny.

use hookbox_model::EventName as E;

use super::{
    schema::Kind::Text,
    table::{
        Control::{Feedback, Nothing, Said},
        Decision, Naming, Row, Says, TableDialect,
        Tell::Member,
        Words, answer, row, told,
    },
};

pub(super) static OPENCODE: TableDialect = TableDialect {
    name: "opencode",
    words: Words {
        event: "opencode_hook",
        session: ("sessionID", "sessionID"),
        folder: "directory",
        roots: "",
        outputs: &["output"],
    },
    rows: &ROWS,
    unknown: GATE,
    json: true,
    infer: told,
};

/// The plugin takes any other exit code for a failure, and that for a deny.
const DECISION: Decision =
    Decision { deny: Some(("decision", "\"deny\"")), ask: None, allow: None, reason: "reason", exit: 0 };

const TOOL: Naming = Naming { server: None, prefix: "", name: ("tool", "tool"), input: ("args", "args") };
const SILENT: Says = Says::only(Nothing);
const GATE: Says = Says::only(Said(&DECISION));

/// `permission.ask` is not among them: opencode has the hook in its types and never calls it.
#[rustfmt::skip]
static ROWS: [Row; 7] = [
    row("tool.execute.before", E::ToolBefore, GATE.rewrite("args", answer::object)).tool(&TOOL),
    row("tool.execute.after", E::ToolAfter, Says::only(Feedback).context(Member("context")).rewrite("output", answer::text))
        .tool(&TOOL),
    row("chat.message", E::PromptSubmit, GATE.context(Member("context"))).required(&[("prompt", Text)]),
    row("session.created", E::SessionStart, SILENT),
    row("session.idle", E::AgentStop, SILENT),
    row("session.compacted", E::CompactAfter, SILENT),
    row("session.deleted", E::SessionEnd, SILENT),
];
