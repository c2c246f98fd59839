//! Hooks and outcomes as text and as JSON.

use hookbox::{
    HookSpec, HookState, Target, ToolMatcher,
    hook::{ShellCommand, ShellSpec, WasmSpec},
    model::{
        Answer, CapabilityRefusal, Event, EventName, Exit, HookReport, Labelled, Limit, Limits, Outcome,
        ProcessResult, Reason, Rewrite, Status, Usage, Verdict, bounded_text,
    },
};
use hookbox_app::switches::OffBy;
use serde_json::{Value, json};

use crate::{
    confinement,
    printer::{DIM, ERROR, GOOD, WARNING},
};

/// Version of the JSON that commands print, in its member `schema_version`. It changes when a member is removed or changes its meaning.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// Describes a hook's target, in a few words.
pub(crate) fn describe_handler(spec: &HookSpec) -> String {
    sanitize_line(&describe_target(spec))
}

fn describe_target(spec: &HookSpec) -> String {
    match &spec.target {
        Target::Wasm(wasm) => describe_component(wasm),
        Target::Shell(shell) => describe_command(shell),
        Target::Webhook(webhook) => format!("webhook {}", webhook.url),
        Target::Python(python) => format!("python {}:{}", python.module, python.function),
        Target::Callback => "hookbox itself".to_owned(),
    }
}

fn describe_component(wasm: &WasmSpec) -> String {
    let pinned = if wasm.sha256.is_some() { " (pinned)" } else { "" };
    format!("wasm {}{pinned}", wasm.path.display())
}

fn describe_command(shell: &ShellSpec) -> String {
    match &shell.command {
        ShellCommand::Line(line) => format!("shell {line}"),
        ShellCommand::Argv(argv) => {
            let words: Vec<_> = argv.iter().map(|word| if is_script(word) { "…" } else { word }).collect();
            format!("shell {}", words.join(" "))
        }
    }
}

/// Returns true for a whole script, which would hide the rest.
fn is_script(word: &str) -> bool {
    word.contains('\n')
}

/// Returns the hook's label in agents, if it is not its name.
pub(crate) fn find_label(spec: &HookSpec) -> Option<String> {
    Some(spec.label()).filter(|label| *label != spec.name)
}

/// Describes that a hook is switched off, with its switch unless that is its own entry.
pub(crate) fn describe_disabled(by: Option<OffBy>) -> String {
    by.map_or_else(|| "disabled".to_owned(), |by| format!("disabled by {}", sanitize_line(&by.to_string())))
}

pub(crate) fn format_events(spec: &HookSpec) -> String {
    let names: Vec<_> = spec.events.iter().map(EventName::as_str).collect();
    match names.as_slice() {
        // A fourth name alone is shown: it needs no more room than the count.
        [first, second, third, _, rest @ ..] if !rest.is_empty() => {
            format!("{first}, {second}, {third} and {} more", rest.len() + 1)
        }
        few => few.join(", "),
    }
}

pub(crate) fn describe_matcher(matcher: &ToolMatcher) -> String {
    let mut parts = Vec::new();
    if !matcher.names.is_empty() {
        parts.push(format!("name {}", matcher.names.join("|")));
    }
    if !matcher.classes.is_empty() {
        let classes: Vec<_> = matcher.classes.iter().map(|class| class.as_str()).collect();
        parts.push(format!("class {}", classes.join("|")));
    }
    parts.extend(matcher.glob.as_ref().map(|glob| format!("glob {glob}")));
    parts.extend(matcher.regex.as_ref().map(|regex| format!("regex {regex}")));
    parts.join(", ")
}

/// Returns a hook as JSON, for `list --json`.
pub(crate) fn hook_json(hook: &HookState<'_>, tripped: bool) -> Value {
    let spec = hook.spec;
    let limits: serde_json::Map<_, _> =
        Limit::all().map(|limit| (limit.as_str().to_owned(), spec.limits.get(limit).into())).collect();
    json!({
        "name": spec.name,
        "label": spec.label(),
        "events": spec.events.iter().map(EventName::as_str).collect::<Vec<_>>(),
        "tool": spec.tool.as_ref().map(describe_matcher),
        "role": spec.role.as_str(),
        "priority": spec.priority,
        "handler": describe_handler(spec),
        "layer": spec.origin.layer.as_str(),
        "trust_level": spec.origin.trust_level.as_str(),
        "file": spec.origin.file,
        "line": spec.origin.line,
        "on_failure": spec.events.first().map(|event| spec.on_failure(event).as_str()),
        "limits": limits,
        "confined": confinement::resolve_confinement(spec).map(|held| confinement::confinement_json(&held)),
        "apart": confinement::is_isolated(spec),
        "grants": spec.grants().names(),
        "failures_in_a_row": hook.failures.in_a_row,
        "tripped": tripped,
        "out_for_s": hook.out_for.map(|left| left.as_secs()),
    })
}

