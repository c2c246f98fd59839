//! Spans and events for `tracing`. `docs/reference/tracing.md` lists their names and fields.
//!
//! Without a subscriber, each place costs one comparison. The library installs none: the program that embeds it does.

#[cfg(feature = "wasm")]
use std::error::Error;
use std::{fmt, time::Duration};

#[cfg(feature = "wasm")]
use hookbox_model::PluginId;
use hookbox_model::{Event, Failure, HandlerKind, HookReport, LogLevel, OneLine, Outcome, Status};
use tracing::{Level, Span, debug, debug_span, error, info, trace, warn};

use crate::HookSpec;

const EVENT: &str = "hookbox::event";
const CHAIN: &str = "hookbox::chain";
const HOOK: &str = "hookbox::hook";
#[cfg(feature = "wasm")]
const SANDBOX: &str = "hookbox::sandbox";

/// Spans one event, from the selection of its hooks to its outcome.
pub(crate) fn event_span(event: &Event) -> Span {
    debug_span!(
        target: EVENT,
        "event",
        event = %OneLine(&event.name.to_string()),
        agent = %OneLine(&event.agent),
        id = %OneLine(&event.id),
        session = %OneLine(&event.session),
    )
}

pub(crate) fn chain_span(hooks: usize, budget: Duration) -> Span {
    debug_span!(target: CHAIN, "chain", hooks, budget_ms = to_milliseconds(budget))
}

pub(crate) fn hook_span(spec: &HookSpec) -> Span {
    debug_span!(
        target: HOOK,
        "hook",
        hook = %OneLine(&spec.label()),
        role = spec.role.as_str(),
        layer = spec.origin.layer.as_str(),
        trust_level = spec.origin.trust_level.as_str(),
    )
}

/// Spans what a hook waits for before its first call.
pub(crate) fn prepare_span(kind: HandlerKind) -> Span {
    debug_span!(target: HOOK, "prepare", kind = kind.as_str())
}

pub(crate) fn handler_span(kind: HandlerKind, timeout: Duration) -> Span {
    debug_span!(
        target: HOOK,
        "handler",
        kind = kind.as_str(),
        timeout_ms = to_milliseconds(timeout),
    )
}

#[cfg(feature = "wasm")]
pub(crate) fn sandbox_span(plugin: &PluginId) -> Span {
    debug_span!(target: SANDBOX, "sandbox", sha256 = %plugin.digest)
}

pub(crate) fn report_registered(spec: &HookSpec, kind: HandlerKind) {
    debug!(
        target: HOOK,
        hook = %OneLine(&spec.label()),
        kind = kind.as_str(),
        role = spec.role.as_str(),
        layer = spec.origin.layer.as_str(),
        trust_level = spec.origin.trust_level.as_str(),
        events = %OneLine(&join_parts(spec.events.iter())),
        "registered",
    );
}

/// Reports that a hook was made ready, or could not be.
pub(crate) fn report_prepared(wall: Duration) {
    debug!(target: HOOK, wall_us = to_microseconds(wall), "prepared");
}

pub(crate) fn report_hook(report: &HookReport) {
    // A target that is disabled for errors is disabled for every level; then no text is built.
    if !tracing::enabled!(target: HOOK, Level::ERROR) {
        return;
    }
    let wall_us = to_microseconds(report.usage.wall);
    report.log.iter().for_each(|line| report_log_line(line.level, &line.message));
    for refusal in &report.refused {
        warn!(target: HOOK, capability = %OneLine(&refusal.capability), error = %OneLine(&refusal.reason), "refused");
    }
    if !report.clamped.is_empty() {
        warn!(target: HOOK, effects = %OneLine(&join_parts(report.clamped.iter())), "clamped");
    }
    match &report.status {
        Status::Answered(answer) => {
            debug!(target: HOOK, verdict = answer.verdict.as_str(), wall_us, "answered");
        }
        Status::Failed(Failure { code, message, .. }) => warn!(
            target: HOOK,
            code = code.as_str(),
            error = %OneLine(message),
            on_failure = report.on_failure.as_str(),
            wall_us,
            "failed",
        ),
        Status::Skipped => debug!(target: HOOK, "skipped"),
    }
}

fn report_log_line(level: LogLevel, line: &str) {
    let text = OneLine(line);
    match level {
        LogLevel::Trace => trace!(target: HOOK, %text, "logged"),
        LogLevel::Debug => debug!(target: HOOK, %text, "logged"),
        LogLevel::Info => info!(target: HOOK, %text, "logged"),
        LogLevel::Warn => warn!(target: HOOK, %text, "logged"),
        LogLevel::Error => error!(target: HOOK, %text, "logged"),
    }
}

/// Reports that no later hook of the chain is called, because of this one; `None` if the event came with a stopped chain.
pub(crate) fn report_stop(by: Option<&HookReport>, skipped: usize) {
    let by = by.map_or("", |report| &report.hook);
    debug!(target: CHAIN, by = %OneLine(by), skipped, "stopped");
}

pub(crate) fn report_outcome(outcome: &Outcome) {
    info!(
        target: EVENT,
        verdict = outcome.verdict.as_str(),
        by = %OneLine(&outcome.deciders().join(", ")),
        failed = outcome.failed().len(),
        wall_us = to_microseconds(outcome.wall),
        "answered",
    );
}

/// Reports that the facts about a command line of the event were computed, or could not be.
pub(crate) fn report_facts(failure: Option<&Failure>) {
    let error = failure.map_or("", |failure| failure.message.as_str());
    debug!(target: CHAIN, error = %OneLine(error), "facts");
}

pub(crate) fn report_unread(message: &str) {
    warn!(target: EVENT, error = %OneLine(message), "unread");
}

/// Reports a failed call of a guest, with each cause of the error. The first cause has the guest's stack, if it is known.
#[cfg(feature = "wasm")]
pub(crate) fn sandbox_error<'a>(causes: impl Iterator<Item = &'a (dyn Error + 'static)>) {
    if tracing::enabled!(target: SANDBOX, Level::DEBUG) {
        let causes: Vec<_> = causes.map(ToString::to_string).collect();
        debug!(target: SANDBOX, causes = %OneLine(&causes.join(": ")), "failed");
    }
}

fn to_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn to_microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn join_parts<T: fmt::Display>(parts: impl Iterator<Item = T>) -> String {
    parts.map(|part| part.to_string()).collect::<Vec<_>>().join(" ")
}
