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
    config::{did_you_mean, quote_word},
    model::{Grants, Manifest},
    sandbox::{
        compile::Compiler,
        inspect::{Inspection, inspect_file},
    },
};
use hookbox_platform::file::is_there;

use hookbox_files::{Setup, places::Places, plugin_home::PluginHomeLock};

pub(super) use self::added::{SignedPlugins, warn_of_pins};
use super::{
    agent_change::{CommandError, problem_error},
    grants, read,
};
use crate::{
    args::{InspectArgs, PluginCommand, WordsArgs},
    environment,
    exit::ExitStatus,
    printer::Printer,
};

pub(super) fn manage_plugins(command: &PluginCommand, printer: &Printer) -> ExitStatus {
    match command {
        PluginCommand::Add(args) => add::add_plugin(args, printer),
        PluginCommand::Remove(args) => remove::remove_plugin(args, printer),
        PluginCommand::Outdated(args) => outdated::list_outdated(args, printer),
        PluginCommand::Update(args) => update::update_plugins(args, printer),
        PluginCommand::Gc(args) => gc::collect_garbage(args, printer),
        PluginCommand::List(args) => list::list_plugins(args, printer),
        PluginCommand::Inspect(args) => print_inspection(args, printer),
        PluginCommand::Manifest(args) => manifest::embed_manifest(args, printer),
        PluginCommand::New(args) => companions::run_author_tool("new", args, printer),
        PluginCommand::Build(args) => companions::run_author_tool("build", args, printer),
        PluginCommand::Test(args) => companions::run_author_tool("test", args, printer),
        PluginCommand::Profile(args) => companions::run_author_tool("profile", args, printer),
        PluginCommand::Sign(args) => companions::run_bundle_tool("sign", args, printer),
        PluginCommand::Verify(args) => companions::run_bundle_tool("verify", args, printer),
        PluginCommand::Push(args) => companions::run_bundle_tool("push", args, printer),
        PluginCommand::Pull(args) => companions::run_bundle_tool("pull", args, printer),
    }
}

/// Runs `hookbox export`, which is about signed plugins too.
pub(super) fn run_export(args: &WordsArgs, printer: &Printer) -> ExitStatus {
    companions::run_bundle_tool("export", args, printer)
}

fn find_places() -> Places {
    Places::of_terminal(&environment::read_variable)
}

/// Takes the lock for adding and removing plugins. A wait is reported.
fn lock_plugins(places: &Places, printer: &Printer) -> Result<PluginHomeLock, CommandError> {
    let waits =
        || printer.print_note("another hookbox is adding or removing a plugin; waiting for it to end");
    PluginHomeLock::wait_for(places, waits).map_err(problem_error)
}

fn print_inspection(args: &InspectArgs, printer: &Printer) -> ExitStatus {
    let project = match super::resolve_project(args.project.as_deref()) {
        Ok(project) => project,
        Err(error) => {
            printer.print_error(&error);
            return ExitStatus::Usage;
        }
    };
    let surroundings = environment::build_surroundings(find_places());
    let setup = Setup::read_files(surroundings, read::of_layers(&project, &args.source));
    let file = match resolve_plugin_file(&args.file) {
        Ok(file) => file,
        Err(error) => {
            printer.print_error(&error);
            return ExitStatus::Problems;
        }
    };
    let inspection = match inspect_plugin(&file, &setup) {
        Ok(inspection) => inspection,
        Err(error) => {
            printer.print_error(&error);
            return ExitStatus::Problems;
        }
    };
    let uses = find_uses(&file, &inspection, &setup);
    if args.json {
        printer.print_line(&format!("{:#}", json::encode_inspection(&file, &inspection, &uses)));
    } else {
        text::print_inspection(&file, &inspection, &uses, printer);
    }
    if is_plugin(&file, &inspection) { ExitStatus::Success } else { ExitStatus::Problems }
}

/// Returns the file of this name; if it does not exist, the shipped plugin of this name.
fn resolve_plugin_file(file: &Path) -> Result<PathBuf, String> {
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
        quote_word(&name),
        did_you_mean(&name, &plugins.names())
    ))
}

fn inspect_plugin(file: &Path, setup: &Setup) -> Result<Inspection, String> {
    let compiler = environment::find_compiler().map_or(Compiler::None, Compiler::Process);
    let cache = setup.places.opened_cache();
    let looked = super::block_on(true, inspect_file(file, &compiler, cache.as_ref()))?;
    looked.map_err(|failure| failure.message)
}

fn is_plugin(file: &Path, inspection: &Inspection) -> bool {
    let is_hook = inspection.anatomy.as_ref().is_ok_and(|anatomy| anatomy.kind.is_plugin());
    is_hook && inspection.list_problems(file).is_empty()
}

/// A configured hook that calls the file.
struct PluginUse<'a> {
    spec: &'a HookSpec,
    /// Effective capabilities.
    given: Grants,
    /// Requested capabilities that are not granted, with the line that would grant them.
    missing: Option<String>,
}

impl<'a> PluginUse<'a> {
    fn of(spec: &'a HookSpec, manifest: Option<&Manifest>) -> Self {
        let granted = spec.grants();
        match manifest {
            None => Self { spec, given: granted, missing: None },
            Some(Manifest { asks, .. }) => Self {
                spec,
                given: asks.narrow_grants(&granted),
                missing: grants::describe_missing(spec, asks),
            },
        }
    }
}

fn find_uses<'a>(file: &Path, inspection: &Inspection, setup: &'a Setup) -> Vec<PluginUse<'a>> {
    let manifest = inspection.manifest.as_ref().ok().and_then(Option::as_ref);
    // An entry may name the file by a link.
    let file = resolve_links(file);
    let calls = |spec: &&HookSpec| spec.wasm().is_some_and(|wasm| resolve_links(&wasm.path) == file);
    setup.loaded.hooks.iter().filter(calls).map(|spec| PluginUse::of(spec, manifest)).collect()
}

fn resolve_links(file: &Path) -> PathBuf {
    file.canonicalize().unwrap_or_else(|_| file.to_owned())
}
