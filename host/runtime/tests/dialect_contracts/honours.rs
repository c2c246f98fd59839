//! What a dialect says of itself is what its answers can do.

use hookbox::dialect::{self, Dialect};
use hookbox_model::{Event, EventName, Json, Outcome, ToolCall, ToolClass, Verdict};

use crate::{json, texts, verdict};

#[test]
fn a_deny_and_a_context_are_lost_exactly_where_the_dialect_says_so() {
    for dialect in dialect::all() {
        for (name, canonical) in dialect.events() {
            let honours = dialect.honours(name, &canonical);
            let lost = |outcome: Outcome| {
                let event = event(*dialect, name, &canonical);
                dialect.write(&event, &outcome).unexpressed
            };
            let denied = !lost(verdict(Verdict::Deny)).contains(&"deny");
            let context = !lost(Outcome { stop: None, ..texts() }).contains(&"context");
            let (who, said) = (dialect.name(), (honours.block, honours.context));
            assert_eq!((denied, context), said, "{who} {name}: block, context");
        }
    }
}

fn event(dialect: &dyn Dialect, name: &str, canonical: &EventName) -> Event {
    let source = json(r#"{"model":"m","messages":[],"data":{"messages":[]}}"#);
    Event {
        id: "1".to_owned(),
        name: canonical.clone(),
        agent: dialect.name(),
        agent_event: name.to_owned(),
        session: "s".to_owned(),
        cwd: "/".to_owned(),
        time: 0,
        tool: Some(ToolCall {
            name: "Bash".to_owned(),
            class: ToolClass::Shell,
            command: None,
            paths: Vec::new(),
            input: Json::empty_object(),
            output: None,
        }),
        payload: json(r#"{"request":{"messages":[]}}"#),
        source,
    }
}
