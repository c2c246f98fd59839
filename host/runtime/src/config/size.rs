//! Sizes: a number of bytes, or a text with a number and its unit.

use std::ops::Range;

use bytesize::ByteSize;
use toml::de::DeValue;

use super::{Value, key::SizeRange, quote_word, report::Report, table_shape};
use crate::hookfile::PlacedProblem;

/// Returns the bytes of `value`, if they are in range; `shape` reports a value of another type.
pub(super) fn resolve_size(
    name: &str,
    value: &Value<'_>,
    range: SizeRange,
    report: &mut Report,
) -> Option<u64> {
    let (shown, size) = match value.get_ref() {
        DeValue::Integer(number) => {
            let size = table_shape::parse_integer(number).and_then(|number| u64::try_from(number).ok());
            (quote_word(&number.to_string()), size)
        }
        DeValue::String(text) => (quote_word(text), Some(parse_bytes(name, text, value.span(), report)?)),
        _ => return None,
    };
    let size = size.filter(|size| (range.min..=range.max).contains(size));
    if size.is_none() {
        let (min, max) = (ByteSize::b(range.min), ByteSize::b(range.max));
        report.add_problem(PlacedProblem::error(
            value.span(),
            format!("{name} is {shown}, but must be from {min} to {max}"),
        ));
    }
    size
}

/// Parses a text with a number and its unit into bytes.
pub(super) fn parse_bytes(name: &str, text: &str, span: Range<usize>, report: &mut Report) -> Option<u64> {
    let size: Option<ByteSize> = text.parse().ok();
    let has_unit = text.ends_with(|c: char| c.is_ascii_alphabetic());
    if let Some(size) = size.filter(|_| has_unit) {
        return Some(size.as_u64());
    }
    let error = PlacedProblem::error(span, format!("{name} is {}, which is not a size", quote_word(text)));
    report.add_problem(error.help("write a string with its unit: \"512KiB\", \"16MiB\""));
    None
}
