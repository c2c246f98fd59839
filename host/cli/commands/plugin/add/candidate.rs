//! The plugin that would be added: its entry, and the one that it replaces.

use hookbox::{
    HookSpec, Target,
    config::{did_you_mean, quote_word},
    model::{Effect, Grants, Manifest, RequestedGrants, Role, ToolClass},
    sandbox::inspect::Inspection,
};
use hookbox_app::{
    plugin_entry::{PluginEntry, repin_entry},
    plugin_home::PluginChange,
    plugin_lock::{self, LockedPlugin, PLUGINS, is_hook_name},
};

use super::{
    super::{
        added_plugins::{self, Added, find_loaded_hook, resolve_links},
        fetch::Fetched,
        trust_decision,
    },
    source::Source,
};
use crate::{
    args::PluginAddArgs,
    commands::agent_change::{CommandError, problem_error, usage_error},
};

/// The event of a plugin that names none.
const USUAL: &str = "tool.before";

/// A plugin that has not been added yet.
pub(in super::super) struct Candidate {
    pub(in super::super) entry: PluginEntry,
    /// The plugin of this name that was added before.
    pub(in super::super) before: Option<LockedPlugin>,
    /// Path of that plugin's copy, unless it is in the store.
    pub(in super::super) old_file: Option<String>,
    /// True if the new copy is in the store, and not next to `hooks.toml`.
    pub(in super::super) is_stored: bool,
    /// Warning that the publisher differs from the one before, if so.
    of_another: Option<String>,
    /// True if the file is the same as before.
    pub(in super::super) is_same: bool,
    /// The hook as its entry defines it, with the source file in place of its copy.
    pub(in super::super) hook: Option<HookSpec>,
    manifest: Option<Manifest>,
    row: LockedPlugin,
    /// Sidecar files of its publisher.
    sidecars: Vec<(String, Vec<u8>)>,
    path: std::path::PathBuf,
    /// True if an entry exists, whose settings stay.
    has_entry: bool,
    /// Note that neither the user nor the manifest names its events; empty if one does.
    events_hint: &'static str,
}

