//! `hookbox check`: reports every problem, and compiles every plugin ahead.

use std::{path::Path, time::Instant};

use hookbox::{
    CheckedHook, HookId, HookSpec, Host,
    hookfile::{Problem, Severity},
    model::Failure,
};
use hookbox_app::{FolderHooks, places::Places, trust_files::TrustFiles};

use super::{
    entries::{self, AgentFile},
    plugin, read, sample_calls,
};
use crate::{
    args::CheckArgs,
    diagnostic, environment,
    exit::ExitStatus,
    findings::{self, Level},
    printer::{ERROR, GOOD, Printer, WARNING},
    report,
};

pub(super) fn check_hooks(args: &CheckArgs, printer: &Printer) -> ExitStatus {
    findings::with_findings(("check", args.json), printer, || try_check(args, printer))
}

fn try_check(args: &CheckArgs, printer: &Printer) -> ExitStatus {
    let read = super::resolve_project(args.project.as_deref()).and_then(|project| {
        let places = Places::of_terminal(&environment::read_variable).with_trusted_hooks(&args.trusted.hooks);
        let around = (places, project.as_path());
        let folder_hooks = match &args.bundle {
            Some(bundle) => read::load_exported_folder(bundle, around)?,
            None => read::load_for_folder(args.agent.as_deref(), around, (&args.source, &args.own))?,
        };
        Ok((folder_hooks, project))
    });
    let (folder_hooks, project) = match read {
        Ok(read) => read,
        Err(message) => {
            printer.print_error(&message);
            return ExitStatus::Usage;
        }
    };
    let problems = collect_problems(&folder_hooks, &project, args);
    diagnostic::print_problems(&problems, printer);
    if let Some(by) = folder_hooks.projects_off() {
        printer.print_line(&format!(
            "the project's hooks are switched off by {}",
            report::sanitize_line(&by.to_string())
        ));
    }
    let PluginCounts { broken, mut warnings } = match load_plugins(&folder_hooks, printer) {
        Ok(found) => found,
        Err(error) => {
            printer.print_error(&error);
            return ExitStatus::Problems;
        }
    };
    let mut discarded = 0;
    // Where files or a bundle are named, only these are checked.
    if (args.own.files.is_empty() || args.own.with_hookbox) && args.bundle.is_none() {
        let files = entries::find_settings_files(&folder_hooks.places, &project);
        discarded = report_discarded(&files, printer);
        warnings += warn_of_other_places(&files, &folder_hooks.places, printer);
        warnings += plugin::warn_of_pins(&folder_hooks.places, &project, printer);
    }
    let hooks = folder_hooks.loaded.hooks.len();
    let counts = diagnostic::format_problem_counts(&problems, (discarded, warnings));
    printer.print_line(&format!(
        "{} checked: {counts}, {broken} that cannot run",
        diagnostic::format_count(hooks, "hook")
    ));
    let errors = problems.iter().any(|problem| problem.severity == Severity::Error);
    if errors || discarded > 0 || broken > 0 { ExitStatus::Problems } else { ExitStatus::Success }
}

/// Returns the problems of the files, including policies, which are not read as long as no hook is a component.
fn collect_problems(folder_hooks: &FolderHooks, project: &Path, args: &CheckArgs) -> Vec<Problem> {
    let mut problems = folder_hooks.loaded.problems.clone();
    let was_asked = folder_hooks.loaded.hooks.iter().any(|hook| hook.wasm().is_some());
    if !is_of_agent(args) && !was_asked {
        let root = folder_hooks.places.project_config(project).map(|project| project.root);
        let (_, more) =
            TrustFiles::read_files(&folder_hooks.places, root.as_deref(), &environment::shipped_plugins());
        problems.extend(more);
    }
    problems
}

/// Reports the agents' settings files with hookbox's entries that the agents discard: hookbox is asked nothing there. Returns their number.
fn report_discarded(files: &[AgentFile], printer: &Printer) -> usize {
    let discarded = files.iter().filter_map(|file| Some((file, file.discarded()?)));
    let lines = discarded.map(|(file, error)| format!("{}: {error}", file.path.display()));
    lines
        .inspect(|line| {
            printer.add_finding(Level::Wrong, "agents", line);
            printer.print_note(&format!("{ERROR}error{ERROR:#}: {}", report::sanitize_line(line)));
        })
        .count()
}

/// What is checked here is not what agents ask where their entries name other places; how many warnings that are.
fn warn_of_other_places(files: &[AgentFile], places: &Places, printer: &Printer) -> usize {
    let mut warnings = 0;
    for file in files.iter().filter(|file| file.is_users) {
        let other = file.kinds().into_iter().find_map(|entry| entries::place_fault(entry, places));
        if let Some(other) = other {
            let text = format!("{}: {other}; {}", file.path.display(), file.remedy());
            printer.add_finding(Level::Odd, file.agent, &text);
            printer.print_note(&format!("{WARNING}warning{WARNING:#}: {}", report::sanitize_line(&text)));
            warnings += 1;
        }
    }
    warnings
}

