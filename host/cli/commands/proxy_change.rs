//! A change of a proxy's configuration: finds the file, computes the change, shows and writes it.

use std::{
    cell::Cell,
    fs,
    path::{Path, PathBuf},
};

use hookbox::agents::settings::{
    Edit, SettingsError,
    proxy::{self, OriginalForm, Proxy},
};
use hookbox_app::{install_record::OriginalFile, places::Places, settings_file::Location};

use super::{
    agent_change::{self, CommandError, problem_error, usage_error},
    change_consent,
};
use crate::{
    args::{InstallArgs, SettingsArgs},
    environment,
    printer::{Printer, WARNING},
    report,
};

/// Variable with the place of LiteLLM's configuration, unless it is given by `--config`.
const NAMED_BY: &str = "CONFIG_FILE_PATH";
/// Common names of the file, in the folder from which the proxy is started.
const USUAL: [&str; 6] = [
    "config.yaml",
    "config.yml",
    "litellm_config.yaml",
    "litellm_config.yml",
    "litellm-config.yaml",
    "proxy_config.yaml",
];

pub(super) struct ProxyChange {
    proxy: &'static Proxy,
    location: Location,
    found: String,
    edit: Edit,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Install,
    /// With the value that was at the callback's place, if it is known.
    Uninstall(Option<OriginalForm>),
}

/// Returns an error if a file is named for an agent: only a proxy's configuration can be named.
pub(super) fn check_no_file(args: &SettingsArgs) -> Result<(), CommandError> {
    let agent = report::sanitize_line(&args.agent);
    match args.place.file {
        Some(_) => Err(usage_error(format!(
            "--file names the configuration of a proxy (litellm, run-claude), and the settings of {agent} are where it looks for \
             them; leave it out"
        ))),
        None => Ok(()),
    }
}

impl ProxyChange {
    pub(super) fn prepare_install(proxy: &'static Proxy, args: &InstallArgs) -> Result<Self, CommandError> {
        if !args.events.is_empty() {
            return Err(usage_error(format!(
                "{} calls hookbox for every event that has a hook; omit --events",
                proxy.agent
            )));
        }
        let (location, found) = read_configuration(proxy, &args.settings)?;
        let (edit, _) =
            proxy::install_callback(&found, proxy).map_err(|error| configuration_error(&location, &error))?;
        Ok(Self { proxy, location, found, edit, kind: Kind::Install })
    }

    pub(super) fn prepare_uninstall(
        proxy: &'static Proxy,
        args: &SettingsArgs,
    ) -> Result<Self, CommandError> {
        let (location, found) = read_configuration(proxy, args)?;
        let record = agent_change::open_install_record(&Places::of_terminal(&environment::read_variable));
        let held = match record.and_then(|record| record.find_before(&build_record_key(&location, proxy))) {
            Some(OriginalFile::Proxy(held)) => Some(held),
            _ => None,
        };
        let edit = proxy::uninstall_callback(&found, proxy, held)
            .map_err(|error| configuration_error(&location, &error))?;
        Ok(Self { proxy, location, found, edit, kind: Kind::Uninstall(held) })
    }

    /// Shows the change, asks, and writes it.
    pub(super) fn offer_change(&self, args: &SettingsArgs, printer: &Printer) -> Result<(), CommandError> {
        let place = report::sanitize_line(&self.location.path().display().to_string());
        if self.edit.events.is_empty() {
            let has = if matches!(self.kind, Kind::Install) { "names" } else { "does not name" };
            printer.print_line(&format!("nothing to do: {place} {has} {}", self.proxy.callback));
            // After an installation its other steps may still be left to do.
            if let Kind::Uninstall(_) = self.kind {
                return Ok(());
            }
        } else {
            change_consent::show_change(&place, &self.found, Some(&self.edit.text), printer);
            if !change_consent::confirm_change(&args.consent, &place, printer)? {
                return Ok(());
            }
            self.write_change(&place, printer)?;
        }
        self.print_next_steps(printer);
        Ok(())
    }