/// Describes the result of one hook of a chain, as lines: the costs only with its `limits`, and no reason among `shown`, which the
/// caller has printed.
pub(crate) fn report_lines(
    report: &HookReport,
    limits: Option<&Limits>,
    shown: &[Labelled<Reason>],
) -> Vec<String> {
    // This is for the user, so an untrusted hook's own text is shown.
    let status = report.unreviewed.as_ref().map_or(&report.status, |theirs| &theirs.status);
    let mut lines = match status {
        Status::Answered(answer) => answer_lines(answer, shown),
        Status::Failed(failure) => {
            let policy = report.on_failure;
            vec![format!("{ERROR}failed{ERROR:#} ({failure}); on failure: {policy}")]
        }
        Status::Skipped => vec![format!("{DIM}skipped: the chain had ended before its turn{DIM:#}")],
    };
    if !report.clamped.is_empty() {
        let clamped: Vec<_> = report.clamped.iter().map(|effect| effect.as_str()).collect();
        lines.push(format!(
            "{WARNING}clamped{WARNING:#}: {} (a {} of the trust level {} may not do that, or its plugin does not ask to)",
            clamped.join(", "),
            report.role,
            report.trust_level
        ));
    }
    lines.extend(report.refused.iter().map(|refusal| format!("{WARNING}refused{WARNING:#} {refusal}")));
    lines.extend(report.process.as_ref().map(process_line));
    lines.extend(report.log.iter().map(|line| format!("{DIM}log {}: {}{DIM:#}", line.level, line.message)));
    if let Some(limits) = limits.filter(|_| report.usage != Usage::default()) {
        lines.push(format!("{DIM}used {}{DIM:#}", format_usage(&report.usage, limits)));
    }
    lines
}

fn process_line(process: &ProcessResult) -> String {
    let ProcessResult { exit, stdout } = process;
    let wrote = if stdout.is_empty() {
        "wrote nothing".to_owned()
    } else {
        format!("wrote {}", shorten_text(stdout))
    };
    format!("{DIM}process: {exit}, {wrote}{DIM:#}")
}

fn process_json(process: &ProcessResult) -> Value {
    let (code, signal) = match process.exit {
        Exit::Code(code) => (Some(code), None),
        Exit::Signal(signal) => (None, Some(signal)),
    };
    json!({ "exit_code": code, "signal": signal, "stdout": process.stdout })
}

fn answer_lines(answer: &Answer, shown: &[Labelled<Reason>]) -> Vec<String> {
    let is_shown =
        answer.verdict.reason().is_some_and(|reason| shown.iter().any(|label| label.value == *reason));
    let mut lines = vec![format_verdict(&answer.verdict, is_shown)];
    match &answer.rewrite {
        Some(Rewrite::Replace(part)) => {
            lines.push(format!("rewrite: replace by {}", shorten_text(part.as_str())));
        }
        Some(Rewrite::Merge(part)) => lines.push(format!("rewrite: merge {}", shorten_text(part.as_str()))),
        None => {}
    }
    lines.extend(answer.confine.as_ref().map(|profile| format!("confine: by the profile `{profile}`")));
    let texts = [("context", &answer.context), ("notice", &answer.notice), ("stop", &answer.stop)];
    for (part, text) in texts {
        lines.extend(text.as_ref().map(|text| format!("{part}: {}", shorten_text(text))));
    }
    lines.extend(answer.extra.as_ref().map(|extra| format!("extra: {}", shorten_text(extra.as_str()))));
    lines
}

