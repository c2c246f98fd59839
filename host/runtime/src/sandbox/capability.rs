//! What a guest has beside its event: the interfaces of hookbox's own world, a row each, and what stands behind its
//! capabilities in a host, for a plugin, and in a call.

use std::{path::PathBuf, sync::Arc};

use hookbox_model::{Failure, Grants};
use wasmtime::component::{Linker, LinkerInstance};

use super::{
    clock::{CLOCK, GuestClock},
    http::{HTTP, Http, Recording, Servers},
    imports::{CONFIG, LOG, SOURCE, TYPES},
    json::JSON,
    kv::{self, KV, Kv},
    link::Linked,
    owner::Owner,
    random::{RANDOM, Random},
    refusals::Refusals,
    store::State,
    wasi::Wasi,
};
use crate::port::{Call, Environment};

/// All that a plugin may import of hookbox's own.
pub(super) const INTERFACES: &[Interface] = &[TYPES, LOG, CONFIG, SOURCE, CLOCK, RANDOM, KV, HTTP, JSON];

/// A version of hookbox's world that this hookbox has, the oldest first. Those that differ in the last number go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WorldVersion {
    V0_1,
    V0_2,
}

impl WorldVersion {
    const ALL: [Self; 2] = [Self::V0_1, Self::V0_2];

    /// As a linker is told it, which takes it for all that it goes together with.
    fn name(self) -> &'static str {
        match self {
            Self::V0_1 => "0.1.0",
            Self::V0_2 => "0.2.0",
        }
    }

    /// That which goes together with this one.
    pub(super) fn of(version: &str) -> Option<Self> {
        let common = |known: &Self| known.name().trim_end_matches('0');
        Self::ALL.into_iter().find(|known| version.starts_with(common(known)))
    }

    /// The newest, whose interfaces a script may import by their names: its engine is linked with them.
    #[cfg(feature = "scripts")]
    pub(super) fn newest() -> &'static str {
        Self::V0_2.name()
    }

    /// All of them, for people.
    pub(super) fn names() -> String {
        Self::ALL.map(Self::name).join(" and ")
    }
}

/// An interface of hookbox's own world.
pub(super) struct Interface {
    /// Its name there.
    pub(super) name: &'static str,
    /// What it takes to have it, for people.
    pub(super) about: &'static str,
    /// Can a call of it have an effect beyond the guest's answer? Then no guest that imports it is begun twice.
    pub(super) acts: bool,
    /// The first version that has it.
    pub(super) since: WorldVersion,
    pub(super) link: InterfaceLink,
}

/// Puts the functions of an interface into its place in a linker.
type InterfaceLink = fn(&mut LinkerInstance<'_, State>) -> wasmtime::Result<()>;

/// Puts functions into a linker.
pub(super) type Link = fn(&mut Linker<State>) -> wasmtime::Result<()>;

/// An [`Interface`]: its name, its module among the bindings, what it takes to have it, if it acts, and since when it is there.
macro_rules! interface {
    ($name:literal, $module:ident, $about:literal, acts: $acts:literal) => {
        $crate::sandbox::capability::interface!($name, $module, $about, acts: $acts, since: V0_1)
    };
    ($name:literal, $module:ident, $about:literal, acts: $acts:literal, since: $since:ident) => {
        $crate::sandbox::capability::Interface {
            name: $name,
            about: $about,
            acts: $acts,
            since: $crate::sandbox::capability::WorldVersion::$since,
            link: |place| {
                use wasmtime::component::HasSelf;
                use $crate::sandbox::{bindings::hookbox::hook, store::State};
                hook::$module::add_to_linker_instance::<_, HasSelf<State>>(place, |state| state)
            },
        }
    };
}
pub(super) use interface;

impl Interface {
    /// The one that an import of this name asks for.
    pub(super) fn imported(name: &str) -> Option<&'static Self> {
        let (name, version) = name.strip_prefix("hookbox:hook/")?.split_once('@')?;
        let version = WorldVersion::of(version)?;
        INTERFACES.iter().find(|interface| interface.name == name && version >= interface.since)
    }

    /// Puts it into a linker, in the place of each version that has it: whatever the version is, it does the same.
    pub(super) fn link(&self, linker: &mut Linker<State>) -> wasmtime::Result<()> {
        let having = WorldVersion::ALL.into_iter().filter(|version| *version >= self.since);
        having.map(WorldVersion::name).try_for_each(|version| {
            let name = self.name;
            (self.link)(&mut linker.instance(&format!("hookbox:hook/{name}@{version}"))?)
        })
    }
}

/// What all plugins of a machine share.
pub(super) struct Shared {
    environment: Environment,
    servers: Servers,
    kv: kv::Stores,
}

impl Shared {
    /// `environment` has the variables that plugins may be granted; in the folder `state` is what they keep; a `recording`
    /// answers what they send.
    pub(super) fn new(
        environment: Environment,
        state: Option<PathBuf>,
        recording: Option<Arc<dyn Recording>>,
    ) -> Self {
        Self { environment, servers: Servers::new(recording), kv: kv::Stores::new(state) }
    }

    /// What a plugin is given that imports this, with these grants.
    pub(super) async fn give(&self, linked: &Linked, grants: Grants, owner: Owner) -> Result<Given, Failure> {
        let keeps = linked.imports(&KV) && !grants.kv.is_none();
        let kv = if keeps { Some(self.kv.enter(owner, grants.kv.clone()).await?) } else { None };
        Ok(Given { grants, wasi: linked.wasi, http: linked.http || linked.imports(&HTTP), kv })
    }
}

/// What one plugin is given.
pub(super) struct Given {
    pub(super) grants: Grants,
    /// Does it import WASI?
    pub(super) wasi: bool,
    /// Does it import anything that sends requests?
    http: bool,
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
    pub(super) http: Option<Http>,
    /// What WASI and HTTP were asked for in vain; the same.
    pub(super) refusals: Option<Refusals>,
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
        let kv = given.kv.as_ref().map(|entrance| entrance.of_call(call));
        let powers = Self { kv, ..Self::without_imports(call, &given.grants) };
        // Most guests have neither, and are not to pay for a list.
        if !(given.wasi || given.http) {
            return Ok(powers);
        }
        let (grants, environment, refusals) = (&given.grants, &shared.environment, Refusals::default());
        let wasi = || Wasi::new(call, grants, environment, refusals.clone(), input);
        let http = || Http::granted(grants, environment, &shared.servers, &refusals);
        Ok(Self {
            wasi: given.wasi.then(wasi).transpose()?,
            http: given.http.then(http).flatten(),
            refusals: Some(refusals.clone()),
            ..powers
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
            http: None,
            refusals: None,
            kv: None,
        }
    }
}
