//! Backslash escapes of `$'…'`, `echo -e` and `printf`.

/// Decodes escapes. The text ends at a NUL, as it does in the shell.
pub(crate) fn decode(text: &str) -> String {
    let mut decoded = decode_all(text);
    decoded.truncate(decoded.find('\0').unwrap_or(decoded.len()));
    decoded
}

/// Decodes text that is printed: a NUL is a character like any other.
pub(crate) fn decode_all(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let Some(escape) = chars.next() else {
            out.push('\\');
            break;
        };
        let value = match escape {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'e' | 'E' => '\u{1b}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '\\' | '\'' | '"' | '?' => escape,
            'x' => number(&mut chars, 16, 2, 0).unwrap_or('x'),
            'u' => number(&mut chars, 16, 4, 0).unwrap_or('u'),
            'U' => number(&mut chars, 16, 8, 0).unwrap_or('U'),
            'c' => chars.next().and_then(|c| char::from_u32(u32::from(c) & 0x1f)).unwrap_or('\0'),
            // `echo` and `printf %b` write a zero first, `$'…'` does not.
            '0' => number(&mut chars, 8, 3, 0).unwrap_or('\0'),
            '1'..='7' => number(&mut chars, 8, 2, escape.to_digit(8).unwrap_or(0)).unwrap_or('\0'),
            other => {
                out.push('\\');
                other
            }
        };
        out.push(value);
    }
    out
}

/// Reads a number with a maximum number of digits, as a character; `None` without a digit.
fn number(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    radix: u32,
    digits: usize,
    first: u32,
) -> Option<char> {
    let mut value = first;
    let mut count = usize::from(first > 0);
    let most = digits + count;
    while count < most {
        let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else { break };
        chars.next();
        value = value.wrapping_mul(radix).wrapping_add(digit);
        count += 1;
    }
    if count == 0 {
        return None;
    }
    char::from_u32(value)
}
