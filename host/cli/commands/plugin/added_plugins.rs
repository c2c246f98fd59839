//! The plugins that were added to a folder: its `hooks.toml`, its `hookbox.lock`, and whether they agree.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use hookbox::{
    HookSpec, Sha256Digest, ShippedPlugins,
    hookfile::{Loaded, Problem, Severity},
    sandbox::component_file::MAX_COMPONENT_BYTES,
};
use hookbox_app::{
    places::Places,
    plugin_home::PluginHome,
    plugin_lock::{LockedPlugin, PluginLock},
    plugin_store::PluginStore,
    projects_hooks,
    trust_files::{self, TrustFiles},
    users_hooks,
};
use hookbox_platform::file::{self, is_there};
use hookbox_trust::{allowed_signers::AllowedSigners, policies::Policies};

use super::disallowed_plugins;
use crate::{
    commands::agent_change::{CommandError, problem_error, project_root},
    environment,
    printer::{Printer, WARNING},
    report::sanitize_line,
};

pub(super) struct Added {
    pub(super) home: PluginHome,
    /// `hooks.toml`, if it exists.
    pub(super) found: Option<String>,
    pub(super) loaded: Loaded,
    pub(super) lock: PluginLock,
    shipped: ShippedPlugins,
    /// Policies and revocations; empty where they cannot be read, which `check` reports and for which every event is denied.
    trust: TrustFiles,
    /// Store of fetched plugins; `None` for a project, which contains its plugins.
    pub(super) store: Option<PluginStore>,
}

pub(super) fn select_home(of_project: bool, places: &Places) -> Result<PluginHome, CommandError> {
    if of_project {
        return project_root(places).map(PluginHome::Project);
    }
    PluginHome::of_user(places).ok_or_else(|| problem_error("the home folder is unknown; set HOME"))
}

impl Added {
    pub(super) fn read(home: PluginHome, places: &Places) -> Result<Self, CommandError> {
        let store = places.store().filter(|_| home.project().is_none()).map(PluginStore::new);
        let shipped = environment::shipped_plugins();
        let found = home.hooks().look().map_err(problem_error)?;
        let loaded = load_hooks(&home, &shipped, found.clone().unwrap_or_default());
        let lock = home.lock().map_err(problem_error)?;
        let (trust, _) = TrustFiles::read_files(places, home.project(), &shipped);
        Ok(Self { home, found, loaded, lock, shipped, trust, store })
    }

    /// Describes the signer for the user. The statement of a project's lock file is untrusted, since it is not verified.
    pub(super) fn describe_signer(&self, row: &LockedPlugin) -> String {
        match (&row.signer, self.home.project()) {
            (Some(signer), Some(_)) => {
                format!("the project names {signer} as the signer, which was not verified")
            }
            _ => row.signed(),
        }
    }

    pub(super) fn locate_file(&self, row: &LockedPlugin) -> PathBuf {
        let stored = self.store.as_ref().filter(|_| row.is_stored());
        stored.map_or_else(|| self.home.file_path(&row.file), |store| store.file_path(&row.sha256))
    }

    /// Returns the path for a file with this digest in the store, if there is a store.
    pub(super) fn locate_stored(&self, sha256: &Sha256Digest) -> Option<PathBuf> {
        self.store.as_ref().map(|store| store.file_path(sha256.as_str()))
    }

    /// Returns the hooks of the folder with this text in `hooks.toml`.
    pub(super) fn load_hooks_from(&self, text: &str) -> Loaded {
        load_hooks(&self.home, &self.shipped, text.to_owned())
    }

    /// Returns the hook of this name, on or off.
    pub(super) fn find_hook(&self, name: &str) -> Option<&HookSpec> {
        find_loaded_hook(&self.loaded, name)
    }

    /// Returns an error in `hooks.toml`, which prevents writing it.
    pub(super) fn error(&self) -> Option<&Problem> {
        find_first_error(&self.loaded)
    }

