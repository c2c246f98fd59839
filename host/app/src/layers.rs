//! Reads the configuration files of all layers. An untrusted file can neither block the reader nor fill its memory.

mod file;
mod project;

use std::path::{Path, PathBuf};

use hookbox::{
    ShippedPlugins,
    agents::Dialect,
    config,
    hookfile::{Loaded, Problem, Severity, Source},
    model::{Layer, TrustLevel},
};

pub use self::project::trust_candidates;
pub(crate) use self::{
    file::{find_sibling_errors, load_text, read_sidecar},
    project::untrusted_source,
};
use self::{
    file::{layer_by, layer_of, make_problem_layer, read_settled, unread_source},
    project::{of_outer_project, of_project, outer_projects},
};
use crate::{
    bundle::HOOKS,
    places::{Missing, Places},
    switches::{self, Switches},
    trusted_hooks::TrustStore,
};

/// Loads the hooks of all layers, in order, with every problem of their files.
pub(crate) fn load_layers(
    (places, shipped): (&Places, &ShippedPlugins),
    project: &Path,
    session: Option<&Path>,
    started_in: &[PathBuf],
) -> Loaded {
    let managed = Places::managed_config();
    let user = places.user_config();
    let found = places.project_config(project);
    let own = |layer, file: &Path| layer_of(unread_source(layer, file, shipped));
    let mut layers = Vec::new();
    layers.extend(own(Layer::Managed, &managed));
    layers.extend(match places.missing() {
        // Naming a file by `--config` is the documented way to run without a home folder.
        Some(missing) => session.is_none().then(|| make_homeless_layer(missing)),
        None => user.and_then(|file| own(Layer::User, &file)),
    });
    let session = session.map(|file| load_named(file, shipped));
    let kept = places.switches().as_deref().map(switches::load_switches).unwrap_or_default();
    let switches = Switches::from_layers(layers.iter().chain(&session), kept.clone());
    let trusted = TrustStore::of_user(places).map(|store| store.load()).unwrap_or_default();
    let from = (places, shipped, trusted.as_slice());
    let outer = outer_projects(&trusted, project, found.as_ref(), started_in);
    let mut theirs: Vec<_> =
        outer.iter().filter_map(|outer| of_outer_project(from, outer, &switches)).collect();
    theirs.extend(found.and_then(|found| of_project(from, &found, &switches)));
    // The statements of files about projects do not apply to the user's own hooks.
    let own = Switches::from_layers([], kept);
    let mut layers: Vec<_> = layers.into_iter().map(|layer| own.apply_to(project, layer)).collect();
    layers.extend(theirs);
    layers.extend(session);
    config::merge_layers(layers)
}

/// Loads the administrator's and the user's hooks, without those that the user has switched off for this folder.
pub(crate) fn load_own_layers((places, shipped): (&Places, &ShippedPlugins), project: &Path) -> Loaded {
    let own = |layer, file: &Path| layer_of(unread_source(layer, file, shipped));
    let managed = own(Layer::Managed, &Places::managed_config());
    let user = match places.missing() {
        Some(missing) => Some(make_homeless_layer(missing)),
        None => places.user_config().and_then(|file| own(Layer::User, &file)),
    };
    let switches = Switches::from_layers(
        [],
        places.switches().as_deref().map(switches::load_switches).unwrap_or_default(),
    );
    config::merge_layers(
        managed.into_iter().chain(user).map(|layer| switches.apply_to(project, layer)).collect(),
    )
}

/// Reads the administrator's and the user's hooks for this folder anew.
pub fn own_layers(places: &Places, shipped: &ShippedPlugins, folder: &Path) -> Loaded {
    load_own_layers((places, shipped), folder)
}

/// Returns the source for a bundle's file, which is untrusted.
pub(crate) fn bundle_source(bundle: &Path, shipped: &ShippedPlugins) -> Source {
    let source = unread_source(Layer::Session, &bundle.join(HOOKS), shipped);
    Source { trust_level: TrustLevel::Untrusted, root: Some(bundle.to_owned()), ..source }
}

/// Loads a bundle's hooks; `parse` reads the text.
pub(crate) fn load_bundle(source: &Source, parse: impl FnMut(&Source) -> Loaded) -> Loaded {
    layer_by(source.clone(), parse).unwrap_or_else(|| {
        let help = "install the plugin again in the agent";
        make_problem_layer(source, "the bundle's hooks.toml does not exist".to_owned(), Some(help))
    })
}

/// Loads only the administrator's hooks and those of this file, if a file is named.
pub(crate) fn load_alone(shipped: &ShippedPlugins, file: Option<&Path>) -> Loaded {
    let managed = layer_of(unread_source(Layer::Managed, &Places::managed_config(), shipped));
    let named = file.map(|file| load_named(file, shipped));
    config::merge_layers(managed.into_iter().chain(named).collect())
}

