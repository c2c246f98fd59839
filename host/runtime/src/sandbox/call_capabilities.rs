//! State of the capabilities of guests: in a host, for a plugin, and in a call.

use std::{path::PathBuf, sync::Arc};

use hookbox_model::{Failure, Grants};

use super::{
    clock::GuestClock,
    facts::{FACTS, GuestFacts},
    http::{HTTP, Http, Recording, Servers},
    kv::{self, KV, Kv},
    link::Linked,
    owner::Owner,
    random::Random,
    refusals::Refusals,
    wasi::Wasi,
};
use crate::interfaces::{Call, Environment};

/// State that all plugins of a machine share.
pub(super) struct Shared {
    environment: Environment,
    servers: Servers,
    kv: kv::Stores,
}

impl Shared {
    /// Creates the state. `environment` has the variables that plugins may be granted, the folder `state` has their
    /// stored data, and a `recording` answers their requests.
    pub(super) fn new(
        environment: Environment,
        state: Option<PathBuf>,
        recording: Option<Arc<dyn Recording>>,
    ) -> Self {
        Self { environment, servers: Servers::new(recording), kv: kv::Stores::new(state) }
    }

    /// Returns the effective capabilities of a plugin with these imports and grants.
    pub(super) async fn grant_capabilities(
        &self,
        linked: &Linked,
        grants: Grants,
        owner: Owner,
    ) -> Result<PluginCapabilities, Failure> {
        // Toolchains import all of hookbox's world. Opening the store creates a file and can fail, so it is
        // only opened if a call may use it.
        let keeps = linked.imports_interface(&KV) && !grants.kv.is_none();
        let kv = if keeps { Some(self.kv.open_store(owner, grants.kv.clone()).await?) } else { None };
        Ok(PluginCapabilities {
            grants,
            wasi: linked.wasi,
            http: linked.http || linked.imports_interface(&HTTP),
            kv,
            facts: linked.imports_interface(&FACTS),
        })
    }
}

pub(super) struct PluginCapabilities {
    pub(super) grants: Grants,
    /// True if it imports WASI.
    pub(super) wasi: bool,
    /// True if it imports an interface that sends requests.
    http: bool,
    /// Set only for a plugin that imports the store and is granted it.
    kv: Option<kv::PluginStore>,
    /// True if it imports the facts about the event.
    facts: bool,
}

pub(super) struct CallCapabilities {
    pub(super) clock: GuestClock,
    pub(super) random: Random,
    /// Set only for a guest that imports it.
    pub(super) wasi: Option<Wasi>,
    /// Set only for a guest that imports it.
    pub(super) http: Option<Http>,
    /// Refused calls of WASI and HTTP; set only for a guest that imports one of them.
    pub(super) refusals: Option<Refusals>,
    /// Set only for a guest that imports it.
    #[cfg_attr(not(feature = "kv"), expect(dead_code, reason = "then it is nothing"))]
    pub(super) kv: Option<Kv>,
    /// Set only for a guest that imports it.
    pub(super) facts: Option<GuestFacts>,
}

impl CallCapabilities {
    /// Creates the capabilities of one call from a plugin's; `input` is its standard input.
    pub(super) fn of_call(
        shared: &Shared,
        given: &PluginCapabilities,
        call: &Call<'_>,
        input: String,
    ) -> Result<Self, Failure> {
        let kv = given.kv.as_ref().map(|entrance| entrance.of_call(call));
        let facts = given.facts.then(|| GuestFacts::from_call(call));
        let powers = Self { kv, facts, ..Self::without_imports(call, &given.grants) };
        // Most guests have neither, and should not pay for a list.
        if !(given.wasi || given.http) {
            return Ok(powers);
        }
        let (grants, environment, refusals) = (&given.grants, &shared.environment, Refusals::default());
        let wasi = || Wasi::new(call, grants, environment, refusals.clone(), input);
        let http = || Http::from_grants(grants, environment, &shared.servers, &refusals);
        Ok(Self {
            wasi: given.wasi.then(wasi).transpose()?,
            http: given.http.then(http).flatten(),
            refusals: Some(refusals.clone()),
            ..powers
        })
    }

    /// Creates capabilities without any effect, for a plugin with these imports.
    pub(super) fn without_effect(given: &PluginCapabilities, call: &Call<'_>) -> Self {
        let wasi = given.wasi.then(Wasi::without_access);
        Self { wasi, ..Self::without_imports(call, &Grants::default()) }
    }

    fn without_imports(call: &Call<'_>, grants: &Grants) -> Self {
        Self {
            clock: GuestClock::new(call.event.time, call.clock, grants.clock),
            random: Random::new(grants.random),
            wasi: None,
            http: None,
            refusals: None,
            kv: None,
            facts: None,
        }
    }
}
