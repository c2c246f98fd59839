//! `hookbox explain`: a dry run of an event, shown hook by hook.

use std::{collections::HashMap, fs::File, time::Duration};

use hookbox::{
    HookSpec, HookState, Host, Request, Target,
    agents::Written,
    interfaces::CommandLine,
    model::{Event, EventMoment, Labelled, Outcome, ShellFacts, Status, Verdict},
};
use hookbox_app::{FolderHooks, places::Places};

use super::{facts, plugin::SignedPlugins, read, repeated_calls, try_event};
use crate::{
    args::{ExplainArgs, OwnArgs, SourceArgs},
    diagnostic, environment,
    exit::ExitStatus,
    printer::{DIM, Printer},
    report,
};

pub(super) fn explain_event(args: &ExplainArgs, printer: &Printer) -> ExitStatus {
    match read_event(args, printer) {
        Ok(request) => {
            let ExplainArgs { json, verbose, call_all, facts, calls, source, own, .. } = args;
            let options = ExplainOptions {
                json: *json,
                verbose: *verbose,
                call_all: *call_all,
                facts: *facts,
                calls: *calls,
                source,
                own,
            };
            print_explanation(&request, &options, printer)
        }
        Err(message) => {
            printer.print_error(&message);
            ExitStatus::Usage
        }
    }
}

fn read_event(args: &ExplainArgs, printer: &Printer) -> Result<Request, String> {
    let dialect = read::dialect_named(args.agent.as_deref())?;
    if let Some(command) = &args.command {
        return try_event::command_event(command, args.agent.as_deref());
    }
    let bytes = match &args.event {
        Some(path) => {
            let file =
                File::open(path).map_err(|error| format!("cannot open {}: {error}", path.display()))?;
            read::read_bytes(file)?
        }
        None => read::standard_input(None, printer)?,
    };
    Request::parse_input(dialect, bytes, &read::create_read_context()).map_err(|invalid| invalid.message)
}

#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command")]
pub(super) struct ExplainOptions<'a> {
    pub(super) json: bool,
    /// True if costs and the agent's raw answer are shown.
    pub(super) verbose: bool,
    /// True if hooks that could have an effect are called.
    pub(super) call_all: bool,
    /// True if the facts about the event's command line are shown.
    pub(super) facts: bool,
    /// Number of runs of the chain, at least one; the later calls are measured.
    pub(super) calls: u32,
    pub(super) source: &'a SourceArgs,
    pub(super) own: &'a OwnArgs,
}

/// Prints the chain's answer to this event. Nothing is counted, logged or used up.
pub(super) fn print_explanation(
    request: &Request,
    args: &ExplainOptions<'_>,
    printer: &Printer,
) -> ExitStatus {
    let Request { dialect, event } = request;
    let places = Places::of_terminal(&environment::read_variable);
    let folder_hooks = match read::load_for_event(request, places, (args.source, args.own)) {
        Ok(folder_hooks) => folder_hooks,
        Err(message) => {
            printer.print_error(&message);
            return ExitStatus::Usage;
        }
    };
    diagnostic::print_problems(&folder_hooks.loaded.problems, printer);
    // In a dry run a hook with effects has a replacement.
    let hooks = if args.call_all {
        folder_hooks.hooks_for(&event.name)
    } else {
        folder_hooks.dry_hooks_for(&event.name)
    };
    let host = folder_hooks.build_host(hooks);
    // Before the event: a hook that runs only once is not selected again.
    let plan = host.plan(event);
    let chain: Vec<_> = plan.hooks().collect();
    let run = async {
        // The plan's run is the first call.
        (plan.run().await, repeated_calls::measure_hooks(&host, event, args.calls.saturating_sub(1)).await)
    };
    let (mut outcome, later) = match super::block_on(true, run) {
        Ok(ran) => ran,
        Err(error) => {
            printer.print_error(&error);
            return ExitStatus::Problems;
        }
    };
    mark_uncalled(&chain, &mut outcome, args);
    folder_hooks.show_own_files(event, &mut outcome);
    let facts = match read_facts(&host, event, args.facts) {
        Ok(facts) => facts,
        Err(error) => {
            printer.print_error(&error);
            return ExitStatus::Problems;
        }
    };
    let written = dialect.write(event, &outcome);
    if args.json {
        let mut json = report::outcome_json(event, &outcome);
        if let Some(members) = json.as_object_mut() {
            members.insert("answer".to_owned(), answer_json(&written));
            if args.facts {
                members.insert("facts".to_owned(), serde_json::json!(facts));
            }
        }
        insert_later_calls(&mut json, &later);
        printer.print_line(&format!("{json:#}"));
    } else {
        print_decision(&outcome, printer);
        print_event(event, printer);
        for row in facts.iter().flat_map(|facts| facts::describe_facts(facts, &event.cwd)) {
            printer.print_line(&format!("  {row}"));
        }
        let signed = SignedPlugins::of(&folder_hooks.places, folder_hooks.folder());
        print_chain((args, &signed, &later), &host, &chain, event, &outcome, printer);
        print_self_protection(chain.len(), event, &outcome, printer);
        print_others(&host, &chain, event, printer);
        print_disabled(&folder_hooks, printer);
        print_answer(event, &written, args.verbose, printer);
    }
    ExitStatus::Success
}

