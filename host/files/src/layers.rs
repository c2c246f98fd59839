//! Reads the configuration files of all layers. An untrusted file can neither block the reader nor fill its memory.

use std::{
    collections::BTreeSet,
    fs::File,
    io,
    path::{Path, PathBuf},
};

use hookbox::{
    ShippedPlugins,
    config::{self, ReviewedEntries},
    dialect::{self, Dialect},
    hookfile::{Loaded, MAX_FILE_BYTES, Problem, Severity, Source},
    model::{EventName, Layer, TrustLevel},
};
use hookbox_platform::file::{self, FileKind, FileStatus, is_there};

use crate::{
    bundle::HOOKS,
    own_scripts,
    places::{Missing, PROJECT, Places, Project},
    project_trust::{self, Candidate, ProjectTrust},
    settled_file,
    switches::{self, Switches},
    trusted_hooks::{TrustStore, TrustedHook},
};

/// Advice for an empty file: whatever truncated the file removed every guard in it.
const EMPTY: &str = "write its hooks again, or `# no hooks` if there are to be none, or remove it";

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
        let help = "install the plugin anew in the agent";
        make_problem_layer(source, "the bundle's hooks.toml is not there".to_owned(), Some(help))
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

/// Loads a project's hooks: untrusted, except those that the user trusts. The file of a project that is switched off is not
/// even read. `trusted` are the trusted hooks of all projects.
fn of_project(
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
fn outer_projects(
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
fn of_outer_project(
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

/// Loads the hooks of an agent's own files, in this order.
pub(crate) fn load_own(dialect: &dyn Dialect, shipped: &ShippedPlugins, files: &[PathBuf]) -> Loaded {
    let Some(own) = dialect.own_hooks() else {
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
            "the user's hooks cannot be read, since no home folder is known: /etc/passwd does not have the user {user}, and \
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

/// Loads one layer; `None` if its file does not exist.
fn layer_of(source: Source) -> Option<Loaded> {
    layer_by(source, load_text)
}

/// Loads one layer; `parse` reads the text.
fn layer_by(source: Source, mut parse: impl FnMut(&Source) -> Loaded) -> Option<Loaded> {
    let (file, trust_level) = (source.file.clone()?, source.trust_level);
    match read_settled(&file, trust_level) {
        // Editors and full disks leave empty files; read as no hooks, such a file would turn all guards off.
        Ok(bytes) if trust_level == TrustLevel::Own && bytes.trim_ascii().is_empty() => {
            Some(make_problem_layer(&source, "the file is empty".to_owned(), Some(EMPTY)))
        }
        Ok(bytes) => Some(match source.with_bytes(bytes) {
            Ok(source) => parse(&source),
            Err(problem) => Loaded { problems: vec![*problem], ..Loaded::default() },
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_absent(&file) => None,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(make_problem_layer(
            &source,
            "it is a symbolic link to a file that is not there".to_owned(),
            None,
        )),
        Err(error) => {
            Some(make_problem_layer(&source, format!("the configuration cannot be read: {error}"), None))
        }
    }
}

/// Returns true if the file does not exist. A file that exists but was not found, or a dangling link on the way (a file system
/// that is not mounted), must not turn hooks off.
fn is_absent(file: &Path) -> bool {
    let is_link_to_nothing = |place: &Path| is_there(place) && place.metadata().is_err();
    !is_there(file) && !file.ancestors().any(is_link_to_nothing)
}

/// Returns the source for a file of the user's own, not yet read. A relative path is resolved from the working folder of this
/// process.
fn unread_source(layer: Layer, file: &Path, shipped: &ShippedPlugins) -> Source {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let (file, plugins) = (Some(file), shipped.clone());
    Source { layer, trust_level: TrustLevel::Own, file, root: None, plugins, text: String::new() }
}

fn make_problem_layer(source: &Source, message: String, help: Option<&str>) -> Loaded {
    let problem: Problem = source.make_problem(Severity::Error, message, help.map(str::to_owned));
    Loaded { problems: vec![problem], ..Loaded::default() }
}

pub(crate) fn load_text(source: &Source) -> Loaded {
    own_scripts::resolve_scripts(source, load_reviewed(source, &ReviewedEntries::None))
}

fn load_reviewed(source: &Source, reviewed: &ReviewedEntries) -> Loaded {
    let dialects: Vec<(&str, Vec<(&'static str, EventName)>)> =
        dialect::all_dialects().iter().map(|dialect| (dialect.name(), dialect.events())).collect();
    let dialects: Vec<_> = dialects.iter().map(|(name, events)| (*name, events.as_slice())).collect();
    config::load_reviewed(source, reviewed, &dialects)
}

/// Reads a file next to the configuration; `None` if it does not exist.
pub(crate) fn read_sidecar(
    (layer, file): (Layer, &Path),
    shipped: &ShippedPlugins,
) -> Result<Option<Vec<u8>>, Box<Problem>> {
    let trust_level = if layer == Layer::Project { TrustLevel::Untrusted } else { TrustLevel::Own };
    match read_settled(file, trust_level) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_absent(file) => Ok(None),
        Err(error) => {
            Err(find_sibling_errors((layer, file), shipped, format!("the file cannot be read: {error}")))
        }
    }
}

/// Builds the problem of a file next to the configuration.
pub(crate) fn find_sibling_errors(
    (layer, file): (Layer, &Path),
    shipped: &ShippedPlugins,
    message: String,
) -> Box<Problem> {
    let trust_level = if layer == Layer::Project { TrustLevel::Untrusted } else { TrustLevel::Own };
    Box::new(Source { trust_level, ..unread_source(layer, file, shipped) }.make_problem(
        Severity::Error,
        message,
        None,
    ))
}

/// Reads a whole plain file once its content is settled.
fn read_settled(path: &Path, trust_level: TrustLevel) -> io::Result<Vec<u8>> {
    // One byte more than the maximum reveals a file that is too long.
    settled_file::read_settled(path, &|path| open(path, trust_level), MAX_FILE_BYTES + 1)
}

/// Opens a plain file. An untrusted one must not be a link, nor belong to another user.
fn open(path: &Path, trust_level: TrustLevel) -> io::Result<(File, FileStatus)> {
    let is_link = |error: &io::Error| file::is_link(error) || error.kind() == io::ErrorKind::NotADirectory;
    let file = match trust_level {
        // The project provides the names of the file and of its folder.
        TrustLevel::Untrusted => file::open_unlinked(path).map_err(|error| match error {
            error if is_link(&error) => io::Error::other("it, or its folder, is a symbolic link"),
            error => error,
        }),
        _ => file::open(path),
    }?;
    let status = FileStatus::of_file(&file)?;
    let refuse = |what: &str| Err(io::Error::other(what.to_owned()));
    match status.kind {
        FileKind::Plain => {}
        FileKind::Folder => return refuse("it is a directory"),
        FileKind::Other => return refuse("it is not a plain file"),
    }
    // The search for a project goes upwards, through folders where other users may write, such as `/tmp`.
    if trust_level == TrustLevel::Untrusted && !status.is_own() {
        return refuse("it belongs to another user");
    }
    Ok((file, status))
}
