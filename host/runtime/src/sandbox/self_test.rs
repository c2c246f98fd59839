//! Self-test of a plugin without an event, to detect problems that keep it from being called.

use std::pin::pin;

use hookbox_model::{Answer, Event, EventName, Failure, Json, Limits};

use super::{
    Plugin, Sandbox,
    call_capabilities::CallCapabilities,
    failure,
    guest_call::guest_reply,
    link::World,
    store::{Pace, new_wasm_store},
    ticker::Watched,
    wasi::Wasi,
};
use crate::{Clock, interfaces::Call};

impl Sandbox {
    /// Opens the granted folders, and creates one instance within these limits without calling it. A program is not
    /// started: for a program, successful linking is all that can be checked.
    pub async fn run_self_test(&self, plugin: &Plugin, limits: &Limits) -> Result<(), Failure> {
        if plugin.given.wasi {
            Wasi::check_grants(&plugin.given.grants)?;
        }
        let World::Hook(hook) = &plugin.linked.world else { return Ok(()) };
        let (event, config) = (empty_event(), Json::empty_object());
        let call = Call {
            hook: "",
            event: &event,
            original: None,
            outcome: None,
            config: &config,
            limits,
            clock: Clock::machine(),
            facts: None,
        };
        let powers = CallCapabilities::without_effect(&plugin.given, &call);
        let mut store = new_wasm_store(&plugin.running.engine, &call, Pace::InSlices, powers)
            .map_err(|error| failure::of_call(&error, limits, None))?;
        let over = store.data_mut().host_calls.over_flag();
        let made = {
            let guest = pin!(hook.instance_pre().instantiate_async(&mut store));
            Watched::new(guest, &plugin.running.ticker, limits.timeout(), &over).await
        };
        guest_reply(store, &call, made, |_, _| Ok(Answer::default())).result.map(drop)
    }
}

fn empty_event() -> Event {
    Event::new(EventName::Custom("check".into()), "native")
}