#[derive(Default)]
pub(super) struct PluginCounts {
    pub(super) broken: usize,
    warnings: usize,
}

/// Loads every plugin, and reports on each hook.
pub(super) fn load_plugins(folder_hooks: &FolderHooks, printer: &Printer) -> Result<PluginCounts, String> {
    let host = folder_hooks.build_host(folder_hooks.hooks());
    if let Some(cache) = folder_hooks.places.opened_cache() {
        // A component that was refused before is not compiled again for a day, except by this command.
        cache.try_again();
    }
    let started = Instant::now();
    let results = super::block_on(true, try_hooks(&host, folder_hooks))?;
    let signed = plugin::SignedPlugins::of(&folder_hooks.places, folder_hooks.folder());
    let (mut found, mut repaired) = (PluginCounts::default(), Vec::new());
    for checked in results {
        let CheckedHook { spec, result, .. } = &checked;
        let (name, calls) = (&spec.name, report::describe_handler(spec));
        match result {
            // hookbox's own gates have no file that could be wrong.
            _ if spec.origin.file.is_none() => {}
            Ok(()) => {
                repaired.push(HookId::of_spec(spec));
                printer.add_finding(Level::Ok, name, &calls);
                printer.print_line(&format!("{GOOD}ok{GOOD:#}    {name}: {calls}"));
                if let Some(signed) = signed.describe_signer(spec) {
                    printer.print_line(&format!("      {signed}"));
                }
                found.warnings += print_disagreements(&checked, printer);
            }
            Err(failure) => {
                found.broken += 1;
                printer.add_finding(Level::Wrong, name, &failure.to_string());
                printer.print_line(&format!("{ERROR}broken{ERROR:#} {name}: {failure}"));
            }
        }
    }
    // A hook that works now is not suspended for its earlier failures.
    folder_hooks.forget_failures(&repaired);
    if let Some(trouble) = host.machine().trouble() {
        printer.add_finding(Level::Odd, "cache", &trouble);
        printer.print_note(&format!("{WARNING}warning{WARNING:#}: {}", report::sanitize_line(&trouble)));
        found.warnings += 1;
    }
    printer.print_note(&format!("checked in {} ms", started.elapsed().as_millis()));
    Ok(found)
}

pub(super) struct HookCheck {
    /// The failure, if it cannot run.
    pub(super) failure: Option<Failure>,
    /// Reason why its native code is not cached, if so.
    pub(super) trouble: Option<String>,
}

/// Checks this hook, and calls it on sample events.
pub(super) async fn try_hook(hook: HookSpec, folder_hooks: &FolderHooks) -> HookCheck {
    let host = folder_hooks.host_of(hook);
    let results = try_hooks(&host, folder_hooks).await;
    let failure = results.into_iter().find_map(|checked| checked.result.err());
    HookCheck { failure, trouble: host.machine().trouble() }
}

/// Checks every hook, and calls it on sample events.
async fn try_hooks<'h>(host: &'h Host, folder_hooks: &FolderHooks) -> Vec<CheckedHook<'h>> {
    let mut results = host.check().await;
    for checked in results.iter_mut().filter(|checked| checked.result.is_ok()) {
        if let Some(failure) = sample_calls::find_failure(checked.spec, folder_hooks).await {
            checked.result = Err(failure);
        }
    }
    results
}

/// Prints the disagreements of the plugin's manifest, its file and its hook's entry; returns the number of warnings.
fn print_disagreements(checked: &CheckedHook<'_>, printer: &Printer) -> usize {
    let CheckedHook { spec, manifest: Some(manifest), doubt, .. } = checked else { return 0 };
    let mut doubts = manifest.list_doubts(spec.role, &spec.events);
    doubts.extend(doubt.clone());
    for doubt in &doubts {
        printer.add_finding(Level::Odd, &spec.name, doubt);
        printer.print_line(&format!("      {WARNING}warning{WARNING:#}: {}", report::sanitize_line(doubt)));
    }
    if let Some(missing) = super::grants::describe_missing(spec, &manifest.asks) {
        printer.print_line(&format!("      note: {}", report::sanitize_line(&missing)));
    }
    doubts.len()
}

/// Returns true if only an agent's own files are looked at.
fn is_of_agent(args: &CheckArgs) -> bool {
    !args.own.with_hookbox && (args.agent.is_some() || args.own.is_alone())
}
