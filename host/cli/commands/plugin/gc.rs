//! `hookbox plugin gc`: removes files from the store that no lock file and no hook of the user's names, and folders of
//! processes that were killed while they fetched something.

use std::{collections::BTreeSet, fs, path::Path};

use hookbox::Sha256Digest;
use hookbox_app::plugin_store::PluginStore;

use super::{
    added_plugins::{self, Added, format_path},
    fetch,
};
use crate::{
    args::GcArgs,
    commands::{
        agent_change::{CommandError, problem_error, usage_error},
        install::report_result,
        user_presence,
    },
    exit::ExitStatus,
    printer::Printer,
};

pub(super) fn collect_garbage(args: &GcArgs, printer: &Printer) -> ExitStatus {
    report_result(try_gc(args, printer), printer)
}

fn try_gc(args: &GcArgs, printer: &Printer) -> Result<(), CommandError> {
    if !args.dry_run {
        user_presence::refuse_agent("removed").map_err(usage_error)?;
    }
    let places = super::find_places();
    let _lock = (!args.dry_run).then(|| super::lock_plugins(&places, printer)).transpose()?;
    // No other file refers to these folders, so a broken one does not protect them.
    for folder in fetch::left_behind(&places).map_err(problem_error)? {
        if !args.dry_run {
            fs::remove_dir_all(&folder)
                .map_err(|error| problem_error(format!("{}: {error}", format_path(&folder))))?;
        }
        printer.print_line(&format!("remove    {}", format_path(&folder)));
    }
    let added = Added::read(added_plugins::select_home(false, &places)?, &places)?;
    // An unreadable entry may call any file.
    if let Some(error) = added.error() {
        let file = added.hooks_file();
        return Err(problem_error(format!(
            "nothing was removed: {file} has an error; fix it first:\n{error}"
        )));
    }
    let Some(store) = &added.store else { return Ok(()) };
    let failed = |error: std::io::Error| problem_error(format!("{}: {error}", format_path(store.folder())));
    let all = store.digests().map_err(failed)?;
    if !all.is_empty() && !added.home.plugin_lock_path().exists() {
        return Err(problem_error(format!(
            "nothing was removed: {} does not exist, which lists the stored plugins; check that XDG_CONFIG_HOME is the one with which plugins were added",
            format_path(&added.home.plugin_lock_path())
        )));
    }
    let named = find_referenced_digests(&added, store, &all);
    let mut removed = 0;
    for digest in all {
        if named.contains(digest.as_str()) {
            continue;
        }
        if !args.dry_run {
            store.remove_file(digest.as_str()).map_err(failed)?;
        }
        printer.print_line(&format!("remove    {}", format_path(&store.file_path(digest.as_str()))));
        removed += 1;
    }
    printer.print_line(&format!("{} of {} plugins are kept", named.len(), named.len() + removed));
    Ok(())
}

/// Returns the existing digests that are referred to.
fn find_referenced_digests(added: &Added, store: &PluginStore, all: &[Sha256Digest]) -> BTreeSet<String> {
    let rows = added.lock.iter().filter(|row| row.is_stored()).map(|row| row.sha256.clone());
    let hooks = added.loaded.hooks.iter().chain(&added.loaded.disabled);
    // Several paths may lead to a file, so real paths are compared.
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let paths: Vec<_> = hooks.filter_map(|hook| Some(real(&hook.wasm()?.path))).collect();
    let called = all
        .iter()
        .map(|digest| digest.as_str().to_owned())
        .filter(|digest| paths.contains(&real(&store.file_path(digest))));
    let is_there = |digest: &String| all.iter().any(|there| there.as_str() == digest);
    rows.filter(is_there).chain(called).collect()
}
