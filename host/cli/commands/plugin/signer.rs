//! `hookbox plugin signer`: the signers whose plugins are accepted, as lines of `allowed_signers`.

mod add;
mod remove;

use std::time::SystemTime;

use hookbox_app::{
    places::Places,
    plugin_home::PluginHome,
    settings_file::{Kind, Location},
    trust_files::{self, TrustFiles},
};
use hookbox_trust::allowed_signers::{AllowedSigners, ListedSigner};

use super::added_plugins::format_path;
use crate::{
    args::{SignerArgs, SignerCommand},
    commands::{
        agent_change::{CommandError, problem_error},
        install::report_result,
    },
    environment,
    exit::ExitStatus,
    printer::{Printer, WARNING},
    report::sanitize_line,
};

pub(super) fn manage_signers(args: &SignerArgs, printer: &Printer) -> ExitStatus {
    let done = match &args.command {
        SignerCommand::Add(args) => add::add_signer(args, printer),
        SignerCommand::List => list_signers(printer),
        SignerCommand::Remove(args) => remove::remove_signer(args, printer),
    };
    report_result(done, printer)
}

/// The user's `allowed_signers`, as it was read.
struct SignersFile {
    location: Location,
    /// The text; empty if the file does not exist.
    text: String,
    listed: Vec<ListedSigner>,
}

impl SignersFile {
    /// Reads the file for a change. `undone` completes "nothing was …".
    fn read_users(places: &Places, undone: &str) -> Result<Self, CommandError> {
        let home = PluginHome::of_user(places).zip(trust_files::locate_users_signers(places));
        let (home, location) =
            home.ok_or_else(|| problem_error("the home folder is unknown\nhelp: set HOME"))?;
        // Another user who may write there could replace the file later.
        if let Some(who) = home.other_writer() {
            return Err(problem_error(format!(
                "nothing was {undone}: the files in {} are trusted, and {who}",
                format_path(&home.folder())
            )));
        }
        let text = location.read().map_err(problem_error)?;
        let signers = AllowedSigners::parse(&text).map_err(|why| {
            problem_error(format!(
                "nothing was {undone}: {}: {why}\nhelp: correct or remove that line; no signature is verified until then",
                format_path(&location.path())
            ))
        })?;
        Ok(Self { location, text, listed: signers.list_signers(SystemTime::now()) })
    }

    /// Returns the file's path, for messages.
    fn path(&self) -> String {
        format_path(&self.location.path())
    }

    /// Replaces the file's text, unless another program has changed the file meanwhile.
    fn replace_text(&self, text: &str) -> Result<(), CommandError> {
        self.location.replace_text(&self.text, text, Kind::Settings).map_err(problem_error)
    }
}

/// Reads the policies and revocations of the administrator and the user. Their problems are reported by `check`.
fn read_trust(places: &Places) -> TrustFiles {
    TrustFiles::read_files(places, None, &environment::shipped_plugins()).0
}

fn list_signers(printer: &Printer) -> Result<(), CommandError> {
    let places = super::find_places();
    let trust = read_trust(&places);
    let files = trust_files::read_signers(&places);
    let mut is_empty = true;
    for (file, text) in files {
        let path = format_path(&file);
        let text = text.map_err(|error| problem_error(format!("{path} cannot be read: {error}")))?;
        let signers = AllowedSigners::parse(&text).map_err(|why| {
            problem_error(format!(
                "no signature is verified by {path}: {why}\nhelp: correct or remove that line"
            ))
        })?;
        for signer in signers.list_signers(SystemTime::now()) {
            is_empty = false;
            print_signer(&signer, trust.is_revoked(&signer.key.fingerprint()), printer);
        }
        printer.print_note(&format!("in {path}"));
    }
    if is_empty {
        printer.print_note(
            "no signer of plugins is listed\nhelp: `hookbox plugin signer add KEY.pub --as NAME` adds one",
        );
    }
    Ok(())
}

fn print_signer(signer: &ListedSigner, is_revoked: bool, printer: &Printer) {
    let ListedSigner { principals, key, validity, objection, .. } = signer;
    let state = match (is_revoked, objection) {
        (true, _) => format!(", {WARNING}revoked{WARNING:#}"),
        (false, Some(_)) => format!(", {WARNING}not valid now{WARNING:#}"),
        (false, None) => String::new(),
    };
    let name = sanitize_line(principals);
    printer.print_line(&format!("{name}  {}  {}  {validity}{state}", key.kind(), key.fingerprint()));
}
