//! `hookbox plugin remove`: removes exactly the changes of `add`.

use hookbox::{HookSpec, config::did_you_mean, model::KvGrant};
use hookbox_app::{plugin_entry::taken_out, plugin_home::PluginChange, plugin_lock::LockedPlugin};
use hookbox_platform::file::is_there;

use super::added_plugins::{self, Added, format_path};
use crate::{
    args::PluginRemoveArgs,
    commands::{
        agent_change::{CommandError, problem_error, usage_error},
        change_consent,
        install::report_result,
        user_presence,
    },
    exit::ExitStatus,
    printer::{Printer, WARNING},
    report::sanitize_line,
};

/// Text of a user's file without hooks: an empty file is an error, since its guards may have been lost with its text.
const NO_HOOKS: &str = "# no hooks\n";

pub(super) fn remove_plugin(args: &PluginRemoveArgs, printer: &Printer) -> ExitStatus {
    report_result(try_remove(args, printer), printer)
}

fn try_remove(args: &PluginRemoveArgs, printer: &Printer) -> Result<(), CommandError> {
    if !args.consent.dry_run {
        user_presence::refuse_agent("removed").map_err(usage_error)?;
    }
    let places = super::find_places();
    let home = added_plugins::select_home(args.here, &places)?;
    let _lock = (!args.consent.dry_run).then(|| super::lock_plugins(&places, printer)).transpose()?;
    let added = Added::read(home, &places)?;
    let row = added.lock.get(&args.name).ok_or_else(|| unknown_plugin_error(&args.name, &added))?;
    if let Some(error) = added.error() {
        let file = added.hooks_file();
        return Err(problem_error(format!(
            "nothing was removed: {file} has an error; fix it first:\n{error}"
        )));
    }
    // A file in the store stays there as long as a hook calls it.
    if let Some(other) = find_other_hook(row, &added).filter(|_| !row.is_stored()) {
        return Err(problem_error(format!(
            "nothing was removed: the hook `{}` in {} calls the same file; remove that entry first",
            other.name,
            added.hooks_file()
        )));
    }
    let change = compute_change(row, &added, printer)?;
    let (hooks, file) = (added.hooks_file(), format_path(&added.locate_file(row)));
    change_consent::show_change(
        &hooks,
        added.found.as_deref().unwrap_or_default(),
        Some(&change.hooks),
        printer,
    );
    let becomes = FileFate::of(row, &added);
    printer.print_line(&becomes.describe_file(&file));
    if added.find_hook(&row.name).is_some_and(|hook| hook.grants().kv != KvGrant::default()) {
        let store = places.state().map(|state| format_path(&state.join("kv.sqlite"))).unwrap_or_default();
        printer.print_line(&format!(
            "kept      its stored data in {store}, for a plugin that is added as `{}`",
            row.name
        ));
    }
    if !change_consent::confirm_change(&args.consent, &hooks, printer)? {
        return Ok(());
    }
    added.home.take_out(&change).map_err(problem_error)?;
    // Last, so that no entry ever calls a file that is gone.
    if becomes == FileFate::Removed {
        added.home.remove_file(&row.file).map_err(problem_error)?;
    }
    printer.print_line(&format!("removed `{}`", row.name));
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FileFate {
    Removed,
    Stored,
    /// It stays: its changed content is somebody's work, and exists only there.
    Changed,
}

impl FileFate {
    fn of(row: &LockedPlugin, added: &Added) -> Self {
        if row.is_stored() {
            return Self::Stored;
        }
        let is_as_added = added.compute_digest(row).is_some_and(|digest| digest == row.sha256);
        if is_as_added || !is_there(&added.locate_file(row)) { Self::Removed } else { Self::Changed }
    }

    fn describe_file(self, file: &str) -> String {
        match self {
            Self::Removed => format!("remove    {file}"),
            Self::Stored => format!("kept      {file}, until `hookbox plugin gc`"),
            Self::Changed => format!(
                "kept      {file} is another file than the one that was added, and stays; remove it if it is not needed"
            ),
        }
    }
}

fn compute_change(
    row: &LockedPlugin,
    added: &Added,
    printer: &Printer,
) -> Result<PluginChange, CommandError> {
    let text = added.found.clone().unwrap_or_default();
    let file = added.hooks_file();
    let hooks = match added.find_hook(&row.name) {
        Some(hook) if added.is_called_by(hook, row) => taken_out(&text, &row.name).map_err(|error| {
            let (name, line) = (&row.name, hook.origin.line);
            problem_error(format!(
                "nothing was removed: {error}; remove `{name}` from {file}:{line}, and run this again"
            ))
        })?,
        Some(_) => {
            let name = sanitize_line(&row.name);
            printer.print_line(&format!(
                "{WARNING}odd{WARNING:#}       the hook `{name}` in {file} calls something else by now, and stays"
            ));
            text
        }
        None => text,
    };
    if let Some(error) = added_plugins::find_first_error(&added.load_hooks_from(&hooks)) {
        return Err(problem_error(format!(
            "nothing was removed: {file} would have an error without it:\n{error}"
        )));
    }
    let is_empty = hooks.trim().is_empty() && added.found.is_some();
    let hooks = if is_empty { NO_HOOKS.to_owned() } else { hooks };
    Ok(PluginChange { found: added.found.clone(), hooks, lock: added.lock.clone().without_plugin(&row.name) })
}

/// Returns another hook that calls its file.
fn find_other_hook<'a>(row: &LockedPlugin, added: &'a Added) -> Option<&'a HookSpec> {
    let hooks = added.loaded.hooks.iter().chain(&added.loaded.disabled);
    hooks.into_iter().find(|hook| hook.name != row.name && added.is_called_by(hook, row))
}

fn unknown_plugin_error(name: &str, added: &Added) -> CommandError {
    let (shown_name, file) = (sanitize_line(name), added.hooks_file());
    if let Some(hook) = added.find_hook(name) {
        return problem_error(format!(
            "nothing was removed: `{shown_name}` was not added by `hookbox plugin add`; remove it from {file}:{} by hand",
            hook.origin.line
        ));
    }
    let names: Vec<_> = added.lock.iter().map(|row| row.name.as_str()).collect();
    let place = format_path(&added.home.folder());
    if names.is_empty() {
        return problem_error(format!("nothing was removed: no plugin was added to {place}"));
    }
    problem_error(format!("no plugin `{shown_name}` was added to {place}; {}", did_you_mean(name, &names)))
}
