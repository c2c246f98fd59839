//! `hookbox plugin update`: installs newer releases of fetched plugins. The user is asked only about changes.

mod previous_manifest;
mod wanted_release;

use std::path::Path;

use hookbox::config::did_you_mean;
use hookbox_app::{
    FolderHooks, HookFiles,
    places::Places,
    plugin_home::{PluginChange, PluginHome},
    plugin_lock::LockedPlugin,
};

use self::{previous_manifest::ExistingManifest, wanted_release::Replacement};
use super::{
    add::{NOTHING_IN_A_PROJECT, candidate::Candidate, inspect_source, source::Source, verify_candidate},
    added_plugins::{self, Added, format_path, of_pin},
    clock::warn_if_set_back,
    fetch::{self, Fetched},
    locked_check,
    trust_decision::{self, GivenConsent, JudgedPlugin},
};
use crate::{
    args::{ConsentArgs, PluginAddArgs, UpdateArgs},
    commands::{
        agent_change::{CommandError, problem_error, usage_error},
        install::report_result,
        progress, user_presence,
    },
    environment,
    exit::ExitStatus,
    printer::{Printer, WARNING},
    report::sanitize_line,
};

pub(super) fn update_plugins(args: &UpdateArgs, printer: &Printer) -> ExitStatus {
    match try_update(args, printer) {
        Ok(status) => status,
        Err(stopped) => report_result(Err(stopped), printer),
    }
}

fn try_update(args: &UpdateArgs, printer: &Printer) -> Result<ExitStatus, CommandError> {
    let places = super::find_places();
    let home = added_plugins::select_home(args.here, &places)?;
    if args.locked {
        return locked_check::check_plugins(&Added::read(home, &places)?, None, printer)
            .map(|()| ExitStatus::Success);
    }
    if !args.consent.dry_run {
        user_presence::refuse_agent("updated").map_err(usage_error)?;
    }
    if args.here && !args.grant.is_empty() {
        return Err(usage_error(NOTHING_IN_A_PROJECT.to_owned()));
    }
    let _lock = (!args.consent.dry_run).then(|| super::lock_plugins(&places, printer)).transpose()?;
    let added = Added::read(home.clone(), &places)?;
    warn_if_set_back(&added, printer);
    let mut worst = ExitStatus::Success;
    for name in select_names(args, &added)? {
        // A plugin that cannot be updated does not keep the others from it.
        let status = match update_one(&name, args, &home, &places, printer) {
            Ok(status) => status,
            Err((status, why)) => {
                printer.print_error(&format!("`{name}`: {why}"));
                status
            }
        };
        if worst.code() < status.code() {
            worst = status;
        }
    }
    Ok(worst)
}

/// Returns the selected plugins that can be fetched.
fn select_names(args: &UpdateArgs, added: &Added) -> Result<Vec<String>, CommandError> {
    let Some(name) = &args.name else {
        let fetched = added.lock.iter().filter(|row| fetch::is_remote(&row.source));
        return Ok(fetched.map(|row| row.name.clone()).collect());
    };
    match added.lock.get(name) {
        Some(row) if fetch::is_remote(&row.source) => Ok(vec![row.name.clone()]),
        Some(row) => Err(problem_error(format!(
            "`{name}` came from a file ({}): add the newer file, which replaces it",
            sanitize_line(&row.source)
        ))),
        None => {
            let (name, folder) = (sanitize_line(name), format_path(&added.home.folder()));
            let known: Vec<_> = added.lock.iter().map(|row| row.name.as_str()).collect();
            let help = match known.as_slice() {
                [] => "none was: `hookbox plugin add SOURCE` does that".to_owned(),
                known => did_you_mean(&name, known),
            };
            Err(problem_error(format!("no plugin `{name}` was added to {folder}; {help}")))
        }
    }
}

