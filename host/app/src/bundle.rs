//! Loads the hooks of a bundle: a folder that `hookbox export` made and an agent's own plugin command put where the agent keeps
//! plugins.
//!
//! Its `hooks.toml` is untrusted, like that of an unreviewed project. A plugin that the user has added is run as the user's own
//! hook instead, from the user's copy, or not at all where hookbox's own entry runs that already.

mod seal;

use std::path::{Path, PathBuf};

use hookbox::{
    HookSpec, Sha256Digest, ShippedPlugins,
    agents::{
        Dialect,
        settings::{self, Installed, MAX_SETTINGS_BYTES},
    },
    hookfile::{Loaded, Problem, Severity, Source},
    sandbox::component_file::MAX_COMPONENT_BYTES,
};

use crate::{
    layers,
    places::Places,
    sidecars::{self, read_plain_file},
    trust_files::TrustFiles,
};

pub use self::seal::{build_seal_text, is_whole};

/// Name of the file with a bundle's hooks, the one that every folder of hookbox's uses.
pub const HOOKS: &str = "hooks.toml";
/// Options of an entry that select the home and the configuration whose hooks it runs.
const CONFIGURATION_OPTIONS: [&str; 2] = ["--home", "--config-home"];

/// An event for which an agent's plugin calls hookbox.
#[derive(Clone, Copy)]
pub struct BundleEvent<'a> {
    /// Absolute path of the plugin's folder.
    pub bundle: &'a Path,
    /// The agent.
    pub dialect: &'a dyn Dialect,
    /// The agent's name for the event.
    pub event: &'a str,
    /// This program's file, which identifies hookbox's own entry.
    pub program: Option<&'a Path>,
}

/// Loads the hooks that a bundle's entry runs.
pub(crate) fn load_bundle(
    (places, shipped): (&Places, &ShippedPlugins),
    folder: &Path,
    of: &BundleEvent<'_>,
) -> Loaded {
    let mut own = layers::load_own_layers((places, shipped), folder);
    let source = layers::bundle_source(of.bundle, shipped);
    let brought = layers::load_bundle(&source, as_exported);
    // hookbox wrote the file without warnings, so every problem in it is a later change.
    let mut problems: Vec<_> = brought.problems.into_iter().map(into_error).collect();
    if brought.hooks.is_empty() && problems.is_empty() {
        problems.push(source.make_problem(
            Severity::Error,
            format_tampered_message("it contains no plugin"),
            None,
        ));
    }
    let (trust, mut unread) = TrustFiles::read_files(places, None, shipped);
    problems.append(&mut unread);
    let (mut hooks, mut asked) = (Vec::new(), None);
    for hook in brought.hooks {
        match check_digest(&hook) {
            Err(why) => problems.push(source.make_problem(Severity::Error, why, None)),
            Ok(digest) => match find_known_hooks(&own, &digest) {
                None => match find_refusal_reason(&hook, &digest, &trust) {
                    None => hooks.push(hook),
                    Some(why) => problems.push(source.make_problem(Severity::Error, why, None)),
                },
                // The settings are read once at most, and only for a plugin that the user has added, too.
                Some(specs) if !*asked.get_or_insert_with(|| is_asked_already(places, of)) => {
                    hooks.extend(specs);
                }
                Some(_) => {}
            },
        }
    }
    own.problems.append(&mut problems);
    Loaded { hooks, disabled: Vec::new(), ..own }
}

/// Returns the hooks that this text would configure in place of the bundle's file, as [`FolderHooks`](crate::FolderHooks) would read it.
pub fn hooks_of(bundle: &Path, text: String) -> Loaded {
    let source = layers::bundle_source(bundle, &ShippedPlugins::default());
    layers::load_text(&Source { text, ..source })
}

/// Loads the hooks of the bundle's file, if the file is as it was exported. Only the seal reveals changed events, roles,
/// settings or conditions of a hook.
fn as_exported(source: &Source) -> Loaded {
    if is_whole(&source.text) {
        return layers::load_text(source);
    }
    let why = format_tampered_message("its hooks.toml is not as it was exported");
    Loaded { problems: vec![source.make_problem(Severity::Error, why, None)], ..Loaded::default() }
}

fn into_error(problem: Problem) -> Problem {
    Problem { severity: Severity::Error, ..problem }
}

/// Returns the user's own hooks that call this very plugin; an empty list if all are switched off, `None` if the user has none.
fn find_known_hooks(own: &Loaded, digest: &Sha256Digest) -> Option<Vec<HookSpec>> {
    let calls = |spec: &&HookSpec| spec.wasm().is_some_and(|wasm| wasm.sha256.as_ref() == Some(digest));
    let on: Vec<_> = own.hooks.iter().filter(calls).cloned().collect();
    (!on.is_empty() || own.disabled.iter().any(|spec| calls(&spec))).then_some(on)
}