    /// Returns true if this hook calls the file of this plugin.
    pub(super) fn is_called_by(&self, hook: &HookSpec, row: &LockedPlugin) -> bool {
        hook.wasm().is_some_and(|wasm| wasm.path == self.locate_file(row))
    }

    /// Returns the path of `hooks.toml`, for messages.
    pub(super) fn hooks_file(&self) -> String {
        format_path(&self.home.hooks().path())
    }

    /// Returns the problems of an added plugin, a sentence each.
    pub(super) fn list_problems(&self, row: &LockedPlugin) -> Vec<String> {
        let LockedPlugin { name, sha256, .. } = row;
        let path = self.locate_file(row);
        let again = if self.home.project().is_some() { " --here" } else { "" };
        let mut doubts = Vec::new();
        if !is_there(&path) {
            doubts.push(format!(
                "{} does not exist: add it again, or `hookbox plugin remove {name}{again}`",
                format_path(&path)
            ));
        } else if self.compute_digest(row).is_none_or(|digest| digest != *sha256) {
            doubts.push(format!(
                "{} is another file than the one that was added (hookbox.lock has its SHA-256): add it again",
                format_path(&path)
            ));
        }
        match self.find_hook(name) {
            None => doubts.push(format!("no hook `{name}` in {} calls it", self.hooks_file())),
            Some(hook) if !self.is_called_by(hook, row) => {
                doubts.push(format!("the hook `{name}` in {} calls something else", self.hooks_file()));
            }
            Some(hook) => doubts.extend(of_pin(hook, row)),
        }
        doubts.extend(self.explain_refusal(row));
        doubts
    }

    pub(super) fn policies(&self) -> &Policies {
        &self.trust.policies
    }

    /// Returns a sentence if the plugin is never called, with the reason.
    pub(super) fn explain_refusal(&self, row: &LockedPlugin) -> Option<String> {
        let beside = || self.home.project().and_then(|_| self.trust.refuses_file(&self.locate_file(row)));
        self.trust.find_refusal_reason(row).or_else(beside).map(|why| format!("it is never called: {why}"))
    }

    /// Returns the digest of its file now.
    pub(super) fn compute_digest(&self, row: &LockedPlugin) -> Option<String> {
        let file = file::open(&self.locate_file(row)).ok()?;
        let mut bytes = Vec::new();
        // A file that is too long is cut, and has another digest than any plugin.
        file.take(MAX_COMPONENT_BYTES + 1).read_to_end(&mut bytes).ok()?;
        Some(Sha256Digest::of_content(&bytes).as_str().to_owned())
    }
}

/// Returns a problem if entry and lock file pin different files.
pub(super) fn of_pin(hook: &HookSpec, row: &LockedPlugin) -> Option<String> {
    let pin = hook.wasm()?.sha256.as_ref().map(Sha256Digest::as_str);
    if pin == Some(row.sha256.as_str()) {
        return None;
    }
    let name = &row.name;
    Some(match pin {
        Some(pin) => format!(
            "its entry pins another file (sha256 {pin}) than hookbox.lock (sha256 {}): add `{name}` again, from the file that you \
             mean",
            row.sha256
        ),
        None => format!(
            "its entry pins no file any more, so any would be called; write into its `wasm`: sha256 = \"{}\"",
            row.sha256
        ),
    })
}

/// Warns of plugins whose entry and lock file pin different files, or that policies would reject today, of invalid lock files
/// and lists of signers, and of unknown names in policies; returns the number of warnings.
pub(in super::super) fn warn_of_pins(places: &Places, folder: &Path, printer: &Printer) -> usize {
    let (signers, unread) = read_signers(places);
    let mut doubts = Vec::new();
    for home in find_homes(places, folder) {
        let file = format_path(&home.plugin_lock_path());
        match Added::read(home, places) {
            Err((_, why)) => doubts.push(why),
            Ok(added) => {
                let pins = added.lock.iter().filter_map(|row| {
                    let hook = added.find_hook(&row.name).filter(|hook| added.is_called_by(hook, row))?;
                    Some(format!("{file}: `{}`: {}", row.name, of_pin(hook, row)?))
                });
                doubts.extend(pins);
                doubts.extend(disallowed_plugins::find_disallowed(&added, &signers));
            }
        }
    }
    // With a list missing, its names would be reported as unknown.
    if unread.is_empty() {
        doubts.extend(disallowed_plugins::unknown_principals(places, folder, &signers));
    }
    doubts.extend(unread);
    for doubt in &doubts {
        printer.print_note(&format!("{WARNING}warning{WARNING:#}: {}", sanitize_line(doubt)));
    }
    doubts.len()
}

