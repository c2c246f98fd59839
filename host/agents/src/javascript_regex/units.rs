//! Sets of UTF-16 units, which JavaScript compares without its `u` flag.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Units {
    /// First and last.
    ranges: Vec<(u16, u16)>,
    negated: bool,
}

const LINE_ENDS: [(u16, u16); 3] = [(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)];
const DIGITS: [(u16, u16); 1] = [(0x30, 0x39)];
const WORD: [(u16, u16); 4] = [(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];
const BLANKS: [(u16, u16); 10] = [
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
];

impl Units {
    /// Returns the set of this unit alone.
    pub(super) fn one(unit: u16) -> Self {
        Self { ranges: vec![(unit, unit)], negated: false }
    }

    /// Returns the set of `.`.
    pub(super) fn dot() -> Self {
        Self { ranges: LINE_ENDS.to_vec(), negated: true }
    }

    /// Returns the set of `\d`, `\w`, `\s` and their opposites; `None` for another letter.
    pub(super) fn of_escape(letter: u16) -> Option<Self> {
        let letter = char::from_u32(u32::from(letter))?;
        let ranges: &[(u16, u16)] = match letter.to_ascii_lowercase() {
            'd' => &DIGITS,
            'w' => &WORD,
            's' => &BLANKS,
            _ => return None,
        };
        Some(Self { ranges: ranges.to_vec(), negated: letter.is_ascii_uppercase() })
    }

    pub(super) fn add_range(&mut self, first: u16, last: u16) {
        self.ranges.push((first, last));
    }

    /// Adds all units of `other`.
    pub(super) fn extend(&mut self, other: &Self) {
        if !other.negated {
            self.ranges.extend(&other.ranges);
            return;
        }
        // The ranges of the escapes are in order and do not touch.
        let mut next = 0;
        for (first, last) in &other.ranges {
            if let Some(before) = first.checked_sub(1).filter(|before| *before >= next) {
                self.ranges.push((next, before));
            }
            next = last.saturating_add(1);
        }
        self.ranges.push((next, u16::MAX));
    }

    pub(super) fn negate(&mut self) {
        self.negated = !self.negated;
    }

    pub(super) fn has_unit(&self, unit: u16) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&unit)) != self.negated
    }
}

/// Returns true if the unit is in `\w`.
pub(super) fn is_word(unit: u16) -> bool {
    WORD.iter().any(|(first, last)| (*first..=*last).contains(&unit))
}
