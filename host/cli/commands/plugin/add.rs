//! `hookbox plugin add`: adds a plugin's file for the user or the project, after loading and showing it.
//!
//! The order is: look, ask, load as it would be called, write. So a written plugin can run, and is the one that was shown.

pub(super) mod candidate;
pub(super) mod granting;
pub(super) mod source;

use hookbox::{
    model::{FailureCode, Grants},
    sandbox::inspect::{Anatomy, Inspection},
};
use hookbox_files::{HookFiles, Setup, plugin_home::PluginHome};

use self::{candidate::Candidate, source::Source};
use super::{
    added::{self, Added, shown},
    clock::warn_if_set_back,
    locked, look, text,
    trusted::{Judged, Words},
};
use crate::{
    args::PluginAddArgs,
    commands::{
        agent_change::{Stopped, problem, usage},
        block_on, check,
        install::ended,
        offer, person, progress,
    },
    environment,
    exit::ExitStatus,
    printer::{Printer, WARNING},
    report::plain,
};

/// Reason why `--grant` and `--project` exclude each other.
pub(super) const NOTHING_IN_A_PROJECT: &str = "--grant: a project's hook is granted nothing, since its file is \
    untrusted for all other users; leave out --grant, or --project";

pub(super) fn add(args: &PluginAddArgs, printer: &Printer) -> ExitStatus {
    ended(try_add(args, printer), printer)
}

fn try_add(args: &PluginAddArgs, printer: &Printer) -> Result<(), Stopped> {
    if !args.consent.dry_run && !args.locked {
        person::is_no_agent("added").map_err(usage)?;
    }
    let places = super::places();
    let home = added::home(args.project, &places)?;
    if let Some(who) = home.other_writer() {
        return Err(problem(format!(
            "nothing was added: what is in {} is trusted, and {who}",
            shown(&home.folder())
        )));
    }
    if args.locked {
        return locked::check(&Added::read(home, &places)?, Some(&args.file.to_string_lossy()), printer);
    }
    // The lock is held while a plugin is built, or the user is asked; a dry run writes nothing, not even the lock's file.
    let _turn = (!args.consent.dry_run).then(|| super::turn(&places, printer)).transpose()?;
    let source = Source::of(&args.file, &places).map_err(problem)?;
    let root = home.project().unwrap_or(std::path::Path::new("/")).to_owned();
    let files = HookFiles::Layers { folder: &root, session: None };
    let setup = Setup::read(progress::told(environment::surroundings(places.clone())), files);
    let inspection = inspected(&source, &setup, printer)?;
    let added = Added::read(home, &places)?;
    warn_if_set_back(&added, printer);
    let manifest = inspection.manifest.as_ref().ok().and_then(Option::as_ref);
    let judged = Judged {
        component: &source.sha256,
        manifest,
        fetched: source.fetched.as_ref(),
        project: added.home.project(),
        lock: &added.lock,
    };
    let words = Words { unsigned: args.unsigned, allow_downgrade: args.allow_downgrade };
    let trusted = judged.judge(words, &places, printer)?;
    let candidate = Candidate::new(args, &source, &inspection, &added)?;
    tell(&candidate, &added, printer);
    let mut candidate = granted(args, candidate, printer)?;
    let change = candidate.change(&added)?;
    verify(&candidate, &setup, printer)?;
    let path = added.hooks_file();
    let is_unchanged = candidate.is_same && added.found.as_deref() == Some(change.hooks.as_str());
    if is_unchanged && change.lock == added.lock {
        printer.line(&format!("nothing to do: `{}` is this very file already", candidate.entry.name));
        return Ok(());
    }
    offer::show(&path, added.found.as_deref().unwrap_or_default(), Some(&change.hooks), printer);
    if !offer::accepted(&args.consent, &path, printer)? {
        return Ok(());
    }
    trusted.keep(&places)?;
    candidate.put(&source.bytes, &change, &added)?;
    let (what, name) = (if candidate.before.is_some() { "replaced" } else { "added" }, &candidate.entry.name);
    printer.line(&format!("{what} `{name}`: {}", shown(&added.home.file(&candidate.entry.path))));
    Ok(())
}

