//! A change of a proxy's configuration: finds the file, computes the change, shows and writes it.

use std::{
    cell::Cell,
    fs,
    path::{Path, PathBuf},
};

use hookbox::dialect::settings::{
    Edit, SettingsError,
    proxy::{self, Held, Proxy},
};
use hookbox_files::{install_record::Before, places::Places, settings_file::Location};

use super::{
    agent_change::{self, Stopped, problem, usage},
    offer,
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

/// The file and its change.
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
    Uninstall(Option<Held>),
}

/// Returns an error if a file is named for an agent: only a proxy's configuration can be named.
pub(super) fn is_for_no_agent(args: &SettingsArgs) -> Result<(), Stopped> {
    let agent = report::plain(&args.agent);
    match args.file {
        Some(_) => Err(usage(format!(
            "--file names the configuration of a proxy (litellm, run-claude), and the settings of {agent} are where it looks for \
             them; leave it out"
        ))),
        None => Ok(()),
    }
}

impl ProxyChange {
    /// Prepares a change that adds the callback.
    pub(super) fn install(proxy: &'static Proxy, args: &InstallArgs) -> Result<Self, Stopped> {
        if !args.events.is_empty() {
            return Err(usage(format!(
                "{} is asked about every event that has a hook; leave out --events",
                proxy.agent
            )));
        }
        let (location, found) = find(proxy, &args.settings)?;
        let (edit, _) = proxy::install(&found, proxy).map_err(|error| unfit(&location, &error))?;
        Ok(Self { proxy, location, found, edit, kind: Kind::Install })
    }

    /// Prepares a change that removes the callback.
    pub(super) fn uninstall(proxy: &'static Proxy, args: &SettingsArgs) -> Result<Self, Stopped> {
        let (location, found) = find(proxy, args)?;
        let record = agent_change::record(&Places::of_terminal(&environment::variable));
        let held = match record.and_then(|record| record.of(&key(&location, proxy))) {
            Some(Before::Proxy(held)) => Some(held),
            _ => None,
        };
        let edit = proxy::uninstall(&found, proxy, held).map_err(|error| unfit(&location, &error))?;
        Ok(Self { proxy, location, found, edit, kind: Kind::Uninstall(held) })
    }

    /// Shows the change, asks, and writes it.
    pub(super) fn offer(&self, args: &SettingsArgs, printer: &Printer) -> Result<(), Stopped> {
        let place = report::plain(&self.location.path().display().to_string());
        if self.edit.events.is_empty() {
            let has = if matches!(self.kind, Kind::Install) { "names" } else { "does not name" };
            printer.line(&format!("nothing to do: {place} {has} {}", self.proxy.callback));
            if let Kind::Uninstall(_) = self.kind {
                return Ok(());
            }
        } else {
            offer::show(&place, &self.found, Some(&self.edit.text), printer);
            if !offer::accepted(args, &place, printer)? {
                return Ok(());
            }
            self.make(&place, printer)?;
        }
        self.advise(printer);
        Ok(())
    }

    fn make(&self, place: &str, printer: &Printer) -> Result<(), Stopped> {
        // Another program may have changed the file since it was shown.
        let before = Cell::new(None);
        let edit = |text: &str| match self.kind {
            Kind::Install => {
                let (edit, held) = proxy::install(text, self.proxy)?;
                before.set(held.map(Before::Proxy).or(before.get()));
                Ok(edit)
            }
            Kind::Uninstall(held) => proxy::uninstall(text, self.proxy, held),
        };
        self.location.edit(&edit).map_err(problem)?;
        let done = if matches!(self.kind, Kind::Install) { "installed for" } else { "taken out of" };
        if let Some(record) = agent_change::record(&Places::of_terminal(&environment::variable)) {
            record.set(&key(&self.location, self.proxy), before.get());
        }
        printer.line(&format!("{done} {}: {place}", self.proxy.agent));
        Ok(())
    }

    /// Prints the remaining steps for the user.
    fn advise(&self, printer: &Printer) {
        if let Kind::Uninstall(_) = self.kind {
            printer.note("start the proxy again");
            return;
        }
        printer.note(
            "the proxy's Python needs the package hookbox-litellm, which is not published yet: run `cargo xtask packages \
             --release` in a clone of hookbox and `pip install target/packages/python/*.whl target/packages/litellm/*.whl`; then start the proxy again",
        );
        if proxy::includes(&self.edit.text) {
            printer.note(&format!(
                "{WARNING}warning{WARNING:#}: the configuration has `include`, and a `litellm_settings` of a file that it names takes the \
                 place of this one: if one has it, install there (--file)"
            ));
        }
    }
}

/// Returns the configuration and its text.
fn find(proxy: &Proxy, args: &SettingsArgs) -> Result<(Location, String), Stopped> {
    if args.project {
        return Err(usage(format!(
            "{} has no configuration of a project; name the file by --file",
            proxy.agent
        )));
    }
    let location = Location::User(place(proxy, args)?);
    let Some(found) = location.look().map_err(problem)? else {
        let path = location.path().display().to_string();
        let advice = match proxy.place {
            Some(_) if args.file.is_none() => {
                format!(
                    "{} makes it when it first starts its proxy: do that, or name another by --file",
                    proxy.agent
                )
            }
            _ if args.file.is_some() => "--file is to name a configuration that is there".to_owned(),
            _ => "name the proxy's configuration by --file".to_owned(),
        };
        return Err(problem(format!("{} is not there: {advice}", report::plain(&path))));
    };
    Ok((location, found))
}

/// Returns the named file, else the one at the proxy's default place, else the one in the current folder.
fn place(proxy: &Proxy, args: &SettingsArgs) -> Result<PathBuf, Stopped> {
    let here = environment::current_folder();
    if let Some(file) = &args.file {
        return Ok(here.join(file));
    }
    if let Some((folder, file)) = &proxy.place {
        let places = Places::of_terminal(&environment::variable);
        return Ok(agent_change::users_folder(&places, folder)?.join(file));
    }
    if let Some(named) = environment::variable(NAMED_BY).filter(|named| !named.is_empty()) {
        return Ok(here.join(named));
    }
    let mut found = USUAL.iter().map(|name| here.join(name)).filter(|path| is_proxys(path));
    let first = found.next().ok_or_else(|| {
        usage(format!(
            "no configuration of LiteLLM's proxy is in {}; name it by --file",
            report::plain(&here.display().to_string())
        ))
    })?;
    match found.next() {
        None => Ok(first),
        Some(other) => Err(usage(format!(
            "{} and {} are both a proxy's configuration; name one by --file",
            report::plain(&first.display().to_string()),
            report::plain(&other.display().to_string())
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
fn key(location: &Location, proxy: &Proxy) -> PathBuf {
    let path = location.path();
    let mut key = fs::canonicalize(&path).unwrap_or(path).into_os_string();
    key.push(format!("#{}", proxy.agent));
    key.into()
}

fn unfit(location: &Location, error: &SettingsError) -> Stopped {
    problem(format!(
        "{}: {error}; nothing was changed",
        report::plain(&location.path().display().to_string())
    ))
}
