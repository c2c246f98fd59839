//! The files that say which plugins may be added and which are never called: `policy.toml`, `allowed_signers` and `revoked.krl` beside
//! the administrator's, the user's and a project's `hooks.toml`.

use std::path::{Path, PathBuf};

use hookbox::{
    Sha256Digest, ShippedPlugins,
    hook::RefusedPlugins,
    hookfile::Problem,
    model::{Layer, PluginName},
};
use hookbox_trust::{
    krl::Krl,
    policies::{Policies, PolicyOf},
    policy::Policy,
};

use crate::{
    layers,
    places::Places,
    plugin_lock::{LockedPlugin, PluginLock},
};

const POLICY: &str = "policy.toml";
const REVOKED: &str = "revoked.krl";
const SIGNERS: &str = "allowed_signers";
const LOCK: &str = "hookbox.lock";

/// The policies and lists of revoked keys that hold in a folder.
#[derive(Clone, Debug, Default)]
pub struct TrustFiles {
    /// All policies.
    pub policies: Policies,
    revoked: Vec<Krl>,
}

/// The folders of these files, there or not.
fn folders(places: &Places, project: Option<&Path>) -> Vec<(Layer, PathBuf)> {
    let folder = |layer, file: Option<PathBuf>| Some((layer, file?.parent()?.to_owned()));
    let managed = folder(Layer::Managed, Some(Places::managed_config()));
    let user = folder(Layer::User, places.user_config());
    let project = project.map(|root| (Layer::Project, root.join(".hookbox")));
    managed.into_iter().chain(user).chain(project).collect()
}

impl TrustFiles {
    /// Reads them, and tells what is wrong with them. A project's list of revoked keys is not asked for: who may sign is the user's to
    /// say.
    pub fn read(places: &Places, project: Option<&Path>, shipped: &ShippedPlugins) -> (Self, Vec<Problem>) {
        let (mut all, mut problems) = (Self::default(), Vec::new());
        for (layer, folder) in folders(places, project) {
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
        let wrong = |file: &Path, why: String| layers::wrong_beside((layer, file), shipped, why);
        if let Some(bytes) = layers::beside((layer, &policy), shipped)? {
            let text = String::from_utf8(bytes).map_err(|_| wrong(&policy, "it is not UTF-8".to_owned()))?;
            let read = Policy::parse(&text).map_err(|why| wrong(&policy, why.to_string()))?;
            self.policies = std::mem::take(&mut self.policies).with(of(layer), read);
        }
        if layer != Layer::Project
            && let Some(bytes) = layers::beside((layer, &revoked), shipped)?
        {
            self.revoked.push(Krl::parse(&bytes).map_err(|why| wrong(&revoked, why.to_string()))?);
        }
        Ok(())
    }

    /// What is never called: of the user's own hooks, and of the project's with this root. A project refuses nothing of the user's.
    pub(crate) fn refused(
        &self,
        places: &Places,
        project: Option<&Path>,
        shipped: &ShippedPlugins,
        problems: &mut Vec<Problem>,
    ) -> (RefusedPlugins, RefusedPlugins) {
        let denied = self
            .policies
            .denied()
            .map(|(of, digest, why)| (of, digest.clone(), format!("{of} denies it: {why}")));
        let denied: Vec<_> = denied.collect();
        let revoked = folders(places, project).into_iter().filter(|_| self.revokes_any()).flat_map(|at| {
            self.revoked_in(&at, shipped).unwrap_or_else(|problem| {
                problems.push(*problem);
                Vec::new()
            })
        });
        let revoked: Vec<_> = revoked.collect();
        let of_strangers = denied.iter().map(|(_, digest, why)| (digest.clone(), why.clone()));
        let strangers = RefusedPlugins::new(of_strangers.chain(revoked.iter().cloned()));
        let own = denied.into_iter().filter(|(of, ..)| *of != PolicyOf::Project);
        (RefusedPlugins::new(own.map(|(_, digest, why)| (digest, why)).chain(revoked)), strangers)
    }

    fn revokes_any(&self) -> bool {
        self.revoked.iter().any(|list| !list.is_empty())
    }

    /// The plugins of a lock file that are signed by fewer keys than they have to be, now that some are revoked.
    fn revoked_in(
        &self,
        (layer, folder): &(Layer, PathBuf),
        shipped: &ShippedPlugins,
    ) -> Result<Vec<(Sha256Digest, String)>, Box<Problem>> {
        let file = folder.join(LOCK);
        let Some(bytes) = layers::beside((*layer, &file), shipped)? else { return Ok(Vec::new()) };
        let wrong = |why: String| layers::wrong_beside((*layer, &file), shipped, why);
        let text = String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8".to_owned()))?;
        let lock = PluginLock::parse(&text).map_err(|why| wrong(why.to_string()))?;
        let rows =
            lock.iter().filter_map(|row| Some((Sha256Digest::parse(&row.sha256)?, self.revoked_of(row)?)));
        Ok(rows.collect())
    }

    fn revoked_of(&self, row: &LockedPlugin) -> Option<String> {
        let signer = row.signer.as_ref()?;
        let (revoked, left): (Vec<_>, Vec<_>) = signer.keys().partition(|key| self.is_revoked(key));
        let name = row.plugin.as_deref().and_then(PluginName::parse);
        let least = name.map_or(1, |name| self.policies.threshold(&name).max(1));
        (!revoked.is_empty() && left.len() < least).then(|| {
            format!(
                "it is signed by {signer}, and the key {} is revoked; `hookbox plugin update {1}`, or `hookbox plugin remove {1}`",
                revoked.join(", "),
                row.name
            )
        })
    }

    /// Is the key with this fingerprint revoked?
    pub fn is_revoked(&self, key: &str) -> bool {
        self.revoked.iter().any(|list| list.revokes_fingerprint(key))
    }
}

fn of(layer: Layer) -> PolicyOf {
    match layer {
        Layer::Managed => PolicyOf::Managed,
        Layer::Project => PolicyOf::Project,
        _ => PolicyOf::User,
    }
}

/// All of these files, there or not: what a hook may call changes with them.
pub(crate) fn watched(places: &Places, project: Option<&Path>) -> Vec<PathBuf> {
    let of_folder = |(_, folder): (Layer, PathBuf)| [POLICY, REVOKED, LOCK].map(|name| folder.join(name));
    folders(places, project).into_iter().flat_map(of_folder).collect()
}

/// What whoever checks signatures is to read, as far as it is there: signers, revoked keys and policies, the administrator's first.
pub fn for_checking(places: &Places) -> Vec<(&'static str, PathBuf)> {
    let names = [("--allowed-signers", SIGNERS), ("--krl", REVOKED), ("--policy", POLICY)];
    let of_folder = |(_, folder): (Layer, PathBuf)| names.map(|(word, name)| (word, folder.join(name)));
    folders(places, None).into_iter().flat_map(of_folder).filter(|(_, file)| file.exists()).collect()
}
