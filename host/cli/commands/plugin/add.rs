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
use hookbox_app::{FolderHooks, HookFiles, plugin_home::PluginHome};

use self::{candidate::Candidate, source::Source};
use super::{
    added_plugins::{self, Added, format_path},
    clock::warn_if_set_back,
    inspect::inspect_plugin,
    locked_check, text,
    trust_decision::{GivenConsent, JudgedPlugin},
};
use crate::{
    args::PluginAddArgs,
    commands::{
        agent_change::{CommandError, problem_error, usage_error},
        block_on, change_consent, check,
        install::report_result,
        progress, user_presence,
    },
    environment,
    exit::ExitStatus,
    printer::{Printer, WARNING},
    report::sanitize_line,
};

/// Reason why `--grant` and `--here` exclude each other.
pub(super) const NOTHING_IN_A_PROJECT: &str = "--grant: a project's hook is granted nothing, since its file is \
    untrusted for all other users; omit --grant or --here";

pub(super) fn add_plugin(args: &PluginAddArgs, printer: &Printer) -> ExitStatus {
    report_result(try_add(args, printer), printer)
}

fn try_add(args: &PluginAddArgs, printer: &Printer) -> Result<(), CommandError> {
    // Neither a dry run nor `--locked` writes anything, so agents may do it.
    if !args.consent.dry_run && !args.locked {
        user_presence::refuse_agent("added").map_err(usage_error)?;
    }
    let places = super::find_places();
    let home = added_plugins::select_home(args.here, &places)?;
    if let Some(who) = home.other_writer() {
        return Err(problem_error(format!(
            "nothing was added: the files in {} are trusted, and {who}",
            format_path(&home.folder())
        )));
    }
    if args.locked {
        return locked_check::check_plugins(
            &Added::read(home, &places)?,
            Some(&args.file.to_string_lossy()),
            printer,
        );
    }
    // The lock is held while a plugin is built, or the user is asked; a dry run writes nothing, not even the lock's file.
    let _lock = (!args.consent.dry_run).then(|| super::lock_plugins(&places, printer)).transpose()?;
    let source = Source::of(&args.file, &places).map_err(problem_error)?;
    // For the user's own hooks no project counts, and so no project's file can fail the command.
    let root = home.project().unwrap_or(std::path::Path::new("/")).to_owned();
    let files = HookFiles::Layers { folder: &root, session: None };
    let folder_hooks = FolderHooks::read_files(
        progress::with_progress(environment::build_surroundings(places.clone())),
        files,
    );
    let inspection = inspect_source(&source, &folder_hooks, printer)?;
    let added = Added::read(home, &places)?;
    warn_if_set_back(&added, printer);
    let manifest = inspection.manifest.as_ref().ok().and_then(Option::as_ref);
    let judged = JudgedPlugin {
        component: &source.sha256,
        manifest,
        fetched: source.fetched.as_ref(),
        project: added.home.project(),
        lock: &added.lock,
    };
    let words = GivenConsent { unsigned: args.unsigned, allow_downgrade: args.allow_downgrade };
    let trusted = judged.judge_release(words, &places, printer)?;
    let candidate = Candidate::new(args, &source, &inspection, &added)?;
    print_consequences(&candidate, &added, printer);
    let mut candidate = collect_grants(args, candidate, printer)?;
    // Before the hook is loaded, since it is read from the changed file.
    let change = candidate.compute_change(&added)?;
    verify_candidate(&candidate, &folder_hooks, printer)?;
    let path = added.hooks_file();
    let is_unchanged = candidate.is_same && added.found.as_deref() == Some(change.hooks.as_str());
    if is_unchanged && change.lock == added.lock {
        printer.print_line(&format!("nothing to do: `{}` is this very file already", candidate.entry.name));
        return Ok(());
    }
    change_consent::show_change(
        &path,
        added.found.as_deref().unwrap_or_default(),
        Some(&change.hooks),
        printer,
    );
    if !change_consent::confirm_change(&args.consent, &path, printer)? {
        return Ok(());
    }
    // Stored first: if the process ends here, an earlier release is refused all the same.
    trusted.store_release(&places)?;
    candidate.write_files(&source.bytes, &change, &added)?;
    let (what, name) = (if candidate.before.is_some() { "replaced" } else { "added" }, &candidate.entry.name);
    printer.print_line(&format!(
        "{what} `{name}`: {}",
        format_path(&added.home.file_path(&candidate.entry.path))
    ));
    Ok(())
}

