//! `hookbox plugin`. This file has `inspect`: the content of a plugin's file, and the capabilities that it would get now. The
//! plugin is not run.

mod add;
mod added;
mod clock;
mod companions;
mod disallowed;
mod fetch;
mod gc;
mod json;
mod list;
mod locked;
mod manifest;
mod outdated;
mod remove;
mod text;
mod trusted;
mod update;

use std::path::{Path, PathBuf};

use hookbox::{
    HookSpec,
    config::{did_you_mean, quoted},
    model::{Grants, Manifest},
    sandbox::{
        compile::Compiler,
        inspect::{Inspection, inspect},
    },
};
use hookbox_platform::file::is_there;

use hookbox_files::{Setup, places::Places, plugin_home::PluginTurn};

pub(super) use self::added::{SignedPlugins, warn_of_pins};
use super::{
    agent_change::{Stopped, problem},
    grants, read,
};
use crate::{
    args::{InspectArgs, PluginCommand, WordsArgs},
    environment,
    exit::ExitStatus,
    printer::Printer,
};

pub(super) fn plugin(command: &PluginCommand, printer: &Printer) -> ExitStatus {
    match command {
        PluginCommand::Add(args) => add::add(args, printer),
        PluginCommand::Remove(args) => remove::remove(args, printer),
        PluginCommand::Outdated(args) => outdated::outdated(args, printer),
        PluginCommand::Update(args) => update::update(args, printer),
        PluginCommand::Gc(args) => gc::gc(args, printer),
        PluginCommand::List(args) => list::list(args, printer),
        PluginCommand::Inspect(args) => inspect_file(args, printer),
        PluginCommand::Manifest(args) => manifest::manifest(args, printer),
        PluginCommand::New(args) => companions::author("new", args, printer),
        PluginCommand::Build(args) => companions::author("build", args, printer),
        PluginCommand::Test(args) => companions::author("test", args, printer),
        PluginCommand::Profile(args) => companions::author("profile", args, printer),
        PluginCommand::Sign(args) => companions::bundle("sign", args, printer),
        PluginCommand::Verify(args) => companions::bundle("verify", args, printer),
        PluginCommand::Push(args) => companions::bundle("push", args, printer),
        PluginCommand::Pull(args) => companions::bundle("pull", args, printer),
    }
}

/// Runs `hookbox export`, which is about signed plugins too.
pub(super) fn export(args: &WordsArgs, printer: &Printer) -> ExitStatus {
    companions::bundle("export", args, printer)
}

/// Returns the user's folders.
fn places() -> Places {
    Places::of_terminal(&environment::variable)
}

/// Takes the lock for adding and removing plugins. A wait is reported.
fn turn(places: &Places, printer: &Printer) -> Result<PluginTurn, Stopped> {
    let waits = || printer.note("another hookbox is adding or removing a plugin; waiting for it to end");
    PluginTurn::take(places, waits).map_err(problem)
}

fn inspect_file(args: &InspectArgs, printer: &Printer) -> ExitStatus {
    let project = match super::project(args.project.as_deref()) {
        Ok(project) => project,
        Err(error) => {
            printer.error(&error);
            return ExitStatus::Usage;
        }
    };
    let surroundings = environment::surroundings(places());
    let setup = Setup::read(surroundings, read::of_layers(&project, &args.source));
    let file = match named(&args.file) {
        Ok(file) => file,
        Err(error) => {
            printer.error(&error);
            return ExitStatus::Problems;
        }
    };
    let inspection = match look(&file, &setup) {
        Ok(inspection) => inspection,
        Err(error) => {
            printer.error(&error);
            return ExitStatus::Problems;
        }
    };
    let uses = uses(&file, &inspection, &setup);
    if args.json {
        printer.line(&format!("{:#}", json::of(&file, &inspection, &uses)));
    } else {
        text::print(&file, &inspection, &uses, printer);
    }
    if is_plugin(&file, &inspection) { ExitStatus::Success } else { ExitStatus::Problems }
}

/// Returns the file of this name; if it does not exist, the shipped plugin of this name.
fn named(file: &Path) -> Result<PathBuf, String> {
    let plugins = environment::shipped_plugins();
    if is_there(file) {
        return Ok(file.to_owned());
    }
    let name = file.to_string_lossy();
    // A path is always a file, and its reader reports problems.
    if name.contains(['/', '.']) {
        return Ok(file.to_owned());
    }
    if let Some(plugin) = plugins.find(&name) {
        return Ok(plugin.path);
    }
    Err(format!(
        "there is no file {0}, and no plugin of that name comes with hookbox; {1}",
        quoted(&name),
        did_you_mean(&name, &plugins.names())
    ))
}

fn look(file: &Path, setup: &Setup) -> Result<Inspection, String> {
    let compiler = environment::compiler().map_or(Compiler::None, Compiler::Process);
    let cache = setup.places.opened_cache();
    let looked = super::block_on(true, inspect(file, &compiler, cache.as_ref()))?;
    looked.map_err(|failure| failure.message)
}

fn is_plugin(file: &Path, inspection: &Inspection) -> bool {
    let is_hook = inspection.anatomy.as_ref().is_ok_and(|anatomy| anatomy.kind.is_plugin());
    is_hook && inspection.problems(file).is_empty()
}

/// A configured hook that calls the file.
struct Use<'a> {
    spec: &'a HookSpec,
    /// Effective capabilities.
    given: Grants,
    /// Requested capabilities that are not granted, with the line that would grant them.
    missing: Option<String>,
}

impl<'a> Use<'a> {
    fn of(spec: &'a HookSpec, manifest: Option<&Manifest>) -> Self {
        let granted = spec.grants();
        match manifest {
            None => Self { spec, given: granted, missing: None },
            Some(Manifest { asks, .. }) => {
                Self { spec, given: asks.admits(&granted), missing: grants::missing(spec, asks) }
            }
        }
    }
}

/// Returns the hooks that call this file.
fn uses<'a>(file: &Path, inspection: &Inspection, setup: &'a Setup) -> Vec<Use<'a>> {
    let manifest = inspection.manifest.as_ref().ok().and_then(Option::as_ref);
    let file = real(file);
    let calls = |spec: &&HookSpec| spec.wasm().is_some_and(|wasm| real(&wasm.path) == file);
    setup.loaded.hooks.iter().filter(calls).map(|spec| Use::of(spec, manifest)).collect()
}

fn real(file: &Path) -> PathBuf {
    file.canonicalize().unwrap_or_else(|_| file.to_owned())
}
