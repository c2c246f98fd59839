//! Hooks of a project that are trusted now: those that are, byte for byte, what the user has trusted. The compared bytes are
//! the ones that run.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use hookbox::{
    HookSpec, Sha256Digest, Target,
    config::{ReviewedEntries, canonical_entries},
    hook::{ClosedProject, Place, ShellSpec},
    hookfile::{ChangedHook, Loaded, Problem, Severity, Source},
    model::TrustLevel,
};

use crate::{
    closure::{ContentError, HookContent, command_folder, reads_project},
    command_files,
    command_words::PROJECT_VARIABLE,
    places::Places,
    trusted_hooks::{TrustStore, TrustedHook},
};

/// Advice for a hook that differs from what was trusted.
const REVIEW_ADVICE: &str = "`hookbox trust` shows what is new, and asks";

#[derive(Clone)]
pub(crate) struct ProjectTrust {
    store: TrustStore,
    root: PathBuf,
    hooks: Vec<TrustedHook>,
    /// Digests of hooks that are trusted for this process alone.
    named: Vec<Sha256Digest>,
}

impl ProjectTrust {
    /// Returns the trust in the project with this folder; `None` if none of its hooks is trusted. `trusted` are the trusted hooks of
    /// all projects.
    pub(crate) fn for_project(places: &Places, root: &Path, trusted: &[TrustedHook]) -> Option<Self> {
        let (store, named) = (TrustStore::of_user(places)?, places.trusted().to_vec());
        let root = root.canonicalize().ok()?;
        // Real folders are compared, so that trust is not carried to another project by a link.
        let hooks: Vec<_> = trusted.iter().filter(|hook| hook.root == root).cloned().collect();
        (!hooks.is_empty() || !named.is_empty()).then_some(Self { store, root, hooks, named })
    }

    /// Adds the hooks that are trusted for this process alone, as they are now; returns the problems as well. Their files are
    /// copied like any other's, and no record of their trust is written.
    fn with_named(mut self, source: &Source, all: &Loaded) -> (Self, Vec<Problem>) {
        let mut left = std::mem::take(&mut self.named);
        for Candidate { hook, closure, .. } in list_candidates(source, &self.root, &self.store, all) {
            let Ok(closure) = closure else { continue };
            let digest = closure.digest();
            let is_kept = left.contains(&digest)
                && closure.files.values().all(|bytes| self.store.put_copy(bytes).is_ok());
            if is_kept {
                left.retain(|named| *named != digest);
                self.hooks.retain(|other| other.name != hook.name);
                self.hooks.push(TrustedHook::new(&self.root, &hook.name, &closure));
            }
        }
        let unknown = |digest: Sha256Digest| {
            let message = format!("no hook here is sha256:{}, which `--trust-hook` names", digest.as_str());
            let help = "`hookbox trust --review` shows their current content".to_owned();
            source.make_problem(Severity::Warning, message, Some(help))
        };
        (self, left.into_iter().map(unknown).collect())
    }

    /// Loads the hooks of its file: as reviewed those that match what was trusted, as untrusted all others.
    pub(crate) fn load_hooks(
        self,
        source: &Source,
        parse: impl Fn(&Source, &ReviewedEntries) -> Loaded,
    ) -> Loaded {
        if self.named.is_empty() {
            return self.load_trusted(source, parse);
        }
        let (trust, problems) = self.with_named(source, &parse(source, &ReviewedEntries::All));
        let mut loaded = trust.load_trusted(source, parse);
        loaded.problems.extend(problems);
        loaded
    }

