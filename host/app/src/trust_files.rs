//! The files that determine which plugins may be added and which are never called: `policy.toml`, `allowed_signers` and
//! `revoked.krl` next to the administrator's, the user's and a project's `hooks.toml`.

use std::{
    collections::BTreeSet,
    io::{self, Read},
    path::{Path, PathBuf},
};

use hookbox::{
    HookSpec, Sha256Digest, ShippedPlugins,
    hook::{RefusedPlugins, WasmSpec},
    hookfile::Problem,
    model::{Layer, PluginName},
    sandbox::component_file::MAX_COMPONENT_BYTES,
};
use hookbox_platform::file;
use hookbox_trust::{
    allowed_signers::MAX_SIGNERS_BYTES,
    policies::{Policies, PolicyOf},
    policy::Policy,
    revocation_list::Krl,
};

use crate::{
    layers,
    places::Places,
    plugin_lock::{LockedPlugin, PluginLock},
    plugin_store::PluginStore,
    settings_file::Location,
    sidecars,
};

const POLICY: &str = "policy.toml";
const REVOKED: &str = "revoked.krl";
const SIGNERS: &str = "allowed_signers";
const LOCK: &str = "hookbox.lock";

/// The policies and lists of revoked keys that apply in a folder.
#[derive(Clone, Debug, Default)]
pub struct TrustFiles {
    /// All policies.
    pub policies: Policies,
    revoked: Vec<Krl>,
}

/// Returns the folders of these files, whether they exist or not.
fn list_trust_folders(places: &Places, project: Option<&Path>) -> Vec<(Layer, PathBuf)> {
    let folder = |layer, file: Option<PathBuf>| Some((layer, file?.parent()?.to_owned()));
    let managed = folder(Layer::Managed, Some(Places::managed_config()));
    let user = folder(Layer::User, places.user_config());
    let project = project.map(|root| (Layer::Project, root.join(".hookbox")));
    managed.into_iter().chain(user).chain(project).collect()
}

impl TrustFiles {
    /// Reads the files, and returns their problems. A project's list of revoked keys is not read: the user decides who may
    /// sign.
    pub fn read_files(
        places: &Places,
        project: Option<&Path>,
        shipped: &ShippedPlugins,
    ) -> (Self, Vec<Problem>) {
        let (mut all, mut problems) = (Self::default(), Vec::new());
        for (layer, folder) in list_trust_folders(places, project) {
            if let Err(problem) = all.read_folder(layer, &folder, shipped) {
                problems.push(*problem);
            }
        }
        (all, problems)
    }

    fn read_folder(
        &mut self,
        layer: Layer,
        folder: &Path,
        shipped: &ShippedPlugins,
    ) -> Result<(), Box<Problem>> {
        let (policy, revoked) = (folder.join(POLICY), folder.join(REVOKED));
        let wrong = |file: &Path, why: String| layers::find_sibling_errors((layer, file), shipped, why);
        if let Some(bytes) = layers::read_sidecar((layer, &policy), shipped)? {
            let text = String::from_utf8(bytes).map_err(|_| wrong(&policy, "it is not UTF-8".to_owned()))?;
            let read = Policy::parse(&text).map_err(|why| wrong(&policy, why.to_string()))?;
            self.policies = std::mem::take(&mut self.policies).with_policy(select_policy_origin(layer), read);
        }
        // A project could otherwise revoke the publisher of a guard that the user relies on.
        if layer != Layer::Project
            && let Some(bytes) = layers::read_sidecar((layer, &revoked), shipped)?
        {
            self.revoked.push(Krl::parse(&bytes).map_err(|why| wrong(&revoked, why.to_string()))?);
        }
        Ok(())
    }

    /// Returns the plugins that are never called: by the user's own hooks, and by those of the project with this root. A
    /// project's policy does not apply to the user's own hooks.
    pub(crate) fn find_refused(
        &self,
        (places, project): (&Places, Option<&Path>),
        hooks: &[HookSpec],
        shipped: &ShippedPlugins,
        problems: &mut Vec<Problem>,
    ) -> (RefusedPlugins, RefusedPlugins) {
        let denied = self
            .policies
            .denied()
            .map(|(of, digest, why)| (of, digest.clone(), format!("{of} denies it: {why}")));
        let denied: Vec<_> = denied.collect();
        let Revoked { own, untrusted } = self.find_revoked((places, project), hooks, shipped, problems);
        let of_untrusted = denied.iter().map(|(_, digest, why)| (digest.clone(), why.clone()));
        let of_untrusted = RefusedPlugins::new(of_untrusted.chain(own.iter().cloned()).chain(untrusted));
        let denied = denied.into_iter().filter(|(of, ..)| *of != PolicyOf::Project);
        (RefusedPlugins::new(denied.map(|(_, digest, why)| (digest, why)).chain(own)), of_untrusted)
    }

