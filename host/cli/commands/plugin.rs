//! `hookbox plugin`, a file for each of its commands.

mod add;
mod added_plugins;
mod clock;
mod companions;
mod disallowed_plugins;
mod fetch;
mod file_signers;
mod gc;
mod inspect;
mod json;
mod list;
mod locked_check;
mod manifest;
mod outdated;
mod plugin_uses;
mod remove;
mod signer;
mod text;
mod trust_decision;
mod update;

use hookbox_app::{places::Places, plugin_home::PluginHomeLock};

pub(super) use self::added_plugins::{SignedPlugins, warn_of_pins};
use super::agent_change::{CommandError, problem_error};
use crate::{
    args::{PluginCommand, WordsArgs},
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
        PluginCommand::Inspect(args) => inspect::show_plugin(args, printer),
        PluginCommand::Signer(args) => signer::manage_signers(args, printer),
        PluginCommand::Manifest(args) => manifest::embed_manifest(args, printer),
        PluginCommand::New(args) => companions::run_author_tool("new", args, printer),
        PluginCommand::Build(args) => companions::run_author_tool("build", args, printer),
        PluginCommand::Test(args) => companions::run_author_tool("test", args, printer),
        PluginCommand::Profile(args) => companions::run_author_tool("profile", args, printer),
        PluginCommand::Wit(args) => companions::run_author_tool("wit", args, printer),
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