    fn load_trusted(&self, source: &Source, parse: impl Fn(&Source, &ReviewedEntries) -> Loaded) -> Loaded {
        let entries: BTreeSet<_> = self.hooks.iter().map(|hook| hook.entry.clone()).collect();
        let mut changed = Vec::new();
        let mut loaded = parse(source, &ReviewedEntries::These(entries.clone()));
        for hook in select_reviewed(&mut loaded) {
            if let Err(problem) = self.pin_hook(hook, source) {
                changed.push((hook.name.clone(), problem));
            }
        }
        if changed.is_empty() && self.find_unreviewed(&loaded).next().is_none() {
            return loaded;
        }
        let is_whole = |hook: &&TrustedHook| !changed.iter().any(|(name, _)| *name == hook.name);
        let whole = self.hooks.iter().filter(is_whole).map(|hook| hook.entry.clone()).collect();
        // Read again, since an untrusted entry is parsed by stricter rules: what these exclude must not stay from the
        // first reading.
        let mut loaded = parse(source, &ReviewedEntries::These(whole));
        // A hook that changed between the two reads waits for the next event.
        let mut late = Vec::new();
        for hook in select_reviewed(&mut loaded) {
            if let Err(problem) = self.pin_hook(hook, source) {
                late.push(hook.name.clone());
                changed.push((hook.name.clone(), problem));
            }
        }
        loaded.hooks.retain(|hook| !late.contains(&hook.name));
        self.report_changed(&mut loaded, source, &changed, &parse(source, &ReviewedEntries::All));
        loaded
    }

    /// Returns the trusted hooks that are not loaded as reviewed.
    fn find_unreviewed<'a>(&'a self, loaded: &'a Loaded) -> impl Iterator<Item = &'a TrustedHook> {
        let is_reviewed = |name: &str| {
            loaded
                .hooks
                .iter()
                .any(|hook| hook.name == name && hook.origin.trust_level == TrustLevel::Reviewed)
        };
        self.hooks.iter().filter(move |hook| !is_reviewed(&hook.name))
    }

    /// Reports which of the file's hooks differ from what was trusted, with the problem of each. `all` are the hooks of the
    /// file.
    fn report_changed(
        &self,
        loaded: &mut Loaded,
        source: &Source,
        known: &[(String, Box<Problem>)],
        all: &Loaded,
    ) {
        let is_loaded = |hook: &&HookSpec| loaded.hooks.iter().any(|other| other.name == hook.name);
        let is_known = |hook: &&HookSpec| known.iter().any(|(name, _)| *name == hook.name);
        let changed: Vec<_> = self
            .find_unreviewed(loaded)
            .filter_map(|kept| Some((kept, all.hooks.iter().find(|hook| hook.name == kept.name)?)))
            .collect();
        // Hooks that are not loaded are already counted and reported as waiting.
        let loaded_hooks: Vec<_> = changed.iter().map(|(_, hook)| *hook).filter(is_loaded).collect();
        let of_entries = loaded_hooks.iter().copied().filter(|hook| !is_known(hook)).map(|hook| {
            let message =
                format!("`{}` is untrusted again: its entry differs from the trusted version", hook.name);
            let problem = source.make_problem(Severity::Warning, message, Some(REVIEW_ADVICE.to_owned()));
            Problem { line: hook.origin.line, ..problem }
        });
        let problems: Vec<_> =
            known.iter().map(|(_, problem)| (**problem).clone()).chain(of_entries).collect();
        let (waiting, changed) = (
            loaded_hooks.len(),
            changed
                .iter()
                .map(|(kept, _)| ChangedHook { name: kept.name.clone(), trusted: kept.since })
                .collect(),
        );
        loaded.waiting += waiting;
        loaded.changed = changed;
        loaded.problems.extend(problems);
    }

    /// Makes a hook run exactly what was trusted; an error if something has changed.
    fn pin_hook(&self, hook: &mut HookSpec, source: &Source) -> Result<(), Box<Problem>> {
        let (name, line) = (hook.name.clone(), hook.origin.line);
        let wrong = |message: String| {
            let problem = source.make_problem(Severity::Warning, message, Some(REVIEW_ADVICE.to_owned()));
            Box::new(Problem { line, ..problem })
        };
        let kept = self.hooks.iter().find(|kept| kept.name == name);
        let kept =
            kept.ok_or_else(|| wrong(format!("`{name}` is untrusted: it was trusted under another name")))?;
        let now = HookContent::from_hook(hook, &kept.entry, &self.root)
            .map_err(|why| wrong(format!("`{name}` is untrusted again: {why}")))?;
        if let Some(what) = kept.find_change(&now) {
            return Err(wrong(format!(
                "`{name}` is untrusted again: {what} differs from the trusted version"
            )));
        }
        let lost = kept.files.values().find(|sha256| self.store.read_copy(sha256).is_none());
        if lost.is_some() {
            return Err(wrong(format!(
                "`{name}` is untrusted again: the copy of the trusted version is missing"
            )));
        }
        self.run_copies(hook, kept, &now.named).map_err(|why| wrong(format!("`{name}` is untrusted: {why}")))
    }