    /// Returns the plugins signed with revoked keys: by lock files, and by the signatures next to a file that is not in the
    /// user's lock file. Nothing is read while no key is revoked.
    fn find_revoked(
        &self,
        (places, project): (&Places, Option<&Path>),
        hooks: &[HookSpec],
        shipped: &ShippedPlugins,
        problems: &mut Vec<Problem>,
    ) -> Revoked {
        let (mut revoked, mut known) = (Revoked::default(), BTreeSet::new());
        if !self.revokes_any() {
            return revoked;
        }
        for at in list_trust_folders(places, project) {
            match lock_in(&at, shipped) {
                Ok(lock) => {
                    let digest = |row: &LockedPlugin| Sha256Digest::parse(&row.sha256);
                    let refused = lock.iter().filter_map(|row| Some((digest(row)?, self.revoked_of(row)?)));
                    // The project's author writes its lock file as well as its plugins, and could give a plugin of the user's a revoked
                    // signer.
                    let of_layer =
                        if at.0 == Layer::Project { &mut revoked.untrusted } else { &mut revoked.own };
                    of_layer.extend(refused);
                    let rows = lock.iter().filter(|_| at.0 != Layer::Project);
                    known.extend(rows.map(|row| row.sha256.clone()));
                }
                Err(problem) => {
                    problems.push(*problem);
                    // Who signed which plugin is unknown then; a damaged lock file must not bring a revoked key back.
                    revoked.own.extend(list_unattributed(places, &at));
                }
            }
        }
        let store = places.store().map(PluginStore::new);
        for wasm in hooks.iter().filter_map(HookSpec::wasm).filter(|wasm| !wasm.is_shipped) {
            let Some(refused) = self.revoked_without_a_row(wasm, &known, store.as_ref()) else { continue };
            match wasm.confined_to {
                None => revoked.own.push(refused),
                Some(_) => revoked.untrusted.push(refused),
            }
        }
        revoked
    }

    /// Returns a plugin signed with a revoked key, by the signatures next to its file or next to the same file in the store.
    fn revoked_without_a_row(
        &self,
        wasm: &WasmSpec,
        known: &BTreeSet<String>,
        store: Option<&PluginStore>,
    ) -> Option<(Sha256Digest, String)> {
        let is_known = |digest: &Sha256Digest| known.contains(digest.as_str());
        if wasm.sha256.as_ref().is_some_and(is_known) {
            return None;
        }
        let stored = store.zip(wasm.sha256.as_ref()).map(|(store, digest)| store.file_path(digest.as_str()));
        let mut files = [Some(wasm.path.clone()), stored].into_iter().flatten();
        let key = files.find_map(|file| self.find_adjacent_revocation(&file))?;
        let digest = wasm.sha256.clone().or_else(|| digest_of(wasm)).filter(|digest| !is_known(digest))?;
        Some((digest, signed_with_revoked(&key)))
    }

    /// Returns the first revoked key of those named by the signatures next to this file. The signatures are not verified.
    pub(crate) fn find_adjacent_revocation(&self, plugin: &Path) -> Option<String> {
        if !self.revokes_any() {
            return None;
        }
        sidecars::read_signing_keys(plugin).find(|key| self.is_revoked(key))
    }

    /// Returns the reason why a project's plugin is never called, by the signatures next to its file, regardless of the
    /// project's lock file.
    pub fn refuses_file(&self, plugin: &Path) -> Option<String> {
        self.find_adjacent_revocation(plugin).map(|key| signed_with_revoked(&key))
    }

    /// Returns the reason if this plugin is never called: it is denied, or signed with revoked keys.
    pub fn find_refusal_reason(&self, row: &LockedPlugin) -> Option<String> {
        let mut denied = self.policies.denied();
        let denied = denied.find(|(_, digest, _)| digest.as_str() == row.sha256);
        denied.map(|(of, _, why)| format!("{of} denies it: {why}")).or_else(|| self.revoked_of(row))
    }

    fn revokes_any(&self) -> bool {
        self.revoked.iter().any(|list| !list.is_empty())
    }

    /// Returns the reason why a plugin has fewer valid signers than required, now that some keys are revoked.
    fn revoked_of(&self, row: &LockedPlugin) -> Option<String> {
        let signer = row.signer.as_ref()?;
        let (revoked, left): (Vec<_>, Vec<_>) = signer.keys().partition(|key| self.is_revoked(key));
        let name = row.plugin.as_deref().and_then(PluginName::parse);
        let least = name.map_or(1, |name| self.policies.compute_threshold(&name).max(1));
        (!revoked.is_empty() && left.len() < least).then(|| {
            format!(
                "it is signed by {signer}, and the key {} is revoked: it takes a release that is signed with another key (`hookbox plugin \
                 update {1}`, or `hookbox plugin add` of its file); until there is one, `hookbox plugin remove {1}`",
                revoked.join(", "),
                row.name
            )
        })
    }

