//! The plugins that are exported, each with its statement and signatures.

use std::path::{Path, PathBuf};

use hookbox::{
    HookSpec, Sha256Digest, ShippedPlugins,
    hookfile::Loaded,
    model::{Grants, ToolClass},
};
use hookbox_app::{
    places::Places,
    plugin_entry::{PluginEntry, convert_settings},
    plugin_home::PluginHome,
    plugin_lock::{LockedPlugin, PluginLock, is_hook_name},
    plugin_store::PluginStore,
    users_hooks,
};
use hookbox_trust::{Refusal, signing, sshsig::Envelope, statement::Release};

use crate::{
    bundle::{
        Plugin, Sidecars, describe_read_error, display_path, read_plain_file, signature_file, statement_file,
    },
    exit::Fault,
};
use hookbox::sandbox::component_file::MAX_COMPONENT_BYTES;

/// The event of a plugin that names none.
const USUAL: &str = "tool.before";

pub(crate) struct ExportedPlugin {
    /// The name of its hook and of its file.
    pub(crate) name: String,
    pub(crate) plugin: Plugin,
    /// Its lines in the bundle's `hooks.toml`.
    pub(crate) entry: String,
    component: Vec<u8>,
    statement: Vec<u8>,
    signatures: Vec<String>,
}

impl ExportedPlugin {
    /// Returns its files, with their paths in the bundle.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let file = file_of(&self.name);
        let path = Path::new(&file);
        let name = |path: PathBuf| path.to_string_lossy().into_owned();
        let mut files = vec![
            (file.clone(), self.component.clone()),
            (name(statement_file(path)), self.statement.clone()),
        ];
        for (number, armored) in self.signatures.iter().enumerate() {
            files.push((name(signature_file(path, number)), armored.clone().into_bytes()));
        }
        files
    }

    /// Reads a plugin's file with its sidecar files. A recipient could not detect a change on the way otherwise, so a file
    /// without a valid signature is not exported.
    pub(crate) fn read_file(file: &Path) -> Result<Self, Fault> {
        let most = usize::try_from(MAX_COMPONENT_BYTES).unwrap_or(usize::MAX);
        let component =
            read_plain_file(file, most).map_err(|error| Fault::Usage(describe_read_error(file, &error)))?;
        let plugin = Plugin::from_bytes(file, &component)?;
        let Sidecars { statement, signatures } = Sidecars::read_files(file)?;
        let at = display_path(file);
        let Some(statement) = statement.filter(|_| !signatures.is_empty()) else {
            return Err(Fault::Failed(format!(
                "{at} is not signed, so its users cannot verify it; sign it: hookbox plugin sign {at} --key KEY"
            )));
        };
        let wrong =
            |why: Refusal| Fault::Failed(format!("{at} does not match its statement and signatures: {why}"));
        // Agents copy a folder without checking it, so only a valid release leaves this machine.
        Release::parse(&statement)
            .and_then(|release| release.check_component(plugin.component()))
            .map_err(wrong)?;
        for (_, armored) in &signatures {
            Envelope::parse(armored)
                .and_then(|envelope| signing::verify_signature(&envelope, &statement))
                .map_err(wrong)?;
        }
        let name = name_of(&plugin)?;
        let signatures = signatures.into_iter().map(|(_, armored)| armored).collect();
        Ok(Self { name, plugin, entry: String::new(), component, statement, signatures })
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = String> {
        self.signatures.iter().filter_map(|armored| Some(Envelope::parse(armored).ok()?.key().fingerprint()))
    }

    pub(super) fn with_lines(self, entry: String) -> Self {
        Self { entry, ..self }
    }

    fn with_entry(mut self, on: Vec<String>, classes: Vec<ToolClass>, config: Option<String>) -> Self {
        let entry = PluginEntry {
            name: self.name.clone(),
            on,
            classes,
            role: None,
            path: file_of(&self.name),
            sha256: self.plugin.digest.clone(),
            // Exporting a plugin grants it nothing.
            grants: Grants::default(),
            config,
        };
        self.entry = entry.bare_lines();
        self
    }
}

/// Returns the plugin's own name in the form of a hook's name.
fn name_of(plugin: &Plugin) -> Result<String, Fault> {
    let name = plugin.manifest.name.as_str().replace('/', "-");
    if is_hook_name(&name) {
        return Ok(name);
    }
    Err(Fault::Failed(format!(
        "the plugin's name, {}, is too long for a hook",
        plugin.manifest.name.as_str()
    )))
}

