//! Which world a plugin is of, and what of its imports it may have.

use std::path::Path;

use hookbox_model::{Failure, FailureCode, Grants};
use wasmtime::{
    InstancePre, Module,
    component::{self, Component, HasSelf},
};
use wasmtime_wasi::{
    p1::wasi_snapshot_preview1,
    p2::bindings::{
        CommandPre,
        filesystem::{preopens, types},
    },
};

use super::{
    bindings::{
        HookPre,
        hookbox::hook::{clock, config, kv, log, random, source, types as hook_types},
    },
    cache::Code,
    failure,
    files::GuardedFiles,
    kind::Kind,
    store::State,
};

/// A plugin with everything that it imports.
pub(super) struct Linked {
    pub(super) world: World,
    /// Does it import WASI?
    pub(super) wasi: bool,
    /// Does it import the store?
    pub(super) kv: bool,
}

impl Linked {
    /// Can a call have an effect beyond its answer? Then it is not begun twice.
    pub(super) fn acts(&self) -> bool {
        self.wasi || self.kv
    }
}

/// What a plugin can be called as.
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

/// What every plugin may import.
pub(super) fn base(engine: &wasmtime::Engine) -> wasmtime::Result<component::Linker<State>> {
    let mut linker = component::Linker::new(engine);
    hook_types::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    log::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    config::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    source::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    clock::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    random::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    Ok(linker)
}

/// Links `code`, which comes from the file at `path`.
pub(super) fn link(
    base: &component::Linker<State>,
    code: Code,
    path: &Path,
    grants: &Grants,
) -> Result<Linked, Failure> {
    match code {
        Code::Component(component) => link_component(base, &component, path, grants),
        Code::Module(module) => link_module(base.engine(), &module, path),
    }
}

fn link_component(
    base: &component::Linker<State>,
    component: &Component,
    path: &Path,
    grants: &Grants,
) -> Result<Linked, Failure> {
    let (engine, kind) = (base.engine(), component.component_type());
    let mut linker = base.clone();
    let (mut wasi, mut http, mut kv) = (false, false, false);
    for (name, _) in kind.imports(engine) {
        match Import::of(name) {
            Import::Hookbox => {}
            Import::Wasi => wasi = true,
            Import::Http if grants.reach_the_network() => (wasi, http) = (true, true),
            Import::Http => {
                return Err(http_not_granted(path, name));
            }
            Import::Kv => kv = true,
            Import::Other => return Err(unknown(path, name)),
        }
    }
    let of_imports = |error: wasmtime::Error| failure::of_imports(path, &error);
    if wasi {
        add_wasi(&mut linker).map_err(of_imports)?;
    }
    if http {
        wasmtime_wasi_http::p2::add_only_http_to_linker_async(&mut linker).map_err(of_imports)?;
    }
    if kv {
        kv::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state).map_err(of_imports)?;
    }
    // This resolves imports and nothing else; whoever looks at exports comes after it.
    let pre = linker.instantiate_pre(component).map_err(of_imports)?;
    let is_hook = kind.exports(engine).any(|(name, _)| name == "handle");
    let is_command = kind.exports(engine).any(|(name, _)| name.starts_with(RUN));
    let world = if is_command && !is_hook {
        CommandPre::new(pre).map(World::Command)
    } else {
        HookPre::new(pre).map(World::Hook)
    };
    Ok(Linked { world: world.map_err(|error| failure::of_exports(path, &error))?, wasi, kv })
}

/// All of WASI but HTTP; files by hookbox's own rules.
fn add_wasi(linker: &mut component::Linker<State>) -> wasmtime::Result<()> {
    linker.allow_shadowing(true);
    wasmtime_wasi::p2::add_to_linker_async(linker)?;
    preopens::add_to_linker::<_, GuardedFiles>(linker, State::files)?;
    types::add_to_linker::<_, GuardedFiles>(linker, State::files)?;
    linker.allow_shadowing(false);
    Ok(())
}

/// What a plugin asks for by an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Import {
    /// hookbox's own: what every hook has.
    Hookbox,
    /// The store, which keeps nothing without a grant: toolchains import all of hookbox's world.
    Kv,
    /// WASI, all of which sees nothing without a grant.
    Wasi,
    /// HTTP, which acts on the world: only with a grant.
    Http,
    /// Something that hookbox does not have.
    Other,
}

impl Import {
    /// By a component's import of this name.
    pub(super) fn of(name: &str) -> Self {
        let (interface, version) = name.split_once('@').unwrap_or((name, ""));
        match interface.split_once('/') {
            Some(("hookbox:hook", "kv")) if version.starts_with(HOOKBOX_VERSION) => Self::Kv,
            Some(("hookbox:hook", interface))
                if version.starts_with(HOOKBOX_VERSION) && HOOKBOX.contains(&interface) =>
            {
                Self::Hookbox
            }
            Some(("wasi:http", _)) => Self::Http,
            Some((package, _)) if version.starts_with(WASI_VERSION) && WASI.contains(&package) => Self::Wasi,
            _ => Self::Other,
        }
    }

    /// By a core module's import from this module.
    pub(super) fn of_module(name: &str) -> Self {
        if name == "wasi_snapshot_preview1" { Self::Wasi } else { Self::Other }
    }
}

/// hookbox's own interfaces, but for the store.
const HOOKBOX: [&str; 6] = ["types", "log", "config", "source", "clock", "random"];
/// Versions of them that go together.
pub(super) const HOOKBOX_VERSION: &str = "0.1.";

/// The packages of WASI that toolchains import whether a program uses them or not.
const WASI: [&str; 6] =
    ["wasi:cli", "wasi:clocks", "wasi:filesystem", "wasi:io", "wasi:random", "wasi:sockets"];
/// Versions of them that go together.
const WASI_VERSION: &str = "0.2.";

/// The plugin at `path` has an import of this name, which is none that hookbox knows.
pub(super) fn unknown(path: &Path, name: &str) -> Failure {
    let path = path.display();
    let message = format!(
        "the plugin {path} imports `{name}`, which hookbox does not have: build it without, or against hookbox's world"
    );
    Failure::new(FailureCode::Refused, &message)
}

fn http_not_granted(path: &Path, name: &str) -> Failure {
    let path = path.display();
    let message = format!(
        "the plugin {path} imports `{name}`, which is not granted: if it may have that, write \
         `grant = {{ http = [\"https://HOST/PATH\"] }}` into the hook's entry"
    );
    Failure::new(FailureCode::Refused, &message)
}

/// What a program exports.
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
    wasi_snapshot_preview1::add_to_linker(&mut linker, State::preview1).map_err(of_imports)?;
    let pre = linker.instantiate_pre(module).map_err(of_imports)?;
    Ok(Linked { world: World::Module(pre), wasi: true, kv: false })
}
