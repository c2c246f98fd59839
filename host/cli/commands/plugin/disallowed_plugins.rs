//! Existing plugins that could not be added any more, and unknown names in policies: a stricter policy does not remove plugins,
//! so `check` reports them.

use std::{collections::BTreeSet, path::Path};

use hookbox::{Sha256Digest, sandbox::inspect::identify_file};
use hookbox_app::{
    places::Places,
    plugin_lock::{LockedPlugin, Signer},
    trust_files::TrustFiles,
};
use hookbox_trust::{
    allowed_signers::AllowedSigners,
    policies::{Candidate, CheckedKey, Verdict},
};

use super::added_plugins::{Added, format_path};
use crate::environment;

/// Prefix of sources in a registry.
const REGISTRY: &str = "oci://";

/// Returns the plugins of a folder that policies would reject today, a sentence each. Plugins that are never called are
/// reported elsewhere.
pub(super) fn find_disallowed(added: &Added, signers: &AllowedSigners) -> Vec<String> {
    let file = format_path(&added.home.plugin_lock_path());
    let again = if added.home.project().is_some() { " --here" } else { "" };
    let called = added.lock.iter().filter(|row| added.explain_refusal(row).is_none());
    let refused = called.filter_map(|row| {
        let (name, why) = (&row.name, find_refusal(row, added, signers)?);
        Some(format!(
            "{file}: `{name}` is called, and could not be added any more: {why}; `hookbox plugin remove {name}{again}`, or change that \
             policy.toml"
        ))
    });
    refused.collect()
}

fn find_refusal(row: &LockedPlugin, added: &Added, signers: &AllowedSigners) -> Option<String> {
    // A changed copy is reported by itself, and its manifest is not the one of the row.
    if added.compute_digest(row).as_ref() != Some(&row.sha256) {
        return None;
    }
    let manifest =
        identify_file(&added.locate_file(row)).ok().and_then(|there| there.manifest.ok()).flatten();
    let component = Sha256Digest::parse(&row.sha256)?;
    let keys = row.signer.as_ref().map(|signer| collect_keys(signer, signers)).unwrap_or_default();
    let candidate = Candidate {
        component: &component,
        manifest: manifest.as_ref(),
        registry: row.source.strip_prefix(REGISTRY),
        keys: &keys,
    };
    match added.policies().judge_release(&candidate) {
        Verdict::Refused(why) => Some(why),
        Verdict::Accepted(_) | Verdict::Unknown => None,
    }
}

/// Returns the keys with their names, including the name that the first key had when it was added: an expired key still counts.
fn collect_keys(signer: &Signer, signers: &AllowedSigners) -> Vec<CheckedKey> {
    let key = |key: &str| {
        let mut principals = signers.names_of(key);
        principals.extend(signer.principal.clone().filter(|_| key == signer.key));
        CheckedKey { key: key.to_owned(), principals }
    };
    signer.keys().map(key).collect()
}

/// Returns the names in policies that are in no list of signers, so that they cannot sign.
pub(super) fn unknown_principals(places: &Places, folder: &Path, signers: &AllowedSigners) -> Vec<String> {
    let project = places.project_config(folder).map(|project| project.root);
    let (files, _) = TrustFiles::read_files(places, project.as_deref(), &environment::shipped_plugins());
    let unknown: BTreeSet<_> =
        files.policies.principals().filter(|(_, name)| !signers.knows_principal(name)).collect();
    let messages = unknown.into_iter().map(|(of, name)| {
        format!(
            "{of} has the principal `{name}`, and no line of allowed_signers does, so no signature could match: correct the name, or \
             write a line: {name} namespaces=\"release@hookbox\" ssh-ed25519 …"
        )
    });
    messages.collect()
}