impl Candidate {
    pub(in super::super) fn new(
        args: &PluginAddArgs,
        source: &Source,
        inspection: &Inspection,
        added: &Added,
    ) -> Result<Self, CommandError> {
        let manifest = inspection.manifest.as_ref().ok().and_then(Clone::clone);
        let name = choose_name(args, source, manifest.as_ref())?;
        if let Some(error) = added.error() {
            let file = added.hooks_file();
            return Err(problem_error(format!(
                "nothing was added: {file} has an error; fix it first:\n{error}"
            )));
        }
        let before = added.lock.get(&name).cloned();
        let stored = source.fetched.as_ref().and_then(|_| added.locate_stored(&source.sha256));
        let path = format!("{PLUGINS}/{name}.{}", source.extension);
        let hook = added.find_hook(&name);
        check_name_free(&name, before.as_ref(), hook, added)?;
        // The store names files by their digests, so no file of the user's can be in the way there.
        if stored.is_none() {
            check_path_free(&path, source, before.as_ref(), added)?;
        }
        if hook.is_some() && !(args.on.is_empty() && args.classes.is_empty() && args.settings.is_none()) {
            let file = added.hooks_file();
            return Err(usage_error(format!(
                "`{name}` has an entry already, which is kept: omit --on, --tool and --settings, and change `on`, `tool` \
                 and `config` in {file}"
            )));
        }
        // Grants of one plugin do not apply to another that replaces it.
        let called = manifest.as_ref().map(|manifest| manifest.name.as_str());
        let signer = source.fetched.as_ref().and_then(|fetched| fetched.find_signer(before.as_ref()));
        let is_same_publisher = before
            .as_ref()
            .is_some_and(|before| trust_decision::is_same_publisher(before, source.fetched.as_ref()));
        let is_another_release =
            is_same_publisher && before.as_ref().is_some_and(|before| before.plugin.as_deref() == called);
        let entry = PluginEntry {
            on: choose_events(args, manifest.as_ref()),
            classes: parse_classes(&args.classes)?,
            role: choose_role(args.here, manifest.as_ref()),
            path: stored.as_ref().map_or_else(|| path.clone(), |file| file.display().to_string()),
            sha256: source.sha256.clone(),
            grants: hook.filter(|_| is_another_release).map(HookSpec::grants).unwrap_or_default(),
            config: args.settings.as_deref().map(convert_settings).transpose()?,
            name: name.clone(),
        };
        let row = LockedPlugin {
            name,
            plugin: manifest.as_ref().map(|manifest| manifest.name.as_str().to_owned()),
            version: manifest.as_ref().map(|manifest| manifest.version.to_string()),
            seq: manifest.as_ref().map(|manifest| manifest.seq),
            source: source.origin(),
            manifest: source.fetched.as_ref().and_then(|fetched| fetched.manifest.clone()),
            statement: source.fetched.as_ref().and_then(|fetched| fetched.statement.clone()),
            signer,
            expires: source.fetched.as_ref().and_then(|fetched| fetched.expires().map(str::to_owned)),
            file: if stored.is_some() {
                plugin_lock::build_stored_path(source.sha256.as_str())
            } else {
                path
            },
            size: source.bytes.len() as u64,
            sha256: source.sha256.as_str().to_owned(),
            granted: Vec::new(),
        };
        Ok(Self {
            is_same: before.as_ref().is_some_and(|before| {
                // A changed copy is repaired.
                before.sha256 == row.sha256
                    && added.compute_digest(before).is_some_and(|there| there == row.sha256)
            }),
            old_file: before.as_ref().filter(|before| !before.is_stored()).map(|before| before.file.clone()),
            is_stored: stored.is_some(),
            of_another: before.as_ref().filter(|_| !is_same_publisher).map(|before| of_another(&row, before)),
            has_entry: hook.is_some(),
            events_hint: suggest_events(args, manifest.as_ref()),
            path: source.path.clone(),
            sidecars: source.fetched.as_ref().map(Fetched::read_sidecars).unwrap_or_default(),
            hook: None,
            before,
            entry,
            manifest,
            row,
        })
    }

    /// Returns the capabilities that its manifest requests, if it has one.
    pub(in super::super) fn asks(&self) -> Option<&RequestedGrants> {
        self.manifest.as_ref().map(|manifest| &manifest.asks)
    }

    pub(in super::super) fn with_grants(mut self, grants: Grants) -> Self {
        self.row.granted = grants.names();
        self.entry.grants = grants;
        self
    }

    /// Returns the remarks to print, each with its key.
    pub(in super::super) fn remarks(&self) -> Vec<(&'static str, String)> {
        let PluginEntry { name, on, classes, .. } = &self.entry;
        let mut remarks = Vec::new();
        match &self.before {
            Some(before) if self.is_same => remarks
                .push(("hook", format!("{name}, which is this file already: sha256 {}", before.sha256))),
            Some(before) => {
                remarks.push(("hook", format!("{name}, which was added before and is replaced")));
                remarks.push(("before", describe_row(before)));
                remarks.push(("now", describe_row(&self.row)));
            }
            None => remarks.push(("hook", name.clone())),
        }
        if !self.has_entry {
            let tools: Vec<_> = classes.iter().map(|class| class.as_str()).collect();
            let tools =
                if tools.is_empty() { String::new() } else { format!(", tools {}", tools.join(", ")) };
            remarks.push(("on", format!("{}{tools}{}", on.join(", "), self.events_hint)));
        }
        remarks
    }