/// Formats a verdict, with its reason unless that is shown elsewhere.
fn format_verdict(verdict: &Verdict, is_shown: bool) -> String {
    let word = verdict.as_str();
    let style = match verdict {
        Verdict::None | Verdict::Allow(_) => GOOD,
        Verdict::Ask(_) | Verdict::Defer(_) => WARNING,
        Verdict::Deny(_) => ERROR,
    };
    match verdict.reason() {
        None => format!("{style}no opinion{style:#}"),
        Some(reason) => {
            let code = find_code(reason).map(|code| format!(" {code}")).unwrap_or_default();
            let text = if is_shown { String::new() } else { format!(": {}", shorten_text(reason.text())) };
            format!("{style}{word}{style:#}{code}{text}")
        }
    }
}

/// Returns the code of a reason, if it has one: those of agents' own hook files have none.
fn find_code(reason: &Reason) -> Option<&str> {
    Some(reason.code()).filter(|code| *code != Reason::NO_CODE)
}

fn format_usage(usage: &Usage, limits: &Limits) -> String {
    let of = |limit: Limit| limits.get(limit);
    let mut parts = vec![format!("{:.3} ms of {} ms", usage.wall.as_secs_f64() * 1e3, of(Limit::Timeout))];
    parts.extend(usage.fuel.map(|fuel| format!("{fuel} fuel of {}", of(Limit::Fuel))));
    parts.extend(
        usage.peak_memory.map(|bytes| format!("{} KiB of {} KiB", bytes >> 10, of(Limit::Memory) >> 10)),
    );
    parts.extend(usage.host_calls.map(|calls| format!("{calls} host calls of {}", of(Limit::HostCalls))));
    if usage.requests > 0 {
        parts.push(format!("{} requests", usage.requests));
    }
    if usage.log_bytes > 0 || usage.log_dropped > 0 {
        parts.push(format!("{} log bytes, {} lines dropped", usage.log_bytes, usage.log_dropped));
    }
    parts.extend(usage.start.map(|start| start.as_str().to_owned()));
    parts.join(", ")
}

/// Returns one line that cannot disturb a terminal: events and file names may be hostile.
pub(crate) fn sanitize_line(text: &str) -> String {
    bounded_text(text).replace('\n', "⏎")
}

