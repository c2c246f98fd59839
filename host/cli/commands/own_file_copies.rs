//! Record of hookbox's own files after a command of the user: `hookbox restore` and the events of agents compare the files with it.

use hookbox_app::{FileStatuses, OwnFiles, places::Places};

use crate::{
    args::{Command, PluginCommand},
    environment,
    printer::{Printer, WARNING},
    report,
};

/// Status of the files before a command that may change them.
pub(super) struct FilesBefore {
    places: Places,
    statuses: FileStatuses,
}

impl FilesBefore {
    /// Reads the files' status before a command of the user that may change them; `None` for other commands, and for one that an
    /// agent runs.
    pub(super) fn read(command: &Command) -> Option<Self> {
        if !may_change_files(command) || environment::mark_of_an_agent().is_some() {
            return None;
        }
        let places = Places::of_terminal(&environment::read_variable);
        let statuses = OwnFiles::of_user(&places)?.read_statuses();
        Some(Self { places, statuses })
    }

    /// Records the files that the command has changed, whether it reached its end or not.
    pub(super) fn record_changes(&self, printer: &Printer) {
        let Some(files) = OwnFiles::of_user(&self.places) else { return };
        if let Err(error) = files.record_changes(&self.statuses) {
            let error = report::sanitize_line(&error.to_string());
            printer.print_note(&format!(
                "{WARNING}warning{WARNING:#}: the changes are not recorded for `hookbox restore`: {error}"
            ));
        }
    }
}

/// Returns true if the command may change hookbox's own files or its entries.
fn may_change_files(command: &Command) -> bool {
    match command {
        Command::Allow(_)
        | Command::Disable(_)
        | Command::Enable(_)
        | Command::Hooks(_)
        | Command::Import(_)
        | Command::Install(_)
        | Command::Setup(_)
        | Command::Trust(_)
        | Command::Uninstall(_)
        | Command::Untrust(_) => true,
        Command::Plugin(args) => matches!(
            args.command,
            PluginCommand::Add(_)
                | PluginCommand::Gc(_)
                | PluginCommand::Remove(_)
                | PluginCommand::Signer(_)
                | PluginCommand::Update(_)
        ),
        _ => false,
    }
}
