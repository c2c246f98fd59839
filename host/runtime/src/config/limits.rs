//! `timeout` and `limits`: durations, sizes and numbers, each in its range.

use std::{ops::Range, time::Duration};

use bytesize::ByteSize;
use hookbox_model::{Limit, Limits, Tier, bounded_text};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Value, keys, report::Report, shape, size, suggest::quoted, trust, values};
use crate::hookfile::Found;

/// Returns the limits of a hook. A file of the tier `unknown` may only lower them.
pub(super) fn resolve(table: &DeTable<'_>, tier: Tier, report: &mut Report) -> Limits {
    let mut wanted = Vec::new();
    if let Some(timeout) = values::text(table, "timeout") {
        wanted.extend(
            milliseconds("timeout", &timeout, report).map(|value| (Limit::Timeout, value, timeout.span())),
        );
    }
    if let Some(limits) = values::table(table, "limits") {
        for (name, value) in *limits.get_ref() {
            let Some(limit) = Limit::named(name.get_ref()).filter(|limit| is_key(*limit)) else {
                continue;
            };
            warn_of_no_effect(table, limit, name.span(), report);
            wanted.extend(number(limit, value, report).map(|number| (limit, number, value.span())));
        }
    }
    let set = |limits, (limit, value, span)| match allowed(limit, value, tier, span) {
        Ok(value) => Limits::with(limits, limit, value).unwrap_or_default(),
        Err(found) => {
            report.add(found);
            limits
        }
    };
    wanted.into_iter().fold(Limits::default(), set)
}

/// Returns the value, or the reason for using the default.
fn allowed(limit: Limit, value: u64, tier: Tier, span: Range<usize>) -> Result<u64, Found> {
    if Limits::default().with(limit, value).is_err() {
        return Err(out_of_range(limit, &shown(limit, value), span));
    }
    let default = limit.default_value();
    if tier == Tier::Unknown && value > default {
        let message = format!("{limit} is lowered to {}", shown(limit, default));
        return Err(Found::warning(span, message)
            .help("a project's hook may only lower limits until you trust it (`hookbox trust`)"));
    }
    Ok(value)
}

fn out_of_range(limit: Limit, value: &str, span: Range<usize>) -> Found {
    let (min, max) = (shown(limit, limit.min()), shown(limit, limit.max()));
    Found::error(span, format!("{limit} is {value}, but must be from {min} to {max}"))
}

fn is_key(limit: Limit) -> bool {
    keys::LIMITS.key(limit.as_str()).is_some()
}

/// Warns of limits without effect: instructions and memory are counted for wasm hooks only.
fn warn_of_no_effect(table: &DeTable<'_>, limit: Limit, span: Range<usize>, report: &mut Report) {
    let everywhere = matches!(limit, Limit::Output | Limit::LogBytes | Limit::LogLines);
    let mut others = keys::HANDLERS.iter().filter(|kind| **kind != trust::SANDBOXED);
    if let Some(handler) = others.find(|kind| !everywhere && table.contains_key(**kind)) {
        report.add(Found::warning(span, format!("{limit} has no effect on a {handler} hook")));
    }
}

fn number(limit: Limit, value: &Value<'_>, report: &mut Report) -> Option<u64> {
    match value.get_ref() {
        DeValue::Integer(number) => {
            let found = shape::integer(number).and_then(|number| u64::try_from(number).ok());
            if found.is_none() {
                report.add(out_of_range(limit, &quoted(&number.to_string()), value.span()));
            }
            found
        }
        DeValue::String(text) if limit.unit() == "bytes" => {
            size::bytes(limit.as_str(), text, value.span(), report)
        }
        _ => None,
    }
}

/// Parses a duration with its unit, in milliseconds.
pub(super) fn milliseconds(name: &str, text: &Spanned<&str>, report: &mut Report) -> Option<u64> {
    let problem = match humantime::parse_duration(text.get_ref()) {
        Ok(duration) if duration.subsec_nanos() % 1_000_000 == 0 => {
            return Some(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX));
        }
        Ok(_) => "milliseconds are the smallest that count".to_owned(),
        Err(error) => bounded_text(&error.to_string()),
    };
    let error = Found::error(text.span(), format!("{name} is {}: {problem}", quoted(text.get_ref())));
    report.add(error.help("write a number and its unit: \"250ms\", \"10s\", \"1m 30s\""));
    None
}

fn shown(limit: Limit, value: u64) -> String {
    match limit.unit() {
        "ms" => humantime::format_duration(Duration::from_millis(value)).to_string(),
        "bytes" => ByteSize::b(value).to_string(),
        _ => value.to_string(),
    }
}