    fn write_change(&self, place: &str, printer: &Printer) -> Result<(), CommandError> {
        // Another program may have changed the file since it was shown.
        let before = Cell::new(None);
        let edit = |text: &str| match self.kind {
            Kind::Install => {
                let (edit, held) = proxy::install_callback(text, self.proxy)?;
                // The edit is made again on the written text, which has the callback by then: the value of the first time stays.
                before.set(held.map(OriginalFile::Proxy).or(before.get()));
                Ok(edit)
            }
            Kind::Uninstall(held) => proxy::uninstall_callback(text, self.proxy, held),
        };
        self.location.edit_file(&edit).map_err(problem_error)?;
        let done = if matches!(self.kind, Kind::Install) { "installed for" } else { "removed from" };
        if let Some(record) =
            agent_change::open_install_record(&Places::of_terminal(&environment::read_variable))
        {
            record.set_before(&build_record_key(&self.location, self.proxy), before.get());
        }
        printer.print_line(&format!("{done} {}: {place}", self.proxy.agent));
        Ok(())
    }

    fn print_next_steps(&self, printer: &Printer) {
        if let Kind::Uninstall(_) = self.kind {
            printer.print_note("start the proxy again");
            return;
        }
        printer.print_note(
            "the proxy's Python needs the package hookbox-litellm, which is not published yet: run `cargo xtask packages \
             --release` in a clone of hookbox and `pip install target/packages/python/*.whl target/packages/litellm/*.whl`; then start the proxy again",
        );
        if proxy::includes_files(&self.edit.text) {
            printer.print_note(&format!(
                "{WARNING}warning{WARNING:#}: the configuration has `include`, and a `litellm_settings` of a file that it names takes the \
                 place of this one: if one has it, install there (--file)"
            ));
        }
    }
}

fn read_configuration(proxy: &Proxy, args: &SettingsArgs) -> Result<(Location, String), CommandError> {
    if args.place.here {
        return Err(usage_error(format!(
            "{} has no configuration of a project; name the file by --file",
            proxy.agent
        )));
    }
    let location = Location::User(locate_configuration(proxy, args)?);
    let Some(found) = location.look().map_err(problem_error)? else {
        let path = location.path().display().to_string();
        let advice = match proxy.place {
            Some(_) if args.place.file.is_none() => {
                format!(
                    "{} creates it when it first starts its proxy: do that, or name another file with --file",
                    proxy.agent
                )
            }
            _ if args.place.file.is_some() => "--file must name an existing configuration".to_owned(),
            _ => "name the proxy's configuration with --file".to_owned(),
        };
        return Err(problem_error(format!("{} is not there: {advice}", report::sanitize_line(&path))));
    };
    Ok((location, found))
}

/// Returns the named file, else the one at the proxy's default place, else the one in the current folder.
fn locate_configuration(proxy: &Proxy, args: &SettingsArgs) -> Result<PathBuf, CommandError> {
    let here = environment::current_folder();
    if let Some(file) = &args.place.file {
        return Ok(here.join(file));
    }
    if let Some((folder, file)) = &proxy.place {
        let places = Places::of_terminal(&environment::read_variable);
        return Ok(agent_change::users_folder(&places, folder)?.join(file));
    }
    if let Some(named) = environment::read_variable(NAMED_BY).filter(|named| !named.is_empty()) {
        return Ok(here.join(named));
    }
    let mut found = USUAL.iter().map(|name| here.join(name)).filter(|path| is_proxys(path));
    let first = found.next().ok_or_else(|| {
        usage_error(format!(
            "no configuration of LiteLLM's proxy is in {}; name it by --file",
            report::sanitize_line(&here.display().to_string())
        ))
    })?;
    match found.next() {
        None => Ok(first),
        Some(other) => Err(usage_error(format!(
            "{} and {} are both a proxy's configuration; name one by --file",
            report::sanitize_line(&first.display().to_string()),
            report::sanitize_line(&other.display().to_string())
        ))),
    }
}

/// Returns true if the file has keys of a proxy's configuration. For an unreadable file this is true.
fn is_proxys(path: &Path) -> bool {
    match Location::User(path.to_owned()).look() {
        Ok(found) => found.is_some_and(|text| proxy::is_one(&text)),
        Err(_) => true,
    }
}

/// Returns the key of the record: the file itself with the callback, since it may contain both proxies' callbacks.
fn build_record_key(location: &Location, proxy: &Proxy) -> PathBuf {
    let path = location.path();
    let mut key = fs::canonicalize(&path).unwrap_or(path).into_os_string();
    key.push(format!("#{}", proxy.agent));
    key.into()
}

fn configuration_error(location: &Location, error: &SettingsError) -> CommandError {
    problem_error(format!(
        "{}: {error}; nothing was changed",
        report::sanitize_line(&location.path().display().to_string())
    ))
}
