//! Determines a plugin's world, and links the permitted imports.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use hookbox_model::{Failure, FailureCode, Grants};
use wasmtime::{
    InstancePre, Module,
    component::{self, Component},
};
use wasmtime_wasi::{
    p1::wasi_snapshot_preview1,
    p2::bindings::{
        CommandPre,
        filesystem::{preopens, types},
    },
};

use super::{
    ask,
    bindings::HookPre,
    cache::Code,
    failure,
    files::GuardedFiles,
    http,
    kind::Kind,
    store::State,
    world_interfaces::{INTERFACES, Interface, WorldVersion},
};

pub(super) struct Linked {
    pub(super) world: World,
    pub(super) wasi: bool,
    pub(super) http: bool,
    /// Imported interfaces of hookbox, by name: several versions get one implementation.
    interfaces: BTreeMap<&'static str, &'static Interface>,
}

impl Linked {
    /// Returns true if a call can have an effect beyond its answer. It is then never begun twice.
    pub(super) fn acts(&self) -> bool {
        self.wasi || self.interfaces.values().any(|interface| interface.acts)
    }

    /// Returns true if it imports this interface of hookbox.
    pub(super) fn imports_interface(&self, interface: &Interface) -> bool {
        self.interfaces.contains_key(interface.name)
    }
}

pub(super) enum World {
    /// A component that takes an event and gives an answer.
    Hook(HookPre<State>),
    /// A component that is a program (`wasi:cli/run`).
    Command(CommandPre<State>),
    /// A core module that is a program (`wasi_snapshot_preview1`).
    Module(InstancePre<State>),
}

impl World {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Hook(_) => Kind::Hook,
            Self::Command(_) => Kind::Program,
            Self::Module(_) => Kind::CoreProgram,
        }
    }
}

/// Links `code`, which comes from the file at `path`.
pub(super) fn link_code(
    engine: &wasmtime::Engine,
    code: Code,
    path: &Path,
    grants: &Grants,
) -> Result<Linked, Failure> {
    match code {
        Code::Component(component) => link_component(engine, &component, path, grants),
        Code::Module(module) => link_module(engine, &module, path),
    }
}

fn link_component(
    engine: &wasmtime::Engine,
    component: &Component,
    path: &Path,
    grants: &Grants,
) -> Result<Linked, Failure> {
    let kind = component.component_type();
    let mut linker = component::Linker::new(engine);
    let (mut wasi, mut http, mut interfaces) = (false, None, BTreeMap::new());
    for (name, _) in kind.imports(engine) {
        match Import::from_name(name) {
            Import::Hookbox(_) => {
                interfaces.extend(Interface::find_by_import(name).map(|own| (own.name, own)));
            }
            Import::Wasi => wasi = true,
            // `wasi:http` passes bodies as streams of `wasi:io`.
            Import::Http => (wasi, http) = (true, Some(http::admit_import(path, name, grants)?)),
            Import::Other => return Err(unknown_import_failure(path, name)),
        }
    }
    let of_imports = |error: wasmtime::Error| failure::of_imports(path, &error);
    if wasi {
        add_wasi(&mut linker).map_err(of_imports)?;
    }
    let imports_http = http.is_some();
    if let Some(link) = http {
        link(&mut linker).map_err(of_imports)?;
    }
    interfaces.values().try_for_each(|interface| interface.link_into(&mut linker)).map_err(of_imports)?;
    // This resolves imports only; exports are checked afterwards.
    let pre = linker.instantiate_pre(component).map_err(of_imports)?;
    let is_hook = kind.exports(engine).any(|(name, _)| name == "handle");
    let is_command = kind.exports(engine).any(|(name, _)| name.starts_with(RUN));
    let world = if is_command && !is_hook {
        CommandPre::new(pre).map(World::Command)
    } else {
        HookPre::new(pre).map(World::Hook)
    };
    Ok(Linked {
        world: world.map_err(|error| failure::of_exports(path, &error))?,
        wasi,
        http: imports_http,
        interfaces,
    })
}

