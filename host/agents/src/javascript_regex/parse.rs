//! Parser of ECMAScript's expressions without flags, with the additions of browsers (annex B).

use super::{MAX_DEPTH, MAX_UNITS, RegexError, escape::Escaped, units::Units};

/// An expression that was read.
pub(super) struct Parsed {
    pub(super) node: Node,
    /// True if the pattern has the same meaning in hookbox's own configuration.
    pub(super) portable: bool,
}

/// A part of an expression.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// A single unit of a set.
    Unit(Units),
    /// The beginning of the subject.
    Start,
    /// The end of the subject.
    End,
    /// A word boundary, possibly negated.
    Boundary { negated: bool },
    /// Lookahead or lookbehind, possibly negated.
    Look { behind: bool, negated: bool, body: Box<Node> },
    /// A concatenation.
    Sequence(Vec<Node>),
    /// An alternation.
    Either(Vec<Node>),
    /// A repetition; unbounded without `most`.
    Repeat { body: Box<Node>, least: u32, most: Option<u32> },
}

/// Reads an expression.
pub(super) fn parse(written: &str) -> Result<Parsed, RegexError> {
    let units: Vec<u16> = written.encode_utf16().collect();
    if units.len() > MAX_UNITS {
        return Err(RegexError::Unsupported("it is longer than 1024 characters"));
    }
    // Counted first: whether `\1` and `\k` are references depends on groups that may come later.
    let (groups, named) = count_groups(&units);
    // hookbox's own engine compares characters and not UTF-16 units: beyond ASCII both can differ.
    let portable = written.is_ascii();
    let mut parser = Parser { units, at: 0, depth: 0, groups, named, names: Vec::new(), portable };
    let node = parser.parse_choices()?;
    if parser.peek().is_some() {
        return Err(RegexError::Invalid("a `)` closes nothing"));
    }
    Ok(Parsed { node, portable: parser.portable })
}

/// Returns the number of groups that can be referred to, and whether one has a name.
fn count_groups(units: &[u16]) -> (usize, bool) {
    let (mut count, mut named, mut in_class, mut rest) = (0, false, false, units);
    while let [unit, behind @ ..] = rest {
        rest = behind;
        match (unit, behind) {
            (0x5C, [_, behind @ ..]) => rest = behind,
            (0x5B, _) => in_class = true,
            (0x5D, _) => in_class = false,
            (0x28, [0x3F, 0x3C, after, ..]) if !in_class && ![0x3D, 0x21].contains(after) => {
                (count, named) = (count + 1, true);
            }
            (0x28, behind) if !in_class && behind.first() != Some(&0x3F) => count += 1,
            _ => {}
        }
    }
    (count, named)
}

pub(super) struct Parser {
    units: Vec<u16>,
    pub(super) at: usize,
    depth: usize,
    /// Number of groups in the expression.
    pub(super) groups: usize,
    /// True if a group has a name. Then `\k` is not a letter.
    pub(super) named: bool,
    /// The names of groups.
    names: Vec<Vec<u16>>,
    pub(super) portable: bool,
}

