//! Plugins that are there and could not be added any more, and names in policies that nobody has: a policy that became stricter takes
//! nothing away, so `check` tells of it.

use std::{collections::BTreeSet, path::Path};

use hookbox::{Sha256Digest, sandbox::inspect::identify};
use hookbox_files::{
    places::Places,
    plugin_lock::{LockedPlugin, Signer},
    trust_files::TrustFiles,
};
use hookbox_trust::{
    allowed_signers::AllowedSigners,
    policies::{Candidate, CheckedKey, Verdict},
};

use super::added::{Added, shown};
use crate::environment;

/// How sources begin that are in a registry.
const REGISTRY: &str = "oci://";

/// Those of a folder that policies would refuse today, a sentence each. What is never called is told elsewhere.
pub(super) fn of(added: &Added, signers: &AllowedSigners) -> Vec<String> {
    let file = shown(&added.home.lock_file());
    let again = if added.home.project().is_some() { " --project" } else { "" };
    let called = added.lock.iter().filter(|row| added.refused(row).is_none());
    let refused = called.filter_map(|row| {
        let (name, why) = (&row.name, refusal(row, added, signers)?);
        Some(format!(
            "{file}: `{name}` is called, and could not be added any more: {why}; `hookbox plugin remove {name}{again}`, or change that \
             policy.toml"
        ))
    });
    refused.collect()
}

fn refusal(row: &LockedPlugin, added: &Added, signers: &AllowedSigners) -> Option<String> {
    if added.digest(row).as_ref() != Some(&row.sha256) {
        return None;
    }
    let manifest = identify(&added.file(row)).ok().and_then(|there| there.manifest.ok()).flatten();
    let component = Sha256Digest::parse(&row.sha256)?;
    let keys = row.signer.as_ref().map(|signer| keys(signer, signers)).unwrap_or_default();
    let candidate = Candidate {
        component: &component,
        manifest: manifest.as_ref(),
        registry: row.source.strip_prefix(REGISTRY),
        keys: &keys,
    };
    match added.policies().judge(&candidate) {
        Verdict::Refused(why) => Some(why),
        Verdict::Accepted(_) | Verdict::Unknown => None,
    }
}

/// Whose the keys are, by the name that the first one had when it was added as well: a key whose time is over goes on counting.
fn keys(signer: &Signer, signers: &AllowedSigners) -> Vec<CheckedKey> {
    let key = |key: &str| {
        let mut principals = signers.names_of(key);
        principals.extend(signer.principal.clone().filter(|_| key == signer.key));
        CheckedKey { key: key.to_owned(), principals }
    };
    signer.keys().map(key).collect()
}

/// Names in policies that no list of signers has: nobody could sign by them.
pub(super) fn unknown_principals(places: &Places, folder: &Path, signers: &AllowedSigners) -> Vec<String> {
    let project = places.project_config(folder).map(|project| project.root);
    let (files, _) = TrustFiles::read(places, project.as_deref(), &environment::shipped_plugins());
    let unknown: BTreeSet<_> = files.policies.principals().filter(|(_, name)| !signers.knows(name)).collect();
    let told = unknown.into_iter().map(|(of, name)| {
        format!(
            "{of} has the principal `{name}`, and no line of allowed_signers does, so no signature could match: correct the name, or \
             write a line: {name} namespaces=\"release@hookbox\" ssh-ed25519 …"
        )
    });
    told.collect()
}
