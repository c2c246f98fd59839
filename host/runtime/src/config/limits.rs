//! `timeout` and `limits`: durations, sizes and numbers, each in its range.

use std::{ops::Range, time::Duration};

use bytesize::ByteSize;
use hookbox_model::{Limit, Limits, TrustLevel, bounded_text};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Value, keys, quote_word, report::Report, size, table_shape, trust, values};
use crate::hookfile::PlacedProblem;

/// Returns the limits of a hook. An untrusted file may only lower them.
pub(super) fn resolve_limits(table: &DeTable<'_>, trust_level: TrustLevel, report: &mut Report) -> Limits {
    let mut wanted = Vec::new();
    if let Some(timeout) = values::get_text(table, "timeout") {
        wanted.extend(
            parse_milliseconds("timeout", &timeout, report)
                .map(|value| (Limit::Timeout, value, timeout.span())),
        );
    }
    if let Some(limits) = values::get_table(table, "limits") {
        for (name, value) in *limits.get_ref() {
            let Some(limit) = Limit::from_name(name.get_ref()).filter(|limit| is_key(*limit)) else {
                continue;
            };
            warn_of_no_effect(table, limit, name.span(), report);
            wanted.extend(parse_number(limit, value, report).map(|number| (limit, number, value.span())));
        }
    }
    let set = |limits, (limit, value, span)| match validate_limit(limit, value, trust_level, span) {
        // Cannot fail: the value was validated with the same table.
        Ok(value) => Limits::with_limit(limits, limit, value).unwrap_or_default(),
        Err(found) => {
            report.add_problem(found);
            limits
        }
    };
    wanted.into_iter().fold(Limits::default(), set)
}

/// Returns the value, or the reason for using the default.
fn validate_limit(
    limit: Limit,
    value: u64,
    trust_level: TrustLevel,
    span: Range<usize>,
) -> Result<u64, PlacedProblem> {
    if Limits::default().with_limit(limit, value).is_err() {
        return Err(out_of_range(limit, &format_limit(limit, value), span));
    }
    let default = limit.default_value();
    // A higher limit would let a project take more time and memory before the user has looked at it.
    if trust_level == TrustLevel::Untrusted && value > default {
        let message = format!("{limit} is lowered to {}", format_limit(limit, default));
        return Err(PlacedProblem::warning(span, message)
            .help("a project's hook may only lower limits until you trust it (`hookbox trust`)"));
    }
    Ok(value)
}

fn out_of_range(limit: Limit, value: &str, span: Range<usize>) -> PlacedProblem {
    let (min, max) = (format_limit(limit, limit.min()), format_limit(limit, limit.max()));
    PlacedProblem::error(span, format!("{limit} is {value}, but must be from {min} to {max}"))
}

fn is_key(limit: Limit) -> bool {
    keys::LIMITS.find_key(limit.as_str()).is_some()
}

/// Warns of limits without effect: instructions and memory are counted for wasm hooks only.
fn warn_of_no_effect(table: &DeTable<'_>, limit: Limit, span: Range<usize>, report: &mut Report) {
    let everywhere = matches!(limit, Limit::Output | Limit::LogBytes | Limit::LogLines);
    let mut others = keys::HANDLERS.iter().filter(|kind| **kind != trust::SANDBOXED);
    if let Some(handler) = others.find(|kind| !everywhere && table.contains_key(**kind)) {
        report
            .add_problem(PlacedProblem::warning(span, format!("{limit} has no effect on a {handler} hook")));
    }
}

fn parse_number(limit: Limit, value: &Value<'_>, report: &mut Report) -> Option<u64> {
    match value.get_ref() {
        DeValue::Integer(number) => {
            let found = table_shape::parse_integer(number).and_then(|number| u64::try_from(number).ok());
            if found.is_none() {
                report.add_problem(out_of_range(limit, &quote_word(&number.to_string()), value.span()));
            }
            found
        }
        DeValue::String(text) if limit.unit() == "bytes" => {
            size::parse_bytes(limit.as_str(), text, value.span(), report)
        }
        _ => None,
    }
}

/// Parses a duration with its unit, in milliseconds.
pub(super) fn parse_milliseconds(name: &str, text: &Spanned<&str>, report: &mut Report) -> Option<u64> {
    let problem = match humantime::parse_duration(text.get_ref()) {
        Ok(duration) if duration.subsec_nanos() % 1_000_000 == 0 => {
            return Some(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX));
        }
        Ok(_) => "milliseconds are the smallest that count".to_owned(),
        Err(error) => bounded_text(&error.to_string()),
    };
    let error =
        PlacedProblem::error(text.span(), format!("{name} is {}: {problem}", quote_word(text.get_ref())));
    report.add_problem(error.help("write a number and its unit: \"250ms\", \"10s\", \"1m 30s\""));
    None
}

fn format_limit(limit: Limit, value: u64) -> String {
    match limit.unit() {
        "ms" => humantime::format_duration(Duration::from_millis(value)).to_string(),
        "bytes" => ByteSize::b(value).to_string(),
        _ => value.to_string(),
    }
}