/// Shows the file's properties; an error if it cannot be a plugin.
pub(super) fn inspected(source: &Source, setup: &Setup, printer: &Printer) -> Result<Inspection, Stopped> {
    let inspection = look(&source.path, setup).map_err(problem)?;
    if inspection.sha256 != source.sha256.as_str() {
        return Err(problem(format!(
            "{} is being written; try again when that is done",
            shown(&source.path)
        )));
    }
    let is_signed = source.fetched.as_ref().is_some_and(|fetched| !fetched.keys.is_empty());
    text::print_file(&source.shown, &inspection, is_signed, printer);
    if let Some(failure) = inspection.problems(&source.path).first() {
        return Err(problem(format!("nothing was added: {}", failure.message)));
    }
    if let Some(mismatch) = inspection.mismatch() {
        return Err(problem(format!(
            "nothing was added: {mismatch}; remove `world` from plugin.toml to build the right one"
        )));
    }
    match &inspection.anatomy {
        Ok(Anatomy { kind, .. }) if !kind.is_plugin() => Err(problem(format!(
            "nothing was added: {} is {}; build it for hookbox's world (`hookbox plugin build`)",
            shown(&source.path),
            kind.about()
        ))),
        _ => Ok(inspection),
    }
}

/// Shows the consequences, before the user is asked.
fn tell(candidate: &Candidate, added: &Added, printer: &Printer) {
    for (key, text) in candidate.remarks() {
        printer.line(&format!("{key:<10}{}", plain(&text)));
    }
    if let PluginHome::Project(_) = added.home {
        printer.line(&format!(
            "{:<10}an untrusted hook for everybody who works here: it may ask, deny with a code and observe; it is granted \
             nothing",
            "project"
        ));
    }
    for doubt in candidate.doubts() {
        printer.line(&format!("{WARNING}warning{WARNING:#}   {}", plain(&doubt)));
    }
}

/// Adds the grants: by the command line, and by the user if there is a terminal.
fn granted(args: &PluginAddArgs, candidate: Candidate, printer: &Printer) -> Result<Candidate, Stopped> {
    let asks = candidate.asks().cloned();
    if args.project {
        if !args.grant.is_empty() {
            return Err(usage(NOTHING_IN_A_PROJECT.to_owned()));
        }
        return Ok(candidate.with(Grants::default()));
    }
    let mut grants = granting::named_on_the_line(&args.grant, asks.as_ref(), &candidate.entry.grants)?;
    let Some(asks) = asks else { return Ok(candidate.with(grants)) };
    if offer::may_ask(&args.consent) {
        grants = granting::asked(&asks, grants, printer);
    }
    printer.line(&format!("{:<10}{}", "granted", plain(&granting::listed(&grants.names()))));
    if let Some(left) = granting::left(&asks, &grants) {
        printer.line(&format!("{:<10}{}", "", plain(&left)));
    }
    Ok(candidate.with(grants))
}

/// Loads the file as the hook would be called, and calls it where that has no effect, so that an added plugin can run. If its
/// native code cannot be cached, that is reported and not an error.
pub(super) fn verify(candidate: &Candidate, setup: &Setup, printer: &Printer) -> Result<(), Stopped> {
    let hook = candidate.hook.clone().ok_or_else(|| {
        problem(
            "nothing was added: a hook that is there does the same, with the same file and the same words; say --on, --tool or \
             --settings if this one is to do something else",
        )
    })?;
    let tried = block_on(true, check::tried(hook, setup)).map_err(problem)?;
    if let Some(failure) = tried.failure {
        // A compilation that fails when the cache does not work lacks room; the cache's error names the place.
        if let (FailureCode::NotCompiled, Some(trouble)) = (failure.code, &tried.trouble) {
            return Err(problem(format!("nothing was added: {}", plain(trouble))));
        }
        return Err(problem(format!("nothing was added, since it cannot run: {failure}")));
    }
    if let Some(trouble) = tried.trouble {
        printer.line(&format!("{WARNING}warning{WARNING:#}   {}", plain(&trouble)));
    }
    Ok(())
}