/// Returns the reason why a plugin that matches its statement is not called. The signer is not checked here: `plugin add` does
/// that, and a plugin that was not added gets no capabilities. But a plugin signed with a revoked key is not called.
fn find_refusal_reason(hook: &HookSpec, digest: &Sha256Digest, trust: &TrustFiles) -> Option<String> {
    let not_called =
        |why: String| Some(format!("a plugin of this folder is not called: {why}; remove it in the agent"));
    if let Some((of, _, why)) = trust.policies.denied().find(|(_, denied, _)| *denied == digest) {
        return not_called(format!("{of} denies it: {why}"));
    }
    let revoked = trust.find_adjacent_revocation(&hook.wasm()?.path)?;
    not_called(format!("it is signed with the key {revoked}, which is revoked"))
}

/// Returns the digest of the plugin that the hook calls, after checking that it is the one in its statement and that of the
/// file. A signature must be present because it names the key that may be revoked; the signature is not verified, since it
/// grants nothing.
fn check_digest(hook: &HookSpec) -> Result<Sha256Digest, String> {
    let pinned = hook.wasm().and_then(|wasm| Some((wasm, wasm.sha256.clone()?)));
    let Some((wasm, digest)) = pinned.filter(|(wasm, _)| !wasm.is_shipped) else {
        return Err(format_tampered_message("its entry names no file"));
    };
    let statement =
        sidecars::read_statement(&wasm.path).map_err(|why| format_tampered_message(&why.to_string()))?;
    if statement.component != digest {
        return Err(format_tampered_message("a plugin's statement is about another file"));
    }
    // The digest of the entry alone does not count: the file may have been replaced since the export.
    let file = wasm.file().map_err(|failure| format_tampered_message(&failure.message))?;
    let bytes = read_plain_file(&file, MAX_COMPONENT_BYTES)
        .map_err(|why| format_tampered_message(&format!("a plugin {why}")))?;
    if Sha256Digest::of_content(&bytes) != digest {
        return Err(format_tampered_message("a plugin is not the file that its statement is about"));
    }
    if sidecars::read_signing_keys(&wasm.path).next().is_none() {
        return Err(format_tampered_message("a plugin's statement has no signature next to it"));
    }
    Ok(digest)
}

/// Builds the message for the user; it quotes nothing from the bundle.
fn format_tampered_message(why: &str) -> String {
    format!("the plugin in this folder was changed or damaged: {why}; install it again in the agent")
}

/// Returns true if the agent calls this very hookbox for the event anyway, by an entry in the user's own settings. Only a
/// certain answer counts: called twice, a guard repeats itself; not called, it is silent. A project's settings are ignored.
fn is_asked_already(places: &Places, of: &BundleEvent<'_>) -> bool {
    let Some((path, text, settings)) = user_settings(places, of.dialect) else { return false };
    let Ok(entries) = settings::find_installed(&text, settings) else { return false };
    let is_it = |entry: &Installed| {
        entry.event == of.event && is_this(&entry.program, of.program) && is_same_user(entry, places)
    };
    entries.iter().any(is_it) && runs_entry(&path, &text, of)
}

fn user_settings(
    places: &Places,
    dialect: &dyn Dialect,
) -> Option<(PathBuf, String, &'static settings::AgentSettings)> {
    let settings = settings::find_settings(dialect.name())?;
    let path = places.settings_folder(&settings.user, &|_| None)?.join(settings.file);
    let text = String::from_utf8(read_plain_file(&path, MAX_SETTINGS_BYTES as u64).ok()?).ok()?;
    Some((path, text, settings))
}

fn is_this(program: &str, this: Option<&Path>) -> bool {
    let named = Path::new(program);
    // A relative program is searched by the agent, in folders that are not known here.
    named.is_absolute() && named.canonicalize().is_ok_and(|file| Some(file.as_path()) == this)
}

/// Returns true if the entry runs the hooks that were read here.
fn is_same_user(entry: &Installed, places: &Places) -> bool {
    let arguments = places.arguments();
    CONFIGURATION_OPTIONS.iter().all(|option| {
        let here = arguments.iter().find(|(name, _)| name == option).map(|(_, folder)| *folder);
        entry.find_option(option).map(Path::new) == here
    })
}

/// Returns true if the agent runs the entry, also if it requires the user's approval of each entry.
fn runs_entry(path: &Path, text: &str, of: &BundleEvent<'_>) -> bool {
    let Some(trust) = settings::find_trust(of.dialect.name()) else { return true };
    let list = path.with_file_name(trust.file);
    let list = read_plain_file(&list, MAX_SETTINGS_BYTES as u64)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    list.is_some_and(|list| {
        let untrusted = trust.find_untrusted(text, &list, &[path, &real]);
        untrusted.is_some_and(|untrusted| untrusted.iter().all(|event| event != of.event))
    })
}