/// Shortens a text for display; policies see all of it.
pub(crate) fn shorten_text(text: &str) -> String {
    const SHOWN: usize = 300;
    let line = sanitize_line(text);
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

/// Describes the outcome of the chain, in one line.
pub(crate) fn describe_outcome(outcome: &Outcome) -> String {
    let by = |Labelled { hook, value }: &Labelled<Reason>| match find_code(value) {
        Some(code) => format!("{hook} ({code})"),
        None => hook.clone(),
    };
    let mut hooks: Vec<_> = outcome.reasons.iter().map(by).filter(|by| !by.is_empty()).collect();
    if hooks.is_empty() {
        hooks = of_this_verdict(outcome);
    }
    let mut line = match &outcome.verdict {
        Verdict::None => "no opinion".to_owned(),
        verdict => format!("{} by {}", verdict.as_str(), hooks.join(", ")),
    };
    if let Some(Labelled { value: profile, .. }) = outcome.confine.first() {
        let hooks: Vec<_> = outcome.confine.iter().map(|label| label.hook.as_str()).collect();
        line.push_str(&name_hooks(&format!("; confined to `{profile}`"), "by", &hooks));
    } else if outcome.rewrite.is_some() {
        line.push_str("; rewritten");
    }
    if !outcome.contexts.is_empty() {
        let from: Vec<_> = outcome.contexts.iter().map(|context| context.hook.as_str()).collect();
        line.push_str(&name_hooks("; context", "from", &from));
    }
    if let Some(stop) = &outcome.stop {
        line.push_str(&name_hooks("; stop", "by", &[&stop.hook]));
    }
    line
}

/// Names the hooks behind a part of the outcome, unless their names were not kept.
fn name_hooks(what: &str, whose: &str, hooks: &[&str]) -> String {
    let hooks: Vec<_> = hooks.iter().copied().filter(|hook| !hook.is_empty()).collect();
    if hooks.is_empty() { what.to_owned() } else { format!("{what} {whose} {}", hooks.join(", ")) }
}

/// Returns the hooks with the chain's verdict, for systems that pass texts on without the names of hooks.
fn of_this_verdict(outcome: &Outcome) -> Vec<String> {
    let has_verdict = |report: &&HookReport| match &report.status {
        Status::Answered(answer) => answer.verdict.as_str() == outcome.verdict.as_str(),
        Status::Failed(_) => report.on_failure.as_str() == outcome.verdict.as_str(),
        Status::Skipped => false,
    };
    outcome.reports.iter().filter(has_verdict).map(|report| report.hook.clone()).collect()
}

/// Returns a whole outcome as JSON, for `explain --json`.
pub(crate) fn outcome_json(event: &Event, outcome: &Outcome) -> Value {
    json!({
        "event": { "name": event.name.as_str(), "agent": event.agent, "agent_event": event.agent_event,
            "tool": event.tool.as_ref().map(|tool| tool.name.as_str()) },
        "verdict": outcome.verdict.as_str(),
        "reasons": outcome.reasons.iter().map(|reason| json!({
            "hook": reason.hook, "code": reason.value.code(), "text": reason.value.text(),
        })).collect::<Vec<_>>(),
        "rewrite": outcome.rewrite.as_ref().map(hookbox::model::Json::to_value),
        "confine": outcome.confine.iter().map(|said| json!({
            "hook": said.hook, "profile": said.value.as_str(),
        })).collect::<Vec<_>>(),
        "wall_us": to_micros(outcome.wall),
        "hooks": outcome.reports.iter().map(report_json).collect::<Vec<_>>(),
    })
}

fn report_json(report: &HookReport) -> Value {
    let (status, answer, failure) = status_json(&report.status);
    let unreviewed = report.unreviewed.as_ref().map(|theirs| {
        let (_, answer, failure) = status_json(&theirs.status);
        json!({ "name": theirs.name, "answer": answer, "failure": failure })
    });
    let usage = &report.usage;
    let mut json = json!({
        "hook": report.hook,
        "handler": report.kind.as_str(),
        "role": report.role.as_str(),
        "layer": report.layer.as_str(),
        "trust_level": report.trust_level.as_str(),
        "on_failure": report.on_failure.as_str(),
        "status": status,
        "answer": answer,
        "failure": failure,
        "clamped": report.clamped.iter().map(|effect| effect.as_str()).collect::<Vec<_>>(),
        "refused": report.refused.iter().map(refusal_json).collect::<Vec<_>>(),
        "process": report.process.as_ref().map(process_json),
        "log": report.log.iter().map(|line| json!({ "level": line.level.as_str(), "message": line.message })).collect::<Vec<_>>(),
        "used": {
            "wall_us": to_micros(usage.wall), "fuel": usage.fuel, "peak_memory": usage.peak_memory,
            "host_calls": usage.host_calls, "requests": usage.requests, "log_bytes": usage.log_bytes, "log_dropped": usage.log_dropped,
            "start": usage.start.map(hookbox::model::Start::as_str),
        },
    });
    // A reviewed hook has no text other than this.
    if let (Some(members), Some(unreviewed)) = (json.as_object_mut(), unreviewed) {
        members.insert("unreviewed".to_owned(), unreviewed);
    }
    json
}

/// Returns the name of the status, the answer, and the failure.
fn status_json(status: &Status) -> (&'static str, Option<Value>, Option<Value>) {
    match status {
        Status::Answered(answer) => ("answered", Some(answer_json(answer)), None),
        Status::Failed(failure) => {
            ("failed", None, Some(json!({ "code": failure.code.as_str(), "message": failure.message })))
        }
        Status::Skipped => ("skipped", None, None),
    }
}

fn refusal_json(refusal: &CapabilityRefusal) -> Value {
    let CapabilityRefusal { capability, value, reason, line, .. } = refusal;
    json!({ "capability": capability, "value": value, "reason": reason, "add": line })
}

fn answer_json(answer: &Answer) -> Value {
    let rewrite = match &answer.rewrite {
        Some(Rewrite::Replace(part)) => Some(json!({ "replace": part.to_value() })),
        Some(Rewrite::Merge(part)) => Some(json!({ "merge": part.to_value() })),
        None => None,
    };
    json!({
        "verdict": answer.verdict.as_str(),
        "code": answer.verdict.reason().map(hookbox::model::Reason::code),
        "reason": answer.verdict.reason().map(hookbox::model::Reason::text),
        "rewrite": rewrite,
        "confine": answer.confine.as_ref().map(hookbox::model::ProfileName::as_str),
        "context": answer.context,
        "notice": answer.notice,
        "stop": answer.stop,
        "extra": answer.extra.as_ref().map(hookbox::model::Json::to_value),
    })
}

pub(crate) fn to_micros(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
