//! What a guest has beside its event: the interfaces of hookbox's own world, a row each, and what stands behind its
//! capabilities in a host, for a plugin, and in a call.

use std::{path::PathBuf, sync::Arc};

use hookbox_model::{Failure, Grants};
use wasmtime::component::Linker;

use super::{
    clock::{CLOCK, GuestClock},
    http::Client,
    imports::{CONFIG, LOG, SOURCE, TYPES},
    kv::{self, KV, Kv},
    link::Linked,
    owner::Owner,
    random::{RANDOM, Random},
    store::State,
    wasi::Wasi,
};
use crate::port::{Call, Environment};

/// All that a plugin may import of hookbox's own.
pub(super) const INTERFACES: &[Interface] = &[TYPES, LOG, CONFIG, SOURCE, CLOCK, RANDOM, KV];

/// Versions of them that go together.
pub(super) const VERSION: &str = "0.1.";

/// An interface of hookbox's own world.
pub(super) struct Interface {
    /// Its name there.
    pub(super) name: &'static str,
    /// What it takes to have it, for people.
    pub(super) about: &'static str,
    /// Can a call of it have an effect beyond the guest's answer? Then no guest that imports it is begun twice.
    pub(super) acts: bool,
    pub(super) link: Link,
}

/// Puts functions into a linker.
pub(super) type Link = fn(&mut Linker<State>) -> wasmtime::Result<()>;

/// An [`Interface`]: its name, its module among the bindings, what it takes to have it, and if it acts.
macro_rules! interface {
    ($name:literal, $module:ident, $about:literal, acts: $acts:literal) => {
        $crate::sandbox::capability::Interface {
            name: $name,
            about: $about,
            acts: $acts,
            link: |linker| {
                use $crate::sandbox::{bindings::hookbox::hook, store::State};
                hook::$module::add_to_linker::<_, wasmtime::component::HasSelf<State>>(linker, |state| state)
            },
        }
    };
}
pub(super) use interface;

impl Interface {
    /// The one that an import of this name asks for.
    pub(super) fn imported(name: &str) -> Option<&'static Self> {
        let (name, version) = name.strip_prefix("hookbox:hook/")?.split_once('@')?;
        INTERFACES.iter().find(|interface| interface.name == name && version.starts_with(VERSION))
    }
}

/// What all plugins of a machine share.
pub(super) struct Shared {
    environment: Environment,
    client: Arc<Client>,
    kv: kv::Stores,
}

impl Shared {
    /// `environment` has the variables that plugins may be granted; in the folder `state` is what they keep.
    pub(super) fn new(environment: Environment, state: Option<PathBuf>) -> Self {
        Self { environment, client: Arc::default(), kv: kv::Stores::new(state) }
    }

    /// What a plugin is given that imports this, with these grants.
    pub(super) async fn give(&self, linked: &Linked, grants: Grants, owner: Owner) -> Result<Given, Failure> {
        let keeps = linked.imports(&KV) && !grants.kv.is_none();
        let kv = if keeps { Some(self.kv.enter(owner, grants.kv.clone()).await?) } else { None };
        Ok(Given { grants, wasi: linked.wasi, kv })
    }
}

/// What one plugin is given.
pub(super) struct Given {
    pub(super) grants: Grants,
    /// Does it import WASI?
    pub(super) wasi: bool,
    /// Only for a plugin that imports it and is granted it.
    kv: Option<kv::PluginStore>,
}

/// What one call is given.
pub(super) struct Powers {
    pub(super) clock: GuestClock,
    pub(super) random: Random,
    /// Only for a guest that imports it.
    pub(super) wasi: Option<Wasi>,
    /// The same.
    #[cfg_attr(not(feature = "kv"), expect(dead_code, reason = "then it is nothing"))]
    pub(super) kv: Option<Kv>,
}

impl Powers {
    /// What is `given` to a plugin, for one call; what it reads on its standard input is `input`.
    pub(super) fn of_call(
        shared: &Shared,
        given: &Given,
        call: &Call<'_>,
        input: String,
    ) -> Result<Self, Failure> {
        let wasi = || Wasi::new(call, &given.grants, &shared.environment, &shared.client, input);
        Ok(Self {
            wasi: given.wasi.then(wasi).transpose()?,
            kv: given.kv.as_ref().map(|entrance| entrance.of_call(call)),
            ..Self::without_imports(call, &given.grants)
        })
    }

    /// Nothing that can act, for a plugin that is given this.
    pub(super) fn inert(given: &Given, call: &Call<'_>) -> Self {
        let wasi = given.wasi.then(Wasi::inert);
        Self { wasi, ..Self::without_imports(call, &Grants::default()) }
    }

    fn without_imports(call: &Call<'_>, grants: &Grants) -> Self {
        Self {
            clock: GuestClock::new(call.event.time, call.clock, grants.clock),
            random: Random::new(grants.random),
            wasi: None,
            kv: None,
        }
    }
}