/// Adds all of WASI except HTTP; files follow hookbox's rules.
fn add_wasi(linker: &mut component::Linker<State>) -> wasmtime::Result<()> {
    // The checked file functions replace those that WASI's own function adds first.
    linker.allow_shadowing(true);
    wasmtime_wasi::p2::add_to_linker_async(linker)?;
    preopens::add_to_linker::<_, GuardedFiles>(linker, State::enter_files)?;
    types::add_to_linker::<_, GuardedFiles>(linker, State::enter_files)?;
    linker.allow_shadowing(false);
    Ok(())
}

/// Meaning of a plugin's import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Import {
    /// An interface of hookbox, with the conditions of its use.
    Hookbox(&'static str),
    /// WASI, which gives no access without a grant.
    Wasi,
    /// HTTP, which acts on the world: only with a grant.
    Http,
    /// An unsupported import.
    Other,
}

impl Import {
    pub(super) fn from_name(name: &str) -> Self {
        if let Some(own) = Interface::find_by_import(name) {
            return Self::Hookbox(own.about);
        }
        let (interface, version) = name.split_once('@').unwrap_or((name, ""));
        match interface.split_once('/') {
            Some(("wasi:http", _)) => Self::Http,
            Some((package, _)) if version.starts_with(WASI_VERSION) && WASI.contains(&package) => Self::Wasi,
            _ => Self::Other,
        }
    }

    pub(super) fn of_module(name: &str) -> Self {
        match name {
            "wasi_snapshot_preview1" => Self::Wasi,
            _ if ask::is_host(name) => Self::Hookbox(ask::CONDITIONS),
            _ => Self::Other,
        }
    }
}

/// Packages of WASI that toolchains import whether a program uses them or not.
const WASI: [&str; 6] =
    ["wasi:cli", "wasi:clocks", "wasi:filesystem", "wasi:io", "wasi:random", "wasi:sockets"];
/// Compatible versions of these packages.
const WASI_VERSION: &str = "0.2.";

/// Returns the failure of the plugin at `path` with an unsupported import of this name.
pub(super) fn unknown_import_failure(path: &Path, name: &str) -> Failure {
    let path = path.display();
    let what = match name.strip_prefix("hookbox:hook/").and_then(|own| own.split_once('@')) {
        Some((_, version)) if WorldVersion::find_compatible(version).is_none() => format!(
            "of a version of hookbox's world that this hookbox does not have (it has {}): update hookbox, or build it for one of \
             these",
            WorldVersion::join_names()
        ),
        _ => "which hookbox does not have: build it without, or against hookbox's world".to_owned(),
    };
    let message = format!("the plugin {path} imports `{name}`, {what}");
    Failure::new(FailureCode::Refused, &message)
}

/// Export of a program.
pub(super) const RUN: &str = "wasi:cli/run@0.2.";

fn link_module(engine: &wasmtime::Engine, module: &Module, path: &Path) -> Result<Linked, Failure> {
    let shown = path.display();
    if module.get_export("_start").is_none() {
        let message = format!(
            "the plugin {shown} is a core wasm module and no program, since it has no `_start`; build it for WASI, or \
             make a component of it with `wasm-tools component new`"
        );
        return Err(Failure::new(FailureCode::BadComponent, &message));
    }
    let mut linker = wasmtime::Linker::new(engine);
    let of_imports = |error: wasmtime::Error| failure::of_imports(path, &error);
    wasi_snapshot_preview1::add_to_linker(&mut linker, State::enter_preview1).map_err(of_imports)?;
    let hosts = module.imports().map(|import| import.module()).filter(|module| ask::is_host(module));
    let hosts: BTreeSet<_> = hosts.collect();
    hosts.iter().try_for_each(|host| ask::link_functions(&mut linker, host)).map_err(of_imports)?;
    let pre = linker.instantiate_pre(module).map_err(of_imports)?;
    // With the function `ask` it has all of them.
    let interfaces = if hosts.is_empty() { &[] } else { INTERFACES };
    let interfaces = interfaces.iter().map(|own| (own.name, own)).collect();
    Ok(Linked { world: World::Module(pre), wasi: true, http: false, interfaces })
}