    /// Returns the reasons against adding it, a sentence each.
    pub(in super::super) fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        if let Some(before) = &self.before {
            if before.seq > self.row.seq {
                doubts.push(format!(
                    "it is older than the installed release ({} after {})",
                    self.row.seq.unwrap_or_default(),
                    before.seq.unwrap_or_default()
                ));
            }
            if before.plugin.is_some() && before.plugin != self.row.plugin {
                let called = |row: &LockedPlugin| row.plugin.clone().unwrap_or_else(|| "nothing".to_owned());
                doubts.push(format!(
                    "its name is {}, and that of the installed plugin is {}",
                    called(&self.row),
                    called(before)
                ));
            } else {
                doubts.extend(self.of_another.clone());
            }
        }
        doubts
    }

    /// Computes the changed files. The hook is read from them.
    pub(in super::super) fn compute_change(&mut self, added: &Added) -> Result<PluginChange, CommandError> {
        let PluginEntry { name, path, sha256, grants, .. } = &self.entry;
        let text = added.found.clone().unwrap_or_default();
        let hooks = match added.find_hook(name).filter(|_| self.has_entry) {
            None => self.entry.added_to(&text),
            Some(hook) => {
                let grants = Some(grants).filter(|grants| **grants != hook.grants());
                repin_entry(&text, name, (path, sha256), grants)
                    .map_err(|error| self.by_hand(&error.to_string(), added))?
            }
        };
        let loaded = added.load_hooks_from(&hooks);
        if let Some(error) = added_plugins::find_first_error(&loaded) {
            return Err(self.by_hand(&error.to_string(), added));
        }
        let mut hook = find_loaded_hook(&loaded, name).cloned();
        if let Some(Target::Wasm(wasm)) = hook.as_mut().map(|hook| &mut hook.target) {
            // The copy does not exist yet, so the plugin is tried from the source file.
            wasm.path.clone_from(&self.path);
            // The folder stays, so that its native code is cached for the first event; but the copy is not in the project
            // yet.
            if let Some(folder) = &mut wasm.confined_to {
                self.path.parent().unwrap_or(&self.path).clone_into(folder);
            }
        }
        self.hook = hook;
        Ok(PluginChange {
            found: added.found.clone(),
            hooks,
            lock: added.lock.clone().with_plugin(self.row.clone()),
        })
    }

    /// Writes its file, and then the files that name it.
    pub(in super::super) fn write_files(
        &self,
        bytes: &[u8],
        change: &PluginChange,
        added: &Added,
    ) -> Result<(), CommandError> {
        match added.store.as_ref().filter(|_| self.is_stored) {
            // It is not called yet, so `gc` removes it if the rest fails.
            Some(store) => {
                let failed = |error| {
                    problem_error(format!(
                        "nothing was added: {}: {error}",
                        added_plugins::format_path(store.folder())
                    ))
                };
                store
                    .put_file(bytes)
                    .and_then(|_| store.put_sidecars(&self.row.sha256, &self.sidecars))
                    .map_err(failed)?;
                added.home.apply_change(change).map_err(problem_error)?;
            }
            None => added.home.put_plugin(&self.entry.path, bytes, change).map_err(problem_error)?,
        }
        // Last, when no entry calls the former file any more.
        match self.old_file.as_ref().filter(|old| **old != self.entry.path) {
            Some(old) => added.home.remove_file(old).map_err(problem_error),
            None => Ok(()),
        }
    }

    fn by_hand(&self, why: &str, added: &Added) -> CommandError {
        let file = added.hooks_file();
        let name = &self.entry.name;
        problem_error(format!(
            "nothing was added: the entry of `{name}` cannot be put into {file}: {why}\nChange the file by hand, so that this entry fits, \
             and add it again:\n\n{}",
            self.entry.lines()
        ))
    }
}

fn of_another(row: &LockedPlugin, before: &LockedPlugin) -> String {
    format!(
        "it is {}, and the installed one is {}: it is another plugin, and does not get the grants of that one",
        row.signed(),
        before.signed()
    )
}

fn describe_row(row: &LockedPlugin) -> String {
    let called = row.plugin.iter().chain(&row.version).map(String::as_str).collect::<Vec<_>>().join(" ");
    let called = if called.is_empty() { String::new() } else { format!("{called}, ") };
    format!("{called}sha256 {}", row.sha256)
}