fn update_one(
    name: &str,
    args: &UpdateArgs,
    home: &PluginHome,
    places: &Places,
    printer: &Printer,
) -> Result<ExitStatus, CommandError> {
    // Read again for each plugin: the update before this one has changed the files.
    let added = Added::read(home.clone(), places)?;
    let Some(row) = added.lock.get(name).cloned() else { return Ok(ExitStatus::Success) };
    // Before the newest is fetched: both use the same folder.
    let before = ExistingManifest::read_or_fetch(&row, &added, places, printer);
    let fetched = Fetched::fetch_newest(&row, places).map_err(problem_error)?;
    let is_pinned = added.find_hook(name).is_none_or(|hook| of_pin(hook, &row).is_none());
    // A damaged copy, or a changed pin, is repaired by the same release.
    if fetched.component.as_str() == row.sha256
        && is_pinned
        && added.compute_digest(&row).as_ref() == Some(&row.sha256)
    {
        printer.print_line(&format!("`{name}` is the newest: {}", describe_version(&row)));
        print_warnings(&fetched, printer);
        if let Some(why) = added.explain_refusal(&row) {
            return Err(problem_error(format!("no newer release exists, and {why}")));
        }
        let source = sanitize_line(&row.source);
        if !args.consent.dry_run {
            renew_expiry(row, &fetched, &added)?;
        }
        if !args.grant.is_empty() {
            return Err(usage_error(format!(
                "nothing was granted, since no release takes its place; `hookbox plugin add {source} --name {name} --grant …` grants"
            )));
        }
        return Ok(ExitStatus::Success);
    }
    let is_same = trust_decision::is_same_publisher(&row, Some(&fetched));
    if !is_same {
        for bad in &fetched.bad {
            printer.print_line(&format!("{WARNING}warning{WARNING:#}   {}", sanitize_line(bad)));
        }
        return Err(problem_error(format!(
            "it was not updated: {}; to replace it, run `hookbox plugin remove {name}` and add the other plugin",
            sanitize_line(&other_publisher(&row, &fetched))
        )));
    }
    let source = Source::from_fetched(fetched).map_err(problem_error)?;
    let root = home.project().unwrap_or(Path::new("/"));
    let files = HookFiles::Layers { folder: root, session: None };
    let folder_hooks = FolderHooks::read_files(
        progress::with_progress(environment::build_surroundings(places.clone())),
        files,
    );
    let inspection = inspect_source(&source, &folder_hooks, printer)?;
    let manifest = inspection.manifest.as_ref().ok().and_then(Option::as_ref);
    let judged = JudgedPlugin {
        component: &source.sha256,
        manifest,
        fetched: source.fetched.as_ref(),
        project: home.project(),
        lock: &added.lock,
    };
    if let Some(why) = other_plugin(&row, manifest.map(|manifest| manifest.name.as_str())) {
        return Err(problem_error(format!(
            "it was not updated: {why}; to replace it, run `hookbox plugin remove {name}` and add the other plugin"
        )));
    }
    // If the user accepted an unsigned release, each following one is asked about.
    let words = GivenConsent { unsigned: row.signer.is_none(), allow_downgrade: args.allow_downgrade };
    let trusted = judged.judge_release(words, places, printer)?;
    let as_added = build_add_args(name, args, &row);
    let candidate = Candidate::new(&as_added, &source, &inspection, &added)?;
    let grants =
        Replacement { name, row: &row, before, manifest, args }.confirm_grants(&candidate, printer)?;
    // A script needs to know that the newest release was not installed.
    let Some(grants) = grants else { return Ok(ExitStatus::Problems) };
    let mut candidate = candidate.with_grants(grants);
    let change = candidate.compute_change(&added)?;
    verify_candidate(&candidate, &folder_hooks, printer)?;
    let release = added.lock.get(name).map(describe_version).unwrap_or_default();
    let now = change.lock.get(name).map(describe_version).unwrap_or_default();
    // Only here, so that a dry run makes the same checks.
    if args.consent.dry_run {
        printer.print_line(&format!("`{name}`: {release} -> {now}, and nothing was written (--dry-run)"));
        return Ok(ExitStatus::Success);
    }
    trusted.store_release(places)?;
    candidate.write_files(&source.bytes, &change, &added)?;
    printer.print_line(&format!("updated `{name}`: {release} -> {now}"));
    Ok(ExitStatus::Success)
}

pub(super) fn print_warnings(fetched: &Fetched, printer: &Printer) {
    for untimely in fetched.early().into_iter().chain(fetched.overdue()) {
        printer.print_line(&format!("    {WARNING}warning{WARNING:#}: {}", sanitize_line(&untimely)));
    }
}

pub(super) fn describe_version(row: &LockedPlugin) -> String {
    let version = row.version.as_deref().unwrap_or("no version");
    sanitize_line(&format!("{version} (release {})", row.seq.unwrap_or_default()))
}

pub(super) fn other_publisher(row: &LockedPlugin, newest: &Fetched) -> String {
    let now = newest.find_signer(None);
    let now = now.map_or_else(|| "unsigned".to_owned(), |signer| format!("signed by {signer}"));
    let before = row.signed();
    format!(
        "the newest is {now}, and the installed one is {before}; a plugin of another publisher is a different plugin"
    )
}

/// Returns a problem if the release is of another plugin than the existing one. A publisher has several, and a distributor
/// could swap them.
pub(super) fn other_plugin(row: &LockedPlugin, now: Option<&str>) -> Option<String> {
    let called = |name: Option<&str>| sanitize_line(name.unwrap_or("nothing"));
    let before = row.plugin.as_deref();
    (before != now).then(|| {
        format!(
            "the name of the newest is {}, and that of the installed plugin is {}",
            called(now),
            called(before)
        )
    })
}

/// Records a later expiry that the publisher has stated for an unchanged file. An earlier one is ignored: a distributor could
/// replay an old statement.
fn renew_expiry(row: LockedPlugin, fetched: &Fetched, added: &Added) -> Result<(), CommandError> {
    let (before, now) = (row.expires.as_deref(), fetched.expires());
    // Their format is uniform, so texts compare like times.
    if now <= before || !trust_decision::is_same_publisher(&row, Some(fetched)) {
        return Ok(());
    }
    let row = LockedPlugin {
        expires: now.map(str::to_owned),
        manifest: fetched.manifest.clone(),
        statement: fetched.statement.clone(),
        ..row
    };
    let hooks = added.found.clone().unwrap_or_default();
    let change =
        PluginChange { found: added.found.clone(), hooks, lock: added.lock.clone().with_plugin(row) };
    added.home.apply_change(&change).map_err(problem_error)
}

/// Returns the arguments with which `plugin add` would have been called.
fn build_add_args(name: &str, args: &UpdateArgs, row: &LockedPlugin) -> PluginAddArgs {
    PluginAddArgs {
        file: row.source.clone().into(),
        name: Some(name.to_owned()),
        here: args.here,
        on: Vec::new(),
        classes: Vec::new(),
        grant: Vec::new(),
        settings: None,
        locked: false,
        unsigned: false,
        allow_downgrade: args.allow_downgrade,
        consent: ConsentArgs { yes: args.consent.yes, dry_run: args.consent.dry_run },
    }
}