/// Returns true if the administrator's or the user's file turns the event log off.
pub(crate) fn is_log_off(places: &Places, shipped: &ShippedPlugins) -> bool {
    let file = places.user_config().filter(|file| file.exists());
    load_alone(shipped, file.as_deref()).log_off
}

/// Loads a file that was named explicitly, and therefore must exist.
fn load_named(file: &Path, shipped: &ShippedPlugins) -> Loaded {
    let source = || unread_source(Layer::Session, file, shipped);
    layer_of(source()).unwrap_or_else(|| make_missing_layer(&source()))
}

/// Loads the hooks of an agent's own files, in this order.
pub(crate) fn load_own(dialect: &dyn Dialect, shipped: &ShippedPlugins, files: &[PathBuf]) -> Loaded {
    let Some(own) = dialect.hook_file() else {
        let file = files.first().map_or(Path::new("/"), PathBuf::as_path);
        let message = format!("hookbox cannot run {}'s own hook files", dialect.name());
        return make_problem_layer(&unread_source(Layer::Session, file, shipped), message, None);
    };
    let (mut sources, mut problems) = (Vec::new(), Vec::new());
    for file in files {
        match own_source(file, shipped) {
            Ok(source) => sources.push(source),
            Err(problem) => problems.push(*problem),
        }
    }
    let mut loaded = own.load_all(&sources);
    problems.append(&mut loaded.problems);
    Loaded { problems, ..loaded }
}

/// Loads the hooks of all layers, and after them those of an agent's own files: their names may be anything, and their order is kept.
pub(crate) fn load_joined(
    (places, shipped): (&Places, &ShippedPlugins),
    project: &Path,
    started_in: &[PathBuf],
    (dialect, files): (&dyn Dialect, &[PathBuf]),
) -> Loaded {
    let mut all = load_layers((places, shipped), project, None, started_in);
    let mut own = load_own(dialect, shipped, files);
    for hook in &mut own.hooks {
        hook.priority = i32::MIN;
    }
    all.hooks.extend(own.hooks);
    all.disabled.extend(own.disabled);
    all.problems.extend(own.problems);
    all
}

/// Reads an agent's own hook file, which may call the shipped plugins.
///
/// # Errors
///
/// The file is not a plain file, is too long, is not UTF-8, or is being written all the time.
pub fn own_source(file: &Path, shipped: &ShippedPlugins) -> Result<Source, Box<Problem>> {
    let source = unread_source(Layer::Session, file, shipped);
    match read_settled(file, TrustLevel::Own) {
        Ok(bytes) => source.with_bytes(bytes),
        Err(error) => {
            let message = format!("the file cannot be read: {error}");
            Err(Box::new(source.make_problem(Severity::Error, message, None)))
        }
    }
}

/// Returns the hooks that this text would configure in the user's own file.
pub fn users_hooks(file: &Path, shipped: &ShippedPlugins, text: String) -> Loaded {
    load_text(&Source { text, ..unread_source(Layer::User, file, shipped) })
}

/// Returns the hooks that this text would configure in the file of the project with this root before they are reviewed.
pub fn projects_hooks(root: &Path, file: &Path, shipped: &ShippedPlugins, text: String) -> Loaded {
    let source = unread_source(Layer::Project, file, shipped);
    load_text(&Source { text, trust_level: TrustLevel::Untrusted, root: Some(root.to_owned()), ..source })
}

/// Builds the error for an unknown home. Without a home the user's hooks are unknown; an agent that clears its environment, or
/// a home that is not mounted, must not turn them off.
fn make_homeless_layer(missing: &Missing) -> Loaded {
    let layer = Layer::User;
    let plugins = ShippedPlugins::default();
    let nowhere =
        Source { layer, trust_level: TrustLevel::Own, file: None, root: None, plugins, text: String::new() };
    let message = match missing {
        Missing::Home(user) => format!(
            "the user's hooks cannot be read, since the home folder is unknown: /etc/passwd does not have the user {user}, and \
             the hook's command has no `--home DIR`"
        ),
        Missing::Folder(folder) => {
            format!("the user's hooks cannot be read, since {} is not a folder", folder.display())
        }
    };
    let help =
        "let `hookbox install AGENT` write `--home DIR` into the agent's entry, or name a file by `--config`";
    make_problem_layer(&nowhere, message, Some(help))
}

fn make_missing_layer(source: &Source) -> Loaded {
    make_problem_layer(
        source,
        "the file is not there".to_owned(),
        Some("name an existing file after `--config`"),
    )
}
