//! `hookbox list`: the hooks in the order in which they run.

use hookbox::{Clock, HookState};
use hookbox_app::{FolderHooks, places::Places};
use serde_json::Value;

use super::read;
use crate::{
    args::ListArgs,
    confinement, diagnostic, environment,
    exit::ExitStatus,
    printer::{DIM, ERROR, Printer},
    report,
};

pub(super) fn list_hooks(args: &ListArgs, printer: &Printer) -> ExitStatus {
    let read = super::resolve_project(args.project.as_deref()).and_then(|project| {
        let places = Places::of_terminal(&environment::read_variable);
        read::load_for_folder(args.agent.as_deref(), (places, &project), (&args.source, &args.own))
    });
    let folder_hooks = match read {
        Ok(folder_hooks) => folder_hooks,
        Err(message) => {
            printer.print_error(&message);
            return ExitStatus::Usage;
        }
    };
    diagnostic::print_problems(&folder_hooks.loaded.problems, printer);
    let host = folder_hooks.build_host(folder_hooks.hooks());
    // hookbox's own gates have no file.
    let hooks: Vec<_> = host.hooks().filter(|hook| hook.spec.origin.file.is_some()).collect();
    if args.json {
        let hooks = hooks.iter().map(|hook| report::hook_json(hook, is_tripped(hook))).collect();
        printer.print_line(&format!("{:#}", Value::Array(hooks)));
        return compute_exit_status(&folder_hooks);
    }
    for hook in &hooks {
        print_hook(hook, printer);
    }
    for spec in &folder_hooks.loaded.disabled {
        let by = report::describe_disabled(folder_hooks.switched_off_by(spec));
        printer.print_line(&format!("{DIM}{} ({by}){DIM:#}", spec.name));
    }
    if let Some(by) = folder_hooks.projects_off() {
        printer.print_line(&format!(
            "{DIM}the project's hooks (disabled by {}){DIM:#}",
            report::sanitize_line(&by.to_string())
        ));
    }
    // Disabled hooks are in the list, so it is not empty.
    let are_all_off = !is_of_agent(args) && !folder_hooks.loaded.disabled.is_empty();
    if hooks.is_empty() && !are_all_off {
        printer.print_note(&describe_empty_list(args));
    }
    compute_exit_status(&folder_hooks)
}

/// Returns the message for an empty list; `files` are the agent's files if any are named.
fn describe_empty_list(args: &ListArgs) -> String {
    let files = &args.own.files;
    if let (true, Some(agent)) = (files.is_empty(), &args.agent) {
        return format!("{} has no hooks of its own here", report::sanitize_line(agent));
    }
    if files.is_empty() {
        return "no hooks; write some into ~/.config/hookbox/hooks.toml (`hookbox schema` helps the editor)"
            .to_owned();
    }
    let files: Vec<_> = files.iter().map(|file| report::sanitize_line(&file.display().to_string())).collect();
    format!("no hooks in {}", files.join(", "))
}

fn compute_exit_status(folder_hooks: &FolderHooks) -> ExitStatus {
    if folder_hooks.loaded.has_errors() { ExitStatus::Problems } else { ExitStatus::Success }
}

fn print_hook(hook: &HookState<'_>, printer: &Printer) {
    let spec = hook.spec;
    let (role, layer, trust_level) = (spec.role, spec.origin.layer, spec.origin.trust_level);
    let tripped = if is_tripped(hook) { format!("  {ERROR}tripped{ERROR:#}") } else { String::new() };
    let label =
        report::find_label(spec).map(|label| format!("; agents know it as `{label}`")).unwrap_or_default();
    printer.print_line(&format!("{}  {role}, {layer} ({trust_level}){label}{tripped}", spec.name));
    let tool = spec.tool.as_ref().map(|tool| format!(", tool {}", report::describe_matcher(tool)));
    printer.print_line(&format!("    on {}{}", report::format_events(spec), tool.unwrap_or_default()));
    printer.print_line(&format!("    {}", report::describe_handler(spec)));
    if confinement::is_isolated(spec) {
        printer.print_line(
            "    isolated: in a process without files, network and environment (see `hookbox doctor`)",
        );
    }
    if let Some(held) = confinement::resolve_confinement(spec) {
        printer
            .print_line(&format!("    {}", report::sanitize_line(&confinement::describe_confinement(&held))));
    }
    if let Some(left) = hook.out_for {
        let minutes = left.as_secs().div_ceil(60);
        printer.print_line(&format!(
            "    {ERROR}out{ERROR:#}: the hooks of its file used up their time; not called for {minutes} min (`hookbox check` ends it)"
        ));
    }
    if hook.failures.in_a_row > 0 {
        printer.print_line(&format!("    failed {} times in a row", hook.failures.in_a_row));
    }
}

/// Returns true if the hook is suspended because it failed too often.
fn is_tripped(hook: &HookState<'_>) -> bool {
    hook.failures.tripped_at(Clock::machine().now_ms())
}

/// Returns true if only an agent's own files are looked at.
fn is_of_agent(args: &ListArgs) -> bool {
    !args.own.with_hookbox && (args.agent.is_some() || args.own.is_alone())
}
