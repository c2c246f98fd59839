//! `hookbox hooks`: lists and changes the hooks in an agent's own file. Only Code-Forge has a file with a list.

use std::collections::BTreeMap;

use hookbox::agents::{
    code_forge::{
        hooks_json::{Entry, Hook, HooksFile},
        templates::find_template,
    },
    settings,
};
use hookbox_app::{
    places::Places,
    settings_file::{Kind, Location},
};
use serde_json::json;

use super::{
    agent_change::{CommandError, problem_error, project_root, usage_error, users_folder},
    change_consent,
    install::report_result,
};
use crate::{
    args::{HookAddArgs, HookFileArgs, HookListArgs, HookRemoveArgs, HooksCommand},
    diagnostic::format_count,
    environment,
    exit::ExitStatus,
    printer::{DIM, Printer},
    report::sanitize_line,
};

const AGENT: &str = "code-forge";

/// Allowed timeouts of a hook in Code-Forge, seconds.
const TIMEOUTS: std::ops::RangeInclusive<f64> = 0.1..=300.0;

pub(super) fn manage_hooks(command: &HooksCommand, printer: &Printer) -> ExitStatus {
    let result = match command {
        HooksCommand::List(args) => list_hooks(args, printer),
        HooksCommand::Add(args) => add_hook(args, printer),
        HooksCommand::Remove(args) => remove_hook(args, printer),
        HooksCommand::Clear(args) => clear_hooks(args, printer),
    };
    report_result(result, printer)
}

fn list_hooks(args: &HookListArgs, printer: &Printer) -> Result<(), CommandError> {
    let (location, _, file) = read_file(&args.file)?;
    if args.json {
        let hooks: Vec<&Entry> = file.hooks().iter().map(Hook::entry).collect();
        printer.print_line(&format!("{:#}", json!(hooks)));
        return Ok(());
    }
    for hook in file.hooks() {
        print_entry(hook.entry(), printer);
    }
    let path = sanitize_line(&location.path().display().to_string());
    printer.print_note(&format!("{} in {path}", format_count(file.hooks().len(), "hook")));
    Ok(())
}

fn print_entry(entry: &Entry, printer: &Printer) {
    let Entry { event, command, wasm, timeout, working_dir, env, enabled, description, on_failure, other: _ } =
        entry;
    let disabled = if *enabled == Some(false) { "  (disabled)" } else { "" };
    printer.print_line(&format!("{}{disabled}", sanitize_line(event)));
    if let Some(description) = description {
        printer.print_line(&format!("    {DIM}{}{DIM:#}", sanitize_line(description)));
    }
    let called =
        wasm.as_ref().map_or_else(|| sanitize_line(command), |wasm| format!("wasm {}", sanitize_line(wasm)));
    printer.print_line(&format!("    {called}"));
    let mut rest = Vec::new();
    rest.extend(timeout.map(|seconds| format!("{seconds} s")));
    rest.extend(working_dir.as_ref().map(|folder| format!("in {}", sanitize_line(folder))));
    rest.extend(env.iter().flatten().map(|(name, value)| sanitize_line(&format!("{name}={value}"))));
    rest.extend(on_failure.map(|means| format!("on failure: {}", means.as_str())));
    if !rest.is_empty() {
        printer.print_line(&format!("    {}", rest.join(", ")));
    }
}

fn add_hook(args: &HookAddArgs, printer: &Printer) -> Result<(), CommandError> {
    let hook = Hook::new(build_entry(args)?).map_err(|error| usage_error(error.to_string()))?;
    let pattern = sanitize_line(&hook.entry().event);
    change_file(&args.file, printer, |file| {
        // A template is a whole hook: a second one would only run it twice.
        if args.template.is_some() && file.hooks().contains(&hook) {
            return Err(problem_error(format!("the file has this hook for `{pattern}` already")));
        }
        file.register(hook);
        Ok(format!("added `{pattern}`"))
    })
}

fn build_entry(args: &HookAddArgs) -> Result<Entry, CommandError> {
    let (pattern, command) = match &args.template {
        Some(name) => return of_template(name, args),
        None => (args.pattern.as_deref().unwrap_or_default(), args.command.as_deref().unwrap_or_default()),
    };
    if command.trim().is_empty() {
        return Err(usage_error("the command is empty".to_owned()));
    }
    let timeout = check_timeout(args)?;
    let mut env = BTreeMap::new();
    for pair in &args.env {
        let Some((name, value)) = pair.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            return Err(usage_error(format!("--env `{}` is not NAME=VALUE", sanitize_line(pair))));
        };
        env.insert(name.to_owned(), value.to_owned());
    }
    Ok(Entry {
        timeout,
        working_dir: args.working_dir.clone(),
        env: Some(env).filter(|env| !env.is_empty()),
        enabled: args.disabled.then_some(false),
        description: args.description.clone(),
        ..Entry::with_command(pattern, command)
    })
}