/// Shows the file's properties; an error if it cannot be a plugin.
pub(super) fn inspect_source(
    source: &Source,
    folder_hooks: &FolderHooks,
    printer: &Printer,
) -> Result<Inspection, CommandError> {
    let inspection = inspect_plugin(&source.path, folder_hooks).map_err(problem_error)?;
    // The file was read twice, and the inspected bytes must be the copied ones.
    if inspection.sha256 != source.sha256.as_str() {
        return Err(problem_error(format!(
            "{} is being written; try again when that is done",
            format_path(&source.path)
        )));
    }
    let is_signed = source.fetched.as_ref().is_some_and(|fetched| !fetched.keys.is_empty());
    text::print_file(&source.shown, &inspection, is_signed, printer);
    if let Some(failure) = inspection.list_problems(&source.path).first() {
        return Err(problem_error(format!("nothing was added: {}", failure.message)));
    }
    if let Some(mismatch) = inspection.mismatch() {
        return Err(problem_error(format!(
            "nothing was added: {mismatch}; remove `world` from plugin.toml to build the right one"
        )));
    }
    match &inspection.anatomy {
        Ok(Anatomy { kind, .. }) if !kind.is_plugin() => Err(problem_error(format!(
            "nothing was added: {} is {}; build it for hookbox's world (`hookbox plugin build`)",
            format_path(&source.path),
            kind.about()
        ))),
        _ => Ok(inspection),
    }
}

/// Shows the consequences, before the user is asked.
fn print_consequences(candidate: &Candidate, added: &Added, printer: &Printer) {
    for (key, text) in candidate.remarks() {
        printer.print_line(&format!("{key:<10}{}", sanitize_line(&text)));
    }
    if let PluginHome::Project(_) = added.home {
        printer.print_line(&format!(
            "{:<10}an untrusted hook for all users of this project: it may ask, deny with a code and observe, and has no capabilities",
            "project"
        ));
    }
    for doubt in candidate.doubts() {
        printer.print_line(&format!("{WARNING}warning{WARNING:#}   {}", sanitize_line(&doubt)));
    }
}

/// Adds the grants: by the command line, and by the user if there is a terminal.
fn collect_grants(
    args: &PluginAddArgs,
    candidate: Candidate,
    printer: &Printer,
) -> Result<Candidate, CommandError> {
    let asks = candidate.asks().cloned();
    if args.here {
        if !args.grant.is_empty() {
            return Err(usage_error(NOTHING_IN_A_PROJECT.to_owned()));
        }
        return Ok(candidate.with_grants(Grants::default()));
    }
    let mut grants = granting::named_on_the_line(&args.grant, asks.as_ref(), &candidate.entry.grants)?;
    let Some(asks) = asks else { return Ok(candidate.with_grants(grants)) };
    if change_consent::may_ask(&args.consent) {
        grants = granting::ask_for_grants(&asks, grants, printer);
    }
    printer.print_line(&format!(
        "{:<10}{}",
        "granted",
        sanitize_line(&granting::join_names(&grants.names()))
    ));
    if let Some(left) = granting::describe_missing_grants(&asks, &grants) {
        printer.print_line(&format!("{:<10}{}", "", sanitize_line(&left)));
    }
    Ok(candidate.with_grants(grants))
}

/// Loads the file as the hook would be called, and calls it where that has no effect, so that an added plugin can run. If its
/// native code cannot be cached, that is reported and not an error.
pub(super) fn verify_candidate(
    candidate: &Candidate,
    folder_hooks: &FolderHooks,
    printer: &Printer,
) -> Result<(), CommandError> {
    let hook = candidate.hook.clone().ok_or_else(|| {
        problem_error(
            "nothing was added: an existing hook has the same file and the same settings; pass --on, --tool or --settings for a different hook",
        )
    })?;
    let tried = block_on(true, check::try_hook(hook, folder_hooks)).map_err(problem_error)?;
    if let Some(failure) = tried.failure {
        // A compilation that fails when the cache does not work lacks room; the cache's error names the place.
        if let (FailureCode::NotCompiled, Some(trouble)) = (failure.code, &tried.trouble) {
            return Err(problem_error(format!("nothing was added: {}", sanitize_line(trouble))));
        }
        return Err(problem_error(format!("nothing was added, since it cannot run: {failure}")));
    }
    if let Some(trouble) = tried.trouble {
        printer.print_line(&format!("{WARNING}warning{WARNING:#}   {}", sanitize_line(&trouble)));
    }
    Ok(())
}
