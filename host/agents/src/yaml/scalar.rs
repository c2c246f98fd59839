//! Resolves plain scalars by YAML 1.1 as Python reads it. Values that JSON has no kind for stay text: dates, infinities, numbers to the
//! base 60 or beyond 64 bits.

use serde_json::Value;

pub(super) fn parse_plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        // YAML 1.1, which Python's parser follows, has these words; YAML 1.2 has not.
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => return true.into(),
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => return false.into(),
        _ => {}
    }
    let number = parse_integer(text).map(Value::from).or_else(|| parse_float(text).map(Value::from));
    number.unwrap_or_else(|| text.into())
}

fn parse_integer(text: &str) -> Option<i64> {
    let (sign, body) = split_sign(text);
    let (radix, digits) = match body.strip_prefix('0') {
        None => (10, body),
        Some("") => (10, "0"),
        Some(rest) => match (rest.strip_prefix('b'), rest.strip_prefix('x')) {
            (Some(digits), _) => (2, digits),
            (_, Some(digits)) => (16, digits),
            // A leading zero means base 8 in YAML 1.1.
            _ => (8, rest),
        },
    };
    let is_digits = digits.chars().all(|c| c == '_' || c.is_digit(radix)) && !body.starts_with('_');
    is_digits.then(|| i64::from_str_radix(&format!("{sign}{}", digits.replace('_', "")), radix).ok())?
}

/// Parses a number with a point; an exponent needs a sign, and a sign in front needs a digit before the point.
fn parse_float(text: &str) -> Option<f64> {
    let (sign, body) = split_sign(text);
    let (whole, rest) = body.split_once('.')?;
    let (fraction, exponent) = rest.split_once(['e', 'E']).map_or((rest, None), |(f, e)| (f, Some(e)));
    let digits = |text: &str| text.bytes().all(|b| b == b'_' || b.is_ascii_digit());
    let power = |text: &str| {
        text.strip_prefix(['-', '+']).is_some_and(|power| power.bytes().all(|b| b.is_ascii_digit()))
    };
    let begins = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let begun = begins(whole) || (text.starts_with('.') && begins(fraction));
    let fits = begun && digits(whole) && digits(fraction) && exponent.is_none_or(power);
    let number: f64 = fits.then(|| format!("{sign}{}", body.replace('_', "")).parse().ok())??;
    number.is_finite().then_some(number)
}

/// Splits off the sign, in Rust's spelling.
fn split_sign(text: &str) -> (&'static str, &str) {
    match text.strip_prefix('-') {
        Some(body) => ("-", body),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    }
}
