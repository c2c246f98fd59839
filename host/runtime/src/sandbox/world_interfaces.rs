//! The interfaces of hookbox's world: a table of all of them, and the versions of the world.

use wasmtime::component::{Linker, LinkerInstance};

use super::{
    clock::CLOCK,
    facts::FACTS,
    http::HTTP,
    imports::{CONFIG, LOG, SOURCE, TYPES},
    json::JSON,
    kv::KV,
    random::RANDOM,
    store::State,
};

/// All interfaces of hookbox's world that a plugin may import.
pub(super) const INTERFACES: &[Interface] =
    &[TYPES, LOG, CONFIG, SOURCE, CLOCK, RANDOM, KV, HTTP, JSON, FACTS];

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
    /// True if a call of it can have an effect beyond the guest's answer, or waits. A guest that imports it is then never
    /// begun twice, and never runs on its caller's stack.
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
        $crate::sandbox::world_interfaces::interface!($name, $module, $about, acts: $acts, since: V0_1)
    };
    ($name:literal, $module:ident, $about:literal, acts: $acts:literal, since: $since:ident) => {
        $crate::sandbox::world_interfaces::Interface {
            name: $name,
            about: $about,
            acts: $acts,
            since: $crate::sandbox::world_interfaces::WorldVersion::$since,
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