    /// Replaces files by their copies. `named` maps the words of the command to the files whose bytes were compared: files are
    /// not looked up again.
    fn run_copies(
        &self,
        hook: &mut HookSpec,
        kept: &TrustedHook,
        named: &BTreeMap<String, PathBuf>,
    ) -> Result<(), ContentError> {
        let copy = |word: &str| {
            let sha256 = kept.files.get(named.get(word)?)?;
            Some(self.store.path_of(sha256).to_str()?.to_owned())
        };
        match &mut hook.target {
            // The file is read once, and those bytes are compared.
            Target::Wasm(wasm) => {
                if let Some(sha256) = kept.files.values().next() {
                    wasm.sha256 = Sha256Digest::parse(sha256);
                }
            }
            Target::Shell(shell) => {
                let folder = command_folder(shell, &self.root);
                let places = (self.root.as_path(), folder.as_path());
                shell.command =
                    command_files::replace_file_words(&shell.command, places, &mut |word| Ok(copy(word)))?;
                self.enter_project(shell, folder);
                // The copies are outside the folders in the hook's file rules.
                let rules = shell.confinement.as_mut().and_then(|confinement| confinement.files.as_mut());
                if let Some(rules) = rules {
                    let used = named.keys().filter_map(|word| copy(word));
                    rules.read.extend(used.map(|path| Place::Path(path.into())));
                }
            }
            // No other kind has a file whose bytes can be trusted.
            _ => {}
        }
        Ok(())
    }

    /// Makes a command run where its words were read, and with the project closed to it unless its entry states that it reads
    /// it.
    fn enter_project(&self, shell: &mut ShellSpec, folder: PathBuf) {
        shell.cwd = Some(folder);
        if let Some(root) = self.root.to_str() {
            shell.variables.push((PROJECT_VARIABLE.to_owned(), root.to_owned()));
        }
        if !reads_project(shell) {
            let copies = self.store.copies().to_owned();
            shell.closed = Some(ClosedProject { folder: self.root.clone(), copies });
        }
    }
}

fn select_reviewed(loaded: &mut Loaded) -> impl Iterator<Item = &mut HookSpec> {
    loaded.hooks.iter_mut().filter(|hook| hook.origin.trust_level == TrustLevel::Reviewed)
}

/// Trust status of a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrustStatus {
    /// The hook was never trusted.
    New,
    /// The hook is unchanged since it was trusted.
    Trusted,
    /// The hook was trusted, and this part of it has changed.
    Changed(String),
}

/// A hook that can be trusted, with everything that the decision needs.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The hook as it would run if it were trusted.
    pub hook: HookSpec,
    /// All content that it runs; or the reason why it cannot be trusted.
    pub closure: Result<HookContent, ContentError>,
    /// Its trust status.
    pub standing: TrustStatus,
    /// The record of its former trust.
    pub before: Option<TrustedHook>,
}

/// Returns the hooks of a project's file, as they would run if all of them were trusted, in the order of the file.
pub(crate) fn list_candidates(
    source: &Source,
    root: &Path,
    store: &TrustStore,
    loaded: &Loaded,
) -> Vec<Candidate> {
    let (entries, kept) = (canonical_entries(source), store.load());
    let entry = |hook: &HookSpec| entries.get(hook.origin.number.checked_sub(1)?).cloned();
    let candidate = |hook: &HookSpec| {
        let closure = HookContent::from_hook(hook, &entry(hook).unwrap_or_default(), root);
        let before = kept.iter().find(|kept| kept.is_of(root, &hook.name)).cloned();
        let standing = match (&before, &closure) {
            (None, _) => TrustStatus::New,
            (Some(_), Err(why)) => TrustStatus::Changed(why.to_string()),
            (Some(before), Ok(now)) => {
                before.find_change(now).map_or(TrustStatus::Trusted, TrustStatus::Changed)
            }
        };
        Candidate { hook: hook.clone(), closure, standing, before }
    };
    loaded.hooks.iter().map(candidate).collect()
}