/// Returns the allowed signers, and the problems of their lists: a list that cannot be parsed verifies nothing.
pub(super) fn read_signers(places: &Places) -> (AllowedSigners, Vec<String>) {
    let (mut all, mut unread) = (AllowedSigners::default(), Vec::new());
    for (file, read) in trust_files::read_signers(places) {
        let parsed = read
            .map_err(|error| format!("it cannot be read: {error}"))
            .and_then(|text| AllowedSigners::parse(&text).map_err(|why| why.to_string()));
        match parsed {
            Ok(signers) => all.extend_lines(signers),
            Err(why) => {
                unread.push(format!("{}: no signature is accepted because of it: {why}", format_path(&file)));
            }
        }
    }
    (all, unread)
}

/// Signers of the added plugins, by path and digest of their copies.
pub(in super::super) struct SignedPlugins(Vec<(PathBuf, String, String)>);

impl SignedPlugins {
    /// Returns those of the user and of the project around this folder.
    pub(in super::super) fn of(places: &Places, folder: &Path) -> Self {
        let added = find_homes(places, folder).into_iter().filter_map(|home| Added::read(home, places).ok());
        let rows = added.flat_map(|added| {
            let of =
                |row: &LockedPlugin| (added.locate_file(row), row.sha256.clone(), added.describe_signer(row));
            added.lock.iter().map(of).collect::<Vec<_>>()
        });
        Self(rows.collect())
    }

    /// Describes the signer of the plugin that this hook calls; `None` if that was not added.
    pub(in super::super) fn describe_signer(&self, hook: &HookSpec) -> Option<String> {
        let wasm = hook.wasm()?;
        let (_, sha256, signed) = self.0.iter().find(|(file, ..)| *file == wasm.path)?;
        Some(match &wasm.sha256 {
            Some(pin) if pin.as_str() == sha256 => sanitize_line(signed),
            Some(_) => "its signer is unknown: its entry pins another file than hookbox.lock".to_owned(),
            None => "its signer is unknown: its entry pins no file".to_owned(),
        })
    }
}

/// Returns the hook of this name, on or off.
pub(super) fn find_loaded_hook<'a>(loaded: &'a Loaded, name: &str) -> Option<&'a HookSpec> {
    loaded.hooks.iter().chain(&loaded.disabled).find(|hook| hook.name == name)
}

pub(super) fn find_first_error(loaded: &Loaded) -> Option<&Problem> {
    loaded.problems.iter().find(|problem| problem.severity == Severity::Error)
}

fn load_hooks(home: &PluginHome, shipped: &ShippedPlugins, text: String) -> Loaded {
    let file = home.hooks().path();
    match home {
        PluginHome::User(_) => users_hooks(&file, shipped, text),
        PluginHome::Project(root) => projects_hooks(root, &file, shipped, text),
    }
}

/// Formats a path for a message: the file's name may be untrusted.
pub(super) fn format_path(path: &Path) -> String {
    sanitize_line(&path.display().to_string())
}

/// Returns the folders of the user and of the project around this one, where plugins were added.
pub(super) fn find_homes(places: &Places, folder: &Path) -> Vec<PluginHome> {
    let project = places.project_config(folder).map(|project| PluginHome::Project(project.root));
    let homes = PluginHome::of_user(places).into_iter().chain(project);
    homes.filter(|home| is_there(&home.plugin_lock_path())).collect()
}

/// Returns the real path of a file.
pub(super) fn resolve_links(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
