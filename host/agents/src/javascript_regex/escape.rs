//! Parses escapes after a backslash.

use super::{
    RegexError,
    parse::{Parser, is_any_of, is_ascii},
    units::Units,
};

pub(super) enum Escaped {
    Unit(u16),
    Set(Units),
    Boundary { negated: bool },
}

/// Units of letter escapes.
const CONTROLS: [(char, u16); 5] = [('f', 0x0C), ('n', 0x0A), ('r', 0x0D), ('t', 0x09), ('v', 0x0B)];

impl Parser {
    /// Parses the text after the backslash, in a class or not.
    pub(super) fn parse_escape(&mut self, in_class: bool) -> Result<Escaped, RegexError> {
        let Some(unit) = self.next() else {
            return Err(RegexError::Invalid("a `\\` stands at the end"));
        };
        if let Some(units) = Units::of_escape(unit) {
            return Ok(Escaped::Set(units));
        }
        // Other engines refuse an escape of a letter beyond ASCII.
        let Some(letter) = u8::try_from(unit).ok().filter(u8::is_ascii).map(char::from) else {
            self.portable = false;
            return Ok(Escaped::Unit(unit));
        };
        if letter.is_ascii_punctuation() {
            // In other engines these are word boundaries.
            self.portable &= !"<>".contains(letter);
            return Ok(Escaped::Unit(unit));
        }
        self.parse_letter(letter, unit, in_class)
    }

    fn parse_letter(&mut self, letter: char, unit: u16, in_class: bool) -> Result<Escaped, RegexError> {
        match letter {
            'b' if !in_class => return Ok(Escaped::Boundary { negated: false }),
            'B' if !in_class => return Ok(Escaped::Boundary { negated: true }),
            _ => {}
        }
        if let Some((_, control)) = CONTROLS.iter().find(|(name, _)| *name == letter) {
            return Ok(Escaped::Unit(*control));
        }
        // The remaining escapes have another meaning, or none, in hookbox's own configuration.
        self.portable = false;
        match letter {
            'b' => Ok(Escaped::Unit(0x08)),
            'c' => Ok(Escaped::Unit(self.parse_control(in_class))),
            'x' => Ok(Escaped::Unit(self.parse_hexadecimal(2).unwrap_or(unit))),
            'u' => Ok(Escaped::Unit(self.parse_hexadecimal(4).unwrap_or(unit))),
            // In an expression without named groups `\k` is the letter (annex B).
            'k' if self.named => Err(RegexError::Unsupported("it refers to an earlier group")),
            // A number that is larger than the number of groups is an octal escape or a digit (annex B).
            '1'..='9' if !in_class && self.is_group(unit) => {
                Err(RegexError::Unsupported("it refers to an earlier group"))
            }
            '0'..='7' => Ok(Escaped::Unit(self.parse_octal(unit - 0x30))),
            _ => Ok(Escaped::Unit(unit)),
        }
    }

    /// Returns true if this digit, with the digits that follow, is the number of a group.
    fn is_group(&self, first: u16) -> bool {
        let digits =
            (0..).map_while(|ahead| self.peek_ahead(ahead)).take_while(|unit| is_any_of(*unit, "0123456789"));
        let number = std::iter::once(first).chain(digits).fold(0, |number: usize, digit| {
            number.saturating_mul(10).saturating_add(usize::from(digit - 0x30))
        });
        number <= self.groups
    }

    /// Parses `\cX`; without a letter the backslash is literal, and `c` comes next.
    fn parse_control(&mut self, in_class: bool) -> u16 {
        let takes = |c: char| c.is_ascii_alphabetic() || in_class && (c.is_ascii_digit() || c == '_');
        if let Some(unit) = self.peek().filter(|unit| is_ascii(*unit, takes)) {
            self.next();
            return unit % 32;
        }
        // `\c` without a letter is a backslash and a `c` (annex B).
        self.step_back();
        0x5C
    }

    fn parse_hexadecimal(&mut self, digits: usize) -> Option<u16> {
        let mut value = 0;
        for ahead in 0..digits {
            let digit = char::from_u32(u32::from(self.peek_ahead(ahead)?))?.to_digit(16)?;
            value = value * 16 + u16::try_from(digit).ok()?;
        }
        self.at += digits;
        Some(value)
    }

    /// Parses one to three octal digits, at most 0o377.
    fn parse_octal(&mut self, first: u16) -> u16 {
        let mut value = first;
        for _ in 0..2 {
            match self.peek().filter(|unit| is_any_of(*unit, "01234567")) {
                Some(unit) if value * 8 + (unit - 0x30) <= 0o377 => {
                    value = value * 8 + (unit - 0x30);
                    self.next();
                }
                _ => break,
            }
        }
        value
    }
}