impl Parser {
    pub(super) fn peek(&self) -> Option<u16> {
        self.units.get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Option<u16> {
        let unit = self.peek();
        self.at += usize::from(unit.is_some());
        unit
    }

    /// Steps back by one unit.
    pub(super) fn step_back(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    /// Consumes `text` if it is next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let is_next =
            text.bytes().enumerate().all(|(ahead, byte)| self.peek_ahead(ahead) == Some(u16::from(byte)));
        self.at += if is_next { text.len() } else { 0 };
        is_next
    }

    pub(super) fn peek_ahead(&self, count: usize) -> Option<u16> {
        self.units.get(self.at + count).copied()
    }

    fn parse_choices(&mut self) -> Result<Node, RegexError> {
        let mut choices = vec![self.parse_sequence()?];
        while self.eat("|") {
            choices.push(self.parse_sequence()?);
        }
        Ok(if choices.len() == 1 { choices.remove(0) } else { Node::Either(choices) })
    }

    fn parse_sequence(&mut self) -> Result<Node, RegexError> {
        let mut parts = Vec::new();
        while self.peek().is_some_and(|unit| !is_any_of(unit, "|)")) {
            let (part, repeatable) = self.parse_part()?;
            parts.push(self.parse_quantifier(part, repeatable)?);
        }
        Ok(Node::Sequence(parts))
    }

    /// Parses a part, and returns whether it can be repeated.
    fn parse_part(&mut self) -> Result<(Node, bool), RegexError> {
        if self.eat("^") {
            return Ok((Node::Start, false));
        }
        if self.eat("$") {
            return Ok((Node::End, false));
        }
        if self.eat("(") {
            return self.parse_group();
        }
        if self.eat("[") {
            return Ok((Node::Unit(self.parse_class()?), true));
        }
        if self.eat(".") {
            return Ok((Node::Unit(Units::dot()), true));
        }
        if self.eat("\\") {
            return self.parse_escaped_part();
        }
        match self.peek() {
            Some(unit) if is_any_of(unit, "*+?") => Err(RegexError::Invalid("there is nothing to repeat")),
            Some(0x7B) if self.braces().is_some() => Err(RegexError::Invalid("there is nothing to repeat")),
            unit => {
                // In other engines these are not literal.
                self.portable &= !unit.is_some_and(|unit| is_any_of(unit, "{}]"));
                self.at += 1;
                Ok((Node::Unit(Units::one(unit.unwrap_or_default())), true))
            }
        }
    }

    fn parse_escaped_part(&mut self) -> Result<(Node, bool), RegexError> {
        Ok(match self.parse_escape(false)? {
            Escaped::Unit(unit) => (Node::Unit(Units::one(unit)), true),
            Escaped::Set(units) => (Node::Unit(units), true),
            Escaped::Boundary { negated } => (Node::Boundary { negated }, false),
        })
    }

    fn parse_group(&mut self) -> Result<(Node, bool), RegexError> {
        self.depth += 1;
        // The parser and the compiler recurse for each group; without a bound a matcher could overflow the
        // stack.
        if self.depth > MAX_DEPTH {
            return Err(RegexError::Unsupported("its groups are nested too deeply"));
        }
        let look = self.parse_look();
        // hookbox's own engine has no lookaround.
        self.portable &= look.is_none();
        if look.is_none() && self.eat("?<") {
            self.parse_name()?;
        } else if look.is_none() && !self.eat("?:") && self.peek() == Some(0x3F) {
            return Err(self.unknown_group());
        }
        let body = self.parse_choices()?;
        if !self.eat(")") {
            return Err(RegexError::Invalid("a `(` is not closed"));
        }
        self.depth -= 1;
        Ok(match look {
            // Browsers repeat lookaheads, and no other empty part.
            Some((behind, negated)) => (Node::Look { behind, negated, body: Box::new(body) }, !behind),
            None => (body, true),
        })
    }

    /// Parses the start of a lookaround; returns whether it looks behind, and whether it is negated.
    fn parse_look(&mut self) -> Option<(bool, bool)> {
        let kinds =
            [("?=", (false, false)), ("?!", (false, true)), ("?<=", (true, false)), ("?<!", (true, true))];
        kinds.iter().find(|(begin, _)| self.eat(begin)).map(|(_, kind)| *kind)
    }

    /// Returns the error for an unknown group. The newest JavaScript has `(?i:…)`.
    fn unknown_group(&self) -> RegexError {
        match self.peek_ahead(1) {
            Some(unit) if is_any_of(unit, "ims-") => RegexError::Unsupported("it sets flags for a group"),
            _ => RegexError::Invalid("there is no such group as this `(?`"),
        }
    }

    fn parse_name(&mut self) -> Result<(), RegexError> {
        self.portable = false;
        let mut name = Vec::new();
        while let Some(unit) = self.next().filter(|unit| *unit != 0x3E) {
            if unit == 0x5C {
                return Err(RegexError::Unsupported("a group's name is written with escapes"));
            }
            name.push(unit);
        }
        let closed = self.at.checked_sub(1).and_then(|at| self.units.get(at)) == Some(&0x3E);
        let letter = |unit: &u16| {
            *unit > 0x7F || is_any_of(*unit, "$_") || is_ascii(*unit, |c| c.is_ascii_alphanumeric())
        };
        let digit = name.first().is_some_and(|unit| is_ascii(*unit, |c| c.is_ascii_digit()));
        if !closed || name.is_empty() || digit || !name.iter().all(letter) {
            return Err(RegexError::Invalid("the name of a group is not valid"));
        }
        if self.names.contains(&name) {
            // The newest JavaScript permits this in different alternatives, older versions refuse it.
            return Err(RegexError::Unsupported("two groups have one name"));
        }
        self.names.push(name);
        Ok(())
    }

    fn parse_quantifier(&mut self, part: Node, repeatable: bool) -> Result<Node, RegexError> {
        let bounds = match self.peek() {
            Some(0x2A) => Some((1, (0, None))),
            Some(0x2B) => Some((1, (1, None))),
            Some(0x3F) => Some((1, (0, Some(1)))),
            Some(0x7B) => self.braces(),
            _ => None,
        };
        let Some((length, (least, most))) = bounds else { return Ok(part) };
        if !repeatable {
            return Err(RegexError::Invalid("there is nothing to repeat"));
        }
        if most.is_some_and(|most| most < least) {
            return Err(RegexError::Invalid("the numbers of a repetition are out of order"));
        }
        self.at += length;
        // Greediness makes no difference to whether there is a match.
        self.eat("?");
        Ok(Node::Repeat { body: Box::new(part), least, most })
    }

    /// Parses `{n}`, `{n,}` or `{n,m}` here; returns its length and the numbers.
    fn braces(&self) -> Option<(usize, (u32, Option<u32>))> {
        let (mut length, mut numbers, mut comma) = (1, [None, None], false);
        loop {
            let unit = self.peek_ahead(length)?;
            length += 1;
            let [least, most] = &mut numbers;
            let number = if comma { most } else { least };
            match char::from_u32(u32::from(unit))? {
                c @ '0'..='9' => {
                    let digit = c.to_digit(10)?;
                    // JavaScript takes a number of any size; more than the maximum cannot be written out
                    // anyway.
                    *number = Some(number.unwrap_or(0u32).saturating_mul(10).saturating_add(digit));
                }
                ',' if !comma => comma = true,
                '}' => break,
                _ => return None,
            }
        }
        let [least, most] = numbers;
        let least = least?;
        Some((length, (least, if comma { most } else { Some(least) })))
    }

    /// Parses a class after the `[`.
    fn parse_class(&mut self) -> Result<Units, RegexError> {
        let negated = self.eat("^");
        let begin = self.at;
        let mut class = Units::default();
        while !self.eat("]") {
            let first = self.parse_member()?;
            // A `-` before the closing bracket is literal.
            let is_range = self.peek() == Some(0x2D) && self.peek_ahead(1).is_some_and(|unit| unit != 0x5D);
            if is_range {
                self.at += 1;
                let last = self.parse_member()?;
                self.add_range(&mut class, &first, &last)?;
            } else {
                add_member(&mut class, &first);
            }
        }
        self.portable &= self.units.get(begin..self.at).is_some_and(is_plain_class);
        if negated {
            class.negate();
        }
        Ok(class)
    }

    fn add_range(&mut self, class: &mut Units, first: &Escaped, last: &Escaped) -> Result<(), RegexError> {
        match (first, last) {
            (Escaped::Unit(first), Escaped::Unit(last)) if first <= last => class.add_range(*first, *last),
            (Escaped::Unit(_), Escaped::Unit(_)) => {
                return Err(RegexError::Invalid("a range in `[…]` is out of order"));
            }
            // A `-` that is not between two units is literal.
            _ => {
                self.portable = false;
                add_member(class, first);
                class.add_range(0x2D, 0x2D);
                add_member(class, last);
            }
        }
        Ok(())
    }

    fn parse_member(&mut self) -> Result<Escaped, RegexError> {
        match self.next() {
            None => Err(RegexError::Invalid("a `[` is not closed")),
            Some(0x5C) => self.parse_escape(true),
            Some(unit) => Ok(Escaped::Unit(unit)),
        }
    }
}

/// Returns true if this class, up to its `]`, has the same meaning in other engines. They nest and join classes, and an empty class does
/// not end for them.
fn is_plain_class(units: &[u16]) -> bool {
    let joins = |two: &[u16]| matches!(two, [0x2D, 0x2D] | [0x26, 0x26] | [0x7E, 0x7E]);
    units.len() > 1 && !units.contains(&0x5B) && !units.windows(2).any(joins)
}

fn add_member(class: &mut Units, member: &Escaped) {
    match member {
        Escaped::Unit(unit) => class.add_range(*unit, *unit),
        Escaped::Set(units) => class.extend(units),
        // In a class `\b` is a unit.
        Escaped::Boundary { .. } => {}
    }
}

pub(super) fn is_any_of(unit: u16, ascii: &str) -> bool {
    ascii.bytes().any(|byte| u16::from(byte) == unit)
}

pub(super) fn is_ascii(unit: u16, is: impl Fn(char) -> bool) -> bool {
    u8::try_from(unit).is_ok_and(|byte| byte.is_ascii() && is(char::from(byte)))
}