fn choose_name(
    args: &PluginAddArgs,
    source: &Source,
    manifest: Option<&Manifest>,
) -> Result<String, CommandError> {
    let own = manifest.and_then(|manifest| manifest.name.as_str().rsplit('/').next().map(str::to_owned));
    let name = args.name.clone().or(own).unwrap_or_else(|| source.stem());
    if is_hook_name(&name) {
        return Ok(name);
    }
    Err(usage_error(format!(
        "{} cannot be the name of a hook: 1 to 64 letters, digits, `.`, `_` and `-`, a letter or digit first; pass --name NAME",
        quote_word(&name)
    )))
}

/// Returns an error for a hook of this name that was not added, because it belongs to its author.
fn check_name_free(
    name: &str,
    before: Option<&LockedPlugin>,
    hook: Option<&HookSpec>,
    added: &Added,
) -> Result<(), CommandError> {
    let Some(hook) = hook else { return Ok(()) };
    if before.is_some_and(|row| added.is_called_by(hook, row)) {
        return Ok(());
    }
    let (file, line) = (added.hooks_file(), hook.origin.line);
    Err(problem_error(format!(
        "nothing was added: {file}:{line} has a hook `{name}` of its own, which `hookbox plugin add` did not write; pass --name NAME"
    )))
}

/// Returns an error for a file that was not added, because it belongs to its author, unless it is the very one that is to be
/// added.
fn check_path_free(
    path: &str,
    source: &Source,
    before: Option<&LockedPlugin>,
    added: &Added,
) -> Result<(), CommandError> {
    let is_there = added.home.is_there(path).map_err(problem_error)?;
    let file = added.home.file_path(path);
    let is_ours = before.is_some_and(|before| before.file == path)
        || resolve_links(&file) == resolve_links(&source.path);
    if !is_there || is_ours {
        return Ok(());
    }
    Err(problem_error(format!(
        "nothing was added: {} exists, and `hookbox plugin add` did not write it; move it away, or pass --name NAME",
        added_plugins::format_path(&file)
    )))
}

fn choose_events(args: &PluginAddArgs, manifest: Option<&Manifest>) -> Vec<String> {
    match (args.on.as_slice(), named_by(manifest)) {
        ([], []) => vec![USUAL.to_owned()],
        ([], names) => names.to_vec(),
        (named, _) => named.to_vec(),
    }
}

fn suggest_events(args: &PluginAddArgs, manifest: Option<&Manifest>) -> &'static str {
    let are_named = !(args.on.is_empty() && named_by(manifest).is_empty());
    if are_named { "" } else { " (it names no events; set them with --on EVENT)" }
}

/// Returns the events in its manifest.
fn named_by(manifest: Option<&Manifest>) -> &[String] {
    manifest.map_or(&[], |manifest| manifest.events.names())
}

fn parse_classes(words: &[String]) -> Result<Vec<ToolClass>, CommandError> {
    let class = |word: &String| {
        ToolClass::named(word).ok_or_else(|| {
            let known = ToolClass::ALL.map(ToolClass::as_str);
            usage_error(format!(
                "--tool: unknown class of tools {}; {}",
                quote_word(word),
                did_you_mean(word, &known)
            ))
        })
    };
    words.iter().map(class).collect()
}

/// Returns `transform` for a plugin that requests to rewrite, except in a project, where hooks may not.
fn choose_role(of_project: bool, manifest: Option<&Manifest>) -> Option<Role> {
    let rewrites = manifest.is_some_and(|manifest| manifest.effects.contains(Effect::Rewrite));
    (rewrites && !of_project).then_some(Role::Transform)
}

/// Converts a JSON object to a TOML table.
fn convert_settings(text: &str) -> Result<String, CommandError> {
    hookbox_app::plugin_entry::convert_settings(text)
        .map_err(|error| usage_error(format!("--settings: {error}")))
}