/// The entry of a template, with what else is given.
fn of_template(name: &str, args: &HookAddArgs) -> Result<Entry, CommandError> {
    let hook = find_template(name).map_err(|error| problem_error(error.to_string()))?;
    let hook = hook.ok_or_else(|| usage_error(format!("unknown template `{}`", sanitize_line(name))))?;
    let entry = hook.entry().clone();
    Ok(Entry {
        timeout: check_timeout(args)?.or(entry.timeout),
        enabled: args.disabled.then_some(false).or(entry.enabled),
        ..entry
    })
}

/// Seconds, in the range that Code-Forge accepts.
fn check_timeout(args: &HookAddArgs) -> Result<Option<f64>, CommandError> {
    match args.timeout {
        Some(timeout) if !TIMEOUTS.contains(&timeout) => {
            let (least, most) = (TIMEOUTS.start(), TIMEOUTS.end());
            Err(usage_error(format!("--timeout is {timeout} s, but must be from {least} to {most}")))
        }
        timeout => Ok(timeout),
    }
}

fn remove_hook(args: &HookRemoveArgs, printer: &Printer) -> Result<(), CommandError> {
    change_file(&args.file, printer, |file| {
        let pattern = sanitize_line(&args.pattern);
        if file.unregister(&args.pattern) {
            return Ok(format!("removed `{pattern}`"));
        }
        let there: Vec<_> = file.hooks().iter().map(|hook| sanitize_line(&hook.entry().event)).collect();
        let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
        Err(problem_error(format!("no hook has the pattern `{pattern}`; there are: {there}")))
    })
}

fn clear_hooks(args: &HookFileArgs, printer: &Printer) -> Result<(), CommandError> {
    let (location, _, file) = read_file(args)?;
    if file.hooks().is_empty() {
        let path = sanitize_line(&location.path().display().to_string());
        printer.print_line(&format!("nothing to do: {path} has no hooks"));
        return Ok(());
    }
    change_file(args, printer, |file| {
        let count = file.hooks().len();
        file.clear();
        Ok(format!("removed {}", format_count(count, "hook")))
    })
}

/// Reads the file, changes it, writes it in one step.
fn change_file(
    args: &HookFileArgs,
    printer: &Printer,
    edit: impl FnOnce(&mut HooksFile) -> Result<String, CommandError>,
) -> Result<(), CommandError> {
    let (location, found, mut file) = read_file(args)?;
    let done = edit(&mut file)?;
    let (path, text) = (sanitize_line(&location.path().display().to_string()), file.text());
    if args.dry_run {
        change_consent::show_change(&path, &found, Some(&text), printer);
        printer.print_note("nothing was written (--dry-run)");
        return Ok(());
    }
    location.replace_text(&found, &text, Kind::Settings).map_err(problem_error)?;
    printer.print_line(&format!("{done}: {path}"));
    Ok(())
}

fn read_file(args: &HookFileArgs) -> Result<(Location, String, HooksFile), CommandError> {
    let location = locate_file(args)?;
    let found = location.read().map_err(problem_error)?;
    if found.trim().is_empty() {
        return Ok((location, found, HooksFile::default()));
    }
    let file = HooksFile::parse(&found);
    let file = file.map_err(|error| problem_error(format!("{}: {error}", location.path().display())))?;
    Ok((location, found, file))
}

fn locate_file(args: &HookFileArgs) -> Result<Location, CommandError> {
    let agent = sanitize_line(&args.agent);
    let settings =
        settings::find_settings(&args.agent).filter(|settings| settings.agent == AGENT).ok_or_else(|| {
            usage_error(format!(
                "hookbox does not edit the hooks of `{agent}`, only those of {AGENT}; see `hookbox install`"
            ))
        })?;
    let places = Places::of_terminal(&environment::read_variable);
    if let (true, Some(folder)) = (args.here, settings.project) {
        return Ok(Location::Project { root: project_root(&places)?, folder, file: settings.file });
    }
    Ok(Location::User(users_folder(&places, &settings.user)?.join(settings.file)))
}
