//! `hookbox hooks`: lists and changes the hooks in an agent's own file. Only Code-Forge has a file with a list.

use std::collections::BTreeMap;

use hookbox::dialect::{
    code_forge::{
        hooks_file::{Entry, Hook, HooksFile},
        templates::template,
    },
    settings,
};
use hookbox_files::{
    places::Places,
    settings_file::{Kind, Location},
};
use serde_json::json;

use super::{
    agent_change::{Stopped, problem, project_root, usage, users_folder},
    install::ended,
    offer,
};
use crate::{
    args::{HookAddArgs, HookFileArgs, HookListArgs, HookRemoveArgs, HooksCommand},
    diagnostic::plural,
    environment,
    exit::ExitStatus,
    printer::{DIM, Printer},
    report::plain,
};

const AGENT: &str = "code-forge";

/// Allowed timeouts of a hook in Code-Forge, seconds.
const TIMEOUTS: std::ops::RangeInclusive<f64> = 0.1..=300.0;

pub(super) fn hooks(command: &HooksCommand, printer: &Printer) -> ExitStatus {
    let result = match command {
        HooksCommand::List(args) => list(args, printer),
        HooksCommand::Add(args) => add(args, printer),
        HooksCommand::Remove(args) => remove(args, printer),
        HooksCommand::Clear(args) => clear(args, printer),
    };
    ended(result, printer)
}

fn list(args: &HookListArgs, printer: &Printer) -> Result<(), Stopped> {
    let (location, _, file) = read(&args.file)?;
    if args.json {
        let hooks: Vec<&Entry> = file.hooks().iter().map(Hook::entry).collect();
        printer.line(&format!("{:#}", json!(hooks)));
        return Ok(());
    }
    for hook in file.hooks() {
        print(hook.entry(), printer);
    }
    let path = plain(&location.path().display().to_string());
    printer.note(&format!("{} in {path}", plural(file.hooks().len(), "hook")));
    Ok(())
}

fn print(entry: &Entry, printer: &Printer) {
    let Entry { event, command, wasm, timeout, working_dir, env, enabled, description, on_failure, other: _ } =
        entry;
    let disabled = if *enabled == Some(false) { "  (disabled)" } else { "" };
    printer.line(&format!("{}{disabled}", plain(event)));
    if let Some(description) = description {
        printer.line(&format!("    {DIM}{}{DIM:#}", plain(description)));
    }
    let called = wasm.as_ref().map_or_else(|| plain(command), |wasm| format!("wasm {}", plain(wasm)));
    printer.line(&format!("    {called}"));
    let mut rest = Vec::new();
    rest.extend(timeout.map(|seconds| format!("{seconds} s")));
    rest.extend(working_dir.as_ref().map(|folder| format!("in {}", plain(folder))));
    rest.extend(env.iter().flatten().map(|(name, value)| plain(&format!("{name}={value}"))));
    rest.extend(on_failure.map(|means| format!("on failure: {}", means.as_str())));
    if !rest.is_empty() {
        printer.line(&format!("    {}", rest.join(", ")));
    }
}

fn add(args: &HookAddArgs, printer: &Printer) -> Result<(), Stopped> {
    let hook = Hook::new(entry(args)?).map_err(|error| usage(error.to_string()))?;
    let pattern = plain(&hook.entry().event);
    change(&args.file, printer, |file| {
        if args.template.is_some() && file.hooks().contains(&hook) {
            return Err(problem(format!("the file has this hook for `{pattern}` already")));
        }
        file.register(hook);
        Ok(format!("added `{pattern}`"))
    })
}

fn entry(args: &HookAddArgs) -> Result<Entry, Stopped> {
    let (pattern, command) = match &args.template {
        Some(name) => return of_template(name, args),
        None => (args.pattern.as_deref().unwrap_or_default(), args.command.as_deref().unwrap_or_default()),
    };
    if command.trim().is_empty() {
        return Err(usage("the command is empty".to_owned()));
    }
    let timeout = timeout(args)?;
    let mut env = BTreeMap::new();
    for pair in &args.env {
        let Some((name, value)) = pair.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            return Err(usage(format!("--env `{}` is not NAME=VALUE", plain(pair))));
        };
        env.insert(name.to_owned(), value.to_owned());
    }
    Ok(Entry {
        timeout,
        working_dir: args.working_dir.clone(),
        env: Some(env).filter(|env| !env.is_empty()),
        enabled: args.disabled.then_some(false),
        description: args.description.clone(),
        ..Entry::of(pattern, command)
    })
}

