//! Facts about the event's command line, for guests.
//!
//! The shipped plugin `shell-facts` computes them, on a thread of its own: a guest that waits for it keeps only its own stack.

mod convert;
mod plugin;

use std::sync::Arc;

use hookbox_model::ShellFacts;

pub(crate) use self::plugin::FactsPlugin;
use super::{
    bindings::hookbox::hook::facts::{self as wit, Host},
    host_call_budget::Price,
    store::State,
    world_interfaces::{Interface, interface},
};
use crate::interfaces::{Call, CommandLine, FactsNotSent, FactsSource};

/// It acts, since a guest that imports it waits for another one.
pub(super) const FACTS: Interface = interface!("facts", facts, "always there", acts: true, since: V0_2);

/// Price of facts: they are copied. Computing them is the host's work, which no guest pays, since only the first would.
const PRICE: Price = Price { call: 1000, byte: 4 };

/// Reason for missing facts where hooks are called without a chain.
const NO_SOURCE: &str = "this program computes no facts";

/// Access to the facts about the event of one call.
pub(super) struct GuestFacts {
    line: Option<CommandLine>,
    source: Option<Arc<dyn FactsSource>>,
}

impl GuestFacts {
    pub(super) fn from_call(call: &Call<'_>) -> Self {
        Self { line: CommandLine::from_event(call.event), source: call.facts.cloned() }
    }

    async fn find_facts(&self) -> Result<Option<Arc<ShellFacts>>, FactsNotSent> {
        match (&self.line, &self.source) {
            (None, _) => Ok(None),
            (Some(line), Some(source)) => source.find_facts(line).await.map(Some),
            (Some(_), None) => Ok(Some(Arc::new(ShellFacts::from_failure(NO_SOURCE)))),
        }
    }
}

/// Returns the facts about the event of a call, to be sent to a process that computes none.
pub(super) async fn facts_to_send(call: &Call<'_>) -> Option<Arc<ShellFacts>> {
    GuestFacts::from_call(call).find_facts().await.ok().flatten()
}

impl State {
    /// Returns the facts about the event; `None` if it has no command line.
    pub(super) async fn find_facts(&mut self) -> wasmtime::Result<Option<Arc<ShellFacts>>> {
        self.host_calls.begin_call(PRICE, 0)?;
        let Some(facts) = &self.powers.facts else { return Ok(None) };
        let found = facts.find_facts().await.map_err(wasmtime::Error::new)?;
        let size = found.as_ref().map_or(0, |facts| facts.size());
        self.host_calls.go_on(Price { call: 0, ..PRICE }, size)?;
        Ok(found)
    }
}

impl Host for State {
    async fn shell(&mut self) -> wasmtime::Result<Option<wit::ShellFacts>> {
        Ok(self.find_facts().await?.map(|facts| convert::convert_facts(&facts)))
    }
}
