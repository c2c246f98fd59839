//! Reads and answers an event with every dialect: a deny is expressed, or reported as lost.

use hookbox::{
    agents::{self, Dialect, Part, ReadContext, Sender, Written},
    model::{Event, Json, Labelled, Outcome, RawObject, Reason, Verdict},
};

/// The bytes are what an agent may send.
pub fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let Ok(source) = Json::parse_object(text) else { return };
    if let Some(members) = source.members() {
        let mut turned: Vec<_> = members.iter().map(|(key, value)| (key, value.get())).collect();
        turned.reverse();
        let turned = Json::from_members(turned);
        let turned = turned.members().unwrap_or_default();
        assert_eq!(sender(&members), sender(&turned), "the sender depends on the order");
    }
    for dialect in agents::all_dialects() {
        match dialect.read(source.clone(), &ReadContext::default()) {
            Ok(event) => answer(*dialect, &event),
            Err(invalid) => {
                let refused = dialect.write_failure(invalid.event.as_deref(), &invalid.to_string());
                assert_ne!(said(&refused), (&String::new(), &String::new(), 0), "{}", dialect.name());
            }
        }
    }
}

/// Whoever may have sent this; nobody, if there is no single one.
fn sender(members: &RawObject<'_>) -> Vec<&'static str> {
    match agents::detect_dialect(members) {
        Sender::Known(dialect) => vec![dialect.name()],
        Sender::Unknown => Vec::new(),
        Sender::Ambiguous(senders) => senders,
    }
}

fn answer(dialect: &dyn Dialect, event: &Event) {
    let nothing = dialect.write(event, &Outcome::default());
    let denied = dialect.write(event, &deny());
    let is_reported = denied.unexpressed.contains(&Part::Deny);
    let support = dialect.support(&event.agent_event, &event.name).block;
    let who = || format!("{} {}: {denied:?}", dialect.name(), event.agent_event);
    assert!(!(is_reported && support), "{}", who());
    assert!(is_reported || said(&denied) != said(&nothing), "{}", who());
}

fn said(written: &Written) -> (&String, &String, u8) {
    (&written.stdout, &written.stderr, written.exit)
}

fn deny() -> Outcome {
    let reason = Reason::new("no", "not here");
    let reasons = vec![Labelled { hook: "gate".to_owned(), value: reason.clone() }];
    Outcome { verdict: Verdict::Deny(reason), reasons, ..Outcome::default() }
}
