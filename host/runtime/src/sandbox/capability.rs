//! Capabilities of a guest: a table of the interfaces of hookbox's world, and the state of the capabilities in a host,
//! for a plugin, and in a call.

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
use crate::interfaces::{Call, Environment};

/// All interfaces of hookbox's world that a plugin may import.
pub(super) const INTERFACES: &[Interface] = &[TYPES, LOG, CONFIG, SOURCE, CLOCK, RANDOM, KV, HTTP, JSON];

/// A version of hookbox's world that this program supports, the oldest first. Versions that differ only in the last
/// number are compatible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WorldVersion {
    V0_1,
    V0_2,
}

impl WorldVersion {
    const ALL: [Self; 2] = [Self::V0_1, Self::V0_2];

    /// Returns the name for a linker, which accepts compatible versions for it.
    fn name(self) -> &'static str {
        match self {
            Self::V0_1 => "0.1.0",
            Self::V0_2 => "0.2.0",
        }
    }

    pub(super) fn find_compatible(version: &str) -> Option<Self> {
        // The dot stays, since `0.1.` is not the beginning of `0.10.0`.
        let common = |known: &Self| known.name().trim_end_matches('0');
        Self::ALL.into_iter().find(|known| version.starts_with(common(known)))
    }

    /// Returns the newest version, whose interfaces a script may import by name: its engine is linked with them.
    #[cfg(feature = "scripts")]
    pub(super) fn newest_name() -> &'static str {
        Self::V0_2.name()
    }

    /// Returns all versions, for the user.
    pub(super) fn join_names() -> String {
        Self::ALL.map(Self::name).join(" and ")
    }
}

pub(super) struct Interface {
    pub(super) name: &'static str,
    /// Conditions of its use, for the user.
    pub(super) about: &'static str,
    /// True if a call of it can have an effect beyond the guest's answer. A guest that imports it is then never begun
    /// twice.
    pub(super) acts: bool,
    /// The first version that has it.
    pub(super) since: WorldVersion,
    pub(super) link: InterfaceLink,
}

/// Function that adds the functions of an interface to its instance in a linker.
type InterfaceLink = fn(&mut LinkerInstance<'_, State>) -> wasmtime::Result<()>;

/// Function that adds functions to a linker.
pub(super) type Link = fn(&mut Linker<State>) -> wasmtime::Result<()>;

/// Creates an [`Interface`] from its name, its module among the bindings, its conditions, if it acts, and its first
/// version.
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
    pub(super) fn find_by_import(name: &str) -> Option<&'static Self> {
        let (name, version) = name.strip_prefix("hookbox:hook/")?.split_once('@')?;
        let version = WorldVersion::find_compatible(version)?;
        INTERFACES.iter().find(|interface| interface.name == name && version >= interface.since)
    }

    /// Adds it to a linker, for each version that has it; it is identical in all of them.
    pub(super) fn link_into(&self, linker: &mut Linker<State>) -> wasmtime::Result<()> {
        let having = WorldVersion::ALL.into_iter().filter(|version| *version >= self.since);
        having.map(WorldVersion::name).try_for_each(|version| {
            let name = self.name;
            (self.link)(&mut linker.instance(&format!("hookbox:hook/{name}@{version}"))?)
        })
    }
}

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
        let powers = Self { kv, ..Self::without_imports(call, &given.grants) };
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
        }
    }
}