/// Returns the facts about the event's command line, if they are `wanted` and it has one.
fn read_facts(host: &Host, event: &Event, wanted: bool) -> Result<Option<ShellFacts>, String> {
    let Some(line) = CommandLine::from_event(event).filter(|_| wanted) else { return Ok(None) };
    let read = super::block_on(true, host.machine().read_facts(&line))?;
    read.map(Some).map_err(|failure| facts::describe_failure(&failure))
}

/// Returns true if the hook itself is called, and not a replacement.
fn is_called(spec: &HookSpec, args: &ExplainOptions<'_>) -> bool {
    args.call_all || spec.is_harmless() || matches!(spec.target, Target::Callback)
}

/// Marks hooks that were not called as skipped, because the answer came from their replacement.
fn mark_uncalled(chain: &[HookState<'_>], outcome: &mut Outcome, args: &ExplainOptions<'_>) {
    for (hook, report) in chain.iter().zip(&mut outcome.reports) {
        if is_called(hook.spec, args) || !matches!(report.status, Status::Answered(_)) {
            continue;
        }
        report.status = Status::Skipped;
        if let Some(theirs) = &mut report.unreviewed {
            theirs.status = Status::Skipped;
        }
    }
}

/// The median time of later calls, by hook.
type LaterCalls = HashMap<String, Duration>;

/// Adds `later_us`, in microseconds, to each hook that was called more than once.
fn insert_later_calls(json: &mut serde_json::Value, later: &LaterCalls) {
    let hooks = json.get_mut("hooks").and_then(serde_json::Value::as_array_mut);
    let hooks = hooks.into_iter().flatten().filter_map(serde_json::Value::as_object_mut);
    for hook in hooks.filter(|hook| hook.get("status").is_some_and(|status| status == "answered")) {
        let time = hook.get("hook").and_then(serde_json::Value::as_str).and_then(|name| later.get(name));
        if let Some(time) = time {
            hook.insert("later_us".to_owned(), report::to_micros(*time).into());
        }
    }
}

fn answer_json(written: &Written) -> serde_json::Value {
    let unexpressed: Vec<_> = written.unexpressed.iter().map(|part| part.as_str()).collect();
    serde_json::json!({
        "stdout": written.stdout, "stderr": written.stderr, "exit": written.exit,
        "unexpressed": unexpressed,
    })
}

/// Prints the combined result with each of its reasons.
fn print_decision(outcome: &Outcome, printer: &Printer) {
    printer.print_line(&format!("decision {}", report::describe_outcome(outcome)));
    let is_one = outcome.reasons.len() == 1;
    for Labelled { hook, value } in &outcome.reasons {
        let by = if is_one || hook.is_empty() { String::new() } else { format!("{hook}: ") };
        printer.print_line(&format!("reason   {by}{}", report::sanitize_line(value.text())));
    }
}

/// Prints the last step of a call: hookbox's own files are checked after the hooks, unless one of them has denied.
fn print_self_protection(hooks: usize, event: &Event, outcome: &Outcome, printer: &Printer) {
    for (at, report) in outcome.reports.iter().skip(hooks).enumerate() {
        printer.print_line(&format!("  {}. {}  self-protection", hooks + at + 1, report.hook));
        for line in report::report_lines(report, None, &outcome.reasons) {
            printer.print_line(&format!("     {line}"));
        }
    }
    if outcome.reports.len() > hooks || event.name.traits().moment != EventMoment::PendingCall {
        return;
    }
    let what = match outcome.verdict {
        Verdict::Deny(_) => "not asked, since the call is denied already",
        _ => "no objection: the call does not change hookbox's files",
    };
    printer.print_line(&format!("  {DIM}-  self-protection: {what}{DIM:#}"));
}

fn print_event(event: &Event, printer: &Printer) {
    let Event { agent, agent_event, name, .. } = event;
    printer.print_line(&format!("event    {} of {agent} = {name}", report::sanitize_line(agent_event)));
    let Some(tool) = &event.tool else { return };
    printer.print_line(&format!("tool     {} ({})", report::sanitize_line(&tool.name), tool.class));
    if let Some(command) = &tool.command {
        printer.print_line(&format!("command  {}", report::shorten_text(command)));
    }
    for path in &tool.paths {
        printer.print_line(&format!("path     {}", report::sanitize_line(path)));
    }
}

fn print_chain(
    (args, signed, repeated): (&ExplainOptions<'_>, &SignedPlugins, &LaterCalls),
    host: &Host,
    chain: &[HookState<'_>],
    event: &Event,
    outcome: &Outcome,
    printer: &Printer,
) {
    let hooks = diagnostic::format_count(host.hooks().count(), "hook");
    printer.print_line(&format!("chain    {} of {hooks} match, in this order", chain.len()));
    for (at, (hook, report)) in chain.iter().zip(&outcome.reports).enumerate() {
        let spec = hook.spec;
        let (role, layer, trust_level, place) =
            (spec.role, spec.origin.layer, spec.origin.trust_level, format_location(spec));
        let label = report::find_label(spec)
            .map(|label| format!("; agents know it as `{label}`"))
            .unwrap_or_default();
        printer.print_line(&format!(
            "  {}. {}  {role}, {layer} ({trust_level}){place}{label}",
            at + 1,
            spec.name
        ));
        printer.print_line(&format!("     {DIM}matches: {}{DIM:#}", describe_match(spec, event)));
        if !is_called(spec, args) {
            printer.print_line(&format!(
                "     not called in a dry run ({}); --call-all calls it",
                report::describe_handler(spec)
            ));
            continue;
        }
        if let Some(signed) = signed.describe_signer(spec) {
            printer.print_line(&format!("     {signed}"));
        }
        let grants = spec.grants().names();
        if !grants.is_empty() {
            printer.print_line(&format!("     granted {}", grants.join(", ")));
        }
        let limits = args.verbose.then_some(&spec.limits);
        for line in report::report_lines(report, limits, &outcome.reasons) {
            printer.print_line(&format!("     {line}"));
        }
        if let Some(time) = repeated.get(&report.hook) {
            let calls = args.calls.saturating_sub(1);
            printer.print_line(&format!(
                "     {DIM}later calls: {} µs, the median of {calls}{DIM:#}",
                time.as_micros()
            ));
        }
    }
}

fn format_location(spec: &HookSpec) -> String {
    let Some(file) = &spec.origin.file else { return String::new() };
    let file = report::sanitize_line(&file.display().to_string());
    match spec.origin.line {
        0 => format!(", {file}"),
        line => format!(", {file}:{line}"),
    }
}

fn describe_match(spec: &HookSpec, event: &Event) -> String {
    match &spec.tool {
        Some(tool) => format!("{} with tool {}", event.name, report::describe_matcher(tool)),
        None => event.name.to_string(),
    }
}

fn print_others(host: &Host, chain: &[HookState<'_>], event: &Event, printer: &Printer) {
    // Compared by address: hooks of two layers may have one name.
    let is_in = |spec: &HookSpec| chain.iter().any(|hook| std::ptr::eq(hook.spec, spec));
    for hook in host.hooks().filter(|hook| !is_in(hook.spec)) {
        let spec = hook.spec;
        let reason = if spec.events.contains(&event.name) {
            not_called(spec, event)
        } else {
            format!("it is for {}", report::format_events(spec))
        };
        printer.print_line(&format!("  {DIM}-  {}: no match, {reason}{DIM:#}", spec.name));
    }
}

/// Prints the hooks that are switched off, with their switches.
fn print_disabled(folder_hooks: &FolderHooks, printer: &Printer) {
    for spec in &folder_hooks.loaded.disabled {
        let by = report::describe_disabled(folder_hooks.switched_off_by(spec));
        printer.print_line(&format!("  {DIM}-  {}: {by}{DIM:#}", spec.name));
    }
}

/// Returns the reason why a hook for this event is not in its chain.
fn not_called(spec: &HookSpec, event: &Event) -> String {
    let foreign = spec.condition.as_ref().filter(|when| !when.matches(event)).map(ToString::to_string);
    match foreign.or_else(|| spec.tool.as_ref().map(report::describe_matcher)) {
        Some(matcher) => format!("its matcher wants {matcher}"),
        None => "the same hook is in the chain already, and its agent calls it once".to_owned(),
    }
}

/// Prints the parts that the agent cannot express, and if requested its raw answer.
fn print_answer(event: &Event, written: &Written, is_verbose: bool, printer: &Printer) {
    let agent = &event.agent;
    if is_verbose {
        printer.print_line(&format!("answer   to {agent}: exit code {}", written.exit));
        for (name, text) in [("stdout", &written.stdout), ("stderr", &written.stderr)] {
            if !text.is_empty() {
                printer.print_line(&format!("  {name}  {}", text.trim_end()));
            }
        }
    }
    if !written.unexpressed.is_empty() {
        let lost: Vec<_> = written.unexpressed.iter().map(|part| part.as_str()).collect();
        printer.print_line(&format!("  lost    {agent} has no answer field for: {}", lost.join(", ")));
    }
}