fn file_of(name: &str) -> String {
    format!("plugins/{name}.wasm")
}

/// Reads a plugin's file that the user named, for the events in its manifest.
pub(crate) fn of_file(file: &Path) -> Result<ExportedPlugin, Fault> {
    let chosen = ExportedPlugin::read_file(file)?;
    let named = chosen.plugin.manifest.events.names();
    let on = if named.is_empty() { vec![USUAL.to_owned()] } else { named.to_vec() };
    Ok(chosen.with_entry(on, Vec::new(), None))
}

/// Returns the user's added plugins with these names; without names, all signed ones.
pub(crate) fn list_added_plugins(names: &[&str], places: &Places) -> Result<Vec<ExportedPlugin>, Fault> {
    let added = AddedPlugins::read_home(places)?;
    if names.is_empty() {
        let signed: Vec<_> = added.lock.iter().filter(|row| row.signer.is_some()).collect();
        if signed.is_empty() {
            return Err(Fault::Failed(
                "no signed plugin was added; name the plugin file to export".to_owned(),
            ));
        }
        return signed.into_iter().map(|row| added.read_chosen(row)).collect();
    }
    names.iter().map(|name| added.read_chosen(added.find_plugin(name)?)).collect()
}

struct AddedPlugins {
    home: PluginHome,
    lock: PluginLock,
    hooks: Loaded,
    store: Option<PluginStore>,
}

impl AddedPlugins {
    fn read_home(places: &Places) -> Result<Self, Fault> {
        let failed = |error: String| Fault::Failed(error);
        let home = PluginHome::of_user(places)
            .ok_or_else(|| failed("the home folder is unknown; set HOME".to_owned()))?;
        let lock = home.lock().map_err(|error| failed(error.to_string()))?;
        let file = home.hooks().path();
        // An unreadable file does not count as one without hooks: their settings would be left out.
        let text = home.hooks().look().map_err(|error| failed(error.to_string()))?.unwrap_or_default();
        let hooks = users_hooks(&file, &ShippedPlugins::default(), text);
        Ok(Self { home, lock, hooks, store: places.store().map(PluginStore::new) })
    }

    /// Finds a plugin by the name of its hook, or by its own name.
    fn find_plugin(&self, name: &str) -> Result<&LockedPlugin, Fault> {
        let by_own = || self.lock.iter().find(|row| row.plugin.as_deref() == Some(name));
        self.lock.get(name).or_else(by_own).ok_or_else(|| {
            let name = crate::printer::to_plain_line(name);
            Fault::Usage(format!(
                "no added plugin is called `{name}`; `hookbox plugin list` lists them, and the path of a plugin file ends in `.wasm`"
            ))
        })
    }

    fn read_chosen(&self, row: &LockedPlugin) -> Result<ExportedPlugin, Fault> {
        let file = match &self.store {
            Some(store) if row.is_stored() => store.file_path(&row.sha256),
            _ => self.home.file_path(&row.file),
        };
        let chosen = ExportedPlugin::read_file(&file)?;
        if Sha256Digest::parse(&row.sha256).as_ref() != Some(&chosen.plugin.digest) {
            let file = display_path(&file);
            return Err(Fault::Failed(format!(
                "{file} differs from the file that was added as `{}`; add the plugin again",
                row.name
            )));
        }
        let all = self.hooks.hooks.iter().chain(&self.hooks.disabled);
        let Some(hook) = all.into_iter().find(|hook| hook.name == row.name) else { return of_file(&file) };
        with_hook_settings(chosen, hook)
    }
}

/// Sets the events and the settings of the user's hook.
fn with_hook_settings(chosen: ExportedPlugin, hook: &HookSpec) -> Result<ExportedPlugin, Fault> {
    let on = hook.events.iter().map(ToString::to_string).collect();
    let classes = hook.tool.as_ref().map(|tool| tool.classes.clone()).unwrap_or_default();
    let config = Some(hook.config.as_str()).filter(|config| *config != "{}").map(convert_settings);
    let config = config.transpose().map_err(|error| error.to_string())?;
    Ok(chosen.with_entry(on, classes, config))
}