/// The entry of a template, with what else is given.
fn of_template(name: &str, args: &HookAddArgs) -> Result<Entry, Stopped> {
    let hook = template(name).map_err(|error| problem(error.to_string()))?;
    let hook = hook.ok_or_else(|| usage(format!("there is no template `{}`", plain(name))))?;
    let entry = hook.entry().clone();
    Ok(Entry {
        timeout: timeout(args)?.or(entry.timeout),
        enabled: args.disabled.then_some(false).or(entry.enabled),
        ..entry
    })
}

/// Seconds, in the range that Code-Forge accepts.
fn timeout(args: &HookAddArgs) -> Result<Option<f64>, Stopped> {
    match args.timeout {
        Some(timeout) if !TIMEOUTS.contains(&timeout) => {
            let (least, most) = (TIMEOUTS.start(), TIMEOUTS.end());
            Err(usage(format!("--timeout is {timeout} s, but must be from {least} to {most}")))
        }
        timeout => Ok(timeout),
    }
}

fn remove(args: &HookRemoveArgs, printer: &Printer) -> Result<(), Stopped> {
    change(&args.file, printer, |file| {
        let pattern = plain(&args.pattern);
        if file.unregister(&args.pattern) {
            return Ok(format!("removed `{pattern}`"));
        }
        let there: Vec<_> = file.hooks().iter().map(|hook| plain(&hook.entry().event)).collect();
        let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
        Err(problem(format!("no hook has the pattern `{pattern}`; there are: {there}")))
    })
}

fn clear(args: &HookFileArgs, printer: &Printer) -> Result<(), Stopped> {
    let (location, _, file) = read(args)?;
    if file.hooks().is_empty() {
        let path = plain(&location.path().display().to_string());
        printer.line(&format!("nothing to do: {path} has no hooks"));
        return Ok(());
    }
    change(args, printer, |file| {
        let count = file.hooks().len();
        file.clear();
        Ok(format!("removed {}", plural(count, "hook")))
    })
}

/// Reads the file, changes it, writes it in one step.
fn change(
    args: &HookFileArgs,
    printer: &Printer,
    edit: impl FnOnce(&mut HooksFile) -> Result<String, Stopped>,
) -> Result<(), Stopped> {
    let (location, found, mut file) = read(args)?;
    let done = edit(&mut file)?;
    let (path, text) = (plain(&location.path().display().to_string()), file.text());
    if args.dry_run {
        offer::show(&path, &found, Some(&text), printer);
        printer.note("nothing was written (--dry-run)");
        return Ok(());
    }
    location.replace(&found, &text, Kind::Settings).map_err(problem)?;
    printer.line(&format!("{done}: {path}"));
    Ok(())
}

fn read(args: &HookFileArgs) -> Result<(Location, String, HooksFile), Stopped> {
    let location = location(args)?;
    let found = location.read().map_err(problem)?;
    if found.trim().is_empty() {
        return Ok((location, found, HooksFile::default()));
    }
    let file = HooksFile::parse(&found);
    let file = file.map_err(|error| problem(format!("{}: {error}", location.path().display())))?;
    Ok((location, found, file))
}

fn location(args: &HookFileArgs) -> Result<Location, Stopped> {
    let agent = plain(&args.agent);
    let settings =
        settings::named(&args.agent).filter(|settings| settings.agent == AGENT).ok_or_else(|| {
            usage(format!(
                "hookbox does not edit the hooks of `{agent}`, only those of {AGENT}; see `hookbox install`"
            ))
        })?;
    let places = Places::of_terminal(&environment::variable);
    if let (true, Some(folder)) = (args.project, settings.project) {
        return Ok(Location::Project { root: project_root(&places)?, folder, file: settings.file });
    }
    Ok(Location::User(users_folder(&places, &settings.user)?.join(settings.file)))
}
