//! `hookbox list`: the hooks in the order in which they run.

use std::time::{SystemTime, UNIX_EPOCH};

use hookbox::HookState;
use serde_json::Value;

use super::read;
use crate::{
    args::ListArgs,
    confinement, diagnostic,
    exit::ExitStatus,
    places::Places,
    printer::{DIM, ERROR, Printer},
    report,
    setup::Setup,
};

pub(super) fn list(args: &ListArgs, printer: &Printer) -> ExitStatus {
    let setup = match setup(args) {
        Ok(setup) => setup,
        Err(message) => {
            printer.error(&message);
            return ExitStatus::Usage;
        }
    };
    diagnostic::print(&setup.loaded.problems, printer);
    let host = setup.host();
    let hooks: Vec<_> = host.hooks().filter(|hook| hook.spec.origin.file.is_some()).collect();
    if args.json {
        let hooks = hooks.iter().map(|hook| report::hook_json(hook, is_tripped(hook))).collect();
        printer.line(&format!("{:#}", Value::Array(hooks)));
        return status(&setup);
    }
    for hook in &hooks {
        print(hook, printer);
    }
    for spec in &setup.loaded.disabled {
        printer.line(&format!("{DIM}{} (disabled){DIM:#}", spec.name));
    }
    if hooks.is_empty() {
        printer.note(
            "no hooks; write some into ~/.config/hookbox/hooks.toml (`hookbox schema` helps the editor)",
        );
    }
    status(&setup)
}

fn setup(args: &ListArgs) -> Result<Setup, String> {
    let (places, project) = (Places::of_terminal(), super::project(args.project.as_deref()));
    match (read::dialect_named(args.agent.as_deref())?, args.own.files.as_slice()) {
        (_, []) => Ok(Setup::read(places, &project, &args.source)),
        (Some(dialect), _) => Ok(Setup::read_for(places, dialect, &project, (&args.source, &args.own))),
        (None, _) => Err("say whose file it is: `--agent NAME`".to_owned()),
    }
}

fn status(setup: &Setup) -> ExitStatus {
    if setup.loaded.has_errors() { ExitStatus::Problems } else { ExitStatus::Success }
}

fn print(hook: &HookState<'_>, printer: &Printer) {
    let spec = hook.spec;
    let (role, layer, tier) = (spec.role, spec.origin.layer, spec.origin.tier);
    let tripped = if is_tripped(hook) { format!("  {ERROR}tripped{ERROR:#}") } else { String::new() };
    printer.line(&format!("{}  {role}, {layer} ({tier}){tripped}", spec.name));
    let tool = spec.tool.as_ref().map(|tool| format!(", tool {}", report::matcher(tool)));
    printer.line(&format!("    on {}{}", report::events(spec), tool.unwrap_or_default()));
    printer.line(&format!("    {}", report::handler(spec)));
    if let Some(held) = confinement::of(spec) {
        printer.line(&format!("    {}", report::plain(&confinement::text(&held))));
    }
    if hook.failures.in_a_row > 0 {
        printer.line(&format!("    failed {} times in a row", hook.failures.in_a_row));
    }
}

/// Is the hook left out for now because it failed too often?
fn is_tripped(hook: &HookState<'_>) -> bool {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    hook.failures.tripped_at(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