    /// Returns true if the key with this fingerprint is revoked.
    pub fn is_revoked(&self, key: &str) -> bool {
        self.revoked.iter().any(|list| list.revokes_fingerprint(key))
    }
}

#[derive(Default)]
struct Revoked {
    /// For the user's own hooks and all others.
    own: Vec<(Sha256Digest, String)>,
    /// For untrusted hooks alone: files next to their plugins do not affect the user's hooks.
    untrusted: Vec<(Sha256Digest, String)>,
}

fn signed_with_revoked(key: &str) -> String {
    format!(
        "it is signed with the key {key}, which is revoked, and the user's hookbox.lock names no other signer; remove its hook, and `hookbox plugin add` a release with a new signature"
    )
}

/// Returns the digest of a plugin's file that no entry pins; `None` if it cannot be read, which the loader reports.
fn digest_of(wasm: &WasmSpec) -> Option<Sha256Digest> {
    let bytes = sidecars::read_plain_file(&wasm.file().ok()?, MAX_COMPONENT_BYTES).ok()?;
    Some(Sha256Digest::of_content(&bytes))
}

/// Reads the lock file of this folder; empty if it does not exist.
fn lock_in((layer, folder): &(Layer, PathBuf), shipped: &ShippedPlugins) -> Result<PluginLock, Box<Problem>> {
    let file = folder.join(LOCK);
    let Some(bytes) = layers::read_sidecar((*layer, &file), shipped)? else {
        return Ok(PluginLock::default());
    };
    let wrong = |why: String| layers::find_sibling_errors((*layer, &file), shipped, why);
    let text = String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8".to_owned()))?;
    PluginLock::parse(&text).map_err(|why| wrong(why.to_string()))
}

/// Returns all plugins in the user's store, where some keys are revoked and the signers are not known.
fn list_unattributed(places: &Places, (layer, folder): &(Layer, PathBuf)) -> Vec<(Sha256Digest, String)> {
    let Some(store) = places.store().filter(|_| *layer == Layer::User) else { return Vec::new() };
    let digests = PluginStore::new(store).digests().unwrap_or_default();
    let why = format!("keys are revoked, and {} does not name the signers", folder.join(LOCK).display());
    digests.into_iter().map(|digest| (digest, why.clone())).collect()
}

fn select_policy_origin(layer: Layer) -> PolicyOf {
    match layer {
        Layer::Managed => PolicyOf::Managed,
        Layer::Project => PolicyOf::Project,
        _ => PolicyOf::User,
    }
}

/// Returns all of these files, whether they exist or not: they affect which plugins a hook may call.
pub(crate) fn list_watched_files(places: &Places, project: Option<&Path>) -> Vec<PathBuf> {
    let of_folder = |(_, folder): (Layer, PathBuf)| [POLICY, REVOKED, LOCK].map(|name| folder.join(name));
    list_trust_folders(places, project).into_iter().flat_map(of_folder).collect()
}

/// Returns the files for checking signatures that exist: signers, revoked keys and policies, the administrator's first.
pub fn for_checking(places: &Places) -> Vec<(&'static str, PathBuf)> {
    let names = [("--allowed-signers", SIGNERS), ("--krl", REVOKED), ("--policy", POLICY)];
    let of_folder = |(_, folder): (Layer, PathBuf)| names.map(|(word, name)| (word, folder.join(name)));
    list_trust_folders(places, None)
        .into_iter()
        .flat_map(of_folder)
        .filter(|(_, file)| file.exists())
        .collect()
}

/// Returns the location of the user's list of allowed signers, which may not exist; `None` if the home folder is unknown.
pub fn locate_users_signers(places: &Places) -> Option<Location> {
    Some(Location::User(places.user_config()?.with_file_name(SIGNERS)))
}

/// Returns the existing lists of allowed signers, with their texts.
pub fn read_signers(places: &Places) -> Vec<(PathBuf, io::Result<String>)> {
    let files = list_trust_folders(places, None).into_iter().map(|(_, folder)| folder.join(SIGNERS));
    files.filter(|file| file.exists()).map(|file| (file.clone(), text_of_signers(&file))).collect()
}

fn text_of_signers(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    // One byte more than the maximum reveals that it is too long.
    file::open(file)?.take(MAX_SIGNERS_BYTES as u64 + 1).read_to_string(&mut text)?;
    Ok(text)
}
