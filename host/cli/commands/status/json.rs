//! The status as JSON. `docs/reference/cli.md` describes its members.

use hookbox_app::event_log::Entry;
use serde_json::{Value, json};

use super::{AgentStatus, HOURS, MachineStatus, Protection};
use crate::{
    commands::log,
    report::{SCHEMA_VERSION, sanitize_line},
};

pub(super) fn status_json(status: &MachineStatus<'_>) -> Value {
    let (hooks, stopped) = (&status.hooks, &status.stopped);
    let steps = status.list_next_steps();
    json!({
        "schema_version": SCHEMA_VERSION,
        "command": "status",
        "version": env!("CARGO_PKG_VERSION"),
        "agents": status.agents.iter().map(agent_json).collect::<Vec<_>>(),
        "hooks": {
            "in_force": hooks.in_force,
            "can_stop": hooks.can_stop,
            "disabled": hooks.disabled,
            "has_errors": hooks.has_errors,
        },
        "stopped": {
            "hours": HOURS,
            "is_logged": stopped.is_logged,
            "denied": stopped.denied,
            "asked": stopped.asked,
            "rules": stopped.rules.iter().map(log::rule_json).collect::<Vec<_>>(),
        },
        "waiting_for_trust": status.waiting,
        "last_events": status.last_events.iter().map(|entry| event_json(entry)).collect::<Vec<_>>(),
        "next_steps": steps.iter().map(|step| json!({ "command": step.command, "reason": step.reason })).collect::<Vec<_>>(),
    })
}

fn agent_json(status: &AgentStatus) -> Value {
    let (state, events, problem) = match &status.protection {
        Protection::Entries(entries) => ("protected", *entries, None),
        Protection::NoEntry => ("no-entry", 0, None),
        Protection::Faulty(problem) => ("faulty", 0, Some(sanitize_line(problem))),
    };
    json!({ "agent": status.agent, "state": state, "events": events, "problem": problem })
}

fn event_json(entry: &Entry) -> Value {
    json!({
        "agent": sanitize_line(&entry.agent),
        "time_ms": entry.time,
        "event": sanitize_line(&entry.event),
        "verdict": sanitize_line(&entry.verdict),
        "call": sanitize_line(&log::describe_call(entry)),
    })
}
