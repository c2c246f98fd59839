//! Hooks of projects: of the nearest one, and of the trusted ones around it.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use hookbox::{
    ShippedPlugins,
    config::ReviewedEntries,
    hookfile::{Loaded, Problem, Source},
    model::{Layer, TrustLevel},
};

use super::file::{layer_by, load_reviewed, load_text, unread_source};
use crate::{
    places::{PROJECT, Places, Project},
    project_trust::{self, Candidate, ProjectTrust},
    switches::Switches,
    trusted_hooks::{TrustStore, TrustedHook},
};

/// Loads a project's hooks: untrusted, except those that the user trusts. The file of a project that is switched off is not
/// even read. `trusted` are the trusted hooks of all projects.
pub(super) fn of_project(
    (places, shipped, trusted): (&Places, &ShippedPlugins, &[TrustedHook]),
    project: &Project,
    switches: &Switches<'_>,
) -> Option<Loaded> {
    // Not even its errors are reported: the user has switched the project off.
    if switches.find_off(&project.root).is_some() {
        return None;
    }
    let trust = ProjectTrust::for_project(places, &project.root, trusted);
    let layer = layer_by(project_source(project, shipped), |source| match &trust {
        Some(trust) => trust.clone().load_hooks(source, load_reviewed),
        None => load_text(source),
    })?;
    Some(switches.apply_to(&project.root, layer))
}

/// Returns the projects beyond the nearest whose trusted hooks are called too: those that contain the folder of the event, or
/// one that the session was started in. Otherwise an agent would leave them behind by `git init` in a folder of the project, or
/// by `cd`.
pub(super) fn outer_projects(
    trusted: &[TrustedHook],
    folder: &Path,
    nearest: Option<&Project>,
    started_in: &[PathBuf],
) -> Vec<Project> {
    // Resolving folders takes system calls at each event, and most users trust no project's hooks.
    if trusted.is_empty() {
        return Vec::new();
    }
    let real = |folder: &Path| folder.canonicalize().ok();
    let nearest = nearest.and_then(|project| real(&project.root));
    let folders: Vec<_> = started_in.iter().map(PathBuf::as_path).chain([folder]).filter_map(real).collect();
    let is_around = |root: &Path| folders.iter().any(|folder| folder.starts_with(root));
    let roots: BTreeSet<_> =
        trusted.iter().map(|hook| &hook.root).filter(|root| is_around(root)).cloned().collect();
    let outer = roots.into_iter().filter(|root| Some(root) != nearest.as_ref());
    outer.map(|root| Project { config: root.join(PROJECT), root }).collect()
}

/// Loads the trusted hooks of a project that is not the nearest.
pub(super) fn of_outer_project(
    from: (&Places, &ShippedPlugins, &[TrustedHook]),
    project: &Project,
    switches: &Switches<'_>,
) -> Option<Loaded> {
    let mut layer = of_project(from, project, switches)?;
    layer.hooks.retain(|hook| hook.origin.trust_level == TrustLevel::Reviewed);
    // Untrusted hooks of an outer project are not called, so they are not reported as waiting for review.
    layer.waiting = 0;
    Some(layer)
}

fn project_source(project: &Project, shipped: &ShippedPlugins) -> Source {
    untrusted_source(&project.root, &project.config, shipped)
}

/// Returns the hooks of the project around `folder` that the user can trust, and the problems of its file; `None` if no project
/// around `folder` has hooks.
pub fn trust_candidates(
    (places, shipped): (&Places, &ShippedPlugins),
    store: &TrustStore,
    folder: &Path,
) -> Option<(PathBuf, Vec<Candidate>, Vec<Problem>)> {
    let project = places.project_config(folder)?;
    let root = project.root.canonicalize().ok()?;
    let mut candidates = Vec::new();
    let loaded = layer_by(project_source(&project, shipped), |source| {
        let loaded = load_reviewed(source, &ReviewedEntries::All);
        candidates = project_trust::list_candidates(source, &root, store, &loaded);
        loaded
    })?;
    Some((root, candidates, loaded.problems))
}

/// Returns the source for an untrusted file of the project with this root, not yet read.
pub(crate) fn untrusted_source(root: &Path, file: &Path, shipped: &ShippedPlugins) -> Source {
    let source = unread_source(Layer::Project, file, shipped);
    Source { trust_level: TrustLevel::Untrusted, root: Some(root.to_owned()), ..source }
}
